//! What states seem worth, learnt from random plays.
//!
//! A play that is cut off before its end needs an estimate of what it would have come to. A small network learns it
//! from states that other plays passed, and from what these came to. Its inputs are the fluents that hold in a state, so
//! that a state costs as much as it has fluents. They are summed up with weights (`N_HIDDEN` times), sums below 0 count
//! as 0, and these are summed up again for each role. Steps of learning are those of Adam (Kingma & Ba 2015), and what
//! they lead to is averaged (Polyak & Juditsky 1992).

use base::bits::ones;
use base::seeded_rng;
use rand::RngExt as _;

use crate::contract::Goal;

/// How many sums of the inputs there are.
const N_HIDDEN: usize = 32;

/// The first sums are passed on as they are, even if they are below 0, and each role begins with one of them: so what is
/// linear is learnt soon.
const N_LINEAR: usize = 4;

type Hidden = [f32; N_HIDDEN];

/// What states seem worth to the roles, by the fluents that hold in them.
///
/// ```
/// use game::{Goal, Worth};
///
/// let [won, lost] = [100, 0].map(|value| Goal::new(value).unwrap());
/// let mut worth = Worth::new(8, 2);
/// for _ in 0..5_000 {
///     worth.learn(&[0b01], &[won, lost]);
///     worth.learn(&[0b10], &[lost, won]);
/// }
/// worth.settle(1.0);
/// let mut values = Vec::new();
/// worth.estimate(&[0b01], &mut values);
/// assert!(values[0] > 95.0 && values[1] < 5.0);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Worth {
    n_roles: usize,
    /// By fluent, the first being one that always holds; then by role.
    weights: Vec<Hidden>,
    /// The same, averaged over what was learnt lately.
    settled: Vec<Hidden>,
    /// By weight: which way the error grows, in the states that wait for the next step.
    gradients: Vec<Hidden>,
    n_waiting: usize,
    /// By weight: the mean of gradients and of their squares.
    means: Vec<Hidden>,
    squares: Vec<Hidden>,
    n_steps: i32,
    n_learnt: u64,
}

/// So many states make a step.
const N_TOGETHER: usize = 64;

/// How fast means of gradients and of their squares change.
const MEAN_PART: f32 = 0.1;
const SQUARE_PART: f32 = 0.001;

impl Worth {
    /// Nothing is known of states with so many fluents.
    pub fn new(n_fluents: usize, n_roles: usize) -> Worth {
        /// Weights are as far from 0 at first.
        const FIRST: f32 = 0.1;
        // Sums that are all alike would stay alike.
        let mut rng = seeded_rng(1);
        let mut weights = vec![[0.0; N_HIDDEN]; 1 + n_fluents + n_roles];
        for row in &mut weights {
            row[N_LINEAR..].iter_mut().for_each(|weight| *weight = rng.random_range(-FIRST..FIRST));
        }
        for (role, row) in weights[1 + n_fluents..].iter_mut().enumerate() {
            row[role % N_LINEAR] = 1.0;
        }
        let none = vec![[0.0; N_HIDDEN]; weights.len()];
        Worth {
            n_roles,
            settled: weights.clone(),
            weights,
            gradients: none.clone(),
            n_waiting: 0,
            means: none.clone(),
            squares: none,
            n_steps: 0,
            n_learnt: 0,
        }
    }

    /// How many states were learnt from.
    pub fn n_learnt(&self) -> u64 {
        self.n_learnt
    }

    /// Replaces the content of `values` by what a state seems worth to each role, from 0 to 100. The state has a bit for
    /// each fluent.
    pub fn estimate(&self, state: &[u64], values: &mut Vec<f32>) {
        let hidden = passed_on(sums(&self.settled, state));
        let of_roles = &self.settled[self.settled.len() - self.n_roles..];
        values.clear();
        values.extend(of_roles.iter().map(|weights| 100.0 * share(dot(weights, &hidden))));
    }

    /// Learns that a play through a state came to these goals. It changes estimates when it has settled.
    pub fn learn(&mut self, state: &[u64], goals: &[Goal]) {
        let first_role = self.weights.len() - self.n_roles;
        let sums = sums(&self.weights, state);
        let hidden = passed_on(sums);
        let mut back = [0.0; N_HIDDEN];
        for (role, goal) in goals.iter().enumerate() {
            let weights = &self.weights[first_role + role];
            let error = share(dot(weights, &hidden)) - f32::from(goal.value()) / 100.0;
            add_scaled(&mut back, weights, error);
            add_scaled(&mut self.gradients[first_role + role], &hidden, error);
        }
        for (back, sum) in back.iter_mut().zip(&sums).skip(N_LINEAR) {
            *back = if *sum > 0.0 { *back } else { 0.0 };
        }
        let always = std::iter::once(0);
        for place in always.chain(ones(state).map(|fluent| fluent + 1)) {
            add_scaled(&mut self.gradients[place], &back, 1.0);
        }
        self.n_learnt += 1;
        self.n_waiting += 1;
        if self.n_waiting == N_TOGETHER {
            self.n_waiting = 0;
            self.step();
        }
    }

