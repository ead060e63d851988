//! The syntax tree of a rule sheet.
//!
//! Both forms of the language give the same tree. Nodes have spans, for messages; two nodes are
//! equal when they say the same, wherever they stand.

use std::hash::{Hash, Hasher};

use crate::{Form, Span, Symbol, Symbols};

/// A rule sheet as a tree. It says what is written, not that it makes sense.
#[derive(Clone, Debug)]
pub struct Ast {
    /// The names of the symbols in the tree.
    pub symbols: Symbols,
    /// Facts and rules in the order of the text.
    pub items: Vec<Item>,
    /// Comments in the order of the text, for the formatter.
    pub comments: Vec<Span>,
    /// The form in which the sheet was written, in which messages should speak.
    pub form: Form,
}

/// A rule, or a fact: a rule without conditions.
#[derive(Clone, Debug)]
pub struct Item {
    /// The whole rule.
    pub span: Span,
    /// What follows.
    pub head: Atom,
    /// From what it follows; all of these must hold.
    pub body: Vec<Literal>,
}

/// A condition of a rule.
#[derive(Clone, Debug)]
pub struct Literal {
    /// The whole condition.
    pub span: Span,
    /// What must hold.
    pub kind: LiteralKind,
}

/// The kinds of conditions.
#[derive(Clone, PartialEq, Debug)]
pub enum LiteralKind {
    /// The atom holds.
    Atom(Atom),
    /// The condition does not hold.
    Not(Box<Literal>),
    /// One of the conditions holds.
    Or(Vec<Literal>),
    /// All conditions hold. The body of a rule is such a list without this node.
    And(Vec<Literal>),
    /// The two terms differ.
    Distinct(Term, Term),
}

/// A relation and its arguments.
#[derive(Clone, Debug)]
pub struct Atom {
    /// The whole atom.
    pub span: Span,
    /// The relation.
    pub name: Name,
    /// The arguments; empty for a proposition.
    pub args: Vec<Term>,
}

/// A symbol where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Name {
    /// The word.
    pub span: Span,
    /// Its symbol.
    pub symbol: Symbol,
}

/// An argument.
#[derive(Clone, Debug)]
pub struct Term {
    /// The whole term.
    pub span: Span,
    /// What it is.
    pub kind: TermKind,
}

/// The kinds of terms.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TermKind {
    /// A variable; the name of its symbol begins with `?`.
    Variable(Symbol),
    /// An object.
    Constant(Symbol),
    /// A function of one argument or more.
    Compound(Name, Vec<Term>),
}

impl Item {
    /// Calls `visit` for every variable of the rule, in the order of the text.
    pub fn for_each_variable<'a>(&'a self, visit: &mut impl FnMut(&'a Term, Symbol)) {
        self.head.for_each_variable(visit);
        for literal in &self.body {
            literal.for_each_variable(visit);
        }
    }
}

impl Literal {
    /// Calls `visit` for every atom in this condition, in the order of the text, with whether it
    /// stands below an odd number of `not`.
    pub fn for_each_atom<'a>(&'a self, visit: &mut impl FnMut(&'a Atom, bool)) {
        self.walk_atoms(false, visit);
    }

    fn walk_atoms<'a>(&'a self, negated: bool, visit: &mut impl FnMut(&'a Atom, bool)) {
        match &self.kind {
            LiteralKind::Atom(atom) => visit(atom, negated),
            LiteralKind::Not(inner) => inner.walk_atoms(!negated, visit),
            LiteralKind::Or(parts) | LiteralKind::And(parts) => {
                for part in parts {
                    part.walk_atoms(negated, visit);
                }
            }
            LiteralKind::Distinct(..) => {}
        }
    }

    /// Calls `visit` for every variable of the condition, in the order of the text.
    pub fn for_each_variable<'a>(&'a self, visit: &mut impl FnMut(&'a Term, Symbol)) {
        match &self.kind {
            LiteralKind::Atom(atom) => atom.for_each_variable(visit),
            LiteralKind::Not(inner) => inner.for_each_variable(visit),
            LiteralKind::Or(parts) | LiteralKind::And(parts) => {
                for part in parts {
                    part.for_each_variable(visit);
                }
            }
            LiteralKind::Distinct(left, right) => {
                left.for_each_variable(visit);
                right.for_each_variable(visit);
            }
        }
    }
}

impl Atom {
    /// Whether the atom has no variable.
    pub fn is_ground(&self) -> bool {
        self.args.iter().all(Term::is_ground)
    }

    /// Calls `visit` for every variable of the atom, in the order of the text.
    pub fn for_each_variable<'a>(&'a self, visit: &mut impl FnMut(&'a Term, Symbol)) {
        for arg in &self.args {
            arg.for_each_variable(visit);
        }
    }
}

impl Term {
    /// Whether the term has no variable.
    pub fn is_ground(&self) -> bool {
        match &self.kind {
            TermKind::Variable(_) => false,
            TermKind::Constant(_) => true,
            TermKind::Compound(_, args) => args.iter().all(Term::is_ground),
        }
    }

    /// The symbol of a constant or of a function, `None` for a variable.
    pub fn symbol(&self) -> Option<Symbol> {
        match &self.kind {
            TermKind::Variable(_) => None,
            TermKind::Constant(symbol) => Some(*symbol),
            TermKind::Compound(name, _) => Some(name.symbol),
        }
    }

    /// The arguments of a function; none for variables and constants.
    pub fn args(&self) -> &[Term] {
        match &self.kind {
            TermKind::Compound(_, args) => args,
            _ => &[],
        }
    }

    /// Calls `visit` for every variable of the term, in the order of the text.
    pub fn for_each_variable<'a>(&'a self, visit: &mut impl FnMut(&'a Term, Symbol)) {
        match &self.kind {
            TermKind::Variable(symbol) => visit(self, *symbol),
            TermKind::Constant(_) => {}
            TermKind::Compound(_, args) => {
                for arg in args {
                    arg.for_each_variable(visit);
                }
            }
        }
    }
}

// Equality and hashes leave out the spans.

impl PartialEq for Item {
    fn eq(&self, other: &Item) -> bool {
        self.head == other.head && self.body == other.body
    }
}

impl PartialEq for Literal {
    fn eq(&self, other: &Literal) -> bool {
        self.kind == other.kind
    }
}

impl PartialEq for Atom {
    fn eq(&self, other: &Atom) -> bool {
        self.name == other.name && self.args == other.args
    }
}

impl PartialEq for Name {
    fn eq(&self, other: &Name) -> bool {
        self.symbol == other.symbol
    }
}

impl Eq for Name {}

impl Hash for Name {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.symbol.hash(state);
    }
}

impl PartialEq for Term {
    fn eq(&self, other: &Term) -> bool {
        self.kind == other.kind
    }
}

impl Eq for Term {}

impl Hash for Term {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.kind.hash(state);
    }
}
