//! The values that are left for each variable, and the way back to more.

use base::bits::{has, ones, ones_of};
use base::{Id as _, IdVec};

use crate::network::VarId;

/// A variable has no value left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Failed;

/// The values that are left for each variable, as bits of words.
///
/// What is removed after [`Store::push_level`] comes back with [`Store::pop_level`]. A word that
/// changes for the first time on a level is put on the trail with its old value, and only then.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    words: Vec<u64>,
    /// By variable: its first word, and by the one behind the last, where they end.
    starts: Vec<u32>,
    sizes: IdVec<VarId, u32>,
    /// By word: when it was last put on the trail.
    saved_at: Vec<u64>,
    trail: Vec<Saved>,
    /// By level: how long the trail was.
    levels: Vec<usize>,
    /// Counts levels ever entered, so that no two have the same number.
    now: u64,
    /// The variables that have lost values and were not asked for yet.
    changed: Vec<VarId>,
    is_changed: IdVec<VarId, bool>,
}

#[derive(Clone, Copy, Debug)]
struct Saved {
    word: u32,
    var: VarId,
    old: u64,
}

impl Store {
    /// All values of domains of these sizes.
    pub(crate) fn new(sizes: impl Iterator<Item = usize>) -> Store {
        let mut store = Store {
            words: Vec::new(),
            starts: vec![0],
            sizes: IdVec::new(),
            saved_at: Vec::new(),
            trail: Vec::new(),
            levels: Vec::new(),
            now: 0,
            changed: Vec::new(),
            is_changed: IdVec::new(),
        };
        for size in sizes {
            let n_words = size.div_ceil(64);
            store.words.extend(std::iter::repeat_n(u64::MAX, n_words));
            if !size.is_multiple_of(64) {
                store.words[store.starts[store.sizes.len()] as usize + n_words - 1] =
                    (1 << (size % 64)) - 1;
            }
            store.starts.push(number(store.words.len()));
            store.sizes.push(number(size));
            store.is_changed.push(false);
        }
        store.saved_at = vec![0; store.words.len()];
        store
    }

    /// How many values a variable has left.
    #[inline]
    pub(crate) fn size(&self, var: VarId) -> usize {
        self.sizes[var] as usize
    }

    /// Whether a variable has one value left.
    #[inline]
    pub(crate) fn is_fixed(&self, var: VarId) -> bool {
        self.sizes[var] == 1
    }

    /// The values that are left, as bits.
    #[inline]
    pub(crate) fn words(&self, var: VarId) -> &[u64] {
        &self.words[self.starts[var.index()] as usize..self.starts[var.index() + 1] as usize]
    }

    /// Whether a value is left.
    #[inline]
    pub(crate) fn has(&self, var: VarId, value: usize) -> bool {
        has(self.words(var), value)
    }

