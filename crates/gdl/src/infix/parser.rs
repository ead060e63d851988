//! Words and signs to facts and rules.

use super::lexer::{Kind, Lexer, Token, unquote};
use super::operations::{self, Operation};
use crate::builder::{Builder, MAX_DEPTH, flatten};
use crate::diagnostic::Code;
use crate::kif::is_word;
use crate::tree::{Atom, Item, Literal, LiteralKind, Name, Term, TermKind};
use crate::{Form, Parse, Span, Symbol, Symbols};

/// Reads a rule sheet in infix form; what cannot be read is reported and left out.
pub(crate) fn parse(text: &str, symbols: Symbols) -> Parse {
    let mut parser = Parser {
        builder: Builder::new(text, Form::Infix, symbols),
        lexer: Lexer::new(),
        token: None,
        previous_end: 0,
        depth: 0,
        n_anonymous: largest_numbered_name(text),
        operations: Vec::new(),
    };
    parser.advance();
    while let Some(first) = parser.token {
        let item = parser.item(first);
        parser.builder.end_item(item);
    }
    operations::resolve(&mut parser.builder, parser.operations);
    parser.builder.finish()
}

/// A condition that is an atom of constants is two levels here and one in the prefix form; what
/// that form can write must not be too deep in this one.
const LEAF_LEVELS: usize = 2;

struct Parser<'a> {
    builder: Builder<'a>,
    lexer: Lexer,
    /// The token to look at, `None` at the end.
    token: Option<Token>,
    /// Where the token before it ended.
    previous_end: u32,
    /// How many terms and conditions are open.
    depth: usize,
    /// The number of the last `_`; it begins above the names like `_7` that the text has.
    n_anonymous: usize,
    operations: Vec<Operation>,
}

/// A problem was reported; the rest of the rule is to be skipped.
struct Reported;

type Parsed<T> = Result<T, Reported>;

