//! The names of matches.

use std::fmt;

use crate::elements::{Element, Elements};

/// The name of a match: a word of at most 256 characters. Names are equal only if they are letter for letter.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MatchId(String);

impl MatchId {
    /// `None` if `text` is not one word, or too long.
    ///
    /// ```
    /// # use protocol::MatchId;
    /// assert_eq!(MatchId::new("kiosk.42").unwrap().as_str(), "kiosk.42");
    /// assert_eq!(MatchId::new("two words"), None);
    /// ```
    pub fn new(text: &str) -> Option<MatchId> {
        const MAX_LENGTH: usize = 256;
        let mut elements = Elements::of(text);
        let is_word = elements.next() == Some(Ok(Element::Word(text))) && elements.next().is_none();
        (is_word && text.chars().count() <= MAX_LENGTH).then(|| MatchId(text.to_owned()))
    }

    /// Its text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for MatchId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_one_word() {
        for text in ["m", "base.ticTacToe.1416000000000", "42", "-"] {
            assert_eq!(MatchId::new(text).expect("it is a word").as_str(), text);
        }
        for text in ["", " m", "m ", "a b", "(m)", "m;", &"m".repeat(257)] {
            assert_eq!(MatchId::new(text), None, "{text}");
        }
        assert_ne!(MatchId::new("m"), MatchId::new("M"));
    }
}
