//! Soft constraints: how much they can still be worth, and what takes too much of that away.

use crate::network::{Utility, VarId};
use crate::store::{Failed, Store};

/// What tuples are worth, the best first.
///
/// As domains lose values, the best tuple that they still have is found further down, and never
/// further up: looking for it goes on where it ended. Whoever gives values back must put
/// [`SoftTable::first`] back as well.
#[derive(Clone, Debug)]
pub(crate) struct SoftTable {
    scope: Vec<VarId>,
    /// By variable of the scope: how many tuples lie between two of its values, and how many values
    /// there are.
    strides: Vec<(usize, usize)>,
    players: Vec<Ranked>,
}

/// Tuples by what they are worth for a player.
#[derive(Clone, Debug)]
struct Ranked {
    /// The numbers of the tuples, and what they are worth, descending.
    tuples: Vec<(u32, f64)>,
    /// None before this one is left.
    first: usize,
}

impl SoftTable {
    pub(crate) fn new(utility: &Utility, n_players: usize) -> SoftTable {
        SoftTable::with(utility, n_players, |player, worth| worth[player])
    }

    /// The same for players to whom a tuple is worth what `worth_to` makes of the utilities.
    pub(crate) fn with(
        utility: &Utility,
        n_players: usize,
        worth_to: impl Fn(usize, &[f64]) -> f64,
    ) -> SoftTable {
        let ranked = |player: usize| {
            let worth = utility.all().map(|worth| worth_to(player, worth));
            let mut tuples: Vec<(u32, f64)> = (0..).zip(worth).collect();
            tuples.sort_by(|one, other| other.1.total_cmp(&one.1));
            Ranked { tuples, first: 0 }
        };
        let mut stride = 1;
        let mut strides: Vec<(usize, usize)> = Vec::new();
        for &size in utility.sizes().iter().rev() {
            strides.push((stride, size));
            stride *= size;
        }
        strides.reverse();
        let players = (0..n_players).map(ranked).collect();
        SoftTable { scope: utility.scope().to_vec(), strides, players }
    }

    /// Where the search for the best tuple of a player begins.
    pub(crate) fn first(&self, player: usize) -> usize {
        self.players[player].first
    }

    pub(crate) fn set_first(&mut self, player: usize, first: usize) {
        self.players[player].first = first;
    }

    /// The most that it can be worth for a player with the values that are left.
    pub(crate) fn most(&mut self, player: usize, store: &Store) -> f64 {
        let Ranked { tuples, first } = &self.players[player];
        let is_left = |&(number, _): &(u32, f64)| self.is_left(number, store);
        let n_gone = tuples[*first..].iter().position(is_left);
        self.players[player].first += n_gone.expect("every variable has a value left");
        self.last_most(player)
    }

    /// What [`SoftTable::most`] said last.
    pub(crate) fn last_most(&self, player: usize) -> f64 {
        let Ranked { tuples, first } = &self.players[player];
        tuples[*first].1
    }

    /// Takes away the values of the variables that `may_narrow` is true of with which it would be worth
    /// less than `needed` for a player.
    pub(crate) fn narrow(
        &self,
        player: usize,
        needed: f64,
        may_narrow: impl Fn(VarId) -> bool,
        store: &mut Store,
    ) -> Result<(), Failed> {
        if self.players[player].tuples.last().is_some_and(|(_, least)| *least >= needed) {
            return Ok(());
        }
        let open: Vec<usize> = (0..self.scope.len())
            .filter(|&n| !store.is_fixed(self.scope[n]) && may_narrow(self.scope[n]))
            .collect();
        if open.is_empty() {
            return Ok(());
        }
        let mut is_good: Vec<Vec<bool>> =
            open.iter().map(|&position| vec![false; self.strides[position].1]).collect();
        let mut n_missing: usize = open.iter().map(|&n| store.size(self.scope[n])).sum();
        let Ranked { tuples, first } = &self.players[player];
        for &(number, worth) in &tuples[*first..] {
            if worth < needed || n_missing == 0 {
                break;
            }
            if self.is_left(number, store) {
                for (is_good, &position) in is_good.iter_mut().zip(&open) {
                    let value = self.value(number, position);
                    n_missing -= usize::from(!std::mem::replace(&mut is_good[value], true));
                }
            }
        }
        for (is_good, &position) in is_good.iter().zip(&open) {
            store.retain(self.scope[position], |value| is_good[value])?;
        }
        Ok(())
    }

