//! Formulas written anew, with what is known of their inputs.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::network::{Kind, Lit, Network};

/// A copy of a network under way, in which inputs may have become constants.
pub(crate) struct Rewriting<'a> {
    old: &'a Network,
    pub(crate) new: Network,
    /// By old node: what it has become.
    lits: Vec<Option<Lit>>,
    /// By old node: whether it becomes a node of its own.
    fates: Vec<Fate>,
    /// What conjunctions have become that stand in one disjunction only.
    terms: FxHashMap<usize, Vec<Lit>>,
    /// By input of the new network that is a move: when it is legal.
    legal: FxHashMap<Lit, Lit>,
    /// By such an input: what holds wherever the move is legal, and so wherever it is made.
    implied: FxHashMap<Lit, FxHashSet<Lit>>,
}

impl<'a> Rewriting<'a> {
    /// A copy of all that `wanted` needs into `new`, which is a network over the same inputs.
    pub(crate) fn new(
        old: &'a Network,
        new: Network,
        wanted: impl Iterator<Item = Lit>,
    ) -> Rewriting<'a> {
        let mut lits = vec![None; old.n_nodes()];
        lits[0] = Some(Lit::TRUE);
        for number in 0..old.n_inputs() {
            lits[1 + number] = Some(new.input(number));
        }
        let (legal, implied) = (FxHashMap::default(), FxHashMap::default());
        Rewriting {
            old,
            new,
            lits,
            fates: fates(old, wanted),
            terms: FxHashMap::default(),
            legal,
            implied,
        }
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
                [node] if is_recursion => self.copy_recursion(&[*node]),
                [node] => match self.fates[*node] {
                    Fate::Dissolved => {}
                    Fate::Term => self.copy_term(*node),
                    Fate::Node => self.lits[*node] = Some(self.copy_node(*node)),
                },
                nodes => self.copy_recursion(nodes),
            }
        }
    }

    fn copy_node(&mut self, node: usize) -> Lit {
        let (mut parts, terms) = self.new_parts(node);
        match self.old.kind(node) {
            Kind::And => {
                self.drop_implied(&mut parts);
                self.new.and(&mut parts)
            }
            _ => {
                factor(&mut self.new, terms, &mut parts);
                self.new.or(&mut parts)
            }
        }
    }

    fn copy_term(&mut self, node: usize) {
        let (mut parts, _) = self.new_parts(node);
        self.drop_implied(&mut parts);
        self.new.simplify_and(&mut parts);
        self.terms.insert(node, parts);
    }

    /// What the parts of an old node have become, and in the place of those that are dissolved, what
    /// theirs have; then those that are conjunctions and no nodes yet.
    fn new_parts(&mut self, node: usize) -> (Vec<Lit>, Vec<Vec<Lit>>) {
        let mut parts = Vec::with_capacity(self.old.parts(node).len());
        let mut terms = Vec::new();
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            for &part in self.old.parts(node) {
                match self.fates[part.node()] {
                    Fate::Dissolved => open.push(part.node()),
                    Fate::Term => terms.extend(self.terms.remove(&part.node())),
                    Fate::Node => parts.push(self.lit(part)),
                }
            }
        }
        (parts, terms)
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
            let (mut parts, terms) = self.new_parts(node);
            factor(&mut self.new, terms, &mut parts);
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

/// What becomes of an old node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// It becomes a node.
    Node,
    /// The only node that has it as a part is of the same kind, and gets its parts.
    Dissolved,
    /// It is a conjunction, and the only node that has it as a part a disjunction: what is common to
    /// several such conjunctions is taken out.
    Term,
}

/// By node of `network`: what becomes of it, where `wanted` and what these need is copied.
fn fates(network: &Network, wanted: impl Iterator<Item = Lit>) -> Vec<Fate> {
    let mut fates: Vec<Option<Fate>> = vec![None; network.n_nodes()];
    let mut open: Vec<usize> = Vec::new();
    for lit in wanted {
        fates[lit.node()] = Some(Fate::Node);
        open.push(lit.node());
    }
    let mut is_seen = vec![false; network.n_nodes()];
    while let Some(node) = open.pop() {
        if std::mem::replace(&mut is_seen[node], true) {
            continue;
        }
        for part in network.parts(node) {
            let fate = match (network.kind(node), network.kind(part.node())) {
                _ if part.is_negative() => Fate::Node,
                (Kind::And, Kind::And) | (Kind::Or, Kind::Or) => Fate::Dissolved,
                (Kind::Or, Kind::And) => Fate::Term,
                _ => Fate::Node,
            };
            let is_first = fates[part.node()].is_none();
            fates[part.node()] = Some(if is_first { fate } else { Fate::Node });
            open.push(part.node());
        }
    }
    for recursion in network.recursions() {
        fates[recursion.clone()].fill(Some(Fate::Node));
    }
    fates.into_iter().map(|fate| fate.unwrap_or(Fate::Node)).collect()
}

/// Adds to the disjuncts `parts` what the conjunctions `terms` say. What most of them have in common
/// is taken out: it holds, and one of the rests does.
fn factor(network: &mut Network, terms: Vec<Vec<Lit>>, parts: &mut Vec<Lit>) {
    let mut uses: FxHashMap<Lit, Vec<usize>> = FxHashMap::default();
    for (number, term) in terms.iter().enumerate() {
        term.iter().for_each(|&lit| uses.entry(lit).or_default().push(number));
    }
    let is_common = |(_, uses): &(&Lit, &Vec<usize>)| uses.len() > 1;
    let commons = uses.iter().filter(is_common).map(|(&lit, uses)| (uses.len(), Reverse(lit)));
    let mut commons: BinaryHeap<(usize, Reverse<Lit>)> = commons.collect();
    let mut terms: Vec<Option<Vec<Lit>>> = terms.into_iter().map(Some).collect();
    while let Some((n_uses, Reverse(common))) = commons.pop() {
        let uses = uses.get_mut(&common).expect("it is used");
        uses.retain(|&number| terms[number].is_some());
        // Terms may have gone since with another that they had in common.
        if uses.len() < n_uses {
            if uses.len() > 1 {
                commons.push((uses.len(), Reverse(common)));
            }
            continue;
        }
        let with = uses.iter().filter_map(|&number| terms[number].take());
        let rests = with.map(|mut term| {
            term.retain(|&lit| lit != common);
            term
        });
        let mut alternatives = Vec::new();
        factor(network, rests.collect(), &mut alternatives);
        let one_holds = network.or(&mut alternatives);
        parts.push(network.and(&mut vec![common, one_holds]));
    }
    for mut term in terms.into_iter().flatten() {
        parts.push(network.and(&mut term));
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
