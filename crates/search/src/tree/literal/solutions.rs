//! What is known of the solutions of a stage.

use smallvec::SmallVec;

use super::operators::JointValue;
use crate::tree::graph::{Seen, Tried};
use crate::tree::node::Places;

/// A stage that is solved: all of its solutions, and what it is worth by them.
#[derive(Clone, Debug, Default)]
pub(super) struct StagePlays {
    pub(super) solutions: Vec<Solution>,
    /// By role. Empty as long as nothing is known.
    pub(super) values: Vec<f64>,
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

impl Seen for StagePlays {
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

/// Joint moves of those who decide, each with its solutions: one for each move of chance.
pub(super) struct Decisions {
    /// By decision: the numbers of its solutions.
    pub(super) solutions: Vec<Vec<usize>>,
}

impl Decisions {
    pub(super) fn of(solutions: &[Solution], random: Option<usize>) -> Decisions {
        let Some(random) = random else {
            return Decisions {
                solutions: (0..solutions.len()).map(|number| vec![number]).collect(),
            };
        };
        let decision = |number: usize| {
            let mut places = solutions[number].places.clone();
            places[random] = 0;
            places
        };
        let mut numbers: Vec<usize> = (0..solutions.len()).collect();
        numbers.sort_by_cached_key(|&number| decision(number));
        let same = numbers.chunk_by(|one, other| decision(*one) == decision(*other));
        Decisions { solutions: same.map(<[usize]>::to_vec).collect() }
    }

    /// What decisions are worth: the mean over chance, as far as values of solutions are known.
    pub(super) fn values(
        &self,
        solutions: &[Solution],
        value_of: impl Fn(&Solution) -> Option<Vec<f64>>,
    ) -> Vec<JointValue> {
        let mut joint = Vec::with_capacity(self.solutions.len());
        for numbers in &self.solutions {
            let known = numbers.iter().filter_map(|&number| value_of(&solutions[number]));
            let known: Vec<Vec<f64>> = known.collect();
            let Some(first) = known.first() else { continue };
            let mean =
                |role| known.iter().map(|values| values[role]).sum::<f64>() / known.len() as f64;
            let values = (0..first.len()).map(mean).collect();
            joint.push(JointValue { places: solutions[numbers[0]].places.clone(), values });
        }
        joint
    }
}
