//! A move for each play, uniformly among its legal ones, without looking at a single play.
//!
//! The legal moves of a role come in blocks of sixteen, and the blocks are the leaves of a tree. Going
//! up, each node counts the legal moves below it; the counts are numbers whose binary digits are
//! words, so that all plays are counted with the same few operations. At the root each play draws a
//! number below its count. Going down, a play goes to the left when its number is below the count
//! there, else to the right with what is left of it. In the block at which it arrives, its number is
//! counted down from one legal move to the next.

use base::Rng;
use rand::Rng as _;

use super::legal::Legal;
use super::word::Word;

/// How many random digits a draw takes: the shares of two moves differ by less than 2^-20.
const N_DIGITS: usize = 24;

/// How many moves a block has, and how many digits its count.
pub(super) const BLOCK: usize = 16;
const BLOCK_DIGITS: usize = 5;

/// How many digits a count may have: there are fewer than 2^32 moves.
const MAX_DIGITS: usize = 32;

/// The counts of a tree over the moves of a role, kept from draw to draw.
#[derive(Clone, Debug, Default)]
pub(super) struct Choice {
    /// By level, blocks first: the digits of the counts, node by node, the lowest digit first. A
    /// node of level `l` has `BLOCK_DIGITS + l` digits.
    levels: Vec<Vec<Word>>,
    /// By node of a level: the plays that have come to it.
    here: Vec<Word>,
    below: Vec<Word>,
    digits: Vec<Word>,
}

impl Choice {
    /// Picks among the moves that are legal in each play; those in `idle` make none. Fails with the
    /// plays that have none to make. `legal` becomes the moves that are made.
    pub(super) fn choose(
        &mut self,
        legal: &mut Legal,
        idle: Word,
        rng: &mut Rng,
    ) -> Result<(), Word> {
        let (words, inputs) = legal.blocks_mut();
        count(words, &mut self.levels);
        let root = self.levels.last().expect("there is a block");
        let has_move = root.iter().fold(Word::NONE, |all, &digit| all | digit);
        let stuck = !idle & !has_move;
        if !stuck.is_none() {
            return Err(stuck);
        }
        let n_digits = root.iter().rposition(|digit| !digit.is_none()).map_or(0, |last| last + 1);
        self.digits.clear();
        if n_digits > 1 {
            let random = std::array::from_fn(|_| Word::from_fn(|_| rng.next_u64()));
            below_count(&root[..n_digits], &random, &mut self.digits);
        }
        // Within a block numbers have a digit less than counts.
        self.digits.resize(n_digits.max(BLOCK_DIGITS - 1), Word::NONE);
        self.here.clear();
        self.here.push(!idle & has_move);
        for level in (1..self.levels.len()).rev() {
            let n_digits = BLOCK_DIGITS + level - 1;
            let counts = &self.levels[level - 1];
            descend(counts, n_digits, &mut self.digits, &self.here, &mut self.below);
            std::mem::swap(&mut self.here, &mut self.below);
        }
        let n_made = pick(words, inputs, &self.here, &self.digits);
        legal.truncate(n_made);
        Ok(())
    }
}

/// The sum of three digits, and what is carried.
#[inline(always)]
fn add(a: Word, b: Word, c: Word) -> (Word, Word) {
    (a ^ b ^ c, (a & b) | ((a ^ b) & c))
}

/// What is borrowed when `b` and an earlier `borrow` are taken from the digit `a`.
#[inline(always)]
fn borrow(a: Word, b: Word, borrow: Word) -> Word {
    (!a & (b | borrow)) | (b & borrow)
}

/// In how many of eight words a bit is set.
#[inline(always)]
fn count_eight([a, b, c, d, e, f, g, h]: [Word; 8]) -> [Word; 4] {
    let (one, two_1) = add(a, b, c);
    let (other, two_2) = add(d, e, f);
    let (one, two_3) = add(one, g, h);
    let (one, two_4) = add(one, other, Word::NONE);
    let (two, four_1) = add(two_1, two_2, two_3);
    let (two, four_2) = add(two, two_4, Word::NONE);
    let (four, eight) = add(four_1, four_2, Word::NONE);
    [one, two, four, eight]
}

#[inline(always)]
fn sum(a: [Word; 4], b: [Word; 4]) -> [Word; BLOCK_DIGITS] {
    let (one, carry) = add(a[0], b[0], Word::NONE);
    let (two, carry) = add(a[1], b[1], carry);
    let (four, carry) = add(a[2], b[2], carry);
    let (eight, carry) = add(a[3], b[3], carry);
    [one, two, four, eight, carry]
}

