//! What may be wrong with a message.

use std::error::Error;
use std::fmt;

/// Why a text is no message, or no reply.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MessageError {
    /// There is nothing but blanks.
    Empty,
    /// It is not one list.
    NoList,
    /// It is not one term.
    NoTerm,
    /// A list has no end.
    Unclosed,
    /// A parenthesis closes nothing.
    ClosesNothing,
    /// Lists stand within lists, more than this.
    TooDeep {
        /// How deep they may be.
        limit: usize,
    },
    /// It begins with a word that no message begins with.
    UnknownWord {
        /// The word.
        word: String,
    },
    /// A message has more or fewer parts than it should have.
    WrongCount {
        /// Its word.
        message: &'static str,
        /// How many parts follow the word, in words.
        expected: &'static str,
        /// How many there were, as far as they were looked at.
        found: usize,
    },
    /// A part is not what it should be.
    WrongPart {
        /// Its word.
        message: &'static str,
        /// What was expected.
        expected: &'static str,
        /// The beginning of what was there.
        found: String,
    },
}

impl fmt::Display for MessageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MessageError::Empty => write!(f, "the message is empty"),
            MessageError::NoList => {
                write!(f, "a message is one list, as ( INFO ), with nothing before or after it")
            }
            MessageError::NoTerm => {
                write!(f, "a move is one word or one list, with nothing before or after it")
            }
            MessageError::Unclosed => write!(f, "a closing parenthesis is missing at the end"),
            MessageError::ClosesNothing => write!(f, "there is a closing parenthesis too many"),
            MessageError::TooDeep { limit } => {
                write!(f, "lists stand within lists, more than {limit} deep")
            }
            MessageError::UnknownWord { word } => write!(
                f,
                "'{word}' is no message: it is INFO, PING, PREVIEW, START, PLAY, STOP or ABORT"
            ),
            MessageError::WrongCount { message, expected, found } => {
                write!(f, "{message} has {expected}, not {found}")
            }
            MessageError::WrongPart { message, expected, found } => {
                write!(f, "{message} has {expected} where '{found}' stands")
            }
        }
    }
}

impl Error for MessageError {}

/// The beginning of a text, for those who are told what is wrong with it.
pub(crate) fn beginning(text: &str) -> String {
    const LENGTH: usize = 40;
    match text.char_indices().nth(LENGTH) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut() {
        assert_eq!(beginning("short"), "short");
        let long = "ä".repeat(100);
        assert_eq!(beginning(&long), format!("{}...", "ä".repeat(40)));
    }
}
