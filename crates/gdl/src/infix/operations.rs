//! Rules as operations, from Stanford's newer notes on general game playing:
//!
//! ```text
//! drop(X) :: control(P) & empty(X) ==> cell(X, 1, P) & ~empty(X)
//! ```
//!
//! A sheet with operations names its fluents without `true`, its moves without a role, and leaves
//! unsaid that a fluent stays as it is. All of this is said here, so that the tree is plain GDL.
//! The role in control moves, the others have a `noop`.

use crate::Span;
use crate::builder::Builder;
use crate::diagnostic::Code;
use crate::symbol::{Symbol, Symbols};
use crate::tree::{Atom, Item, Literal, LiteralKind, Name, Term, TermKind};

/// `action :: conditions ==> effects`; an effect is made true or false.
pub(super) struct Operation {
    pub(super) span: Span,
    pub(super) action: Atom,
    pub(super) conditions: Vec<Literal>,
    pub(super) effects: Vec<(Atom, bool)>,
}

/// Rewrites the items of `builder` when there are operations, and adds theirs.
pub(super) fn resolve(builder: &mut Builder<'_>, operations: Vec<Operation>) {
    let (Some(first), Some(last)) = (operations.first(), operations.last()) else { return };
    let span = last.span;
    builder.problem(
        Code::Operations,
        first.span,
        "operations are not GDL; they are read as rules for `next`",
        "see the rules that `woodstock fmt` prints, and write them so",
    );
    let names = Names::new(&mut builder.symbols);
    let fluents = fluents(&builder.items, &operations);
    let rewriter = Rewriter { names, fluents, span };
    let mut items: Vec<Item> = Vec::new();
    for item in std::mem::take(&mut builder.items) {
        items.push(rewriter.item(item));
    }
    items.extend(operations.into_iter().flat_map(|operation| rewriter.operation(operation)));
    items.extend(rewriter.closing_items(&items));
    items.sort_by_key(|item| item.span);
    builder.items = items;
}

/// Words that the added rules need.
struct Names {
    action: Symbol,
    control: Symbol,
    noop: Symbol,
    deleted: Symbol,
    role_variable: Symbol,
    fluent_variable: Symbol,
}

impl Names {
    fn new(symbols: &mut Symbols) -> Names {
        Names {
            action: symbols.intern("action"),
            control: symbols.intern("control"),
            noop: symbols.intern("noop"),
            deleted: symbols.fresh("deleted"),
            role_variable: symbols.fresh("?_role"),
            fluent_variable: symbols.fresh("?_fluent"),
        }
    }
}

/// Name and number of arguments of everything that is declared, initial, or an effect.
fn fluents(items: &[Item], operations: &[Operation]) -> Vec<(Symbol, usize)> {
    let declared = items
        .iter()
        .filter(|item| matches!(item.head.name.symbol, Symbol::BASE | Symbol::INIT))
        .filter_map(|item| item.head.args.first())
        .filter_map(|term| term.symbol().map(|symbol| (symbol, term.args().len())));
    let effects = operations.iter().flat_map(|operation| &operation.effects);
    let effects = effects.map(|(atom, _)| (atom.name.symbol, atom.args.len()));
    let mut fluents: Vec<_> = declared.chain(effects).collect();
    fluents.sort_unstable();
    fluents.dedup();
    fluents
}

struct Rewriter {
    names: Names,
    fluents: Vec<(Symbol, usize)>,
    /// Where added rules are said to stand.
    span: Span,
}

impl Rewriter {
    fn item(&self, item: Item) -> Item {
        let Item { span, head, body } = item;
        let mut body: Vec<Literal> =
            body.into_iter().map(|literal| self.literal(literal)).collect();
        let relation = (head.name.symbol, head.args.len());
        if relation == (Symbol::LEGAL, 1) {
            body.insert(0, self.role_condition(span, true));
            return Item { span, head: self.with_role(head, Symbol::LEGAL), body };
        }
        if relation == (self.names.action, 1) {
            body.insert(0, self.is_role(span));
            return Item { span, head: self.with_role(head, Symbol::INPUT), body };
        }
        Item { span, head, body }
    }

