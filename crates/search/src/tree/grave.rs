//! What plays with a move somewhere in them came to: the statistics of GRAVE.
//!
//! Generalised rapid action value estimation (Cazenave 2015). Every node counts all moves of the plays through
//! it, whenever they were made (all moves as first). A node with few plays borrows the counts of the nearest
//! node above it that has more than `ref_plays`.

use base::{Id as _, RoleId};
use game::MoveId;
use rustc_hash::FxHashMap;

use super::tallies::{MoveTally, Tally};

/// A role and its move, in a number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct MoveKey(u64);

impl MoveKey {
    fn new(role: RoleId, id: MoveId) -> MoveKey {
        MoveKey((role.index() as u64) << 32 | id.index() as u64)
    }
}

/// The moves of the plays through a node.
#[derive(Clone, Debug, Default)]
pub(super) struct AllMoves {
    pub(super) n_plays: u64,
    tallies: FxHashMap<MoveKey, Tally>,
}

impl AllMoves {
    /// How many different moves there are.
    pub(super) fn len(&self) -> usize {
        self.tallies.len()
    }

    /// Adds plays with their moves; without room only moves that are there already.
    pub(super) fn add(&mut self, n_plays: u64, moves: &[MoveTally], has_room: bool) {
        self.n_plays += n_plays;
        for &(role, id, tally) in moves {
            let key = MoveKey::new(role, id);
            let sum = match has_room {
                true => self.tallies.entry(key).or_default(),
                false => match self.tallies.get_mut(&key) {
                    Some(sum) => sum,
                    None => continue,
                },
            };
            sum.add(tally);
        }
    }

    pub(super) fn of(&self, role: RoleId, id: MoveId) -> Tally {
        self.tallies.get(&MoveKey::new(role, id)).copied().unwrap_or_default()
    }
}

/// What a move is worth, from `n_visits` plays that went on with it and came to `mean`, and from all plays
/// with it: `β = p̃ / (p̃ + p + bias · p̃ · p)`.
pub(super) fn grave(mean: f64, n_visits: f64, all: Tally, bias: f64) -> f64 {
    let n_all = f64::from(all.n_plays);
    if n_all == 0.0 {
        return mean;
    }
    let beta = n_all / (n_all + n_visits + bias * n_all * n_visits);
    (1.0 - beta) * mean + beta * f64::from(all.sum) / n_all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_plays_count_more_the_more_there_are() {
        let all = Tally { n_plays: 100.0, sum: 8_000.0 };
        assert_eq!(grave(0.0, 0.0, all, 1e-4), 80.0);
        // β = 100 / (100 + 100 + 0.01 · 100 · 100) = 1/3.
        assert!((grave(50.0, 100.0, all, 0.01) - (50.0 * 2.0 / 3.0 + 80.0 / 3.0)).abs() < 1e-9);
        assert!(grave(50.0, 1e9, all, 0.01) < 50.1);
        assert_eq!(grave(40.0, 3.0, Tally::default(), 0.01), 40.0);
    }
}
