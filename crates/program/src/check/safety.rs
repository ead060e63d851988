//! Every variable takes its values from a positive condition.
//!
//! A variable of the head, of a `not` or of a `distinct` must stand in a condition that holds;
//! of an `or`, in each of its branches. A variable whose name begins with `_`, and which stands
//! below `not` only, is read as in Prolog: there is no value for it.

use gdl::tree::{Item, Literal, LiteralKind};
use gdl::{Code, Diagnostic, Span, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Checker;

impl Checker<'_> {
    pub(super) fn check_safety(&mut self) {
        for item in self.items() {
            // Facts with variables are looked at with the keywords.
            if !item.body.is_empty() {
                self.check_rule_safety(item);
            }
        }
    }

    fn check_rule_safety(&mut self, item: &Item) {
        let mut variables = Variables::of_all(&item.body);
        item.head.for_each_variable(&mut |term, symbol| variables.need(symbol, term.span));
        let mut unsafe_variables = variables.unbound();
        unsafe_variables.sort_unstable_by_key(|(_, span)| *span);
        if unsafe_variables.is_empty() {
            return;
        }
        let places = Places::of(item);
        for (symbol, span) in unsafe_variables {
            let is_anonymous = self.parse.ast.symbols.name(symbol).starts_with("?_");
            if is_anonymous && !places.not_hidden.contains(&symbol) {
                self.anonymous_in_not(symbol, span);
            } else if matches!(item.head.name.symbol, Symbol::BASE | Symbol::INPUT) {
                let reason = format!("has a variable without values, {},", self.variable(symbol));
                self.ignored_declaration(&item.head, &reason);
                return;
            } else {
                self.unsafe_variable(item, symbol, span, places.positive.contains(&symbol));
            }
        }
    }

    fn unsafe_variable(&mut self, item: &Item, symbol: Symbol, span: Span, is_in_branch: bool) {
        let name = self.variable(symbol);
        let message = match is_in_branch {
            true => format!("{name} has no value when another branch of the `or` holds"),
            false => format!("{name} stands in no positive condition of this rule"),
        };
        let is_role = item.head.args.first().is_some_and(|arg| arg.span == span)
            && matches!(item.head.name.symbol, Symbol::LEGAL | Symbol::GOAL | Symbol::SEES);
        let help = match is_role {
            true => format!("add the condition {}", self.example("role", &[&name])),
            false => format!("add a positive condition with {name} that lists its values"),
        };
        let problem = Diagnostic::new(Code::UnsafeVariable, span, message, help);
        self.report(problem.with_related(item.head.span, "in the rule for this"));
    }

    fn anonymous_in_not(&mut self, symbol: Symbol, span: Span) {
        let name = self.variable(symbol);
        let message = format!("{name} stands below `not` only: the rule asks that no value fits");
        let help = "give the condition a rule of its own, and negate that";
        self.problem(Code::AnonymousInNot, span, message, help);
    }
}

/// Where the variables of a rule stand.
#[derive(Default)]
struct Places {
    /// Those in some positive atom, perhaps of one branch only.
    positive: FxHashSet<Symbol>,
    /// Those that stand elsewhere than in one atom of each `not`: "there is no value" would then
    /// mean different things before and after the `not` is moved inwards.
    not_hidden: FxHashSet<Symbol>,
}

impl Places {
    fn of(item: &Item) -> Places {
        let mut places = Places::default();
        item.head.for_each_variable(&mut |_, symbol| _ = places.not_hidden.insert(symbol));
        for literal in &item.body {
            places.add(literal);
        }
        places
    }

    fn add(&mut self, literal: &Literal) {
        match &literal.kind {
            LiteralKind::Or(parts) | LiteralKind::And(parts) => {
                parts.iter().for_each(|part| self.add(part));
            }
            LiteralKind::Atom(atom) => atom.for_each_variable(&mut |_, symbol| {
                self.positive.insert(symbol);
                self.not_hidden.insert(symbol);
            }),
            LiteralKind::Distinct(..) => {
                literal.for_each_variable(&mut |_, symbol| _ = self.not_hidden.insert(symbol));
            }
            LiteralKind::Not(inner) => self.add_negated(inner, false, &mut FxHashMap::default()),
        }
    }

