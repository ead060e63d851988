//! Players: agents that play a whole match under a clock.
//!
//! A [`PlayerSpec`] names a player and its parameters (`uct:c=0.4`); with the [`Rules`] of a game and a role
//! it becomes an [`Agent`]. An agent always answers with a legal move, and in time: what thinks does so in a
//! threads of its own, and if these are late or fails, the best move so far, or any legal one, is the answer.

mod agent;
mod follower;
mod on_network;
mod preparing;
mod rules;
mod searcher;
mod simple;
mod spec;
mod thinker;
mod thoughts;

pub use agent::{Agent, Choice, Clock, Fault, MoveThought, Thoughts, Told};
pub use preparing::Preparing;
pub use rules::{Rules, WithGame};
pub use search::Work;
pub use spec::{PlayerSpec, SpecError};
