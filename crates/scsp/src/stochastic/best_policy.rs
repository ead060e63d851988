//! The best policy of a network, by branch and bound.
//!
//! Decisions that stand together are taken in whatever order is best for search, chance gives all that
//! is possible. Arc consistency is maintained on the way. What a policy is worth that was found raises
//! the threshold for those that are looked for after it; a value after which the threshold cannot be
//! reached any more, even if all soft constraints were worth as much as they still can be, is left out.
//!
//! With several players one policy may be better for one of them and another for the other. Then all
//! are kept of which no other is at least as good for everybody, and the thresholds of the network
//! are what prunes.

use base::{Id as _, IdVec, with_stack_for};

use super::bounds::TOLERANCE;
use super::policy::{Node, NodeId, Policy};
use super::soft::{Soft, reaches};
use crate::engine::Engine;
use crate::network::{Network, VarId};
use crate::search::{Budget, Order, Statistics};
use crate::store::Failed;

/// What was found out about the policies of a network.
#[derive(Clone, PartialEq, Debug)]
pub struct BestPolicy {
    /// The best policy, if there is a feasible one that is worth as much as the thresholds say.
    pub policy: Option<Policy>,
    /// Whether there is no better one: neither the budget nor memory was spent before all was looked at.
    pub is_proved: bool,
    /// What was done.
    pub statistics: Statistics,
}

/// How far a search has come.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// The part of the search that is done, from 0 to 1, if all branches were as large.
    pub share_done: f64,
    /// What was done.
    pub statistics: Statistics,
}

/// The best policy of `network` among those that are worth at least its thresholds: the one with the
/// greatest sum over the players.
///
/// A policy is feasible if it violates no hard constraint whatever chance does with a probability
/// above 0.
///
/// ```
/// use scsp::{Budget, Distribution, NetworkBuilder, best_policy};
///
/// let mut builder = NetworkBuilder::new(1);
/// let guess = builder.decision("guess", 1..=3)?;
/// let chances = builder.probabilities(&[], |_| vec![0.2, 0.5, 0.3])?;
/// let die = builder.chance("die", 1..=3, chances)?;
/// builder.utility(&[guess, die], |v| vec![f64::from(v[0] == v[1])])?;
/// let network = builder.build();
/// let best = best_policy(&network, Budget::UNLIMITED);
/// assert_eq!(best.policy.unwrap().value(), [0.5]);
/// # Ok::<(), scsp::BuildError>(())
/// ```
pub fn best_policy(network: &Network, budget: Budget) -> BestPolicy {
    best_policy_watched(network, budget, |_| {})
}

/// The same, and tells `watch` from time to time how far it has come.
pub fn best_policy_watched(
    network: &Network,
    budget: Budget,
    watch: impl FnMut(Progress) + Send,
) -> BestPolicy {
    let search = Search {
        network,
        engine: Engine::new(network),
        soft: Soft::new(network),
        blocks: blocks(network),
        nodes: IdVec::new(),
        values: vec![0; network.variables().len()],
        budget,
        statistics: Statistics::default(),
        is_stopped: false,
        share: 1.0,
        share_done: 0.0,
        watch,
    };
    let found = with_stack_for(3 * network.variables().len(), || search.run());
    found.unwrap_or(BestPolicy {
        policy: None,
        is_proved: false,
        statistics: Statistics::default(),
    })
}

/// By variable: the first chance variable from it on, or how many variables there are.
fn blocks(network: &Network) -> Vec<usize> {
    let mut end = network.variables().len();
    let mut ends = vec![end; end + 1];
    for (index, var) in network.variables().ids().enumerate().rev() {
        end = if network.is_chance(var) { index } else { end };
        ends[index] = end;
    }
    ends
}

/// A policy for the last variables, and what it is worth for each player.
#[derive(Clone, Debug)]
struct Found {
    worth: Vec<f64>,
    node: NodeId,
}

/// Adds a policy, unless another is at least as good for all players, and forgets those that it is at
/// least as good as. Whether it was added.
fn add(front: &mut Vec<Found>, found: Found) -> bool {
    if front.iter().any(|other| covers(&other.worth, &found.worth)) {
        return false;
    }
    front.retain(|other| !covers(&found.worth, &other.worth));
    front.push(found);
    true
}

/// Whether one is at least as good as the other for all players.
fn covers(one: &[f64], other: &[f64]) -> bool {
    one.iter().zip(other).all(|(one, other)| one + TOLERANCE >= *other)
}

