//! The relations, functions, fluents and moves of a rule sheet, and where they occur.

use base::IdVec;
use gdl::tree::{Ast, Atom, Literal, LiteralKind, Name, Term, TermKind};
use gdl::{Span, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::program::RelationId;

/// A name with a number of arguments.
pub(crate) type Signature = (Symbol, usize);

/// Where something occurs in a sheet.
#[derive(Clone, Debug, Default)]
pub(crate) struct Occurrences {
    /// Heads of rules, and facts.
    pub(crate) heads: Vec<Span>,
    /// Conditions.
    pub(crate) conditions: Vec<Span>,
}

/// A relation of a sheet.
#[derive(Clone, Debug)]
pub(crate) struct RelationUse {
    pub(crate) name: Symbol,
    pub(crate) arity: usize,
    pub(crate) occurrences: Occurrences,
}

/// Everything that a sheet names.
#[derive(Debug, Default)]
pub(crate) struct Vocabulary {
    pub(crate) relations: IdVec<RelationId, RelationUse>,
    by_signature: FxHashMap<Signature, RelationId>,
    produced: FxHashSet<Symbol>,
    /// Functions in the order of their first occurrence, with its place.
    pub(crate) functions: Vec<(Signature, Span)>,
    known_functions: FxHashSet<Signature>,
    /// Constants that are words of the language, with the first place.
    pub(crate) reserved_constants: Vec<(Symbol, Span)>,
    /// Arguments of `init`, `next` (heads) and `true` (conditions).
    pub(crate) fluents: Patterns,
    /// Second arguments of `legal` (heads) and `does` (conditions).
    pub(crate) moves: Patterns,
}

/// Terms by their signatures.
#[derive(Debug, Default)]
pub(crate) struct Patterns {
    occurrences: FxHashMap<Signature, Occurrences>,
    /// Signatures in the order of their first occurrence.
    pub(crate) signatures: Vec<Signature>,
    produced: FxHashSet<Symbol>,
    /// Whether some head has a variable, so that anything may be produced.
    pub(crate) has_open_head: bool,
}

impl Vocabulary {
    pub(crate) fn new(ast: &Ast) -> Vocabulary {
        let mut vocabulary = Vocabulary::default();
        for keyword in RelationId::KEYWORDS {
            let arity = keyword.keyword_arity().expect("keywords of programs have an arity");
            vocabulary.relation((keyword, arity));
        }
        for item in &ast.items {
            vocabulary.atom(&item.head, true);
            for literal in &item.body {
                vocabulary.literal(literal);
            }
        }
        vocabulary
    }

    /// The relation of an atom of the sheet.
    pub(crate) fn relation_of(&self, atom: &Atom) -> RelationId {
        self.by_signature[&signature(atom)]
    }

    /// Whether a rule or fact is for a relation called `name`, with any number of arguments.
    pub(crate) fn is_produced(&self, name: Symbol) -> bool {
        self.produced.contains(&name)
    }

    fn relation(&mut self, signature: Signature) -> RelationId {
        *self.by_signature.entry(signature).or_insert_with(|| {
            let (name, arity) = signature;
            self.relations.push(RelationUse { name, arity, occurrences: Occurrences::default() })
        })
    }

    fn literal(&mut self, literal: &Literal) {
        match &literal.kind {
            LiteralKind::Atom(atom) => self.atom(atom, false),
            LiteralKind::Not(inner) => self.literal(inner),
            LiteralKind::Or(parts) | LiteralKind::And(parts) => {
                for part in parts {
                    self.literal(part);
                }
            }
            LiteralKind::Distinct(left, right) => {
                self.term(left);
                self.term(right);
            }
        }
    }

    fn atom(&mut self, atom: &Atom, is_head: bool) {
        let relation = self.relation(signature(atom));
        self.relations[relation].occurrences.add(atom.span, is_head);
        if is_head {
            self.produced.insert(atom.name.symbol);
        }
        match relation {
            RelationId::INIT | RelationId::NEXT if is_head => self.fluents.add(&atom.args[0], true),
            RelationId::TRUE if !is_head => self.fluents.add(&atom.args[0], false),
            RelationId::LEGAL if is_head => self.moves.add(&atom.args[1], true),
            RelationId::DOES if !is_head => self.moves.add(&atom.args[1], false),
            _ => {}
        }
        for arg in &atom.args {
            self.term(arg);
        }
    }

    fn term(&mut self, term: &Term) {
        match &term.kind {
            TermKind::Variable(_) => {}
            TermKind::Constant(symbol) => self.constant(*symbol, term.span),
            TermKind::Compound(name, args) => {
                self.function(*name, args.len());
                for arg in args {
                    self.term(arg);
                }
            }
        }
    }

    fn constant(&mut self, symbol: Symbol, span: Span) {
        // `random` is a constant: the name of a role.
        let is_reserved = symbol.is_reserved() && symbol != Symbol::RANDOM;
        if is_reserved && !self.reserved_constants.iter().any(|(other, _)| *other == symbol) {
            self.reserved_constants.push((symbol, span));
        }
    }

    fn function(&mut self, name: Name, arity: usize) {
        let signature = (name.symbol, arity);
        if self.known_functions.insert(signature) {
            self.functions.push((signature, name.span));
        }
    }
}

impl Patterns {
    pub(crate) fn contains(&self, signature: Signature) -> bool {
        self.occurrences.contains_key(&signature)
    }

    /// Where `signature`, which is one of [`Patterns::signatures`], occurs.
    pub(crate) fn occurrences_of(&self, signature: Signature) -> &Occurrences {
        &self.occurrences[&signature]
    }

    /// Whether a head has a term called `name`, with any number of arguments.
    pub(crate) fn is_produced(&self, name: Symbol) -> bool {
        self.produced.contains(&name)
    }

    fn add(&mut self, term: &Term, is_head: bool) {
        let Some(symbol) = term.symbol() else {
            self.has_open_head |= is_head;
            return;
        };
        if is_head {
            self.produced.insert(symbol);
        }
        let signature = (symbol, term.args().len());
        let occurrences = self.occurrences.entry(signature).or_insert_with(|| {
            self.signatures.push(signature);
            Occurrences::default()
        });
        occurrences.add(term.span, is_head);
    }
}

impl Occurrences {
    fn add(&mut self, span: Span, is_head: bool) {
        if is_head { self.heads.push(span) } else { self.conditions.push(span) }
    }

    /// The first place, heads before conditions.
    pub(crate) fn first(&self) -> Span {
        let first = self.heads.iter().chain(&self.conditions).next();
        *first.expect("what is in a vocabulary occurs somewhere")
    }
}

pub(crate) fn signature(atom: &Atom) -> Signature {
    (atom.name.symbol, atom.args.len())
}
