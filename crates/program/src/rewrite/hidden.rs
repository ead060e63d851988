//! `(not (p ?x ?_y))`, where `?_y` stands below `not` only, says that there is no `y` at all, as in
//! Prolog. The condition gets a relation of its own: `(not (some_p ?x))` with
//! `(<= (some_p ?x) (p ?x ?_y))`.

use base::IdVec;
use gdl::Symbol;
use rustc_hash::FxHashMap;

use super::Rewriter;
use crate::program::{Atom, Literal, RelationId, Rule, Term, VariableId};

/// An atom with its variables numbered as they appear, and those of them that are shown.
type Pattern = (Atom, Vec<VariableId>);

impl Rewriter {
    pub(super) fn name_hidden_conditions(&mut self, rules: &mut Vec<Rule>) {
        let mut known: FxHashMap<Pattern, RelationId> = FxHashMap::default();
        let mut added = Vec::new();
        for rule in rules.iter_mut() {
            let is_bound = bound_variables(rule);
            if is_bound.iter().all(|&is_bound| is_bound) {
                continue;
            }
            for literal in &mut rule.body {
                let Literal::Negative(atom) = literal else { continue };
                let hidden = Hidden::of(atom, &is_bound, &rule.variables);
                let Some(Hidden { pattern, names, shown }) = hidden else { continue };
                let relation = *known.entry(pattern).or_insert_with_key(|(pattern, shown)| {
                    let relation = self.new_relation_like("some", pattern.relation, shown.len());
                    let args = shown.iter().copied().map(Term::Variable).collect();
                    let head = Atom { relation, args };
                    let body = vec![Literal::Positive(pattern.clone())];
                    added.push(Rule { head, body, variables: names, span: rule.span });
                    relation
                });
                *atom = Atom { relation, args: shown.into_iter().map(Term::Variable).collect() };
            }
        }
        rules.append(&mut added);
    }
}

/// A negated atom with variables that stand below `not` only.
struct Hidden {
    pattern: Pattern,
    /// The names of the variables of the pattern.
    names: IdVec<VariableId, Symbol>,
    /// The variables of the rule that are bound, once each, in the order of the atom.
    shown: Vec<VariableId>,
}

impl Hidden {
    /// `None` when all variables of `atom` are bound.
    fn of(
        atom: &Atom,
        is_bound: &IdVec<VariableId, bool>,
        rule_names: &IdVec<VariableId, Symbol>,
    ) -> Option<Hidden> {
        let mut pattern = atom.clone();
        let mut numbers: FxHashMap<VariableId, VariableId> = FxHashMap::default();
        let mut names = IdVec::new();
        let (mut shown, mut shown_in_pattern) = (Vec::new(), Vec::new());
        for arg in &mut pattern.args {
            arg.rename(&mut |id| {
                *numbers.entry(id).or_insert_with(|| {
                    let number = names.push(rule_names[id]);
                    if is_bound[id] {
                        shown.push(id);
                        shown_in_pattern.push(number);
                    }
                    number
                })
            });
        }
        let has_hidden = shown.len() < names.len();
        has_hidden.then_some(Hidden { pattern: (pattern, shown_in_pattern), names, shown })
    }
}

/// Which variables of `rule` stand in a positive condition. In a safe rule the others stand below
/// `not` only.
fn bound_variables(rule: &Rule) -> IdVec<VariableId, bool> {
    let mut is_bound: IdVec<VariableId, bool> = rule.variables.iter().map(|_| false).collect();
    for literal in &rule.body {
        if let Literal::Positive(atom) = literal {
            for arg in &atom.args {
                arg.for_each_variable(&mut |id| is_bound[id] = true);
            }
        }
    }
    is_bound
}
