//! Time as an argument.

use std::time::{Duration, Instant};

use crate::stop::Stop;

/// A moment by which work should be done, or none; it comes sooner if somebody wishes it.
///
/// ```
/// use base::{Deadline, Stop};
/// let stop = Stop::new();
/// let deadline = Deadline::NEVER.unless(&stop);
/// assert!(!deadline.has_passed());
/// stop.wish();
/// assert!(deadline.has_passed());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deadline {
    end: Option<Instant>,
    stop: Option<Stop>,
}

impl Deadline {
    /// There is all the time in the world.
    pub const NEVER: Deadline = Deadline { end: None, stop: None };

    /// `duration` from now. One that is too long to count is never.
    pub fn after(duration: Duration) -> Deadline {
        Deadline { end: Instant::now().checked_add(duration), stop: None }
    }

    /// The same moment, or when somebody wishes it.
    pub fn unless(self, stop: &Stop) -> Deadline {
        Deadline { stop: Some(stop.clone()), ..self }
    }

    /// This deadline, but no later than `duration` from now.
    pub fn at_most(&self, duration: Duration) -> Deadline {
        let end = Instant::now().checked_add(duration);
        let end = end.map_or(self.end, |end| Some(self.end.map_or(end, |own| own.min(end))));
        Deadline { end, stop: self.stop.clone() }
    }

    /// The first of `n` equal parts of the time until then; the same moment if there is no end.
    ///
    /// # Panics
    /// When there are no parts.
    pub fn part(&self, n: u32) -> Deadline {
        self.left().map_or_else(|| self.clone(), |left| self.at_most(left / n))
    }

    /// How long it is until then. `None` if there is no end.
    pub fn left(&self) -> Option<Duration> {
        self.end.map(|end| end.saturating_duration_since(Instant::now()))
    }

    /// Whether there is a moment by which it passes, if nobody wishes it sooner.
    pub fn is_timed(&self) -> bool {
        self.end.is_some()
    }

    /// Whether the time is up.
    pub fn has_passed(&self) -> bool {
        self.stop.as_ref().is_some_and(Stop::is_wished)
            || self.end.is_some_and(|end| Instant::now() >= end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_passes_and_never_does_not() {
        assert!(Deadline::after(Duration::ZERO).has_passed());
        assert!(!Deadline::after(Duration::from_secs(3600)).has_passed());
        assert!(!Deadline::after(Duration::MAX).has_passed());
        assert!(!Deadline::NEVER.has_passed());
        assert_eq!(Deadline::NEVER.left(), None);
        assert_eq!(Deadline::after(Duration::ZERO).left(), Some(Duration::ZERO));
        assert!(Deadline::after(Duration::MAX).at_most(Duration::ZERO).has_passed());
        assert!(Deadline::after(Duration::ZERO).at_most(Duration::MAX).has_passed());
        assert!(!Deadline::NEVER.at_most(Duration::MAX).is_timed());
        assert_eq!(Deadline::NEVER.part(3), Deadline::NEVER);
        let part = Deadline::after(Duration::from_secs(3600)).part(4).left();
        assert!(part.is_some_and(|left| left <= Duration::from_secs(900)));
    }
}
