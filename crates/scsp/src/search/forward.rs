//! Depth-first search with forward checking (FC; Haralick & Elliott 1980), one solution after the other.
//!
//! A constraint is looked at when all but one of its variables have values: the last one keeps those that the
//! constraint allows. The variable with the fewest values left is next, so one that has a single value left gets it at
//! once. It is what MAC is compared with in the papers: each step costs less, and sees less.

use base::{Id as _, IdVec};

use crate::network::{Constraint, Network, VarId};
use crate::search::budget::{Budget, State};
use crate::store::{Failed, Store};

/// The solutions of the hard constraints of a network, found one after the other by forward checking.
///
/// ```
/// use scsp::{ForwardSolutions, NetworkBuilder};
///
/// let mut builder = NetworkBuilder::new(1);
/// let [x, y] = [builder.decision("x", 1..=3)?, builder.decision("y", 1..=3)?];
/// builder.hard(&[x, y], |v| v[0] < v[1])?;
/// let mut solutions = ForwardSolutions::of(&builder.build());
/// assert_eq!(solutions.by_ref().count(), 3);
/// assert!(solutions.assume([(x, 1)]));
/// assert_eq!(solutions.count(), 1);
/// # Ok::<(), scsp::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ForwardSolutions {
    store: Store,
    constraints: Vec<Constraint>,
    constraints_of: IdVec<VarId, Vec<u32>>,
    /// By constraint: how many of its variables have no value yet.
    n_open: Vec<u32>,
    /// By variable: its value, if it has one.
    values: Vec<u32>,
    has_value: IdVec<VarId, bool>,
    /// The variables with values, in the order in which they got them, and how many these are before anything is assumed.
    given: Vec<VarId>,
    n_always: usize,
    branches: Vec<Branch>,
    /// Whether a level holds what is assumed.
    is_assuming: bool,
    /// Whether it is known that there is no solution at all.
    is_failed: bool,
    state: State,
    budget: Budget,
    /// How many values were tried since something was assumed.
    n_nodes: u64,
}

/// A variable whose values are tried one after the other.
#[derive(Clone, Debug)]
struct Branch {
    var: VarId,
    /// The values that are still to be tried, the next one last.
    left: Vec<u32>,
    /// How many variables had values before.
    n_given: usize,
    /// Whether the level of a value is entered.
    is_entered: bool,
}

impl ForwardSolutions {
    /// All solutions of the hard constraints of `network`, as places of values by variable.
    pub fn of(network: &Network) -> ForwardSolutions {
        let variables = network.variables();
        let constraints = network.constraints().to_vec();
        let mut constraints_of: IdVec<VarId, Vec<u32>> =
            variables.iter().map(|_| Vec::new()).collect();
        for (number, constraint) in (0..).zip(&constraints) {
            constraint.scope().iter().for_each(|&var| constraints_of[var].push(number));
        }
        let mut solutions = ForwardSolutions {
            store: Store::new(variables.iter().map(|variable| variable.domain.len())),
            n_open: constraints.iter().map(|constraint| constraint.scope().len() as u32).collect(),
            constraints,
            constraints_of,
            values: vec![0; variables.len()],
            has_value: variables.iter().map(|_| false).collect(),
            given: Vec::new(),
            n_always: 0,
            branches: Vec::new(),
            is_assuming: false,
            is_failed: false,
            state: State::New,
            budget: Budget::UNLIMITED,
            n_nodes: 0,
        };
        solutions.is_failed = solutions.look_at_all(network).is_err();
        solutions.n_always = solutions.given.len();
        if solutions.is_failed {
            solutions.state = State::Complete;
        }
        solutions
    }

    /// The same solutions, as far as `budget` goes, each time that something is assumed.
    pub fn with_budget(self, budget: Budget) -> ForwardSolutions {
        ForwardSolutions { budget, ..self }
    }

    /// Whether all solutions were found, rather than the budget spent.
    pub fn is_complete(&self) -> bool {
        self.state == State::Complete
    }

    /// Begins again, and finds the solutions in which some variables have these values, by their places. Whether
    /// forward checking leaves values for all others.
    pub fn assume(&mut self, values: impl IntoIterator<Item = (VarId, u32)>) -> bool {
        self.go_to_root();
        self.n_nodes = 0;
        self.state = State::Complete;
        if self.is_failed {
            return false;
        }
        self.store.push_level();
        self.is_assuming = true;
        for (var, value) in values {
            let is_left = self.store.has(var, value as usize);
            if !is_left || self.try_value(var, value).is_err() {
                return false;
            }
        }
        self.state = State::New;
        true
    }

