//! States that are possible, with how likely they are.

use std::collections::HashMap;
use std::hash::Hash;

use base::Rng;
use rand::distr::Distribution as _;
use rand::distr::weighted::WeightedIndex;

/// A state that is possible, and how likely it is; those of all possible states sum to 1.
pub(crate) type World<S> = (S, f64);

/// States that were found, with weights, in the order in which they were found.
pub(super) struct Found<S> {
    worlds: Vec<World<S>>,
    places: HashMap<S, usize>,
}

impl<S: Clone + Eq + Hash> Found<S> {
    pub(super) fn new() -> Found<S> {
        Found { worlds: Vec::new(), places: HashMap::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.worlds.len()
    }

    pub(super) fn add(&mut self, state: S, weight: f64) {
        let place = *self.places.entry(state.clone()).or_insert(self.worlds.len());
        match self.worlds.get_mut(place) {
            Some((_, sum)) => *sum += weight,
            None => self.worlds.push((state, weight)),
        }
    }

    /// The likeliest first, of equals the one that was found first.
    pub(super) fn into_worlds(mut self) -> Vec<World<S>> {
        let total: f64 = self.worlds.iter().map(|(_, weight)| weight).sum();
        self.worlds.iter_mut().for_each(|(_, weight)| *weight /= total);
        self.worlds.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        self.worlds
    }
}

/// All states if there are at most so many, or else so many draws of them.
pub(super) fn sample<S: Clone + Eq + Hash>(
    worlds: &[World<S>],
    n: usize,
    rng: &mut Rng,
) -> Vec<World<S>> {
    if worlds.len() <= n {
        return worlds.to_vec();
    }
    let lottery = WeightedIndex::new(worlds.iter().map(|(_, weight)| *weight));
    let lottery = lottery.expect("weights are positive");
    let mut found = Found::new();
    for _ in 0..n {
        found.add(worlds[lottery.sample(rng)].0.clone(), 1.0);
    }
    found.into_worlds()
}
