//! Negated conditions about the one thing that there is.
//!
//! "No opponent threatens the square of the king" speaks of each square that the king may be on:
//! `(true (cell ?x ?y king)) (not (threatened ?x ?y))`. Where there is one king only, "no opponent
//! threatens the king" means the same, and whether it does is looked at once for all squares:
//! `(not king_is_threatened)`, with `(true (cell ?x ?y king)) (threatened ?x ?y)` for that.
//!
//! That there is one only is assumed from the initial state. It is to be proved of the rewritten
//! game: as long as it holds, both games make the same steps.

use program::{Atom, Dependence, Editor, Literal, Program, RelationId, Rule, Term, VariableId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::prepared::Prepared;
use crate::unfold::{has_only_variables, write_out};
use crate::variables::{Variables, sorted, variables_of, variables_of_atom};

/// The program with such conditions on the relations `wide` rewritten, and the relations that are
/// asked instead; `None` if there are no such conditions.
pub(crate) fn about_the_unique(
    program: &Program,
    wide: &FxHashSet<RelationId>,
) -> Option<(Prepared, FxHashSet<RelationId>)> {
    let mut editor = program.edit();
    let rules = std::mem::take(editor.rules());
    let mut rewriting =
        Rewriting { program, editor, instead: FxHashMap::default(), assumed: FxHashMap::default() };
    for mut rule in rules {
        for place in 0..rule.body.len() {
            if matches!(&rule.body[place], Literal::Negative(atom) if wide.contains(&atom.relation))
            {
                rewriting.rewrite(&mut rule, place);
            }
        }
        rewriting.editor.rules().push(rule);
    }
    let Rewriting { mut editor, instead, assumed, .. } = rewriting;
    let instead: FxHashSet<RelationId> = instead.into_values().collect();
    drop_useless_rules(editor.rules(), assumed.values().copied());
    let mut assumed: Vec<RelationId> = assumed.into_values().collect();
    assumed.sort_unstable();
    let filters = assumed.iter().copied().collect();
    let prepared = Prepared { program: editor.finish(), filters, assumed };
    (!instead.is_empty()).then_some((prepared, instead))
}

struct Rewriting<'a> {
    program: &'a Program,
    editor: Editor,
    /// The relations that are asked instead, by their arguments and conditions.
    instead: FxHashMap<(Vec<Term>, Vec<Literal>), RelationId>,
    /// What is assumed, by the same.
    assumed: FxHashMap<(Vec<Term>, Vec<Literal>), RelationId>,
}

/// The conditions that say where the one thing is.
struct Unique {
    /// A fluent, then what is static.
    conditions: Vec<Literal>,
    /// The variables on which it depends which thing it is.
    key: Vec<VariableId>,
}

