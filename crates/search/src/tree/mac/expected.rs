//! What is expected of the moves of a stage, from plays that went on with them and from all plays with them.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::options::MacOptions;
use crate::tree::node::{Arm, TreeNodeId};
use crate::tree::tallies::{MoveTallies, PlaySet};
use crate::tree::uct::MovePlays;

/// What is expected of the moves of a role in a stage before they are tried.
pub(super) struct Expected<'a> {
    /// What the moves came to so far, as `prior` plays more of each.
    usual: f64,
    prior: f64,
    all_moves: Option<&'a AllMoves>,
    exploration: f64,
}

impl<'a> Expected<'a> {
    pub(super) fn of(
        arms: &[Arm<MovePlays>],
        all_moves: Option<&'a AllMoves>,
        options: &MacOptions,
    ) -> Expected<'a> {
        let sum: f64 = arms.iter().map(|arm| arm.seen.sum).sum();
        let n_visits: f64 = arms.iter().map(|arm| f64::from(arm.seen.n_visits)).sum();
        let exploration = match all_moves {
            Some(_) => options.exploration_of_all,
            None => options.exploration,
        };
        let prior = options.prior;
        Expected { usual: prior * sum / n_visits.max(1.0), prior, all_moves, exploration }
    }

    /// UCB1 with what is expected as plays that were made before. All plays with a move count as much as those that
    /// began with it.
    pub(super) fn upper_bound(&self, arm: &Arm<MovePlays>, log: f64) -> f64 {
        let all = self.all_moves.map(|all| all.tallies.of(arm.id)).unwrap_or_default();
        let n_plays = f64::from(arm.seen.n_visits) + self.prior;
        let sum = arm.seen.sum + self.usual + f64::from(all.sum);
        let mean = sum / (n_plays + f64::from(all.n_plays));
        mean + 100.0 * self.exploration * (log / n_plays).sqrt()
    }
}

/// What plays from a stage on say about all moves.
#[derive(Clone, Debug, Default)]
pub(super) struct AllMoves {
    pub(super) n_plays: u64,
    pub(super) tallies: MoveTallies,
}

impl AllMoves {
    /// How much room it takes, as a number of moves.
    pub(super) fn size(&self) -> usize {
        /// A tally takes less room than a move.
        const TALLIES_A_MOVE: usize = 4;
        self.tallies.len() / TALLIES_A_MOVE
    }
}

/// Which plays went through stages in which all moves are counted.
#[derive(Default)]
pub(super) struct Counting {
    pub(super) stages: Vec<(TreeNodeId, PlaySet)>,
    /// By stage: its place.
    places: FxHashMap<TreeNodeId, usize>,
}

impl Counting {
    pub(super) fn add(&mut self, id: TreeNodeId, plays: Range<usize>) {
        let place = *self.places.entry(id).or_insert_with(|| {
            self.stages.push((id, PlaySet::default()));
            self.stages.len() - 1
        });
        self.stages[place].1.add(plays);
    }
}
