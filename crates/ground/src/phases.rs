//! What is known of a state from the number of joint moves before it alone.
//!
//! Where players take turns, whose turn it is repeats with every round. The rules are evaluated for
//! each of the first joint moves, round after round, with the values that each fluent may have:
//! always true, always false, or either. What stays known of a phase makes its formulas smaller.

use base::{Id, RoleId};

use crate::formulas::Formulas;
use crate::ground::GroundProgram;
use crate::network::{Kind, Lit, Network};

/// What is known of the inputs of the formulas after so many joint moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Phase {
    /// By input, fluents and then moves: its value, if that is known.
    pub known: Vec<Option<bool>>,
}

/// The values that something may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Range {
    can_hold: bool,
    must_hold: bool,
}

const OPEN: Range = Range { can_hold: true, must_hold: false };
const NEVER: Range = Range { can_hold: false, must_hold: false };
const ALWAYS: Range = Range { can_hold: true, must_hold: true };

impl std::ops::Not for Range {
    type Output = Range;

    fn not(self) -> Range {
        Range { can_hold: !self.must_hold, must_hold: !self.can_hold }
    }
}

impl Range {
    fn value(self) -> Option<bool> {
        (self.can_hold == self.must_hold).then_some(self.can_hold)
    }

    fn join(self, other: Range) -> Range {
        Range {
            can_hold: self.can_hold || other.can_hold,
            must_hold: self.must_hold && other.must_hold,
        }
    }
}

/// The phases of `ground`, as many as make its formulas smallest.
pub(crate) fn phases(ground: &GroundProgram) -> Vec<Phase> {
    /// More phases keep more plays waiting for the first: what a phase must save, in hundredths.
    const COST_OF_PHASE: usize = 3;
    let n_roles = ground.roles.len();
    let mut n_phases = vec![2, n_roles, 2 * n_roles];
    n_phases.retain(|&n| n > 1);
    n_phases.sort_unstable();
    n_phases.dedup();
    let network = &ground.formulas.network;
    let single = (vec![Phase { known: vec![None; network.n_inputs()] }], network.n_parts());
    let analysed = n_phases.into_iter().map(|n| Analysis::new(ground, n).run());
    let analysed = std::iter::once(single).chain(analysed);
    let best = analysed.min_by_key(|(phases, n_parts)| {
        n_parts / phases.len() * (100 + COST_OF_PHASE * (phases.len() - 1))
    });
    best.expect("there is a number of phases").0
}

struct Analysis<'a> {
    ground: &'a GroundProgram,
    /// By phase and fluent; `None` for a phase that was not reached.
    fluents: Vec<Option<Vec<Range>>>,
    /// By node, for one phase.
    values: Vec<Range>,
}

