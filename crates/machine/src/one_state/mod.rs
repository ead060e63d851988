//! One state at a time, on a circuit that follows the changes from state to state.

mod circuit;
mod keys;
mod layout;
mod memory;
mod state;

use std::sync::Arc;

use base::bits::{has, ones};
use base::{Id, Rng, RoleId};
use game::{Game, Goal, MoveId, PerceptId, Unplayable};
use ground::{AllPhases, Formulas, GroundProgram, Lit};
use rand::RngExt as _;

use crate::bits::{n_ones, nth_one};
use crate::phases::KnownWords;
use crate::schedule::Schedule;
use circuit::Circuit;
use layout::{Layout, Moves};
use memory::{Keys, Memories};
pub use state::BitState;

/// A game played on a circuit, which remembers the states that it was asked about last. A state that
/// differs little from one of those costs little.
#[derive(Clone, Debug)]
pub struct OneState {
    program: Arc<Compiled>,
    memories: Memories,
    /// The phase of the state that was asked about last.
    phase: usize,
    /// The words of a next state.
    next: Vec<u64>,
    /// By node: whether it holds in the state whose goals were asked for last.
    goal_values: Vec<bool>,
    goals_of: Option<BitState>,
    links_a_step: f64,
}

/// A ground program with its circuit.
#[derive(Debug)]
struct Compiled {
    ground: GroundProgram,
    circuit: Circuit,
    phases: KnownWords,
    goals: Schedule,
    /// By phase: where its outputs stand.
    layouts: Vec<Layout>,
}

impl OneState {
    /// The game of `ground`.
    pub fn new(ground: GroundProgram) -> OneState {
        let has_goals = has_cheap_goals(&ground.formulas);
        let AllPhases { network, phases } = ground.all_phases(has_goals);
        let mut outputs: Vec<Lit> = Vec::new();
        let layout = |(phase, lits)| Layout::new(&ground, phase, lits, &mut outputs);
        let layouts = ground.phases.iter().zip(&phases).map(layout).collect();
        let circuit = Circuit::new(&network, &outputs);
        let goals = ground.formulas.goals.iter().flatten().map(|(_, lit)| *lit);
        let mut goal_values = vec![false; ground.formulas.network.n_nodes()];
        goal_values[0] = true;
        let program = Compiled {
            phases: KnownWords::new(&ground),
            goals: Schedule::new(&ground.formulas.network, goals, None),
            circuit,
            layouts,
            ground,
        };
        let mut machine = OneState {
            program: program.into(),
            memories: Memories::new(Keys::new()),
            phase: 0,
            next: Vec::new(),
            goal_values,
            goals_of: None,
            links_a_step: 0.0,
        };
        let (keys, links_a_step) = keys::best(&machine);
        machine.memories = Memories::new(keys);
        machine.links_a_step = links_a_step;
        machine
    }

    /// What a step of a random play costs: how many parts of formulas are told of a change.
    pub(crate) fn links_a_step(&self) -> f64 {
        self.links_a_step
    }

    /// The ground program.
    pub fn ground(&self) -> &GroundProgram {
        &self.program.ground
    }

    /// The outputs for `state`, those that depend on moves after the moves made last.
    fn evaluate(&mut self, state: &BitState) -> (&[u64], &Layout) {
        if !self.memories.are_at(state) {
            self.memories.go_to(&self.program.circuit, state);
            self.phase = self.program.phases.phase_of(state, self.phase + 1);
        }
        self.outputs()
    }

    /// The outputs of the circuit, and where those of the phase stand.
    fn outputs(&self) -> (&[u64], &Layout) {
        let outputs = self.program.circuit.outputs(self.memories.values());
        (outputs, &self.program.layouts[self.phase])
    }

    /// The outputs for `state` when the roles make their moves.
    fn evaluate_moves(&mut self, state: &BitState, joint_move: &[MoveId]) -> (&[u64], &Layout) {
        self.evaluate(state);
        let n_fluents = self.program.ground.fluents.len();
        self.memories.make(&self.program.circuit, joint_move, n_fluents);
        self.outputs()
    }

    /// The words of the next state.
    fn next_words(&mut self, state: &BitState, joint_move: &[MoveId]) -> impl Iterator<Item = u64> {
        let (outputs, layout) = self.evaluate_moves(state, joint_move);
        let (kept, gained) = (&outputs[layout.kept..], &outputs[layout.gained..]);
        let changes = state.words().iter().zip(kept).zip(gained);
        changes.map(|((word, kept), gained)| word & kept | !word & gained)
    }

