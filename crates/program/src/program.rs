//! The checked program.

use base::{IdVec, RoleId, define_id};
use gdl::{Span, Symbol, Symbols};

use crate::graph::Component;

define_id! {
    /// A relation: a name with a number of arguments.
    pub struct RelationId;
}

define_id! {
    /// A variable of a rule, in the order of its appearance there.
    pub struct VariableId;
}

/// The keywords have the same id in every program.
impl RelationId {
    /// `role`
    pub const ROLE: RelationId = RelationId(0);
    /// `init`
    pub const INIT: RelationId = RelationId(1);
    /// `base`
    pub const BASE: RelationId = RelationId(2);
    /// `input`
    pub const INPUT: RelationId = RelationId(3);
    /// `true`
    pub const TRUE: RelationId = RelationId(4);
    /// `does`
    pub const DOES: RelationId = RelationId(5);
    /// `next`
    pub const NEXT: RelationId = RelationId(6);
    /// `legal`
    pub const LEGAL: RelationId = RelationId(7);
    /// `goal`
    pub const GOAL: RelationId = RelationId(8);
    /// `terminal`
    pub const TERMINAL: RelationId = RelationId(9);
    /// `sees`
    pub const SEES: RelationId = RelationId(10);

    /// The symbols of the keywords, in the order of their ids.
    pub(crate) const KEYWORDS: [Symbol; 11] = [
        Symbol::ROLE,
        Symbol::INIT,
        Symbol::BASE,
        Symbol::INPUT,
        Symbol::TRUE,
        Symbol::DOES,
        Symbol::NEXT,
        Symbol::LEGAL,
        Symbol::GOAL,
        Symbol::TERMINAL,
        Symbol::SEES,
    ];

    /// Whether the relation is a keyword.
    pub fn is_keyword(self) -> bool {
        (self.0 as usize) < Self::KEYWORDS.len()
    }
}

/// A game that passed every static check.
///
/// Rules are safe and stratified, recursion is restricted, keywords have their arities and stand
/// where they may: `role`, `true` and `does` are never concluded but for the `role` facts, and
/// `init`, `base`, `input`, `next` and `sees` are never conditions.
#[derive(Clone, Debug)]
pub struct Program {
    pub(crate) symbols: Symbols,
    pub(crate) roles: IdVec<RoleId, Symbol>,
    pub(crate) relations: IdVec<RelationId, Relation>,
    pub(crate) rules: Vec<Rule>,
    pub(crate) components: Vec<Component>,
}

/// What a program knows of a relation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relation {
    /// Its name.
    pub name: Symbol,
    /// Its number of arguments.
    pub arity: usize,
    /// On what its atoms depend.
    pub dependence: Dependence,
    /// Negated conditions are on relations of smaller strata.
    pub stratum: usize,
}

/// On what the truth of a relation's atoms depends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Dependence {
    /// On nothing: it is the same in the whole game.
    Nothing,
    /// On the state, through `true`.
    State,
    /// On the moves, through `does`, and perhaps on the state.
    Moves,
}

/// `head` holds when all of `body` does. A fact has an empty body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    /// What follows.
    pub head: Atom,
    /// From what it follows.
    pub body: Vec<Literal>,
    /// The names of the variables, for printing.
    pub variables: IdVec<VariableId, Symbol>,
    /// Where it stands in the sheet; several rules come from one place where that had an `or`.
    pub span: Span,
}

/// A condition.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Literal {
    /// The atom holds.
    Positive(Atom),
    /// The atom does not hold.
    Negative(Atom),
    /// The terms differ.
    Distinct(Term, Term),
}

/// A relation and its arguments.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Atom {
    /// The relation.
    pub relation: RelationId,
    /// As many arguments as the relation has.
    pub args: Vec<Term>,
}

/// An argument.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Term {
    /// A variable of the rule.
    Variable(VariableId),
    /// An object.
    Constant(Symbol),
    /// A function of one argument or more.
    Compound(Symbol, Vec<Term>),
}

