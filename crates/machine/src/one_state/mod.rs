//! One state at a time, on circuits that follow the changes from state to state.

mod bits;
mod circuit;

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use base::{Id, IdVec, Rng, RoleId};
use game::{Game, Goal, MoveId, PerceptId, Unplayable};
use ground::{Formulas, GroundProgram, Lit};
use rand::RngExt as _;

use crate::schedule::Schedule;
pub use bits::BitState;
use bits::{has, n_ones, nth_one, ones};
use circuit::{Circuit, Values};

/// A game played on circuits, which remember the state that they were asked about last. A state
/// that differs little from that one costs little.
#[derive(Clone, Debug)]
pub struct OneState {
    program: Arc<Compiled>,
    /// By phase, and last the circuit for states that are of none: what it was asked about.
    running: Vec<Option<Running>>,
    /// The phase of the state that was asked about last.
    phase: usize,
    /// By node: whether it holds in the state whose goals were asked for last.
    goal_values: Vec<bool>,
    goals_of: Option<BitState>,
}

/// A ground program with its circuits.
#[derive(Debug)]
struct Compiled {
    ground: GroundProgram,
    phases: Vec<PhaseCircuit>,
    /// For states that are of no phase, which no play can reach.
    any: OnceLock<Circuit>,
    goals: Schedule,
    layout: Layout,
}

/// The circuit of the states that have some fluents in common.
#[derive(Debug)]
struct PhaseCircuit {
    /// Words of a state: which of their bits are known, and the values of these.
    known: Vec<(usize, u64, u64)>,
    circuit: Circuit,
}

/// Where the outputs of a circuit stand: words for the next fluents, for the legal moves, for the
/// end, for what is seen, and for the goals unless these would cost much.
#[derive(Debug)]
struct Layout {
    first_legal: usize,
    terminal: usize,
    first_percept: usize,
    /// By role: the numbers of its moves, and of what it may see.
    moves: IdVec<RoleId, Range<usize>>,
    percepts: IdVec<RoleId, Range<usize>>,
    /// Where the goals begin, one after the other, if they are outputs.
    goals: Option<usize>,
}

/// What a circuit was asked about last.
#[derive(Clone, Debug)]
struct Running {
    values: Values,
    state: BitState,
    joint_move: Vec<MoveId>,
}

impl OneState {
    /// The game of `ground`.
    pub fn new(ground: GroundProgram) -> OneState {
        let n_words = |n_bits: usize| n_bits.div_ceil(64);
        let first_legal = n_words(ground.fluents.len());
        let terminal = first_legal + n_words(ground.moves.len());
        let mut n_percepts = 0;
        let percepts = ground.formulas.percepts.iter().map(|of_role| {
            let first = n_percepts;
            n_percepts += of_role.len();
            first..n_percepts
        });
        let layout = Layout {
            first_legal,
            terminal,
            first_percept: terminal + 1,
            moves: ground.roles.ids().map(|role| ground.moves_of(role)).collect(),
            percepts: percepts.collect(),
            goals: has_cheap_goals(&ground.formulas).then(|| terminal + 1 + n_words(n_percepts)),
        };
        let phases = ground.phases.iter().map(|phase| PhaseCircuit {
            known: known_words(&phase.known[..ground.fluents.len()]),
            circuit: circuit(&ground.in_phase(phase), &layout),
        });
        let phases: Vec<PhaseCircuit> = phases.collect();
        let network = &ground.formulas.network;
        let goals = ground.formulas.goals.iter().flatten().map(|(_, lit)| *lit);
        let goals = Schedule::new(network, goals, None);
        let mut goal_values = vec![false; network.n_nodes()];
        goal_values[0] = true;
        let running = vec![None; phases.len() + 1];
        let any = OnceLock::new();
        let program = Compiled { ground, phases, any, goals, layout };
        OneState { program: program.into(), running, phase: 0, goal_values, goals_of: None }
    }

    /// The ground program.
    pub fn ground(&self) -> &GroundProgram {
        &self.program.ground
    }

    /// Brings the circuit of `state` up to date with it.
    fn evaluate(&mut self, state: &BitState) -> &mut Running {
        let is_current =
            |running: &Option<Running>| running.as_ref().is_some_and(|now| now.state == *state);
        if !is_current(&self.running[self.phase]) {
            self.phase = self.program.phase_of(state, self.phase + 1);
            self.follow(state);
        }
        self.running[self.phase].as_mut().expect("it was evaluated")
    }

    fn follow(&mut self, state: &BitState) {
        let circuit = self.program.circuit(self.phase);
        let running = self.running[self.phase].get_or_insert_with(|| Running {
            values: circuit.initial(),
            state: BitState::empty(self.program.ground.fluents.len()),
            joint_move: Vec::new(),
        });
        for (fluent, holds) in running.state.differences(state) {
            circuit.set_input(&mut running.values, fluent, holds);
        }
        circuit.settle(&mut running.values);
        running.state.set_words(state.words());
    }

