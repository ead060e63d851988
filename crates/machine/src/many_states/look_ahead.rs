//! Moves that win at once, and moves after which somebody does, found in all plays together: what wins is preferred,
//! what lets others win is avoided.

use std::sync::Arc;

use base::{Id as _, IdVec, RoleId};
use ground::{GroundMoveId, GroundProgram, Lit};

use super::code::Code;
use super::legal::Legal;
use super::phase::word_of;
use super::word::Word;
use crate::schedule::Schedule;

/// By phase: when moves win or lose at once, if that can be found out cheaply.
#[derive(Clone, Debug)]
pub(super) struct LookAhead {
    phases: Arc<[Option<SeenInPhase>]>,
    /// By node of the formulas: the plays in which it holds.
    values: Vec<Word>,
    n_fluents: usize,
}

#[derive(Debug)]
struct SeenInPhase {
    role: RoleId,
    code: Code,
    n_nodes: usize,
    /// By input: when its move wins.
    wins: Vec<Lit>,
    /// By input: when somebody wins after its move; nothing if that is not known.
    replies: Option<Replies>,
}

#[derive(Debug)]
struct Replies {
    /// By input.
    lits: Vec<Lit>,
    /// Whether it is the same role that wins then.
    are_own: bool,
}

impl LookAhead {
    /// Looks so many stages ahead. `None` where no phase has such moves, or it would cost too much to find them.
    pub(super) fn new(ground: &GroundProgram, n_stages: usize) -> Option<LookAhead> {
        let seen = (0..ground.phases.len()).map(|phase| ground.look_ahead(phase, n_stages));
        let phases: Arc<[Option<SeenInPhase>]> =
            seen.map(|seen| seen.map(|seen| SeenInPhase::new(ground, &seen))).collect();
        let n_nodes = phases.iter().flatten().map(|phase| phase.n_nodes).max()?;
        let mut values = vec![Word::NONE; n_nodes];
        values[0] = Word::ALL;
        Some(LookAhead { phases, values, n_fluents: ground.fluents.len() })
    }

    /// What is seen of the moves in the plays whose states are in `fluents`, of a phase.
    pub(super) fn see(&mut self, phase: usize, fluents: &[Word]) -> Option<Seen<'_>> {
        let of_phase = self.phases[phase].as_ref()?;
        self.values[1..=self.n_fluents].copy_from_slice(fluents);
        of_phase.code.run(&mut self.values);
        Some(Seen { of_phase, values: &self.values })
    }

    /// Leaves in each play whose state is in `fluents`, of a phase, only the moves that win at once, if there
    /// are such, and otherwise only those after which the same role does or nobody else does, if there are such. Returns
    /// the plays in which some win.
    pub(super) fn narrow(
        &mut self,
        phase: usize,
        fluents: &[Word],
        legal: &mut IdVec<RoleId, Legal>,
    ) -> Word {
        let Some(Seen { of_phase, values }) = self.see(phase, fluents) else { return Word::NONE };
        let legal = &mut legal[of_phase.role];
        let winning = plays_with(legal, values, &of_phase.wins, Word::NONE);
        if !winning.is_none() {
            keep(legal, values, &of_phase.wins, Word::NONE, winning);
        }
        if let Some(Replies { lits, are_own }) = &of_phase.replies {
            // What another role wins by is avoided.
            let turned = if *are_own { Word::NONE } else { Word::ALL };
            let plays = plays_with(legal, values, lits, turned) & !winning;
            keep(legal, values, lits, turned, plays);
        }
        winning
    }
}

/// What is seen of the moves of a role.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen<'a> {
    of_phase: &'a SeenInPhase,
    values: &'a [Word],
}

impl Seen<'_> {
    /// The role that has a choice.
    pub(super) fn role(&self) -> RoleId {
        self.of_phase.role
    }

    /// The plays in which somebody wins at once with the move of an input, or after it.
    pub(super) fn decides(&self, input: u32) -> Word {
        let word = |lits: &[Lit]| word_of(self.values, lits[input as usize]);
        let replies = self.of_phase.replies.as_ref();
        word(&self.of_phase.wins) | replies.map_or(Word::NONE, |replies| word(&replies.lits))
    }
}

impl SeenInPhase {
    fn new(ground: &GroundProgram, seen: &ground::LookAhead) -> SeenInPhase {
        let first_move = 1 + ground.fluents.len();
        let by_input = |moves: &[(GroundMoveId, Lit)]| {
            let mut by_input = vec![Lit::FALSE; first_move + ground.moves.len()];
            for &(id, lit) in moves {
                by_input[first_move + id.index()] = lit;
            }
            by_input
        };
        let wanted = seen.wins.iter().chain(&seen.replies).map(|(_, lit)| *lit);
        let code = Code::new(&seen.network, &Schedule::new(&seen.network, wanted, None));
        SeenInPhase {
            role: seen.role,
            code,
            n_nodes: seen.network.n_nodes(),
            wins: by_input(&seen.wins),
            replies: (!seen.replies.is_empty()).then(|| Replies {
                lits: by_input(&seen.replies),
                are_own: seen.replier == seen.role,
            }),
        }
    }
}

/// The plays in which something holds for a legal move, or, if all is to be turned round, does not.
#[multiversion::multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn plays_with(legal: &Legal, values: &[Word], of_moves: &[Lit], turned: Word) -> Word {
    legal.inputs().iter().zip(legal.words()).fold(Word::NONE, |any, (&input, &word)| {
        any | word & (word_of(values, of_moves[input as usize]) ^ turned)
    })
}

/// Leaves in `plays` only moves for which something holds, or, if all is to be turned round, does not.
#[multiversion::multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn keep(legal: &mut Legal, values: &[Word], of_moves: &[Lit], turned: Word, plays: Word) {
    let (words, inputs) = legal.moves_mut();
    for (word, &input) in words.iter_mut().zip(inputs) {
        *word = *word & (!plays | (word_of(values, of_moves[input as usize]) ^ turned));
    }
}
