//! Sums of values.

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
    /// By variable of the scope: its values with its factor, by their places.
    pub(crate) terms: Vec<Vec<i64>>,
    pub(crate) relation: Relation,
    pub(crate) constant: i64,
}

impl Linear {
    /// The sum of `factors` times variables. `None` if a product needs more than 62 bits.
    pub(crate) fn new(
        factors: &[(i64, VarId)],
        relation: Relation,
        constant: i64,
        variables: &IdVec<VarId, Variable>,
    ) -> Option<Linear> {
        let limit = i64::MAX / 4 / (factors.len() as i64 + 1);
        let product = |factor: i64, value: i64| {
            factor.checked_mul(value).filter(|product| product.abs() <= limit)
        };
        let term = |&(factor, var): &(i64, VarId)| {
            let values = variables[var].domain.values().iter();
            values.map(|&value| product(factor, value)).collect::<Option<Vec<i64>>>()
        };
        let terms = factors.iter().map(term).collect::<Option<Vec<Vec<i64>>>>()?;
        let scope = factors.iter().map(|(_, var)| *var).collect();
        let numbers = factors.iter().map(|(factor, _)| *factor).collect();
        (constant.abs() <= limit).then_some(Linear {
            scope,
            factors: numbers,
            terms,
            relation,
            constant,
        })
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

    pub(crate) fn allows(&self, values: &[u32]) -> bool {
        let terms = self.scope.iter().zip(&self.terms);
        let sum: i64 = terms.map(|(var, term)| term[values[var.index()] as usize]).sum();
        match self.relation {
            Relation::AtMost => sum <= self.constant,
            Relation::Equal => sum == self.constant,
            Relation::AtLeast => sum >= self.constant,
        }
    }
}
