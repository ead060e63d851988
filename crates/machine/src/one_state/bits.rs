//! Sets of numbers as bits.

/// The fluents that hold, as bits.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct BitState(Box<[u64]>);

impl BitState {
    pub(super) fn empty(n_fluents: usize) -> BitState {
        BitState(vec![0; n_fluents.div_ceil(64)].into())
    }

    pub(super) fn from_words(words: impl Iterator<Item = u64>) -> BitState {
        BitState(words.collect())
    }

    pub(super) fn set_words(&mut self, words: &[u64]) {
        self.0.copy_from_slice(words);
    }

    pub(super) fn words(&self) -> &[u64] {
        &self.0
    }

    pub(super) fn holds(&self, fluent: usize) -> bool {
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

/// Whether a bit is set.
pub(super) fn has(words: &[u64], bit: usize) -> bool {
    words[bit / 64] >> (bit % 64) & 1 == 1
}

/// The bits that are set.
pub(super) fn ones(words: &[u64]) -> impl Iterator<Item = usize> {
    let words = words.iter().enumerate();
    words.flat_map(|(number, &word)| ones_of(word).map(move |bit| 64 * number + bit))
}

/// How many bits are set.
#[multiversion::multiversion(targets("x86_64+popcnt"))]
pub(super) fn n_ones(words: &[u64]) -> u32 {
    words.iter().map(|word| word.count_ones()).sum()
}

/// The bit before which `n` are set; there is one.
#[multiversion::multiversion(targets("x86_64+popcnt"))]
pub(super) fn nth_one(words: &[u64], n: u32) -> usize {
    let mut n_left = n;
    for (number, &word) in words.iter().enumerate() {
        if n_left < word.count_ones() {
            let rest = (0..n_left).fold(word, |rest, _| rest & (rest - 1));
            return 64 * number + rest.trailing_zeros() as usize;
        }
        n_left -= word.count_ones();
    }
    unreachable!("more than {n} bits are set")
}

fn ones_of(word: u64) -> impl Iterator<Item = usize> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
        rest &= rest - 1;
        Some(bit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ones_are_found_by_their_number() {
        let words = [1 << 3 | 1 << 63, 0, 1 | 1 << 7];
        assert_eq!(ones(&words).collect::<Vec<_>>(), [3, 63, 128, 135]);
        assert_eq!(n_ones(&words), 4);
        assert_eq!((0..4).map(|n| nth_one(&words, n)).collect::<Vec<_>>(), [3, 63, 128, 135]);
    }

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
