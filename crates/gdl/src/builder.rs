//! What both parsers share: symbols from words, and the warnings that words can give.

use base::Id;

use crate::diagnostic::{Code, Diagnostic, Problems};
use crate::tree::{Ast, Item, Literal, LiteralKind, Term};
use crate::{Form, Parse, Span, Symbol, Symbols};

/// More parentheses within each other than this are refused, so that no text can exhaust the
/// stack of a function that walks the tree.
pub(crate) const MAX_DEPTH: usize = 1_000;

/// A tree under construction.
pub(crate) struct Builder<'a> {
    pub(crate) text: &'a str,
    form: Form,
    pub(crate) symbols: Symbols,
    pub(crate) items: Vec<Item>,
    pub(crate) comments: Vec<Span>,
    problems: Problems,
    /// By symbol: where it was first met; of variables, in which item and where in it.
    met: Vec<Option<Met>>,
    /// The number of the item that is being read.
    item: usize,
}

#[derive(Clone, Copy)]
struct Met {
    item: usize,
    span: Span,
    warned: bool,
}

impl<'a> Builder<'a> {
    pub(crate) fn new(text: &'a str, form: Form, symbols: Symbols) -> Builder<'a> {
        Builder {
            text,
            form,
            symbols,
            items: Vec::new(),
            comments: Vec::new(),
            problems: Problems::default(),
            met: Vec::new(),
            item: 0,
        }
    }

    pub(crate) fn finish(self) -> Parse {
        let Builder { symbols, items, comments, form, problems, .. } = self;
        let diagnostics = problems.into_sorted();
        Parse { ast: Ast { symbols, items, comments, form }, diagnostics }
    }

    pub(crate) fn report(&mut self, problem: Diagnostic) {
        self.problems.push(problem);
    }

    pub(crate) fn problem(
        &mut self,
        code: Code,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.report(Diagnostic::new(code, span, message, help));
    }

    /// Variables are looked at rule by rule; this ends a rule.
    pub(crate) fn end_item(&mut self, item: Option<Item>) {
        self.items.extend(item);
        self.item += 1;
    }

    pub(crate) fn slice(&self, span: Span) -> &'a str {
        &self.text[span.range()]
    }

    /// The symbol of the word at `span`.
    pub(crate) fn word(&mut self, span: Span) -> Symbol {
        self.intern(self.slice(span), span)
    }

    /// The symbol of `name`, which stands at `span`.
    pub(crate) fn intern(&mut self, name: &str, span: Span) -> Symbol {
        let symbol = self.symbols.intern(name);
        if symbol.is_reserved() {
            return symbol;
        }
        if self.met.len() <= symbol.index() {
            self.met.resize(symbol.index() + 1, None);
        }
        let now = Met { item: self.item, span, warned: false };
        let is_variable = name.starts_with('?');
        match self.met[symbol.index()] {
            None => {
                self.met[symbol.index()] = Some(now);
                self.warn_of_unusual_character(name, span);
            }
            Some(first) if is_variable && first.item != self.item => {
                self.met[symbol.index()] = Some(now);
            }
            Some(first) if !first.warned && differs(self.slice(first.span), self.slice(span)) => {
                self.met[symbol.index()] = Some(Met { warned: true, ..first });
                self.warn_of_spelling(first.span, span);
            }
            Some(_) => {}
        }
        symbol
    }

    /// Reports parentheses within parentheses past the limit.
    pub(crate) fn too_deep(&mut self, span: Span) {
        self.problem(
            Code::TooDeep,
            span,
            format!("more than {MAX_DEPTH} parentheses are open here"),
            "write large terms with fewer levels, or check that a parenthesis was not left open",
        );
    }

    /// Reports a run of control characters.
    pub(crate) fn control_characters(&mut self, span: Span) {
        let name = match self.slice(span).chars().next() {
            Some('\0') => "a NUL byte".to_owned(),
            Some(c) => format!("the character U+{:04X}", u32::from(c)),
            None => "this character".to_owned(),
        };
        self.problem(
            Code::ControlCharacter,
            span,
            format!("{name} does not belong in a rule sheet"),
            "remove it, and save the file as plain UTF-8 text",
        );
    }

    /// Warns of `distinct` as a fact, which says nothing where it is true; false where it is not.
    pub(crate) fn distinct_fact(&mut self, span: Span, terms: &[Term]) -> bool {
        let [left, right] = terms else { return false };
        let is_true = left.is_ground() && right.is_ground() && left != right;
        if is_true {
            self.problem(
                Code::DistinctFact,
                span,
                "`distinct` needs no facts; this one is left out",
                "remove it: different terms are always distinct",
            );
        }
        is_true
    }

    fn warn_of_spelling(&mut self, first: Span, second: Span) {
        let (first_text, second_text) = (self.slice(first), self.slice(second));
        let problem = Diagnostic::new(
            Code::TwoSpellings,
            second,
            format!("`{second_text}` and `{first_text}` are the same symbol"),
            format!("write `{first_text}` everywhere, or choose another name"),
        );
        self.report(problem.with_related(first, "spelled this way first"));
    }

    fn warn_of_unusual_character(&mut self, name: &str, span: Span) {
        let name = name.strip_prefix('?').unwrap_or(name);
        let Some(unusual) = name.chars().find(|&c| !is_usual(c)) else { return };
        let help = match unusual {
            ',' => "arguments are separated by blanks alone: remove the comma",
            _ => "use letters, digits, `_`, `+` and `-`",
        };
        let message =
            format!("other readers may reject the character `{}`", unusual.escape_debug());
        self.problem(Code::UnusualCharacter, span, message, help);
    }
}

/// Whether two texts of one symbol are spelled differently. In the infix form a text may have
/// quotation marks around it, which are not part of the name.
fn differs(first: &str, second: &str) -> bool {
    fn bare(text: &str) -> &str {
        text.trim_matches('\'')
    }
    bare(first) != bare(second)
}

fn is_usual(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_+-<>=*/.".contains(c)
}

/// Puts the conditions of each `and` in its place.
pub(crate) fn flatten(literals: Vec<Literal>) -> Vec<Literal> {
    let mut flat = Vec::with_capacity(literals.len());
    for literal in literals {
        match literal.kind {
            LiteralKind::And(parts) => flat.extend(flatten(parts)),
            _ => flat.push(literal),
        }
    }
    flat
}
