//! Search in games: what they are worth.
//!
//! [`solve`] finds the exact value of a game for a role under a [`Concept`], by branch and bound with the
//! situations that are known; [`plain_value`] finds it by looking at everything, and is the judge. A
//! situation is a state that all know, or what players who do not see everything believe of it
//! ([`Information`]).
//!
//! A [`Search`] finds out by sampling which moves are good: a [`Tree`] by confidence bounds (UCT) or by what
//! all plays with a move came to (GRAVE), a [`RegretTree`] by regrets (CFR).

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
pub use tree::{
    HabitsWhen, Knows, LiteralMacUcb, LiteralOptions, MacOptions, MacUcb, MoveReport, Operators,
    Order, RegretOptions, RegretTree, Report, Search, SearchLimits, Selection, Solving, Tree,
    TreeOptions, Work,
};
