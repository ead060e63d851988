//! A phase of a game: the code that takes plays through one joint move.

use base::{Id, IdVec, RoleId};
use ground::{Formulas, GroundProgram, Lit, Phase};

use super::code::Code;
use super::word::Word;
use crate::schedule::Schedule;

/// The code of a phase and what it computes.
#[derive(Clone, Debug)]
pub(super) struct PhaseCode {
    /// When moves are legal, and whether the play has ended.
    pub(super) state: Code,
    /// The next fluents.
    pub(super) successor: Code,
    /// The goals, after the state.
    pub(super) goals: Code,
    pub(super) terminal: Lit,
    pub(super) moves: IdVec<RoleId, Moves>,
    pub(super) goal_lits: IdVec<RoleId, Vec<Lit>>,
    /// By fluent: when it holds next, and whether it does at first.
    next: Vec<(Lit, bool)>,
    /// The fluents whose next value is that of an input: read before any is written.
    from_inputs: Vec<u32>,
    n_nodes: usize,
}

/// The moves that a role may have in a phase.
#[derive(Clone, Debug)]
pub(super) enum Moves {
    /// No other than this one, and when it is legal. What follows from it is in the code.
    One(Lit),
    /// The input of each, and when it is legal.
    Several(Vec<(u32, Lit)>),
}

impl PhaseCode {
    pub(super) fn new(ground: &GroundProgram, phase: &Phase) -> PhaseCode {
        let Formulas { network, legal, next, terminal, goals, .. } = ground.in_phase(phase);
        let moves: IdVec<RoleId, Moves> =
            ground.roles.ids().map(|role| moves_of(ground, phase, &legal, role)).collect();
        let legal = moves.iter().flat_map(Moves::legal);
        let state = Schedule::new(&network, legal.chain([terminal]), None);
        let successor = Schedule::new(&network, next.iter().copied(), Some(&state));
        let goal_lits: IdVec<RoleId, Vec<Lit>> =
            goals.iter().map(|goals| goals.iter().map(|(_, lit)| *lit).collect()).collect();
        let of_goals = Schedule::new(&network, goal_lits.iter().flatten().copied(), Some(&state));
        let mut next: Vec<(Lit, bool)> = next.iter().map(|&lit| (lit, false)).collect();
        ground.initial.iter().for_each(|fluent| next[fluent.index()].1 = true);
        let is_input = |lit: Lit| (1..=network.n_inputs()).contains(&lit.node());
        let from_inputs = (0..next.len()).filter(|&fluent| is_input(next[fluent].0));
        PhaseCode {
            state: Code::new(&network, &state),
            successor: Code::new(&network, &successor),
            goals: Code::new(&network, &of_goals),
            from_inputs: from_inputs.map(|n| u32::try_from(n).expect("32 bits")).collect(),
            n_nodes: network.n_nodes(),
            terminal,
            moves,
            goal_lits,
            next,
        }
    }

    /// How many words the code works on.
    pub(super) fn n_nodes(&self) -> usize {
        self.n_nodes
    }

    /// The next fluents become the fluents; those of the plays in `fresh` the initial ones.
    pub(super) fn move_on(&self, values: &mut [Word], fresh: Word, buffer: &mut Vec<Word>) {
        buffer.clear();
        let from_inputs = self.from_inputs.iter().map(|&fluent| self.next[fluent as usize]);
        buffer.extend(from_inputs.map(|next| next_word(values, next, fresh)));
        write_next(values, &self.next, fresh);
        for (&fluent, word) in self.from_inputs.iter().zip(&*buffer) {
            values[1 + fluent as usize] = *word;
        }
    }

    /// Puts the initial state into all plays.
    pub(super) fn start(&self, values: &mut [Word]) {
        for (value, &(_, is_initial)) in values[1..].iter_mut().zip(&self.next) {
            *value = if is_initial { Word::ALL } else { Word::NONE };
        }
    }
}

#[multiversion::multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn write_next(values: &mut [Word], next: &[(Lit, bool)], fresh: Word) {
    for (fluent, &next) in next.iter().enumerate() {
        values[1 + fluent] = next_word(values, next, fresh);
    }
}

/// The plays in which a fluent holds next, where those in `fresh` begin anew.
#[inline(always)]
fn next_word(values: &[Word], (lit, is_initial): (Lit, bool), fresh: Word) -> Word {
    let begins = if is_initial { fresh } else { Word::NONE };
    (word_of(values, lit) & !fresh) | begins
}

impl Moves {
    fn legal(&self) -> impl Iterator<Item = Lit> {
        let (one, several) = match self {
            Moves::One(legal) => (Some(*legal), &[][..]),
            Moves::Several(moves) => (None, moves.as_slice()),
        };
        one.into_iter().chain(several.iter().map(|(_, legal)| *legal))
    }
}

fn moves_of(
    ground: &GroundProgram,
    phase: &Phase,
    legal: &IdVec<ground::GroundMoveId, Lit>,
    role: RoleId,
) -> Moves {
    let input_of = |number: usize| ground.fluents.len() + number;
    let is_possible = |&number: &usize| phase.known[input_of(number)] != Some(false);
    let possible: Vec<usize> = ground.moves_of(role).filter(is_possible).collect();
    match possible.as_slice() {
        [only] if phase.known[input_of(*only)] == Some(true) => Moves::One(legal.as_slice()[*only]),
        _ => {
            let node = |number: usize| u32::try_from(1 + input_of(number)).expect("32 bits");
            Moves::Several(possible.into_iter().map(|n| (node(n), legal.as_slice()[n])).collect())
        }
    }
}

/// The plays in which `lit` holds.
#[inline(always)]
pub(super) fn word_of(values: &[Word], lit: Lit) -> Word {
    let value = values[lit.node()];
    if lit.is_negative() { !value } else { value }
}
