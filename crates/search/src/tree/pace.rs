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
    /// How long the last of such batches took.
    last_full: Option<Duration>,
}

impl Pace {
    pub(super) fn new(n_free: usize) -> Pace {
        Pace { n_free: n_free as u64, last_full: None }
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
            Some(left) if self.last_full.is_some_and(|last| last > left) => 1,
            Some(_) => few.max(self.n_free),
        };
        n_at_once.min(n_left) as usize
    }

    /// Notes that `n_plays` went on at once, since `start`.
    pub(super) fn note(&mut self, n_plays: usize, start: Instant) {
        if n_plays as u64 >= self.n_free {
            self.last_full = Some(start.elapsed());
        }
    }
}

#[cfg(test)]
mod tests {
    use base::Deadline;

    use super::*;

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
        let two_hours_ago = Instant::now().checked_sub(2 * hour);
        pace.note(512, two_hours_ago.unwrap());
        assert_eq!(pace.n_at_once(1, 32, &time, u64::MAX), 1);
    }
}
