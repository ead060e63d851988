//! The formulas of all phases in one network.
//!
//! Phases have much in common: whether a path is free does not depend on whose turn it is. Who looks
//! at one state after the other evaluates that once. The next fluents come as changes: whether a
//! fluent that holds is kept, and whether one that does not is gained. Most fluents stay as they are
//! through most moves, and these formulas do not depend on them.

use base::{Id, IdVec};

use crate::ground::{FluentId, GroundMoveId, GroundProgram};
use crate::network::{Kind, Lit, Network};
use crate::share::share;

/// The formulas of all phases.
#[derive(Clone, Debug)]
pub struct AllPhases {
    /// The network of all.
    pub network: Network,
    /// The formulas of each phase.
    pub phases: Vec<PhaseLits>,
}

/// The formulas of a phase.
#[derive(Clone, Debug)]
pub struct PhaseLits {
    /// When each move is legal.
    pub legal: IdVec<GroundMoveId, Lit>,
    /// When each fluent that holds will hold next.
    pub kept: IdVec<FluentId, Lit>,
    /// When each fluent that does not hold will hold next.
    pub gained: IdVec<FluentId, Lit>,
    /// When the game has ended.
    pub terminal: Lit,
    /// The goals of the roles, one after the other.
    pub goals: Vec<Lit>,
    /// The percepts of the roles, one after the other.
    pub percepts: Vec<Lit>,
}

impl GroundProgram {
    /// The formulas of all phases in one network; the goals only if asked for.
    pub fn all_phases(&self, has_goals: bool) -> AllPhases {
        let base = &self.formulas.network;
        let mut network = Network::new(base.n_inputs(), base.groups().to_vec());
        let mut phases = Vec::new();
        for phase in &self.phases {
            let formulas = self.formulas.given_in(network, &phase.known);
            let mut lits = PhaseLits {
                legal: formulas.legal,
                kept: formulas.next.clone(),
                gained: formulas.next,
                terminal: formulas.terminal,
                goals: formulas.goals.iter().flatten().map(|(_, lit)| *lit).collect(),
                percepts: formulas.percepts.iter().flatten().map(|(_, lit)| *lit).collect(),
            };
            network = formulas.network;
            if !has_goals {
                lits.goals.clear();
            }
            let set_fluent = |network: &mut Network, id: FluentId, next: Lit, value: bool| {
                let fluent = network.input(id.index());
                given_fluent(network, next, fluent, value, MAX_DEPTH)
            };
            for id in self.fluents.ids() {
                lits.kept[id] = set_fluent(&mut network, id, lits.kept[id], true);
                lits.gained[id] = set_fluent(&mut network, id, lits.gained[id], false);
            }
            phases.push(lits);
        }
        let sharing = share(&network, phases.iter().flat_map(PhaseLits::lits));
        let phases = phases.iter().map(|lits| lits.map(|lit| sharing.lit(lit))).collect();
        AllPhases { phases, network: sharing.new }
    }
}

impl PhaseLits {
    fn lits(&self) -> impl Iterator<Item = Lit> {
        let of_fluents = self.kept.iter().chain(self.gained.iter());
        let others = self.goals.iter().chain(&self.percepts).chain([&self.terminal]);
        self.legal.iter().chain(of_fluents).chain(others).copied()
    }

    fn map(&self, map: impl Fn(Lit) -> Lit) -> PhaseLits {
        PhaseLits {
            legal: self.legal.iter().map(|&lit| map(lit)).collect(),
            kept: self.kept.iter().map(|&lit| map(lit)).collect(),
            gained: self.gained.iter().map(|&lit| map(lit)).collect(),
            terminal: map(self.terminal),
            goals: self.goals.iter().map(|&lit| map(lit)).collect(),
            percepts: self.percepts.iter().map(|&lit| map(lit)).collect(),
        }
    }
}

/// How deep a fluent is looked for: a rule that keeps it names it as a condition of its own.
const MAX_DEPTH: usize = 2;

/// What `lit` means where `fluent` has the given value, as far as it is found near the top.
fn given_fluent(network: &mut Network, lit: Lit, fluent: Lit, value: bool, depth: usize) -> Lit {
    let constant = |holds: bool| if holds { Lit::TRUE } else { Lit::FALSE };
    if lit.node() == fluent.node() {
        return constant(value != lit.is_negative());
    }
    let kind = network.kind(lit.node());
    if depth == 0 || matches!(kind, Kind::Input | Kind::True) {
        return lit;
    }
    let old = network.parts(lit.node()).to_vec();
    let mut new: Vec<Lit> =
        old.iter().map(|&part| given_fluent(network, part, fluent, value, depth - 1)).collect();
    if new == old || network.recursion_of(lit.node()).is_some() {
        return lit;
    }
    let changed = match kind {
        Kind::And => network.and(&mut new),
        _ => network.or(&mut new),
    };
    if lit.is_negative() { !changed } else { changed }
}
