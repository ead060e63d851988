//! In which order variables are decided, and their values tried.

use base::Id as _;

use crate::engine::Engine;
use crate::network::VarId;

/// In which order variables are decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// As they stand in the network.
    AsGiven,
    /// The fewest values first.
    FewestValues,
    /// The fewest values for the number of failures of their constraints first (dom/wdeg; Boussemart
    /// et al. 2004), and before that the variable of the last conflict (Lecoutre et al. 2009).
    #[default]
    Failures,
}

/// In which order the values of a variable are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ValueOrder {
    /// The least first.
    #[default]
    Ascending,
    /// The greatest first.
    Descending,
}

impl Order {
    /// The variable of `open` that is next.
    pub(crate) fn choose(
        self,
        engine: &Engine,
        open: impl Iterator<Item = VarId>,
        last_conflict: Option<VarId>,
    ) -> Option<VarId> {
        let size = |var: VarId| engine.store.size(var);
        match self {
            Order::AsGiven => open.min_by_key(|var| var.index()),
            Order::FewestValues => open.min_by_key(|&var| (size(var), var.index())),
            Order::Failures => {
                if let Some(last) = last_conflict {
                    return Some(last);
                }
                // Compared as fractions: size over weight.
                let weight = |var: VarId| u64::from(engine.weight(var)) + 1;
                open.min_by(|&one, &other| {
                    let (left, right) =
                        (size(one) as u64 * weight(other), size(other) as u64 * weight(one));
                    left.cmp(&right).then(one.index().cmp(&other.index()))
                })
            }
        }
    }
}
