//! The best policy of a network, by branch and bound.
//!
//! Variables get values in their order, decisions the one that is worth most, and chance all that are
//! possible. Arc consistency is maintained on the way. What a policy is worth that was found raises
//! the threshold for those that are looked for after it; a value after which the threshold cannot be
//! reached any more, even if all soft constraints were worth as much as they can be, is left out.
//!
//! With several players one policy may be better for one of them and another for the other. Then all
//! are kept of which no other is at least as good for everybody, and the thresholds of the network
//! are what prunes.

use base::{Id as _, IdVec};

use super::policy::{Node, NodeId, Policy};
use crate::engine::Engine;
use crate::network::{Network, VarId};
use crate::search::{Budget, Statistics};

/// What was found out about the policies of a network.
#[derive(Clone, PartialEq, Debug)]
pub struct BestPolicy {
    /// The best policy, if there is a feasible one that is worth as much as the thresholds say.
    pub policy: Option<Policy>,
    /// Whether there is no better one: the budget was not spent before all was looked at.
    pub is_proved: bool,
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
    let mut search = Search {
        network,
        engine: Engine::new(network),
        nodes: IdVec::new(),
        values: vec![0; network.variables().len()],
        budget,
        statistics: Statistics::default(),
        is_stopped: false,
    };
    let found = match search.engine.propagate() {
        Ok(()) => search.best_from(0, network.thresholds().to_vec()),
        Err(_) => Vec::new(),
    };
    let sum = |found: &Found| found.worth.iter().sum::<f64>();
    let best = found.into_iter().max_by(|one, other| sum(one).total_cmp(&sum(other)));
    search.statistics.n_propagations = search.engine.n_propagations;
    BestPolicy {
        policy: best.map(|found| Policy::from_nodes(&search.nodes, found.node)),
        is_proved: !search.is_stopped,
        statistics: search.statistics,
    }
}

/// Sums of products are this exact.
const TOLERANCE: f64 = 1e-9;

/// A policy for the last variables, and what it is worth for each player.
#[derive(Clone, Debug)]
struct Found {
    worth: Vec<f64>,
    node: NodeId,
}

/// Adds a policy, unless another is at least as good for all players, and forgets those that it is at
/// least as good as. Whether it was added.
fn add(front: &mut Vec<Found>, found: Found) -> bool {
    let covers = |one: &Found, other: &Found| {
        one.worth.iter().zip(&other.worth).all(|(one, other)| one + TOLERANCE >= *other)
    };
    if front.iter().any(|other| covers(other, &found)) {
        return false;
    }
    front.retain(|other| !covers(&found, other));
    front.push(found);
    true
}

struct Search<'a> {
    network: &'a Network,
    engine: Engine,
    nodes: IdVec<NodeId, Node>,
    /// The places of the values of the variables before the one that is looked at.
    values: Vec<u32>,
    budget: Budget,
    statistics: Statistics,
    is_stopped: bool,
}

