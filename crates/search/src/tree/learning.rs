//! Plays that are cut off, and what they are worth, which is learnt from plays that go on to the end.
//!
//! A play to the end says who won, but mostly by chance; cut off after some moves, it is worth what such states came to
//! in all plays so far, which varies much less, and costs less. But such a value is wrong by as much as it is learnt
//! badly, however many plays there are, and the mean of plays to the end is not. So both are compared as it learns, and
//! plays are cut off where so few plays to the end can be made in time that their mean is off by more.

use std::time::Duration;

use base::{Deadline, Rng};
use game::{Cut, Outcomes, StatesPassed, Worth};
use rand::RngExt as _;

use super::report::SearchLimits;

/// What is learnt of states, and when plays are cut off.
#[derive(Clone, Debug)]
pub(super) struct Learning {
    /// Plays are cut off after so many joint moves.
    n_steps: u32,
    /// The role by which is judged how good that is.
    role: usize,
    worth: Option<Worth>,
    n_batches: u64,
    /// How many joint moves plays to the end have, on average.
    length: Mean,
    /// How long such a play takes, in seconds.
    time: Mean,
    /// The time for the state that is thought about, and when it is up.
    deadline: Deadline,
    seconds: f64,
    doubt: Doubt,
    /// Whether plays are cut off.
    is_used: bool,
}

/// How the next plays are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// They are cut off.
    Cut,
    /// They go on to the end, and it learns from them.
    Learnt,
    /// They go on to the end.
    Whole,
}

/// Before so many states were learnt from, plays are not cut off.
const ENOUGH: u64 = 20_000;

impl Learning {
    /// Plays are cut off after so many joint moves, where that pays as `role` sees it.
    pub(super) fn new(n_steps: u32, role: usize) -> Learning {
        Learning {
            role,
            n_steps,
            worth: None,
            n_batches: 0,
            length: Mean::over(20_000.0),
            time: Mean::over(20_000.0),
            deadline: Deadline::NEVER,
            seconds: 0.0,
            doubt: Doubt::default(),
            is_used: false,
        }
    }

    /// How the next plays are made.
    pub(super) fn next(&mut self, limits: &SearchLimits) -> Kind {
        /// At first it learns from every other batch, later from one in so many, or if that is not used, from fewer.
        const MANY: u64 = 200_000;
        const BETWEEN: u64 = 8;
        const BETWEEN_UNUSED: u64 = 32;
        if limits.deadline != self.deadline {
            self.deadline = limits.deadline.clone();
            self.seconds = limits.deadline.left().map_or(0.0, |left| left.as_secs_f64());
        }
        self.n_batches += 1;
        let n_learnt = self.worth.as_ref().map_or(0, Worth::n_learnt);
        self.is_used = n_learnt >= ENOUGH && self.pays(limits);
        let between = match (self.is_used, n_learnt < MANY) {
            (true, true) => 2,
            (true, false) => BETWEEN,
            (false, true) => 1,
            (false, false) => BETWEEN_UNUSED,
        };
        match (self.n_batches.is_multiple_of(between), self.is_used) {
            (true, _) => Kind::Learnt,
            (false, true) => Kind::Cut,
            (false, false) => Kind::Whole,
        }
    }

    /// Whether the mean of all plays to the end that can be made in time is off by more than plays that are cut off.
    fn pays(&self, limits: &SearchLimits) -> bool {
        let n_plays = match limits.deadline.left() {
            None => limits.max_plays as f64,
            Some(_) => self.seconds / self.time.mean.max(1e-9),
        };
        self.doubt.is_less_than_of(n_plays) && self.doubt.tells_stages_apart()
    }

