//! Soft constraints in a search.

use base::Id as _;

use super::bounds::TOLERANCE;
use crate::engine::Engine;
use crate::network::{Network, VarId};
use crate::propagators::soft_table::SoftTable;
use crate::store::Failed;

/// The soft constraints, and the way back to what they were worth before.
pub(super) struct Soft {
    tables: Vec<SoftTable>,
    n_players: usize,
    /// What was changed: the table, the player, and where the search began before.
    trail: Vec<(usize, usize, usize)>,
}

impl Soft {
    pub(super) fn new(network: &Network) -> Soft {
        let n_players = network.n_players();
        let tables = network.utilities().iter().map(|utility| SoftTable::new(utility, n_players));
        Soft { tables: tables.collect(), n_players, trail: Vec::new() }
    }

    /// For one player, and for another who gets the opposite.
    pub(super) fn for_and_against(network: &Network, player: usize) -> Soft {
        let sides =
            |side: usize, worth: &[f64]| if side == 0 { worth[player] } else { -worth[player] };
        let tables = network.utilities().iter().map(|utility| SoftTable::with(utility, 2, sides));
        Soft { tables: tables.collect(), n_players: 2, trail: Vec::new() }
    }

    /// How far it was changed, to go back there.
    pub(super) fn mark(&self) -> usize {
        self.trail.len()
    }

    /// By player: the most that all can still be worth together.
    pub(super) fn most(&mut self, engine: &Engine) -> Vec<f64> {
        let mut sums = vec![0.0; self.n_players];
        for (number, table) in self.tables.iter_mut().enumerate() {
            for (player, sum) in sums.iter_mut().enumerate() {
                let before = table.first(player);
                *sum += table.most(player, &engine.store);
                if table.first(player) != before {
                    self.trail.push((number, player, before));
                }
            }
        }
        sums
    }

    pub(super) fn go_back(&mut self, length: usize) {
        for (number, player, first) in self.trail.drain(length..).rev() {
            self.tables[number].set_first(player, first);
        }
    }

    /// Takes away the values of the variables from `start` to `end` after which the bounds cannot be
    /// reached.
    pub(super) fn narrow(
        &mut self,
        (start, end): (usize, usize),
        bounds: &[f64],
        engine: &mut Engine,
    ) -> Result<(), Failed> {
        let most = self.most(engine);
        if !reaches(&most, bounds) {
            return Err(Failed);
        }
        for table in &self.tables {
            for player in 0..self.n_players {
                let others = most[player] - table.last_most(player);
                let needed = bounds[player] - others - TOLERANCE;
                let is_in_block = |var: VarId| (start..end).contains(&var.index());
                table.narrow(player, needed, is_in_block, &mut engine.store)?;
            }
        }
        Ok(())
    }

    /// The values of a variable, those with which most can be reached first.
    pub(super) fn best_values(&self, var: VarId, n_values: usize, engine: &Engine) -> Vec<usize> {
        let mut sums = vec![0.0; n_values];
        for table in &self.tables {
            for player in 0..self.n_players {
                table.add_most_by_value(player, var, &engine.store, &mut sums);
            }
        }
        let mut values: Vec<usize> = engine.store.values(var).collect();
        values.sort_by(|&one, &other| sums[other].total_cmp(&sums[one]));
        values
    }
}

/// Whether a policy is worth enough for all players.
pub(super) fn reaches(worth: &[f64], bounds: &[f64]) -> bool {
    worth.iter().zip(bounds).all(|(worth, bound)| worth + TOLERANCE >= *bound)
}
