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

/// Turns rows into columns: bit `column` of row `row` becomes bit `row` of row `column`. In six rounds blocks
/// of half the size change places (Warren, Hacker's Delight, 7-3).
#[multiversion::multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
pub(crate) fn transpose(rows: &mut [u64; 64]) {
    let mut size = 32;
    let mut low = u64::MAX >> 32;
    while size > 0 {
        for block in (0..64).step_by(2 * size) {
            for row in block..block + size {
                let swapped = (rows[row] >> size ^ rows[row + size]) & low;
                rows[row] ^= swapped << size;
                rows[row + size] ^= swapped;
            }
        }
        size /= 2;
        low ^= low << size;
    }
}

#[cfg(test)]
mod tests {
    use base::bits::ones;

    use super::*;

    #[test]
    fn transposed_bits_are_those_of_the_other_direction() {
        let mut number = 1_u64;
        let rows: [u64; 64] = std::array::from_fn(|_| {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            number
        });
        let mut columns = rows;
        transpose(&mut columns);
        for (row, column) in (0..64).flat_map(|row| (0..64).map(move |column| (row, column))) {
            assert_eq!(rows[row] >> column & 1, columns[column] >> row & 1);
        }
        transpose(&mut columns);
        assert_eq!(columns, rows);
    }

    #[test]
    fn ones_are_found_by_their_number() {
        let words = [1 << 3 | 1 << 63, 0, 1 | 1 << 7];
        assert_eq!(ones(&words).collect::<Vec<_>>(), [3, 63, 128, 135]);
        assert_eq!(n_ones(&words), 4);
        assert_eq!((0..4).map(|n| nth_one(&words, n)).collect::<Vec<_>>(), [3, 63, 128, 135]);
    }
}