/// What the values of chance so far come to, and the branches for them.
#[derive(Clone, Debug)]
struct Sum {
    worth: Vec<f64>,
    branches: Vec<(u32, f64, NodeId)>,
}

/// With more sums than this the clock is looked at for each.
const MANY_SUMS: usize = 100;

struct Search<'a, W> {
    network: &'a Network,
    engine: Engine,
    soft: Soft,
    /// By variable: the first chance variable from it on.
    blocks: Vec<usize>,
    nodes: IdVec<NodeId, Node>,
    /// The places of the values of the variables before the one that is looked at.
    values: Vec<u32>,
    budget: Budget,
    statistics: Statistics,
    is_stopped: bool,
    /// The part of the search that the values before leave, and the part that is done.
    share: f64,
    share_done: f64,
    watch: W,
}

impl<W: FnMut(Progress)> Search<'_, W> {
    fn run(mut self) -> BestPolicy {
        let found = match self.engine.propagate() {
            Ok(()) => self.best_from(0, self.network.thresholds().to_vec()),
            Err(_) => Vec::new(),
        };
        let sum = |found: &Found| found.worth.iter().sum::<f64>();
        let best = found.into_iter().max_by(|one, other| sum(one).total_cmp(&sum(other)));
        self.statistics.n_propagations = self.engine.n_propagations;
        BestPolicy {
            policy: best.map(|found| Policy::from_nodes(&self.nodes, found.node)),
            is_proved: !self.is_stopped,
            statistics: self.statistics,
        }
    }

    /// The best policies for the variables from `start` on that are worth at least `bounds`: of one
    /// player one at most.
    fn best_from(&mut self, start: usize, mut bounds: Vec<f64>) -> Vec<Found> {
        let end = self.blocks[start];
        if self.narrow((start, end), &bounds).is_err() {
            self.statistics.n_failures += 1;
            return Vec::new();
        }
        let Some(var) = self.next_decision(start, end) else {
            return self.best_after_block(start, end, &bounds);
        };
        let mut front: Vec<Found> = Vec::new();
        let n_values = self.network.variables()[var].domain.len();
        let values = self.soft.best_values(var, n_values, &self.engine);
        for &value in &values {
            let search = |search: &mut Self| search.best_from(start, bounds.clone());
            for found in self.with_value(var, value, values.len(), search) {
                let only = (found.worth.len() == 1).then(|| found.worth[0]);
                // What comes after must be better.
                if add(&mut front, found)
                    && let Some(worth) = only
                {
                    bounds[0] = worth + 2.0 * TOLERANCE;
                }
            }
        }
        front
    }

    /// Takes values away from the decisions of a block until nothing more follows.
    fn narrow(&mut self, block: (usize, usize), bounds: &[f64]) -> Result<(), Failed> {
        loop {
            self.soft.narrow(block, bounds, &mut self.engine)?;
            let n_before = self.engine.n_propagations;
            self.engine.propagate()?;
            if self.engine.n_propagations == n_before {
                return Ok(());
            }
        }
    }

    /// The decision from `start` on and before `end` that is taken next, if one is open.
    fn next_decision(&self, start: usize, end: usize) -> Option<VarId> {
        let vars = (start..end).map(VarId::from_index);
        let open = vars.filter(|&var| !self.engine.store.is_fixed(var));
        Order::Failures.choose(&self.engine, open, None)
    }

    /// The best policies when all variables before `end` have one value left: those from `start` on are
    /// decisions.
    fn best_after_block(&mut self, start: usize, end: usize, bounds: &[f64]) -> Vec<Found> {
        for index in start..end {
            self.values[index] = self.engine.store.first(VarId::from_index(index)) as u32;
        }
        let mut found = match end == self.values.len() {
            true => self.end(bounds),
            false => self.best_at_chance(VarId::from_index(end), bounds),
        };
        for Found { node, .. } in &mut found {
            for index in (start..end).rev() {
                let (var, value) = (VarId::from_index(index), self.values[index]);
                *node = self.nodes.push(Node::Decision { var, value, next: *node });
            }
        }
        found
    }

    fn end(&mut self, bounds: &[f64]) -> Vec<Found> {
        let worth = self.network.utility(&self.values);
        self.statistics.n_solutions += 1;
        if !reaches(&worth, bounds) {
            return Vec::new();
        }
        let node = self.nodes.push(Node::End { utility: worth.clone() });
        vec![Found { worth, node }]
    }

    fn best_at_chance(&mut self, var: VarId, bounds: &[f64]) -> Vec<Found> {
        let Some(probabilities) = self.network.probabilities(var, &self.values) else {
            return Vec::new();
        };
        let possible: Vec<(usize, f64)> =
            probabilities.into_iter().enumerate().filter(|(_, p)| *p > 0.0).collect();
        let most = self.soft.most(&self.engine);
        let mut rest = 1.0;
        let mut sums = vec![Sum { worth: vec![0.0; bounds.len()], branches: Vec::new() }];
        for &(value, probability) in &possible {
            rest = f64::max(rest - probability, 0.0);
            // What this value must be worth if all others are worth as much as they can be.
            let needed = (0..bounds.len()).map(|player| {
                let before = sums.iter().map(|sum| sum.worth[player]).fold(0.0, f64::max);
                (bounds[player] - before - rest * most[player] - TOLERANCE) / probability
            });
            let needed: Vec<f64> = needed.collect();
            let found = self.with_value(var, value, possible.len(), |search| {
                search.values[var.index()] = value as u32;
                search.best_from(var.index() + 1, needed)
            });
            let rest_most: Vec<f64> = most.iter().map(|most| rest * most).collect();
            sums = self.extended(&sums, (value, probability), &found, (&rest_most, bounds));
            if sums.is_empty() {
                return Vec::new();
            }
        }
        let found = sums.into_iter().map(|Sum { worth, branches }| {
            let node = self.nodes.push(Node::Chance { var, branches });
            Found { worth, node }
        });
        found.collect()
    }

    /// What the values of chance so far come to, each with one of the policies for another value. What
    /// another is at least as good as is left out, and what can reach the bounds no more: with the most
    /// that the rest is worth.
    fn extended(
        &mut self,
        sums: &[Sum],
        (value, probability): (usize, f64),
        found: &[Found],
        (rest, bounds): (&[f64], &[f64]),
    ) -> Vec<Sum> {
        let mut front: Vec<Sum> = Vec::new();
        for sum in sums {
            for found in found {
                let worth = sum.worth.iter().zip(&found.worth);
                let worth: Vec<f64> = worth.map(|(sum, gain)| sum + probability * gain).collect();
                let most: Vec<f64> = worth.iter().zip(rest).map(|(sum, rest)| sum + rest).collect();
                self.is_stopped |= self.budget.deadline.has_passed() && sums.len() > MANY_SUMS;
                if self.is_stopped || !reaches(&most, bounds) {
                    continue;
                }
                if front.iter().any(|other| covers(&other.worth, &worth)) {
                    continue;
                }
                front.retain(|other| !covers(&worth, &other.worth));
                let mut branches = sum.branches.clone();
                branches.push((value as u32, probability, found.node));
                front.push(Sum { worth, branches });
            }
        }
        front
    }

    /// Looks at what comes after a variable gets one of `n_values` values, unless it cannot have it.
    fn with_value(
        &mut self,
        var: VarId,
        value: usize,
        n_values: usize,
        look: impl FnOnce(&mut Self) -> Vec<Found>,
    ) -> Vec<Found> {
        self.is_stopped |= self.budget.is_spent(self.statistics.n_nodes);
        if self.is_stopped {
            return Vec::new();
        }
        self.report();
        self.statistics.n_nodes += 1;
        let (share, share_done, trail) = (self.share, self.share_done, self.soft.mark());
        let n_nodes = self.nodes.len();
        self.share = share / n_values as f64;
        let found = match self.engine.try_value(var, value) {
            Ok(()) => look(self),
            Err(_) => {
                self.statistics.n_failures += 1;
                Vec::new()
            }
        };
        self.engine.pop_level();
        self.soft.go_back(trail);
        if found.is_empty() {
            self.nodes.truncate(n_nodes);
        }
        self.share_done = share_done + self.share;
        self.share = share;
        found
    }

    fn report(&mut self) {
        const NODES_BETWEEN: u64 = 4096;
        if self.statistics.n_nodes.is_multiple_of(NODES_BETWEEN) {
            let n_propagations = self.engine.n_propagations;
            let share_done = self.share_done;
            let statistics = Statistics { n_propagations, ..self.statistics };
            (self.watch)(Progress { share_done, statistics });
        }
    }
}
