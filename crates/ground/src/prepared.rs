//! A program as it is grounded.

use program::{Program, RelationId};
use rustc_hash::FxHashSet;

/// A program, and which of its relations are filters.
///
/// A filter says where an instance of a rule may matter, and it may say so too often: it narrows
/// joins, and is no condition of the instances that are found.
#[derive(Clone, Debug)]
pub(crate) struct Prepared {
    pub(crate) program: Program,
    pub(crate) filters: FxHashSet<RelationId>,
    /// Filters whose last term is a fluent: of those with the same other terms, at most one is
    /// assumed to hold.
    pub(crate) assumed: Vec<RelationId>,
}

impl Prepared {
    /// The rules as they stand, without filters.
    pub(crate) fn plain(program: &Program) -> Prepared {
        Prepared { program: program.clone(), filters: FxHashSet::default(), assumed: Vec::new() }
    }
}
