//! Programs as text, in prefix form.

use std::fmt;

use base::IdVec;
use gdl::Symbol;

use crate::program::{Atom, Literal, Program, Rule, Term, VariableId};

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rules().iter().try_for_each(|rule| writeln!(f, "{}", self.display_rule(rule)))
    }
}

impl Program {
    /// The text of a rule of this program.
    pub fn display_rule<'a>(&'a self, rule: &'a Rule) -> impl fmt::Display + 'a {
        fmt::from_fn(move |f| {
            let writer = Writer { program: self, variables: &rule.variables };
            if rule.body.is_empty() {
                return writer.atom(f, &rule.head);
            }
            write!(f, "(<= ")?;
            writer.atom(f, &rule.head)?;
            for literal in &rule.body {
                write!(f, "\n    ")?;
                writer.literal(f, literal)?;
            }
            write!(f, ")")
        })
    }
}

struct Writer<'a> {
    program: &'a Program,
    variables: &'a IdVec<VariableId, Symbol>,
}

impl Writer<'_> {
    fn literal(&self, f: &mut fmt::Formatter<'_>, literal: &Literal) -> fmt::Result {
        match literal {
            Literal::Positive(atom) => self.atom(f, atom),
            Literal::Negative(atom) => {
                write!(f, "(not ")?;
                self.atom(f, atom)?;
                write!(f, ")")
            }
            Literal::Distinct(left, right) => {
                write!(f, "(distinct ")?;
                self.term(f, left)?;
                write!(f, " ")?;
                self.term(f, right)?;
                write!(f, ")")
            }
        }
    }

    fn atom(&self, f: &mut fmt::Formatter<'_>, atom: &Atom) -> fmt::Result {
        self.application(f, self.program.relation(atom.relation).name, &atom.args)
    }

    fn application(&self, f: &mut fmt::Formatter<'_>, name: Symbol, args: &[Term]) -> fmt::Result {
        let name = self.program.symbols().name(name);
        if args.is_empty() {
            return f.write_str(name);
        }
        write!(f, "({name}")?;
        for arg in args {
            write!(f, " ")?;
            self.term(f, arg)?;
        }
        write!(f, ")")
    }

    fn term(&self, f: &mut fmt::Formatter<'_>, term: &Term) -> fmt::Result {
        match term {
            Term::Variable(id) => f.write_str(self.program.symbols().name(self.variables[*id])),
            Term::Constant(symbol) => self.application(f, *symbol, &[]),
            Term::Compound(name, args) => self.application(f, *name, args),
        }
    }
}
