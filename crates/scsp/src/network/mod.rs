//! Stochastic constraint networks.

mod builder;
pub(crate) mod combinations;
mod constraint;
mod distribution;
mod domain;
mod element;
mod error;
mod formula;
mod founded;
mod linear;
mod needs;
mod size;

use base::IdVec;

pub use builder::NetworkBuilder;
pub use constraint::{Constraint, Table, Utility};
pub use distribution::Distribution;
pub use domain::Domain;
pub use element::Element;
pub use error::{BuildError, Unwritable};
pub use formula::{Formula, Literal};
pub use founded::Founded;
pub use linear::{Linear, Relation};
pub use needs::Needs;
pub use size::Size;

base::define_id! {
    /// A variable, in the order in which variables get their values.
    pub struct VarId;
}

/// A variable.
#[derive(Clone, PartialEq, Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// The values that it may take.
    pub domain: Domain,
    /// Who gives it a value.
    pub kind: Kind,
}

/// Who gives a variable its value.
#[derive(Clone, PartialEq, Debug)]
pub enum Kind {
    /// The one who looks for a policy.
    Decision,
    /// Chance, with these probabilities.
    Chance(Distribution),
}

/// A stochastic constraint network ⟨V, Y, D, C, P, θ⟩: variables in their order, decisions and
/// chance, with finite domains; hard constraints and soft ones; probabilities; and what a policy
/// must be worth for each player to be a solution.
///
/// Made by [`NetworkBuilder`], which refuses what is malformed.
#[derive(Clone, PartialEq, Debug)]
pub struct Network {
    variables: IdVec<VarId, Variable>,
    /// By variable: whether the values of its domain are left, by their places. Preprocessing takes
    /// some away; their places stay.
    is_left: IdVec<VarId, Vec<bool>>,
    constraints: Vec<Constraint>,
    utilities: Vec<Utility>,
    thresholds: Vec<f64>,
}

impl Network {
    /// The variables in their order.
    pub fn variables(&self) -> &IdVec<VarId, Variable> {
        &self.variables
    }

    /// The hard constraints.
    pub fn constraints(&self) -> &[Constraint] {
        &self.constraints
    }

    /// The soft constraints.
    pub fn utilities(&self) -> &[Utility] {
        &self.utilities
    }

    /// By player: what a policy must be worth to be a solution.
    pub fn thresholds(&self) -> &[f64] {
        &self.thresholds
    }

    /// How many players there are.
    pub fn n_players(&self) -> usize {
        self.thresholds.len()
    }

    /// Whether chance gives a variable its value.
    pub fn is_chance(&self, var: VarId) -> bool {
        matches!(self.variables[var].kind, Kind::Chance(_))
    }

    /// Whether a constraint is about chance.
    pub fn is_stochastic(&self, constraint: &Constraint) -> bool {
        constraint.scope().iter().any(|&var| self.is_chance(var))
    }

    /// The stages: decisions followed by chance.
    pub fn stages(&self) -> Vec<Vec<VarId>> {
        let mut stages: Vec<Vec<VarId>> = Vec::new();
        let mut was_chance = true;
        for var in self.variables.ids() {
            if was_chance && !self.is_chance(var) || stages.is_empty() {
                stages.push(Vec::new());
            }
            was_chance = self.is_chance(var);
            let stage = stages.last_mut().expect("there is one by now");
            stage.push(var);
        }
        stages
    }

    /// The same network with other thresholds.
    pub fn with_thresholds(&self, thresholds: &[f64]) -> Result<Network, BuildError> {
        check_thresholds(thresholds, self.n_players())?;
        Ok(Network { thresholds: thresholds.to_vec(), ..self.clone() })
    }

    /// Whether a value of a variable, by its place, was not taken away by preprocessing.
    pub fn has_value(&self, var: VarId, value: u32) -> bool {
        self.is_left[var][value as usize]
    }

    /// The names of variables.
    pub(crate) fn names(&self, scope: &[VarId]) -> Vec<String> {
        scope.iter().map(|&var| self.variables[var].name.clone()).collect()
    }

    /// The variables of which values were taken away, and those that are left, by their places.
    pub(crate) fn restrictions(&self) -> impl Iterator<Item = (VarId, Vec<u32>)> {
        self.variables.ids().filter_map(|var| {
            let values = 0..self.variables[var].domain.len() as u32;
            let left: Vec<u32> = values.clone().filter(|&n| self.has_value(var, n)).collect();
            (left.len() < values.len()).then_some((var, left))
        })
    }

    /// How many values of a variable were not taken away.
    pub(crate) fn n_values_left(&self, var: VarId) -> usize {
        self.is_left[var].iter().filter(|is_left| **is_left).count()
    }

    /// Takes values away, by their places.
    pub(crate) fn remove_values(&mut self, var: VarId, is_removed: impl Fn(u32) -> bool) {
        for (value, is_left) in (0..).zip(&mut self.is_left[var]) {
            *is_left &= !is_removed(value);
        }
    }

    pub(crate) fn set_constraints(&mut self, constraints: Vec<Constraint>) {
        self.constraints = constraints;
    }

    /// Whether a complete instantiation, as places of values, violates no hard constraint.
    pub fn allows(&self, values: &[u32]) -> bool {
        let mut all = self.variables.ids().zip(values);
        all.all(|(var, &value)| self.has_value(var, value))
            && self.constraints.iter().all(|constraint| constraint.allows(values))
    }

    /// By player: the utility of a complete instantiation, as places of values.
    pub fn utility(&self, values: &[u32]) -> Vec<f64> {
        let mut sums = vec![0.0; self.n_players()];
        for utility in &self.utilities {
            let gains = utility.of(values);
            sums.iter_mut().zip(gains).for_each(|(sum, gain)| *sum += gain);
        }
        sums
    }

    /// The probability of each value of a chance variable when those before it have these values.
    pub fn probabilities(&self, var: VarId, values: &[u32]) -> Option<Vec<f64>> {
        match &self.variables[var].kind {
            Kind::Decision => None,
            Kind::Chance(distribution) => {
                Some(distribution.given(values, self.variables[var].domain.len()))
            }
        }
    }

    /// The variables that the probabilities of a chance variable depend on.
    pub fn given_by(&self, var: VarId) -> &[VarId] {
        match &self.variables[var].kind {
            Kind::Decision => &[],
            Kind::Chance(distribution) => distribution.scope(),
        }
    }

    /// Whether all values of a chance variable have a probability above 0, whatever it depends on.
    pub(crate) fn is_always_possible(&self, var: VarId) -> bool {
        match &self.variables[var].kind {
            Kind::Decision => false,
            Kind::Chance(distribution) => distribution.is_always_positive(),
        }
    }

    /// The value of a variable at a place of its domain.
    pub fn value(&self, var: VarId, index: u32) -> i64 {
        self.variables[var].domain.values()[index as usize]
    }
}

/// Whether there is a number for each player.
fn check_thresholds(thresholds: &[f64], n_players: usize) -> Result<(), BuildError> {
    if thresholds.len() != n_players {
        return Err(BuildError::PlayerCount { found: thresholds.len(), expected: n_players });
    }
    match thresholds.iter().find(|value| !value.is_finite()) {
        Some(&value) => Err(BuildError::NotAThreshold { value }),
        None => Ok(()),
    }
}
