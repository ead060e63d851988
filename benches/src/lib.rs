//! Measurements of playing; see `README.md` beside this crate's folder.
//!
//! [`measure`] grounds a sheet and plays it at random, [`compare`] lets the fast machine and the
//! interpreter play the same, [`encoded`] does so with the networks of the game, [`stages`] solves
//! stages, [`puzzle`] games for one, and [`connect_four`] writes rules of any size.

mod connect_four;
mod encoded;
mod measurement;
mod puzzle;
mod stages;

pub use connect_four::connect_four;
pub use encoded::{EncodedRow, encoded};
pub use measurement::{Comparison, Measurement, compare, measure, program_of};
pub use puzzle::{PuzzleRow, is_puzzle, puzzle};
pub use stages::{StagesRow, stages};
