//! A move for each play, uniformly among its legal ones, without looking at a single play.
//!
//! The legal moves of a role are the leaves of a tree. Going up, each node counts the legal moves
//! below it; the counts are numbers whose binary digits are words, so that all plays are counted
//! with the same few operations. At the root each play draws a number below its count. Going down,
//! a play goes to the left when its number is below the count there, else to the right with what is
//! left of it. The leaf at which it arrives is its move.

use base::Rng;
use rand::Rng as _;

use super::phase::NO_PLAYS as NONE;
use super::{N_WORDS, Word, is_none, zip};

/// How many random digits a draw takes: the shares of two moves differ by less than 2^-20.
const N_DIGITS: usize = 24;

/// The counts of a tree over the moves of a role, kept from draw to draw.
#[derive(Clone, Debug, Default)]
pub(super) struct Choice {
    /// By level, leaves first: the digits of the counts, node by node, the lowest digit first. A
    /// node of level `l` has `l + 1` digits.
    levels: Vec<Vec<Word>>,
    /// By node of a level: the plays that have come to it.
    here: Vec<Word>,
    below: Vec<Word>,
    digits: Vec<Word>,
}

impl Choice {
    /// By move: the plays that make it.
    pub(super) fn chosen(&self) -> &[Word] {
        &self.here
    }

    /// Picks among the moves that are legal in each play; those in `idle` make none. Fails with the
    /// plays that have none to make.
    pub(super) fn choose(
        &mut self,
        legal: &[Word],
        idle: &Word,
        rng: &mut Rng,
    ) -> Result<(), Word> {
        self.here.clear();
        let mut playing = idle.map(|word| !word);
        if legal.is_empty() {
            return if is_none(&playing) { Ok(()) } else { Err(playing) };
        }
        count(legal, &mut self.levels);
        let root = self.levels.last().expect("there is a move");
        let has_move = union(root);
        let stuck = zip(&playing, &has_move, |playing, has_move| playing & !has_move);
        if !is_none(&stuck) {
            return Err(stuck);
        }
        playing = zip(&playing, &has_move, |playing, has_move| playing & has_move);
        let n_digits = root.iter().rposition(|digit| !is_none(digit)).map_or(0, |last| last + 1);
        self.digits.clear();
        if n_digits > 1 {
            let mut random = [NONE; N_DIGITS];
            random.iter_mut().flatten().for_each(|word| *word = rng.next_u64());
            below_count(&root[..n_digits], &random, &mut self.digits);
        }
        self.digits.resize(self.levels.len(), NONE);
        self.here.push(playing);
        for level in (1..self.levels.len()).rev() {
            descend(&self.levels[level - 1], level, &mut self.digits, &self.here, &mut self.below);
            std::mem::swap(&mut self.here, &mut self.below);
        }
        self.here.truncate(legal.len());
        Ok(())
    }
}

fn union(words: &[Word]) -> Word {
    words.iter().fold(NONE, |all, word| zip(&all, word, |a, b| a | b))
}

/// Fills the counts of all levels from those of the leaves.
#[multiversion::multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn count(legal: &[Word], levels: &mut Vec<Vec<Word>>) {
    levels.resize_with(1, Vec::new);
    levels[0].clear();
    levels[0].extend_from_slice(legal);
    let mut n_nodes = legal.len();
    let mut level = 0;
    while n_nodes > 1 {
        level += 1;
        if levels.len() == level {
            levels.push(Vec::new());
        }
        let (lower, upper) = levels.split_at_mut(level);
        let (lower, upper) = (&lower[level - 1], &mut upper[0]);
        upper.clear();
        for node in 0..n_nodes.div_ceil(2) {
            // `level` digits on each side, one more above.
            let left = &lower[2 * node * level..(2 * node + 1) * level];
            let right = lower.get((2 * node + 1) * level..(2 * node + 2) * level);
            let mut carry = [0; N_WORDS];
            for digit in 0..level {
                let a = left[digit];
                let b = right.map_or([0; N_WORDS], |right| right[digit]);
                let mut sum = [0; N_WORDS];
                for w in 0..N_WORDS {
                    let either = a[w] ^ b[w];
                    sum[w] = either ^ carry[w];
                    carry[w] = (a[w] & b[w]) | (either & carry[w]);
                }
                upper.push(sum);
            }
            upper.push(carry);
        }
        n_nodes = n_nodes.div_ceil(2);
    }
    levels.truncate(level + 1);
}

/// The digits of `floor(count · random / 2^N_DIGITS)`: a number below the count. Multiplies digit by
/// digit of the random number, lowest first, and drops what falls behind the point.
#[multiversion::multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn below_count(count: &[Word], random: &[Word; N_DIGITS], out: &mut Vec<Word>) {
    out.clear();
    out.resize(count.len() + 1, [0; N_WORDS]);
    for factor in random {
        let mut carry = [0; N_WORDS];
        for digit in 0..count.len() {
            // The sum goes one place down: that is the division by two.
            let a = out[digit];
            for w in 0..N_WORDS {
                let b = count[digit][w] & factor[w];
                let either = a[w] ^ b;
                let sum = either ^ carry[w];
                carry[w] = (a[w] & b) | (either & carry[w]);
                if digit > 0 {
                    out[digit - 1][w] = sum;
                }
            }
        }
        out[count.len() - 1] = carry;
    }
}

