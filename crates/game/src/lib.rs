//! The contract between the rules of a game and those who play it.
//!
//! [`Game`] is what an implementation of rules offers: states, legal moves, successors, percepts,
//! goals. [`perft`] counts the tree of moves, [`play_out`] plays at random to the end, and
//! [`conformance`] compares two implementations with each other.

pub mod conformance;
mod contract;
mod made;
mod passed;
mod perft;
mod playout;
mod stages;
mod worth;

pub use base::RoleId;
pub use contract::{Game, Goal, MoveId, PerceptId, Unplayable};
pub use made::{Habits, MovesMade};
pub use passed::{Passed, StatesPassed};
pub use perft::{Perft, legal_of_all, perft};
pub use playout::{
    Cut, Notes, OneByOne, Outcome, Outcomes, Playouts, PlaysFrom, joint_move_of, percept_texts,
    play_out, play_to_end, random_joint_move,
};
pub use stages::{After, Stages, legal_moves_of, no_moves};
pub use worth::Worth;
