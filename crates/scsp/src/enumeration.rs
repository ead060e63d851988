//! Solutions and policies by trying everything: slow and obvious, the judge of all that is faster.

use base::Id as _;

use crate::network::combinations::Combinations;
use crate::network::{Kind, Network, VarId};

/// All complete instantiations that no hard constraint forbids, as places of values, ascending.
pub fn all_solutions(network: &Network) -> Vec<Vec<u32>> {
    let sizes = network.variables().iter().map(|variable| variable.domain.len()).collect();
    Combinations::new(sizes).iter().filter(|values| network.allows(values)).collect()
}

/// The decisions of a network of one stage after which all that chance may do is allowed, as places of
/// values, ascending.
pub fn feasible_decisions(network: &Network) -> Vec<Vec<u32>> {
    let decisions = network.variables().iter().filter(|variable| variable.kind == Kind::Decision);
    let sizes: Vec<usize> = decisions.map(|variable| variable.domain.len()).collect();
    let n_chance = network.variables().len() - sizes.len();
    let is_feasible = |decisions: &Vec<u32>| {
        let mut values = [&decisions[..], &vec![0; n_chance]].concat();
        value_from(network, decisions.len(), &mut values).is_some()
    };
    Combinations::new(sizes).iter().filter(is_feasible).collect()
}

/// What the best policy is worth for a network with one player, if there is a feasible one.
///
/// At a decision the best value is chosen; at chance the values are weighed with their probabilities,
/// and all that are possible must be feasible.
pub fn best_value(network: &Network) -> Option<f64> {
    value_from(network, 0, &mut vec![0; network.variables().len()])
}

/// What policies are worth for each player, all feasible ones.
pub fn all_values(network: &Network) -> Vec<Vec<f64>> {
    values_from(network, 0, &mut vec![0; network.variables().len()])
}

fn values_from(network: &Network, depth: usize, values: &mut Vec<u32>) -> Vec<Vec<f64>> {
    if depth == values.len() {
        return if network.allows(values) { vec![network.utility(values)] } else { Vec::new() };
    }
    let var = VarId::from_index(depth);
    let n_values = network.variables()[var].domain.len() as u32;
    let Some(probabilities) = network.probabilities(var, values) else {
        let after = (0..n_values).map(|value| {
            values[depth] = value;
            values_from(network, depth + 1, values)
        });
        return after.flatten().collect();
    };
    let mut sums = vec![vec![0.0; network.n_players()]];
    for (value, probability) in (0..).zip(probabilities) {
        if probability > 0.0 {
            values[depth] = value;
            let after = values_from(network, depth + 1, values);
            let sum = |sum: &Vec<f64>, after: &Vec<f64>| {
                sum.iter().zip(after).map(|(sum, worth)| sum + probability * worth).collect()
            };
            sums = sums.iter().flat_map(|s| after.iter().map(move |a| sum(s, a))).collect();
        }
    }
    sums
}

fn value_from(network: &Network, depth: usize, values: &mut Vec<u32>) -> Option<f64> {
    if depth == values.len() {
        return network.allows(values).then(|| network.utility(values)[0]);
    }
    let var = VarId::from_index(depth);
    let variable = &network.variables()[var];
    let n_values = variable.domain.len() as u32;
    match &variable.kind {
        Kind::Decision => {
            let worth = (0..n_values).filter_map(|value| {
                values[depth] = value;
                value_from(network, depth + 1, values)
            });
            worth.max_by(f64::total_cmp)
        }
        Kind::Chance(_) => {
            let probabilities = network.probabilities(var, values).expect("it is chance");
            let mut sum = 0.0;
            for (value, probability) in (0..).zip(probabilities) {
                if probability > 0.0 {
                    values[depth] = value;
                    sum += probability * value_from(network, depth + 1, values)?;
                }
            }
            Some(sum)
        }
    }
}
