//! Moves that win at once, found in all plays together, and preferred.

use std::sync::Arc;

use base::{Id as _, RoleId};
use ground::{GroundProgram, Lit, Wins};

use super::code::Code;
use super::legal::Legal;
use super::phase::word_of;
use super::word::Word;
use crate::schedule::Schedule;

/// By phase: when moves win at once, if that can be found out cheaply.
#[derive(Clone, Debug)]
pub(super) struct LookAhead {
    phases: Arc<[Option<PhaseWins>]>,
    /// By node of the formulas: the plays in which it holds.
    values: Vec<Word>,
    n_fluents: usize,
}

#[derive(Debug)]
struct PhaseWins {
    role: RoleId,
    code: Code,
    n_nodes: usize,
    /// By input: when its move wins.
    wins: Vec<Lit>,
}

impl LookAhead {
    /// `None` where no phase has such moves, or it would cost too much to find them.
    pub(super) fn new(ground: &GroundProgram) -> Option<LookAhead> {
        /// What the formulas may cost beside those of the game, which are evaluated in each step, too.
        const MAX_COST: usize = 2;
        let max_parts = MAX_COST * ground.formulas.network.n_parts();
        let wins = ground.phases.iter().map(|phase| ground.wins(phase, 4 * max_parts));
        let phases: Arc<[Option<PhaseWins>]> = wins
            .map(|wins| wins.filter(|wins| wins.network.n_parts() <= max_parts))
            .map(|wins| wins.map(|wins| PhaseWins::new(ground, &wins)))
            .collect();
        let n_nodes = phases.iter().flatten().map(|phase| phase.n_nodes).max()?;
        let mut values = vec![Word::NONE; n_nodes];
        values[0] = Word::ALL;
        Some(LookAhead { phases, values, n_fluents: ground.fluents.len() })
    }

    /// Leaves in each play whose state is in `fluents`, of a phase, only the moves that win at once, if there
    /// are such. Returns the plays in which there are.
    pub(super) fn prefer_wins(
        &mut self,
        phase: usize,
        fluents: &[Word],
        legal: &mut base::IdVec<RoleId, Legal>,
    ) -> Word {
        let Some(phase) = &self.phases[phase] else { return Word::NONE };
        self.values[1..=self.n_fluents].copy_from_slice(fluents);
        phase.code.run(&mut self.values);
        let legal = &mut legal[phase.role];
        let any = winning(legal, &self.values, &phase.wins);
        if !any.is_none() {
            keep_winning(legal, &self.values, &phase.wins, any);
        }
        any
    }
}

impl PhaseWins {
    fn new(ground: &GroundProgram, wins: &Wins) -> PhaseWins {
        let first_move = 1 + ground.fluents.len();
        let mut by_input = vec![Lit::FALSE; first_move + ground.moves.len()];
        for &(id, lit) in &wins.moves {
            by_input[first_move + id.index()] = lit;
        }
        let wanted = wins.moves.iter().map(|(_, lit)| *lit);
        let code = Code::new(&wins.network, &Schedule::new(&wins.network, wanted, None));
        PhaseWins { role: wins.role, code, n_nodes: wins.network.n_nodes(), wins: by_input }
    }
}

/// The plays in which a legal move wins at once.
#[multiversion::multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn winning(legal: &Legal, values: &[Word], wins: &[Lit]) -> Word {
    let moves = legal.inputs().iter().zip(legal.words());
    moves
        .fold(Word::NONE, |any, (&input, &word)| any | word & word_of(values, wins[input as usize]))
}

/// Leaves in the plays of `any` only moves that win.
#[multiversion::multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn keep_winning(legal: &mut Legal, values: &[Word], wins: &[Lit], any: Word) {
    let (words, inputs) = legal.moves_mut();
    for (word, &input) in words.iter_mut().zip(inputs) {
        *word = *word & (!any | word_of(values, wins[input as usize]));
    }
}
