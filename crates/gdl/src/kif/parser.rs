//! Lists within lists to facts and rules.

use super::reader::{Reader, Sexp};
use crate::builder::{Builder, flatten};
use crate::diagnostic::Code;
use crate::tree::{Atom, Item, Literal, LiteralKind, Name, Term, TermKind};
use crate::{Form, Parse, Span, Symbol, Symbols};

/// Reads a rule sheet in prefix form; what cannot be read is reported and left out.
pub(crate) fn parse(text: &str, symbols: Symbols) -> Parse {
    let mut parser = Parser { builder: Builder::new(text, Form::Kif, symbols) };
    let mut reader = Reader::new();
    while let Some(sexp) = reader.next(&mut parser.builder) {
        let item = parser.item(&sexp);
        parser.builder.end_item(item);
    }
    parser.builder.finish()
}

struct Parser<'a> {
    builder: Builder<'a>,
}

// Each function returns `None` after it has reported what is wrong.
impl Parser<'_> {
    fn item(&mut self, sexp: &Sexp) -> Option<Item> {
        match sexp {
            Sexp::List(span, elements) if self.begins_with(elements, Symbol::ARROW) => {
                self.rule(*span, &elements[1..])
            }
            Sexp::List(span, elements) if self.begins_with(elements, Symbol::DISTINCT) => {
                self.distinct_fact(*span, &elements[1..]);
                None
            }
            _ => {
                let head = self.atom(sexp, "a fact")?;
                Some(Item { span: sexp.span(), head, body: Vec::new() })
            }
        }
    }

    fn rule(&mut self, span: Span, parts: &[Sexp]) -> Option<Item> {
        let Some((head, body)) = parts.split_first() else {
            let help = "write the conclusion after the arrow: (<= head condition ...)";
            self.builder.problem(Code::Misplaced, span, "this rule has no head", help);
            return None;
        };
        if body.is_empty() {
            self.builder.problem(
                Code::EmptyBody,
                span,
                "this rule has no condition; it is read as a fact",
                "write the head alone, without `<=`",
            );
        }
        // The body is read even when the head is bad, to report all problems at once.
        let head = self.atom(head, "the head of a rule");
        let body = self.conjunction(body);
        Some(Item { span, head: head?, body: body? })
    }

    /// `(distinct a b)` outside of a rule says something true or something false.
    fn distinct_fact(&mut self, span: Span, args: &[Sexp]) {
        let Some(terms) = self.terms(args) else { return };
        if args.len() != 2 {
            self.logical_arity(span, Symbol::DISTINCT, args.len());
        } else if !self.builder.distinct_fact(span, &terms) {
            let message = "`distinct` is not a fact";
            self.builder.problem(Code::Misplaced, span, message, "move it into a rule");
        }
    }

    /// The conditions `sexps`, in which `and` is resolved.
    fn conjunction(&mut self, sexps: &[Sexp]) -> Option<Vec<Literal>> {
        Some(flatten(self.conditions(sexps)?))
    }

    fn literal(&mut self, sexp: &Sexp) -> Option<Literal> {
        let span = sexp.span();
        let kind = match sexp {
            Sexp::List(_, elements) if self.begins_with(elements, Symbol::NOT) => {
                let [_, inner] = elements.as_slice() else {
                    self.logical_arity(span, Symbol::NOT, elements.len() - 1);
                    return None;
                };
                LiteralKind::Not(Box::new(self.literal(inner)?))
            }
            Sexp::List(_, elements) if self.begins_with(elements, Symbol::OR) => {
                LiteralKind::Or(self.conditions(&elements[1..])?)
            }
            Sexp::List(_, elements) if self.begins_with(elements, Symbol::AND) => {
                self.builder.problem(
                    Code::AndIsNotGdl,
                    elements[0].span(),
                    "GDL has no `and`; its conditions are read one by one",
                    "write the conditions side by side, or give them a rule of their own",
                );
                LiteralKind::And(self.conjunction(&elements[1..])?)
            }
            Sexp::List(_, elements) if self.begins_with(elements, Symbol::DISTINCT) => {
                let [_, left, right] = elements.as_slice() else {
                    self.logical_arity(span, Symbol::DISTINCT, elements.len() - 1);
                    return None;
                };
                let (left, right) = (self.term(left), self.term(right));
                LiteralKind::Distinct(left?, right?)
            }
            _ => LiteralKind::Atom(self.atom(sexp, "a condition")?),
        };
        Some(Literal { span, kind })
    }

    fn conditions(&mut self, sexps: &[Sexp]) -> Option<Vec<Literal>> {
        let literals: Vec<Option<Literal>> = sexps.iter().map(|s| self.literal(s)).collect();
        literals.into_iter().collect()
    }

    /// An atom; `place` says what it is there, for messages.
    fn atom(&mut self, sexp: &Sexp, place: &str) -> Option<Atom> {
        let (span, name, args) = self.name_and_args(sexp)?;
        let Some(name) = self.name(name, place) else {
            // Only to report what is wrong in the arguments.
            self.terms(args);
            return None;
        };
        let args = self.terms(args)?;
        Some(Atom { span, name, args })
    }

    /// The name of a relation, which is neither a variable nor a logical word.
    fn name(&mut self, span: Span, place: &str) -> Option<Name> {
        let text = self.builder.slice(span);
        if text.starts_with('?') {
            self.variable_as_name(span);
            return None;
        }
        let symbol = self.builder.word(span);
        if symbol.is_logical() {
            let (message, help) = match symbol {
                Symbol::ARROW => (
                    "`<=` begins a rule and cannot stand here".to_owned(),
                    "check the parentheses: a rule is (<= head condition ...)",
                ),
                _ if place == "a condition" => (
                    format!("`{text}` stands without parentheses"),
                    "put it into parentheses with what it is about: (not (p ?x))",
                ),
                _ => (format!("`{text}` cannot be {place}"), "put it into the body of a rule"),
            };
            self.builder.problem(Code::Misplaced, span, message, help);
            return None;
        }
        Some(Name { span, symbol })
    }

    fn terms(&mut self, sexps: &[Sexp]) -> Option<Vec<Term>> {
        let terms: Vec<Option<Term>> = sexps.iter().map(|s| self.term(s)).collect();
        terms.into_iter().collect()
    }

    fn term(&mut self, sexp: &Sexp) -> Option<Term> {
        let (span, name, args) = self.name_and_args(sexp)?;
        let is_variable = self.builder.slice(name).starts_with('?');
        if is_variable && matches!(sexp, Sexp::List(..)) {
            self.variable_as_name(name);
            self.terms(args);
            return None;
        }
        if is_variable && name.range().len() == 1 {
            let message = "a variable needs a name after its `?`";
            self.builder.problem(Code::Misplaced, name, message, "write ?x, for instance");
            return None;
        }
        let symbol = self.builder.word(name);
        let kind = if is_variable {
            TermKind::Variable(symbol)
        } else if args.is_empty() {
            TermKind::Constant(symbol)
        } else {
            TermKind::Compound(Name { span: name, symbol }, self.terms(args)?)
        };
        Some(Term { span, kind })
    }

    /// Splits `name` or `(name arg ...)`, with the span of the whole. `(name)` gives a warning.
    fn name_and_args<'s>(&mut self, sexp: &'s Sexp) -> Option<(Span, Span, &'s [Sexp])> {
        let (span, elements) = match sexp {
            Sexp::Word(span) => return self.check_word(*span).map(|()| (*span, *span, &[][..])),
            Sexp::List(span, elements) => (*span, elements),
        };
        match elements.split_first() {
            Some((Sexp::Word(name), args)) => {
                self.check_word(*name)?;
                if args.is_empty() {
                    self.needless_parentheses(span, *name);
                }
                Some((span, *name, args))
            }
            Some((Sexp::List(inner, _), _)) => {
                self.builder.problem(
                    Code::ListAsName,
                    *inner,
                    "a list begins with a name, not with another list",
                    "remove a pair of parentheses, or put a name before the inner list",
                );
                None
            }
            None => {
                let help = "remove it, or write a name into it";
                self.builder.problem(Code::EmptyList, span, "this list is empty", help);
                None
            }
        }
    }

    /// Refuses words that show that the other form is meant.
    fn check_word(&mut self, span: Span) -> Option<()> {
        if !self.builder.slice(span).contains(":-") {
            return Some(());
        }
        let message = "`:-` belongs to the infix form, and this sheet is read in prefix form";
        let help = "write (<= head condition ...), or the whole sheet in infix form";
        self.builder.problem(Code::Misplaced, span, message, help);
        None
    }

    fn begins_with(&self, elements: &[Sexp], word: Symbol) -> bool {
        let Some(Sexp::Word(span)) = elements.first() else { return false };
        self.builder.slice(*span).eq_ignore_ascii_case(self.builder.symbols.name(word))
    }

    fn needless_parentheses(&mut self, span: Span, name: Span) {
        let name = self.builder.slice(name);
        self.builder.problem(
            Code::NeedlessParentheses,
            span,
            format!("`({name})` is read as `{name}`"),
            format!("write {name} without parentheses"),
        );
    }

    fn variable_as_name(&mut self, span: Span) {
        let name = self.builder.slice(span);
        self.builder.problem(
            Code::VariableAsName,
            span,
            format!("the variable {name} cannot stand for a relation or a function"),
            "write a rule for each name that is meant",
        );
    }

    fn logical_arity(&mut self, span: Span, word: Symbol, n_args: usize) {
        let (expected, example) = match word {
            Symbol::NOT => ("one condition", "(not (p ?x))"),
            _ => ("two terms", "(distinct ?x ?y)"),
        };
        let name = self.builder.symbols.name(word);
        let message = format!("`{name}` takes {expected}, not {n_args}");
        self.builder.problem(Code::LogicalArity, span, message, format!("write {example}"));
    }
}
