//! Search in games: what they are worth.
//!
//! [`solve`] finds the exact value of a game for a role under a [`Concept`], by branch and bound with the
//! states that are known; [`plain_value`] finds it by looking at everything, and is the judge.

mod concept;
mod expectimax;
mod solve;

pub use concept::{Concept, Operator};
pub use expectimax::plain_value;
pub use solve::{Interval, Limits, Solved, solve};
