//! Depth-first search that maintains arc consistency (MAC; Sabin & Freuder 1994), one solution after
//! the other.

use base::Id as _;

use crate::engine::Engine;
use crate::network::{Constraint, Network, VarId};
use crate::search::budget::{Budget, State, Statistics};
use crate::search::order::{Order, ValueOrder};

/// The solutions of the hard constraints of a network, found one after the other.
///
/// ```
/// use scsp::{NetworkBuilder, Solutions};
///
/// let mut builder = NetworkBuilder::new(1);
/// let [x, y] = [builder.decision("x", 1..=3)?, builder.decision("y", 1..=3)?];
/// builder.hard(&[x, y], |v| v[0] < v[1])?;
/// let network = builder.build();
/// assert_eq!(Solutions::of(&network).count(), 3);
/// # Ok::<(), scsp::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Solutions {
    engine: Engine,
    order: Order,
    value_order: ValueOrder,
    budget: Budget,
    statistics: Statistics,
    /// The variables that are decided; those that are open stand first.
    vars: Vec<VarId>,
    n_open: usize,
    branches: Vec<Branch>,
    /// The values that are still to be tried, branch behind branch, the next one last.
    values: Vec<u32>,
    last_conflict: Option<VarId>,
    current: Vec<u32>,
    state: State,
    /// Whether a level holds what is assumed.
    is_assuming: bool,
}

/// A variable whose values are tried one after the other.
#[derive(Clone, Copy, Debug)]
struct Branch {
    var: VarId,
    /// Where its values begin among all.
    first_value: usize,
    n_values: usize,
    /// How many variables were open.
    n_open: usize,
    /// Whether the level of a value is entered.
    is_entered: bool,
}

impl Solutions {
    /// All solutions of the hard constraints of `network`, as places of values by variable.
    pub fn of(network: &Network) -> Solutions {
        let vars = network.variables().ids().collect();
        Solutions::over(network, network.constraints(), vars)
    }

    /// The same, with all that propagation takes away compared with plain enumeration, for tests.
    ///
    /// # Panics
    ///
    /// If a value was taken away that a constraint allows.
    pub fn checked(network: &Network) -> Solutions {
        let mut solutions = Solutions::of(network);
        solutions.engine.check(network.constraints());
        solutions
    }

