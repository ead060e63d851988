//! Networks put together, with every mistake refused where it is made.

use std::collections::BTreeMap;

use base::{Id as _, IdVec};
use rustc_hash::{FxHashMap, FxHashSet};

use super::combinations::Combinations;
use super::constraint::TableBuilder;
use super::distribution::is_distribution;
use super::{
    BuildError, Constraint, Distribution, Domain, Element, Formula, Founded, Kind, Linear, Literal,
    Needs, Network, Relation, Utility, VarId, Variable, check_thresholds,
};

/// Scopes with more combinations of values than this are not looked at one by one.
const MAX_COMBINATIONS: u128 = 10_000_000;

/// All soft constraints and choices together hold no more numbers than this.
const MAX_HELD: u128 = 100_000_000;

/// A network that is being put together.
///
/// ```
/// use scsp::{Distribution, NetworkBuilder};
///
/// let mut builder = NetworkBuilder::new(1);
/// let x = builder.decision("x", [0, 1, 2])?;
/// let y = builder.chance("y", [0, 1, 2], Distribution::uniform())?;
/// builder.utility(&[x, y], |v| vec![f64::from(v[0] + v[1] >= 1)])?;
/// builder.thresholds(&[0.5])?;
/// assert_eq!(builder.build().stages().len(), 1);
/// # Ok::<(), scsp::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct NetworkBuilder {
    variables: IdVec<VarId, Variable>,
    /// By name.
    ids: FxHashMap<String, VarId>,
    constraints: Vec<Constraint>,
    utilities: Vec<Utility>,
    thresholds: Vec<f64>,
    /// How many numbers soft constraints and choices hold, which may be more than was said to make them.
    n_held: u128,
}

impl NetworkBuilder {
    /// A network without variables for so many players, whose thresholds are 0.
    pub fn new(n_players: usize) -> NetworkBuilder {
        NetworkBuilder {
            variables: IdVec::new(),
            ids: FxHashMap::default(),
            constraints: Vec::new(),
            utilities: Vec::new(),
            thresholds: vec![0.0; n_players],
            n_held: 0,
        }
    }

    /// Adds a variable to be decided behind all others.
    pub fn decision(
        &mut self,
        name: impl Into<String>,
        domain: impl Into<Domain>,
    ) -> Result<VarId, BuildError> {
        self.variable(name.into(), domain.into(), Kind::Decision)
    }

    /// Adds a chance variable behind all others.
    ///
    /// Its probabilities come from [`Distribution::uniform`], [`NetworkBuilder::probabilities`] or
    /// [`NetworkBuilder::probability_function`].
    pub fn chance(
        &mut self,
        name: impl Into<String>,
        domain: impl Into<Domain>,
        distribution: Distribution,
    ) -> Result<VarId, BuildError> {
        let (name, domain) = (name.into(), domain.into());
        self.check_distribution(&name, &domain, &distribution)?;
        self.variable(name, domain, Kind::Chance(distribution))
    }

    /// The name of a variable.
    pub fn name(&self, var: VarId) -> &str {
        &self.variables[var].name
    }

    /// The domain of a variable.
    pub fn domain(&self, var: VarId) -> &Domain {
        &self.variables[var].domain
    }

    /// The values of a variable, ascending.
    pub(crate) fn values(&self, var: VarId) -> &[i64] {
        self.variables[var].domain.values()
    }

    /// The variable with a name.
    pub fn find(&self, name: &str) -> Option<VarId> {
        self.ids.get(name).copied()
    }

    fn variable(&mut self, name: String, domain: Domain, kind: Kind) -> Result<VarId, BuildError> {
        if domain.is_empty() {
            return Err(BuildError::EmptyDomain { variable: name });
        }
        if let Some(value) = domain.name_twice() {
            return Err(BuildError::ValueTwice { variable: name, value: value.to_owned() });
        }
        if self.ids.contains_key(&name) {
            return Err(BuildError::NameTwice { variable: name });
        }
        let id = self.variables.push(Variable { name: name.clone(), domain, kind });
        self.ids.insert(name, id);
        Ok(id)
    }

    /// Probabilities that depend on the variables of `scope`: `probabilities` says those of each
    /// value, ascending, for the values of these.
    pub fn probabilities(
        &self,
        scope: &[VarId],
        probabilities: impl Fn(&[i64]) -> Vec<f64>,
    ) -> Result<Distribution, BuildError> {
        let mut all = Vec::new();
        self.for_all_tuples(scope, |values, _| {
            all.push(probabilities(values));
            Ok(())
        })?;
        Ok(Distribution::table(scope.to_vec(), self.sizes(scope), all))
    }

