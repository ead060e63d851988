//! One state at a time, on the network of a ground program.

use base::{Id, IdVec, RoleId};
use game::{Game, Goal, MoveId, PerceptId, Unplayable};
use ground::{GroundProgram, Lit};

use crate::schedule::Schedule;

/// A game played by evaluating its network for one state.
#[derive(Clone, Debug)]
pub struct OneState {
    program: std::sync::Arc<Compiled>,
    /// By node: whether it holds in the state that was evaluated last.
    values: Vec<bool>,
    /// The state that `values` is up to date with.
    evaluated: Option<BitState>,
}

/// The fluents that hold, as bits.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct BitState(Box<[u64]>);

/// A ground program with its orders of evaluation.
#[derive(Debug)]
struct Compiled {
    ground: GroundProgram,
    state: Schedule,
    successor: Schedule,
    /// By role: the number of its first percept.
    first_percepts: IdVec<RoleId, usize>,
}

impl OneState {
    /// The game of `ground`.
    pub fn new(ground: GroundProgram) -> OneState {
        let goals = ground.formulas.goals.iter().flatten().map(|(_, lit)| *lit);
        let wanted =
            ground.formulas.legal.iter().copied().chain([ground.formulas.terminal]).chain(goals);
        let state = Schedule::new(&ground.formulas.network, wanted, None);
        let percepts = ground.formulas.percepts.iter().flatten().map(|(_, lit)| *lit);
        let wanted = ground.formulas.next.iter().copied().chain(percepts);
        let successor = Schedule::new(&ground.formulas.network, wanted, Some(&state));
        let mut n_percepts = 0;
        let first_percepts = ground.formulas.percepts.iter().map(|of_role| {
            let first = n_percepts;
            n_percepts += of_role.len();
            first
        });
        let compiled =
            Compiled { first_percepts: first_percepts.collect(), state, successor, ground };
        let mut values = vec![false; compiled.ground.formulas.network.n_nodes()];
        values[0] = true;
        OneState { program: compiled.into(), values, evaluated: None }
    }

    /// The ground program.
    pub fn ground(&self) -> &GroundProgram {
        &self.program.ground
    }

    /// Brings the values up to date with `state`.
    fn evaluate(&mut self, state: &BitState) {
        if self.evaluated.as_ref() == Some(state) {
            return;
        }
        for fluent in 0..self.program.ground.fluents.len() {
            self.values[1 + fluent] = state.holds(fluent);
        }
        self.program.state.run(&self.program.ground.formulas.network, &mut self.values);
        self.evaluated = Some(state.clone());
    }

    /// Brings the values up to date with what follows when the roles make their moves.
    fn evaluate_moves(&mut self, state: &BitState, joint_move: &[MoveId]) {
        self.evaluate(state);
        let n_fluents = self.program.ground.fluents.len();
        let n_moves = self.program.ground.moves.len();
        self.values[1 + n_fluents..1 + n_fluents + n_moves].fill(false);
        for move_id in joint_move {
            self.values[1 + n_fluents + move_id.index()] = true;
        }
        self.program.successor.run(&self.program.ground.formulas.network, &mut self.values);
    }

    fn holds(&self, lit: Lit) -> bool {
        self.values[lit.node()] != lit.is_negative()
    }
}

impl Game for OneState {
    type State = BitState;

    fn roles(&self) -> &[String] {
        self.program.ground.roles.as_slice()
    }

    fn random(&self) -> Option<RoleId> {
        self.program.ground.random
    }

    fn initial(&self) -> BitState {
        let mut state = BitState::empty(self.program.ground.fluents.len());
        for fluent in &self.program.ground.initial {
            state.set(fluent.index());
        }
        state
    }

    fn is_terminal(&mut self, state: &BitState) -> bool {
        self.evaluate(state);
        self.holds(self.program.ground.formulas.terminal)
    }

    fn legal_moves(&mut self, state: &BitState, role: RoleId, out: &mut Vec<MoveId>) {
        self.evaluate(state);
        out.clear();
        let legal = self.program.ground.formulas.legal.as_slice();
        let moves = self.program.ground.moves_of(role);
        out.extend(moves.filter(|&n| self.holds(legal[n])).map(MoveId::from_index));
    }

    fn next(&mut self, state: &BitState, joint_move: &[MoveId]) -> BitState {
        self.evaluate_moves(state, joint_move);
        let mut next = BitState::empty(self.program.ground.fluents.len());
        for (fluent, &lit) in self.program.ground.formulas.next.iter().enumerate() {
            if self.holds(lit) {
                next.set(fluent);
            }
        }
        next
    }

    fn percepts(
        &mut self,
        state: &BitState,
        joint_move: &[MoveId],
        role: RoleId,
        out: &mut Vec<PerceptId>,
    ) {
        self.evaluate_moves(state, joint_move);
        out.clear();
        let first = self.program.first_percepts[role];
        let percepts = self.program.ground.formulas.percepts[role].iter().enumerate();
        let seen = percepts.filter(|(_, (_, lit))| self.holds(*lit));
        out.extend(seen.map(|(n, _)| PerceptId::from_index(first + n)));
    }

    fn goal(&mut self, state: &BitState, role: RoleId) -> Result<Goal, Unplayable> {
        self.evaluate(state);
        let goals = self.program.ground.formulas.goals[role].iter();
        let values: Vec<String> =
            goals.filter(|(_, lit)| self.holds(*lit)).map(|(value, _)| value.clone()).collect();
        Goal::only(&self.program.ground.roles[role], values, || self.state_text(state))
    }

    fn move_text(&self, move_id: MoveId) -> String {
        self.program.ground.moves.as_slice()[move_id.index()].1.clone()
    }

    fn percept_text(&self, percept: PerceptId) -> String {
        let mut percepts = self.program.ground.formulas.percepts.iter().flatten();
        percepts.nth(percept.index()).expect("percepts are of this game").0.clone()
    }

    fn state_text(&self, state: &BitState) -> Vec<String> {
        let fluents = self.program.ground.fluents.as_slice();
        let holding = (0..fluents.len()).filter(|&fluent| state.holds(fluent));
        let mut texts: Vec<String> = holding.map(|fluent| fluents[fluent].clone()).collect();
        texts.sort();
        texts
    }
}

impl BitState {
    fn empty(n_fluents: usize) -> BitState {
        BitState(vec![0; n_fluents.div_ceil(64)].into())
    }

    fn holds(&self, fluent: usize) -> bool {
        self.0[fluent / 64] >> (fluent % 64) & 1 == 1
    }

    fn set(&mut self, fluent: usize) {
        self.0[fluent / 64] |= 1 << (fluent % 64);
    }
}
