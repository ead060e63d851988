//! Matches between players: a referee, records, and what many matches show.
//!
//! [`play_match`] lets agents play one match and keeps a [`Record`] of it, in the form that others in the
//! field use; [`replay`] compares one with the rules. [`Seats`] rotates players through the roles, and [`Scores`] says what came of many matches, with
//! an interval that holds the truth in 95 of 100 cases.

mod pulse;
mod record;
mod referee;
mod replay;
mod scores;
mod seats;
mod sequential;

pub use record::Record;
pub use referee::{BrokenOff, MatchSettings, Moment, play_match};
pub use replay::{Difference, replay};
pub use scores::{Interval95, Scores, points};
pub use seats::Seats;
pub use sequential::Sequential;