    /// The values that are left, ascending.
    #[inline]
    pub(crate) fn values(&self, var: VarId) -> impl Iterator<Item = usize> + use<'_> {
        ones(self.words(var))
    }

    /// The least value that is left; there is one.
    #[inline]
    pub(crate) fn first(&self, var: VarId) -> usize {
        self.values(var).next().expect("variables with no value left are never asked for it")
    }

    /// The greatest value that is left; there is one.
    #[inline]
    pub(crate) fn last(&self, var: VarId) -> usize {
        let words = self.words(var);
        let number = words.iter().rposition(|word| *word != 0);
        let number = number.expect("variables with no value left are never asked for it");
        64 * number + words[number].ilog2() as usize
    }

    /// Takes a value away.
    #[inline]
    pub(crate) fn remove(&mut self, var: VarId, value: usize) -> Result<(), Failed> {
        if !self.has(var, value) {
            return Ok(());
        }
        let word = self.starts[var.index()] as usize + value / 64;
        self.save(word, var);
        self.words[word] &= !(1 << (value % 64));
        self.lose(var, 1)
    }

    /// Takes all other values away.
    #[inline]
    pub(crate) fn fix(&mut self, var: VarId, value: usize) -> Result<(), Failed> {
        if !self.has(var, value) {
            return Err(Failed);
        }
        let n_lost = self.sizes[var] - 1;
        if n_lost == 0 {
            return Ok(());
        }
        let start = self.starts[var.index()] as usize;
        for word in start..self.starts[var.index() + 1] as usize {
            let kept = if word == start + value / 64 { 1 << (value % 64) } else { 0 };
            if self.words[word] != kept {
                self.save(word, var);
                self.words[word] = kept;
            }
        }
        self.lose(var, n_lost)
    }

    /// Takes the values away that `keep` refuses.
    pub(crate) fn retain(
        &mut self,
        var: VarId,
        mut keep: impl FnMut(usize) -> bool,
    ) -> Result<(), Failed> {
        let start = self.starts[var.index()] as usize;
        let mut n_lost = 0;
        for word in start..self.starts[var.index() + 1] as usize {
            let mut kept = self.words[word];
            for bit in ones_of(kept) {
                if !keep(64 * (word - start) + bit) {
                    kept &= !(1 << bit);
                    n_lost += 1;
                }
            }
            if kept != self.words[word] {
                self.save(word, var);
                self.words[word] = kept;
            }
        }
        if n_lost == 0 { Ok(()) } else { self.lose(var, n_lost) }
    }

    /// Takes the values away that have no bit in `kept`, which has as many words as the domain.
    #[inline]
    pub(crate) fn intersect(&mut self, var: VarId, kept: &[u64]) -> Result<(), Failed> {
        let start = self.starts[var.index()] as usize;
        let mut n_lost = 0;
        for (word, &kept) in (start..).zip(kept) {
            let lost = self.words[word] & !kept;
            if lost != 0 {
                self.save(word, var);
                self.words[word] &= kept;
                n_lost += lost.count_ones();
            }
        }
        if n_lost == 0 { Ok(()) } else { self.lose(var, n_lost) }
    }

    fn lose(&mut self, var: VarId, n_lost: u32) -> Result<(), Failed> {
        self.sizes[var] -= n_lost;
        if !std::mem::replace(&mut self.is_changed[var], true) {
            self.changed.push(var);
        }
        if self.sizes[var] == 0 { Err(Failed) } else { Ok(()) }
    }

    #[inline]
    fn save(&mut self, word: usize, var: VarId) {
        if self.saved_at[word] != self.now && !self.levels.is_empty() {
            self.saved_at[word] = self.now;
            self.trail.push(Saved { word: number(word), var, old: self.words[word] });
        }
    }

    /// A variable that has lost values since it was last asked for.
    pub(crate) fn pop_changed(&mut self) -> Option<VarId> {
        let var = self.changed.pop()?;
        self.is_changed[var] = false;
        Some(var)
    }

    /// Whether a variable has lost values and was not asked for since.
    pub(crate) fn has_changed(&self) -> bool {
        !self.changed.is_empty()
    }

    /// How many levels there are.
    pub(crate) fn n_levels(&self) -> usize {
        self.levels.len()
    }

    /// What is removed from now on comes back with [`Store::pop_level`].
    pub(crate) fn push_level(&mut self) {
        self.levels.push(self.trail.len());
        self.now += 1;
    }

    /// Gives back what was removed since the last [`Store::push_level`].
    pub(crate) fn pop_level(&mut self) {
        let length = self.levels.pop().expect("a level was pushed");
        while self.trail.len() > length {
            let Saved { word, var, old } = self.trail.pop().expect("it is longer");
            let n_back = (old & !self.words[word as usize]).count_ones();
            self.words[word as usize] = old;
            self.sizes[var] += n_back;
        }
        // A word that is saved again on an older level must not seem to be saved already.
        self.now += 1;
        while self.pop_changed().is_some() {}
    }
}

fn number(index: usize) -> u32 {
    u32::try_from(index).expect("fewer than 2^32 values in all")
}

#[cfg(test)]
mod tests {
    use rand::RngExt as _;

    use super::*;

    /// Random removals on random levels, beside a copy of the sets for each level.
    #[test]
    fn what_was_removed_comes_back() {
        let sizes = [1, 3, 64, 65, 130];
        let vars: Vec<VarId> = (0..sizes.len()).map(VarId::from_index).collect();
        let mut rng = base::seeded_rng(1);
        let mut store = Store::new(sizes.into_iter());
        let mut sets: Vec<Vec<bool>> = sizes.iter().map(|&size| vec![true; size]).collect();
        let mut copies = Vec::new();
        for _ in 0..20_000 {
            let var = vars[rng.random_range(0..vars.len())];
            let set = &mut sets[var.index()];
            let value = rng.random_range(0..set.len());
            let n_left = set.iter().filter(|is_left| **is_left).count();
            match rng.random_range(0..8) {
                0 => {
                    copies.push(sets.clone());
                    store.push_level();
                }
                1 | 2 => {
                    if let Some(copy) = copies.pop() {
                        sets = copy;
                        store.pop_level();
                    }
                }
                3 if set[value] => {
                    set.fill(false);
                    set[value] = true;
                    store.fix(var, value).unwrap();
                }
                5 if n_left > 4 && set[value] => {
                    set.iter_mut().enumerate().for_each(|(n, kept)| *kept &= n % 2 == value % 2);
                    let kept = [0x5555_5555_5555_5555_u64 << (value % 2); 3];
                    store.intersect(var, &kept[..store.words(var).len()]).unwrap();
                }
                4 if n_left > 4 => {
                    set.iter_mut().enumerate().for_each(|(n, is_left)| *is_left &= n % 3 != 1);
                    let outcome = store.retain(var, |n| n % 3 != 1);
                    assert_eq!(outcome.is_err(), set.iter().all(|is_left| !is_left));
                }
                _ if n_left > 1 => {
                    set[value] = false;
                    store.remove(var, value).unwrap();
                }
                _ => {}
            }
            for (&var, set) in vars.iter().zip(&sets) {
                let left: Vec<usize> = (0..set.len()).filter(|&n| set[n]).collect();
                assert_eq!(store.values(var).collect::<Vec<_>>(), left);
                assert_eq!(store.size(var), left.len());
            }
        }
    }
}