    /// Such probabilities as rows, one for each combination of values of the variables of `scope`, the
    /// last changing fastest.
    pub fn probability_rows(
        &self,
        scope: &[VarId],
        rows: Vec<Vec<f64>>,
    ) -> Result<Distribution, BuildError> {
        self.check_scope(scope)?;
        let sizes = self.sizes(scope);
        let expected = sizes.iter().try_fold(1_usize, |n, &size| n.checked_mul(size));
        if expected != Some(rows.len()) {
            let (found, expected) = (rows.len(), expected.unwrap_or(usize::MAX));
            return Err(BuildError::RowCount { found, expected });
        }
        Ok(Distribution::table(scope.to_vec(), sizes, rows))
    }

    /// Such probabilities for scopes with more combinations of values than can be looked at. They are
    /// checked when they are asked for.
    ///
    /// # Panics
    ///
    /// Solving panics if `probabilities` gives another number of probabilities than there are values,
    /// or they do not sum to 1.
    pub fn probability_function(
        &self,
        scope: &[VarId],
        probabilities: impl Fn(&[i64]) -> Vec<f64> + Send + Sync + 'static,
    ) -> Result<Distribution, BuildError> {
        self.check_scope(scope)?;
        let domains: Vec<Vec<i64>> =
            scope.iter().map(|&var| self.variables[var].domain.values().to_vec()).collect();
        Ok(Distribution::function(scope.to_vec(), move |places| {
            let values = places.iter().zip(&domains).map(|(&place, domain)| domain[place as usize]);
            probabilities(&values.collect::<Vec<i64>>())
        }))
    }

    fn check_distribution(
        &self,
        name: &str,
        domain: &Domain,
        distribution: &Distribution,
    ) -> Result<(), BuildError> {
        let scope = distribution.scope();
        if let Some(later) = scope.iter().find(|var| var.index() >= self.variables.len()) {
            // It is of another network, or of this one and was added after a copy was made.
            return Err(BuildError::DependsOnLater {
                variable: name.to_owned(),
                later: format!("variable number {}", later.index() + 1),
            });
        }
        distribution.tuples().try_for_each(|(given, probabilities)| {
            if probabilities.len() != domain.len() {
                return Err(BuildError::ProbabilityCount {
                    variable: name.to_owned(),
                    found: probabilities.len(),
                    expected: domain.len(),
                });
            }
            if !is_distribution(probabilities, domain.len()) {
                let sum: f64 = probabilities.iter().sum();
                let given = given.iter().zip(scope);
                let value = |(&place, &var): (&u32, &VarId)| {
                    self.variables[var].domain.values()[place as usize]
                };
                let (variable, given) = (name.to_owned(), given.map(value).collect());
                return Err(BuildError::NotADistribution { variable, sum, given });
            }
            Ok(())
        })
    }

    /// Allows only these tuples of values of the variables of `scope`.
    pub fn table(
        &mut self,
        scope: &[VarId],
        tuples: impl IntoIterator<Item = impl AsRef<[i64]>>,
    ) -> Result<(), BuildError> {
        self.check_scope(scope)?;
        let mut table = TableBuilder::new(scope.to_vec());
        let mut places = Vec::with_capacity(scope.len());
        for tuple in tuples {
            let tuple = tuple.as_ref();
            if tuple.len() != scope.len() {
                let (found, expected) = (tuple.len(), scope.len());
                return Err(BuildError::TupleLength { found, expected });
            }
            places.clear();
            for (&value, &var) in tuple.iter().zip(scope) {
                places.push(self.place(var, value)?);
            }
            table.push(&places);
        }
        self.constraints.push(Constraint::Table(table.build()));
        Ok(())
    }

    /// Allows only the values of the variables of `scope` that `allows` is true of.
    pub fn hard(
        &mut self,
        scope: &[VarId],
        allows: impl Fn(&[i64]) -> bool,
    ) -> Result<(), BuildError> {
        let mut table = TableBuilder::new(scope.to_vec());
        self.for_all_tuples(scope, |values, places| {
            if allows(values) {
                table.push(places);
            }
            Ok(())
        })?;
        self.constraints.push(Constraint::Table(table.build()));
        Ok(())
    }

    /// The literal that says that a variable has a value; `!` makes it the opposite.
    pub fn literal(&self, var: VarId, value: i64) -> Result<Literal, BuildError> {
        Ok(Literal { var, value: self.place(var, value)?, is_equal: true })
    }

