//! Random play to the end.

use base::{Rng, RoleId};

use crate::contract::{Game, Goal, MoveId, Unplayable};
use crate::perft::no_legal_move;

/// How a random play ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The number of joint moves.
    pub n_steps: usize,
    /// The goal of each role, in the order of the rules.
    pub goals: Vec<Goal>,
}

/// By play: the moves that roles made in it. Roles that never had a choice may be left out.
pub type MovesMade = Vec<Vec<(RoleId, MoveId)>>;

/// Random plays of a game from many states.
pub trait Playouts<G: Game> {
    /// Plays from each of `starts`, which are states of `game`, to the end, every role picking uniformly
    /// among its legal moves. The content of `made` is replaced by the moves, for those who want them.
    ///
    /// A play that the rules do not allow to go on, or of more than `max_steps` joint moves, is worth nothing
    /// to all, and a role without a goal at the end, or with several, gets nothing.
    fn play_out_all(
        &mut self,
        game: &mut G,
        starts: &[G::State],
        max_steps: usize,
        rng: &mut Rng,
        made: Option<&mut MovesMade>,
    ) -> Vec<Outcome>;
}

/// Random plays one after the other, of any game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OneByOne;

impl<G: Game> Playouts<G> for OneByOne {
    fn play_out_all(
        &mut self,
        game: &mut G,
        starts: &[G::State],
        max_steps: usize,
        rng: &mut Rng,
        made: Option<&mut MovesMade>,
    ) -> Vec<Outcome> {
        let mut moves = Vec::new();
        let mut outcomes = Vec::with_capacity(starts.len());
        for start in starts {
            let mut state = start.clone();
            let mut of_play = Vec::new();
            let note = |joint_move: &[MoveId]| {
                of_play.extend(RoleId::first(joint_move.len()).zip(joint_move.iter().copied()));
            };
            let ended = go_on_to_end(game, &mut state, max_steps, rng, note);
            let roles = RoleId::first(game.roles().len());
            let goal = |role| match ended {
                Ok(_) => game.goal(&state, role).unwrap_or(Goal::ZERO),
                Err(_) => Goal::ZERO,
            };
            let goals = roles.map(goal).collect();
            outcomes.push(Outcome { n_steps: ended.unwrap_or(max_steps), goals });
            moves.push(of_play);
        }
        made.into_iter().for_each(|made| *made = std::mem::take(&mut moves));
        outcomes
    }
}

/// Plays from `state` to the end, every role picking uniformly among its legal moves.
///
/// A play of more than `max_steps` joint moves is an error.
pub fn play_out<G: Game>(
    game: &mut G,
    state: &G::State,
    max_steps: usize,
    rng: &mut Rng,
) -> Result<Outcome, Unplayable> {
    let mut state = state.clone();
    let n_steps = play_to_end(game, &mut state, max_steps, rng)?;
    let roles = RoleId::first(game.roles().len());
    let goals: Result<Vec<Goal>, Unplayable> = roles.map(|role| game.goal(&state, role)).collect();
    Ok(Outcome { n_steps, goals: goals? })
}

/// Goes on from `state` to the end as [`play_out`] does, without asking for goals. Returns the number
/// of joint moves.
pub fn play_to_end<G: Game>(
    game: &mut G,
    state: &mut G::State,
    max_steps: usize,
    rng: &mut Rng,
) -> Result<usize, Unplayable> {
    go_on_to_end(game, state, max_steps, rng, |_| {})
}

fn go_on_to_end<G: Game>(
    game: &mut G,
    state: &mut G::State,
    max_steps: usize,
    rng: &mut Rng,
    mut note: impl FnMut(&[MoveId]),
) -> Result<usize, Unplayable> {
    let mut n_steps = 0;
    let mut joint_move = Vec::with_capacity(game.roles().len());
    while !game.is_terminal(state) {
        if n_steps == max_steps {
            return Err(Unplayable::NoEnd { n_steps });
        }
        pick_joint_move(game, state, rng, &mut joint_move)?;
        note(&joint_move);
        game.advance(state, &joint_move);
        n_steps += 1;
    }
    Ok(n_steps)
}

/// The joint move that is written as `texts`, one for each role. `None` if one of them is not legal.
pub fn joint_move_of<G: Game>(
    game: &mut G,
    state: &G::State,
    texts: &[String],
) -> Option<Vec<MoveId>> {
    let roles = RoleId::first(game.roles().len());
    let mut legal = Vec::new();
    let mut joint_move = Vec::new();
    for (role, text) in roles.zip(texts) {
        game.legal_moves(state, role, &mut legal);
        joint_move.push(*legal.iter().find(|&&id| game.move_text(id) == *text)?);
    }
    (joint_move.len() == game.roles().len()).then_some(joint_move)
}

/// What a role sees of a joint move, as texts, in the order of the game.
pub fn percept_texts<G: Game>(
    game: &mut G,
    state: &G::State,
    joint_move: &[MoveId],
    role: RoleId,
) -> Vec<String> {
    let mut percepts = Vec::new();
    game.percepts(state, joint_move, role, &mut percepts);
    percepts.into_iter().map(|percept| game.percept_text(percept)).collect()
}

/// A legal move for each role, uniformly at random.
pub fn random_joint_move<G: Game>(
    game: &mut G,
    state: &G::State,
    rng: &mut Rng,
) -> Result<Vec<MoveId>, Unplayable> {
    let mut joint_move = Vec::with_capacity(game.roles().len());
    pick_joint_move(game, state, rng, &mut joint_move)?;
    Ok(joint_move)
}

/// Replaces `joint_move` by such moves.
fn pick_joint_move<G: Game>(
    game: &mut G,
    state: &G::State,
    rng: &mut Rng,
    joint_move: &mut Vec<MoveId>,
) -> Result<(), Unplayable> {
    joint_move.clear();
    for role in RoleId::first(game.roles().len()) {
        match game.random_move(state, role, rng) {
            Some(move_id) => joint_move.push(move_id),
            None => return Err(no_legal_move(game, state, role)),
        }
    }
    Ok(())
}
