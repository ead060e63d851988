//! The best policy of a network for one player, by branch and bound.
//!
//! Variables get values in their order, decisions the one that is worth most, and chance all that are
//! possible. Arc consistency is maintained on the way. What a policy is worth that was found raises
//! the threshold for those that are looked for after it; a value after which the threshold cannot be
//! reached any more, even if all soft constraints were worth as much as they can be, is left out.

use base::{Id as _, IdVec};

use super::policy::{Node, NodeId, Policy};
use crate::engine::Engine;
use crate::network::{Network, VarId};
use crate::search::{Budget, Statistics};

/// What was found out about the policies of a network.
#[derive(Clone, PartialEq, Debug)]
pub struct BestPolicy {
    /// The best policy, if there is a feasible one that is worth as much as was asked for.
    pub policy: Option<Policy>,
    /// Whether there is no better one: the budget was not spent before all was looked at.
    pub is_proved: bool,
    /// What was done.
    pub statistics: Statistics,
}

/// The best policy of `network` for its first player, among those that are worth at least
/// `threshold`.
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
/// let best = best_policy(&network, 0.0, Budget::UNLIMITED);
/// assert_eq!(best.policy.unwrap().value(), [0.5]);
/// # Ok::<(), scsp::BuildError>(())
/// ```
pub fn best_policy(network: &Network, threshold: f64, budget: Budget) -> BestPolicy {
    let mut search = Search {
        network,
        engine: Engine::new(network, network.constraints()),
        nodes: IdVec::new(),
        values: vec![0; network.variables().len()],
        budget,
        statistics: Statistics::default(),
        is_stopped: false,
    };
    // What is worth exactly the threshold is good enough.
    let below = threshold - 1e-9;
    let found = match search.engine.propagate() {
        Ok(()) => search.best_from(0, below),
        Err(_) => None,
    };
    search.statistics.n_propagations = search.engine.n_propagations;
    BestPolicy {
        policy: found.map(|(_, root)| Policy::from_nodes(&search.nodes, root)),
        is_proved: !search.is_stopped,
        statistics: search.statistics,
    }
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
    /// The best policy for the variables from `depth` on that is worth more than `bound`, and what
    /// it is worth.
    fn best_from(&mut self, depth: usize, bound: f64) -> Option<(f64, NodeId)> {
        if depth == self.values.len() {
            let utility = self.network.utility(&self.values);
            let worth = utility.first().copied().unwrap_or(0.0);
            let is_enough = worth > bound;
            self.statistics.n_solutions += 1;
            return is_enough.then(|| (worth, self.nodes.push(Node::End { utility })));
        }
        let var = VarId::from_index(depth);
        match self.network.is_chance(var) {
            true => self.best_at_chance(var, bound),
            false => self.best_at_decision(var, bound),
        }
    }

    fn best_at_decision(&mut self, var: VarId, bound: f64) -> Option<(f64, NodeId)> {
        let mut best = None;
        let mut bound = bound;
        let values: Vec<usize> = self.engine.store.values(var).collect();
        for value in values {
            let found = self.with_value(var, value, |search| {
                match search.upper_bound(var.index() + 1) > bound {
                    true => search.best_from(var.index() + 1, bound),
                    false => None,
                }
            });
            if let Some((worth, next)) = found {
                bound = worth;
                let value = value as u32;
                best = Some((worth, self.nodes.push(Node::Decision { var, value, next })));
            }
        }
        best
    }

    fn best_at_chance(&mut self, var: VarId, bound: f64) -> Option<(f64, NodeId)> {
        let probabilities = self.network.probabilities(var, &self.values)?;
        let most = self.upper_bound(var.index());
        let mut rest = 1.0;
        let mut worth = 0.0;
        let mut branches = Vec::new();
        for (value, probability) in probabilities.into_iter().enumerate() {
            if probability <= 0.0 {
                continue;
            }
            rest -= probability;
            // What this value must be worth if all others were worth as much as they can be.
            let bound = (bound - worth - rest.max(0.0) * most) / probability;
            let found = self
                .with_value(var, value, |search| search.best_from(var.index() + 1, bound - 1e-12));
            let (gain, next) = found?;
            worth += probability * gain;
            branches.push((value as u32, probability, next));
        }
        (worth > bound).then(|| (worth, self.nodes.push(Node::Chance { var, branches })))
    }

    /// Looks at what comes after a variable gets a value, unless it cannot have it.
    fn with_value<T>(
        &mut self,
        var: VarId,
        value: usize,
        look: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        if self.is_spent() {
            return None;
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
                None
            }
        };
        self.engine.pop_level();
        found
    }

    fn is_spent(&mut self) -> bool {
        let n_nodes = self.statistics.n_nodes;
        self.is_stopped |= n_nodes >= self.budget.max_nodes
            || (n_nodes.is_multiple_of(256) && self.budget.deadline.has_passed());
        self.is_stopped
    }

    /// No policy is worth more where the first `depth` variables have their values.
    fn upper_bound(&self, depth: usize) -> f64 {
        let worth = |utility: &crate::network::Utility| {
            let is_known = utility.scope().iter().all(|var| var.index() < depth);
            match is_known {
                true => utility.of(&self.values).first().copied().unwrap_or(0.0),
                false => utility.greatest(),
            }
        };
        self.network.utilities().iter().map(worth).sum()
    }
}
