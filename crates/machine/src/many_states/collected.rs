//! Final states put aside until there are enough to find their goals together.

use base::{IdVec, RoleId};
use ground::{GroundProgram, Lit};

use super::code::Code;
use super::word::{N_LANES, Word};
use crate::schedule::Schedule;

/// Where goals are costly and few plays end with each joint move, final states are put aside until
/// there is one in every place.
#[derive(Clone, Debug)]
pub(super) struct Collected {
    code: Code,
    /// By node: the states in which it holds.
    pub(super) values: Vec<Word>,
    n_states: usize,
    n_fluents: usize,
    pub(super) goal_lits: IdVec<RoleId, Vec<Lit>>,
}

impl Collected {
    pub(super) fn new(ground: &GroundProgram) -> Collected {
        let formulas = &ground.formulas;
        let lits = formulas.goals.iter().map(|goals| goals.iter().map(|(_, lit)| *lit).collect());
        let goal_lits: IdVec<RoleId, Vec<Lit>> = lits.collect();
        let wanted = goal_lits.iter().flatten().copied();
        let code = Code::new(&formulas.network, &Schedule::new(&formulas.network, wanted, None));
        let mut values = vec![Word::NONE; formulas.network.n_nodes()];
        values[0] = Word::ALL;
        Collected { code, values, n_states: 0, n_fluents: ground.fluents.len(), goal_lits }
    }

    /// Forgets the states.
    pub(super) fn clear(&mut self) {
        self.n_states = 0;
    }

    /// Whether there is one in every place.
    pub(super) fn is_full(&self) -> bool {
        self.n_states == N_LANES
    }

    /// Puts the state of a play aside; there is room for it.
    pub(super) fn add(&mut self, from: &[Word], lane: usize) {
        let fluents = 1..=self.n_fluents;
        for (from, to) in from[fluents.clone()].iter().zip(&mut self.values[fluents]) {
            to.set(self.n_states, from.has(lane));
        }
        self.n_states += 1;
    }

    /// Finds the goals of the states, and forgets these; returns their places.
    pub(super) fn evaluate(&mut self) -> Word {
        let lanes = Word::first(self.n_states);
        self.n_states = 0;
        self.code.run(&mut self.values);
        lanes
    }
}
