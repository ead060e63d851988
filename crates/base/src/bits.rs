//! Sets of numbers as bits of words.

/// Whether a bit is set.
#[inline]
pub fn has(words: &[u64], bit: usize) -> bool {
    words[bit / 64] >> (bit % 64) & 1 == 1
}

/// The bits that are set, ascending.
///
/// ```
/// assert_eq!(base::bits::ones(&[0b101, 0b10]).collect::<Vec<_>>(), [0, 2, 65]);
/// ```
#[inline]
pub fn ones(words: &[u64]) -> impl Iterator<Item = usize> {
    let words = words.iter().enumerate();
    words.flat_map(|(number, &word)| ones_of(word).map(move |bit| 64 * number + bit))
}

/// The bits of a word that are set, ascending.
#[inline]
pub fn ones_of(word: u64) -> impl Iterator<Item = usize> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
        rest &= rest - 1;
        Some(bit)
    })
}
