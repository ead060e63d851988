//! Where the outputs of a circuit stand.

use base::{Id, IdVec, RoleId};
use game::MoveId;
use ground::{GroundProgram, Lit, Phase, PhaseLits};

/// The outputs of a phase, as words of bits.
#[derive(Debug)]
pub(super) struct Layout {
    /// The first words of the fluents that are kept, and of those that are gained.
    pub(super) kept: usize,
    pub(super) gained: usize,
    pub(super) moves: IdVec<RoleId, Moves>,
    pub(super) terminal: usize,
    /// By role: the bit of its first percept, and how many it may have.
    pub(super) percepts: IdVec<RoleId, (usize, usize)>,
    /// By role: the bit of its first goal, if goals are outputs.
    pub(super) goals: Option<IdVec<RoleId, usize>>,
}

/// The moves that may be legal for a role in a phase.
#[derive(Debug)]
pub(super) struct Moves {
    /// The word of the first, which are followed by those of the others.
    pub(super) first: usize,
    pub(super) n_words: usize,
    /// By bit of these words.
    pub(super) ids: Vec<MoveId>,
}

impl Layout {
    /// The layout of a phase, whose outputs are added to `outputs`.
    pub(super) fn new(
        ground: &GroundProgram,
        phase: &Phase,
        lits: &PhaseLits,
        outputs: &mut Vec<Lit>,
    ) -> Layout {
        let mut add = |lits: &[Lit]| {
            let first = outputs.len() / 64;
            outputs.extend_from_slice(lits);
            outputs.resize(outputs.len().next_multiple_of(64), Lit::FALSE);
            first
        };
        let kept = add(lits.kept.as_slice());
        let gained = add(lits.gained.as_slice());
        let moves_of = |role| {
            let is_possible =
                |&number: &usize| phase.known[ground.fluents.len() + number] != Some(false);
            let numbers: Vec<usize> = ground.moves_of(role).filter(is_possible).collect();
            let legal: Vec<Lit> = numbers.iter().map(|&n| lits.legal.as_slice()[n]).collect();
            let (first, n_words) = (add(&legal), legal.len().div_ceil(64));
            Moves { first, n_words, ids: numbers.into_iter().map(MoveId::from_index).collect() }
        };
        let moves = ground.roles.ids().map(moves_of).collect();
        let terminal = add(&[lits.terminal]);
        let (mut percept, goal) = (64 * add(&lits.percepts), 64 * add(&lits.goals));
        let percepts = ground.formulas.percepts.iter().map(|of_role| {
            percept += of_role.len();
            (percept - of_role.len(), of_role.len())
        });
        let percepts = percepts.collect();
        let mut next_goal = goal;
        let goals = ground.formulas.goals.iter().map(|of_role| {
            next_goal += of_role.len();
            next_goal - of_role.len()
        });
        let goals = (!lits.goals.is_empty()).then(|| goals.collect());
        Layout { kept, gained, moves, terminal, percepts, goals }
    }
}
