//! The messages of general game playing as values: what managers say, and what players answer.
//!
//! A manager sends a [`Message`] and a player answers it with a [`Reply`]. Both are texts in the prefix form of the
//! rules; this crate reads and writes them, and knows no sockets. Texts come from anywhere: reading them takes time and
//! room in proportion to their length, and never fails but with a [`MessageError`]. What is written is taken as it is:
//! names and roles are to be words, moves and percepts what [`plain_term`] makes of them.
//!
//! Written as others read it, read as others write it: words without case, with or without blanks after
//! parentheses, moves of both generations of GDL-II.
//!
//! ```
//! use protocol::{Message, News};
//!
//! let message = Message::read("( PLAY kiosk.42 ( ( mark 1 3 ) noop ) )").unwrap();
//! let Message::Play { match_id, news } = &message else { panic!("it is a play message") };
//! assert_eq!(match_id.as_str(), "kiosk.42");
//! assert_eq!(*news, News::Terms(vec!["(mark 1 3)".to_owned(), "noop".to_owned()]));
//! assert_eq!(message.to_string(), "( PLAY kiosk.42 ( (mark 1 3) noop ) )");
//! ```

mod elements;
mod error;
mod match_id;
mod message;
mod reply;
mod term;

pub use error::MessageError;
pub use match_id::MatchId;
pub use message::{Message, News, Rules};
pub use reply::{Info, Reply, Status};
pub use term::{plain_term, spelt_as};
