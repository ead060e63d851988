//! What is done once before a network is solved, step by step (Koriche et al. 2016, section 4.1).

use rustc_hash::FxHashMap;

use crate::engine::Engine;
use crate::network::{Constraint, Network, Table, VarId};

/// What preprocessing did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Preprocessed {
    /// The tables that were merged with another of the same scope.
    pub n_merged: usize,
    /// The tables of one variable that became its domain.
    pub n_unary: usize,
    /// The variables that were dropped from the scope of a table that says nothing about them.
    pub n_universal: usize,
    /// The values that tables of one variable took away.
    pub n_removed_by_unary: usize,
    /// The values that singleton arc consistency took away.
    pub n_removed_by_sac: usize,
    /// Whether it was found that there is no solution.
    pub is_inconsistent: bool,
}

impl Network {
    /// The same network, smaller, with the same feasible policies: tables of equal scope are merged,
    /// tables of one variable become its domain, variables are dropped from tables that say nothing
    /// about them, and values go that cannot be part of a solution (singleton arc consistency;
    /// Debruyne & Bessière 1997). Values of chance variables are left alone.
    ///
    /// ```
    /// use scsp::{NetworkBuilder, Solutions};
    ///
    /// let mut builder = NetworkBuilder::new(1);
    /// let [x, y] = [builder.decision("x", 0..=9)?, builder.decision("y", 0..=9)?];
    /// builder.hard(&[x], |v| v[0] > 7)?;
    /// builder.hard(&[x, y], |v| v[0] == v[1])?;
    /// builder.hard(&[y, x], |v| v[1] <= v[0] + 3)?;
    /// let (network, done) = builder.build().preprocessed();
    /// assert_eq!((done.n_merged, done.n_unary), (1, 1));
    /// assert_eq!((done.n_removed_by_unary, done.n_removed_by_sac), (8, 8));
    /// assert_eq!(Solutions::of(&network).count(), 2);
    /// # Ok::<(), scsp::BuildError>(())
    /// ```
    pub fn preprocessed(&self) -> (Network, Preprocessed) {
        let mut network = self.clone();
        let mut done = Preprocessed::default();
        drop_impossible_tuples(&mut network);
        merge_tables(&mut network, &mut done);
        drop_universal_variables(&mut network, &mut done);
        merge_tables(&mut network, &mut done);
        apply_unary_tables(&mut network, &mut done);
        make_singleton_consistent(&mut network, &mut done);
        (network, done)
    }
}

/// Tuples with values that are gone say nothing.
fn drop_impossible_tuples(network: &mut Network) {
    if network.restrictions().next().is_none() {
        return;
    }
    let possible = |constraint: &Constraint| match constraint {
        Constraint::Table(table) => {
            let is_possible = |tuple: &&[u32]| {
                table.scope().iter().zip(*tuple).all(|(&var, &value)| network.has_value(var, value))
            };
            let tuples = table.tuples().filter(is_possible);
            Constraint::Table(Table::new(table.scope().to_vec(), tuples))
        }
        other => other.clone(),
    };
    let constraints = network.constraints().iter().map(possible).collect();
    network.set_constraints(constraints);
}

/// Tables of the same scope, in whatever order, become one that allows what all allow.
fn merge_tables(network: &mut Network, done: &mut Preprocessed) {
    let mut merged: Vec<Constraint> = Vec::new();
    let mut places: FxHashMap<Vec<VarId>, usize> = FxHashMap::default();
    for constraint in network.constraints() {
        let Constraint::Table(table) = constraint else {
            merged.push(constraint.clone());
            continue;
        };
        let table = table.with_sorted_scope();
        let place = *places.entry(table.scope().to_vec()).or_insert(merged.len());
        match merged.get_mut(place) {
            Some(Constraint::Table(other)) => {
                *other = other.intersection(&table);
                done.n_merged += 1;
            }
            _ => merged.push(Constraint::Table(table)),
        }
    }
    network.set_constraints(merged);
}

