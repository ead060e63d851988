//! Tables of two variables: for each value of one, the values of the other that go with it, as bits
//! (AC3bit; Lecoutre & Vion 2008).
//!
//! Nothing is remembered from one look to the next, so that going back costs nothing.

use base::bits::ones;

use crate::network::{Table, VarId};
use crate::store::{Failed, Store};

/// So many words for each tuple are well spent, and so many in any case.
const WORDS_PER_TUPLE: usize = 32;
const FEW_WORDS: usize = 1 << 12;

/// A table of two variables.
#[derive(Clone, Debug)]
pub(crate) struct BinaryTable {
    scope: [VarId; 2],
    /// By side and value: the values of the other side that go with it, as many words each as the
    /// other side has.
    partners: [Vec<u64>; 2],
    is_changed: [bool; 2],
    mask: Vec<u64>,
}

impl BinaryTable {
    /// The tuples of a table of two variables, unless the values are too many for their number.
    pub(crate) fn new(table: &Table, store: &Store) -> Option<BinaryTable> {
        let &[one, other] = table.scope() else { return None };
        let n_words = [one, other].map(|var| store.words(var).len());
        let n_values = [one, other].map(|var| store.values(var).last().map_or(0, |last| last + 1));
        let n_all = n_values[0] * n_words[1] + n_values[1] * n_words[0];
        if n_all > FEW_WORDS.max(WORDS_PER_TUPLE * table.n_tuples()) {
            return None;
        }
        let mut partners = [vec![0; n_values[0] * n_words[1]], vec![0; n_values[1] * n_words[0]]];
        for tuple in table.tuples() {
            let [left, right] = [tuple[0] as usize, tuple[1] as usize];
            if store.has(one, left) && store.has(other, right) {
                partners[0][left * n_words[1] + right / 64] |= 1 << (right % 64);
                partners[1][right * n_words[0] + left / 64] |= 1 << (left % 64);
            }
        }
        Some(BinaryTable { scope: [one, other], partners, is_changed: [true; 2], mask: Vec::new() })
    }

    pub(crate) fn scope(&self) -> &[VarId] {
        &self.scope
    }

    /// Notes that the variable at a position of the scope has changed.
    pub(crate) fn note(&mut self, position: u32) {
        self.is_changed[position as usize] = true;
    }

    pub(crate) fn forget_notes(&mut self) {
        self.is_changed = [false; 2];
    }

    /// Takes away the values that go with none of the other side.
    pub(crate) fn propagate(&mut self, store: &mut Store) -> Result<(), Failed> {
        for side in 0..2 {
            if std::mem::take(&mut self.is_changed[side]) {
                self.revise(side, store)?;
            }
        }
        // A value that is left has a partner that is left, which therefore has one itself.
        Ok(())
    }

    /// Takes away what goes with no value of `side`.
    fn revise(&mut self, side: usize, store: &mut Store) -> Result<(), Failed> {
        let (var, partner) = (self.scope[side], self.scope[1 - side]);
        let n_words = store.words(partner).len();
        let partners_of = |value: usize| &self.partners[side][value * n_words..][..n_words];
        if store.is_fixed(var) {
            return store.intersect(partner, partners_of(store.first(var)));
        }
        self.mask.clear();
        self.mask.resize(n_words, 0);
        for value in ones(store.words(var)) {
            for (mask, word) in self.mask.iter_mut().zip(partners_of(value)) {
                *mask |= word;
            }
        }
        store.intersect(partner, &self.mask)
    }
}

#[cfg(test)]
mod tests {
    use base::{Id as _, seeded_rng};
    use rand::RngExt as _;

    use super::*;

    /// Domains of several words, beside all pairs.
    #[test]
    fn values_with_a_partner_are_left() {
        let sizes = [70, 130];
        let vars = [0, 1].map(VarId::from_index);
        let mut rng = seeded_rng(3);
        for _ in 0..200 {
            let mut store = Store::new(sizes.into_iter());
            let mut tuple = || sizes.map(|size| rng.random_range(0..size) as u32);
            let tuples: Vec<[u32; 2]> = (0..300).map(|_| tuple()).collect();
            let table = Table::new(vars.to_vec(), &tuples);
            let mut propagator = BinaryTable::new(&table, &store).expect("it is small");
            for var in vars {
                store.retain(var, |_| rng.random_range(0..4) > 0).unwrap();
            }
            let has = |store: &Store, tuple: &[u32; 2]| {
                vars.iter().zip(tuple).all(|(&var, &value)| store.has(var, value as usize))
            };
            let possible: Vec<&[u32; 2]> = tuples.iter().filter(|t| has(&store, t)).collect();
            propagator.propagate(&mut store).unwrap();
            for (side, &size) in sizes.iter().enumerate() {
                for value in 0..size {
                    let expected = possible.iter().any(|tuple| tuple[side] as usize == value);
                    assert_eq!(store.has(vars[side], value), expected);
                }
            }
        }
    }
}
