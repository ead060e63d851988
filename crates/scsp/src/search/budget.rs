//! What a search may cost, and what it has cost.

use base::Deadline;

/// How much may be spent on a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Budget {
    /// How many values may be tried.
    pub max_nodes: u64,
    /// When to stop.
    pub deadline: Deadline,
}

impl Budget {
    /// As much as it takes.
    pub const UNLIMITED: Budget = Budget { max_nodes: u64::MAX, deadline: Deadline::NEVER };

    /// Whether no more may be tried after `n_nodes` values.
    pub(crate) fn is_spent(&self, n_nodes: u64) -> bool {
        /// The clock is looked at once in so many values.
        const NODES_BETWEEN: u64 = 256;
        n_nodes >= self.max_nodes
            || (n_nodes.is_multiple_of(NODES_BETWEEN) && self.deadline.has_passed())
    }
}

/// How far a search for solutions is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum State {
    /// Nothing was tried yet.
    New,
    Searching,
    Complete,
    /// The budget is spent.
    Stopped,
}

/// What a search has done so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// The values that were tried.
    pub n_nodes: u64,
    /// Those after which a variable had none left.
    pub n_failures: u64,
    /// The solutions that were found.
    pub n_solutions: u64,
    /// How often a constraint was looked at.
    pub n_propagations: u64,
}
