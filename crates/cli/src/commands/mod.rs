//! One module a command: its arguments, and what it does.

pub(crate) mod check;
pub(crate) mod fmt;
pub(crate) mod games;
pub(crate) mod info;
mod invited;
mod match_lines;
pub(crate) mod matches;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod players;
pub(crate) mod playouts;
pub(crate) mod replay;
pub(crate) mod scsp;
mod series;
pub(crate) mod serve;
pub(crate) mod solve;
pub(crate) mod solve_scsp;
pub(crate) mod tournament;
