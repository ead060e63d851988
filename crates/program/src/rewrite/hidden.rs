//! `(not (p ?x ?_y))`, where `?_y` stands below `not` only, says that there is no `y` at all, as in
//! Prolog. The condition gets a relation of its own: `(not (some_p ?x))` with
//! `(<= (some_p ?x) (p ?x ?_y))`.

use base::IdVec;
use gdl::Symbol;
use rustc_hash::FxHashMap;

use super::{Rewriter, rename};
use crate::program::{Atom, Literal, RelationId, Rule, Term, VariableId};

impl Rewriter {
    pub(super) fn name_hidden_conditions(&mut self, rules: &mut Vec<Rule>) {
        let mut known: FxHashMap<Atom, RelationId> = FxHashMap::default();
        let mut added = Vec::new();
        for rule in rules.iter_mut() {
            let is_bound = bound_variables(rule);
            if is_bound.iter().all(|&is_bound| is_bound) {
                continue;
            }
            for literal in &mut rule.body {
                let Literal::Negative(atom) = literal else { continue };
                let shown = shown_variables(atom, &is_bound);
                let Some(shown) = shown else { continue };
                let (pattern, variables) = pattern(atom, &rule.variables);
                let relation = *known.entry(pattern.clone()).or_insert_with(|| {
                    let name = self.symbols.name(self.relations[pattern.relation].name);
                    let name = format!("some_{name}");
                    let relation = self.new_relation(&name, shown.len());
                    let args = shown_args(&pattern, &shown, atom);
                    let head = Atom { relation, args };
                    let body = vec![Literal::Positive(pattern)];
                    added.push(Rule { head, body, variables, span: rule.span });
                    relation
                });
                let args = shown.into_iter().map(Term::Variable).collect();
                *atom = Atom { relation, args };
            }
        }
        rules.append(&mut added);
    }
}

/// Which variables of `rule` stand in a positive condition. In a safe rule the others stand below
/// `not` only.
fn bound_variables(rule: &Rule) -> IdVec<VariableId, bool> {
    let mut is_bound: IdVec<VariableId, bool> = rule.variables.iter().map(|_| false).collect();
    for literal in &rule.body {
        if let Literal::Positive(atom) = literal {
            for_each_variable(atom, &mut |id| is_bound[id] = true);
        }
    }
    is_bound
}

/// The bound variables of `atom`, once each, or `None` when all are bound.
fn shown_variables(atom: &Atom, is_bound: &IdVec<VariableId, bool>) -> Option<Vec<VariableId>> {
    let mut shown = Vec::new();
    let mut has_hidden = false;
    for_each_variable(atom, &mut |id| {
        if !is_bound[id] {
            has_hidden = true;
        } else if !shown.contains(&id) {
            shown.push(id);
        }
    });
    has_hidden.then_some(shown)
}

/// `atom` with its variables numbered anew, so that equal patterns are equal, and their names.
fn pattern(atom: &Atom, names: &IdVec<VariableId, Symbol>) -> (Atom, IdVec<VariableId, Symbol>) {
    let mut pattern = atom.clone();
    let mut numbers: FxHashMap<VariableId, VariableId> = FxHashMap::default();
    let mut variables = IdVec::new();
    for arg in &mut pattern.args {
        rename(arg, &mut |id| *numbers.entry(id).or_insert_with(|| variables.push(names[id])));
    }
    (pattern, variables)
}

/// The variables of `pattern` in the places where `atom` has those of `shown`.
fn shown_args(pattern: &Atom, shown: &[VariableId], atom: &Atom) -> Vec<Term> {
    let mut in_atom = Vec::new();
    for_each_variable(atom, &mut |id| in_atom.push(id));
    let mut in_pattern = Vec::new();
    for_each_variable(pattern, &mut |id| in_pattern.push(id));
    let place = |id| in_atom.iter().position(|other| *other == id);
    let args = shown.iter().filter_map(|&id| place(id)).map(|place| in_pattern[place]);
    args.map(Term::Variable).collect()
}

fn for_each_variable(atom: &Atom, visit: &mut impl FnMut(VariableId)) {
    atom.args.iter().for_each(|arg| arg.for_each_variable(visit));
}
