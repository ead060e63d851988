//! Trees of what may happen, grown by sampling.
//!
//! All of them are over one graph of states (`graph.rs`): states that are reached in different ways share a
//! node, subtrees that are completely explored have exact values, which go up and end the search below them,
//! and what is known goes with the match from move to move. Leaves are gathered in batches, so that many
//! random plays go on at once. `uct.rs` chooses by confidence bounds (UCT for any number of players, Kocsis &
//! Szepesvári 2006; Sturtevant 2008), where players who move at the same time choose on their own, each by
//! its own means (decoupled), or by what all plays with a move came to (GRAVE); `cfr.rs` by regrets.

mod cfr;
mod exact;
mod graph;
mod grave;
mod habits;
mod lasting;
mod learning;
mod literal;
mod mac;
mod node;
mod pace;
mod recurring;
mod report;
mod stages;
mod tallies;
mod uct;

pub use cfr::{RegretOptions, RegretTree};
pub use graph::Knows;
pub use literal::{LiteralMacUcb, LiteralOptions, Operators, Order};
pub use mac::{HabitsWhen, MacOptions, MacUcb};
pub use report::{MoveReport, Report, Search, SearchLimits, Work};
pub use stages::Solving;
pub use uct::{Selection, Tree, TreeOptions};
