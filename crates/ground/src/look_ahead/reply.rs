//! When a role wins at once.

use base::{RoleId, seeded_rng};

use crate::ground::GroundProgram;
use crate::network::{Lit, Network};
use crate::simulate::{Plays, evaluate, word};

/// When somebody wins at once, provided that the game has not ended: in any of some ways.
pub(super) struct Reply {
    network: Network,
    role: RoleId,
    ways: Vec<Lit>,
}

impl Reply {
    /// `None` if there is no way.
    pub(super) fn new(network: Network, role: RoleId, mut ways: Vec<Lit>) -> Option<Reply> {
        ways.retain(|way| *way != Lit::FALSE);
        ways.sort_unstable();
        ways.dedup();
        (!ways.is_empty()).then_some(Reply { network, role, ways })
    }

    pub(super) fn network(&self) -> &Network {
        &self.network
    }

    /// Who wins.
    pub(super) fn role(&self) -> RoleId {
        self.role
    }

    pub(super) fn ways(&self) -> &[Lit] {
        &self.ways
    }

    pub(super) fn n_ways(&self) -> usize {
        self.ways.len()
    }

    /// Only the ways that come about in random plays, but for the rarest: to capture the last of many pieces is a way
    /// to win that depends on all of the board, and is never seen. `None` if there are none.
    pub(super) fn usual(&self, ground: &GroundProgram) -> Option<Reply> {
        /// Of a hundred times that there is a way, so many may be missed.
        const RARE: u64 = 2;
        let counts = self.counts(ground);
        let mut by_count: Vec<(u64, Lit)> = counts.into_iter().zip(self.ways.clone()).collect();
        by_count.sort_unstable();
        let n_all: u64 = by_count.iter().map(|(count, _)| count).sum();
        let mut n_left_out = 0;
        by_count.retain(|(count, _)| {
            n_left_out += count;
            n_left_out * 100 > n_all * RARE
        });
        let ways = by_count.into_iter().map(|(_, way)| way).collect();
        Reply::new(self.network.clone(), self.role, ways)
    }

    /// By way: in how many states of random plays it is there. Whose turn it is does not matter.
    fn counts(&self, ground: &GroundProgram) -> Vec<u64> {
        /// So many parts are looked at, or a few more; 64 plays at a time.
        const MAX_LOOKS: usize = 4_000_000;
        const MIN_STEPS: usize = 100;
        const MAX_STEPS: usize = 400;
        let n_looks = 2 * ground.formulas.network.n_parts() + self.network.n_parts();
        let n_steps = (MAX_LOOKS / n_looks.max(1)).clamp(MIN_STEPS, MAX_STEPS);
        let mut plays = Plays::new(ground, seeded_rng(1));
        let mut values = vec![0; self.network.n_nodes()];
        values[0] = u64::MAX;
        let mut counts = vec![0; self.ways.len()];
        for _ in 0..n_steps {
            let fluents = plays.fluents();
            values[1..=fluents.len()].copy_from_slice(fluents);
            evaluate(&self.network, &mut values);
            let ended = plays.step();
            for (count, way) in counts.iter_mut().zip(&self.ways) {
                *count += u64::from((word(&values, *way) & !ended).count_ones());
            }
        }
        counts
    }
}
