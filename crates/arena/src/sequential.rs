//! A test that may be looked at after every match.
//!
//! Somebody who expects a mean bets a part of their capital on every match, and the other way round. If the
//! expectation is right, no way of betting wins in the long run: the capital reaches twenty times its first
//! amount in one of twenty cases at most, whenever one looks (Ville 1939). This is the hedged test of
//! Waudby-Smith & Ramdas (2024), for a fixed set of bets.

use std::cmp::Ordering;

/// Whether the mean of the points of a player is what one would expect of equal players.
///
/// ```
/// let mut test = arena::Sequential::new(0.5);
/// (0..9).for_each(|_| test.add(1.0));
/// assert_eq!(test.verdict(), Some(std::cmp::Ordering::Greater));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Sequential {
    expected: f64,
    /// By bet: the logarithm of its capital.
    above: [f64; N_BETS],
    below: [f64; N_BETS],
}

/// How many bets there are: on a share of 1/10, 2/10, ... of what can be lost.
const N_BETS: usize = 9;

/// The capital, as a multiple of the first, at which the question is decided with 95 %.
const DECIDED: f64 = 20.0;

impl Sequential {
    /// A test of whether the mean is `expected`, which lies between 0 and 1.
    pub fn new(expected: f64) -> Sequential {
        Sequential { expected, above: [0.0; N_BETS], below: [0.0; N_BETS] }
    }

    /// Adds the points of a match, from 0 to 1.
    pub fn add(&mut self, points: f64) {
        let gain = points - self.expected;
        let bets = self.above.iter_mut().zip(&mut self.below).enumerate();
        for (number, (above, below)) in bets {
            let share = (number + 1) as f64 / (N_BETS + 1) as f64;
            *above += (share / self.expected * gain).ln_1p();
            *below += (-share / (1.0 - self.expected) * gain).ln_1p();
        }
    }

    /// Whether the mean is greater or less than expected, if that is decided.
    pub fn verdict(&self) -> Option<Ordering> {
        let capital = |logs: &[f64]| logs.iter().map(|log| log.exp()).sum::<f64>() / N_BETS as f64;
        // Each of the two has half of the capital.
        match (capital(&self.above) / 2.0, capital(&self.below) / 2.0) {
            (above, _) if above >= DECIDED => Some(Ordering::Greater),
            (_, below) if below >= DECIDED => Some(Ordering::Less),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use base::seeded_rng;
    use rand::RngExt as _;

    use super::*;

    /// In how many of 1,000 series of up to 400 matches the question is decided, each way, if a match is won so
    /// often and drawn in one of five cases.
    fn decided(win: f64) -> (usize, usize) {
        let mut rng = seeded_rng(3);
        let mut series = || {
            let mut test = Sequential::new(0.5);
            for _ in 0..400 {
                let points = match rng.random::<f64>() {
                    draw if draw < 0.2 => 0.5,
                    _ => f64::from(u8::from(rng.random_bool(win))),
                };
                test.add(points);
                if test.verdict().is_some() {
                    break;
                }
            }
            test.verdict()
        };
        let verdicts: Vec<Option<Ordering>> = (0..1_000).map(|_| series()).collect();
        let count = |verdict| verdicts.iter().filter(|one| **one == Some(verdict)).count();
        (count(Ordering::Less), count(Ordering::Greater))
    }

    #[test]
    fn equal_players_are_rarely_told_apart() {
        let (less, greater) = decided(0.5);
        assert!(less + greater <= 50, "{less} and {greater}");
    }

    #[test]
    fn unequal_players_are() {
        let (less, greater) = decided(0.65);
        assert!(less <= 25 && greater > 900, "{less} and {greater}");
        let (less, greater) = decided(0.3);
        assert!(less > 900 && greater <= 25, "{less} and {greater}");
    }

    #[test]
    fn it_works_for_any_expectation() {
        let mut test = Sequential::new(1.0 / 3.0);
        (0..300).for_each(|n| test.add(f64::from(u8::from(n % 3 == 0))));
        assert_eq!(test.verdict(), None);
        (0..100).for_each(|_| test.add(0.0));
        assert_eq!(test.verdict(), Some(Ordering::Less));
    }
}
