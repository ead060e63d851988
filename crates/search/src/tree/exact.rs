//! Values that are known for sure.

/// What a subtree is worth that is completely explored, for each role from 0 to 100.
#[derive(Clone, PartialEq, Debug)]
pub struct Exact {
    /// By role.
    pub values: Vec<f64>,
    /// How many joint moves it takes at most until the end, if all do their best: fewer for those who win,
    /// more for those who lose.
    pub n_steps: u32,
}

impl Exact {
    /// Whether one is better than another for a role: worth more, or won sooner, or lost later.
    pub(super) fn is_better(&self, other: &Exact, role: usize) -> bool {
        /// From here on a value is a win.
        const WON: f64 = 50.0;
        let (mine, its) = (self.values[role], other.values[role]);
        if mine != its {
            return mine > its;
        }
        match mine > WON {
            true => self.n_steps < other.n_steps,
            false => self.n_steps > other.n_steps,
        }
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
