//! Formulas written anew, with what is known of their inputs.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::network::{Kind, Lit, Network};

/// A copy of a network under way, in which inputs may have become constants.
pub(crate) struct Rewriting<'a> {
    old: &'a Network,
    pub(crate) new: Network,
    /// By old node: what it has become.
    lits: Vec<Option<Lit>>,
    /// By input of the new network that is a move: when it is legal.
    legal: FxHashMap<Lit, Lit>,
    /// By such an input: what holds wherever the move is legal, and so wherever it is made.
    implied: FxHashMap<Lit, FxHashSet<Lit>>,
}

impl<'a> Rewriting<'a> {
    /// A copy into `new`, which is a network over the same inputs.
    pub(crate) fn new(old: &'a Network, new: Network) -> Rewriting<'a> {
        let mut lits = vec![None; old.n_nodes()];
        lits[0] = Some(Lit::TRUE);
        for number in 0..old.n_inputs() {
            lits[1 + number] = Some(new.input(number));
        }
        let (legal, implied) = (FxHashMap::default(), FxHashMap::default());
        Rewriting { old, new, lits, legal, implied }
    }

    /// An input is known from now on.
    pub(crate) fn set_input(&mut self, number: usize, value: bool) {
        self.lits[1 + number] = Some(if value { Lit::TRUE } else { Lit::FALSE });
    }

    /// The move that is the input `number` is made only where `legal` holds, a formula of the new
    /// network. Conditions on the move need not be repeated from now on.
    pub(crate) fn set_legal(&mut self, number: usize, legal: Lit) {
        self.legal.insert(self.new.input(number), legal);
    }

    /// What an old formula has become; it was copied before.
    pub(crate) fn lit(&self, old: Lit) -> Lit {
        let new = self.lits[old.node()].expect("it was copied");
        if old.is_negative() { !new } else { new }
    }

    /// Copies all that `wanted` needs.
    pub(crate) fn copy(&mut self, wanted: impl Iterator<Item = Lit>) {
        let mut is_needed = vec![false; self.old.n_nodes()];
        let mut open: Vec<usize> = wanted.map(Lit::node).collect();
        while let Some(node) = open.pop() {
            if self.lits[node].is_none() && !std::mem::replace(&mut is_needed[node], true) {
                open.extend(self.old.parts(node).iter().map(|part| part.node()));
            }
        }
        for unit in self.old.units() {
            let is_recursion = self.old.recursion_of(unit.start).is_some();
            let needed: Vec<usize> = unit.filter(|&node| is_needed[node]).collect();
            match needed.as_slice() {
                [] => {}
                [node] if !is_recursion => self.lits[*node] = Some(self.copy_node(*node)),
                nodes => self.copy_recursion(nodes),
            }
        }
    }

    fn copy_node(&mut self, node: usize) -> Lit {
        let mut parts: Vec<Lit> = self.old.parts(node).iter().map(|&part| self.lit(part)).collect();
        match self.old.kind(node) {
            Kind::And => {
                self.drop_implied(&mut parts);
                self.new.and(&mut parts)
            }
            _ => self.new.or(&mut parts),
        }
    }

    /// Nodes with parts that come later are disjunctions; these get their parts at the end.
    fn copy_recursion(&mut self, nodes: &[usize]) {
        let refers_to_later =
            |&node: &usize| self.old.parts(node).iter().any(|part| part.node() >= node);
        let early: Vec<usize> = nodes.iter().copied().filter(refers_to_later).collect();
        let new = self.new.begin_recursion(early.len());
        for (&node, &lit) in early.iter().zip(&new) {
            self.lits[node] = Some(lit);
        }
        for &node in nodes {
            if early.binary_search(&node).is_err() {
                self.lits[node] = Some(self.copy_node(node));
            }
        }
        for (&node, &lit) in early.iter().zip(&new) {
            let mut parts = self.old.parts(node).iter().map(|&part| self.lit(part)).collect();
            self.new.set_parts(lit, &mut parts);
        }
        self.new.end_recursion();
    }

    /// Leaves out of a conjunction what the moves in it imply; with what they exclude it is false.
    fn drop_implied(&mut self, parts: &mut Vec<Lit>) {
        let moves: Vec<Lit> =
            parts.iter().copied().filter(|part| self.legal.contains_key(part)).collect();
        if parts.len() < 2 {
            return;
        }
        for made in moves {
            let legal = self.legal[&made];
            let new = &self.new;
            let implied =
                self.implied.entry(made).or_insert_with(|| all_that_holds_with(new, legal));
            if parts.iter().any(|&part| implied.contains(&!part)) {
                parts.clear();
                parts.push(Lit::FALSE);
                return;
            }
            parts.retain(|part| !implied.contains(part));
        }
    }
}

/// What can be read off from `lit` being true.
pub(crate) fn all_that_holds_with(network: &Network, lit: Lit) -> FxHashSet<Lit> {
    /// Members of larger groups are not worth their negations.
    const MAX_GROUP: usize = 64;
    let mut all = FxHashSet::default();
    let mut open = vec![lit];
    while let Some(lit) = open.pop() {
        if !all.insert(lit) {
            continue;
        }
        match (network.kind(lit.node()), lit.is_negative()) {
            (Kind::And, false) => open.extend(network.parts(lit.node())),
            (Kind::Or, true) => open.extend(network.parts(lit.node()).iter().map(|&part| !part)),
            (Kind::Input, false) => {
                let group = network.group_of(lit).map(|group| &network.groups()[group as usize]);
                let inputs = group.iter().filter(|group| group.inputs.len() <= MAX_GROUP);
                let inputs = inputs.flat_map(|group| &group.inputs);
                let others = inputs.map(|&n| network.input(n as usize)).filter(|&n| n != lit);
                open.extend(others.map(|other| !other));
            }
            _ => {}
        }
    }
    all
}
