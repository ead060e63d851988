//! How large a network is.

use super::{Constraint, Network};

/// How large a network is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// The variables.
    pub n_vars: usize,
    /// Those that chance decides.
    pub n_stochastic: usize,
    /// The most values that a variable has.
    pub max_domain: usize,
    /// The constraints, hard and soft.
    pub n_constraints: usize,
    /// The tuples of all tables.
    pub n_tuples: usize,
}

impl Network {
    /// How large it is.
    pub fn size(&self) -> Size {
        let variables = self.variables();
        let tuples = self.constraints().iter().map(|constraint| match constraint {
            Constraint::Table(table) => table.n_tuples(),
            _ => 0,
        });
        Size {
            n_vars: variables.len(),
            n_stochastic: variables.ids().filter(|&var| self.is_chance(var)).count(),
            max_domain: variables.iter().map(|variable| variable.domain.len()).max().unwrap_or(0),
            n_constraints: self.constraints().len() + self.utilities().len(),
            n_tuples: tuples.sum(),
        }
    }
}
