//! How many plays go on at once.

use std::time::{Duration, Instant};

use super::report::SearchLimits;

/// How many plays go on at once, and how long that takes.
///
/// Plays that go on at once do not learn from each other, so the more is known already, the more they may be.
/// But hundreds of plays at once take hardly longer than a few: where the clock counts, and not plays, there
/// are always as many.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// Plays that may go on at once without costing more than a few.
    n_free: u64,
    /// How long such batches take.
    of_full: LastTwo,
    /// How long a play takes in smaller ones.
    of_one: LastTwo,
}

impl Pace {
    pub(super) fn new(n_free: usize) -> Pace {
        Pace { n_free: n_free as u64, of_full: LastTwo::default(), of_one: LastTwo::default() }
    }

    /// How many plays go on next, where of `n_visits` plays so far one in `part` may be under way, and there
    /// are `n_left` still to make.
    pub(super) fn n_at_once(
        &self,
        n_visits: u64,
        part: u64,
        limits: &SearchLimits,
        n_left: u64,
    ) -> usize {
        let few = (n_visits / part).max(1);
        let n_at_once = match limits.deadline.left() {
            None => few,
            // An answer comes first, however bad.
            Some(_) if n_visits == 0 => 1,
            Some(left) if self.takes().is_some_and(|time| time > left) => 1,
            Some(_) => few.max(self.n_free),
        };
        n_at_once.min(n_left) as usize
    }

    /// How long a full batch takes, if there was one: no longer than all of its plays one by one. Whoever makes no full
    /// batches does not measure them any more, so a moment in which the machine stood still would hold for ever.
    fn takes(&self) -> Option<Duration> {
        let one_by_one = self.of_one.shorter().map(|time| time.mul_f64(self.n_free as f64));
        self.of_full.shorter().map(|time| one_by_one.map_or(time, |other| other.min(time)))
    }

    /// Notes that `n_plays` went on at once, since `start`.
    pub(super) fn note(&mut self, n_plays: usize, start: Instant) {
        let time = start.elapsed();
        match n_plays as u64 {
            0 => {}
            n_plays if n_plays >= self.n_free => self.of_full.add(time),
            n_plays => self.of_one.add(time.div_f64(n_plays as f64)),
        }
    }
}

/// The last two of what was measured: where the machine had other work, one of them is too long.
#[derive(Clone, Copy, Debug, Default)]
struct LastTwo([Option<Duration>; 2]);

impl LastTwo {
    fn add(&mut self, time: Duration) {
        self.0 = [self.0[1], Some(time)];
    }

    fn shorter(&self) -> Option<Duration> {
        self.0.into_iter().flatten().min()
    }
}

/// How time is split between solving stages and plays below them, as it was measured.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Split {
    /// Seconds for a stage, with the way to it, and for a play.
    of_stage: Option<f64>,
    of_play: Option<f64>,
}

impl Split {
    /// How many plays go on below each stage so that solving takes this share of the time, up to `most`; `usual`
    /// until that is known.
    pub(super) fn plays_a_stage(&self, share: f64, usual: usize, most: usize) -> usize {
        let Some((of_stage, of_play)) = self.of_stage.zip(self.of_play) else { return usual };
        let n_plays = of_stage * (1.0 - share) / (share * of_play);
        n_plays.round().clamp(1.0, most as f64) as usize
    }

    /// Notes how long so many stages took, and so many plays.
    pub(super) fn note(&mut self, stages: (usize, Duration), plays: (usize, Duration)) {
        let seconds = |(n, time): (usize, Duration)| (n > 0).then(|| time.as_secs_f64() / n as f64);
        mix(&mut self.of_stage, seconds(stages));
        mix(&mut self.of_play, seconds(plays));
    }
}

/// What was measured last counts for a part.
fn mix(old: &mut Option<f64>, new: Option<f64>) {
    const PART: f64 = 0.1;
    let Some(new) = new else { return };
    *old = Some(old.map_or(new, |old| (1.0 - PART) * old + PART * new));
}

#[cfg(test)]
mod tests {
    use base::Deadline;

    use super::*;

    #[test]
    fn plays_are_as_many_as_the_share_leaves_time_for() {
        let mut split = Split::default();
        assert_eq!(split.plays_a_stage(0.5, 4, 64), 4);
        split.of_stage = Some(8e-6);
        split.of_play = Some(1e-6);
        assert_eq!(split.plays_a_stage(0.5, 4, 64), 8);
        assert_eq!(split.plays_a_stage(0.2, 4, 64), 32);
        assert_eq!(split.plays_a_stage(0.9, 4, 64), 1);
        assert_eq!(split.plays_a_stage(0.01, 4, 64), 64);
        split.note((0, Duration::from_secs(1)), (0, Duration::from_secs(1)));
        assert_eq!(split.plays_a_stage(0.5, 4, 64), 8);
        split.note((1, Duration::from_micros(88)), (0, Duration::ZERO));
        assert_eq!(split.plays_a_stage(0.5, 4, 64), 16);
    }

    #[test]
    fn where_the_clock_counts_all_that_is_free_is_used() {
        let mut pace = Pace::new(512);
        let plays = SearchLimits::plays(1_000);
        assert_eq!(pace.n_at_once(0, 32, &plays, 1_000), 1);
        assert_eq!(pace.n_at_once(640, 32, &plays, 1_000), 20);
        assert_eq!(pace.n_at_once(640, 32, &plays, 10), 10);
        let hour = Duration::from_secs(3_600);
        let time = SearchLimits::time(Deadline::after(hour));
        assert_eq!(pace.n_at_once(0, 32, &time, u64::MAX), 1);
        assert_eq!(pace.n_at_once(1, 32, &time, u64::MAX), 512);
        assert_eq!(pace.n_at_once(32_000, 32, &time, u64::MAX), 1_000);
        let ago = |time: Duration| Instant::now().checked_sub(time).expect("it runs longer");
        pace.note(512, ago(2 * hour));
        assert_eq!(pace.n_at_once(1, 32, &time, u64::MAX), 1);
    }

    /// A halt of the machine is soon forgotten, even if it was the only batch that was measured; a game in which all
    /// takes long is not.
    #[test]
    fn one_slow_batch_is_not_believed_for_long() {
        let ago = |time: Duration| Instant::now().checked_sub(time).expect("it runs longer");
        let minute = Duration::from_secs(60);
        let n_at_once = |pace: &Pace| {
            let limits = SearchLimits::time(Deadline::after(minute));
            pace.n_at_once(1, 32, &limits, u64::MAX)
        };
        let mut pace = Pace::new(512);
        pace.note(512, ago(2 * minute));
        assert_eq!(n_at_once(&pace), 1);
        pace.note(1, ago(Duration::from_millis(10)));
        assert_eq!(n_at_once(&pace), 512);
        let mut pace = Pace::new(512);
        pace.note(512, ago(minute / 60));
        pace.note(512, ago(2 * minute));
        assert_eq!(n_at_once(&pace), 512);
        pace.note(512, ago(2 * minute));
        pace.note(1, ago(minute / 60));
        assert_eq!(n_at_once(&pace), 1);
    }
}
