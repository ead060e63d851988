//! Search for solutions.

mod budget;
mod mac;
mod order;

pub use budget::{Budget, Statistics};
pub use mac::Solutions;
pub use order::{Order, ValueOrder};
