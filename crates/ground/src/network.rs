//! A network of conditions: what holds in a state, and what follows from it, as formulas over the
//! fluents and the moves.

use std::hash::{BuildHasher, Hasher};
use std::ops::Range;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

/// A node, or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Lit(u32);

impl Lit {
    /// What always holds.
    pub const TRUE: Lit = Lit(0);
    /// What never holds.
    pub const FALSE: Lit = Lit(1);

    pub(crate) fn of_node(node: usize) -> Lit {
        Lit(u32::try_from(node * 2).expect("fewer than 2^31 nodes"))
    }

    /// The node.
    pub fn node(self) -> usize {
        (self.0 / 2) as usize
    }

    /// Whether the node must not hold.
    pub fn is_negative(self) -> bool {
        self.0 % 2 == 1
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// Holds always. The first node.
    True,
    /// An input: a fluent or a move, by its number among all of these.
    Input,
    /// All of its parts hold.
    And,
    /// One of its parts holds.
    Or,
}

/// Inputs of which one holds, or at most one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// The numbers of the inputs.
    pub inputs: Vec<u32>,
    /// Whether one of them holds always.
    pub is_exact: bool,
}

/// Nodes, each after its parts but for those of a recursion.
#[derive(Clone, Debug, Default)]
pub struct Network {
    kinds: Vec<Kind>,
    /// Where the parts of each node begin, and their number.
    spans: Vec<(u32, u32)>,
    parts: Vec<Lit>,
    known: HashTable<u32>,
    groups: Vec<Group>,
    /// By input: its group, if it is in one.
    group_of: Vec<Option<u32>>,
    /// By node: whether it says that one of some inputs of groups holds.
    pub(crate) is_set: Vec<bool>,
    /// The nodes of each recursion, which stand together.
    recursions: Vec<Range<usize>>,
}

impl Network {
    /// A network over inputs. An input is in one of `groups` at most.
    pub(crate) fn new(n_inputs: usize, groups: Vec<Group>) -> Network {
        let mut group_of = vec![None; n_inputs];
        for (number, group) in groups.iter().enumerate() {
            for &input in &group.inputs {
                group_of[input as usize] = u32::try_from(number).ok();
            }
        }
        let mut network = Network { groups, group_of, ..Network::default() };
        network.push(Kind::True, &[]);
        for _ in 0..n_inputs {
            network.push(Kind::Input, &[]);
        }
        network
    }

    /// The number of inputs.
    pub fn n_inputs(&self) -> usize {
        self.group_of.len()
    }

    /// The groups of inputs that exclude each other.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The group of an input.
    pub(crate) fn group_of(&self, input: Lit) -> Option<u32> {
        self.group_of[input.node() - 1]
    }

    /// The number of nodes.
    pub fn n_nodes(&self) -> usize {
        self.kinds.len()
    }

    /// The number of parts of all nodes: what evaluation costs.
    pub fn n_parts(&self) -> usize {
        self.spans.iter().map(|&(_, n_parts)| n_parts as usize).sum()
    }

    /// The number of parts of all nodes that were ever added.
    pub(crate) fn n_parts_now(&self) -> usize {
        self.parts.len()
    }

    /// What a node is.
    pub fn kind(&self, node: usize) -> Kind {
        self.kinds[node]
    }

    /// The parts of a node, positive ones first.
    pub fn parts(&self, node: usize) -> &[Lit] {
        let (start, n_parts) = self.spans[node];
        &self.parts[start as usize..(start + n_parts) as usize]
    }

    /// The input with the given number.
    pub fn input(&self, number: usize) -> Lit {
        Lit::of_node(1 + number)
    }

    /// What holds when all of `lits` do.
    pub(crate) fn and(&mut self, lits: &mut Vec<Lit>) -> Lit {
        self.simplify_and(lits);
        self.node(Kind::And, lits)
    }

    /// Leaves of `lits`, which all hold, the fewest that say the same.
    pub(crate) fn simplify_and(&mut self, lits: &mut Vec<Lit>) {
        // De Morgan: the groups are merged as in a disjunction.
        lits.iter_mut().for_each(|lit| *lit = !*lit);
        self.merge_groups(lits);
        lits.iter_mut().for_each(|lit| *lit = !*lit);
        normalise(lits, Lit::TRUE, Lit::FALSE);
    }

    /// What holds when one of `lits` does.
    pub(crate) fn or(&mut self, lits: &mut Vec<Lit>) -> Lit {
        self.merge_groups(lits);
        normalise(lits, Lit::FALSE, Lit::TRUE);
        self.node(Kind::Or, lits)
    }

    pub(crate) fn node(&mut self, kind: Kind, lits: &[Lit]) -> Lit {
        match lits {
            [] if kind == Kind::And => return Lit::TRUE,
            [] => return Lit::FALSE,
            [one] => return *one,
            _ => {}
        }
        let hash = hash(kind, lits);
        let is_same =
            |&node: &u32| self.kinds[node as usize] == kind && self.parts(node as usize) == lits;
        if let Some(&node) = self.known.find(hash, is_same) {
            return Lit::of_node(node as usize);
        }
        let node = self.push(kind, lits);
        let (kinds, spans, parts) = (&self.kinds, &self.spans, &self.parts);
        let hash_of = |&node: &u32| {
            let (start, n_parts) = spans[node as usize];
            self::hash(kinds[node as usize], &parts[start as usize..(start + n_parts) as usize])
        };
        let number = u32::try_from(node).expect("fewer than 2^31 nodes");
        self.known.insert_unique(hash, number, hash_of);
        Lit::of_node(node)
    }

