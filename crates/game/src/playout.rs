//! Random play to the end.

use base::{Id as _, Rng, RoleId};
use rand::seq::IndexedRandom as _;

use crate::contract::{Game, Goal, MoveId, Unplayable};
use crate::made::{Habits, MovesMade};
use crate::passed::StatesPassed;
use crate::perft::no_legal_move;
use crate::worth::Worth;

/// How a random play ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The number of joint moves.
    pub n_steps: usize,
    /// The goal of each role, in the order of the rules.
    pub goals: Vec<Goal>,
}

/// Which random plays are wanted.
#[derive(Debug)]
pub struct PlaysFrom<'a, S> {
    /// Where they begin.
    pub states: &'a [&'a S],
    /// How many from each of the states. They stand next to each other in what comes of them.
    pub n_each: usize,
    /// Plays of more joint moves are given up.
    pub max_steps: usize,
    /// Which moves are made more often than others, if any.
    pub habits: Option<&'a Habits>,
    /// When plays are cut off, if they are. A machine may play to the end all the same.
    pub cut: Option<Cut<'a>>,
}

/// When plays are cut off, and what they are worth then.
#[derive(Clone, Copy, Debug)]
pub struct Cut<'a> {
    /// After so many joint moves.
    pub n_steps: u32,
    /// What they are worth then.
    pub worth: &'a Worth,
}

/// What is noted of plays, for those who want it.
#[derive(Debug, Default)]
pub struct Notes<'a> {
    /// The moves.
    pub made: Option<&'a mut MovesMade>,
    /// States that they passed; a machine may note none.
    pub passed: Option<&'a mut StatesPassed>,
}

impl<'a, S> PlaysFrom<'a, S> {
    /// Plays to the end, without habits: `n_each` from each of the states, of at most `max_steps` joint moves.
    pub fn to_end(states: &'a [&'a S], n_each: usize, max_steps: usize) -> PlaysFrom<'a, S> {
        PlaysFrom { states, n_each, max_steps, habits: None, cut: None }
    }

    /// How many there are in all.
    pub fn n_plays(&self) -> usize {
        self.n_each * self.states.len()
    }

    /// The state that a play begins in.
    pub fn state_of(&self, play: usize) -> &'a S {
        self.states[play / self.n_each]
    }
}

/// How many random plays ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcomes {
    n_roles: usize,
    n_steps: Vec<u32>,
    n_cut: usize,
    /// By play and role.
    goals: Vec<Goal>,
}

impl Outcomes {
    /// `n_plays` plays in which nobody got anything yet.
    pub fn new(n_plays: usize, n_roles: usize) -> Outcomes {
        let goals = vec![Goal::ZERO; n_plays * n_roles];
        Outcomes { n_roles, n_steps: vec![0; n_plays], n_cut: 0, goals }
    }

    /// How many plays there are.
    pub fn n_plays(&self) -> usize {
        self.n_steps.len()
    }

    /// How many were cut off.
    pub fn n_cut(&self) -> usize {
        self.n_cut
    }

    /// How many roles there are.
    pub fn n_roles(&self) -> usize {
        self.n_roles
    }

    /// The goals of a play, in the order of the roles.
    pub fn goals(&self, play: usize) -> &[Goal] {
        &self.goals[play * self.n_roles..][..self.n_roles]
    }

    /// The number of joint moves of a play.
    pub fn n_steps(&self, play: usize) -> u32 {
        self.n_steps[play]
    }

    /// By role: the sum of what it got in some of the plays.
    pub fn sums(&self, plays: std::ops::Range<usize>) -> Vec<f64> {
        let mut sums = vec![0.0; self.n_roles];
        for play in plays {
            for (sum, goal) in sums.iter_mut().zip(self.goals(play)) {
                *sum += f64::from(goal.value());
            }
        }
        sums
    }

    /// A role gets this in a play.
    pub fn set_goal(&mut self, play: usize, role: RoleId, goal: Goal) {
        self.goals[play * self.n_roles + role.index()] = goal;
    }

    /// A play was cut off, and seems to be worth this to the roles, from 0 to 100.
    pub fn cut_off(&mut self, play: usize, values: &[f32]) {
        self.n_cut += 1;
        let goals = &mut self.goals[play * self.n_roles..][..self.n_roles];
        for (goal, value) in goals.iter_mut().zip(values) {
            *goal = Goal::new(value.round() as u8).expect("no value is above 100");
        }
    }

    /// A play has so many joint moves.
    pub fn set_n_steps(&mut self, play: usize, n_steps: u32) {
        self.n_steps[play] = n_steps;
    }
}

