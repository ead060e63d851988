//! Domains and propagators together: what follows from what is known.

use std::collections::VecDeque;

use base::IdVec;

use crate::checker::Checker;
use crate::network::{Constraint, Network, VarId};
use crate::propagators::Propagator;
use crate::store::{Failed, Store};

/// The domains of the variables of a network, and the constraints that narrow them: what a search is
/// made of.
///
/// ```
/// use scsp::{Engine, NetworkBuilder};
///
/// let mut builder = NetworkBuilder::new(1);
/// let [x, y] = [builder.decision("x", 0..=3)?, builder.decision("y", 0..=3)?];
/// builder.hard(&[x, y], |v| v[0] + v[1] == 3)?;
/// let mut engine = Engine::new(&builder.build());
/// assert!(engine.propagate().is_ok());
/// engine.push_level();
/// assert!(engine.fix(x, 1).and_then(|()| engine.propagate()).is_ok());
/// assert_eq!(engine.values(y).collect::<Vec<_>>(), [2]);
/// engine.pop_level();
/// assert_eq!(engine.values(y).count(), 4);
/// # Ok::<(), scsp::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Engine {
    pub(crate) store: Store,
    propagators: Vec<Propagator>,
    /// By variable: the propagators with it, and its position in their scopes.
    propagators_of: IdVec<VarId, Vec<(u32, u32)>>,
    queue: VecDeque<u32>,
    is_queued: Vec<bool>,
    /// The propagators that are to be told when a level is left, level behind level, and by level how
    /// many there were before.
    entered: Vec<u32>,
    levels: Vec<usize>,
    /// By variable: how often a constraint with it has failed.
    weights: IdVec<VarId, u32>,
    /// Whether it is known that there is no solution at all.
    is_failed: bool,
    pub(crate) n_propagations: u64,
    checker: Option<Checker>,
}

impl Engine {
    /// The domains and constraints of `network`, of which nothing was propagated yet.
    pub fn new(network: &Network) -> Engine {
        Engine::over(network, network.constraints())
    }

    /// The domains of `network`, and only these `constraints`.
    pub(crate) fn over<'c>(
        network: &Network,
        constraints: impl IntoIterator<Item = &'c Constraint>,
    ) -> Engine {
        let variables = network.variables();
        let store = Store::new(variables.iter().map(|variable| variable.domain.len()));
        let mut engine = Engine {
            store,
            propagators: Vec::new(),
            propagators_of: variables.iter().map(|_| Vec::new()).collect(),
            queue: VecDeque::new(),
            is_queued: Vec::new(),
            entered: Vec::new(),
            levels: Vec::new(),
            weights: variables.iter().map(|_| 0).collect(),
            is_failed: false,
            n_propagations: 0,
            checker: None,
        };
        for var in variables.ids() {
            let is_left = |value: usize| network.has_value(var, value as u32);
            engine.is_failed |= engine.store.retain(var, is_left).is_err();
        }
        for constraint in constraints {
            engine.add(constraint);
        }
        engine
    }

    fn add(&mut self, constraint: &Constraint) {
        let number = u32::try_from(self.propagators.len()).expect("fewer than 2^32 constraints");
        for (position, &var) in (0..).zip(constraint.scope()) {
            self.propagators_of[var].push((number, position));
        }
        self.propagators.push(Propagator::new(constraint, &self.store));
        self.queue.push_back(number);
        self.is_queued.push(true);
    }

    /// Compares from now on what propagation takes away with what `constraints` allow, which must be
    /// those that it was made with.
    pub(crate) fn check(&mut self, constraints: &[Constraint]) {
        self.checker = Some(Checker::new(constraints, self.propagators_of.len()));
    }

    /// Whether all constraints with a variable leave only values that they have a solution for.
    pub(crate) fn is_exact_for(&self, var: VarId) -> bool {
        self.propagators_of[var].iter().all(|&(n, _)| self.propagators[n as usize].is_exact())
    }

    /// The values that a variable has left, by their places.
    pub fn values(&self, var: VarId) -> impl Iterator<Item = usize> + use<'_> {
        self.store.values(var)
    }

    /// Takes all other values of a variable away; [`Engine::propagate`] finds what follows.
    pub fn fix(&mut self, var: VarId, value: usize) -> Result<(), Failed> {
        self.store.fix(var, value)
    }

    /// Gives a variable a value at a new level, and finds out what follows.
    pub(crate) fn try_value(&mut self, var: VarId, value: usize) -> Result<(), Failed> {
        self.push_level();
        self.fix(var, value)?;
        self.propagate()
    }

    /// How often constraints with a variable have failed.
    pub(crate) fn weight(&self, var: VarId) -> u32 {
        self.weights[var]
    }

    /// Takes away what no solution has, as far as single constraints show it. After a failure, the
    /// level must be left.
    pub fn propagate(&mut self) -> Result<(), Failed> {
        if self.is_failed {
            return Err(Failed);
        }
        self.enqueue_changed(None);
        while let Some(number) = self.queue.pop_front() {
            self.is_queued[number as usize] = false;
            let propagator = &mut self.propagators[number as usize];
            if propagator.enter_level(self.store.n_levels()) {
                self.entered.push(number);
            }
            self.n_propagations += 1;
            let checker = self.checker.as_ref();
            let before = checker.map(|checker| checker.before(number as usize, &self.store));
            let outcome = propagator.propagate(&mut self.store);
            if let Some((checker, before)) = checker.zip(before) {
                checker.check(number as usize, &before, &self.store, outcome);
            }
            if let Err(failed) = outcome {
                for &var in propagator.scope() {
                    self.weights[var] += 1;
                }
                propagator.forget_notes();
                self.forget_queue();
                self.is_failed |= self.levels.is_empty();
                return Err(failed);
            }
            // What it took away itself may need no second look.
            let except = propagator.is_exact().then_some(number);
            self.enqueue_changed(except);
        }
        Ok(())
    }

    /// Puts the propagators of variables that have changed into the queue, but for `except`.
    fn enqueue_changed(&mut self, except: Option<u32>) {
        while let Some(var) = self.store.pop_changed() {
            for &(number, position) in &self.propagators_of[var] {
                if Some(number) == except {
                    continue;
                }
                self.propagators[number as usize].note(position);
                if !std::mem::replace(&mut self.is_queued[number as usize], true) {
                    self.queue.push_back(number);
                }
            }
        }
    }

    fn forget_queue(&mut self) {
        while let Some(number) = self.queue.pop_front() {
            self.is_queued[number as usize] = false;
            self.propagators[number as usize].forget_notes();
        }
        while self.store.pop_changed().is_some() {}
    }

    /// What is taken away from now on comes back with [`Engine::pop_level`].
    ///
    /// # Panics
    ///
    /// If what was taken away before was not propagated: what follows from it would be forgotten.
    pub fn push_level(&mut self) {
        let is_done = self.queue.is_empty() && !self.store.has_changed();
        assert!(is_done || self.is_failed, "propagate comes before a new level");
        self.levels.push(self.entered.len());
        self.store.push_level();
    }

    /// Gives back what was taken away since the last [`Engine::push_level`], of which there must be one.
    pub fn pop_level(&mut self) {
        self.forget_queue();
        self.store.pop_level();
        let n_before = self.levels.pop().expect("a level was pushed");
        for number in self.entered.drain(n_before..) {
            self.propagators[number as usize].leave_level();
        }
    }
}
