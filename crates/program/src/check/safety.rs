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
        for (symbol, span) in unsafe_variables {
            let name = self.printer().variable(symbol);
            let is_anonymous = self.name(symbol).starts_with("?_");
            if is_anonymous && stands_below_not_only(item, symbol) {
                self.anonymous_in_not(&name, span);
                continue;
            }
            if matches!(item.head.name.symbol, Symbol::BASE | Symbol::INPUT) {
                let reason = format!("has a variable without values, {name},");
                self.ignored_declaration(&item.head, &reason);
                return;
            }
            let problem = Diagnostic::new(
                Code::UnsafeVariable,
                span,
                format!("{name} stands in no positive condition of this rule"),
                format!(
                    "add a condition that lists its values, as {}",
                    self.example("role", &[&name])
                ),
            );
            self.report(problem.with_related(item.head.span, "in the rule for this"));
        }
    }

    fn anonymous_in_not(&mut self, name: &str, span: Span) {
        let message = format!("{name} stands below `not` only: no value of it may fit");
        let help = "give the condition a rule of its own, and negate that";
        self.problem(Code::AnonymousInNot, span, message, help);
    }
}

/// Whether every place of `variable` is in an atom below a `not`.
fn stands_below_not_only(item: &Item, variable: Symbol) -> bool {
    fn is_fine(literal: &Literal, variable: Symbol, is_negative: bool) -> bool {
        let mut occurs = false;
        match &literal.kind {
            LiteralKind::Not(inner) => return is_fine(inner, variable, !is_negative),
            LiteralKind::Or(parts) | LiteralKind::And(parts) => {
                return parts.iter().all(|part| is_fine(part, variable, is_negative));
            }
            LiteralKind::Atom(_) if is_negative => {}
            LiteralKind::Atom(_) | LiteralKind::Distinct(..) => {
                literal.for_each_variable(&mut |_, symbol| occurs |= symbol == variable);
            }
        }
        !occurs
    }
    let mut is_in_head = false;
    item.head.for_each_variable(&mut |_, symbol| is_in_head |= symbol == variable);
    !is_in_head && item.body.iter().all(|literal| is_fine(literal, variable, false))
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