    /// `head` holds if and only if all literals of one of `bodies` do.
    ///
    /// ```
    /// use scsp::{NetworkBuilder, Solutions};
    ///
    /// let mut builder = NetworkBuilder::new(1);
    /// let [rain, hose, wet] = ["rain", "hose", "wet"].map(|name| builder.decision(name, 0..=1));
    /// let (rain, hose, wet) = (rain?, hose?, wet?);
    /// let [rain, hose, wet] = [rain, hose, wet].map(|var| builder.literal(var, 1));
    /// builder.formula(wet?, [vec![rain?], vec![hose?]])?;
    /// assert_eq!(Solutions::of(&builder.build()).count(), 4);
    /// # Ok::<(), scsp::BuildError>(())
    /// ```
    pub fn formula(
        &mut self,
        head: Literal,
        bodies: impl IntoIterator<Item = Vec<Literal>>,
    ) -> Result<(), BuildError> {
        let formula = Formula::new(head, bodies.into_iter().collect());
        self.constraints.push(Constraint::Formula(formula));
        Ok(())
    }

    /// When `var` has one of the values of `needs`, all literals that stand with it hold.
    ///
    /// ```
    /// use scsp::{NetworkBuilder, Solutions};
    ///
    /// let mut builder = NetworkBuilder::new(1);
    /// let [door, key] = ["door", "key"].map(|name| builder.decision(name, 0..=1));
    /// let (door, key) = (door?, key?);
    /// builder.needs(door, [(1, vec![builder.literal(key, 1)?])])?;
    /// assert_eq!(Solutions::of(&builder.build()).count(), 3);
    /// # Ok::<(), scsp::BuildError>(())
    /// ```
    pub fn needs(
        &mut self,
        var: VarId,
        needs: impl IntoIterator<Item = (i64, Vec<Literal>)>,
    ) -> Result<(), BuildError> {
        let mut by_place: BTreeMap<u32, Vec<Literal>> = BTreeMap::new();
        for (value, literals) in needs {
            by_place.entry(self.place(var, value)?).or_default().extend(literals);
        }
        let needs = by_place.into_iter().filter(|(_, literals)| !literals.is_empty()).collect();
        self.constraints.push(Constraint::Needs(Needs::new(var, needs)));
        Ok(())
    }

    /// The heads of `rules` that hold follow by these rules from what is no head, and not in a circle.
    ///
    /// ```
    /// use scsp::{NetworkBuilder, Solutions};
    ///
    /// // A place is wet if the one beside it is, and the first may be wet by rain.
    /// let mut builder = NetworkBuilder::new(1);
    /// let names = ["rain", "here", "there"].map(|name| builder.decision(name, 0..=1));
    /// let names = names.into_iter().collect::<Result<Vec<_>, _>>()?;
    /// let [rain, here, there] = [0, 1, 2].map(|n| builder.literal(names[n], 1));
    /// let (rain, here, there) = (rain?, here?, there?);
    /// builder.formula(here, [vec![rain], vec![there]])?;
    /// builder.formula(there, [vec![here]])?;
    /// // Without this, both could be wet because of each other.
    /// builder.founded([(here, vec![rain]), (here, vec![there]), (there, vec![here])])?;
    /// assert_eq!(Solutions::of(&builder.build()).count(), 2);
    /// # Ok::<(), scsp::BuildError>(())
    /// ```
    pub fn founded(
        &mut self,
        rules: impl IntoIterator<Item = (Literal, Vec<Literal>)>,
    ) -> Result<(), BuildError> {
        let rules: Vec<(Literal, Vec<Literal>)> = rules.into_iter().collect();
        self.constraints.push(Constraint::Founded(Founded::new(&rules)));
        Ok(())
    }

    /// Channels `var` to variables with the values 0 and 1: each is 1 if and only if `var` has the
    /// value that stands at its place.
    pub fn channel(&mut self, var: VarId, indicators: &[VarId]) -> Result<(), BuildError> {
        let values = self.variables[var].domain.values().to_vec();
        if values.len() != indicators.len() {
            let (found, expected) = (indicators.len(), values.len());
            return Err(BuildError::IndicatorCount { found, expected });
        }
        for (value, &indicator) in values.into_iter().zip(indicators) {
            let head = self.literal(indicator, 1)?;
            let body = vec![self.literal(var, value)?];
            self.formula(head, [body])?;
        }
        Ok(())
    }

    /// Two variables have the same value.
    pub fn equal(&mut self, one: VarId, other: VarId) -> Result<(), BuildError> {
        let of_other = &self.variables[other].domain;
        let common = self.variables[one].domain.values().iter().copied();
        let common = common.filter(|&value| of_other.index_of(value).is_some());
        let tuples: Vec<[i64; 2]> = common.map(|value| [value, value]).collect();
        self.table(&[one, other], tuples)
    }

    /// A sum of variables with factors compares with a constant.
    pub fn linear(
        &mut self,
        factors: &[(i64, VarId)],
        relation: Relation,
        constant: i64,
    ) -> Result<(), BuildError> {
        let scope: Vec<VarId> = factors.iter().map(|(_, var)| *var).collect();
        self.check_scope(&scope)?;
        let linear = Linear::new(factors, relation, constant, &self.variables);
        self.constraints.push(Constraint::Linear(linear.ok_or(BuildError::SumTooLarge)?));
        Ok(())
    }

