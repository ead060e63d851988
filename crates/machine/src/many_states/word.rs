//! A bit for each of the plays that go on at the same time.

use std::ops::{Deref, DerefMut};

use base::bits::{has, ones};

/// How many words of 64 plays are evaluated together.
const N_WORDS: usize = 8;

/// The number of plays that go on at the same time.
pub const N_LANES: usize = 64 * N_WORDS;

/// The plays of which something is true. It fills a line of the cache, and a vector where there are
/// the widest ones: lying across two lines would double what it costs to read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub(super) struct Word([u64; N_WORDS]);

impl Word {
    pub(super) const NONE: Word = Word([0; N_WORDS]);
    pub(super) const ALL: Word = Word([u64::MAX; N_WORDS]);

    /// A word from its eight parts.
    #[inline(always)]
    pub(super) fn from_fn(part: impl FnMut(usize) -> u64) -> Word {
        Word(std::array::from_fn(part))
    }

    #[inline(always)]
    pub(super) fn is_none(&self) -> bool {
        self.0.iter().fold(0, |any, word| any | word) == 0
    }

    /// Whether the bit of a play is set.
    pub(super) fn has(&self, lane: usize) -> bool {
        has(&self.0, lane)
    }

    pub(super) fn set(&mut self, lane: usize, value: bool) {
        let word = &mut self.0[lane / 64];
        *word = *word & !(1 << (lane % 64)) | u64::from(value) << (lane % 64);
    }

    pub(super) fn n_lanes(&self) -> u64 {
        self.0.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// The first `n` plays.
    pub(super) fn first(n: usize) -> Word {
        Word::from_fn(|w| match n.saturating_sub(64 * w) {
            0 => 0,
            n => u64::MAX >> (64 - n.min(64)),
        })
    }

    /// The plays, ascending.
    pub(super) fn lanes(&self) -> impl Iterator<Item = usize> {
        ones(&self.0)
    }
}

impl Deref for Word {
    type Target = [u64; N_WORDS];

    #[inline(always)]
    fn deref(&self) -> &[u64; N_WORDS] {
        &self.0
    }
}

impl DerefMut for Word {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [u64; N_WORDS] {
        &mut self.0
    }
}

macro_rules! bitwise {
    ($trait:ident, $method:ident, $operator:tt) => {
        impl std::ops::$trait for Word {
            type Output = Word;

            #[inline(always)]
            fn $method(self, other: Word) -> Word {
                Word::from_fn(|w| self.0[w] $operator other.0[w])
            }
        }
    };
}

bitwise!(BitAnd, bitand, &);
bitwise!(BitOr, bitor, |);
bitwise!(BitXor, bitxor, ^);

impl std::ops::Not for Word {
    type Output = Word;

    #[inline(always)]
    fn not(self) -> Word {
        Word::from_fn(|w| !self.0[w])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_are_those_that_were_set() {
        let mut word = Word::NONE;
        [3, 64, 511].into_iter().for_each(|lane| word.set(lane, true));
        assert_eq!(word.lanes().collect::<Vec<_>>(), [3, 64, 511]);
        word.set(64, false);
        assert_eq!((word.has(64), word.has(511), word.n_lanes()), (false, true, 2));
        assert_eq!(Word::first(65).lanes().collect::<Vec<_>>(), (0..65).collect::<Vec<_>>());
    }
}
