//! Habits of random plays: moves that were good so far are made more often.
//!
//! The idea is the move-average sampling of CadiaPlayer (Finnsson & Björnsson 2008): what a move came to wherever
//! it was made says how often it is made in later plays.

use std::cmp::Ordering;

use base::Id as _;
use game::{Habits, MoveId};

use super::tallies::{MoveTallies, MoveTally, Tally};

/// What all plays so far say about all moves.
#[derive(Clone, Debug, Default)]
pub(super) struct Experience {
    tallies: MoveTallies,
    /// By role: the moves that it ever made.
    moves: Vec<Vec<MoveId>>,
    /// By role and move: whether it is among them.
    is_known: Vec<Vec<bool>>,
    /// By role: all its moves together.
    all: Vec<Tally>,
    n_new: u64,
    habits: Habits,
}

/// From one move of the match to the next, plays count less by this factor.
const FADING: f32 = 0.3;

/// After so many plays habits are looked at anew.
const BETWEEN: u64 = 2_000;

impl Experience {
    /// Adds some plays, and all moves that were made in them.
    pub(super) fn add(&mut self, n_plays: u64, made: &[MoveTally]) {
        for &(role, id, tally) in made {
            self.know(role.index(), id);
            self.tallies.add(id, tally);
            self.all[role.index()].add(tally);
        }
        self.n_new += n_plays;
    }

    /// Notes that a role made a move.
    fn know(&mut self, role: usize, id: MoveId) {
        let n_roles = self.moves.len().max(role + 1);
        self.moves.resize(n_roles, Vec::new());
        self.is_known.resize(n_roles, Vec::new());
        self.all.resize(n_roles, Tally::default());
        let is_known = &mut self.is_known[role];
        is_known.resize(is_known.len().max(id.index() + 1), false);
        if !std::mem::replace(&mut is_known[id.index()], true) {
            self.moves[role].push(id);
        }
    }

    /// What a move came to wherever it was made; `None` if that was hardly ever.
    pub(super) fn mean(&self, id: MoveId) -> Option<f64> {
        const ENOUGH: f32 = 20.0;
        let Tally { n_plays, sum } = self.tallies.of(id);
        (n_plays >= ENOUGH).then(|| f64::from(sum / n_plays))
    }

    /// The habits that follow from it.
    pub(super) fn habits(&mut self) -> &Habits {
        if self.n_new >= BETWEEN {
            self.n_new = 0;
            self.habits = self.new_habits();
        }
        &self.habits
    }

    /// The match goes on.
    pub(super) fn fade(&mut self) {
        self.tallies.fade(FADING);
        for tally in &mut self.all {
            tally.n_plays *= FADING;
            tally.sum *= FADING;
        }
    }

    /// An eighth of the moves of a role are of the best class, an eighth of the second, a quarter of the third, and
    /// the others of the last.
    fn new_habits(&self) -> Habits {
        /// A move seems usual until it was made more often.
        const N_USUAL: f32 = 20.0;
        let n_moves = self.tallies.len();
        let mut classes = vec![Habits::N_CLASSES - 1; n_moves];
        for (moves, all) in self.moves.iter().zip(&self.all) {
            let usual = all.mean(50.0, 1.0);
            let mean = |id: &MoveId| self.tallies.of(*id).mean(usual, N_USUAL);
            let mut ranked: Vec<(f32, MoveId)> = moves.iter().map(|id| (mean(id), *id)).collect();
            ranked.sort_unstable_by(|(one, one_id), (other, other_id)| {
                other.partial_cmp(one).unwrap_or(Ordering::Equal).then(one_id.cmp(other_id))
            });
            let n_ranked = ranked.len();
            for (rank, (_, id)) in ranked.into_iter().enumerate() {
                let bounds = [n_ranked.div_ceil(8), n_ranked.div_ceil(4), n_ranked.div_ceil(2)];
                let class = bounds.iter().filter(|bound| rank >= **bound).count();
                classes[id.index()] = class as u8;
            }
        }
        Habits::new(classes)
    }
}

#[cfg(test)]
mod tests {
    use base::RoleId;

    use super::*;

    #[test]
    fn the_best_moves_are_of_the_best_class() {
        let role = RoleId::first(1).next().expect("there is one");
        let made: Vec<MoveTally> = (0..16)
            .map(|number| {
                let tally = Tally { n_plays: 1_000.0, sum: 1_000.0 * 6.0 * number as f32 };
                (role, MoveId::from_index(number), tally)
            })
            .collect();
        let mut experience = Experience::default();
        experience.add(BETWEEN, &made);
        let mut class = |number: usize| experience.habits().class(MoveId::from_index(number));
        assert_eq!([15, 14, 13, 12, 11, 8, 7, 0].map(&mut class), [0, 0, 1, 1, 2, 2, 3, 3]);
        // A move that was never made is of the last class.
        assert_eq!(class(99), 3);
    }
}
