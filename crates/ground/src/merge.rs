//! Inputs of groups in formulas: of each group only one holds.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::network::{Group, Kind, Lit, Network, normalise};

/// What some disjuncts say of a group: one of the inputs inside holds, or perhaps none at all.
struct Union {
    inside: Vec<Lit>,
    outside: Vec<Lit>,
    /// Whether it is true as well when no input of the group holds, which an exact group excludes.
    has_none: bool,
    is_exact: bool,
}

impl Network {
    /// Some of the disjuncts `lits` may say only which inputs of groups hold: "one of these", or
    /// "none of these". Together they are for each group "one of these" or "none of the others",
    /// and are replaced by the shorter of the two where that is shorter.
    pub(crate) fn merge_groups(&mut self, lits: &mut Vec<Lit>) {
        let (sets, others): (Vec<Lit>, Vec<Lit>) =
            lits.iter().partition(|&&lit| self.is_about_groups(lit));
        if sets.len() < 2 {
            return;
        }
        let unions = self.unions(&sets);
        let n_parts: usize = unions.iter().map(|union| 1 + union.n_parts()).sum();
        if n_parts > sets.len() {
            return;
        }
        *lits = others;
        for mut union in unions {
            lits.push(match union.is_positive() {
                true => self.set(&mut union.inside),
                false => !self.set(&mut union.outside),
            });
        }
    }

    /// Whether a disjunct says only that one of some inputs of groups holds, or that none of some
    /// inputs of one group does.
    fn is_about_groups(&self, lit: Lit) -> bool {
        match self.kind(lit.node()) {
            Kind::Input => self.group_of(lit).is_some(),
            Kind::Or if self.is_set[lit.node()] => {
                let parts = self.parts(lit.node());
                let group = self.group_of(parts[0]);
                !lit.is_negative() || parts.iter().all(|&part| self.group_of(part) == group)
            }
            _ => false,
        }
    }

    /// What `sets` say of each group that they are about.
    fn unions(&self, sets: &[Lit]) -> Vec<Union> {
        // In how many sets an input is. A negated set has all of its group but its own inputs.
        let mut n_times: FxHashMap<usize, i64> = FxHashMap::default();
        let mut n_negated: BTreeMap<u32, i64> = BTreeMap::new();
        for &set in sets {
            let inputs = match self.kind(set.node()) {
                Kind::Input => std::slice::from_ref(&set),
                _ => self.parts(set.node()),
            };
            let sign = if set.is_negative() { -1 } else { 1 };
            for &input in inputs {
                *n_times.entry(input.node()).or_default() += sign;
                let group = self.group_of(input).expect("sets are of groups");
                n_negated.entry(group).or_default();
            }
            if set.is_negative() {
                let group = self.group_of(inputs[0]).expect("sets are of groups");
                *n_negated.entry(group).or_default() += 1;
            }
        }
        let union = |(group, &n_negated): (&u32, &i64)| {
            let Group { inputs, is_exact } = &self.groups()[*group as usize];
            let inputs = inputs.iter().map(|&number| self.input(number as usize));
            let is_inside = |lit: &Lit| n_times.get(&lit.node()).unwrap_or(&0) + n_negated > 0;
            let (inside, outside) = inputs.partition(is_inside);
            Union { inside, outside, has_none: n_negated > 0, is_exact: *is_exact }
        };
        n_negated.iter().map(union).collect()
    }

    /// One of some inputs of a group.
    fn set(&mut self, inputs: &mut Vec<Lit>) -> Lit {
        normalise(inputs, Lit::FALSE, Lit::TRUE);
        self.node(Kind::Or, inputs)
    }
}

impl Union {
    /// Whether it is written as "one of these" rather than "none of the others".
    fn is_positive(&self) -> bool {
        match self.is_exact {
            true => self.inside.len() <= self.outside.len(),
            false => !self.has_none,
        }
    }

    fn n_parts(&self) -> usize {
        if self.is_positive() { self.inside.len() } else { self.outside.len() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    fn exact(inputs: impl IntoIterator<Item = u32>) -> Group {
        Group { inputs: inputs.into_iter().collect(), is_exact: true }
    }

    /// Random formulas over an exact group of four, one of three that may be empty, and two free
    /// inputs mean what they were made of.
    #[test]
    fn merged_groups_mean_the_same() {
        // A small generator of our own: the crate has no use for chance otherwise.
        let mut seed = 1_u64;
        let mut draw = |n: usize| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % n
        };
        // Each formula with its truth in every allowed world.
        let worlds: Vec<Vec<bool>> = (0..64)
            .map(|w| {
                let (a, b, free) = (w % 4, w / 4 % 4, w / 16);
                let free = [free % 2 == 1, free / 2 == 1];
                (0..4).map(|n| n == a).chain((0..3).map(|n| n == b)).chain(free).collect()
            })
            .collect();
        for _ in 0..300 {
            let open = Group { inputs: vec![4, 5, 6], is_exact: false };
            let mut network = Network::new(9, vec![exact(0..4), open]);
            let inputs = (0..9).map(|n| {
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
        let mut network = Network::new(5, vec![exact(0..5)]);
        let inputs: Vec<Lit> = (0..5).map(|n| network.input(n)).collect();
        assert_eq!(network.or(&mut inputs[..4].to_vec()), !inputs[4]);
        assert_eq!(network.or(&mut inputs.clone()), Lit::TRUE);
        let few = network.or(&mut inputs[..2].to_vec());
        assert_eq!(network.or(&mut inputs[2..].to_vec()), !few);
    }

    #[test]
    fn two_of_a_group_exclude_each_other() {
        let open = Group { inputs: vec![0, 1, 2], is_exact: false };
        let mut network = Network::new(3, vec![open]);
        let [a, b, c] = [0, 1, 2].map(|n| network.input(n));
        assert_eq!(network.and(&mut vec![a, b]), Lit::FALSE);
        assert_eq!(network.and(&mut vec![a, !b]), a);
        assert_ne!(network.or(&mut vec![a, b, c]), Lit::TRUE);
    }
}