    /// The nodes of each recursion, ascending. They depend on each other without negation: their
    /// values are the smallest that fit.
    pub fn recursions(&self) -> &[Range<usize>] {
        &self.recursions
    }

    /// The gates in an order of evaluation, alone or, where they depend on each other, together.
    pub fn units(&self) -> impl Iterator<Item = Range<usize>> {
        let mut node = 1 + self.n_inputs();
        let mut recursions = self.recursions.iter().peekable();
        std::iter::from_fn(move || {
            let start = (node < self.n_nodes()).then_some(node)?;
            let recursion = recursions.next_if(|range| range.contains(&start));
            node = recursion.map_or(start + 1, |range| range.end);
            Some(start..node)
        })
    }

    /// The number of the recursion that a node is in.
    pub fn recursion_of(&self, node: usize) -> Option<usize> {
        let place = self.recursions.partition_point(|range| range.end <= node);
        self.recursions.get(place).filter(|range| range.contains(&node)).map(|_| place)
    }

    /// Sets the values of all gates by `value`, which finds that of a node from those of others;
    /// `values` has those of the inputs. Nodes that depend on each other get the smallest values that
    /// fit, from `smallest` up.
    pub(crate) fn evaluate<T: Copy + PartialEq>(
        &self,
        values: &mut [T],
        smallest: T,
        value: impl Fn(usize, &[T]) -> T,
    ) {
        for unit in self.units() {
            values[unit.clone()].fill(smallest);
            let mut has_changed = true;
            while has_changed {
                has_changed = false;
                for node in unit.clone() {
                    let new = value(node, values);
                    has_changed |= std::mem::replace(&mut values[node], new) != new;
                }
                has_changed &= unit.len() > 1;
            }
        }
    }

    /// Sets whether each gate holds; `holds` has that of the inputs, and that the first node does.
    pub fn evaluate_one(&self, holds: &mut [bool]) {
        self.evaluate(holds, false, |node, holds| {
            let mut parts =
                self.parts(node).iter().map(|part| holds[part.node()] != part.is_negative());
            match self.kind(node) {
                Kind::And => parts.all(|part| part),
                _ => parts.any(|part| part),
            }
        });
    }

    /// Disjunctions whose parts are given later, because they depend on each other.
    pub(crate) fn begin_recursion(&mut self, n_nodes: usize) -> Vec<Lit> {
        let start = self.n_nodes();
        self.recursions.push(start..start);
        (0..n_nodes).map(|_| Lit::of_node(self.push(Kind::Or, &[]))).collect()
    }

    /// Everything since the beginning of the recursion belongs to it.
    pub(crate) fn end_recursion(&mut self) {
        let end = self.n_nodes();
        self.recursions.last_mut().expect("a recursion has begun").end = end;
    }

    /// Gives the parts of a recursive node.
    pub(crate) fn set_parts(&mut self, lit: Lit, lits: &mut Vec<Lit>) {
        normalise(lits, Lit::FALSE, Lit::TRUE);
        let start = u32::try_from(self.parts.len()).expect("fewer than 2^32 parts");
        self.parts.extend_from_slice(lits);
        let n_parts = u32::try_from(lits.len()).expect("fewer than 2^32 parts");
        self.spans[lit.node()] = (start, n_parts);
    }

    fn push(&mut self, kind: Kind, lits: &[Lit]) -> usize {
        let start = u32::try_from(self.parts.len()).expect("fewer than 2^32 parts");
        let is_of_group = |lit: &Lit| {
            let is_input = self.kinds[lit.node()] == Kind::Input;
            is_input && !lit.is_negative() && self.group_of(*lit).is_some()
        };
        let is_set = kind == Kind::Or && !lits.is_empty() && lits.iter().all(is_of_group);
        self.is_set.push(is_set);
        self.kinds.push(kind);
        self.spans.push((start, u32::try_from(lits.len()).expect("fewer than 2^32 parts")));
        self.parts.extend_from_slice(lits);
        self.kinds.len() - 1
    }
}

/// Sorts `lits`, positive ones first, and leaves out what does not matter: `neutral`, and all when
/// there is `decisive` or something with its own negation.
pub(crate) fn normalise(lits: &mut Vec<Lit>, neutral: Lit, decisive: Lit) {
    lits.retain(|&lit| lit != neutral);
    lits.sort_unstable();
    lits.dedup();
    let has_opposites = lits.windows(2).any(|pair| pair[0] == !pair[1]);
    if has_opposites || lits.contains(&decisive) {
        lits.clear();
        lits.push(decisive);
        return;
    }
    lits.sort_unstable_by_key(|lit| (lit.is_negative(), *lit));
}

fn hash(kind: Kind, lits: &[Lit]) -> u64 {
    let mut state = FxBuildHasher.build_hasher();
    state.write_u8(u8::from(kind == Kind::And));
    for lit in lits {
        state.write_u32(lit.0);
    }
    state.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_simplified_and_shared() {
        let mut network = Network::new(3, Vec::new());
        let [a, b, c] = [0, 1, 2].map(|n| network.input(n));
        let ab = network.and(&mut vec![b, a, Lit::TRUE, a]);
        assert_eq!(network.and(&mut vec![a, b]), ab);
        assert_eq!(network.and(&mut vec![a, c, !a]), Lit::FALSE);
        assert_eq!(network.or(&mut vec![ab, !ab]), Lit::TRUE);
        assert_eq!(network.or(&mut vec![c, Lit::FALSE]), c);
        assert_eq!(network.and(&mut vec![]), Lit::TRUE);
        assert_eq!(network.or(&mut vec![]), Lit::FALSE);
    }
}
