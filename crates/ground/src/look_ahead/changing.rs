//! Formulas of the next state, of which only what a move changes is composed anew.
//!
//! Most of what matters in a state is the same after any move. Where nodes have two parts each, what depends on a few
//! inputs is a few ways through the network, and the rest is shared by the formulas of all moves.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use super::composing::{Composing, Wanted, compose, lit_in, where_given};
use crate::network::{Kind, Lit, Network};

/// A formula of the next state.
pub(super) struct Changing {
    network: Network,
    wanted: Wanted,
    /// By node: the nodes that it is a part of.
    users: Vec<Vec<usize>>,
    /// By node: what it is in the state before the move.
    before: Vec<Lit>,
    /// By node: what it is after the move that is looked at.
    lits: Vec<Lit>,
}

impl Changing {
    /// That one of `lits` holds. `None` if formulas depend on each other, or take too many parts.
    pub(super) fn new(composing: &mut Composing, old: &Network, lits: &[Lit]) -> Option<Changing> {
        let (network, lit) = halved(old, lits)?;
        let wanted = Wanted::new(&network, vec![lit])?;
        let mut users = vec![Vec::new(); network.n_nodes()];
        for &node in &wanted.nodes {
            network.parts(node).iter().for_each(|part| users[part.node()].push(node));
        }
        let (inputs, given) = (composing.inputs.clone(), composing.given.clone());
        composing.copy(&network, &inputs, &wanted, &given)?;
        let before = composing.lits[..network.n_nodes()].to_vec();
        let lits = before.clone();
        Some(Changing { network, wanted, users, before, lits })
    }

    /// The fluents among `n_fluents` that it depends on.
    pub(super) fn fluents(&self, n_fluents: usize) -> Vec<usize> {
        self.wanted.fluents(n_fluents)
    }

    /// The formula where the inputs have become others, and `given` holds. `None` if it takes too many parts; then
    /// it is of no more use.
    pub(super) fn after(
        &mut self,
        composing: &mut Composing,
        inputs: &[Lit],
        given: &FxHashSet<Lit>,
    ) -> Option<Lit> {
        let of_inputs = self.wanted.nodes.iter().copied().take_while(|&node| node <= inputs.len());
        let is_other = |&node: &usize| inputs[node - 1] != composing.inputs[node - 1];
        // From the inputs up: a node is looked at after its parts.
        let mut open: BTreeSet<usize> = of_inputs.filter(is_other).collect();
        let mut changed = Vec::new();
        while let Some(node) = open.pop_first() {
            composing.look_at(1)?;
            let new = compose(&mut composing.new, &self.network, node, &self.lits, inputs);
            let new = where_given(new, given);
            if new != self.before[node] {
                self.lits[node] = new;
                changed.push(node);
                open.extend(&self.users[node]);
            }
        }
        let lit = lit_in(&self.lits, self.wanted.lits[0]);
        changed.into_iter().for_each(|node| self.lits[node] = self.before[node]);
        Some(lit)
    }
}

/// That one of `lits` holds, in a network whose nodes have two parts. `None` if formulas depend on each other.
fn halved(network: &Network, lits: &[Lit]) -> Option<(Network, Lit)> {
    let wanted = Wanted::new(network, lits.to_vec())?;
    let mut new = Network::new(network.n_inputs(), network.groups().to_vec());
    let mut halved = vec![Lit::TRUE; network.n_nodes()];
    for &node in &wanted.nodes {
        let parts = network.parts(node).iter();
        let parts: Vec<Lit> = parts.map(|&part| lit_in(&halved, part)).collect();
        halved[node] = match network.kind(node) {
            Kind::True => Lit::TRUE,
            Kind::Input => new.input(node - 1),
            kind => in_halves(&mut new, kind, &parts),
        };
    }
    let parts: Vec<Lit> = wanted.lits.iter().map(|&lit| lit_in(&halved, lit)).collect();
    let lit = in_halves(&mut new, Kind::Or, &parts);
    Some((new, lit))
}

/// A node of some parts, as a tree in which parts that stand near each other do so, too.
fn in_halves(network: &mut Network, kind: Kind, parts: &[Lit]) -> Lit {
    if let [one] = parts {
        return *one;
    }
    let (left, right) = parts.split_at(parts.len() / 2);
    let mut halves = vec![in_halves(network, kind, left), in_halves(network, kind, right)];
    match kind {
        Kind::And => network.and(&mut halves),
        _ => network.or(&mut halves),
    }
}
