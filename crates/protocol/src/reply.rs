//! What players answer.

use std::fmt;

use gdl::Symbols;

use crate::elements::{Element, Elements, Tokens};
use crate::error::MessageError;
use crate::term::spelt_as;

/// What a player answers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// Who it is, to INFO.
    Info(Info),
    /// It is ready to play, or free.
    Ready,
    /// It plays another match, or does not know the match that is meant.
    Busy,
    /// A move.
    Move(String),
    /// It could not choose a move.
    Nil,
    /// It knows that the match is over.
    Done,
    /// It knows that the match was broken off.
    Aborted,
}

impl Reply {
    /// The move that a reply to PLAY says, with the words as `symbols` have them. What some players say beside it, an
    /// explanation or a taunt, is dropped.
    ///
    /// ```
    /// # use protocol::Reply;
    /// let symbols = gdl::parse_kif("(legal x (mark 1))").ast.symbols;
    /// let said = Reply::read_move("( MARK 1 ) (taunt \"too easy\")", &symbols);
    /// assert_eq!(said.unwrap(), "(mark 1)");
    /// ```
    pub fn read_move(text: &str, symbols: &Symbols) -> Result<String, MessageError> {
        let mut elements = Elements::of(text);
        let said = match elements.next().ok_or(MessageError::Empty)?? {
            Element::Word(word) => spelt_as(symbols, word)?,
            Element::List(list) => spelt_as(symbols, &format!("({list})"))?,
        };
        match elements.is_at_end() || is_talk(elements.rest()) {
            true => Ok(said),
            false => Err(MessageError::NoTerm),
        }
    }
}

/// Whether this is said to people, not to managers. They may write what they like, parentheses as well.
fn is_talk(text: &str) -> bool {
    let mut tokens = Tokens::of(text).map(|(_, token)| token);
    let is_list = tokens.next() == Some("(");
    let word = tokens.next().unwrap_or_default();
    is_list && ["explanation", "taunt"].iter().any(|talk| word.eq_ignore_ascii_case(talk))
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Info(info) => write!(f, "{info}"),
            Reply::Ready => write!(f, "ready"),
            Reply::Busy => write!(f, "busy"),
            Reply::Move(text) => write!(f, "{text}"),
            Reply::Nil => write!(f, "nil"),
            Reply::Done => write!(f, "done"),
            Reply::Aborted => write!(f, "aborted"),
        }
    }
}

/// Whether a player can begin a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// It can.
    Available,
    /// It plays one.
    Busy,
}

/// What a player says of itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Info {
    /// Its name, where it says one.
    pub name: Option<String>,
    /// Whether it is free, where it says so.
    pub status: Option<Status>,
    /// What kind of player it is, where it says so.
    pub species: Option<String>,
}

impl Info {
    /// Reads the reply to INFO: a list of keys with their values, or one word that says whether the player is free.
    ///
    /// ```
    /// use protocol::{Info, Status};
    /// let info = Info::read("( ( name Sancho ) ( status available ) )").unwrap();
    /// assert_eq!((info.name.as_deref(), info.status), (Some("Sancho"), Some(Status::Available)));
    /// assert_eq!(Info::read("busy").unwrap().status, Some(Status::Busy));
    /// ```
    pub fn read(text: &str) -> Result<Info, MessageError> {
        let mut elements = Elements::of(text);
        let mut info = Info { name: None, status: None, species: None };
        match elements.next().ok_or(MessageError::Empty)?? {
            Element::Word(word) => info.status = status_of(word),
            Element::List(list) => {
                for element in Elements::of(list) {
                    if let Element::List(pair) = element? {
                        info.set(pair)?;
                    }
                }
            }
        }
        Ok(info)
    }

    /// Notes what a key and the words after it say. Keys that are not known are passed over.
    fn set(&mut self, pair: &str) -> Result<(), MessageError> {
        let mut words = Elements::of(pair);
        let Some(Element::Word(key)) = words.next().transpose()? else { return Ok(()) };
        // As ggp-base does it, words are joined without blanks.
        let mut value = String::new();
        for word in words {
            if let Element::Word(word) = word? {
                value.push_str(word);
            }
        }
        match key.to_ascii_lowercase().as_str() {
            "name" => self.name = (!value.is_empty()).then_some(value),
            "status" => self.status = status_of(&value),
            "species" => self.species = (!value.is_empty()).then_some(value),
            _ => {}
        }
        Ok(())
    }
}

/// What a word says about a player; older texts have `ready` or `nil` where it is free.
fn status_of(word: &str) -> Option<Status> {
    match word.to_ascii_lowercase().as_str() {
        "available" | "ready" | "nil" => Some(Status::Available),
        "busy" => Some(Status::Busy),
        _ => None,
    }
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let status = self.status.map(|status| match status {
            Status::Available => "available",
            Status::Busy => "busy",
        });
        let pairs = [
            ("name", self.name.as_deref()),
            ("status", status),
            ("species", self.species.as_deref()),
        ];
        write!(f, "( ")?;
        for (key, value) in pairs {
            if let Some(value) = value {
                write!(f, "( {key} {value} ) ")?;
            }
        }
        write!(f, ")")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn info_is_read_as_players_say_it() {
        let read = |text: &str| Info::read(text).expect("it is readable");
        let info = read("((NAME Turbo Turtle)(Status BUSY)(species alien)(age 7)(x))");
        assert_eq!(info.name.as_deref(), Some("TurboTurtle"));
        assert_eq!(info.status, Some(Status::Busy));
        assert_eq!(info.species.as_deref(), Some("alien"));
        assert_eq!(
            read("((name)(species (a b)))"),
            Info { name: None, status: None, species: None }
        );
        for (word, status) in [
            ("available", Some(Status::Available)),
            ("READY", Some(Status::Available)),
            ("hm", None),
        ] {
            assert_eq!(read(word), Info { name: None, status, species: None });
        }
        assert!(Info::read("").is_err() && Info::read("((name x)").is_err());
    }

    #[test]
    fn info_is_written_as_managers_read_it() {
        let info = Info {
            name: Some("Woodstock".to_owned()),
            status: Some(Status::Available),
            species: None,
        };
        let text = info.to_string();
        assert_eq!(text, "( ( name Woodstock ) ( status available ) )");
        assert_eq!(Info::read(&text), Ok(info));
    }

    #[test]
    fn moves_are_read_in_the_spelling_of_the_rules() {
        let symbols = gdl::parse_kif("(legal xPlayer (Mark 1)) noop").ast.symbols;
        let read = |text: &str| Reply::read_move(text, &symbols);
        assert_eq!(read(" ( mark 1 )\n").as_deref(), Ok("(Mark 1)"));
        assert_eq!(read("NOOP").as_deref(), Ok("noop"));
        assert_eq!(read("(noop)").as_deref(), Ok("noop"));
        assert_eq!(read("(other Thing)").as_deref(), Ok("(other Thing)"));
        assert_eq!(read("noop (EXPLANATION \"why not\")").as_deref(), Ok("noop"));
        assert_eq!(read("noop (taunt \"gg :) ; easy\")").as_deref(), Ok("noop"));
        for bad in ["", "(mark 1", "noop noop", "noop (mark 1)", "noop )"] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn replies_are_the_words_of_the_field() {
        let replies = [Reply::Ready, Reply::Busy, Reply::Nil, Reply::Done, Reply::Aborted];
        let words = replies.map(|reply| reply.to_string());
        assert_eq!(words, ["ready", "busy", "nil", "done", "aborted"]);
        assert_eq!(Reply::Move("(mark 1 3)".to_owned()).to_string(), "(mark 1 3)");
    }
}
