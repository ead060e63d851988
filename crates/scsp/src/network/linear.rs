//! Sums of values.

use std::sync::Arc;

use base::{Id as _, IdVec};

use super::{VarId, Variable};

/// How a sum compares with a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    /// It is at most as large.
    AtMost,
    /// It is the same.
    Equal,
    /// It is at least as large.
    AtLeast,
}

/// A hard constraint on a sum of values with factors.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Linear {
    scope: Vec<VarId>,
    factors: Vec<i64>,
    /// By variable of the scope: its values.
    values: Vec<Arc<[i64]>>,
    pub(crate) relation: Relation,
    pub(crate) constant: i64,
}

impl Linear {
    /// The sum of `factors` times variables. `None` if it might not fit into 64 bits.
    pub(crate) fn new(
        factors: &[(i64, VarId)],
        relation: Relation,
        constant: i64,
        variables: &IdVec<VarId, Variable>,
    ) -> Option<Linear> {
        let limit = i64::MAX / 4 / (factors.len() as i64 + 1);
        let fits = |number: i64| number.unsigned_abs() <= limit as u64;
        for &(factor, var) in factors {
            // Of a product, the ends of the domain are the ends.
            let values = variables[var].domain.values();
            let mut ends = values.first().into_iter().chain(values.last());
            if !ends.all(|&value| factor.checked_mul(value).is_some_and(fits)) {
                return None;
            }
        }
        let values = factors.iter().map(|(_, var)| variables[*var].domain.shared_values());
        let scope = factors.iter().map(|(_, var)| *var).collect();
        let numbers = factors.iter().map(|(factor, _)| *factor).collect();
        let values = values.collect();
        fits(constant).then_some(Linear { scope, factors: numbers, values, relation, constant })
    }

    /// The variables that it is about.
    pub fn scope(&self) -> &[VarId] {
        &self.scope
    }

    /// The factors and their variables.
    pub fn factors(&self) -> impl Iterator<Item = (i64, VarId)> {
        self.factors.iter().copied().zip(self.scope.iter().copied())
    }

    /// How the sum compares with the constant.
    pub fn relation(&self) -> Relation {
        self.relation
    }

    /// What the sum compares with.
    pub fn constant(&self) -> i64 {
        self.constant
    }

    /// What a value of the variable at a position of the scope adds to the sum.
    #[inline]
    pub(crate) fn term(&self, position: usize, value: usize) -> i64 {
        self.factors[position] * self.values[position][value]
    }

    pub(crate) fn allows(&self, values: &[u32]) -> bool {
        let terms = self.scope.iter().enumerate();
        let sum: i64 = terms.map(|(n, var)| self.term(n, values[var.index()] as usize)).sum();
        match self.relation {
            Relation::AtMost => sum <= self.constant,
            Relation::Equal => sum == self.constant,
            Relation::AtLeast => sum >= self.constant,
        }
    }
}
