//! What players believe who do not see everything.
//!
//! A belief is a distribution over the states that are consistent with what has happened and was seen.
//! Where all players know the same, a game is a stochastic game over beliefs (Koriche, Lagrue, Piette &
//! Tabary 2016, section 2.3).

use std::hash::{BuildHasher as _, Hash, Hasher};

use base::{Id as _, RoleId};
use game::{Game, MoveId, PerceptId, legal_of_all};
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::expectimax::all_joint;
use crate::situation::{Outcome, Outcomes, Situations, Unsolvable};

/// States with their probabilities, which sum to 1.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Belief<S> {
    /// In an order that depends on the states alone.
    states: Vec<(S, f64)>,
}

impl<S: Eq> Eq for Belief<S> {}

impl<S: Hash> Hash for Belief<S> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        for (state, probability) in &self.states {
            state.hash(hasher);
            probability.to_bits().hash(hasher);
        }
    }
}

/// States with weights, in the order in which they were found.
struct Weighted<S> {
    states: Vec<(S, f64)>,
    places: FxHashMap<S, usize>,
}

impl<S: Hash + Eq + Clone> Weighted<S> {
    fn new() -> Weighted<S> {
        Weighted { states: Vec::new(), places: FxHashMap::default() }
    }

    fn add(&mut self, state: S, weight: f64) {
        let place = *self.places.entry(state.clone()).or_insert(self.states.len());
        match self.states.get_mut(place) {
            Some((_, sum)) => *sum += weight,
            None => self.states.push((state, weight)),
        }
    }

    fn total(&self) -> f64 {
        self.states.iter().map(|(_, weight)| weight).sum()
    }

    fn into_belief(mut self) -> Belief<S> {
        let total = self.total();
        self.states.iter_mut().for_each(|(_, weight)| *weight /= total);
        self.states.sort_by_cached_key(|(state, _)| FxBuildHasher.hash_one(state));
        Belief { states: self.states }
    }
}

/// A game in which players know what they see.
pub(crate) struct Believed<'g, G> {
    pub(crate) game: &'g mut G,
    pub(crate) role: RoleId,
}

/// What a role notices of a round: its move, and what it sees.
type Noticed = (MoveId, Vec<PerceptId>);
/// By role: what it notices. Nothing for chance.
type AllNoticed = Vec<Option<Noticed>>;

impl<G: Game> Believed<'_, G> {
    fn noticed(&mut self, state: &G::State, joint: &[MoveId]) -> AllNoticed {
        let mut all = Vec::new();
        for role in RoleId::first(joint.len()) {
            all.push((Some(role) != self.game.random()).then(|| {
                let mut percepts = Vec::new();
                self.game.percepts(state, joint, role, &mut percepts);
                (joint[role.index()], percepts)
            }));
        }
        all
    }

    /// The moves of chance in a state; those of the joint move if there is no chance.
    fn chances(&mut self, state: &G::State, joint: &[MoveId]) -> Vec<Vec<MoveId>> {
        let Some(random) = self.game.random() else { return vec![joint.to_vec()] };
        let mut moves = Vec::new();
        self.game.legal_moves(state, random, &mut moves);
        let with = |chance: MoveId| {
            let mut joint = joint.to_vec();
            joint[random.index()] = chance;
            joint
        };
        moves.into_iter().map(with).collect()
    }

    /// Whether what any player notices of a round tells it what all others notice.
    fn check_shared(
        &mut self,
        belief: &Belief<G::State>,
        legal: &[Vec<MoveId>],
    ) -> Result<(), Unsolvable> {
        let mut told: FxHashMap<(usize, Noticed), AllNoticed> = FxHashMap::default();
        for joint in all_joint(legal) {
            for (state, _) in &belief.states {
                for joint in self.chances(state, &joint) {
                    let next = self.game.next(state, &joint);
                    if self.game.is_terminal(&next) {
                        continue;
                    }
                    let all = self.noticed(state, &joint);
                    for (role, noticed) in all.iter().enumerate() {
                        let Some(noticed) = noticed else { continue };
                        let known = told.entry((role, noticed.clone())).or_insert(all.clone());
                        let other = known.iter().zip(&all).position(|(one, other)| one != other);
                        if let Some(other) = other {
                            let roles = [role, other].map(|n| self.game.roles()[n].clone());
                            return Err(Unsolvable::NotShared { roles });
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

impl<G: Game> Situations for Believed<'_, G> {
    type Situation = Belief<G::State>;

    fn initial(&mut self) -> Result<Outcome<Belief<G::State>>, Unsolvable> {
        let initial = self.game.initial();
        Ok(match self.game.is_terminal(&initial) {
            true => Outcome::End(f64::from(self.game.goal(&initial, self.role)?.value())),
            false => Outcome::Situation(Belief { states: vec![(initial, 1.0)] }),
        })
    }

    /// The moves that are legal in all states that are possible.
    fn legal(&mut self, belief: &Belief<G::State>) -> Result<Vec<Vec<MoveId>>, Unsolvable> {
        let mut legal: Option<Vec<Vec<MoveId>>> = None;
        for (state, _) in &belief.states {
            let of_state = legal_of_all(self.game, state)?;
            match &mut legal {
                None => legal = Some(of_state),
                Some(legal) => {
                    for (sure, moves) in legal.iter_mut().zip(&of_state) {
                        sure.retain(|one| moves.contains(one));
                    }
                }
            }
        }
        let mut legal = legal.unwrap_or_default();
        if let Some(random) = self.game.random() {
            // Any move stands for all.
            let mut moves = Vec::new();
            self.game.legal_moves(&belief.states[0].0, random, &mut moves);
            moves.truncate(1);
            legal[random.index()] = moves;
        }
        if let Some(role) = legal.iter().position(Vec::is_empty) {
            return Err(Unsolvable::NoSureMove { role: self.game.roles()[role].clone() });
        }
        let n_players = legal.len() - usize::from(self.game.random().is_some());
        if n_players > 1 {
            self.check_shared(belief, &legal)?;
        }
        Ok(legal)
    }

    fn outcomes(
        &mut self,
        belief: &Belief<G::State>,
        joint: &mut [MoveId],
    ) -> Result<Outcomes<Belief<G::State>>, Unsolvable> {
        let mut ends = (0.0, 0.0);
        // In the order in which they are found, so that the same search gives the same numbers.
        let mut situations: Vec<(AllNoticed, Weighted<G::State>)> = Vec::new();
        for (state, probability) in &belief.states {
            let chances = self.chances(state, joint);
            let weight = probability / chances.len() as f64;
            for joint in chances {
                let next = self.game.next(state, &joint);
                if self.game.is_terminal(&next) {
                    let goal = f64::from(self.game.goal(&next, self.role)?.value());
                    ends = (ends.0 + weight, ends.1 + weight * goal);
                    continue;
                }
                let noticed = self.noticed(state, &joint);
                let place = situations.iter().position(|(other, _)| *other == noticed);
                let place = place.unwrap_or_else(|| {
                    situations.push((noticed, Weighted::new()));
                    situations.len() - 1
                });
                situations[place].1.add(next, weight);
            }
        }
        let mut outcomes = Vec::new();
        if ends.0 > 0.0 {
            outcomes.push((ends.0, Outcome::End(ends.1 / ends.0)));
        }
        outcomes.extend(
            situations
                .into_iter()
                .map(|(_, states)| (states.total(), Outcome::Situation(states.into_belief()))),
        );
        Ok(outcomes)
    }

    fn n_states(belief: &Belief<G::State>) -> usize {
        belief.states.len()
    }
}