    /// When plays are cut off, and what they are worth then.
    pub(super) fn cut(&self) -> Option<Cut<'_>> {
        self.worth.as_ref().map(|worth| Cut { n_steps: self.n_steps, worth })
    }

    /// After how many joint moves the states of plays are to be noted: some near their beginning, as those are that it
    /// is asked for, and some anywhere, as the match will come there.
    pub(super) fn wanted(&self, rng: &mut Rng) -> [u32; 5] {
        let near = 2 * self.n_steps + 1;
        let far = near.max(self.length.mean as u32);
        let [one, two, three, four] = [near, near, far, far].map(|end| rng.random_range(0..end));
        [one, two, three, four, self.n_steps]
    }

    /// Learns from plays to the end, the states that they passed, and how long they took. They belong to stages: as many
    /// as `of_stages` says to the first, and so on.
    pub(super) fn learn(
        &mut self,
        outcomes: &Outcomes,
        passed: &StatesPassed,
        time: Duration,
        of_stages: impl Iterator<Item = usize>,
    ) {
        /// What is learnt from a batch counts for this part.
        const PART: f32 = 0.05;
        let (n_plays, n_roles) = (outcomes.n_plays(), outcomes.n_roles());
        if n_plays == 0 {
            return;
        }
        self.time.add(time.as_secs_f64() / n_plays as f64, n_plays as f64);
        (0..n_plays).for_each(|play| self.length.add(f64::from(outcomes.n_steps(play)), 1.0));
        // A machine may note none.
        if passed.is_empty() {
            return;
        }
        self.judge(outcomes, passed, of_stages);
        for passed in passed.iter() {
            let n_fluents = u64::BITS as usize * passed.state.len();
            let worth = self.worth.get_or_insert_with(|| Worth::new(n_fluents, n_roles));
            worth.learn(passed.state, outcomes.goals(passed.play));
        }
        self.worth.iter_mut().for_each(|worth| worth.settle(PART));
    }

    /// Finds out how wrong these plays would have been if they had been cut off, for one of the roles.
    fn judge(
        &mut self,
        outcomes: &Outcomes,
        passed: &StatesPassed,
        of_stages: impl Iterator<Item = usize>,
    ) {
        let Some(worth) = self.worth.as_ref().filter(|worth| worth.n_learnt() >= ENOUGH) else {
            return;
        };
        let whole = |play: usize| f64::from(outcomes.goals(play)[self.role].value());
        let mut both: Vec<(f64, f64)> =
            (0..outcomes.n_plays()).map(|play| (whole(play), whole(play))).collect();
        let mut values = Vec::new();
        for passed in passed.iter().filter(|passed| passed.n_steps == self.n_steps) {
            worth.estimate(passed.state, &mut values);
            both[passed.play].1 = f64::from(values[self.role]);
        }
        let mut rest = both.as_slice();
        for n_plays in of_stages {
            let (of_stage, others) = rest.split_at(n_plays);
            self.doubt.add(of_stage);
            rest = others;
        }
    }

    /// How much plays that are cut off vary beside those that go on to the end, from 0 to 1: confidence bounds are as
    /// much narrower. But stages below change what they are worth as well.
    pub(super) fn spread(&self) -> f64 {
        const LEAST: f64 = 0.6;
        match self.is_used {
            true => (self.doubt.cut.mean / self.doubt.whole.mean).sqrt().clamp(LEAST, 1.0),
            false => 1.0,
        }
    }
}

/// How wrong plays are that are cut off, and how much they vary, beside those that go on to the end.
#[derive(Clone, Debug)]
struct Doubt {
    /// The variance of plays from the same stage: of those to the end, and of those that are cut off.
    whole: Mean,
    cut: Mean,
    /// The square of how far the mean of those that are cut off is from that of the others, if both were many.
    error: Mean,
    /// What stages are worth if plays are cut off, the square of that, and how much of that is chance.
    of_stage: Mean,
    square: Mean,
    chance: Mean,
}

impl Default for Doubt {
    fn default() -> Doubt {
        let [whole, cut, error, of_stage, square, chance] = [Mean::over(20_000.0); 6];
        Doubt { whole, cut, error, of_stage, square, chance }
    }
}

impl Doubt {
    /// Adds what a role got in plays from a stage, if they went on to the end and if they were cut off.
    fn add(&mut self, plays: &[(f64, f64)]) {
        /// Fewer plays say little.
        const FEW: usize = 4;
        if plays.len() < FEW {
            return;
        }
        let n_plays = plays.len() as f64;
        let (_, whole) = moments(plays.iter().map(|(whole, _)| *whole));
        let (of_stage, cut) = moments(plays.iter().map(|(_, cut)| *cut));
        let (difference, varies) = moments(plays.iter().map(|(whole, cut)| whole - cut));
        self.whole.add(whole, 1.0);
        self.cut.add(cut, 1.0);
        // The mean of few differences is off by chance as well.
        self.error.add(difference * difference - varies / n_plays, 1.0);
        self.of_stage.add(of_stage, 1.0);
        self.square.add(of_stage * of_stage, 1.0);
        self.chance.add(cut / n_plays, 1.0);
    }

