//! Search for solutions.

mod budget;
mod forward;
mod mac;
mod order;

pub use budget::{Budget, Statistics};
pub use forward::ForwardSolutions;
pub use mac::Solutions;
pub use order::{Order, ValueOrder};
