//! A move for each play, uniformly among its legal ones.

use base::Rng;
use rand::Rng as _;

use super::{N_WORDS, Word};

/// The legal moves of a role, 64 plays at a time, turned so that each play has a word of moves.
#[derive(Clone, Debug, Default)]
pub(super) struct Choice {
    /// By word of plays: the moves that are legal in some of them, and in which.
    moves: [Vec<u32>; N_WORDS],
    legal: [Vec<u64>; N_WORDS],
}

impl Choice {
    pub(super) fn clear(&mut self) {
        self.moves.iter_mut().for_each(Vec::clear);
        self.legal.iter_mut().for_each(Vec::clear);
    }

    /// Adds a move, and the plays in which it is legal.
    pub(super) fn add(&mut self, number: usize, legal: &Word) {
        let number = u32::try_from(number).expect("fewer than 2^32 moves");
        for (w, &word) in legal.iter().enumerate() {
            if word != 0 {
                self.moves[w].push(number);
                self.legal[w].push(word);
            }
        }
    }

    /// Calls `play` with a move for each play that is not in `ended`; fails with the number of a
    /// play that has none.
    pub(super) fn choose(
        &mut self,
        ended: &Word,
        rng: &mut Rng,
        mut play: impl FnMut(usize, usize),
    ) -> Result<(), usize> {
        for (w, &ended) in ended.iter().enumerate() {
            let moves = &self.moves[w];
            let legal = &mut self.legal[w];
            legal.resize(legal.len().next_multiple_of(64), 0);
            legal.chunks_exact_mut(64).for_each(transpose);
            for lane in 0..64 {
                if ended >> lane & 1 == 1 {
                    continue;
                }
                let masks = legal[lane..].iter().step_by(64);
                let n_legal: u32 = masks.clone().map(|mask| mask.count_ones()).sum();
                if n_legal == 0 {
                    return Err(64 * w + lane);
                }
                let place = nth_move(masks, below(n_legal, rng));
                play(moves[place] as usize, 64 * w + lane);
            }
        }
        Ok(())
    }
}

/// A number below `n`, uniformly, but for one part in 2^32 / n.
fn below(n: u32, rng: &mut Rng) -> u32 {
    // Lemire 2019, without the rejection, which would be for ranges near 2^32.
    let wide = u64::from(rng.next_u32()) * u64::from(n);
    (wide >> 32) as u32
}

/// The place of the set bit with the given number, over all masks.
fn nth_move<'a>(masks: impl Iterator<Item = &'a u64>, mut n: u32) -> usize {
    for (block, &mask) in masks.enumerate() {
        let n_here = mask.count_ones();
        if n < n_here {
            let mut rest = mask;
            for _ in 0..n {
                rest &= rest - 1;
            }
            return 64 * block + rest.trailing_zeros() as usize;
        }
        n -= n_here;
    }
    unreachable!("there are more set bits than the number")
}

/// Turns 64 words of 64 bits: bit `i` of word `j` becomes bit `j` of word `i` (Warren, Hacker's
/// Delight, 7-3).
fn transpose(words: &mut [u64]) {
    let mut mask = 0x0000_0000_ffff_ffff_u64;
    let mut shift = 32;
    while shift > 0 {
        let mut k = 0;
        while k < 64 {
            let swapped = ((words[k] >> shift) ^ words[k + shift]) & mask;
            words[k] ^= swapped << shift;
            words[k + shift] ^= swapped;
            k = (k + shift + 1) & !shift;
        }
        shift /= 2;
        mask ^= mask << shift;
    }
}

#[cfg(test)]
mod tests {
    use base::seeded_rng;

    use super::*;

    #[test]
    fn transposing_turns_rows_into_columns() {
        let mut rng = seeded_rng(1);
        let before: Vec<u64> = (0..64).map(|_| rng.next_u64()).collect();
        let mut after = before.clone();
        transpose(&mut after);
        for (i, row) in before.iter().enumerate() {
            for (j, column) in after.iter().enumerate() {
                assert_eq!(row >> j & 1, column >> i & 1);
            }
        }
    }

    /// Chi-square with 3, 70 and 1 legal moves in different plays; the bound is that of 1 in 10,000.
    #[test]
    fn every_legal_move_is_as_likely_as_the_others() {
        let mut rng = seeded_rng(7);
        let mut choice = Choice::default();
        let mut counts = vec![[0_u32; 3]; 100];
        const ROUNDS: u32 = 20_000;
        for _ in 0..ROUNDS {
            choice.clear();
            for number in 0..100 {
                let word = u64::from(number < 3)
                    | u64::from(number >= 30) << 1
                    | u64::from(number == 50) << 2;
                choice.add(number, &[word, 0, 0, 0, 0, 0, 0, 0]);
            }
            let mut ended = [u64::MAX; N_WORDS];
            ended[0] = !0b111;
            let chosen = choice.choose(&ended, &mut rng, |number, lane| counts[number][lane] += 1);
            assert_eq!(chosen, Ok(()));
        }
        for (lane, n_legal, bound) in [(0, 3, 18.4), (1, 70, 121.0), (2, 1, 0.001)] {
            let expected = f64::from(ROUNDS) / f64::from(n_legal);
            let observed: Vec<f64> = counts.iter().map(|c| f64::from(c[lane])).collect();
            let n_chosen = observed.iter().filter(|&&n| n > 0.0).count();
            assert_eq!(n_chosen, n_legal as usize);
            let chi_square: f64 = observed
                .iter()
                .filter(|&&n| n > 0.0)
                .map(|n| (n - expected).powi(2) / expected)
                .sum();
            assert!(chi_square < bound, "{chi_square} for {n_legal} moves");
        }
    }

    #[test]
    fn a_play_without_legal_move_is_named() {
        let mut choice = Choice::default();
        choice.add(0, &[u64::MAX, u64::MAX, !4, 0, 0, 0, 0, 0]);
        let outcome = choice.choose(&[0; N_WORDS], &mut seeded_rng(1), |_, _| {});
        assert_eq!(outcome, Err(130));
    }
}