    /// Walks through a `not`; `atoms` has the atom in which each variable was met.
    fn add_negated<'a>(
        &mut self,
        literal: &'a Literal,
        is_positive: bool,
        atoms: &mut FxHashMap<Symbol, &'a Literal>,
    ) {
        match &literal.kind {
            LiteralKind::Not(inner) => self.add_negated(inner, !is_positive, atoms),
            LiteralKind::Or(parts) | LiteralKind::And(parts) => {
                parts.iter().for_each(|part| self.add_negated(part, is_positive, atoms));
            }
            LiteralKind::Atom(_) if !is_positive => {
                literal.for_each_variable(&mut |_, symbol| {
                    if !std::ptr::eq(*atoms.entry(symbol).or_insert(literal), literal) {
                        self.not_hidden.insert(symbol);
                    }
                });
            }
            LiteralKind::Atom(_) | LiteralKind::Distinct(..) => {
                literal.for_each_variable(&mut |_, symbol| _ = self.not_hidden.insert(symbol));
            }
        }
    }
}

/// The variables that a condition binds, and those that it needs bound.
#[derive(Default)]
struct Variables {
    bound: FxHashSet<Symbol>,
    /// With the first place where each is needed.
    needed: FxHashMap<Symbol, Span>,
}

impl Variables {
    /// Of conditions that all hold.
    fn of_all(literals: &[Literal]) -> Variables {
        let mut variables = Variables::default();
        for literal in literals {
            variables.add(literal);
        }
        variables.settle();
        variables
    }

    fn add(&mut self, literal: &Literal) {
        match &literal.kind {
            LiteralKind::Atom(atom) => {
                atom.for_each_variable(&mut |_, symbol| _ = self.bound.insert(symbol));
            }
            LiteralKind::Not(_) | LiteralKind::Distinct(..) => {
                literal.for_each_variable(&mut |term, symbol| self.need(symbol, term.span));
            }
            LiteralKind::And(parts) => self.merge(Variables::of_all(parts)),
            LiteralKind::Or(parts) => self.merge(Variables::of_any(parts)),
        }
    }

    /// Of conditions of which one holds: bound is what each of them binds.
    fn of_any(parts: &[Literal]) -> Variables {
        let mut branches = parts.iter().map(|part| Variables::of_all(std::slice::from_ref(part)));
        let Some(mut any) = branches.next() else { return Variables::default() };
        for mut branch in branches {
            if branch.bound.len() < any.bound.len() {
                std::mem::swap(&mut any.bound, &mut branch.bound);
            }
            any.bound.retain(|symbol| branch.bound.contains(symbol));
            any.need_all(branch.needed);
        }
        any
    }

    fn merge(&mut self, other: Variables) {
        let (mut large, mut small) = (std::mem::take(&mut self.bound), other.bound);
        if large.len() < small.len() {
            std::mem::swap(&mut large, &mut small);
        }
        large.extend(small);
        self.bound = large;
        self.need_all(other.needed);
    }

    fn need(&mut self, symbol: Symbol, span: Span) {
        let first = self.needed.entry(symbol).or_insert(span);
        *first = span.min(*first);
    }

    /// Takes the smaller of two maps into the larger, so that deep rules stay cheap.
    fn need_all(&mut self, mut other: FxHashMap<Symbol, Span>) {
        if self.needed.len() < other.len() {
            std::mem::swap(&mut self.needed, &mut other);
        }
        for (symbol, span) in other {
            self.need(symbol, span);
        }
    }

    /// Forgets needs that are met.
    fn settle(&mut self) {
        if self.bound.len() < self.needed.len() {
            for symbol in &self.bound {
                self.needed.remove(symbol);
            }
        } else {
            self.needed.retain(|symbol, _| !self.bound.contains(symbol));
        }
    }

    fn unbound(mut self) -> Vec<(Symbol, Span)> {
        self.settle();
        self.needed.into_iter().collect()
    }
}
