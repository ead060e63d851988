//! A tree of what may happen, grown by sampling.
//!
//! UCT for any number of players (Kocsis & Szepesvári 2006; Sturtevant 2008). Players who move at the same
//! time choose on their own, each by its own means (decoupled). Chance draws. Subtrees that are completely
//! explored have exact values, which go up and end the search below them. States that are reached in
//! different ways share a node. Leaves are gathered in batches, so that many random plays go on at once.

mod exact;
mod node;
mod search;

pub use exact::Exact;
pub use search::{MoveReport, Report, SearchLimits, Tree, TreeOptions};
