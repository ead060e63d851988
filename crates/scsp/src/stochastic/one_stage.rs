//! Networks of one stage, decisions and then chance: the decisions that chance cannot spoil.
//!
//! As in MAC-UCB (Koriche et al. 2016, section 4.2), the network is split: N″ has the constraints that
//! touch a chance variable, N′ the others. Forward checking finds the decisions that satisfy N″
//! whatever chance does; these tuples become the feasibility constraint, with which MAC solves N′.

use std::fmt;

use base::{Id as _, IdVec, with_stack_for};

use crate::engine::Engine;
use crate::network::{Constraint, Network, Table, VarId};
use crate::search::{Budget, Solutions};

/// A network of one stage, split into what chance touches and what it does not.
#[derive(Clone, Debug)]
pub struct OneStage {
    network: Network,
    decisions: Vec<VarId>,
    chance: Vec<VarId>,
    /// The constraints of N″ and of N′.
    stochastic: Vec<Constraint>,
    decided: Vec<Constraint>,
}

/// The network has more than one stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotOneStage {
    /// How many it has.
    pub n_stages: usize,
}

impl fmt::Display for NotOneStage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the network has {} stages, where one was expected", self.n_stages)
    }
}

impl std::error::Error for NotOneStage {}

impl OneStage {
    /// Splits a network of one stage.
    pub fn new(network: &Network) -> Result<OneStage, NotOneStage> {
        let n_stages = network.stages().len();
        if n_stages > 1 {
            return Err(NotOneStage { n_stages });
        }
        let constraints = network.constraints().iter().cloned();
        let (stochastic, decided) = constraints.partition(|c| network.is_stochastic(c));
        let (chance, decisions) =
            network.variables().ids().partition(|&var| network.is_chance(var));
        Ok(OneStage { network: network.clone(), decisions, chance, stochastic, decided })
    }

    /// The decisions that constraints with chance variables are about, and those that the probabilities
    /// of these depend on.
    pub fn touched_decisions(&self) -> Vec<VarId> {
        let constraints = self.stochastic.iter().map(Constraint::scope);
        let chance = self.touched_chance();
        let chance = chance.iter().map(|&var| self.network.given_by(var));
        let mut touched: Vec<VarId> = constraints.chain(chance).flatten().copied().collect();
        touched.retain(|&var| !self.network.is_chance(var));
        touched.sort_unstable();
        touched.dedup();
        touched
    }

    /// The chance variables that constraints are about, and those that their probabilities depend on.
    fn touched_chance(&self) -> Vec<VarId> {
        let mut is_touched: IdVec<VarId, bool> =
            self.network.variables().ids().map(|_| false).collect();
        for &var in self.stochastic.iter().flat_map(Constraint::scope) {
            is_touched[var] = true;
        }
        // Probabilities depend on variables before.
        for &var in self.chance.iter().rev() {
            if is_touched[var] {
                self.network.given_by(var).iter().for_each(|&other| is_touched[other] = true);
            }
        }
        self.chance.iter().copied().filter(|&var| is_touched[var]).collect()
    }

    /// The feasibility constraint: the tuples of [`OneStage::touched_decisions`] that violate no
    /// constraint of N″ whatever chance does with a probability above 0. `None` if the budget is spent
    /// before they are found.
    pub fn feasibility(&self, budget: Budget) -> Option<Table> {
        let scope = self.touched_decisions();
        let chance = self.touched_chance();
        let mut forward = ForwardChecking {
            stage: self,
            chance: &chance,
            engine: Engine::over(&self.network, &self.stochastic),
            values: vec![0; self.network.variables().len()],
            scope: &scope,
            found: Vec::new(),
            budget,
            n_nodes: 0,
            is_stopped: false,
        };
        let n_levels = scope.len() + chance.len();
        let found: Option<Option<Vec<Vec<u32>>>> = with_stack_for(n_levels, move || {
            if forward.engine.propagate().is_ok() && forward.is_open() {
                forward.decide(0);
            }
            (!forward.is_stopped).then_some(forward.found)
        });
        Some(Table::new(scope, found??))
    }

    /// All decisions that are part of a feasible policy, as places of values by variable; those of
    /// chance variables have no meaning. What must be known of chance is found before the first one.
    pub fn solutions(&self, budget: Budget) -> Solutions {
        let mut constraints = self.decided.clone();
        let mut is_stopped = false;
        if !self.stochastic.is_empty() {
            let feasibility = self.feasibility(budget.clone());
            is_stopped = feasibility.is_none();
            constraints.extend(feasibility.map(Constraint::Table));
        }
        let solutions = Solutions::over(&self.network, &constraints, self.decisions.clone());
        let solutions = solutions.with_budget(budget);
        if is_stopped { solutions.stopped() } else { solutions }
    }
}

/// Forward checking on N″ (Balafoutis & Stergiou 2006), which finds all decisions, not one.
struct ForwardChecking<'a> {
    stage: &'a OneStage,
    chance: &'a [VarId],
    engine: Engine,
    values: Vec<u32>,
    scope: &'a [VarId],
    found: Vec<Vec<u32>>,
    budget: Budget,
    n_nodes: u64,
    is_stopped: bool,
}

impl ForwardChecking<'_> {
    /// Decides the variables of the scope from `position` on.
    fn decide(&mut self, position: usize) {
        let Some(&var) = self.scope.get(position) else {
            if self.withstands_chance(0) {
                let tuple = self.scope.iter().map(|var| self.values[var.index()]).collect();
                self.found.push(tuple);
            }
            return;
        };
        let values: Vec<usize> = self.engine.store.values(var).collect();
        for value in values {
            if self.is_spent() {
                return;
            }
            if self.engine.try_value(var, value).is_ok() && self.is_open() {
                self.values[var.index()] = value as u32;
                self.decide(position + 1);
            }
            self.engine.pop_level();
        }
    }

    /// Counts a value that is tried. Whether no more may be.
    fn is_spent(&mut self) -> bool {
        self.is_stopped |= self.budget.is_spent(self.n_nodes);
        self.n_nodes += 1;
        self.is_stopped
    }

    /// Whether no value of chance was taken away that is surely possible.
    fn is_open(&self) -> bool {
        self.chance.iter().all(|&var| {
            let variable = &self.stage.network.variables()[var];
            let has_all = self.engine.store.size(var) == variable.domain.len();
            has_all || !self.stage.network.is_always_possible(var)
        })
    }

    /// Whether all that chance may do from its variable `position` on is allowed.
    fn withstands_chance(&mut self, position: usize) -> bool {
        let Some(&var) = self.chance.get(position) else {
            return self.stage.stochastic.iter().all(|constraint| constraint.allows(&self.values));
        };
        let probabilities = self.stage.network.probabilities(var, &self.values);
        let probabilities = probabilities.expect("it is chance");
        (0..).zip(probabilities).filter(|(_, probability)| *probability > 0.0).all(|(value, _)| {
            self.values[var.index()] = value;
            !self.is_spent() && self.withstands_chance(position + 1)
        })
    }
}
