//! A wish that work ends early.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A wish that may be made once, from any thread, to those who have a copy of it: that they come to an end.
///
/// ```
/// let stop = base::Stop::new();
/// let copy = stop.clone();
/// assert!(!copy.is_wished());
/// stop.wish();
/// assert!(copy.is_wished());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Nobody wishes it yet.
    pub fn new() -> Stop {
        Stop::default()
    }

    /// Wishes it.
    pub fn wish(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether somebody wishes it.
    pub fn is_wished(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Those are the same that one wish is made to.
impl PartialEq for Stop {
    fn eq(&self, other: &Stop) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Stop {}