    /// What was learnt since the last time counts for this part.
    pub fn settle(&mut self, part: f32) {
        let weights = self.weights.as_flattened();
        for (settled, weight) in self.settled.as_flattened_mut().iter_mut().zip(weights) {
            *settled += part * (weight - *settled);
        }
    }

    /// A step of Adam. Steps become smaller, down to a fifth: what plays pass changes as the match goes on.
    fn step(&mut self) {
        const RATE: f32 = 0.006;
        const LEAST: f32 = 0.2;
        const N_LARGE: f32 = 400.0;
        self.n_steps = self.n_steps.saturating_add(1);
        let rate = RATE * (LEAST + N_LARGE / self.n_steps as f32).min(1.0);
        let of_squares = (1.0 - (1.0 - SQUARE_PART).powi(self.n_steps)).sqrt();
        let of_means = 1.0 - (1.0 - MEAN_PART).powi(self.n_steps);
        adam(self, rate * of_squares / of_means);
    }
}

#[multiversion::multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn adam(worth: &mut Worth, rate: f32) {
    let Worth { weights, gradients, means, squares, .. } = worth;
    let changing = weights.as_flattened_mut().iter_mut().zip(gradients.as_flattened_mut());
    let averages = means.as_flattened_mut().iter_mut().zip(squares.as_flattened_mut());
    for ((weight, sum), (mean, square)) in changing.zip(averages) {
        let gradient = std::mem::take(sum) / N_TOGETHER as f32;
        *mean += MEAN_PART * (gradient - *mean);
        *square += SQUARE_PART * (gradient * gradient - *square);
        *weight -= rate * *mean / (square.sqrt() + 1e-8);
    }
}

/// The sums of the weights of all fluents that hold.
#[multiversion::multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn sums(weights: &[Hidden], state: &[u64]) -> Hidden {
    let mut sums = weights[0];
    for fluent in ones(state) {
        add_scaled(&mut sums, &weights[fluent + 1], 1.0);
    }
    sums
}

/// What of the sums is passed on.
fn passed_on(mut sums: Hidden) -> Hidden {
    sums[N_LINEAR..].iter_mut().for_each(|sum| *sum = sum.max(0.0));
    sums
}

fn dot(weights: &Hidden, hidden: &Hidden) -> f32 {
    weights.iter().zip(hidden).map(|(weight, hidden)| weight * hidden).sum()
}

#[inline(always)]
fn add_scaled(all: &mut Hidden, more: &Hidden, scale: f32) {
    all.iter_mut().zip(more).for_each(|(all, more)| *all += scale * more);
}

/// The share of which these are the odds, as a logarithm.
fn share(odds: f32) -> f32 {
    1.0 / (1.0 + (-odds).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What no sum of weights can say is learnt as well: that one of two fluents holds, and not both.
    #[test]
    fn what_is_not_linear_is_learnt() {
        let mut worth = Worth::new(2, 1);
        let won = |state: u64| state == 1 || state == 2;
        for number in 0..40_000 {
            let state = number * 7 / 3 % 4;
            let goal = Goal::new(if won(state) { 100 } else { 0 }).expect("it is a goal");
            worth.learn(&[state], &[goal]);
        }
        worth.settle(1.0);
        let mut values = Vec::new();
        for state in 0..4 {
            worth.estimate(&[state], &mut values);
            assert_eq!(values[0] > 50.0, won(state), "{state}: {values:?}");
        }
    }

    /// Where chance decides, the estimate is how often it is won.
    #[test]
    fn shares_are_learnt() {
        let mut worth = Worth::new(3, 2);
        for number in 0..60_000_u32 {
            let is_won = number.wrapping_mul(2_654_435_761) >> 24 < 64;
            let goals = [is_won, !is_won].map(|is_won| if is_won { 100 } else { 0 });
            worth.learn(&[0b101], &goals.map(|value| Goal::new(value).expect("it is a goal")));
            worth.settle(0.001);
        }
        let mut values = Vec::new();
        worth.estimate(&[0b101], &mut values);
        assert!((values[0] - 25.0).abs() < 3.0 && (values[1] - 75.0).abs() < 3.0, "{values:?}");
    }
}
