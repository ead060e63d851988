//! What many matches show.

use base::seeded_rng;
use rand::RngExt as _;

/// Between which bounds the truth lies in 95 of 100 cases.
pub type Interval95 = [f64; 2];

/// The points of players in a match, from 0 to 1: a win is 1, a draw with others a share of it. A player who is
/// alone has the share of its goal.
///
/// ```
/// assert_eq!(arena::points(&[100, 0]), [1.0, 0.0]);
/// assert_eq!(arena::points(&[50, 50]), [0.5, 0.5]);
/// assert_eq!(arena::points(&[30, 30, 10]), [0.5, 0.5, 0.0]);
/// assert_eq!(arena::points(&[75]), [0.75]);
/// ```
pub fn points(goals: &[u8]) -> Vec<f64> {
    if let [alone] = goals {
        return vec![f64::from(*alone) / 100.0];
    }
    let most = goals.iter().copied().max().unwrap_or(0);
    let n_best = goals.iter().filter(|goal| **goal == most).count() as f64;
    goals.iter().map(|goal| if *goal == most { 1.0 / n_best } else { 0.0 }).collect()
}

/// The points of one player in many matches.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Scores {
    points: Vec<f64>,
}

impl Scores {
    /// Adds a match.
    pub fn add(&mut self, points: f64) {
        self.points.push(points);
    }

    /// How many matches there were.
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// Whether there was none.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// The matches in which all points, some, and none were won.
    pub fn wins_draws_losses(&self) -> [usize; 3] {
        let count = |is: &dyn Fn(f64) -> bool| self.points.iter().filter(|p| is(**p)).count();
        [count(&|p| p >= 1.0), count(&|p| p > 0.0 && p < 1.0), count(&|p| p <= 0.0)]
    }

    /// The mean, from 0 to 1.
    pub fn mean(&self) -> f64 {
        self.points.iter().sum::<f64>() / self.points.len().max(1) as f64
    }

    /// The standard deviation of the points of a match.
    pub fn deviation(&self) -> f64 {
        let mean = self.mean();
        let squares: f64 = self.points.iter().map(|point| (point - mean).powi(2)).sum();
        (squares / (self.points.len().max(2) - 1) as f64).sqrt()
    }

    /// Where the mean of infinitely many matches lies: by drawing the matches again and again (bootstrap); by
    /// Wilson where all were won or lost, and where matches are too few or too much alike to draw from, for
    /// which it is wider than need be.
    pub fn interval(&self) -> Interval95 {
        const FEW: usize = 20;
        let n = self.points.len();
        let [_, n_draws, _] = self.wins_draws_losses();
        match n_draws == 0 || n < FEW || self.deviation() == 0.0 {
            _ if n == 0 => [0.0, 1.0],
            true => wilson(self.points.iter().sum(), n as f64),
            false => self.bootstrap(),
        }
    }

    fn bootstrap(&self) -> Interval95 {
        const N_DRAWS: usize = 2_000;
        let mut rng = seeded_rng(1);
        let n = self.points.len();
        let mut draw = || (0..n).map(|_| self.points[rng.random_range(0..n)]).sum::<f64>();
        let mut means: Vec<f64> = (0..N_DRAWS).map(|_| draw() / n as f64).collect();
        means.sort_by(f64::total_cmp);
        [means[N_DRAWS / 40], means[N_DRAWS - 1 - N_DRAWS / 40]]
    }
}

/// The interval of Wilson (1927) for so many points of all.
fn wilson(n_won: f64, n: f64) -> Interval95 {
    /// The normal distribution has 95 % within so many deviations.
    const Z: f64 = 1.959_964;
    let rate = n_won / n;
    let centre = (rate + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
    let spread = rate * (1.0 - rate) / n + Z * Z / (4.0 * n * n);
    let half = Z / (1.0 + Z * Z / n) * spread.sqrt();
    [(centre - half).max(0.0), (centre + half).min(1.0)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scores(points: &[f64]) -> Scores {
        Scores { points: points.to_vec() }
    }

    /// Values of published tables of the interval: 10 of 10, and 81 of 263 (Newcombe 1998).
    #[test]
    fn wins_have_the_interval_of_wilson() {
        let [low, high] = scores(&[1.0; 10]).interval();
        assert!((low - 0.7225).abs() < 1e-4 && (high - 1.0).abs() < 1e-9, "{low} {high}");
        let mut points = vec![1.0; 81];
        points.extend(vec![0.0; 263 - 81]);
        let [low, high] = scores(&points).interval();
        assert!((low - 0.2553).abs() < 1e-4 && (high - 0.3662).abs() < 1e-4, "{low} {high}");
    }

    #[test]
    fn draws_have_an_interval_around_the_mean() {
        let points: Vec<f64> = (0..100).map(|n| f64::from(n % 3) / 2.0).collect();
        let scores = scores(&points);
        let [low, high] = scores.interval();
        let half = 1.96 * scores.deviation() / 10.0;
        assert!((low - (scores.mean() - half)).abs() < 0.02, "{low}");
        assert!((high - (scores.mean() + half)).abs() < 0.02, "{high}");
        assert_eq!(scores.wins_draws_losses(), [33, 33, 34]);
    }
}