impl Search<'_> {
    /// The best policies for the variables from `depth` on that are worth at least `bounds`: of one
    /// player one at most.
    fn best_from(&mut self, depth: usize, bounds: Vec<f64>) -> Vec<Found> {
        if depth == self.values.len() {
            let worth = self.network.utility(&self.values);
            self.statistics.n_solutions += 1;
            if !reaches(&worth, &bounds) {
                return Vec::new();
            }
            let node = self.nodes.push(Node::End { utility: worth.clone() });
            return vec![Found { worth, node }];
        }
        let var = VarId::from_index(depth);
        match self.network.is_chance(var) {
            true => self.best_at_chance(var, &bounds),
            false => self.best_at_decision(var, bounds),
        }
    }

    fn best_at_decision(&mut self, var: VarId, mut bounds: Vec<f64>) -> Vec<Found> {
        let mut front: Vec<Found> = Vec::new();
        let values: Vec<usize> = self.engine.store.values(var).collect();
        for value in values {
            let found = self.with_value(var, value, |search| {
                match reaches(&search.upper_bounds(var.index() + 1), &bounds) {
                    true => search.best_from(var.index() + 1, bounds.clone()),
                    false => Vec::new(),
                }
            });
            for Found { worth, node: next } in found {
                let only = (worth.len() == 1).then(|| worth[0]);
                let value = value as u32;
                let node = self.nodes.push(Node::Decision { var, value, next });
                // What comes after must be better.
                if add(&mut front, Found { worth, node })
                    && let Some(worth) = only
                {
                    bounds[0] = worth + 2.0 * TOLERANCE;
                }
            }
        }
        front
    }

    fn best_at_chance(&mut self, var: VarId, bounds: &[f64]) -> Vec<Found> {
        let Some(probabilities) = self.network.probabilities(var, &self.values) else {
            return Vec::new();
        };
        let most = self.upper_bounds(var.index());
        let mut rest = 1.0;
        // What the values before come to, and the branches for them.
        let mut sums: Vec<(Vec<f64>, Branches)> = vec![(vec![0.0; bounds.len()], Vec::new())];
        for (value, probability) in probabilities.into_iter().enumerate() {
            if probability <= 0.0 {
                continue;
            }
            rest = f64::max(rest - probability, 0.0);
            // What this value must be worth if all others are worth as much as they can be.
            let needed = (0..bounds.len()).map(|player| {
                let before = sums.iter().map(|(worth, _)| worth[player]).fold(0.0, f64::max);
                (bounds[player] - before - rest * most[player]) / probability - TOLERANCE
            });
            let needed: Vec<f64> = needed.collect();
            let found =
                self.with_value(var, value, |search| search.best_from(var.index() + 1, needed));
            sums = sums
                .iter()
                .flat_map(|sum| {
                    found.iter().map(move |found| extended(sum, value, probability, found))
                })
                .collect();
            if sums.is_empty() {
                return Vec::new();
            }
        }
        let mut front = Vec::new();
        for (worth, branches) in sums {
            if reaches(&worth, bounds) {
                let node = self.nodes.push(Node::Chance { var, branches });
                add(&mut front, Found { worth, node });
            }
        }
        front
    }

    /// Looks at what comes after a variable gets a value, unless it cannot have it.
    fn with_value(
        &mut self,
        var: VarId,
        value: usize,
        look: impl FnOnce(&mut Self) -> Vec<Found>,
    ) -> Vec<Found> {
        self.is_stopped |= self.budget.is_spent(self.statistics.n_nodes);
        if self.is_stopped {
            return Vec::new();
        }
        self.statistics.n_nodes += 1;
        self.engine.push_level();
        let fixed = self.engine.store.fix(var, value);
        let found = match fixed.and_then(|()| self.engine.propagate()) {
            Ok(()) => {
                self.values[var.index()] = value as u32;
                look(self)
            }
            Err(_) => {
                self.statistics.n_failures += 1;
                Vec::new()
            }
        };
        self.engine.pop_level();
        found
    }

    /// By player: no policy is worth more where the first `depth` variables have their values.
    fn upper_bounds(&self, depth: usize) -> Vec<f64> {
        let mut bounds = vec![0.0; self.network.n_players()];
        for utility in self.network.utilities() {
            let is_known = utility.scope().iter().all(|var| var.index() < depth);
            let most = if is_known { utility.of(&self.values) } else { utility.greatest() };
            bounds.iter_mut().zip(most).for_each(|(bound, most)| *bound += most);
        }
        bounds
    }
}

type Branches = Vec<(u32, f64, NodeId)>;

/// What the values of chance so far come to, with another one.
fn extended(
    (worth, branches): &(Vec<f64>, Branches),
    value: usize,
    probability: f64,
    found: &Found,
) -> (Vec<f64>, Branches) {
    let worth = worth.iter().zip(&found.worth).map(|(sum, gain)| sum + probability * gain);
    let mut branches = branches.clone();
    branches.push((value as u32, probability, found.node));
    (worth.collect(), branches)
}

/// Whether a policy is worth enough for all players.
fn reaches(worth: &[f64], bounds: &[f64]) -> bool {
    worth.iter().zip(bounds).all(|(worth, bound)| worth + TOLERANCE >= *bound)
}
