//! What every other crate stands on: ids that cannot be mixed up, vectors that are indexed by
//! them, sets as bits, deadlines and wishes to stop, and random numbers that come from a seed.
//!
//! ```
//! use base::{IdVec, define_id};
//!
//! define_id! {
//!     /// A city, in the order in which it was added.
//!     pub struct CityId;
//! }
//!
//! let mut cities = IdVec::<CityId, &str>::new();
//! let lens = cities.push("Lens");
//! assert_eq!(cities[lens], "Lens");
//! ```

pub mod bits;
mod deadline;
mod id;
mod rng;
mod stack;
mod stop;

pub use deadline::Deadline;
pub use id::{Id, IdVec, RoleId};
pub use rng::{Rng, seeded_rng};
pub use stack::with_stack_for;
pub use stop::Stop;
