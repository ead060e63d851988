//! Values that are known for sure.

use std::cmp::Ordering;

/// What a subtree is worth that is completely explored, for each role from 0 to 100.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Exact {
    /// By role.
    pub(super) values: Vec<f64>,
    /// How many joint moves it takes at most until the end, if all do their best: fewer for those who win,
    /// more for those who lose.
    pub(super) n_steps: u32,
}

impl Exact {
    /// Which is better for a role: worth more, or won sooner, or lost later.
    pub(super) fn compare(&self, other: &Exact, role: usize) -> Ordering {
        /// From here on a value is a win.
        const WON: f64 = 50.0;
        let by_steps = match self.values[role] > WON {
            true => other.n_steps.cmp(&self.n_steps),
            false => self.n_steps.cmp(&other.n_steps),
        };
        self.values[role].total_cmp(&other.values[role]).then(by_steps)
    }

    /// The mean of several that are equally likely.
    pub(super) fn mean(all: &[&Exact]) -> Exact {
        let n_all = all.len() as f64;
        let n_roles = all.first().map_or(0, |exact| exact.values.len());
        let mean = |role: usize| all.iter().map(|exact| exact.values[role]).sum::<f64>() / n_all;
        Exact {
            values: (0..n_roles).map(mean).collect(),
            n_steps: all.iter().map(|exact| exact.n_steps).max().unwrap_or(0),
        }
    }
}
