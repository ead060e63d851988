//! Common parts of nodes made nodes of their own.
//!
//! Where two conjunctions, or two disjunctions, have parts in common, these become a node that both
//! refer to, if that saves more than it costs. The search is greedy: for each node, the node that it
//! has most in common with.

use std::collections::VecDeque;
use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::network::{Kind, Lit, Network};

/// What it costs to store a node, in parts.
const COST_OF_NODE: usize = 1;
/// Parts that stand in more nodes than this do not count in the search: too many would be looked at.
const MAX_USES: usize = 200;

/// The nodes of one kind that take part: all that are in no recursion.
struct Gates {
    /// By gate: its parts, ascending.
    parts: Vec<Vec<Lit>>,
    /// By part: the gates that have it, or had it once.
    uses: FxHashMap<Lit, Vec<u32>>,
    /// By gate: how many parts it has in common with the gate that is looked at.
    n_common: Vec<u32>,
}

/// The parts of nodes after common ones were taken out.
struct Shared {
    /// By node: its parts. Those that were added stand behind the others.
    parts: Vec<Vec<Lit>>,
    /// The kinds of the nodes that were added.
    added: Vec<Kind>,
}

/// A network that means the same with common parts taken out, and what each of `wanted` has become.
pub(crate) fn share(network: &Network, wanted: impl Iterator<Item = Lit>) -> Sharing<'_> {
    let mut shared = Shared {
        parts: (0..network.n_nodes()).map(|node| network.parts(node).to_vec()).collect(),
        added: Vec::new(),
    };
    for kind in [Kind::And, Kind::Or] {
        share_kind(network, kind, &mut shared);
    }
    let mut lits = vec![None; shared.parts.len()];
    lits[0] = Some(Lit::TRUE);
    for number in 0..network.n_inputs() {
        lits[1 + number] = Some(network.input(number));
    }
    let new = Network::new(network.n_inputs(), network.groups().to_vec());
    let mut sharing = Sharing { old: network, shared, new, lits };
    wanted.for_each(|lit| sharing.copy(lit.node()));
    sharing
}

fn share_kind(network: &Network, kind: Kind, shared: &mut Shared) {
    let takes_part =
        |&node: &usize| network.kind(node) == kind && network.recursion_of(node).is_none();
    let mut nodes: Vec<usize> = (0..network.n_nodes()).filter(takes_part).collect();
    let mut gates = Gates {
        parts: nodes.iter().map(|&node| sorted(&shared.parts[node])).collect(),
        uses: FxHashMap::default(),
        n_common: vec![0; nodes.len()],
    };
    for gate in 0..nodes.len() {
        gates.add_uses(gate);
    }
    // The widest first: what they have in common saves most. What was taken out comes behind, since
    // it may have parts in common, too.
    let mut order: Vec<usize> = (0..nodes.len()).collect();
    order.sort_by_key(|&gate| std::cmp::Reverse(gates.parts[gate].len()));
    let mut open = VecDeque::from(order);
    while let Some(gate) = open.pop_front() {
        while let Some(common) = gates.best_common(gate) {
            let users = gates.users_of(&common);
            let whole = users.iter().copied().find(|&user| gates.parts[user] == common);
            let taken = whole.unwrap_or_else(|| {
                nodes.push(network.n_nodes() + shared.added.len());
                shared.added.push(kind);
                open.push_back(gates.parts.len());
                gates.push(common.clone())
            });
            let lit = Lit::of_node(nodes[taken]);
            users.iter().filter(|&&user| user != taken).for_each(|&user| {
                gates.replace(user, &common, lit);
            });
        }
    }
    shared.parts.resize(network.n_nodes() + shared.added.len(), Vec::new());
    for (&node, parts) in nodes.iter().zip(gates.parts) {
        shared.parts[node] = parts;
    }
}

/// A copy under way of a network with its common parts taken out.
pub(crate) struct Sharing<'a> {
    old: &'a Network,
    shared: Shared,
    pub(crate) new: Network,
    /// By old or added node: what it has become.
    lits: Vec<Option<Lit>>,
}