    /// Adds to `sums`, by value of a variable, the most that it can be worth with it for a player.
    pub(crate) fn add_most_by_value(
        &self,
        player: usize,
        var: VarId,
        store: &Store,
        sums: &mut [f64],
    ) {
        let Some(position) = self.scope.iter().position(|other| *other == var) else { return };
        let mut is_found = vec![false; sums.len()];
        let mut n_missing = store.size(var);
        let Ranked { tuples, first } = &self.players[player];
        for &(number, worth) in &tuples[*first..] {
            if n_missing == 0 {
                break;
            }
            let value = self.value(number, position);
            if !is_found[value] && self.is_left(number, store) {
                is_found[value] = true;
                n_missing -= 1;
                sums[value] += worth;
            }
        }
    }

    fn is_left(&self, number: u32, store: &Store) -> bool {
        let mut positions = self.scope.iter().enumerate();
        positions.all(|(position, &var)| store.has(var, self.value(number, position)))
    }

    /// The value of a tuple at a position of the scope.
    fn value(&self, number: u32, position: usize) -> usize {
        let (stride, size) = self.strides[position];
        number as usize / stride % size
    }
}

#[cfg(test)]
mod tests {
    use base::seeded_rng;
    use rand::RngExt as _;

    use super::*;
    use crate::network::NetworkBuilder;

    /// Random tables in random domains, beside all tuples.
    #[test]
    fn bounds_are_those_of_all_tuples() {
        let mut rng = seeded_rng(5);
        for _ in 0..500 {
            let mut builder = NetworkBuilder::new(1);
            let sizes = [0; 3].map(|_| rng.random_range(1..=4));
            let names = ["a", "b", "c"].into_iter().zip(sizes);
            let vars: Vec<VarId> =
                names.map(|(name, size)| builder.decision(name, 0..=size - 1).unwrap()).collect();
            let worth: Vec<f64> =
                (0..64).map(|_| f64::from(rng.random_range(0..=4)) / 4.0).collect();
            let of = |v: &[i64]| worth[v.iter().fold(0, |n, &value| 4 * n + value as usize)];
            builder.utility(&vars, |v| vec![of(v)]).unwrap();
            let network = builder.build();
            let mut table = SoftTable::new(&network.utilities()[0], 1);
            let mut store = Store::new(sizes.iter().map(|&size| size as usize));
            loop {
                let left: Vec<Vec<i64>> = network.utilities()[0]
                    .tuples()
                    .map(|(tuple, _)| tuple)
                    .filter(|t| t.iter().zip(&vars).all(|(&n, &v)| store.has(v, n as usize)))
                    .map(|tuple| tuple.into_iter().map(i64::from).collect())
                    .collect();
                let most = left.iter().map(|tuple| of(tuple)).fold(0.0, f64::max);
                assert_eq!(table.most(0, &store), most);
                let needed = f64::from(rng.random_range(0..=4)) / 4.0;
                let mut narrowed = store.clone();
                let outcome = table.narrow(0, needed, |var| var != vars[2], &mut narrowed);
                for (position, &var) in vars.iter().enumerate() {
                    for value in store.values(var) {
                        let mut good = left.iter().filter(|tuple| of(tuple) >= needed);
                        let is_good = good.any(|tuple| tuple[position] == value as i64);
                        let may_narrow = position < 2 && !store.is_fixed(var);
                        let expected = !may_narrow || is_good;
                        assert!(outcome.is_err() || narrowed.has(var, value) == expected);
                    }
                    let mut sums = vec![0.0; sizes[position] as usize];
                    table.add_most_by_value(0, var, &store, &mut sums);
                    for value in store.values(var) {
                        let with = left.iter().filter(|tuple| tuple[position] == value as i64);
                        assert_eq!(sums[value], with.map(|tuple| of(tuple)).fold(0.0, f64::max));
                    }
                }
                assert!(outcome.is_ok() || needed > most);
                let var = vars[rng.random_range(0..vars.len())];
                let value = store.first(var);
                if store.remove(var, value).is_err() {
                    break;
                }
            }
        }
    }
}