/// Sends the plays at each node of `level` to its children, whose counts are `counts`.
#[multiversion::multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn descend(
    counts: &[Word],
    level: usize,
    digits: &mut [Word],
    here: &[Word],
    below: &mut Vec<Word>,
) {
    below.clear();
    for (node, playing) in here.iter().enumerate() {
        if is_none(playing) {
            below.extend([[0; N_WORDS]; 2]);
            continue;
        }
        // A child of `level - 1` has `level` digits.
        let left = &counts[2 * node * level..(2 * node + 1) * level];
        let mut borrow = [0; N_WORDS];
        for digit in 0..level {
            for w in 0..N_WORDS {
                let (number, count) = (digits[digit][w], left[digit][w]);
                borrow[w] = (!number & (count | borrow[w])) | (count & borrow[w]);
            }
        }
        // Digits of the number above those of the count.
        for digit in &digits[level..] {
            for w in 0..N_WORDS {
                borrow[w] &= !digit[w];
            }
        }
        let mut to_left = [0; N_WORDS];
        let mut to_right = [0; N_WORDS];
        for w in 0..N_WORDS {
            to_left[w] = playing[w] & borrow[w];
            to_right[w] = playing[w] & !borrow[w];
        }
        if !is_none(&to_right) {
            subtract(left, &to_right, digits);
        }
        below.push(to_left);
        below.push(to_right);
    }
}

/// Takes `count` from the numbers of the plays in `lanes`, which are not smaller.
#[inline(always)]
fn subtract(count: &[Word], lanes: &Word, digits: &mut [Word]) {
    let mut borrow = [0; N_WORDS];
    for (digit, number) in digits.iter_mut().enumerate() {
        for w in 0..N_WORDS {
            let taken = count.get(digit).map_or(0, |count| count[w] & lanes[w]);
            let either = number[w] ^ taken;
            let rest = either ^ borrow[w];
            borrow[w] = (!number[w] & (taken | borrow[w])) | (taken & borrow[w]);
            number[w] = rest;
        }
    }
}

#[cfg(test)]
mod tests {
    use base::seeded_rng;

    use super::*;

    /// Whether a move is legal in a play of these tests.
    type IsLegal = fn(usize) -> bool;

    /// Chi-square for plays with different numbers of legal moves; the bounds are those of 1 in
    /// 10,000.
    #[test]
    fn every_legal_move_is_as_likely_as_the_others() {
        const ROUNDS: u32 = 20_000;
        let plays: [(IsLegal, f64); 4] =
            [(|n| n < 3, 18.4), (|n| n >= 30, 121.0), (|n| n == 50, 0.001), (|_| true, 158.0)];
        let legal: Vec<Word> = (0..100)
            .map(|number| {
                let bits = plays.iter().enumerate();
                let bits = bits.map(|(lane, (is_legal, _))| u64::from(is_legal(number)) << lane);
                std::array::from_fn(|w| if w == 5 { bits.clone().sum() } else { 0 })
            })
            .collect();
        let mut ended = [u64::MAX; N_WORDS];
        ended[5] = !0b1111;
        let mut counts = vec![[0_u32; 4]; legal.len()];
        let mut choice = Choice::default();
        let mut rng = seeded_rng(7);
        for _ in 0..ROUNDS {
            choice.choose(&legal, &ended, &mut rng).unwrap();
            let chosen = choice.chosen();
            assert_eq!(chosen.iter().flatten().map(|word| word.count_ones()).sum::<u32>(), 4);
            for (number, word) in chosen.iter().enumerate() {
                for (lane, count) in counts[number].iter_mut().enumerate() {
                    *count += u32::from(word[5] >> lane & 1 == 1);
                }
            }
        }
        for (lane, (is_legal, bound)) in plays.iter().enumerate() {
            let (legal, illegal): (Vec<usize>, Vec<usize>) =
                (0..counts.len()).partition(|&n| is_legal(n));
            assert!(illegal.iter().all(|&n| counts[n][lane] == 0));
            let expected = f64::from(ROUNDS) / legal.len() as f64;
            let deviation = |&n: &usize| (f64::from(counts[n][lane]) - expected).powi(2) / expected;
            let chi_square: f64 = legal.iter().map(deviation).sum();
            assert!(chi_square < *bound, "{chi_square} for {} moves", legal.len());
        }
    }

    #[test]
    fn each_play_makes_one_of_its_legal_moves() {
        let mut rng = seeded_rng(3);
        let mut choice = Choice::default();
        for n_moves in [1, 2, 3, 7, 64, 65, 200] {
            let mut legal: Vec<Word> = (0..n_moves)
                .map(|_| std::array::from_fn(|_| rng.next_u64() & rng.next_u64()))
                .collect();
            // Somebody has no other move.
            legal[n_moves / 2] = legal[n_moves / 2].map(|_| u64::MAX);
            let ended: Word = std::array::from_fn(|_| rng.next_u64());
            choice.choose(&legal, &ended, &mut rng).unwrap();
            let mut made = NONE;
            assert_eq!(choice.chosen().len(), n_moves);
            for (chosen, legal) in choice.chosen().iter().zip(&legal) {
                for w in 0..N_WORDS {
                    assert_eq!(chosen[w] & !legal[w], 0, "an illegal move");
                    assert_eq!(chosen[w] & made[w], 0, "two moves");
                    made[w] |= chosen[w];
                }
            }
            assert_eq!(made, ended.map(|word| !word));
        }
    }

    #[test]
    fn plays_without_legal_move_are_named() {
        let legal = [[u64::MAX, u64::MAX, !4, 0, 0, 0, 0, 0]];
        let ended = [0, 0, 0, u64::MAX, u64::MAX, u64::MAX, u64::MAX, u64::MAX];
        let outcome = Choice::default().choose(&legal, &ended, &mut seeded_rng(1));
        assert_eq!(outcome, Err([0, 0, 4, 0, 0, 0, 0, 0]));
    }
}
