//! What is known of the solutions of a stage.

use smallvec::SmallVec;

use super::operators::JointValue;
use crate::tree::graph::{Seen, Tried};
use crate::tree::node::Places;

/// A stage that is solved: its solutions, and what it is worth by them.
#[derive(Clone, Debug, Default)]
pub(super) struct Solved {
    /// All of them, unless there are thousands.
    pub(super) solutions: Vec<Solution>,
    /// By role. Empty as long as nothing is known.
    pub(super) values: Vec<f64>,
    /// Whether lines have nothing left to solve below it.
    pub(super) is_closed: bool,
}

/// A joint move, with the move of chance.
#[derive(Clone, Debug)]
pub(super) struct Solution {
    pub(super) places: Places,
    /// How many plays went on with it, with those below stages that follow.
    pub(super) n_samples: u64,
    /// How many began right after it, and by role what these came to.
    n_plays: u32,
    sums: SmallVec<[f64; 3]>,
}

impl Seen for Solved {
    fn size(&self) -> usize {
        /// A solution takes more room than a move.
        const MOVES_A_SOLUTION: usize = 3;
        MOVES_A_SOLUTION * self.solutions.len()
    }
}

impl Solution {
    pub(super) fn new(places: Places, n_roles: usize) -> Solution {
        Solution { places, n_samples: 0, n_plays: 0, sums: SmallVec::from_elem(0.0, n_roles) }
    }

    /// One after which all is known: there is nothing to sample, and that says as much as a play.
    pub(super) fn known(places: Places, n_roles: usize) -> Solution {
        Solution { n_samples: 1, ..Solution::new(places, n_roles) }
    }

    /// A play that began after it came to this.
    pub(super) fn add_play(&mut self, goals: &[f64]) {
        self.n_samples += 1;
        self.n_plays += 1;
        self.sums.iter_mut().zip(goals).for_each(|(sum, goal)| *sum += goal);
    }

    /// By role: what plays came to on average. None if there were none.
    pub(super) fn means(&self) -> Option<Vec<f64>> {
        let n_plays = f64::from(self.n_plays);
        (self.n_plays > 0).then(|| self.sums.iter().map(|sum| sum / n_plays).collect())
    }
}

/// What a move of a role is worth by the operators.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Estimate {
    pub(super) n_samples: u64,
    pub(super) value: f64,
}

impl Tried for Estimate {
    fn n_visits(&self) -> u64 {
        self.n_samples
    }

    fn weight(&self) -> f64 {
        self.value
    }

    fn mean(&self) -> f64 {
        self.value
    }
}

/// The numbers of the solutions of each decision: a joint move of those who decide, with each move of chance.
pub(super) fn decisions(solutions: &[Solution], random: Option<usize>) -> Vec<Vec<usize>> {
    let mut numbers: Vec<usize> = (0..solutions.len()).collect();
    if random.is_none() {
        return numbers.into_iter().map(|number| vec![number]).collect();
    }
    let decision = |number: usize| decided(&solutions[number].places, random);
    numbers.sort_by_cached_key(|&number| decision(number));
    let same = numbers.chunk_by(|one, other| decision(*one) == decision(*other));
    same.map(<[usize]>::to_vec).collect()
}

/// What each decision is worth: the mean over chance, as far as that is known.
pub(super) fn values_of_decisions(
    solutions: &[Solution],
    random: Option<usize>,
    value_of: impl Fn(&Solution) -> Option<Vec<f64>>,
) -> Vec<JointValue> {
    let mut joint = Vec::new();
    for numbers in decisions(solutions, random) {
        let known: Vec<Vec<f64>> =
            numbers.iter().filter_map(|&number| value_of(&solutions[number])).collect();
        let Some(first) = known.first() else { continue };
        let mean = |role| known.iter().map(|values| values[role]).sum::<f64>() / known.len() as f64;
        let values = (0..first.len()).map(mean).collect();
        joint.push(JointValue { places: decided(&solutions[numbers[0]].places, random), values });
    }
    joint
}

/// The places without that of chance.
fn decided(places: &Places, random: Option<usize>) -> Places {
    let mut places = places.clone();
    random.into_iter().for_each(|random| places[random] = 0);
    places
}

#[cfg(test)]
mod tests {
    use smallvec::smallvec;

    use super::*;

    /// Three moves of the first role, two of chance: a decision is worth the mean of what is known.
    #[test]
    fn decisions_are_worth_the_mean_over_chance() {
        let places = [(2, 1), (0, 0), (1, 1), (0, 1), (1, 0), (2, 0)];
        let mut solutions: Vec<Solution> =
            places.iter().map(|&(own, chance)| Solution::new(smallvec![own, chance], 2)).collect();
        assert_eq!(decisions(&solutions, Some(1)), [vec![1, 3], vec![2, 4], vec![0, 5]]);
        assert_eq!(decisions(&solutions, None).len(), 6);
        solutions[1].add_play(&[100.0, 0.0]);
        solutions[1].add_play(&[50.0, 0.0]);
        solutions[3].add_play(&[25.0, 0.0]);
        solutions[4].add_play(&[10.0, 0.0]);
        let values = values_of_decisions(&solutions, Some(1), Solution::means);
        let expected: [(Places, f64); 2] = [(smallvec![0, 0], 50.0), (smallvec![1, 0], 10.0)];
        let expected =
            expected.map(|(places, value)| JointValue { places, values: vec![value, 0.0] });
        assert_eq!(values, expected);
    }
}
