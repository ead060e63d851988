//! Search for solutions.

mod mac;

pub use mac::{Budget, Order, Solutions, Statistics};