impl Literal {
    /// The atom, `None` for `distinct`.
    pub fn atom(&self) -> Option<&Atom> {
        match self {
            Literal::Positive(atom) | Literal::Negative(atom) => Some(atom),
            Literal::Distinct(..) => None,
        }
    }

    pub(crate) fn atom_mut(&mut self) -> Option<&mut Atom> {
        match self {
            Literal::Positive(atom) | Literal::Negative(atom) => Some(atom),
            Literal::Distinct(..) => None,
        }
    }

    /// The relation of the atom, `None` for `distinct`.
    pub fn relation(&self) -> Option<RelationId> {
        self.atom().map(|atom| atom.relation)
    }
}

impl Rule {
    /// Calls `visit` for each argument of the head and of the conditions.
    pub fn for_each_term_mut(&mut self, visit: &mut impl FnMut(&mut Term)) {
        self.head.args.iter_mut().for_each(&mut *visit);
        for literal in &mut self.body {
            match literal {
                Literal::Positive(atom) | Literal::Negative(atom) => {
                    atom.args.iter_mut().for_each(&mut *visit);
                }
                Literal::Distinct(left, right) => {
                    visit(left);
                    visit(right);
                }
            }
        }
    }

    /// Numbers the variables anew, in the order of their appearance, so that none is unused. Returns
    /// what they were before, in that order.
    pub fn compact_variables(&mut self) -> Vec<VariableId> {
        let old = std::mem::take(&mut self.variables);
        let mut numbers: IdVec<VariableId, Option<VariableId>> = old.iter().map(|_| None).collect();
        let mut names = IdVec::new();
        let mut order = Vec::new();
        self.for_each_term_mut(&mut |term| {
            term.rename(&mut |id| {
                *numbers[id].get_or_insert_with(|| {
                    order.push(id);
                    names.push(old[id])
                })
            });
        });
        self.variables = names;
        order
    }
}

impl Term {
    /// Replaces every variable.
    pub fn rename(&mut self, to: &mut impl FnMut(VariableId) -> VariableId) {
        match self {
            Term::Variable(id) => *id = to(*id),
            Term::Constant(_) => {}
            Term::Compound(_, args) => args.iter_mut().for_each(|arg| arg.rename(to)),
        }
    }

    /// Calls `visit` for every variable of the term.
    pub fn for_each_variable(&self, visit: &mut impl FnMut(VariableId)) {
        match self {
            Term::Variable(id) => visit(*id),
            Term::Constant(_) => {}
            Term::Compound(_, args) => args.iter().for_each(|arg| arg.for_each_variable(visit)),
        }
    }
}

impl Program {
    /// The names of the program.
    pub fn symbols(&self) -> &Symbols {
        &self.symbols
    }

    /// The roles, in the order of their facts.
    pub fn roles(&self) -> &IdVec<RoleId, Symbol> {
        &self.roles
    }

    /// The role of chance, if the game has it.
    pub fn random(&self) -> Option<RoleId> {
        self.roles.iter_with_ids().find(|(_, name)| **name == Symbol::RANDOM).map(|(id, _)| id)
    }

    /// Whether the game tells its players what they see: GDL-II.
    pub fn has_percepts(&self) -> bool {
        self.rules.iter().any(|rule| rule.head.relation == RelationId::SEES)
    }

    /// All relations; the keywords come first.
    pub fn relations(&self) -> &IdVec<RelationId, Relation> {
        &self.relations
    }

    /// One relation.
    pub fn relation(&self, id: RelationId) -> &Relation {
        &self.relations[id]
    }

    /// The rules and facts, in the order of the sheet.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// The relations in an order in which they can be evaluated: each component depends only on
    /// itself and on those before it.
    pub fn components(&self) -> &[Component] {
        &self.components
    }
}
