//! The probabilities of the values of chance variables.

use std::fmt;
use std::sync::Arc;

use base::Id as _;

use super::VarId;
use super::combinations::Combinations;

/// The probabilities of the values of a variable, which may depend on variables before it.
#[derive(Clone)]
pub struct Distribution {
    scope: Vec<VarId>,
    probabilities: Probabilities,
}

#[derive(Clone)]
enum Probabilities {
    /// All values are as likely.
    Uniform,
    /// By tuple of all combinations of values of the scope: those of each value.
    Table { combinations: Combinations, probabilities: Vec<Vec<f64>> },
    /// From the places of the values of the scope.
    Function(Arc<Function>),
}

type Function = dyn Fn(&[u32]) -> Vec<f64> + Send + Sync;

impl Distribution {
    /// All values are as likely.
    pub fn uniform() -> Distribution {
        Distribution { scope: Vec::new(), probabilities: Probabilities::Uniform }
    }

    /// By all combinations of values of `scope`, whose domains have these sizes, the last changing
    /// fastest.
    pub(crate) fn table(
        scope: Vec<VarId>,
        sizes: Vec<usize>,
        probabilities: Vec<Vec<f64>>,
    ) -> Distribution {
        let combinations = Combinations::new(sizes);
        Distribution { scope, probabilities: Probabilities::Table { combinations, probabilities } }
    }

    pub(crate) fn function(
        scope: Vec<VarId>,
        function: impl Fn(&[u32]) -> Vec<f64> + Send + Sync + 'static,
    ) -> Distribution {
        Distribution { scope, probabilities: Probabilities::Function(Arc::new(function)) }
    }

    /// The variables that it depends on.
    pub fn scope(&self) -> &[VarId] {
        &self.scope
    }

    /// The probability of each of `n_values` values, where the variables before have these.
    pub(crate) fn given(&self, values: &[u32], n_values: usize) -> Vec<f64> {
        match &self.probabilities {
            Probabilities::Uniform => vec![1.0 / n_values as f64; n_values],
            Probabilities::Table { combinations, probabilities } => {
                probabilities[combinations.number_of(&self.scope, values)].clone()
            }
            Probabilities::Function(function) => {
                let given: Vec<u32> = self.scope.iter().map(|var| values[var.index()]).collect();
                let probabilities = function(&given);
                assert!(
                    is_distribution(&probabilities, n_values),
                    "a function says that {n_values} values have the probabilities {probabilities:?}"
                );
                probabilities
            }
        }
    }

    /// Whether the probabilities are computed.
    pub(crate) fn is_function(&self) -> bool {
        matches!(self.probabilities, Probabilities::Function(_))
    }

    /// The probabilities that are held, one row for each combination of values of the scope.
    pub(crate) fn rows(&self) -> &[Vec<f64>] {
        match &self.probabilities {
            Probabilities::Table { probabilities, .. } => probabilities,
            Probabilities::Uniform | Probabilities::Function(_) => &[],
        }
    }

    /// The values of the scope, as places, and the probabilities that are held for them.
    pub(crate) fn tuples(&self) -> impl Iterator<Item = (Vec<u32>, &[f64])> {
        let combinations = match &self.probabilities {
            Probabilities::Table { combinations, .. } => combinations.iter().collect(),
            Probabilities::Uniform | Probabilities::Function(_) => Vec::new(),
        };
        combinations.into_iter().zip(self.rows().iter().map(Vec::as_slice))
    }

    /// Whether it is known that no value has a probability of 0.
    pub(crate) fn is_always_positive(&self) -> bool {
        match &self.probabilities {
            Probabilities::Uniform => true,
            Probabilities::Table { probabilities, .. } => {
                probabilities.iter().flatten().all(|probability| *probability > 0.0)
            }
            Probabilities::Function(_) => false,
        }
    }
}

/// Probabilities may miss 1 by this: they are written with few digits.
const TOLERANCE: f64 = 1e-9;

/// Whether these are probabilities of so many values.
pub(super) fn is_distribution(probabilities: &[f64], n_values: usize) -> bool {
    let sum: f64 = probabilities.iter().sum();
    let is_probability = |p: &f64| (0.0..=1.0 + TOLERANCE).contains(p);
    probabilities.len() == n_values
        && (sum - 1.0).abs() <= TOLERANCE
        && probabilities.iter().all(is_probability)
}

impl PartialEq for Distribution {
    /// Functions are the same only if they are one.
    fn eq(&self, other: &Distribution) -> bool {
        use Probabilities::{Function, Table, Uniform};
        let is_same = match (&self.probabilities, &other.probabilities) {
            (Uniform, Uniform) => true,
            (Table { probabilities: one, .. }, Table { probabilities: other, .. }) => one == other,
            (Function(one), Function(other)) => Arc::ptr_eq(one, other),
            _ => false,
        };
        is_same && self.scope == other.scope
    }
}

impl fmt::Debug for Distribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match &self.probabilities {
            Probabilities::Uniform => "uniform".to_owned(),
            Probabilities::Table { probabilities, .. } => format!("{probabilities:?}"),
            Probabilities::Function(_) => "function".to_owned(),
        };
        f.debug_struct("Distribution").field("scope", &self.scope).field("is", &kind).finish()
    }
}