    /// `result` equals the variable of `array` whose number, from 0 on, is the value of `index`.
    pub fn element(
        &mut self,
        array: &[VarId],
        index: VarId,
        result: VarId,
    ) -> Result<(), BuildError> {
        let sizes = array.iter().map(|&var| self.variables[var].domain.len() as u128);
        self.hold(sizes.sum())?;
        let element = Element::new(array, index, result, &self.variables);
        self.constraints.push(Constraint::Element(element));
        Ok(())
    }

    /// Says what values of the variables of `scope` are worth for each player, from 0 to 1.
    pub fn utility(
        &mut self,
        scope: &[VarId],
        worth: impl Fn(&[i64]) -> Vec<f64>,
    ) -> Result<(), BuildError> {
        let n_players = self.thresholds.len();
        self.hold(self.n_combinations(scope).saturating_mul(n_players as u128))?;
        let mut values = Vec::new();
        self.for_all_tuples(scope, |tuple, _| {
            let worth = worth(tuple);
            if worth.len() != n_players {
                return Err(BuildError::PlayerCount { found: worth.len(), expected: n_players });
            }
            match worth.iter().find(|value| !(0.0..=1.0).contains(*value)) {
                Some(&value) => Err(BuildError::NotAUtility { value }),
                None => {
                    values.extend(worth);
                    Ok(())
                }
            }
        })?;
        self.utilities.push(Utility::new(scope.to_vec(), self.sizes(scope), values, n_players));
        Ok(())
    }

    /// Says what a policy must be worth for each player to be a solution.
    pub fn thresholds(&mut self, thresholds: &[f64]) -> Result<(), BuildError> {
        check_thresholds(thresholds, self.thresholds.len())?;
        self.thresholds = thresholds.to_vec();
        Ok(())
    }

    /// The network.
    pub fn build(self) -> Network {
        let NetworkBuilder { variables, constraints, utilities, thresholds, .. } = self;
        let is_left = variables.iter().map(|variable| vec![true; variable.domain.len()]).collect();
        Network { variables, is_left, constraints, utilities, thresholds }
    }

    /// Refuses to hold more numbers than memory should have to take.
    fn hold(&mut self, n_numbers: u128) -> Result<(), BuildError> {
        self.n_held = self.n_held.saturating_add(n_numbers);
        match self.n_held > MAX_HELD {
            true => Err(BuildError::TooMuchHeld { n_numbers: self.n_held }),
            false => Ok(()),
        }
    }

    fn place(&self, var: VarId, value: i64) -> Result<u32, BuildError> {
        let Variable { name, domain, .. } = &self.variables[var];
        let place = domain.index_of(value);
        let not_there = || BuildError::NotInDomain { variable: name.clone(), value };
        place.map(|place| place as u32).ok_or_else(not_there)
    }

    fn sizes(&self, scope: &[VarId]) -> Vec<usize> {
        scope.iter().map(|&var| self.variables[var].domain.len()).collect()
    }

    /// How many combinations of values the variables of `scope` have, or as large a number as there is.
    pub(crate) fn n_combinations(&self, scope: &[VarId]) -> u128 {
        self.sizes(scope).iter().fold(1, |n, &size| n.saturating_mul(size as u128))
    }

    fn check_scope(&self, scope: &[VarId]) -> Result<(), BuildError> {
        let mut seen = FxHashSet::default();
        match scope.iter().find(|var| !seen.insert(**var)) {
            Some(&var) => {
                Err(BuildError::VariableTwice { variable: self.variables[var].name.clone() })
            }
            None => Ok(()),
        }
    }

    /// Calls `visit` with all combinations of values of the variables of `scope` and their places,
    /// the last changing fastest.
    fn for_all_tuples(
        &self,
        scope: &[VarId],
        mut visit: impl FnMut(&[i64], &[u32]) -> Result<(), BuildError>,
    ) -> Result<(), BuildError> {
        self.check_scope(scope)?;
        let n_tuples = self.n_combinations(scope);
        if n_tuples > MAX_COMBINATIONS {
            return Err(BuildError::TooManyTuples { n_tuples });
        }
        let domains: Vec<&[i64]> =
            scope.iter().map(|&var| self.variables[var].domain.values()).collect();
        let mut values = Vec::with_capacity(scope.len());
        Combinations::new(self.sizes(scope)).iter().try_for_each(|places| {
            values.clear();
            values
                .extend(places.iter().zip(&domains).map(|(&place, domain)| domain[place as usize]));
            visit(&values, &places)
        })
    }
}
