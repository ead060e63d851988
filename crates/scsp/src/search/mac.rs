//! Depth-first search that maintains arc consistency (MAC; Sabin & Freuder 1994), one solution after
//! the other.

use base::{Deadline, Id as _};

use crate::engine::Engine;
use crate::network::{Constraint, Network, VarId};

/// In which order variables are decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// As they stand in the network.
    AsGiven,
    /// The fewest values first.
    FewestValues,
    /// The fewest values for the number of failures of their constraints first (dom/wdeg; Boussemart
    /// et al. 2004), and before that the variable of the last conflict (Lecoutre et al. 2009).
    #[default]
    Failures,
}

/// How much may be spent on a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// How many values may be tried.
    pub max_nodes: u64,
    /// When to stop.
    pub deadline: Deadline,
}

impl Budget {
    /// As much as it takes.
    pub const UNLIMITED: Budget = Budget { max_nodes: u64::MAX, deadline: Deadline::NEVER };

    /// Whether no more may be tried after `n_nodes` values.
    pub(crate) fn is_spent(&self, n_nodes: u64) -> bool {
        /// The clock is looked at once in so many values.
        const NODES_BETWEEN: u64 = 256;
        n_nodes >= self.max_nodes
            || (n_nodes.is_multiple_of(NODES_BETWEEN) && self.deadline.has_passed())
    }
}

/// What a search has done so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// The values that were tried.
    pub n_nodes: u64,
    /// Those after which a variable had none left.
    pub n_failures: u64,
    /// The solutions that were found.
    pub n_solutions: u64,
    /// How often a constraint was looked at.
    pub n_propagations: u64,
}

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
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    New,
    Searching,
    Complete,
    /// The budget is spent.
    Stopped,
}

/// A variable whose values are tried one after the other.
#[derive(Clone, Copy, Debug)]
struct Branch {
    var: VarId,
    /// Where its values begin among all.
    first_value: usize,
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

    /// The solutions of `constraints` over `vars`; other variables get their first value.
    pub(crate) fn over<'c>(
        network: &Network,
        constraints: impl IntoIterator<Item = &'c Constraint>,
        vars: Vec<VarId>,
    ) -> Solutions {
        Solutions {
            engine: Engine::over(network, constraints),
            order: Order::default(),
            budget: Budget::UNLIMITED,
            statistics: Statistics::default(),
            n_open: vars.len(),
            current: vec![0; network.variables().len()],
            vars,
            branches: Vec::new(),
            values: Vec::new(),
            last_conflict: None,
            state: State::New,
        }
    }

    /// The same solutions in an order that another order of variables gives.
    pub fn with_order(self, order: Order) -> Solutions {
        Solutions { order, ..self }
    }

    /// The same solutions, as far as `budget` goes.
    pub fn with_budget(self, budget: Budget) -> Solutions {
        Solutions { budget, ..self }
    }

    /// What was done so far.
    pub fn statistics(&self) -> Statistics {
        Statistics { n_propagations: self.engine.n_propagations, ..self.statistics }
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
        while let Some(&Branch { var, first_value, n_open, is_entered }) = self.branches.last() {
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
            self.engine.push_level();
            self.branches[number].is_entered = true;
            let fixed = self.engine.store.fix(var, value as usize);
            if fixed.and_then(|()| self.engine.propagate()).is_err() {
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
        self.values[first_value..].reverse();
        let n_open = self.n_open;
        self.branches.push(Branch { var, first_value, n_open, is_entered: false });
    }

    fn next_var(&self) -> VarId {
        let open = self.vars[..self.n_open].iter().copied();
        let size = |var: VarId| self.engine.store.size(var);
        let best = match self.order {
            Order::AsGiven => open.min_by_key(|var| var.index()),
            Order::FewestValues => open.min_by_key(|&var| (size(var), var.index())),
            Order::Failures => {
                let is_open = |var: &VarId| !self.engine.store.is_fixed(*var);
                let last = self.last_conflict.filter(is_open);
                // Compared as fractions: size over weight.
                let weight = |var: VarId| u64::from(self.engine.weight(var)) + 1;
                last.or_else(|| {
                    open.min_by(|&one, &other| {
                        let (left, right) =
                            (size(one) as u64 * weight(other), size(other) as u64 * weight(one));
                        left.cmp(&right).then(one.index().cmp(&other.index()))
                    })
                })
            }
        };
        best.expect("a variable is open")
    }
}

impl Iterator for Solutions {
    type Item = Vec<u32>;

    fn next(&mut self) -> Option<Vec<u32>> {
        self.next_solution().map(<[u32]>::to_vec)
    }
}