    /// Whether plays that are cut off are wrong by less than so many plays to the end.
    fn is_less_than_of(&self, n_plays: f64) -> bool {
        /// Each move that matters gets one in so many plays.
        const PART: f64 = 300.0;
        /// Fewer stages say nothing; and nothing is ever learnt exactly.
        const FEW: f64 = 500.0;
        const LEAST_ERROR: f64 = 1.0;
        self.whole.n > FEW && self.error.mean.max(LEAST_ERROR) * n_plays < PART * self.whole.mean
    }

    /// Whether stages differ in what plays that are cut off come to. Where they hardly do, it was learnt only what is
    /// usual, and what matters is seen in single plays.
    fn tells_stages_apart(&self) -> bool {
        /// Of the variance of all plays.
        const LEAST_PART: f64 = 1.0 / 150.0;
        let variance = self.square.mean - self.of_stage.mean.powi(2) - self.chance.mean;
        variance > LEAST_PART * self.whole.mean
    }
}

/// The mean of some values, and their variance.
fn moments(values: impl ExactSizeIterator<Item = f64> + Clone) -> (f64, f64) {
    let n_values = values.len() as f64;
    let mean = values.clone().sum::<f64>() / n_values;
    let squares: f64 = values.map(|value| (value - mean) * (value - mean)).sum();
    (mean, squares / (n_values - 1.0))
}

/// A mean of what was seen lately.
#[derive(Clone, Copy, Debug)]
struct Mean {
    mean: f64,
    /// How many there were; those that are longer ago than `most` count less and less.
    n: f64,
    most: f64,
}

impl Mean {
    fn over(most: f64) -> Mean {
        Mean { mean: 0.0, n: 0.0, most }
    }

    /// Adds a value that counts as much as so many.
    fn add(&mut self, value: f64, weight: f64) {
        self.n = (self.n + weight).min(self.most);
        self.mean += weight.min(self.n) * (value - self.mean) / self.n;
    }
}

#[cfg(test)]
mod tests {
    use base::seeded_rng;

    use super::*;

    /// Stages with twelve plays each, whose worth is spread around 50, and a role that wins as often as that. Plays that
    /// are cut off say what the stage is worth, with some noise, and if they are wrong, with an error of their own.
    fn doubt(spread: f64, wrong: f64) -> Doubt {
        let mut rng = seeded_rng(1);
        let mut doubt = Doubt::default();
        for _ in 0..20_000 {
            let worth = 50.0 + rng.random_range(-spread..=spread);
            let estimate = worth + rng.random_range(-wrong..=wrong);
            let play = |_| {
                let is_won = rng.random_range(0.0..100.0) < worth;
                let cut = estimate + rng.random_range(-10.0..=10.0);
                (if is_won { 100.0 } else { 0.0 }, cut)
            };
            let plays: Vec<(f64, f64)> = (0..12).map(play).collect();
            doubt.add(&plays);
        }
        doubt
    }

    #[test]
    fn errors_are_told_from_chance() {
        // The square of what is spread evenly up to a is a² / 3 on average.
        let right = doubt(30.0, 0.0);
        assert!(right.error.mean.abs() < 6.0, "{right:?}");
        assert!((right.cut.mean - 100.0 / 3.0).abs() < 1.0, "{right:?}");
        let wrong = doubt(30.0, 15.0);
        assert!((wrong.error.mean - 75.0).abs() < 6.0, "{wrong:?}");
    }

    #[test]
    fn plays_are_cut_off_where_others_are_few() {
        let wrong = doubt(30.0, 15.0);
        assert!(wrong.is_less_than_of(1_000.0) && !wrong.is_less_than_of(1e6));
        assert!(wrong.tells_stages_apart());
        assert!(!doubt(1.0, 0.0).tells_stages_apart());
        assert!(!Doubt::default().is_less_than_of(1.0));
    }

    #[test]
    fn means_forget_what_is_long_ago() {
        let mut mean = Mean::over(10.0);
        mean.add(4.0, 1.0);
        mean.add(1.0, 2.0);
        assert_eq!((mean.mean, mean.n), (2.0, 3.0));
        (0..100).for_each(|_| mean.add(8.0, 1.0));
        assert!((mean.mean - 8.0).abs() < 0.01 && mean.n == 10.0);
        mean.add(3.0, 50.0);
        assert_eq!(mean.mean, 3.0);
    }
}