fn drop_universal_variables(network: &mut Network, done: &mut Preprocessed) {
    let mut constraints = network.constraints().to_vec();
    for constraint in &mut constraints {
        let Constraint::Table(table) = constraint else { continue };
        for var in table.scope().to_vec() {
            let projected = table.without(var);
            if table.n_tuples() == projected.n_tuples() * network.n_values_left(var) {
                *table = projected;
                done.n_universal += 1;
            }
        }
    }
    // Without variables, a table says that all is allowed, or nothing.
    let says_nothing = |constraint: &Constraint| match constraint {
        Constraint::Table(table) => table.scope().is_empty() && table.n_tuples() > 0,
        _ => false,
    };
    constraints.retain(|constraint| !says_nothing(constraint));
    network.set_constraints(constraints);
}

fn apply_unary_tables(network: &mut Network, done: &mut Preprocessed) {
    let mut others = Vec::new();
    for constraint in network.constraints().to_vec() {
        let table = match constraint {
            Constraint::Table(table) if matches!(table.scope(), [v] if !network.is_chance(*v)) => {
                table
            }
            other => {
                others.push(other);
                continue;
            }
        };
        let var = table.scope()[0];
        let before = network.n_values_left(var);
        let allowed: Vec<u32> = table.tuples().map(|tuple| tuple[0]).collect();
        network.remove_values(var, |value| allowed.binary_search(&value).is_err());
        done.n_unary += 1;
        done.n_removed_by_unary += before - network.n_values_left(var);
        done.is_inconsistent |= network.n_values_left(var) == 0;
    }
    network.set_constraints(others);
}

/// Tries every value of every decision with the constraints that chance does not touch, until none
/// fails any more.
fn make_singleton_consistent(network: &mut Network, done: &mut Preprocessed) {
    let is_decided = |constraint: &&Constraint| !network.is_stochastic(constraint);
    let decided: Vec<Constraint> =
        network.constraints().iter().filter(is_decided).cloned().collect();
    let decisions: Vec<VarId> =
        network.variables().ids().filter(|&var| !network.is_chance(var)).collect();
    let mut engine = Engine::over(network, &decided);
    let mut is_consistent = engine.propagate().is_ok();
    let mut has_changed = true;
    while is_consistent && std::mem::take(&mut has_changed) {
        for &var in &decisions {
            let values: Vec<usize> = engine.store.values(var).collect();
            for value in values {
                if !is_consistent || !engine.store.has(var, value) || fits(&mut engine, var, value)
                {
                    continue;
                }
                has_changed = true;
                let removed = engine.store.remove(var, value);
                is_consistent = removed.and_then(|()| engine.propagate()).is_ok();
            }
        }
    }
    done.is_inconsistent |= !is_consistent;
    for var in decisions {
        let before = network.n_values_left(var);
        let is_left = |value: u32| is_consistent && engine.store.has(var, value as usize);
        network.remove_values(var, |value| !is_left(value));
        done.n_removed_by_sac += before - network.n_values_left(var);
    }
}

/// Whether a variable may have a value as far as propagation shows it.
fn fits(engine: &mut Engine, var: VarId, value: usize) -> bool {
    let fits = engine.try_value(var, value).is_ok();
    engine.pop_level();
    fits
}

impl Table {
    /// The same table with its variables in their order.
    fn with_sorted_scope(&self) -> Table {
        let mut order: Vec<usize> = (0..self.scope().len()).collect();
        order.sort_unstable_by_key(|&position| self.scope()[position]);
        self.columns(&order)
    }

    /// The table without one of its variables: the tuples that are allowed with some value of it.
    fn without(&self, var: VarId) -> Table {
        let positions = (0..self.scope().len()).filter(|&n| self.scope()[n] != var);
        self.columns(&positions.collect::<Vec<usize>>())
    }

    fn columns(&self, positions: &[usize]) -> Table {
        let scope = positions.iter().map(|&position| self.scope()[position]).collect();
        let chosen = |tuple: &[u32]| -> Vec<u32> { positions.iter().map(|&n| tuple[n]).collect() };
        Table::new(scope, self.tuples().map(chosen))
    }

    /// The tuples that both allow; they have the same scope.
    fn intersection(&self, other: &Table) -> Table {
        let others: Vec<&[u32]> = other.tuples().collect();
        let is_common = |tuple: &&[u32]| others.binary_search(tuple).is_ok();
        Table::new(self.scope().to_vec(), self.tuples().filter(is_common))
    }
}
