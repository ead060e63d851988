//! Whether moves last: they are there from the beginning, and only become fewer.
//!
//! A stone may be set on a free cell at any time, until someone sets one there. So two plays with the same stones in
//! another order are the same, and all plays with a move say something about it. Where moves make others legal, as in
//! Othello, they do not: a move is a chance that comes and goes. A random walk through the game, a few moves at a time,
//! tells how it is. Moves are compared with those of the last choice of their role: where choices of two kinds take
//! turns, as giving and placing a piece in quarto, moves do not last in this sense.

use base::{Id as _, Rng, RoleId};
use game::{Game, MoveId, random_joint_move};

/// A walk through a game, and how many of the moves that were legal on it were not at the choice before.
#[derive(Debug)]
pub(super) struct Lasting<S> {
    start: S,
    state: S,
    /// By role: what it could do when it last had a choice, ascending.
    before: Vec<Vec<MoveId>>,
    /// How often a role had a choice again.
    n_turns: u64,
    /// The moves that were legal then, and those of them that had not been legal before.
    n_legal: u64,
    n_new: u64,
    n_steps: u64,
}

impl<S: Clone> Lasting<S> {
    /// A walk that begins in a state.
    pub(super) fn new(start: &S, n_roles: usize) -> Lasting<S> {
        Lasting {
            start: start.clone(),
            state: start.clone(),
            before: vec![Vec::new(); n_roles],
            n_turns: 0,
            n_legal: 0,
            n_new: 0,
            n_steps: 0,
        }
    }

    /// Whether moves last, such that hardly any becomes legal that was not; `None` before enough was seen. Those of
    /// chance do not count.
    pub(super) fn verdict(&self) -> Option<bool> {
        const ENOUGH: u64 = 100;
        /// One in so many may be new: few rules have no exception.
        const PART_NEW: u64 = 20;
        /// Who has no second choice in so many steps has no moves that come and go.
        const MOST_STEPS: u64 = 2_000;
        let is_seen = self.n_turns >= ENOUGH || self.n_steps >= MOST_STEPS;
        is_seen.then_some(PART_NEW * self.n_new <= self.n_legal)
    }

    /// Makes a random joint move, or begins anew where there is none.
    pub(super) fn step<G: Game<State = S>>(&mut self, game: &mut G, rng: &mut Rng) {
        self.n_steps += 1;
        let joint_move = match game.is_terminal(&self.state) {
            true => None,
            false => random_joint_move(game, &self.state, rng).ok(),
        };
        let Some(joint_move) = joint_move else {
            self.state = self.start.clone();
            self.before.iter_mut().for_each(Vec::clear);
            return;
        };
        let random = game.random();
        for role in RoleId::first(self.before.len()).filter(|role| Some(*role) != random) {
            let mut legal = Vec::new();
            game.legal_moves(&self.state, role, &mut legal);
            if legal.len() > 1 {
                self.note(role.index(), legal);
            }
        }
        game.advance(&mut self.state, &joint_move);
    }

    /// A role has a choice among these moves.
    fn note(&mut self, role: usize, mut legal: Vec<MoveId>) {
        legal.sort_unstable();
        let before = &self.before[role];
        if !before.is_empty() {
            let is_new = |id: &&MoveId| before.binary_search(id).is_err();
            self.n_turns += 1;
            self.n_legal += legal.len() as u64;
            self.n_new += legal.iter().filter(is_new).count() as u64;
        }
        self.before[role] = legal;
    }
}

#[cfg(test)]
mod tests {
    use base::seeded_rng;
    use machine::OneState;

    use super::*;
    use crate::test_games::{embedded, ground};

    #[test]
    fn stones_last_where_nothing_else_happens() {
        let lasts = |name: &str| {
            let mut game = OneState::new(ground(embedded(name)));
            let mut lasting = Lasting::new(&game.initial(), game.roles().len());
            assert_eq!(lasting.verdict(), None);
            let mut rng = seeded_rng(1);
            (0..500).for_each(|_| lasting.step(&mut game, &mut rng));
            lasting.verdict()
        };
        for name in ["tic-tac-toe", "hex", "dots-and-boxes", "connect-four"] {
            assert_eq!(lasts(name), Some(true), "{name}");
        }
        for name in ["othello", "knight-through", "checkers", "quarto", "pentago"] {
            assert_eq!(lasts(name), Some(false), "{name}");
        }
    }
}