impl<'a> Analysis<'a> {
    fn new(ground: &'a GroundProgram, n_phases: usize) -> Analysis<'a> {
        let mut initial = vec![NEVER; ground.fluents.len()];
        for fluent in &ground.initial {
            initial[fluent.index()] = ALWAYS;
        }
        let mut fluents = vec![None; n_phases];
        fluents[0] = Some(initial);
        let mut values = vec![OPEN; ground.formulas.network.n_nodes()];
        values[0] = ALWAYS;
        Analysis { ground, fluents, values }
    }

    /// The phases, and the number of parts of nodes that are open in them, in all.
    fn run(mut self) -> (Vec<Phase>, usize) {
        /// After so many rounds all fluents are taken as open that are certain in no phase, such as
        /// those of counters, and all that become open later are so in every phase.
        const MAX_ROUNDS: usize = 3;
        let n_phases = self.fluents.len();
        let mut n_rounds = 0;
        loop {
            let mut has_changed = false;
            for phase in 0..n_phases {
                self.evaluate(phase);
                has_changed |= self.move_on((phase + 1) % n_phases, n_rounds >= MAX_ROUNDS);
            }
            if !has_changed {
                break;
            }
            n_rounds += 1;
            if n_rounds == MAX_ROUNDS {
                self.open_uncertain();
            }
        }
        let mut n_parts = 0;
        let network = &self.ground.formulas.network;
        let mut phases = Vec::new();
        for phase in 0..n_phases {
            self.evaluate(phase);
            let inputs = &self.values[1..=network.n_inputs()];
            phases.push(Phase { known: inputs.iter().map(|range| range.value()).collect() });
            let open = (0..network.n_nodes()).filter(|&node| self.values[node].value().is_none());
            n_parts += open.map(|node| network.parts(node).len()).sum::<usize>();
        }
        (phases, n_parts)
    }

    /// Takes those fluents as open in every phase that are certain to hold in none.
    fn open_uncertain(&mut self) {
        for fluent in 0..self.ground.fluents.len() {
            let is_certain = self.fluents.iter().flatten().any(|known| known[fluent] == ALWAYS);
            if !is_certain {
                self.fluents.iter_mut().flatten().for_each(|known| known[fluent] = OPEN);
            }
        }
    }

    /// Evaluates a phase: the state, then the moves that can be legal in it, then what follows.
    fn evaluate(&mut self, phase: usize) {
        let n_fluents = self.ground.fluents.len();
        let Formulas { network, legal, .. } = &self.ground.formulas;
        let fluents = self.fluents[phase].as_ref().expect("phases are reached in turn");
        self.values[1..=n_fluents].copy_from_slice(fluents);
        self.values[1 + n_fluents..1 + network.n_inputs()].fill(OPEN);
        evaluate(network, &mut self.values);
        for role in RoleId::first(self.ground.roles.len()) {
            let moves = self.ground.moves_of(role);
            let can_be_made = |&n: &usize| range_of(&self.values, legal.as_slice()[n]).can_hold;
            let possible: Vec<usize> = moves.clone().filter(can_be_made).collect();
            let first = 1 + n_fluents;
            self.values[first + moves.start..first + moves.end].fill(NEVER);
            let range = if possible.len() == 1 { ALWAYS } else { OPEN };
            possible.iter().for_each(|n| self.values[first + n] = range);
        }
        evaluate(network, &mut self.values);
    }

    /// Joins what follows with what is known of the next phase; whether that has changed.
    fn move_on(&mut self, to: usize, is_widening: bool) -> bool {
        let next = &self.ground.formulas.next;
        let following: Vec<Range> = next.iter().map(|&lit| range_of(&self.values, lit)).collect();
        let Some(known) = &self.fluents[to] else {
            self.fluents[to] = Some(following);
            return true;
        };
        let joined = known.iter().zip(&following).map(|(known, new)| known.join(*new));
        let joined: Vec<Range> = joined.collect();
        let changed = known.iter().zip(&joined).map(|(known, joined)| known != joined);
        let changed: Vec<bool> = changed.collect();
        self.fluents[to] = Some(joined);
        if is_widening {
            for known in self.fluents.iter_mut().flatten() {
                let changed = known.iter_mut().zip(&changed).filter(|(_, changed)| **changed);
                changed.for_each(|(known, _)| *known = OPEN);
            }
        }
        changed.contains(&true)
    }
}

fn range_of(values: &[Range], lit: Lit) -> Range {
    let range = values[lit.node()];
    if lit.is_negative() { !range } else { range }
}

/// Evaluates all nodes; `values` has those of the inputs.
fn evaluate(network: &Network, values: &mut [Range]) {
    network.evaluate(values, NEVER, |node, values| {
        let parts = network.parts(node).iter().map(|&part| range_of(values, part));
        match network.kind(node) {
            Kind::And => parts.fold(ALWAYS, |all, part| Range {
                can_hold: all.can_hold && part.can_hold,
                must_hold: all.must_hold && part.must_hold,
            }),
            _ => parts.fold(NEVER, |any, part| Range {
                can_hold: any.can_hold || part.can_hold,
                must_hold: any.must_hold || part.must_hold,
            }),
        }
    });
}