impl Parser<'_> {
    fn advance(&mut self) {
        if let Some(token) = self.token {
            self.previous_end = token.span.end;
        }
        self.token = self.lexer.next(&mut self.builder);
    }

    fn kind(&self) -> Option<Kind> {
        self.token.map(|token| token.kind)
    }

    fn eat(&mut self, kind: Kind) -> bool {
        let is_there = self.kind() == Some(kind);
        if is_there {
            self.advance();
        }
        is_there
    }

    /// The text from `start` to the last token that was read.
    fn span_from(&self, start: Span) -> Span {
        Span { start: start.start, end: self.previous_end.max(start.start) }
    }

    fn item(&mut self, first: Token) -> Option<Item> {
        self.depth = 0;
        match self.try_item(first) {
            Ok(item) => item,
            Err(Reported) => {
                self.skip_item(first);
                None
            }
        }
    }

    fn try_item(&mut self, first: Token) -> Parsed<Option<Item>> {
        let term = self.term()?;
        let head = self.atom_of(term)?;
        if head.name.symbol == Symbol::DISTINCT && self.builder.distinct_fact(head.span, &head.args)
        {
            self.end_of_item(first, false)?;
            return Ok(None);
        }
        self.check_relation_name(&head)?;
        let mut body = Vec::new();
        if self.eat(Kind::Operation) {
            let operation = self.operation(first.span, head)?;
            self.operations.push(operation);
            self.end_of_item(first, true)?;
            return Ok(None);
        }
        if self.eat(Kind::Arrow) {
            body = self.body()?;
        }
        self.end_of_item(first, !body.is_empty())?;
        Ok(Some(Item { span: self.span_from(first.span), head, body }))
    }

    /// A full stop, or a new line. After conditions an indented line goes on with the rule, so that
    /// a sign is missing there.
    fn end_of_item(&mut self, first: Token, has_conditions: bool) -> Parsed<()> {
        let is_next_item = match has_conditions {
            true => self.is_at_next_item(first),
            false => self.is_at_new_line(),
        };
        if self.eat(Kind::Stop) || is_next_item {
            return Ok(());
        }
        Err(self.unexpected("`,` or a full stop"))
    }

    /// `action :: conditions ==> effects`, after the `::`.
    fn operation(&mut self, start: Span, action: Atom) -> Parsed<Operation> {
        let conditions = if self.kind() == Some(Kind::Effect) { Vec::new() } else { self.body()? };
        if !self.eat(Kind::Effect) {
            return Err(self.unexpected("`==>` and the effects"));
        }
        let mut effects = Vec::new();
        loop {
            let is_positive = !self.eat(Kind::Not);
            effects.push((self.atom()?, is_positive));
            if !self.eat(Kind::And) && !self.eat(Kind::Comma) {
                break;
            }
        }
        Ok(Operation { span: self.span_from(start), action, conditions, effects })
    }

    /// The conditions of a rule.
    fn body(&mut self) -> Parsed<Vec<Literal>> {
        Ok(flatten(vec![self.disjunction()?]))
    }

    fn disjunction(&mut self) -> Parsed<Literal> {
        let first = self.conjunction(Comma::Joins)?;
        if self.kind() != Some(Kind::Or) {
            return Ok(first);
        }
        let start = first.span;
        let mut parts = vec![first];
        while self.eat(Kind::Or) {
            parts.push(self.conjunction(Comma::Joins)?);
        }
        Ok(Literal { span: self.span_from(start), kind: LiteralKind::Or(parts) })
    }

    fn conjunction(&mut self, comma: Comma) -> Parsed<Literal> {
        let first = self.condition()?;
        let mut parts = vec![first];
        while self.eat(Kind::And) || (comma == Comma::Joins && self.eat(Kind::Comma)) {
            parts.push(self.condition()?);
        }
        if parts.len() == 1 {
            return Ok(parts.remove(0));
        }
        let span = self.span_from(parts[0].span);
        Ok(Literal { span, kind: LiteralKind::And(flatten(parts)) })
    }

    fn condition(&mut self) -> Parsed<Literal> {
        let Some(token) = self.token else { return Err(self.unexpected("a condition")) };
        self.enter(token.span)?;
        let literal = match token.kind {
            Kind::Not => {
                self.advance();
                let inner = Box::new(self.condition()?);
                Literal { span: self.span_from(token.span), kind: LiteralKind::Not(inner) }
            }
            Kind::And | Kind::Or => {
                self.advance();
                let parts = self.connective_args()?;
                let kind = match token.kind {
                    Kind::Or => LiteralKind::Or(parts),
                    _ => LiteralKind::And(flatten(parts)),
                };
                Literal { span: self.span_from(token.span), kind }
            }
            Kind::Open => {
                self.advance();
                let inner = self.disjunction()?;
                self.close(token.span)?;
                inner
            }
            _ => self.comparison_or_atom(token)?,
        };
        self.depth -= 1;
        Ok(literal)
    }

    /// `or(a, b)`, after the name.
    fn connective_args(&mut self) -> Parsed<Vec<Literal>> {
        let Some(open) = self.token.filter(|token| token.kind == Kind::Open) else {
            return Err(self.unexpected("`(` and the conditions"));
        };
        self.advance();
        let mut parts = Vec::new();
        if self.kind() != Some(Kind::Close) {
            parts.push(self.conjunction(Comma::Separates)?);
            while self.eat(Kind::Comma) {
                parts.push(self.conjunction(Comma::Separates)?);
            }
        }
        self.close(open.span)?;
        Ok(parts)
    }

    fn comparison_or_atom(&mut self, first: Token) -> Parsed<Literal> {
        let left = self.term()?;
        let comparison = self.kind();
        if !matches!(comparison, Some(Kind::Equal | Kind::Unequal)) {
            return self.literal_of(left);
        }
        self.advance();
        let right = self.term()?;
        let span = self.span_from(first.span);
        let kind = LiteralKind::Distinct(left, right);
        let distinct = Literal { span, kind };
        Ok(match comparison {
            Some(Kind::Equal) => Literal { span, kind: LiteralKind::Not(Box::new(distinct)) },
            _ => distinct,
        })
    }

    fn literal_of(&mut self, term: Term) -> Parsed<Literal> {
        let span = term.span;
        let atom = self.atom_of(term)?;
        if atom.name.symbol != Symbol::DISTINCT {
            self.check_relation_name(&atom)?;
            return Ok(Literal { span, kind: LiteralKind::Atom(atom) });
        }
        let n_args = atom.args.len();
        let Ok([left, right]) = <[Term; 2]>::try_from(atom.args) else {
            let message = format!("`distinct` takes two terms, not {n_args}");
            let help = "write distinct(X, Y)";
            self.builder.problem(Code::LogicalArity, span, message, help);
            return Err(Reported);
        };
        Ok(Literal { span, kind: LiteralKind::Distinct(left, right) })
    }

    /// The head of a rule, a fact, or an effect.
    fn atom(&mut self) -> Parsed<Atom> {
        let term = self.term()?;
        let atom = self.atom_of(term)?;
        self.check_relation_name(&atom)?;
        Ok(atom)
    }

    /// Refuses logical words as names of relations.
    fn check_relation_name(&mut self, atom: &Atom) -> Parsed<()> {
        if !atom.name.symbol.is_logical() {
            return Ok(());
        }
        let name = self.builder.symbols.name(atom.name.symbol);
        let message = format!("`{name}` cannot be the name of a relation");
        let help = "put the word into the body of a rule, without quotation marks";
        self.builder.problem(Code::Misplaced, atom.name.span, message, help);
        Err(Reported)
    }

    fn atom_of(&mut self, term: Term) -> Parsed<Atom> {
        let span = term.span;
        match term.kind {
            TermKind::Constant(symbol) => {
                Ok(Atom { span, name: Name { span, symbol }, args: Vec::new() })
            }
            TermKind::Compound(name, args) => Ok(Atom { span, name, args }),
            TermKind::Variable(_) => {
                self.builder.problem(
                    Code::VariableAsName,
                    span,
                    "a variable cannot stand for a relation",
                    "write a rule for each relation that is meant",
                );
                Err(Reported)
            }
        }
    }

    fn term(&mut self) -> Parsed<Term> {
        let Some(token) = self.token else { return Err(self.unexpected("a term")) };
        self.enter(token.span)?;
        let term = match token.kind {
            Kind::Variable | Kind::MarkedVariable => self.variable(token)?,
            Kind::Word | Kind::Quoted => self.constant_or_compound(token)?,
            Kind::Open => self.tuple(token.span)?,
            _ => return Err(self.unexpected("a name")),
        };
        self.depth -= 1;
        Ok(term)
    }

    fn variable(&mut self, token: Token) -> Parsed<Term> {
        self.advance();
        let text = self.builder.slice(token.span);
        let symbol = if text == "_" {
            self.anonymous_variable()
        } else {
            let name = match token.kind {
                Kind::MarkedVariable => format!("?{}", unquote(&text[1..])),
                _ => format!("?{text}"),
            };
            self.check_name(&name, name != "?", token.span)?;
            self.builder.intern(&name, token.span)
        };
        if self.kind() == Some(Kind::Open) {
            self.builder.problem(
                Code::VariableAsName,
                token.span,
                format!("the variable {text} cannot stand for a relation or a function"),
                "write a rule for each name that is meant, or begin the name with a small letter",
            );
            return Err(Reported);
        }
        Ok(Term { span: token.span, kind: TermKind::Variable(symbol) })
    }

    /// A variable that no other `_` stands for.
    fn anonymous_variable(&mut self) -> Symbol {
        self.n_anonymous += 1;
        self.builder.symbols.intern(&format!("?_{}", self.n_anonymous))
    }

    fn constant_or_compound(&mut self, token: Token) -> Parsed<Term> {
        self.advance();
        let text = self.builder.slice(token.span);
        let symbol = match token.kind {
            Kind::Quoted => {
                let name = unquote(text);
                self.check_name(&name, !name.starts_with('?'), token.span)?;
                self.builder.intern(&name, token.span)
            }
            _ => self.builder.word(token.span),
        };
        let name = Name { span: token.span, symbol };
        let Some(open) = self.token.filter(|token| token.kind == Kind::Open) else {
            return Ok(Term { span: token.span, kind: TermKind::Constant(symbol) });
        };
        self.advance();
        if self.eat(Kind::Close) {
            let span = self.span_from(token.span);
            let message = format!("`{text}()` is read as `{text}`");
            let help = format!("write {text} without parentheses");
            self.builder.problem(Code::NeedlessParentheses, span, message, help);
            return Ok(Term { span, kind: TermKind::Constant(symbol) });
        }
        let args = self.terms_until_close(open.span)?;
        Ok(Term { span: self.span_from(token.span), kind: TermKind::Compound(name, args) })
    }

    /// `(a, b)`, which Prolog programs use; `(a)` is `a`.
    fn tuple(&mut self, open: Span) -> Parsed<Term> {
        self.advance();
        let mut args = self.terms_until_close(open)?;
        let span = self.span_from(open);
        if args.len() == 1 {
            return Ok(Term { span, ..args.remove(0) });
        }
        let message = "GDL has no tuples; this one is read as a function `tuple`";
        let help = "give it a name, as in place(Row, Column)";
        self.builder.problem(Code::Tuple, span, message, help);
        let symbol = self.builder.symbols.intern("tuple");
        Ok(Term { span, kind: TermKind::Compound(Name { span: open, symbol }, args) })
    }

    fn terms_until_close(&mut self, open: Span) -> Parsed<Vec<Term>> {
        let mut terms = vec![self.term()?];
        while self.eat(Kind::Comma) {
            terms.push(self.term()?);
        }
        self.close(open)?;
        Ok(terms)
    }

    fn close(&mut self, open: Span) -> Parsed<()> {
        if self.eat(Kind::Close) {
            return Ok(());
        }
        if matches!(self.kind(), None | Some(Kind::Stop | Kind::Arrow)) {
            let message = "this parenthesis is never closed";
            let help = "add a `)` where the list ends";
            self.builder.problem(Code::Unclosed, open, message, help);
            return Err(Reported);
        }
        Err(self.unexpected("`,` or `)`"))
    }

    /// Refuses names that the prefix form cannot write.
    fn check_name(&mut self, name: &str, is_allowed: bool, span: Span) -> Parsed<()> {
        if is_allowed && is_word(name) {
            return Ok(());
        }
        self.builder.problem(
            Code::Misplaced,
            span,
            "this name cannot be sent to other players",
            "use letters, digits and `_`, and begin with one of these",
        );
        Err(Reported)
    }

    fn enter(&mut self, span: Span) -> Parsed<()> {
        self.depth += 1;
        if self.depth <= MAX_DEPTH + LEAF_LEVELS {
            return Ok(());
        }
        self.builder.too_deep(span);
        Err(Reported)
    }

    /// Reports that something else was expected in the place of the next token.
    fn unexpected(&mut self, expected: &str) -> Reported {
        let end = Span { start: self.previous_end, end: self.previous_end };
        let span = self.token.map_or(end, |token| token.span);
        let found = match self.token {
            Some(token) if token.kind == Kind::Reported => return Reported,
            Some(token) if token.kind == Kind::Other => "this sign means nothing here".to_owned(),
            Some(_) => format!("`{}` cannot stand here", self.builder.slice(span)),
            None => "the text ends too early".to_owned(),
        };
        let help = format!("write {expected} here");
        self.builder.problem(Code::UnexpectedToken, span, found, help);
        Reported
    }

    /// Skips to the next rule: after a full stop, or to a token that begins a line no further to
    /// the right than this rule did.
    fn skip_item(&mut self, first: Token) {
        if self.token.is_some_and(|token| token.span == first.span) {
            self.advance();
        }
        while let Some(token) = self.token {
            if self.is_at_next_item(first) {
                return;
            }
            self.advance();
            if token.kind == Kind::Stop {
                return;
            }
        }
    }

    /// Whether the next token begins a line, no further to the right than the rule that begins with
    /// `first`; or the text ends.
    fn is_at_next_item(&self, first: Token) -> bool {
        let Some(token) = self.token else { return true };
        self.is_at_new_line() && self.column(token.span) <= self.column(first.span)
    }

    /// Whether a line ends between the last token and the next, or the text ends.
    fn is_at_new_line(&self) -> bool {
        let Some(token) = self.token else { return true };
        let between = self.previous_end as usize..token.span.start as usize;
        self.builder.text[between].contains(['\n', '\r'])
    }

    /// How far to the right `span` begins, looking back no more than a screen: rules are indented
    /// by less, and lines can be long.
    fn column(&self, span: Span) -> usize {
        const SCREEN: usize = 200;
        let before = &self.builder.text.as_bytes()[..span.start as usize];
        let is_line_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
        before.iter().rev().take(SCREEN).position(is_line_end).unwrap_or(before.len().min(SCREEN))
    }
}

/// The largest number in names like `_7`. It may find more than names, which does no harm.
fn largest_numbered_name(text: &str) -> usize {
    let number = |piece: &str| {
        let end = piece.find(|c: char| !c.is_ascii_digit()).unwrap_or(piece.len());
        piece[..end].parse::<usize>().ok().filter(|&number| number < usize::MAX / 2)
    };
    text.split('_').skip(1).filter_map(number).max().unwrap_or(0)
}

/// What a comma means between conditions.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Comma {
    Joins,
    Separates,
}
