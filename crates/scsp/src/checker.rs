//! What propagators take away, compared with plain enumeration. Slow, and for tests.

use base::Id as _;

use crate::network::combinations::Combinations;
use crate::network::{Constraint, VarId};
use crate::store::{Failed, Store};

/// Constraints with more combinations of values are not compared.
const MAX_COMBINATIONS: usize = 100_000;

/// Compares what the propagators of some constraints do with what the constraints allow.
#[derive(Clone, Debug)]
pub(crate) struct Checker {
    constraints: Vec<Constraint>,
    n_vars: usize,
}

/// By variable of the scope of a constraint: the values that it had.
pub(crate) type Before = Vec<Vec<usize>>;

impl Checker {
    pub(crate) fn new(constraints: &[Constraint], n_vars: usize) -> Checker {
        Checker { constraints: constraints.to_vec(), n_vars }
    }

    /// The values before the propagator of a constraint looks at them.
    pub(crate) fn before(&self, number: usize, store: &Store) -> Before {
        let scope = self.constraints[number].scope().iter();
        scope.map(|&var| store.values(var).collect()).collect()
    }

    /// Panics if values are gone that the constraint allows.
    pub(crate) fn check(
        &self,
        number: usize,
        before: &Before,
        store: &Store,
        outcome: Result<(), Failed>,
    ) {
        let constraint = &self.constraints[number];
        let sizes: Vec<usize> = before.iter().map(Vec::len).collect();
        let n_combinations = sizes.iter().try_fold(1_usize, |n, &size| n.checked_mul(size));
        if n_combinations.is_none_or(|n| n > MAX_COMBINATIONS) {
            return;
        }
        let scope: &[VarId] = constraint.scope();
        let mut values = vec![0; self.n_vars];
        for places in Combinations::new(sizes).iter() {
            for ((var, place), before) in scope.iter().zip(&places).zip(before) {
                values[var.index()] = before[*place as usize] as u32;
            }
            let has = |var: &VarId| store.has(*var, values[var.index()] as usize);
            let is_kept = outcome.is_ok() && scope.iter().all(has);
            assert!(
                is_kept || !constraint.allows(&values),
                "constraint {number} allows {values:?}"
            );
        }
    }
}
