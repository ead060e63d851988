//! What can be wrong with a text that should be XCSP3, and where.

use std::fmt;

use crate::network::BuildError;

/// Why a text is no network, and where that shows.
#[derive(Clone, PartialEq, Debug)]
pub struct Xcsp3Error {
    /// The line, from 1 on.
    pub line: usize,
    /// The column in characters, from 1 on.
    pub column: usize,
    /// What is wrong there.
    pub problem: Xcsp3Problem,
}

/// What is wrong with a text that should be XCSP3.
#[derive(Clone, PartialEq, Debug)]
pub enum Xcsp3Problem {
    /// It is no XML; says why.
    Xml(String),
    /// It is part of XCSP3 or of XML, but is not read here.
    NotRead(String),
    /// Something else should stand here.
    Unexpected {
        /// What should.
        expected: &'static str,
        /// What does.
        found: String,
    },
    /// A variable is named that there is not.
    UnknownVariable(String),
    /// The network written out would have more numbers than fit.
    TooLarge {
        /// How many may be.
        most: u64,
    },
    /// The network is malformed.
    Build(BuildError),
}

impl fmt::Display for Xcsp3Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.problem)
    }
}

impl std::error::Error for Xcsp3Error {}

impl fmt::Display for Xcsp3Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Xcsp3Problem::Xml(reason) => write!(f, "{reason}"),
            Xcsp3Problem::NotRead(what) => write!(f, "{what} is not read here"),
            Xcsp3Problem::Unexpected { expected, found } if found.is_empty() => {
                write!(f, "expected {expected}, found nothing")
            }
            Xcsp3Problem::Unexpected { expected, found } => {
                write!(f, "expected {expected}, found `{found}`")
            }
            Xcsp3Problem::UnknownVariable(name) => write!(f, "there is no variable `{name}`"),
            Xcsp3Problem::TooLarge { most } => write!(
                f,
                "written out, the network would have more than {most} values of variables and tuples"
            ),
            Xcsp3Problem::Build(error) => write!(f, "{error}"),
        }
    }
}

/// Something wrong at an offset of the text.
#[derive(Debug)]
pub(super) struct Wrong {
    pub(super) at: usize,
    pub(super) problem: Xcsp3Problem,
}

impl Wrong {
    pub(super) fn unexpected(at: usize, expected: &'static str, found: &str) -> Wrong {
        let found = shortened(found);
        Wrong { at, problem: Xcsp3Problem::Unexpected { expected, found } }
    }

    pub(super) fn not_read(at: usize, what: impl Into<String>) -> Wrong {
        Wrong { at, problem: Xcsp3Problem::NotRead(what.into()) }
    }

    pub(super) fn build(at: usize) -> impl Fn(BuildError) -> Wrong {
        move |error| Wrong { at, problem: Xcsp3Problem::Build(error) }
    }

    /// With the line and the column in `text`.
    pub(super) fn in_text(self, text: &str) -> Xcsp3Error {
        let mut at = self.at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let before = &text[..at];
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        Xcsp3Error {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            problem: self.problem,
        }
    }
}

/// The beginning of a text, for messages.
fn shortened(text: &str) -> String {
    const MOST: usize = 40;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
