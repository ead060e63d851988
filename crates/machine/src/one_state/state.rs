//! A state as bits.

use base::bits::{has, ones_of};

/// The fluents that hold, as bits.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct BitState(Box<[u64]>);

impl BitState {
    pub(super) fn empty(n_fluents: usize) -> BitState {
        BitState(vec![0; n_fluents.div_ceil(64)].into())
    }

    /// The state of the same game in which nothing holds.
    pub(super) fn none(&self) -> BitState {
        BitState(vec![0; self.0.len()].into())
    }

    pub(crate) fn from_words(words: impl Iterator<Item = u64>) -> BitState {
        BitState(words.collect())
    }

    pub(super) fn set_words(&mut self, words: &[u64]) {
        self.0.copy_from_slice(words);
    }

    /// The fluents, a bit each, 64 in a word.
    pub fn words(&self) -> &[u64] {
        &self.0
    }

    pub(crate) fn holds(&self, fluent: usize) -> bool {
        has(&self.0, fluent)
    }

    pub(super) fn set(&mut self, fluent: usize) {
        self.0[fluent / 64] |= 1 << (fluent % 64);
    }

    /// The fluents that are otherwise in `other`, and how they are there.
    pub(super) fn differences(&self, other: &BitState) -> impl Iterator<Item = (usize, bool)> {
        self.0.iter().zip(&other.0).enumerate().flat_map(|(number, (mine, its))| {
            ones_of(mine ^ its).map(move |bit| (64 * number + bit, its >> bit & 1 == 1))
        })
    }

    /// The size of the state in memory, in bytes.
    pub fn n_bytes(&self) -> usize {
        size_of_val(self) + size_of_val(&*self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_those_of_the_other() {
        let (mut one, mut other) = (BitState::empty(100), BitState::empty(100));
        one.set(2);
        one.set(70);
        other.set(70);
        other.set(99);
        assert_eq!(one.differences(&other).collect::<Vec<_>>(), [(2, false), (99, true)]);
    }
}
