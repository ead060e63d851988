//! From a game to a stochastic constraint network (Koriche et al. 2016, section 3).
//!
//! A round of the game is a stage of the network: variables for the state, an action variable for each
//! player, one for chance, and variables for the state that follows. [`encode`] has two ways to say
//! that, by name: [`Encoding::Atoms`] and [`Encoding::Fluents`].

mod auxiliary;
mod cone;
mod emit;
mod filter;
mod names;
mod options;
mod percepts;
mod plan;
mod positions;
mod stage;

pub use emit::{Encoded, Round, encode};
pub use options::{EncodeError, Encoding, Extent, Information, Options};
pub use positions::{Position, PositionId, Positions};
pub use stage::{NotAState, Outcome, Stage};