    /// Brings the values of the goals up to date.
    fn evaluate_goals(&mut self, state: &BitState) {
        if self.goals_of.as_ref() == Some(state) {
            return;
        }
        let ground = &self.program.ground;
        for (fluent, value) in self.goal_values[1..=ground.fluents.len()].iter_mut().enumerate() {
            *value = state.holds(fluent);
        }
        self.program.goals.run(&ground.formulas.network, &mut self.goal_values);
        self.goals_of = Some(state.clone());
    }
}

/// Whether goals cost little beside all else, so that they may follow every change.
fn has_cheap_goals(formulas: &Formulas) -> bool {
    let Formulas { network, legal, next, terminal, goals, .. } = formulas;
    let wanted = legal.iter().chain(next.iter()).copied().chain([*terminal]);
    let all_else = Schedule::new(network, wanted, None);
    let goals = goals.iter().flatten().map(|(_, lit)| *lit);
    let goals = Schedule::new(network, goals, Some(&all_else));
    8 * goals.n_parts(network) <= all_else.n_parts(network)
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
        let (outputs, layout) = self.evaluate(state);
        outputs[layout.terminal] != 0
    }

    fn legal_moves(&mut self, state: &BitState, role: RoleId, out: &mut Vec<MoveId>) {
        let (outputs, layout) = self.evaluate(state);
        let Moves { first, n_words, ids } = &layout.moves[role];
        out.clear();
        out.extend(ones(&outputs[*first..first + n_words]).map(|bit| ids[bit]));
    }

    fn random_move(&mut self, state: &BitState, role: RoleId, rng: &mut Rng) -> Option<MoveId> {
        let (outputs, layout) = self.evaluate(state);
        let Moves { first, n_words, ids } = &layout.moves[role];
        let words = &outputs[*first..first + n_words];
        let n_legal = n_ones(words);
        let number = match n_legal {
            0 => return None,
            1 => 0,
            _ => rng.random_range(0..n_legal),
        };
        Some(ids[nth_one(words, number)])
    }

    fn next(&mut self, state: &BitState, joint_move: &[MoveId]) -> BitState {
        BitState::from_words(self.next_words(state, joint_move))
    }

    fn advance(&mut self, state: &mut BitState, joint_move: &[MoveId]) {
        let mut next = std::mem::take(&mut self.next);
        next.clear();
        next.extend(self.next_words(state, joint_move));
        state.set_words(&next);
        self.next = next;
    }

    fn percepts(
        &mut self,
        state: &BitState,
        joint_move: &[MoveId],
        role: RoleId,
        out: &mut Vec<PerceptId>,
    ) {
        let before: usize =
            self.program.ground.formulas.percepts.iter().take(role.index()).map(Vec::len).sum();
        let (outputs, layout) = self.evaluate_moves(state, joint_move);
        let (bit, n_percepts) = layout.percepts[role];
        out.clear();
        out.extend(
            (0..n_percepts)
                .filter(|n| has(outputs, bit + n))
                .map(|n| PerceptId::from_index(before + n)),
        );
    }

    fn goal(&mut self, state: &BitState, role: RoleId) -> Result<Goal, Unplayable> {
        let program = self.program.clone();
        let goals = &program.ground.formulas.goals[role];
        let (outputs, layout) = self.evaluate(state);
        let holds: Vec<bool> = match &layout.goals {
            Some(first) => (0..goals.len()).map(|n| has(outputs, first[role] + n)).collect(),
            None => {
                self.evaluate_goals(state);
                let holds = |lit: Lit| self.goal_values[lit.node()] != lit.is_negative();
                goals.iter().map(|(_, lit)| holds(*lit)).collect()
            }
        };
        let values = goals.iter().zip(holds).filter(|(_, holds)| *holds);
        let values = values.map(|((value, _), _)| value.clone()).collect();
        Goal::only(&program.ground.roles[role], values, || self.state_text(state))
    }

    fn move_text(&self, move_id: MoveId) -> String {
        self.program.ground.moves.as_slice()[move_id.index()].1.clone()
    }

    fn percept_text(&self, percept: PerceptId) -> String {
        let mut percepts = self.program.ground.formulas.percepts.iter().flatten();
        percepts.nth(percept.index()).expect("percepts are of this game").0.clone()
    }

    fn state_text(&self, state: &BitState) -> Vec<String> {
        self.program.ground.state_text(|fluent| state.holds(fluent))
    }
}