    /// Brings the circuit up to date with what follows when the roles make their moves.
    fn evaluate_moves(&mut self, state: &BitState, joint_move: &[MoveId]) -> &mut Running {
        self.evaluate(state);
        let program = &self.program;
        let circuit = program.circuit(self.phase);
        let running = self.running[self.phase].as_mut().expect("it was evaluated");
        if running.joint_move != joint_move {
            let input = |id: &MoveId| program.ground.fluents.len() + id.index();
            for made in joint_move {
                circuit.set_input(&mut running.values, input(made), true);
            }
            for made in running.joint_move.iter().filter(|made| !joint_move.contains(made)) {
                circuit.set_input(&mut running.values, input(made), false);
            }
            circuit.settle(&mut running.values);
            running.joint_move.clear();
            running.joint_move.extend_from_slice(joint_move);
        }
        running
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

impl Compiled {
    /// The phase of a state: the one that comes after the last, most likely.
    fn phase_of(&self, state: &BitState, expected: usize) -> usize {
        let n_phases = self.phases.len();
        let in_order = (0..n_phases).map(|n| (expected + n) % n_phases);
        let fits = |&phase: &usize| {
            let known = self.phases[phase].known.iter();
            known.clone().all(|&(word, mask, value)| state.words()[word] & mask == value)
        };
        in_order.clone().find(fits).unwrap_or(n_phases)
    }

    fn circuit(&self, phase: usize) -> &Circuit {
        match self.phases.get(phase) {
            Some(phase) => &phase.circuit,
            None => self.any.get_or_init(|| circuit(&self.ground.formulas, &self.layout)),
        }
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

/// The words of a state of which something is known.
fn known_words(known: &[Option<bool>]) -> Vec<(usize, u64, u64)> {
    let of_word = |(number, known): (usize, &[Option<bool>])| {
        let mut word = (number, 0, 0);
        for (bit, value) in known.iter().enumerate() {
            word.1 |= u64::from(value.is_some()) << bit;
            word.2 |= u64::from(*value == Some(true)) << bit;
        }
        word
    };
    let words = known.chunks(64).enumerate().map(of_word);
    words.filter(|(_, mask, _)| *mask != 0).collect()
}

/// The circuit of formulas, with its outputs where [`Layout`] says.
fn circuit(formulas: &Formulas, layout: &Layout) -> Circuit {
    let mut outputs: Vec<Lit> = Vec::new();
    let mut add = |lits: &mut dyn Iterator<Item = Lit>| {
        outputs.extend(lits);
        outputs.resize(outputs.len().next_multiple_of(64), Lit::FALSE);
    };
    add(&mut formulas.next.iter().copied());
    add(&mut formulas.legal.iter().copied());
    add(&mut std::iter::once(formulas.terminal));
    add(&mut formulas.percepts.iter().flatten().map(|(_, lit)| *lit));
    if layout.goals.is_some() {
        add(&mut formulas.goals.iter().flatten().map(|(_, lit)| *lit));
    }
    Circuit::new(&formulas.network, &outputs)
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
        let word = self.program.layout.terminal;
        self.evaluate(state).values.outputs()[word] != 0
    }

    fn legal_moves(&mut self, state: &BitState, role: RoleId, out: &mut Vec<MoveId>) {
        let Layout { first_legal, moves, .. } = &self.program.layout;
        let (first, moves) = (*first_legal, moves[role].clone());
        let words = &self.evaluate(state).values.outputs()[first..];
        out.clear();
        out.extend(ones(words, moves).map(MoveId::from_index));
    }

    fn random_move(&mut self, state: &BitState, role: RoleId, rng: &mut Rng) -> Option<MoveId> {
        let Layout { first_legal, moves, .. } = &self.program.layout;
        let (first, moves) = (*first_legal, moves[role].clone());
        let words = &self.evaluate(state).values.outputs()[first..];
        let n_legal = n_ones(words, moves.clone());
        let number = match n_legal {
            0 => return None,
            1 => 0,
            _ => rng.random_range(0..n_legal),
        };
        Some(MoveId::from_index(nth_one(words, moves, number)))
    }

    fn next(&mut self, state: &BitState, joint_move: &[MoveId]) -> BitState {
        let n_words = self.program.layout.first_legal;
        BitState::from_words(&self.evaluate_moves(state, joint_move).values.outputs()[..n_words])
    }

    fn advance(&mut self, state: &mut BitState, joint_move: &[MoveId]) {
        let n_words = self.program.layout.first_legal;
        let outputs = self.evaluate_moves(state, joint_move).values.outputs();
        state.set_words(&outputs[..n_words]);
    }

    fn percepts(
        &mut self,
        state: &BitState,
        joint_move: &[MoveId],
        role: RoleId,
        out: &mut Vec<PerceptId>,
    ) {
        let Layout { first_percept, percepts, .. } = &self.program.layout;
        let (word, of_role) = (*first_percept, percepts[role].clone());
        let words = &self.evaluate_moves(state, joint_move).values.outputs()[word..];
        out.clear();
        out.extend(ones(words, of_role).map(PerceptId::from_index));
    }

    fn goal(&mut self, state: &BitState, role: RoleId) -> Result<Goal, Unplayable> {
        let goals_before = RoleId::first(role.index());
        let program = self.program.clone();
        let goals = &program.ground.formulas.goals;
        let first: usize = goals_before.map(|role| goals[role].len()).sum();
        let holds: Vec<bool> = match program.layout.goals {
            Some(word) => {
                let words = &self.evaluate(state).values.outputs()[word..];
                (first..first + goals[role].len()).map(|n| has(words, n)).collect()
            }
            None => {
                self.evaluate_goals(state);
                let holds = |lit: Lit| self.goal_values[lit.node()] != lit.is_negative();
                goals[role].iter().map(|(_, lit)| holds(*lit)).collect()
            }
        };
        let values = goals[role].iter().zip(holds).filter(|(_, holds)| *holds);
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
        let fluents = self.program.ground.fluents.as_slice();
        let holding = (0..fluents.len()).filter(|&fluent| state.holds(fluent));
        let mut texts: Vec<String> = holding.map(|fluent| fluents[fluent].clone()).collect();
        texts.sort();
        texts
    }
}
