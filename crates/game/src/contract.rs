//! What an implementation of rules offers to those who play.

use std::fmt;
use std::hash::Hash;

use base::{Rng, RoleId, define_id};
use rand::seq::IndexedRandom;

define_id! {
    /// A move of any role, as the game numbers them.
    pub struct MoveId;
}

define_id! {
    /// Something that a role perceives, as the game numbers them.
    pub struct PerceptId;
}

/// Reward of a role in a terminal state, from 0 to 100.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Goal(u8);

impl Goal {
    /// The least.
    pub const ZERO: Goal = Goal(0);

    /// `None` when `value` is above 100.
    ///
    /// ```
    /// assert_eq!(game::Goal::new(50).map(|goal| goal.value()), Some(50));
    /// assert_eq!(game::Goal::new(101), None);
    /// ```
    pub fn new(value: u8) -> Option<Goal> {
        (value <= 100).then_some(Goal(value))
    }

    /// The goal that rules write as `text`.
    pub fn parse(text: &str) -> Option<Goal> {
        text.parse().ok().and_then(Goal::new)
    }

    /// The goal of `role` where the rules give it `values`: there must be one, and it a goal value.
    pub fn only(
        role: &str,
        values: Vec<String>,
        state: impl FnOnce() -> Vec<String>,
    ) -> Result<Goal, Unplayable> {
        let goal = match values.as_slice() {
            [value] => Goal::parse(value),
            _ => None,
        };
        goal.ok_or_else(|| Unplayable::wrong_goals(role, values, state()))
    }

    /// The number.
    pub fn value(self) -> u8 {
        self.0
    }
}

/// The rules of a game, ready to be played.
///
/// The methods take `&mut self` because implementations keep working space; what they answer
/// depends on their arguments only.
pub trait Game {
    /// What the rules know of a moment of a match.
    type State: Clone + Eq + Hash + fmt::Debug;

    /// The names of the roles, in the order of the rules.
    fn roles(&self) -> &[String];

    /// The role of chance, which picks uniformly among its moves.
    fn random(&self) -> Option<RoleId>;

    /// The state in which every match begins.
    fn initial(&self) -> Self::State;

    /// Whether the match is over.
    fn is_terminal(&mut self, state: &Self::State) -> bool;

    /// Replaces the content of `out` by the legal moves of `role`, in an order that depends on the
    /// state only.
    ///
    /// Never empty in a non-terminal state of a playable game.
    fn legal_moves(&mut self, state: &Self::State, role: RoleId, out: &mut Vec<MoveId>);

    /// One of the legal moves of `role`, each as likely as the others; `None` if there is none.
    fn random_move(&mut self, state: &Self::State, role: RoleId, rng: &mut Rng) -> Option<MoveId> {
        let mut legal = Vec::new();
        self.legal_moves(state, role, &mut legal);
        legal.choose(rng).copied()
    }

    /// The state after the roles made the moves `joint_move`, one each, all legal.
    fn next(&mut self, state: &Self::State, joint_move: &[MoveId]) -> Self::State;

    /// Puts the state after the moves `joint_move` in the place of `state`.
    fn advance(&mut self, state: &mut Self::State, joint_move: &[MoveId]) {
        *state = self.next(state, joint_move);
    }

    /// Replaces the content of `out` by what `role` sees of the moves `joint_move`, ascending.
    fn percepts(
        &mut self,
        state: &Self::State,
        joint_move: &[MoveId],
        role: RoleId,
        out: &mut Vec<PerceptId>,
    );

    /// What `role` gets in a terminal state.
    fn goal(&mut self, state: &Self::State, role: RoleId) -> Result<Goal, Unplayable>;

    /// The move as the rules write it, in prefix form.
    fn move_text(&self, move_id: MoveId) -> String;

    /// The percept as the rules write it, in prefix form.
    fn percept_text(&self, percept: PerceptId) -> String;

    /// The fluents that hold in `state`, as the rules write them, sorted.
    fn state_text(&self, state: &Self::State) -> Vec<String>;
}

/// Why a game cannot be played on: its rules break a promise of GDL.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unplayable {
    /// A role has no legal move in a state that is not terminal.
    NoLegalMove {
        /// The role.
        role: String,
        /// The fluents of the state.
        state: Vec<String>,
    },
    /// A role has no goal value, or several, in a terminal state.
    Goals {
        /// The role.
        role: String,
        /// The goal values that the rules give, sorted.
        values: Vec<String>,
        /// The fluents of the state.
        state: Vec<String>,
    },
    /// A play did not end.
    NoEnd {
        /// After how many steps it was given up.
        n_steps: usize,
    },
}

impl Unplayable {
    /// A role has none or several goal values, or one that is no number from 0 to 100.
    pub fn wrong_goals(role: &str, mut values: Vec<String>, state: Vec<String>) -> Unplayable {
        values.sort_by_key(|value| (value.parse::<i64>().ok(), value.clone()));
        Unplayable::Goals { role: role.to_owned(), values, state }
    }
}

impl fmt::Display for Unplayable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let in_state = |state: &[String]| format!("in the state ({})", state.join(" "));
        match self {
            Unplayable::NoLegalMove { role, state } => {
                write!(f, "{role} has no legal move {}", in_state(state))
            }
            Unplayable::Goals { role, values, state } if values.is_empty() => {
                write!(f, "{role} has no goal value {}", in_state(state))
            }
            Unplayable::Goals { role, values, state } => {
                let values = values.join(", ");
                write!(f, "{role} has the goal values {values} {}", in_state(state))
            }
            Unplayable::NoEnd { n_steps } => write!(f, "no end after {n_steps} steps"),
        }
    }
}

impl std::error::Error for Unplayable {}
