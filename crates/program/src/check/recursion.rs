//! Recursion cannot build ever larger terms.
//!
//! The restriction is that of Love et al. (2008): let a condition `q(t1 … tn)` be in a
//! cycle with the head. Each `ti` is ground, or an argument of the head, or an argument of a
//! positive condition that is not in a cycle with the head. Ours is a little wider: also what stands
//! within an argument of such a condition is limited, as `?y` by `(true (edge ?x ?y))`. A violation
//! that cannot make terms grow is a warning.

use gdl::tree::{Atom, Item, Literal, LiteralKind, Term, TermKind};
use gdl::{Code, Diagnostic, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Checker;

/// What takes its values from outside of a recursion.
#[derive(Default)]
struct Limited<'a> {
    /// Arguments as a whole.
    args: FxHashSet<&'a Term>,
    /// Variables, also those within arguments.
    variables: FxHashSet<Symbol>,
}

impl<'a> Limited<'a> {
    fn contains(&self, term: &Term) -> bool {
        match term.kind {
            TermKind::Variable(symbol) => self.variables.contains(&symbol),
            _ => self.args.contains(term),
        }
    }

    fn extend(&mut self, other: Limited<'a>) {
        self.args.extend(other.args);
        self.variables.extend(other.variables);
    }

    fn intersection(mut self, other: &Limited<'a>) -> Limited<'a> {
        self.args.retain(|arg| other.args.contains(arg));
        self.variables.retain(|symbol| other.variables.contains(symbol));
        self
    }
}

impl Checker<'_> {
    pub(super) fn check_recursion(&mut self) {
        let mut recursive = Vec::new();
        let mut has_negation = false;
        for item in self.items() {
            let mut is_recursive = false;
            for literal in &item.body {
                literal.for_each_atom(&mut |atom, is_negative| {
                    if self.is_in_cycle(item, atom) {
                        is_recursive = true;
                        has_negation |= is_negative;
                    }
                });
            }
            if is_recursive {
                recursive.push(item);
            }
        }
        let growing = recursive.iter().filter(|item| self.may_grow(item));
        let growing: FxHashSet<usize> = growing.map(|item| self.component(item)).collect();
        for item in recursive {
            let code = match growing.contains(&self.component(item)) {
                true => Code::UnrestrictedRecursion,
                false => Code::LooseRecursion,
            };
            let mut head = Limited::default();
            for arg in &item.head.args {
                match arg.kind {
                    TermKind::Variable(symbol) => _ = head.variables.insert(symbol),
                    _ => _ = head.args.insert(arg),
                }
            }
            let mut scopes = vec![head];
            self.check_restriction(item, &item.body, &mut scopes, code);
        }
        if has_negation {
            self.check_stratification();
        }
    }

    fn component(&self, item: &Item) -> usize {
        self.graph.component(self.vocabulary.relation_of(&item.head))
    }

    /// Whether the condition `atom` depends on the head of its rule.
    fn is_in_cycle(&self, item: &Item, atom: &Atom) -> bool {
        let head = self.vocabulary.relation_of(&item.head);
        // A single relation is in a cycle with itself only, and here it is its own condition.
        self.graph.are_in_one_component(head, self.vocabulary.relation_of(atom))
    }

