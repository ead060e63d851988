//! Which moves come again within a play.
//!
//! What all plays with a move came to, whenever it was made, says something about making it now if it does the same
//! at any time. A stone on a cell of its own is such a move: it is made once in a play. A step from one square to the
//! next, a column to drop into or a throw of dice is made again and again, and is another move each time. So plays
//! tell which moves may be judged in this way, and whether that is worth the counting.

use base::Id as _;
use game::{MoveId, MovesMade};

/// What plays so far say about moves that come again.
#[derive(Clone, Debug, Default)]
pub(super) struct Recurring {
    /// By move: whether it was made more than once in some play.
    moves: Vec<bool>,
    n_plays: u64,
    /// How often moves were made, one of each a play, and how often such that come again.
    n_made: u64,
    n_recurring: u64,
}

impl Recurring {
    /// Adds some plays.
    pub(super) fn add(&mut self, n_plays: usize, made: &MovesMade) {
        self.n_plays += n_plays as u64;
        for ((_, id, plays), &recurs) in made.iter().zip(made.recurring()) {
            if id.index() >= self.moves.len() {
                self.moves.resize(id.index() + 1, false);
            }
            let recurs_now = recurs || self.moves[id.index()];
            self.moves[id.index()] = recurs_now;
            let n_made: u64 = plays.iter().map(|word| u64::from(word.count_ones())).sum();
            self.n_made += n_made;
            self.n_recurring += if recurs_now { n_made } else { 0 };
        }
    }

    /// Whether a move was made more than once in some play.
    pub(super) fn has(&self, id: MoveId) -> bool {
        self.moves.get(id.index()).copied().unwrap_or(false)
    }

    /// Whether it pays to count the moves of plays: until a number of them were looked at, and after that where
    /// nearly all moves come once only.
    pub(super) fn pays(&self) -> bool {
        const N_LOOKED_AT: u64 = 2_000;
        /// At most one in so many moves may come again: where stones are set and turned in the same play, as in
        /// pentago, counting did not pay.
        const PART: u64 = 4;
        self.n_plays < N_LOOKED_AT || PART * self.n_recurring <= self.n_made
    }
}

#[cfg(test)]
mod tests {
    use base::RoleId;

    use super::*;

    #[test]
    fn it_pays_where_moves_come_once() {
        let role = RoleId::first(1).next().expect("there is one");
        let [step, stone] = [0, 1].map(MoveId::from_index);
        // In each of four plays a stone is set, in `n_steps` of them a step is made, once more in the first.
        let looked_at = |n_plays: usize, n_steps: u32| {
            let mut made = MovesMade::new();
            made.clear(4);
            made.add(role, stone, 0, &[0b1111]);
            made.add(role, step, 0, &[(1 << n_steps) - 1]);
            made.add(role, step, 0, &[1]);
            let mut recurring = Recurring::default();
            recurring.add(n_plays, &made);
            recurring
        };
        let few = looked_at(4, 2);
        assert!(few.has(step) && !few.has(stone) && few.pays());
        assert!(!looked_at(2_000, 2).pays());
        assert!(looked_at(2_000, 1).pays());
    }
}
