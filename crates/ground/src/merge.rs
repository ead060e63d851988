//! Inputs of groups in formulas: of each group only one holds.

use crate::network::{Kind, Lit, Network, normalise};

/// What some disjuncts say of a group: one of the inputs inside holds, or perhaps none at all.
struct Union {
    group: u32,
    /// The inputs inside, or those outside, whichever the disjuncts name.
    named: Vec<Lit>,
    /// Whether those outside are named. Then it is true as well when no input of the group holds,
    /// which an exact group excludes.
    names_outside: bool,
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
        let n_parts: usize = unions.iter().map(|union| 1 + union.n_parts(self)).sum();
        if n_parts > sets.len() {
            return;
        }
        *lits = others;
        for union in unions {
            let is_positive = union.is_positive(self);
            let mut inputs = union.side(self, is_positive);
            normalise(&mut inputs, Lit::FALSE, Lit::TRUE);
            let set = self.node(Kind::Or, &inputs);
            lits.push(if is_positive { set } else { !set });
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
        let mut times: Vec<(u32, Lit, i32)> = Vec::new();
        let mut negated: Vec<u32> = Vec::new();
        for &set in sets {
            let inputs = match self.kind(set.node()) {
                Kind::Input => &[Lit::of_node(set.node())],
                _ => self.parts(set.node()),
            };
            let group = |input: Lit| self.group_of(input).expect("sets are of groups");
            let sign = if set.is_negative() { -1 } else { 1 };
            times.extend(inputs.iter().map(|&input| (group(input), input, sign)));
            if set.is_negative() {
                negated.push(group(inputs[0]));
            }
        }
        times.sort_unstable();
        let union = |of_group: &[(u32, Lit, i32)]| {
            let group = of_group[0].0;
            let n_negated = negated.iter().filter(|&&negated| negated == group).count();
            let n_negated = i32::try_from(n_negated).expect("fewer than 2^31 disjuncts");
            let of_input = of_group.chunk_by(|one, other| one.1 == other.1);
            let sums = of_input.map(|times| (times[0].1, times.iter().map(|t| t.2).sum::<i32>()));
            // All others are in the negated sets.
            let is_named = |n_times: i32| (n_times + n_negated > 0) == (n_negated == 0);
            let named = sums.filter(|&(_, n_times)| is_named(n_times)).map(|(input, _)| input);
            Union { group, named: named.collect(), names_outside: n_negated > 0 }
        };
        times.chunk_by(|one, other| one.0 == other.0).map(union).collect()
    }
}

impl Union {
    fn n_inside(&self, network: &Network) -> usize {
        match self.names_outside {
            true => network.groups()[self.group as usize].inputs.len() - self.named.len(),
            false => self.named.len(),
        }
    }

    /// Whether it is written as "one of these" rather than "none of the others".
    fn is_positive(&self, network: &Network) -> bool {
        let group = &network.groups()[self.group as usize];
        match group.is_exact {
            true => 2 * self.n_inside(network) <= group.inputs.len(),
            false => !self.names_outside,
        }
    }

    fn n_parts(&self, network: &Network) -> usize {
        let n_inside = self.n_inside(network);
        let n_inputs = network.groups()[self.group as usize].inputs.len();
        if self.is_positive(network) { n_inside } else { n_inputs - n_inside }
    }

    /// The inputs inside or those outside.
    fn side(self, network: &Network, is_inside: bool) -> Vec<Lit> {
        if is_inside != self.names_outside {
            return self.named;
        }
        let inputs = network.groups()[self.group as usize].inputs.iter();
        let inputs = inputs.map(|&number| network.input(number as usize));
        inputs.filter(|input| self.named.binary_search(input).is_err()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::Group;

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
