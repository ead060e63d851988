//! States as boards that a person can look at.
//!
//! The rules say nothing of boards: a state is a set of fluents. But most games name the places of
//! a board by two coordinates, and this crate recognises such fluents by their form. What is on no
//! board stays a list.
//!
//! ```
//! use board::{Boards, Colour, Hints};
//!
//! let state: Vec<String> =
//!     ["(cell 1 1 x)", "(cell 1 2 b)", "(cell 2 1 o)", "(cell 2 2 b)", "(control white)"]
//!         .map(String::from)
//!         .to_vec();
//! let boards = Boards::recognise(state.iter().map(String::as_str), &Hints::default());
//! let picture = boards.picture(&state);
//! assert_eq!(picture.grids[0].draw(None, Colour::Never), ["2  . .", "1  x o", "   1 2"]);
//! assert_eq!(picture.grids[0].legend(), [". = b"]);
//! assert_eq!(picture.others, ["(control white)"]);
//! ```

mod axis;
mod boards;
mod draw;
mod family;
mod fluent;
mod grid;
mod hints;
mod layout;
mod names;
mod plan;
mod points;
mod recognise;
mod symbols;

pub use boards::Boards;
pub use draw::Colour;
pub use grid::{Grid, Picture};
pub use hints::Hints;
pub use names::Side;
pub use points::{Points, PointsHint};