    fn operation(&self, operation: Operation) -> Vec<Item> {
        let Operation { span, action, conditions, effects } = operation;
        let role = self.variable(span, self.names.role_variable);
        let does = atom(span, Symbol::DOES, vec![role, term_of(action)]);
        let mut body = vec![holds(does)];
        body.extend(conditions.into_iter().map(|literal| self.literal(literal)));
        let rule = |(effect, is_made_true): (Atom, bool)| {
            let relation = if is_made_true { Symbol::NEXT } else { self.names.deleted };
            let head = atom(span, relation, vec![term_of(effect)]);
            Item { span, head, body: body.clone() }
        };
        effects.into_iter().map(rule).collect()
    }

    /// Inertia, and the moves of those who are not in control.
    fn closing_items(&self, items: &[Item]) -> Vec<Item> {
        let span = self.span;
        let fluent = || self.variable(span, self.names.fluent_variable);
        let mut inertia = vec![holds(atom(span, Symbol::TRUE, vec![fluent()]))];
        let has_deletions = items.iter().any(|item| item.head.name.symbol == self.names.deleted);
        if has_deletions {
            inertia.push(fails(atom(span, self.names.deleted, vec![fluent()])));
        }
        let mut added =
            vec![Item { span, head: atom(span, Symbol::NEXT, vec![fluent()]), body: inertia }];
        let noop = |relation| {
            let role = self.variable(span, self.names.role_variable);
            let noop = Term { span, kind: TermKind::Constant(self.names.noop) };
            atom(span, relation, vec![role, noop])
        };
        if self.has_control() {
            let body = vec![self.is_role(span), self.role_condition(span, false)];
            added.push(Item { span, head: noop(Symbol::LEGAL), body });
        }
        if items.iter().any(|item| item.head.name.symbol == Symbol::INPUT) {
            let body = vec![self.is_role(span)];
            added.push(Item { span, head: noop(Symbol::INPUT), body });
        }
        added
    }

    fn literal(&self, literal: Literal) -> Literal {
        let span = literal.span;
        let all = |parts: Vec<Literal>| parts.into_iter().map(|part| self.literal(part)).collect();
        let kind = match literal.kind {
            LiteralKind::Atom(atom) => LiteralKind::Atom(self.condition(atom)),
            LiteralKind::Not(inner) => LiteralKind::Not(Box::new(self.literal(*inner))),
            LiteralKind::Or(parts) => LiteralKind::Or(all(parts)),
            LiteralKind::And(parts) => LiteralKind::And(all(parts)),
            LiteralKind::Distinct(left, right) => LiteralKind::Distinct(left, right),
        };
        Literal { span, kind }
    }

    /// `true(f)` for a fluent `f`.
    fn condition(&self, condition: Atom) -> Atom {
        let signature = (condition.name.symbol, condition.args.len());
        if self.fluents.binary_search(&signature).is_err() {
            return condition;
        }
        atom(condition.span, Symbol::TRUE, vec![term_of(condition)])
    }

    fn with_role(&self, head: Atom, relation: Symbol) -> Atom {
        let mut args = vec![self.variable(head.span, self.names.role_variable)];
        args.extend(head.args);
        atom(head.span, relation, args)
    }

    fn has_control(&self) -> bool {
        self.fluents.binary_search(&(self.names.control, 1)).is_ok()
    }

    /// That the role is in control (or not); without such a fluent, that it is a role.
    fn role_condition(&self, span: Span, is_in_control: bool) -> Literal {
        if !self.has_control() {
            return self.is_role(span);
        }
        let role = self.variable(span, self.names.role_variable);
        let control = term_of(atom(span, self.names.control, vec![role]));
        let control = atom(span, Symbol::TRUE, vec![control]);
        if is_in_control { holds(control) } else { fails(control) }
    }

    fn is_role(&self, span: Span) -> Literal {
        holds(atom(span, Symbol::ROLE, vec![self.variable(span, self.names.role_variable)]))
    }

    fn variable(&self, span: Span, symbol: Symbol) -> Term {
        Term { span, kind: TermKind::Variable(symbol) }
    }
}

fn atom(span: Span, symbol: Symbol, args: Vec<Term>) -> Atom {
    Atom { span, name: Name { span, symbol }, args }
}

fn term_of(atom: Atom) -> Term {
    let Atom { span, name, args } = atom;
    let kind = match args.is_empty() {
        true => TermKind::Constant(name.symbol),
        false => TermKind::Compound(name, args),
    };
    Term { span, kind }
}

fn holds(atom: Atom) -> Literal {
    Literal { span: atom.span, kind: LiteralKind::Atom(atom) }
}

fn fails(atom: Atom) -> Literal {
    let span = atom.span;
    Literal { span, kind: LiteralKind::Not(Box::new(holds(atom))) }
}
