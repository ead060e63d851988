//! Search in games: what they are worth.
//!
//! [`solve`] finds the exact value of a game for a role under a [`Concept`], by branch and bound with the
//! situations that are known; [`plain_value`] finds it by looking at everything, and is the judge. A
//! situation is a state that all know, or what players who do not see everything believe of it
//! ([`Information`]).

mod beliefs;
mod expectimax;
mod situation;
mod solve;
#[cfg(test)]
mod test_games;
mod tree;

pub use encode::Information;
pub use expectimax::plain_value;
pub use scsp::{Concept, Interval, Operator};
pub use situation::{Question, Unsolvable};
pub use solve::{Limits, Solved, solve};
pub use tree::{Exact, MoveReport, Report, SearchLimits, Tree, TreeOptions};
