//! A network of conditions: what holds in a state, and what follows from it, as formulas over the
//! fluents and the moves.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, Hasher};
use std::ops::Range;

use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};

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
    /// By input: the group of inputs of which exactly one holds, or none.
    groups: Vec<Option<u32>>,
    /// By group: the numbers of its inputs.
    group_members: Vec<Vec<u32>>,
    /// By node: whether it says that one of some inputs of groups holds.
    is_set: Vec<bool>,
    /// The nodes of each recursion, which stand together.
    recursions: Vec<Range<usize>>,
}

impl Network {
    /// A network over inputs. `groups` has for each the number of a set of inputs of which exactly
    /// one holds, if it is in one.
    pub(crate) fn new(groups: Vec<Option<u32>>) -> Network {
        let n_groups = groups.iter().flatten().max().map_or(0, |&last| last as usize + 1);
        let mut group_members = vec![Vec::new(); n_groups];
        for (number, group) in groups.iter().enumerate() {
            if let Some(group) = group {
                let number = u32::try_from(number).expect("fewer than 2^31 inputs");
                group_members[*group as usize].push(number);
            }
        }
        let mut network = Network { groups, group_members, ..Network::default() };
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
        // De Morgan: the groups are merged as in a disjunction.
        lits.iter_mut().for_each(|lit| *lit = !*lit);
        self.merge_groups(lits);
        lits.iter_mut().for_each(|lit| *lit = !*lit);
        normalise(lits, Lit::TRUE, Lit::FALSE);
        self.node(Kind::And, lits)
    }

    /// What holds when one of `lits` does.
    pub(crate) fn or(&mut self, lits: &mut Vec<Lit>) -> Lit {
        self.merge_groups(lits);
        normalise(lits, Lit::FALSE, Lit::TRUE);
        self.node(Kind::Or, lits)
    }

    /// Some of the disjuncts `lits` may say only which inputs of groups hold, of which exactly one
    /// does: "one of these", or "none of these". Together they are for each group "one of these" or
    /// "none of the others", and are replaced by the shorter of the two where that is shorter.
    fn merge_groups(&mut self, lits: &mut Vec<Lit>) {
        let (sets, others): (Vec<Lit>, Vec<Lit>) =
            lits.iter().partition(|&&lit| self.is_about_groups(lit));
        if sets.len() < 2 {
            return;
        }
        let mut unions = self.unions(&sets);
        let n_parts: usize =
            unions.iter().map(|(inside, outside)| 1 + inside.len().min(outside.len())).sum();
        if n_parts > sets.len() {
            return;
        }
        *lits = others;
        for (inside, outside) in &mut unions {
            let shorter = match inside.len() <= outside.len() {
                true => self.set(inside),
                false => !self.set(outside),
            };
            lits.push(shorter);
        }
    }

    /// Whether a disjunct says only that one of some inputs of groups holds, or that none of some
    /// inputs of one group does.
    fn is_about_groups(&self, lit: Lit) -> bool {
        let group_of = |lit: &Lit| self.groups[lit.node() - 1];
        match self.kinds[lit.node()] {
            Kind::Input => group_of(&lit).is_some(),
            Kind::Or if self.is_set[lit.node()] => {
                let parts = self.parts(lit.node());
                !lit.is_negative() || parts.iter().all(|part| group_of(part) == group_of(&parts[0]))
            }
            _ => false,
        }
    }

    /// For each group that `sets` are about: its inputs that are in their union, and the others.
    fn unions(&self, sets: &[Lit]) -> Vec<(Vec<Lit>, Vec<Lit>)> {
        // In how many sets an input is. A negated set has all of its group but its own inputs.
        let mut n_times: FxHashMap<usize, i64> = FxHashMap::default();
        let mut n_negated: BTreeMap<u32, i64> = BTreeMap::new();
        for &set in sets {
            let inputs = match self.kinds[set.node()] {
                Kind::Input => std::slice::from_ref(&set),
                _ => self.parts(set.node()),
            };
            let sign = if set.is_negative() { -1 } else { 1 };
            for input in inputs {
                *n_times.entry(input.node()).or_default() += sign;
                let group = self.groups[input.node() - 1].expect("sets are of groups");
                n_negated.entry(group).or_default();
            }
            if set.is_negative() {
                let group = self.groups[inputs[0].node() - 1].expect("sets are of groups");
                *n_negated.entry(group).or_default() += 1;
            }
        }
        let union = |(group, n_negated): (&u32, &i64)| {
            let members = self.group_members[*group as usize].iter();
            let members = members.map(|&number| self.input(number as usize));
            members.partition(|lit| n_times.get(&lit.node()).unwrap_or(&0) + n_negated > 0)
        };
        n_negated.iter().map(union).collect()
    }

    /// One of some inputs of a group.
    fn set(&mut self, inputs: &mut Vec<Lit>) -> Lit {
        normalise(inputs, Lit::FALSE, Lit::TRUE);
        self.node(Kind::Or, inputs)
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
        let is_of_group = |lit: &Lit| {
            let is_input = self.kinds[lit.node()] == Kind::Input;
            is_input && !lit.is_negative() && self.groups[lit.node() - 1].is_some()
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

    /// Whether `lit` holds where the inputs have these values.
    fn holds(network: &Network, lit: Lit, inputs: &[bool]) -> bool {
        let parts = network.parts(lit.node());
        let holds_part = |part: &Lit| holds(network, *part, inputs);
        let value = match network.kind(lit.node()) {
            Kind::True => true,
            Kind::Input => inputs[lit.node() - 1],
            Kind::And => parts.iter().all(holds_part),
            Kind::Or => parts.iter().any(holds_part),
        };
        value != lit.is_negative()
    }

    /// Random formulas over two groups and two free inputs mean what they were made of.
    #[test]
    fn merged_groups_mean_the_same() {
        let groups = [Some(0), Some(0), Some(0), Some(0), Some(1), Some(1), Some(1), None, None];
        // A small generator of our own: the crate has no use for chance otherwise.
        let mut seed = 1_u64;
        let mut draw = |n: usize| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % n
        };
        for _ in 0..300 {
            let mut network = Network::new(groups.to_vec());
            // Each formula with its truth in every allowed world.
            let worlds: Vec<Vec<bool>> = (0..48)
                .map(|w| {
                    let (a, b, free) = (w % 4, w / 4 % 3, w / 12);
                    let free = [free % 2 == 1, free / 2 == 1];
                    (0..4).map(|n| n == a).chain((0..3).map(|n| n == b)).chain(free).collect()
                })
                .collect();
            let inputs = (0..groups.len()).map(|n| {
                (network.input(n), worlds.iter().map(|world| world[n]).collect::<Vec<bool>>())
            });
            let mut known: Vec<(Lit, Vec<bool>)> = inputs.collect();
            for _ in 0..20 {
                let is_and = draw(2) == 0;
                let n_parts = 1 + draw(5);
                let mut lits = Vec::new();
                let mut truth = vec![is_and; worlds.len()];
                for _ in 0..n_parts {
                    let (lit, values) = &known[draw(known.len())];
                    let is_negated = draw(2) == 0;
                    lits.push(if is_negated { !*lit } else { *lit });
                    for (truth, value) in truth.iter_mut().zip(values) {
                        let value = *value != is_negated;
                        *truth = if is_and { *truth && value } else { *truth || value };
                    }
                }
                let lit = if is_and { network.and(&mut lits) } else { network.or(&mut lits) };
                for (world, truth) in worlds.iter().zip(&truth) {
                    assert_eq!(holds(&network, lit, world), *truth);
                }
                known.push((lit, truth));
            }
        }
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
