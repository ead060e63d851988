//! Sets of numbers as bits of words, counted.

/// How many bits are set.
#[multiversion::multiversion(targets("x86_64+popcnt"))]
pub(crate) fn n_ones(words: &[u64]) -> u32 {
    words.iter().map(|word| word.count_ones()).sum()
}

/// The bit before which `n` are set; there is one.
#[multiversion::multiversion(targets("x86_64+popcnt"))]
pub(crate) fn nth_one(words: &[u64], n: u32) -> usize {
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

#[cfg(test)]
mod tests {
    use base::bits::ones;

    use super::*;

    #[test]
    fn ones_are_found_by_their_number() {
        let words = [1 << 3 | 1 << 63, 0, 1 | 1 << 7];
        assert_eq!(ones(&words).collect::<Vec<_>>(), [3, 63, 128, 135]);
        assert_eq!(n_ones(&words), 4);
        assert_eq!((0..4).map(|n| nth_one(&words, n)).collect::<Vec<_>>(), [3, 63, 128, 135]);
    }
}