    /// Checks conditions that all hold; `scopes` has the terms from outside of them, `code` is
    /// what a violation is.
    fn check_restriction<'i>(
        &mut self,
        item: &'i Item,
        literals: &'i [Literal],
        scopes: &mut Vec<Limited<'i>>,
        code: Code,
    ) {
        scopes.push(self.outside_terms(item, literals));
        for literal in literals {
            self.check_literal_restriction(item, literal, scopes, code);
        }
        scopes.pop();
    }

    fn check_literal_restriction<'i>(
        &mut self,
        item: &'i Item,
        literal: &'i Literal,
        scopes: &mut Vec<Limited<'i>>,
        code: Code,
    ) {
        match &literal.kind {
            LiteralKind::Atom(atom) => {
                if self.is_in_cycle(item, atom) {
                    self.check_args(item, atom, scopes, code);
                }
            }
            LiteralKind::Not(inner) => self.check_literal_restriction(item, inner, scopes, code),
            LiteralKind::And(parts) => self.check_restriction(item, parts, scopes, code),
            LiteralKind::Or(parts) => {
                for part in parts {
                    self.check_restriction(item, std::slice::from_ref(part), scopes, code);
                }
            }
            LiteralKind::Distinct(..) => {}
        }
    }

    fn check_args(&mut self, item: &Item, atom: &Atom, scopes: &[Limited<'_>], code: Code) {
        for arg in &atom.args {
            if arg.is_ground() || scopes.iter().any(|scope| scope.contains(arg)) {
                continue;
            }
            let text = self.term(arg);
            let head = self.name(item.head.name.symbol);
            let message = match code {
                Code::LooseRecursion => {
                    format!("nothing limits {text} in the recursion of `{head}`, though it ends")
                }
                _ => format!("the recursion of `{head}` may not end: nothing limits {text}"),
            };
            let help = format!("add a condition with {text} as an argument that is not recursive");
            let problem = Diagnostic::new(code, arg.span, message, help);
            self.report(problem.with_related(item.head.span, "in the rule for this"));
        }
    }

    /// Whether the head of a rule can be deeper than the atoms from which it follows. Where no
    /// rule of a cycle can grow, terms stay below some depth, and there are finitely many.
    fn may_grow(&self, item: &Item) -> bool {
        let mut limited = FxHashSet::default();
        let mut depths: FxHashMap<Symbol, usize> = FxHashMap::default();
        for literal in &item.body {
            let LiteralKind::Atom(atom) = &literal.kind else { continue };
            if self.is_in_cycle(item, atom) {
                for_each_depth(&atom.args, &mut |symbol, depth| {
                    let deepest = depths.entry(symbol).or_insert(depth);
                    *deepest = depth.max(*deepest);
                });
            } else {
                atom.for_each_variable(&mut |_, symbol| _ = limited.insert(symbol));
            }
        }
        let mut may_grow = false;
        for_each_depth(&item.head.args, &mut |symbol, depth| {
            let is_deeper = depths.get(&symbol).is_none_or(|&deepest| depth > deepest);
            may_grow |= is_deeper && !limited.contains(&symbol);
        });
        may_grow
    }

    /// What stands in positive conditions that are not in the cycle; of an `or`, what stands in
    /// each branch.
    fn outside_terms<'i>(&self, item: &Item, literals: &'i [Literal]) -> Limited<'i> {
        let mut limited = Limited::default();
        for literal in literals {
            match &literal.kind {
                LiteralKind::Atom(atom) => {
                    if !self.is_in_cycle(item, atom) {
                        limited.args.extend(&atom.args);
                        atom.for_each_variable(&mut |_, symbol| {
                            _ = limited.variables.insert(symbol);
                        });
                    }
                }
                LiteralKind::And(parts) => limited.extend(self.outside_terms(item, parts)),
                LiteralKind::Or(parts) => {
                    let branch = |part| self.outside_terms(item, std::slice::from_ref(part));
                    let branches = parts.iter().map(branch);
                    let common = branches.reduce(|a, b| a.intersection(&b));
                    limited.extend(common.unwrap_or_default());
                }
                LiteralKind::Not(_) | LiteralKind::Distinct(..) => {}
            }
        }
        limited
    }
}

/// Calls `visit` for every variable in `terms`, with the number of functions around it.
fn for_each_depth(terms: &[Term], visit: &mut impl FnMut(Symbol, usize)) {
    fn walk(term: &Term, depth: usize, visit: &mut impl FnMut(Symbol, usize)) {
        if let TermKind::Variable(symbol) = term.kind {
            visit(symbol, depth);
        }
        for arg in term.args() {
            walk(arg, depth + 1, visit);
        }
    }
    terms.iter().for_each(|term| walk(term, 0, visit));
}
