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

    fn of_node(node: usize) -> Lit {
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

    /// Whether this is [`Lit::TRUE`] or [`Lit::FALSE`].
    pub fn is_constant(self) -> bool {
        self.node() == 0
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

/// Nodes, each after its parts but for those of a recursion.
#[derive(Clone, Debug, Default)]
pub struct Network {
    kinds: Vec<Kind>,
    /// Where the parts of each node begin, and their number.
    spans: Vec<(u32, u32)>,
    parts: Vec<Lit>,
    known: HashTable<u32>,
    /// By input: the set of inputs of which exactly one holds, or none.
    groups: Vec<Option<u32>>,
    group_sizes: Vec<usize>,
    /// The nodes of each recursion, which stand together.
    recursions: Vec<Range<usize>>,
}

impl Network {
    /// A network over inputs. `groups` has for each the number of a set of inputs of which exactly
    /// one holds, if it is in one.
    pub(crate) fn new(groups: Vec<Option<u32>>) -> Network {
        let n_groups = groups.iter().flatten().max().map_or(0, |&last| last as usize + 1);
        let mut group_sizes = vec![0; n_groups];
        for &group in groups.iter().flatten() {
            group_sizes[group as usize] += 1;
        }
        let mut network = Network { groups, group_sizes, ..Network::default() };
        network.push(Kind::True, &[]);
        for _ in 0..network.groups.len() {
            network.push(Kind::Input, &[]);
        }
        network
    }

    /// The number of nodes.
    pub fn n_nodes(&self) -> usize {
        self.kinds.len()
    }

    /// The number of parts of all nodes: what evaluation costs.
    pub fn n_parts(&self) -> usize {
        self.spans.iter().map(|&(_, n_parts)| n_parts as usize).sum()
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
        normalise(lits, Lit::TRUE, Lit::FALSE);
        self.node(Kind::And, lits)
    }

    /// What holds when one of `lits` does.
    pub(crate) fn or(&mut self, lits: &mut Vec<Lit>) -> Lit {
        normalise(lits, Lit::FALSE, Lit::TRUE);
        if let Some(complement) = self.complement(lits) {
            return complement;
        }
        self.node(Kind::Or, lits)
    }

    /// A disjunction over more than half of the inputs of which exactly one holds is the negation
    /// of the others.
    fn complement(&mut self, lits: &mut Vec<Lit>) -> Option<Lit> {
        let group_of = |lit: &Lit| match lit.is_negative() {
            true => None,
            false => self.groups.get(lit.node().checked_sub(1)?).copied().flatten(),
        };
        let mut counts: Vec<(u32, usize)> = Vec::new();
        for group in lits.iter().filter_map(group_of) {
            match counts.iter_mut().find(|(other, _)| *other == group) {
                Some((_, n)) => *n += 1,
                None => counts.push((group, 1)),
            }
        }
        let is_large = |(group, n): &&(u32, usize)| 2 * n > self.group_sizes[*group as usize];
        let &(group, _) = counts.iter().find(is_large)?;
        let in_group: Vec<Lit> =
            lits.iter().copied().filter(|lit| group_of(lit) == Some(group)).collect();
        let inputs = (0..self.groups.len()).filter(|&n| self.groups[n] == Some(group));
        let mut others: Vec<Lit> = inputs.map(|n| self.input(n)).collect();
        others.retain(|lit| !in_group.contains(lit));
        lits.retain(|lit| !in_group.contains(lit));
        let rest = self.or(&mut others);
        lits.push(!rest);
        Some(self.or(lits))
    }

    fn node(&mut self, kind: Kind, lits: &[Lit]) -> Lit {
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
        self.kinds.push(kind);
        self.spans.push((start, u32::try_from(lits.len()).expect("fewer than 2^32 parts")));
        self.parts.extend_from_slice(lits);
        self.kinds.len() - 1
    }
}

/// Sorts `lits`, positive ones first, and leaves out what does not matter: `neutral`, and all when
/// there is `decisive` or something with its own negation.
fn normalise(lits: &mut Vec<Lit>, neutral: Lit, decisive: Lit) {
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
        let mut network = Network::new(vec![None; 3]);
        let [a, b, c] = [0, 1, 2].map(|n| network.input(n));
        let ab = network.and(&mut vec![b, a, Lit::TRUE, a]);
        assert_eq!(network.and(&mut vec![a, b]), ab);
        assert_eq!(network.and(&mut vec![a, c, !a]), Lit::FALSE);
        assert_eq!(network.or(&mut vec![ab, !ab]), Lit::TRUE);
        assert_eq!(network.or(&mut vec![c, Lit::FALSE]), c);
        assert_eq!(network.and(&mut vec![]), Lit::TRUE);
        assert_eq!(network.or(&mut vec![]), Lit::FALSE);
    }

    #[test]
    fn most_of_a_group_is_the_negation_of_the_rest() {
        let mut network = Network::new(vec![Some(0); 5]);
        let inputs: Vec<Lit> = (0..5).map(|n| network.input(n)).collect();
        assert_eq!(network.or(&mut inputs[..4].to_vec()), !inputs[4]);
        assert_eq!(network.or(&mut inputs.clone()), Lit::TRUE);
        let few = network.or(&mut inputs[..2].to_vec());
        assert_eq!(network.or(&mut inputs[2..].to_vec()), !few);
    }
}