/// Random plays of a game from many states.
pub trait Playouts<G: Game> {
    /// How many plays take hardly longer than a few.
    fn n_free(&self) -> usize {
        1
    }

    /// Plays from states of `game` to the end, every role picking uniformly among its legal moves, or as its
    /// habits are. What was noted before is replaced.
    ///
    /// A play that the rules do not allow to go on, or that is too long, is worth nothing to all, and a role
    /// without a goal at the end, or with several, gets nothing.
    fn play_out_all(
        &mut self,
        game: &mut G,
        plays: &PlaysFrom<G::State>,
        rng: &mut Rng,
        notes: Notes<'_>,
    ) -> Outcomes;
}

/// Random plays one after the other, of any game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OneByOne;

impl<G: Game> Playouts<G> for OneByOne {
    fn play_out_all(
        &mut self,
        game: &mut G,
        plays: &PlaysFrom<G::State>,
        rng: &mut Rng,
        notes: Notes<'_>,
    ) -> Outcomes {
        let Notes { mut made, passed } = notes;
        passed.into_iter().for_each(|passed| passed.clear([]));
        made.iter_mut().for_each(|made| made.clear(plays.n_plays()));
        let n_roles = game.roles().len();
        let mut outcomes = Outcomes::new(plays.n_plays(), n_roles);
        for play in 0..plays.n_plays() {
            let mut state = plays.state_of(play).clone();
            let note = |joint_move: &[MoveId]| {
                let Some(made) = &mut made else { return };
                for (role, &id) in RoleId::first(joint_move.len()).zip(joint_move) {
                    made.add(role, id, play / 64, &[1 << (play % 64)]);
                }
            };
            let mut picking = Picking { habits: plays.habits, rng };
            let ended = go_on_to_end(game, &mut state, plays.max_steps, &mut picking, note);
            let n_steps = *ended.as_ref().unwrap_or(&plays.max_steps);
            outcomes.set_n_steps(play, u32::try_from(n_steps).unwrap_or(u32::MAX));
            if ended.is_ok() {
                for role in RoleId::first(n_roles) {
                    outcomes.set_goal(play, role, game.goal(&state, role).unwrap_or(Goal::ZERO));
                }
            }
        }
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
    go_on_to_end(game, state, max_steps, &mut Picking { habits: None, rng }, |_| {})
}

fn go_on_to_end<G: Game>(
    game: &mut G,
    state: &mut G::State,
    max_steps: usize,
    picking: &mut Picking<'_>,
    mut note: impl FnMut(&[MoveId]),
) -> Result<usize, Unplayable> {
    let mut n_steps = 0;
    let mut joint_move = Vec::with_capacity(game.roles().len());
    while !game.is_terminal(state) {
        if n_steps == max_steps {
            return Err(Unplayable::NoEnd { n_steps });
        }
        picking.pick(game, state, &mut joint_move)?;
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
    if texts.len() != game.roles().len() {
        return None;
    }
    let mut legal = Vec::new();
    let mut joint_move = Vec::new();
    for (role, text) in RoleId::first(texts.len()).zip(texts) {
        game.legal_moves(state, role, &mut legal);
        joint_move.push(*legal.iter().find(|&&id| game.move_text(id) == *text)?);
    }
    Some(joint_move)
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
    Picking { habits: None, rng }.pick(game, state, &mut joint_move)?;
    Ok(joint_move)
}

/// How moves are picked.
struct Picking<'a> {
    habits: Option<&'a Habits>,
    rng: &'a mut Rng,
}

impl Picking<'_> {
    /// Replaces `joint_move` by a legal move for each role.
    fn pick<G: Game>(
        &mut self,
        game: &mut G,
        state: &G::State,
        joint_move: &mut Vec<MoveId>,
    ) -> Result<(), Unplayable> {
        joint_move.clear();
        for role in RoleId::first(game.roles().len()) {
            match self.pick_one(game, state, role) {
                Some(move_id) => joint_move.push(move_id),
                None => return Err(no_legal_move(game, state, role)),
            }
        }
        Ok(())
    }

    fn pick_one<G: Game>(
        &mut self,
        game: &mut G,
        state: &G::State,
        role: RoleId,
    ) -> Option<MoveId> {
        let habits = self.habits.filter(|_| Some(role) != game.random());
        let Some(habits) = habits else { return game.random_move(state, role, self.rng) };
        let mut legal = Vec::new();
        game.legal_moves(state, role, &mut legal);
        habits.narrow(&mut legal, self.rng);
        legal.choose(self.rng).copied()
    }
}