impl Sharing<'_> {
    /// What an old formula has become; it was copied before.
    pub(crate) fn lit(&self, old: Lit) -> Lit {
        let new = self.lits[old.node()].expect("it was copied");
        if old.is_negative() { !new } else { new }
    }

    /// Copies a node after all that it needs.
    fn copy(&mut self, node: usize) {
        let mut open = vec![node];
        while let Some(&node) = open.last() {
            if self.lits[node].is_some() {
                open.pop();
                continue;
            }
            let unit = self.unit_of(node);
            let parts = unit.clone().flat_map(|member| &self.shared.parts[member]);
            let outside = parts.map(|part| part.node()).filter(|part| !unit.contains(part));
            let n_before = open.len();
            open.extend(outside.filter(|&part| self.lits[part].is_none()));
            if open.len() == n_before {
                open.pop();
                self.copy_unit(&unit);
            }
        }
    }

    /// The recursion that a node is in, or it alone.
    fn unit_of(&self, node: usize) -> Range<usize> {
        let recursion = self.old.recursion_of(node).map(|n| self.old.recursions()[n].clone());
        recursion.unwrap_or(node..node + 1)
    }

    fn copy_unit(&mut self, unit: &Range<usize>) {
        let refers_to_later = |&node: &usize| {
            let parts = self.shared.parts[node].iter().map(|part| part.node());
            parts.filter(|part| unit.contains(part)).any(|part| part >= node)
        };
        let early: Vec<usize> = unit.clone().filter(refers_to_later).collect();
        if early.is_empty() {
            unit.clone().for_each(|node| self.copy_alone(node));
            return;
        }
        let new = self.new.begin_recursion(early.len());
        for (&node, &lit) in early.iter().zip(&new) {
            self.lits[node] = Some(lit);
        }
        for node in unit.clone() {
            if self.lits[node].is_none() {
                self.copy_alone(node);
            }
        }
        for (&node, &lit) in early.iter().zip(&new) {
            let mut parts = self.new_parts(node);
            self.new.set_parts(lit, &mut parts);
        }
        self.new.end_recursion();
    }

    fn copy_alone(&mut self, node: usize) {
        let n_old = self.old.n_nodes();
        let kind = if node < n_old { self.old.kind(node) } else { self.shared.added[node - n_old] };
        let mut parts = self.new_parts(node);
        parts.sort_unstable_by_key(|part| (part.is_negative(), *part));
        // Two nodes may have become the same by what was taken out of them.
        parts.dedup();
        self.lits[node] = Some(self.new.node(kind, &parts));
    }

    fn new_parts(&self, node: usize) -> Vec<Lit> {
        self.shared.parts[node].iter().map(|&part| self.lit(part)).collect()
    }
}

impl Gates {
    fn add_uses(&mut self, gate: usize) {
        let number = u32::try_from(gate).expect("fewer than 2^32 gates");
        for &part in &self.parts[gate] {
            self.uses.entry(part).or_default().push(number);
        }
    }

    fn push(&mut self, parts: Vec<Lit>) -> usize {
        self.parts.push(parts);
        self.n_common.push(0);
        self.add_uses(self.parts.len() - 1);
        self.parts.len() - 1
    }

    fn has(&self, gate: usize, part: Lit) -> bool {
        self.parts[gate].binary_search(&part).is_ok()
    }

    /// The parts that it saves most to take out of a gate, if it saves anything.
    fn best_common(&mut self, gate: usize) -> Option<Vec<Lit>> {
        let mut others: Vec<usize> = Vec::new();
        let parts = std::mem::take(&mut self.parts[gate]);
        for part in &parts {
            let uses = &self.uses[part];
            if uses.len() > MAX_USES {
                continue;
            }
            for &other in uses {
                let other = other as usize;
                if other != gate && self.has(other, *part) {
                    if self.n_common[other] == 0 {
                        others.push(other);
                    }
                    self.n_common[other] += 1;
                }
            }
        }
        let best = others.iter().copied().max_by_key(|&other| self.n_common[other]);
        let is_worth_it = best.is_some_and(|best| self.n_common[best] >= 2);
        others.iter().for_each(|&other| self.n_common[other] = 0);
        let common = best.filter(|_| is_worth_it).map(|best| {
            parts.iter().copied().filter(|&part| self.has(best, part)).collect::<Vec<Lit>>()
        });
        self.parts[gate] = parts;
        common.filter(|common| self.saves(common))
    }

    /// The gates that have all of `parts`.
    fn users_of(&self, parts: &[Lit]) -> Vec<usize> {
        let rarest = parts.iter().min_by_key(|part| self.uses[part].len());
        let candidates = &self.uses[rarest.expect("something is in common")];
        let mut users: Vec<usize> = candidates.iter().map(|&gate| gate as usize).collect();
        users.retain(|&gate| parts.iter().all(|&part| self.has(gate, part)));
        users.sort_unstable();
        users.dedup();
        users
    }

    fn saves(&self, common: &[Lit]) -> bool {
        let users = self.users_of(common);
        let is_there = users.iter().any(|&user| self.parts[user].len() == common.len());
        let cost = if is_there { 1 } else { common.len() + COST_OF_NODE };
        let n_replaced = users.len() - usize::from(is_there);
        n_replaced * (common.len() - 1) >= cost
    }

    /// Puts `lit` in the place of `common` among the parts of a gate.
    fn replace(&mut self, gate: usize, common: &[Lit], lit: Lit) {
        let parts = &mut self.parts[gate];
        parts.retain(|part| common.binary_search(part).is_err());
        let place = parts.partition_point(|&part| part < lit);
        parts.insert(place, lit);
        let number = u32::try_from(gate).expect("fewer than 2^32 gates");
        self.uses.entry(lit).or_default().push(number);
    }
}

fn sorted(parts: &[Lit]) -> Vec<Lit> {
    let mut parts = parts.to_vec();
    parts.sort_unstable();
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is taken out of one node makes it the same as another: a node that has both has one part.
    #[test]
    fn nodes_that_become_the_same_are_one_part() {
        let mut network = Network::new(3, Vec::new());
        let [p, q, r] = [0, 1, 2].map(|n| network.input(n));
        let pair = network.or(&mut vec![p, q]);
        let flat = network.or(&mut vec![p, q, r]);
        let nested = network.or(&mut vec![pair, r]);
        let both = network.and(&mut vec![flat, nested]);
        let sharing = share(&network, [both].into_iter());
        let lit = sharing.lit(both);
        assert_eq!(sharing.new.kind(lit.node()), Kind::Or);
        assert_eq!(sharing.new.parts(lit.node()).len(), 2);
    }
}