    /// The solutions of `constraints` over `vars`; other variables get their first value.
    pub(crate) fn over<'c>(
        network: &Network,
        constraints: impl IntoIterator<Item = &'c Constraint>,
        vars: Vec<VarId>,
    ) -> Solutions {
        Solutions {
            engine: Engine::over(network, constraints),
            order: Order::default(),
            value_order: ValueOrder::default(),
            budget: Budget::UNLIMITED,
            statistics: Statistics::default(),
            n_open: vars.len(),
            current: vec![0; network.variables().len()],
            vars,
            branches: Vec::new(),
            values: Vec::new(),
            last_conflict: None,
            state: State::New,
            is_assuming: false,
        }
    }

    /// The same solutions in an order that another order of variables gives.
    pub fn with_order(self, order: Order) -> Solutions {
        Solutions { order, ..self }
    }

    /// The same solutions in an order that another order of values gives.
    pub fn with_value_order(self, value_order: ValueOrder) -> Solutions {
        Solutions { value_order, ..self }
    }

    /// The same solutions, as far as `budget` goes.
    pub fn with_budget(self, budget: Budget) -> Solutions {
        Solutions { budget, ..self }
    }

    /// None: what comes before them was not finished.
    pub(crate) fn stopped(self) -> Solutions {
        Solutions { state: State::Stopped, ..self }
    }

    /// What was done so far.
    pub fn statistics(&self) -> Statistics {
        Statistics { n_propagations: self.engine.n_propagations, ..self.statistics }
    }

    /// Begins again, and finds the solutions in which some variables have these values, by their places.
    /// Whether propagation leaves values for all others; what it leaves, [`Solutions::values_left`]
    /// says. It costs what has changed since the last time, not what the network is.
    ///
    /// ```
    /// use scsp::{NetworkBuilder, Solutions};
    ///
    /// let mut builder = NetworkBuilder::new(1);
    /// let [x, y] = [builder.decision("x", 1..=3)?, builder.decision("y", 1..=3)?];
    /// builder.hard(&[x, y], |v| v[0] < v[1])?;
    /// let mut solutions = Solutions::of(&builder.build());
    /// assert!(solutions.assume([(x, 1)]));
    /// assert_eq!(solutions.values_left(y).collect::<Vec<_>>(), [2]);
    /// assert!(!solutions.assume([(x, 2)]));
    /// assert!(solutions.assume([(y, 2)]));
    /// assert_eq!(solutions.count(), 2);
    /// # Ok::<(), scsp::BuildError>(())
    /// ```
    pub fn assume(&mut self, values: impl IntoIterator<Item = (VarId, u32)>) -> bool {
        self.go_to_root();
        self.state = State::Complete;
        if self.engine.propagate().is_err() {
            return false;
        }
        self.engine.push_level();
        self.is_assuming = true;
        let mut values = values.into_iter();
        let fixed = values.try_for_each(|(var, value)| self.engine.fix(var, value as usize));
        if fixed.and_then(|()| self.engine.propagate()).is_err() {
            return false;
        }
        self.state = State::New;
        true
    }

    /// Forgets what was tried and assumed.
    fn go_to_root(&mut self) {
        while let Some(branch) = self.branches.pop() {
            if branch.is_entered {
                self.engine.pop_level();
            }
        }
        if std::mem::take(&mut self.is_assuming) {
            self.engine.pop_level();
        }
        self.values.clear();
        self.n_open = self.vars.len();
    }

    /// The values, by their places, that what is assumed and decided leaves for a variable.
    pub fn values_left(&self, var: VarId) -> impl Iterator<Item = u32> + use<'_> {
        self.engine.values(var).map(|value| value as u32)
    }

    /// The part of the search that is done, from 0 to 1, if all branches were as large.
    ///
    /// ```
    /// use scsp::{NetworkBuilder, Solutions};
    ///
    /// let mut builder = NetworkBuilder::new(1);
    /// builder.decision("x", 1..=4)?;
    /// let mut solutions = Solutions::of(&builder.build());
    /// let share = |solutions: &mut Solutions| {
    ///     solutions.next();
    ///     solutions.share_done()
    /// };
    /// assert_eq!([(); 5].map(|()| share(&mut solutions)), [0.25, 0.5, 0.75, 1.0, 1.0]);
    /// # Ok::<(), scsp::BuildError>(())
    /// ```
    pub fn share_done(&self) -> f64 {
        match self.state {
            State::New => 0.0,
            State::Complete => 1.0,
            State::Searching | State::Stopped => self.share_of_branches(),
        }
    }

    fn share_of_branches(&self) -> f64 {
        let ends = self.branches.iter().skip(1).map(|branch| branch.first_value);
        let ends = ends.chain([self.values.len()]);
        let mut share = 0.0;
        let mut size = 1.0;
        for (branch, end) in self.branches.iter().zip(ends) {
            let n_begun = branch.n_values - (end - branch.first_value);
            let n_done = n_begun - usize::from(branch.is_entered);
            size /= branch.n_values as f64;
            share += size * n_done as f64;
        }
        share
    }

    /// Whether all solutions were found, rather than the budget spent.
    pub fn is_complete(&self) -> bool {
        self.state == State::Complete
    }

    /// The next solution, as places of values by variable.
    pub fn next_solution(&mut self) -> Option<&[u32]> {
        let is_found = match self.state {
            State::New => self.begin(),
            State::Searching => self.search(),
            State::Complete | State::Stopped => false,
        };
        if !is_found {
            return None;
        }
        self.statistics.n_solutions += 1;
        Some(&self.current)
    }

    /// Looks at the network before anything is tried. Whether it is solved by that.
    fn begin(&mut self) -> bool {
        if self.engine.propagate().is_err() {
            self.state = State::Complete;
            return false;
        }
        self.state = State::Searching;
        self.close_fixed();
        if self.n_open == 0 {
            self.state = State::Complete;
            return true;
        }
        self.branch();
        self.search()
    }

    /// Tries values until there is a solution.
    fn search(&mut self) -> bool {
        while let Some(&Branch { var, first_value, n_open, is_entered, .. }) = self.branches.last()
        {
            let number = self.branches.len() - 1;
            if is_entered {
                self.engine.pop_level();
                self.n_open = n_open;
                self.branches[number].is_entered = false;
            }
            if self.values.len() == first_value {
                self.branches.pop();
                continue;
            }
            if self.budget.is_spent(self.statistics.n_nodes) {
                self.state = State::Stopped;
                return false;
            }
            let value = self.values.pop().expect("there is one left");
            self.statistics.n_nodes += 1;
            if n_open == 1 && self.engine.is_exact_for(var) {
                // All others are fixed, and every value that is left has been shown to fit.
                self.current[var.index()] = value;
                return true;
            }
            self.branches[number].is_entered = true;
            if self.engine.try_value(var, value as usize).is_err() {
                self.statistics.n_failures += 1;
                self.last_conflict = Some(var);
                continue;
            }
            self.close_fixed();
            if self.n_open == 0 {
                return true;
            }
            self.branch();
        }
        self.state = State::Complete;
        false
    }

    /// Notes the values of the variables that have become fixed.
    fn close_fixed(&mut self) {
        let mut position = 0;
        while position < self.n_open {
            let var = self.vars[position];
            if self.engine.store.is_fixed(var) {
                self.current[var.index()] = self.engine.store.first(var) as u32;
                self.n_open -= 1;
                self.vars.swap(position, self.n_open);
            } else {
                position += 1;
            }
        }
    }

    /// Begins to try the values of the variable that is next.
    fn branch(&mut self) {
        let var = self.next_var();
        let first_value = self.values.len();
        let values = self.engine.store.values(var).map(|value| value as u32);
        self.values.extend(values);
        if self.value_order == ValueOrder::Ascending {
            self.values[first_value..].reverse();
        }
        let (n_open, n_values) = (self.n_open, self.values.len() - first_value);
        self.branches.push(Branch { var, first_value, n_values, n_open, is_entered: false });
    }

    fn next_var(&self) -> VarId {
        let open = self.vars[..self.n_open].iter().copied();
        let is_open = |var: &VarId| !self.engine.store.is_fixed(*var);
        let last = self.last_conflict.filter(is_open);
        self.order.choose(&self.engine, open, last).expect("a variable is open")
    }
}

impl Iterator for Solutions {
    type Item = Vec<u32>;

    fn next(&mut self) -> Option<Vec<u32>> {
        self.next_solution().map(<[u32]>::to_vec)
    }
}
