//! What may be done in many states, and what follows.

use base::RoleId;

use crate::contract::{Game, Goal, MoveId};
use crate::playout::OneByOne;

/// What follows a joint move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct After<S> {
    /// The state, if it was asked for.
    pub state: Option<S>,
    /// If the game has ended with it: what each role gets. A role without a goal, or with several, gets
    /// nothing.
    pub goals: Option<Vec<Goal>>,
    /// If the role whose turn it is then is seen to win at once: what each role gets when it does.
    pub reply: Option<Vec<Goal>>,
}

/// The stages of many states at once.
pub trait Stages<G: Game> {
    /// Replaces the content of `legal` by the legal moves in `states`: state by state, and in each role by role.
    /// Where the game has ended there are none. Tells, in any order, moves and the numbers of their states, of
    /// which is seen without making them that they decide the game: whoever makes it wins at once, or another role
    /// does after it.
    fn legal_in(
        &mut self,
        game: &mut G,
        states: &[&G::State],
        legal: &mut Vec<Vec<MoveId>>,
    ) -> Vec<(usize, MoveId)>;

    /// What follows when in each of `states` a joint move is made. These stand one after the other in
    /// `joint_moves`, with a legal move of each role. A state is told if somebody is seen to win at once in it, or
    /// if the game goes on and `is_wanted` says so, which is asked once for each of these.
    fn after(
        &mut self,
        game: &mut G,
        states: &[&G::State],
        joint_moves: &[MoveId],
        is_wanted: impl FnMut(usize) -> bool,
    ) -> Vec<After<G::State>>;
}

/// Leaves `legal` with so many lists, all of them empty.
pub fn no_moves(legal: &mut Vec<Vec<MoveId>>, n_lists: usize) {
    legal.iter_mut().for_each(Vec::clear);
    legal.resize_with(n_lists, Vec::new);
}

/// Replaces the lists by the legal moves of a state, role by role, as the rules have them; none if the game has ended.
pub fn legal_moves_of<G: Game>(game: &mut G, state: &G::State, legal: &mut [Vec<MoveId>]) {
    if game.is_terminal(state) {
        legal.iter_mut().for_each(Vec::clear);
        return;
    }
    for (role, legal) in RoleId::first(legal.len()).zip(legal) {
        game.legal_moves(state, role, legal);
    }
}

impl<G: Game> Stages<G> for OneByOne {
    fn legal_in(
        &mut self,
        game: &mut G,
        states: &[&G::State],
        legal: &mut Vec<Vec<MoveId>>,
    ) -> Vec<(usize, MoveId)> {
        let n_roles = game.roles().len();
        no_moves(legal, states.len() * n_roles);
        for (state, legal) in states.iter().zip(legal.chunks_mut(n_roles)) {
            legal_moves_of(game, state, legal);
        }
        Vec::new()
    }

    fn after(
        &mut self,
        game: &mut G,
        states: &[&G::State],
        joint_moves: &[MoveId],
        mut is_wanted: impl FnMut(usize) -> bool,
    ) -> Vec<After<G::State>> {
        let n_roles = game.roles().len();
        let joint_moves = joint_moves.chunks(n_roles);
        let mut after = Vec::with_capacity(states.len());
        for (number, (state, joint_move)) in states.iter().zip(joint_moves).enumerate() {
            let state = game.next(state, joint_move);
            let goals = game.is_terminal(&state).then(|| {
                let roles = RoleId::first(n_roles);
                roles.map(|role| game.goal(&state, role).unwrap_or(Goal::ZERO)).collect()
            });
            let is_told = goals.is_none() && is_wanted(number);
            after.push(After { state: is_told.then_some(state), goals, reply: None });
        }
        after
    }
}
