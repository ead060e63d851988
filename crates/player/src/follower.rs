//! A match as those follow it who take part.

use base::RoleId;
use game::{Game, joint_move_of};

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

    /// Goes on to the state after a joint move; stays where it is if that was none of the rules.
    pub(crate) fn advance(&mut self, joint_move: &[String]) {
        if let Some(joint_move) = joint_move_of(&mut self.game, &self.state, joint_move) {
            self.state = self.game.next(&self.state, &joint_move);
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
