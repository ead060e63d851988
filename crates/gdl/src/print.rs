//! Trees as text, in canonical form.

use std::fmt::Write;

use crate::infix::{is_plain_constant, is_plain_variable};
use crate::tree::{Ast, Atom, Item, Literal, LiteralKind, Term, TermKind};
use crate::{Form, Span, Symbol, Symbols};

/// The rules of `ast` in canonical form: facts on one line, each condition of a rule on its own.
/// Reading the text again gives the same rules.
///
/// Comments are left out; [`format`](crate::format) keeps them.
pub fn print(ast: &Ast, form: Form) -> String {
    let printer = Printer::new(&ast.symbols, form);
    let mut text = String::new();
    for item in &ast.items {
        let lines = printer.item_lines(item);
        let n_lines = lines.len();
        for (place, line) in lines.into_iter().enumerate() {
            text.push_str(&line.text);
            if place + 1 == n_lines {
                text.push_str(printer.closer(item));
            }
            text.push('\n');
        }
    }
    text
}

/// Prints parts of a tree in one form.
#[derive(Clone, Copy, Debug)]
pub struct Printer<'a> {
    symbols: &'a Symbols,
    form: Form,
}

/// One line of a printed rule, and the part of the tree that is on it.
pub(crate) struct Line {
    pub(crate) text: String,
    pub(crate) span: Span,
}

impl<'a> Printer<'a> {
    /// A printer for trees whose names are in `symbols`.
    pub fn new(symbols: &'a Symbols, form: Form) -> Printer<'a> {
        Printer { symbols, form }
    }

    /// The text of `term`.
    pub fn term(&self, term: &Term) -> String {
        let mut text = String::new();
        self.write_term(&mut text, term);
        text
    }

    /// The text of `atom`.
    pub fn atom(&self, atom: &Atom) -> String {
        let mut text = String::new();
        self.write_application(&mut text, atom.name.symbol, &atom.args);
        text
    }

    /// The text of the variable `symbol`.
    pub fn variable(&self, symbol: Symbol) -> String {
        let mut text = String::new();
        self.write_variable(&mut text, symbol);
        text
    }

    /// The lines of a rule, without what closes it.
    pub(crate) fn item_lines(&self, item: &Item) -> Vec<Line> {
        let mut lines = vec![Line { text: self.atom(&item.head), span: item.head.span }];
        for literal in &item.body {
            let mut text = "    ".to_owned();
            self.write_literal(&mut text, literal);
            lines.push(Line { text, span: literal.span });
        }
        match self.form {
            Form::Kif if item.body.is_empty() => {}
            Form::Kif => lines[0].text.insert_str(0, "(<= "),
            Form::Infix => {
                let n_open = item.body.len();
                for (place, line) in lines[..n_open].iter_mut().enumerate() {
                    line.text.push_str(if place == 0 { " :-" } else { "," });
                }
            }
        }
        lines
    }

    /// What closes a rule.
    pub(crate) fn closer(&self, item: &Item) -> &'static str {
        match self.form {
            Form::Kif if item.body.is_empty() => "",
            Form::Kif => ")",
            Form::Infix => ".",
        }
    }

    fn write_literal(&self, text: &mut String, literal: &Literal) {
        match &literal.kind {
            LiteralKind::Atom(atom) => self.write_application(text, atom.name.symbol, &atom.args),
            LiteralKind::Not(inner) => match self.form {
                Form::Kif => self.write_list(text, "not", std::slice::from_ref(&**inner)),
                Form::Infix => {
                    text.push_str("not ");
                    self.write_literal(text, inner);
                }
            },
            LiteralKind::Or(parts) => self.write_list(text, "or", parts),
            LiteralKind::And(parts) => self.write_list(text, "and", parts),
            LiteralKind::Distinct(left, right) => {
                let (open, between) = self.application_signs("distinct");
                text.push_str(&open);
                self.write_term(text, left);
                text.push_str(between);
                self.write_term(text, right);
                text.push(')');
            }
        }
    }

    fn write_list(&self, text: &mut String, word: &str, parts: &[Literal]) {
        let (open, between) = self.application_signs(word);
        text.push_str(if parts.is_empty() { open.trim_end() } else { &open });
        for (place, part) in parts.iter().enumerate() {
            if place > 0 {
                text.push_str(between);
            }
            self.write_literal(text, part);
        }
        text.push(')');
    }

    /// What stands before and between the arguments of `name`.
    fn application_signs(&self, name: &str) -> (String, &'static str) {
        match self.form {
            Form::Kif => (format!("({name} "), " "),
            Form::Infix => (format!("{name}("), ", "),
        }
    }

    fn write_application(&self, text: &mut String, name: Symbol, args: &[Term]) {
        if args.is_empty() {
            self.write_constant(text, name);
            return;
        }
        match self.form {
            Form::Kif => {
                text.push('(');
                self.write_constant(text, name);
                text.push(' ');
            }
            Form::Infix => {
                self.write_constant(text, name);
                text.push('(');
            }
        }
        let between = if self.form == Form::Kif { " " } else { ", " };
        for (place, arg) in args.iter().enumerate() {
            if place > 0 {
                text.push_str(between);
            }
            self.write_term(text, arg);
        }
        text.push(')');
    }

    fn write_term(&self, text: &mut String, term: &Term) {
        match &term.kind {
            TermKind::Variable(symbol) => self.write_variable(text, *symbol),
            TermKind::Constant(symbol) => self.write_constant(text, *symbol),
            TermKind::Compound(name, args) => self.write_application(text, name.symbol, args),
        }
    }

    fn write_constant(&self, text: &mut String, symbol: Symbol) {
        let name = self.symbols.name(symbol);
        match self.form {
            Form::Infix if !is_plain_constant(name) => write_quoted(text, name),
            _ => text.push_str(name),
        }
    }

    fn write_variable(&self, text: &mut String, symbol: Symbol) {
        let name = self.symbols.name(symbol);
        if self.form == Form::Kif {
            text.push_str(name);
            return;
        }
        let name = name.strip_prefix('?').unwrap_or(name);
        if is_plain_variable(name) {
            text.push(name.as_bytes()[0].to_ascii_uppercase().into());
            text.push_str(&name[1..]);
        } else {
            text.push('?');
            write_quoted(text, name);
        }
    }
}

fn write_quoted(text: &mut String, name: &str) {
    let escaped = name.replace('\\', "\\\\").replace('\'', "\\'");
    write!(text, "'{escaped}'").expect("a string takes all text");
}
