//! How many plays go on at once.

use std::time::{Duration, Instant};

use base::Deadline;

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
    of_full: Option<Duration>,
    /// When the time is up, as it was told last.
    deadline: Deadline,
}

impl Pace {
    pub(super) fn new(n_free: usize) -> Pace {
        Pace { n_free: n_free as u64, of_full: None, deadline: Deadline::NEVER }
    }

    /// How many plays go on next, where of `n_visits` plays so far one in `part` may be under way, and there
    /// are `n_left` still to make.
    pub(super) fn n_at_once(
        &mut self,
        n_visits: u64,
        part: u64,
        limits: &SearchLimits,
        n_left: u64,
    ) -> usize {
        if limits.deadline != self.deadline {
            self.deadline = limits.deadline;
            self.doubt();
        }
        let few = (n_visits / part).max(1);
        let n_at_once = match limits.deadline.left() {
            None => few,
            // An answer comes first, however bad.
            Some(_) if n_visits == 0 => 1,
            Some(left) if self.of_full.is_some_and(|time| time > left) => 1,
            Some(_) => few.max(self.n_free),
        };
        n_at_once.min(n_left) as usize
    }

    /// Notes that `n_plays` went on at once, since `start`. If it took much longer than before, the machine may have had
    /// other work: that counts for a part.
    pub(super) fn note(&mut self, n_plays: usize, start: Instant) {
        /// One part in so many.
        const PART: u32 = 4;
        if n_plays as u64 >= self.n_free {
            let time = start.elapsed();
            let longer = |before: Duration| before + (time - before) / PART;
            self.of_full = Some(self.of_full.filter(|before| *before < time).map_or(time, longer));
        }
    }

    /// What was measured once, in a bad moment, shall not hold for ever: whoever makes no batches does not measure any
    /// more. So it is believed a little less whenever there is new time.
    fn doubt(&mut self) {
        self.of_full = self.of_full.map(|time| time * 3 / 4);
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

    /// A halt of the machine is soon forgotten, even if it was the only batch that was measured.
    #[test]
    fn one_slow_batch_is_not_believed_for_long() {
        let ago = |time: Duration| Instant::now().checked_sub(time).expect("it runs longer");
        let minute = Duration::from_secs(60);
        let next = || SearchLimits::time(Deadline::after(minute));
        let mut pace = Pace::new(512);
        pace.note(512, ago(2 * minute));
        let n_at_once = [(); 4].map(|()| pace.n_at_once(1, 32, &next(), u64::MAX));
        assert_eq!(n_at_once, [1, 1, 512, 512]);
        let mut pace = Pace::new(512);
        pace.note(512, ago(minute / 60));
        pace.note(512, ago(2 * minute));
        assert_eq!(pace.n_at_once(1, 32, &next(), u64::MAX), 512);
    }
}
