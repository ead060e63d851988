//! What may be done in a state, where it is known what one role has done.

use base::{Id as _, Rng, RoleId};
use game::{Game, MoveId, legal_of_all};
use rand::RngExt as _;

/// By role: what it may do.
pub(super) struct Choices(Vec<Vec<MoveId>>);

impl Choices {
    /// What the roles may do in a state where `role` makes `own_move`, if it can, or any move where that is not known.
    pub(super) fn of<G: Game>(
        game: &mut G,
        state: &G::State,
        role: RoleId,
        own_move: Option<&str>,
    ) -> Option<Choices> {
        let mut legal = legal_of_all(game, state).ok()?;
        if let Some(own_move) = own_move {
            legal[role.index()].retain(|&id| game.move_text(id) == own_move);
        }
        (!legal[role.index()].is_empty()).then_some(Choices(legal))
    }

    pub(super) fn n_joint_moves(&self) -> usize {
        self.0.iter().fold(1, |product, legal| product.saturating_mul(legal.len()))
    }

    /// How many moves it keeps.
    pub(super) fn n_moves(&self) -> usize {
        self.0.iter().map(Vec::len).sum()
    }

    /// The joint move of a number.
    pub(super) fn joint_move(&self, mut number: usize) -> Vec<MoveId> {
        let digit = |legal: &Vec<MoveId>| {
            let id = legal[number % legal.len()];
            number /= legal.len();
            id
        };
        self.0.iter().map(digit).collect()
    }

    pub(super) fn any_joint_move(&self, rng: &mut Rng) -> Vec<MoveId> {
        self.0.iter().map(|legal| legal[rng.random_range(0..legal.len())]).collect()
    }
}
