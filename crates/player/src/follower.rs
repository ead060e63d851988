//! A match as those follow it who take part.

use base::RoleId;
use game::{Game, joint_move_of};

use crate::agent::Turn;

/// The state of a match, for one role.
pub(crate) struct Follower<G: Game> {
    game: G,
    role: RoleId,
    state: G::State,
}

impl<G: Game> Follower<G> {
    pub(crate) fn new(game: G, role: RoleId) -> Follower<G> {
        let state = game.initial();
        Follower { game, role, state }
    }

    /// Goes on to the state after the joint moves; one that is none of the rules is passed over.
    pub(crate) fn follow(&mut self, turn: Turn<'_>) {
        for joint_move in turn.joint_moves {
            if let Some(joint_move) = joint_move_of(&mut self.game, &self.state, joint_move) {
                self.state = self.game.next(&self.state, &joint_move);
            }
        }
    }

    /// The legal moves of the role that is followed, as texts. There is one at least if the rules keep their
    /// promises.
    pub(crate) fn legal(&mut self) -> Vec<String> {
        let mut legal = Vec::new();
        self.game.legal_moves(&self.state, self.role, &mut legal);
        legal.into_iter().map(|id| self.game.move_text(id)).collect()
    }
}