/// Fills the counts of all levels.
#[multiversion::multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn count(legal: &[Word], levels: &mut Vec<Vec<Word>>) {
    if levels.is_empty() {
        levels.push(Vec::new());
    }
    levels[0].clear();
    let (blocks, _) = legal.as_chunks::<BLOCK>();
    for block in blocks {
        let (halves, _) = block.as_chunks();
        levels[0].extend(sum(count_eight(halves[0]), count_eight(halves[1])));
    }
    let mut n_nodes = blocks.len();
    let mut level = 0;
    while n_nodes > 1 {
        level += 1;
        if levels.len() == level {
            levels.push(Vec::new());
        }
        let n_digits = BLOCK_DIGITS + level - 1;
        let (lower, upper) = levels.split_at_mut(level);
        let (lower, upper) = (&lower[level - 1], &mut upper[0]);
        upper.clear();
        for pair in lower.chunks(2 * n_digits) {
            let (left, right) = pair.split_at(n_digits);
            let mut carry = Word::NONE;
            for (digit, &left) in left.iter().enumerate() {
                let sum;
                let right = right.get(digit).copied().unwrap_or(Word::NONE);
                (sum, carry) = add(left, right, carry);
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
    out.resize(count.len() + 1, Word::NONE);
    for &factor in random {
        let mut carry = Word::NONE;
        for (digit, &of_count) in count.iter().enumerate() {
            // The sum goes one place down: that is the division by two.
            let sum;
            (sum, carry) = add(out[digit], of_count & factor, carry);
            if digit > 0 {
                out[digit - 1] = sum;
            }
        }
        out[count.len() - 1] = carry;
    }
}

/// Sends the plays at each node to its children, whose counts are `counts`, of `n_digits` each.
#[multiversion::multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn descend(
    counts: &[Word],
    n_digits: usize,
    digits: &mut [Word],
    here: &[Word],
    below: &mut Vec<Word>,
) {
    // A play is at one node only, so what is taken from all numbers is taken at the end: no node
    // waits for the one before.
    let mut taken = [Word::NONE; MAX_DIGITS];
    // Digits above those of the numbers are zero.
    let n_compared = n_digits.min(digits.len());
    below.clear();
    for (node, &playing) in here.iter().enumerate() {
        if playing.is_none() {
            below.extend([Word::NONE; 2]);
            continue;
        }
        let start = 2 * node * n_digits;
        let left = &counts[start..start + n_compared];
        let mut is_below = Word::NONE;
        for (&digit, &left) in digits.iter().zip(left) {
            is_below = borrow(digit, left, is_below);
        }
        for &digit in &digits[n_compared..] {
            is_below = is_below & !digit;
        }
        let to_right = playing & !is_below;
        for (taken, &left) in taken.iter_mut().zip(left) {
            *taken = *taken | (left & to_right);
        }
        below.push(playing & is_below);
        below.push(to_right);
    }
    let mut borrowed = Word::NONE;
    for (digit, taken) in digits.iter_mut().zip(taken) {
        let before = *digit;
        *digit = before ^ taken ^ borrowed;
        borrowed = borrow(before, taken, borrowed);
    }
}

/// Counts the number of each play down from one legal move of its block to the next, and replaces
/// the moves by those that are made, of which it returns the number.
#[multiversion::multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn pick(words: &mut [Word], inputs: &mut [u32], here: &[Word], digits: &[Word]) -> usize {
    let mut n_made = 0;
    for (block, &playing) in here.iter().enumerate() {
        if playing.is_none() {
            continue;
        }
        let mut playing = playing;
        let [mut one, mut two, mut four, mut eight] = [digits[0], digits[1], digits[2], digits[3]];
        for number in BLOCK * block..BLOCK * (block + 1) {
            let legal = words[number];
            let made = playing & legal & !(one | two | four | eight);
            playing = playing & !made;
            let from_two = legal & !one;
            let from_four = from_two & !two;
            let from_eight = from_four & !four;
            one = one ^ legal;
            two = two ^ from_two;
            four = four ^ from_four;
            eight = eight ^ from_eight;
            // Without a branch, as when moves are added; it is written no further than was read.
            words[n_made] = made;
            inputs[n_made] = inputs[number];
            n_made += usize::from(!made.is_none());
        }
    }
    n_made
}

#[cfg(test)]
mod tests {
    use base::seeded_rng;

    use super::*;

    /// Moves with these plays, whose inputs are their numbers.
    fn moves(plays: &[Word]) -> Legal {
        let mut legal = Legal::new(plays.len());
        legal.extend(|adding| (0..).zip(plays).for_each(|(input, &word)| adding.add(input, word)));
        legal
    }

    /// By number: the plays in which a move is made.
    fn choose(choice: &mut Choice, legal: &[Word], idle: Word, rng: &mut Rng) -> Vec<Word> {
        let mut chosen = moves(legal);
        choice.choose(&mut chosen, idle, rng).unwrap();
        let mut by_number = vec![Word::NONE; legal.len()];
        for (&input, &word) in chosen.inputs().iter().zip(chosen.words()) {
            by_number[input as usize] = word;
        }
        by_number
    }

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
                Word::from_fn(|w| if w == 5 { bits.clone().sum() } else { 0 })
            })
            .collect();
        let mut ended = Word::ALL;
        ended[5] = !0b1111;
        let mut counts = vec![[0_u32; 4]; legal.len()];
        let mut choice = Choice::default();
        let mut rng = seeded_rng(7);
        for _ in 0..ROUNDS {
            let chosen = choose(&mut choice, &legal, ended, &mut rng);
            assert_eq!(chosen.iter().map(|word| word.n_lanes()).sum::<u64>(), 4);
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
            let mut legal: Vec<Word> =
                (0..n_moves).map(|_| Word::from_fn(|_| rng.next_u64() & rng.next_u64())).collect();
            // Somebody has no other move.
            legal[n_moves / 2] = Word::ALL;
            let ended = Word::from_fn(|_| rng.next_u64());
            let chosen = choose(&mut choice, &legal, ended, &mut rng);
            let mut made = Word::NONE;
            for (&chosen, &legal) in chosen.iter().zip(&legal) {
                assert!((chosen & !legal).is_none(), "an illegal move");
                assert!((chosen & made).is_none(), "two moves");
                made = made | chosen;
            }
            assert_eq!(made, !ended);
        }
    }

    #[test]
    fn plays_without_legal_move_are_named() {
        let mut has_move = Word::first(200);
        has_move.set(130, false);
        let mut legal = moves(&[has_move]);
        let outcome = Choice::default().choose(&mut legal, !Word::first(200), &mut seeded_rng(1));
        assert_eq!(outcome.map_err(|stuck| stuck.lanes().collect()), Err(vec![130]));
    }
}