impl Rewriting<'_> {
    /// Rewrites the negated condition of `rule` at `place` if it is about something unique.
    fn rewrite(&mut self, rule: &mut Rule, place: usize) {
        let Some(unique) = self.unique(rule, place) else { return };
        let Literal::Negative(asked) = rule.body[place].clone() else { return };
        let Literal::Positive(fluent) = &unique.conditions[0] else { return };
        let located = variables_of_atom(fluent);
        let is_open = |variable: &VariableId| !located.contains(variable);
        let mut open: Vec<VariableId> =
            variables_of_atom(&asked).into_iter().filter(is_open).collect();
        open.extend(&unique.key);
        let open: Variables = open.into_iter().collect();
        let args: Vec<Term> =
            sorted(open.into_iter().collect()).into_iter().map(Term::Variable).collect();
        let key = unique.key.iter().copied().map(Term::Variable);
        let assumed: Vec<Term> = key.chain(fluent.args.iter().cloned()).collect();
        self.assume(rule, assumed, unique.conditions.clone());
        let mut body = unique.conditions;
        body.push(Literal::Positive(asked));
        let relation = self.ask_instead(rule, args.clone(), body);
        rule.body[place] = Literal::Negative(Atom { relation, args });
    }

    /// The conditions of `rule` that say where something is that the one at `place` is about, if
    /// there seems to be only one such thing: the one that says most.
    fn unique(&self, rule: &Rule, place: usize) -> Option<Unique> {
        let asked = variables_of(&rule.body[place]);
        let found = rule.body.iter().filter_map(|literal| {
            let Literal::Positive(fluent) = literal else { return None };
            let variables = variables_of_atom(fluent);
            let n_located = variables.intersection(&asked).count();
            if fluent.relation != RelationId::TRUE || n_located == 0 {
                return None;
            }
            let others: Variables = variables.difference(&asked).copied().collect();
            let is_about_others = |literal: &&Literal| {
                let is_static = |atom: &Atom| {
                    self.program.relation(atom.relation).dependence == Dependence::Nothing
                };
                matches!(literal, Literal::Positive(atom) if is_static(atom))
                    && !variables_of(literal).is_disjoint(&others)
            };
            let mut conditions = vec![literal.clone()];
            conditions.extend(rule.body.iter().filter(is_about_others).cloned());
            let all: Variables = conditions.iter().flat_map(variables_of).collect();
            let key: Vec<VariableId> = sorted(all.difference(&variables).copied().collect());
            let unique = Unique { conditions, key };
            self.seems_unique(&unique).then_some((n_located, unique))
        });
        found.max_by_key(|(n_located, _)| *n_located).map(|(_, unique)| unique)
    }

    /// Whether the initial state has one such thing for each key.
    fn seems_unique(&self, unique: &Unique) -> bool {
        let mut found = vec![FxHashMap::default()];
        for condition in &unique.conditions {
            let Some(pattern) = condition.atom() else { return false };
            let relation = match pattern.relation {
                RelationId::TRUE => RelationId::INIT,
                relation => relation,
            };
            let rules = self.program.rules().iter().filter(|rule| rule.head.relation == relation);
            let facts: Vec<&Rule> = rules.collect();
            if facts.iter().any(|rule| !rule.body.is_empty()) {
                return false;
            }
            let extend = |bindings: Bindings| {
                let fitting = facts.iter().filter_map(move |fact| {
                    let mut bindings = bindings.clone();
                    let mut pairs = pattern.args.iter().zip(&fact.head.args);
                    pairs.all(|(arg, term)| fit(arg, term, &mut bindings)).then_some(bindings)
                });
                fitting.collect::<Vec<_>>()
            };
            found = found.into_iter().flat_map(extend).collect();
        }
        let mut keys = FxHashSet::default();
        let key_of = |bindings: &Bindings| -> Vec<Term> {
            unique.key.iter().map(|variable| bindings[variable].clone()).collect()
        };
        !found.is_empty() && found.iter().all(|bindings| keys.insert(key_of(bindings)))
    }

    fn assume(&mut self, rule: &Rule, args: Vec<Term>, body: Vec<Literal>) {
        let definition = definition(rule, args, body);
        let key = (definition.head.args.clone(), definition.body.clone());
        if !self.assumed.contains_key(&key) {
            let relation = self.editor.new_relation("unique", definition.head.args.len());
            self.add_rule(relation, definition);
            self.assumed.insert(key, relation);
        }
    }

    /// The relation of `args` that holds if `body` does, whose last condition is the one that was
    /// asked: its rules are written out there.
    fn ask_instead(&mut self, rule: &Rule, args: Vec<Term>, body: Vec<Literal>) -> RelationId {
        let definition = definition(rule, args, body);
        let key = (definition.head.args.clone(), definition.body.clone());
        if let Some(&relation) = self.instead.get(&key) {
            return relation;
        }
        let place = definition.body.len() - 1;
        let asked = definition.body[place].relation().expect("an atom was asked");
        let name = self.program.symbols().name(self.program.relation(asked).name).to_owned();
        let relation = self.editor.new_relation(&name, definition.head.args.len());
        let rules = self.program.rules().iter().filter(|rule| rule.head.relation == asked);
        let rules: Vec<&Rule> = rules.collect();
        if rules.iter().all(|rule| has_only_variables(&rule.head)) {
            for rule in rules {
                let mut written_out = definition.clone();
                write_out(&mut written_out, place, rule);
                self.add_rule(relation, written_out);
            }
        } else {
            self.add_rule(relation, definition);
        }
        self.instead.insert(key, relation);
        relation
    }

    fn add_rule(&mut self, relation: RelationId, mut rule: Rule) {
        rule.head.relation = relation;
        self.editor.rules().push(rule);
    }
}

/// A rule with its variables in the order of their appearance, of a relation that is not known yet.
fn definition(rule: &Rule, args: Vec<Term>, body: Vec<Literal>) -> Rule {
    let head = Atom { relation: rule.head.relation, args };
    let mut definition = Rule { head, body, variables: rule.variables.clone(), span: rule.span };
    definition.compact_variables();
    definition
}

type Bindings = FxHashMap<VariableId, Term>;

/// Whether the ground `term` is an instance of `pattern`, binding what is free.
fn fit(pattern: &Term, term: &Term, bindings: &mut Bindings) -> bool {
    match (pattern, term) {
        (Term::Variable(id), _) => bindings.entry(*id).or_insert_with(|| term.clone()) == term,
        (Term::Compound(name, parts), Term::Compound(other, terms)) => {
            name == other
                && parts.len() == terms.len()
                && parts.iter().zip(terms).all(|(part, term)| fit(part, term, bindings))
        }
        _ => pattern == term,
    }
}

/// Drops the rules that nothing depends on but themselves.
fn drop_useless_rules(rules: &mut Vec<Rule>, assumed: impl Iterator<Item = RelationId>) {
    let mut by_head: FxHashMap<RelationId, Vec<usize>> = FxHashMap::default();
    for (number, rule) in rules.iter().enumerate() {
        by_head.entry(rule.head.relation).or_default().push(number);
    }
    let keywords = by_head.keys().copied().filter(|relation| relation.is_keyword());
    let mut open: Vec<RelationId> = keywords.chain(assumed).collect();
    let mut used: FxHashSet<RelationId> = open.iter().copied().collect();
    while let Some(relation) = open.pop() {
        for &number in by_head.get(&relation).into_iter().flatten() {
            let relations = rules[number].body.iter().filter_map(Literal::relation);
            open.extend(relations.filter(|&relation| used.insert(relation)));
        }
    }
    rules.retain(|rule| used.contains(&rule.head.relation));
}
