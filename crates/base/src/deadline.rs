//! Time as an argument.

use std::time::{Duration, Instant};

/// A moment by which work should be done, or none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Deadline(Option<Instant>);

impl Deadline {
    /// There is all the time in the world.
    pub const NEVER: Deadline = Deadline(None);

    /// `duration` from now. One that is too long to count is never.
    pub fn after(duration: Duration) -> Deadline {
        Deadline(Instant::now().checked_add(duration))
    }

    /// How long it is until then. `None` if there is no end.
    pub fn left(self) -> Option<Duration> {
        self.0.map(|end| end.saturating_duration_since(Instant::now()))
    }

    /// Whether the time is up.
    pub fn has_passed(self) -> bool {
        self.0.is_some_and(|end| Instant::now() >= end)
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
    }
}