    /// The values, by their places, that what is assumed and decided leaves for a variable.
    pub fn values_left(&self, var: VarId) -> impl Iterator<Item = u32> + use<'_> {
        self.store.values(var).map(|value| value as u32)
    }

    /// The next solution, as places of values by variable.
    pub fn next_solution(&mut self) -> Option<&[u32]> {
        let is_found = match self.state {
            State::New => self.begin(),
            State::Searching => self.search(),
            State::Complete | State::Stopped => false,
        };
        is_found.then_some(self.values.as_slice())
    }

    /// Looks at the constraints that are about one variable only, or about none.
    fn look_at_all(&mut self, network: &Network) -> Result<(), Failed> {
        for var in network.variables().ids() {
            self.store.retain(var, |value| network.has_value(var, value as u32))?;
        }
        for number in 0..self.constraints.len() {
            match self.n_open[number] {
                0 if !self.constraints[number].allows(&self.values) => return Err(Failed),
                1 => self.check(number)?,
                _ => {}
            }
        }
        let single: Vec<VarId> =
            network.variables().ids().filter(|var| self.store.is_fixed(*var)).collect();
        single.into_iter().try_for_each(|var| self.give_only(var))?;
        self.give_all_only()
    }

    /// Whether there is a solution where nothing is left to be tried; otherwise tries.
    fn begin(&mut self) -> bool {
        if self.given.len() == self.values.len() {
            self.state = State::Complete;
            return true;
        }
        self.state = State::Searching;
        self.branch();
        self.search()
    }

    /// Tries values until there is a solution.
    fn search(&mut self) -> bool {
        while let Some(branch) = self.branches.last_mut() {
            let (var, n_given) = (branch.var, branch.n_given);
            if std::mem::take(&mut branch.is_entered) {
                self.leave_level(n_given);
            }
            let Some(branch) = self.branches.last_mut() else { break };
            let Some(value) = branch.left.pop() else {
                self.branches.pop();
                continue;
            };
            if self.budget.is_spent(self.n_nodes) {
                self.state = State::Stopped;
                return false;
            }
            self.n_nodes += 1;
            branch.is_entered = true;
            self.store.push_level();
            if self.try_value(var, value).is_err() {
                continue;
            }
            if self.given.len() == self.values.len() {
                return true;
            }
            self.branch();
        }
        self.state = State::Complete;
        false
    }

    /// Begins to try the values of the variable with the fewest.
    fn branch(&mut self) {
        let open = self.has_value.iter_with_ids().filter(|(_, has_value)| !**has_value);
        let var = open.map(|(var, _)| var).min_by_key(|var| self.store.size(*var));
        let var = var.expect("a variable is open");
        let mut left: Vec<u32> = self.values_left(var).collect();
        left.reverse();
        self.branches.push(Branch { var, left, n_given: self.given.len(), is_entered: false });
    }

    /// Gives a variable a value that it has left, and all others theirs that have only one left then.
    fn try_value(&mut self, var: VarId, value: u32) -> Result<(), Failed> {
        self.store.fix(var, value as usize)?;
        self.give_only(var)?;
        self.give_all_only()
    }

    /// Gives all variables their values that have lost all others.
    fn give_all_only(&mut self) -> Result<(), Failed> {
        while let Some(var) = self.store.pop_changed() {
            if self.store.is_fixed(var) {
                self.give_only(var)?;
            }
        }
        Ok(())
    }

    /// Gives a variable the only value that it has left, if it has none yet, and checks the last variables of its
    /// constraints.
    fn give_only(&mut self, var: VarId) -> Result<(), Failed> {
        if std::mem::replace(&mut self.has_value[var], true) {
            return Ok(());
        }
        self.values[var.index()] = self.store.first(var) as u32;
        self.given.push(var);
        for &number in &self.constraints_of[var] {
            self.n_open[number as usize] -= 1;
        }
        for place in 0..self.constraints_of[var].len() {
            let number = self.constraints_of[var][place] as usize;
            if self.n_open[number] == 1 {
                self.check(number)?;
            }
        }
        Ok(())
    }

    /// Leaves the last variable of a constraint the values that it allows.
    fn check(&mut self, number: usize) -> Result<(), Failed> {
        let constraint = &self.constraints[number];
        let is_open = |var: &&VarId| !self.has_value[**var];
        let Some(&var) = constraint.scope().iter().find(is_open) else { return Ok(()) };
        let values = &mut self.values;
        self.store.retain(var, |value| {
            values[var.index()] = value as u32;
            constraint.allows(values)
        })
    }

    /// Gives back what was taken away at the last level, where so many variables had values before.
    fn leave_level(&mut self, n_given: usize) {
        for var in self.given.drain(n_given..) {
            self.has_value[var] = false;
            for &number in &self.constraints_of[var] {
                self.n_open[number as usize] += 1;
            }
        }
        self.store.pop_level();
        while self.store.pop_changed().is_some() {}
    }

    /// Forgets what was tried and assumed.
    fn go_to_root(&mut self) {
        while let Some(branch) = self.branches.pop() {
            if branch.is_entered {
                self.leave_level(branch.n_given);
            }
        }
        if std::mem::take(&mut self.is_assuming) {
            self.leave_level(self.n_always);
        }
    }
}

impl Iterator for ForwardSolutions {
    type Item = Vec<u32>;

    fn next(&mut self) -> Option<Vec<u32>> {
        self.next_solution().map(<[u32]>::to_vec)
    }
}
