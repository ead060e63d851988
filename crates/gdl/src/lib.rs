//! The Game Description Language: rule text to a syntax tree, and back.
//!
//! A rule sheet is read in the prefix form (KIF) or the infix form of the papers. Reading never
//! fails: it gives a tree of what could be read, and a list of problems, each with its place and
//! its cure.
//!
//! ```
//! let parse = gdl::parse_kif("(role x) (<= (legal x (mark ?n)) (true (free ?n)))");
//! assert!(parse.diagnostics.is_empty());
//! assert_eq!(
//!     gdl::print(&parse.ast, gdl::Form::Infix),
//!     "role(x).\nlegal(x, mark(N)) :-\n    true(free(N)).\n",
//! );
//!
//! let parse = gdl::parse_kif("(role x) (init (cell 1 1)");
//! assert_eq!(parse.diagnostics[0].code, gdl::Code::Unclosed);
//! ```

mod builder;
mod diagnostic;
mod form;
mod format;
mod infix;
mod kif;
mod print;
mod render;
mod scramble;
mod source;
mod span;
mod symbol;
pub mod tree;

pub use diagnostic::{Code, Diagnostic, Problems, Severity};
pub use form::Form;
pub use format::format;
pub use print::{Printer, print};
pub use render::{Colour, render};
pub use scramble::Scrambler;
pub use source::{Position, Source, TooLarge};
pub use span::Span;
pub use symbol::{Symbol, Symbols};
pub use tree::Ast;

/// A rule sheet as a tree, and what was wrong with its text.
#[derive(Clone, Debug)]
pub struct Parse {
    /// What could be read. When there are errors, some rules are missing.
    pub ast: Ast,
    /// The problems in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

impl Parse {
    /// Whether some of the text could not be read.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

/// Reads a rule sheet in the given form, in time linear in its length.
pub fn parse(text: &str, form: Form) -> Parse {
    parse_with(text, form, Symbols::new())
}

/// Reads a rule sheet in prefix form.
pub fn parse_kif(text: &str) -> Parse {
    parse(text, Form::Kif)
}

/// Reads a rule sheet in infix form.
///
/// ```
/// let parse = gdl::parse_infix("legal(P, noop) :- role(P) & ~true(control(P))");
/// assert_eq!(
///     gdl::print(&parse.ast, gdl::Form::Kif),
///     "(<= (legal ?P noop)\n    (role ?P)\n    (not (true (control ?P))))\n",
/// );
/// ```
pub fn parse_infix(text: &str) -> Parse {
    parse(text, Form::Infix)
}

/// Reads a rule sheet whose symbols continue a table, so that its tree can be compared with
/// another of the same table.
///
/// # Panics
/// When `text` has 2^32 bytes or more.
pub fn parse_with(text: &str, form: Form, symbols: Symbols) -> Parse {
    match form {
        Form::Kif => kif::parse(text, symbols),
        Form::Infix => infix::parse(text, symbols),
    }
}
