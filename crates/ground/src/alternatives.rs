//! Rules that differ in one condition made one.
//!
//! "A bishop threatens it, or a rook, or a queen" stands as three rules that are the same but for one
//! condition. With a relation for the three alternatives, all the rest is instantiated once.

use program::{Atom, Editor, Literal, Program, RelationId, Rule, Term, VariableId};
use rustc_hash::FxHashMap;

use crate::variables::variables_of;

/// The program with such rules made one; it means the same.
pub(crate) fn merge_alternatives(program: &Program) -> Program {
    let mut editor = program.edit();
    let rules = std::mem::take(editor.rules());
    let mut is_merged = vec![false; rules.len()];
    for set in sets_of_alternatives(&rules) {
        let open: Vec<Alternative> =
            set.into_iter().filter(|alternative| !is_merged[alternative.rule]).collect();
        if open.len() > 1 {
            open.iter().for_each(|alternative| is_merged[alternative.rule] = true);
            merge(&rules, &open, &mut editor);
        }
    }
    let others = rules.into_iter().zip(is_merged).filter(|(_, is_merged)| !is_merged);
    editor.rules().extend(others.map(|(rule, _)| rule));
    editor.finish()
}

/// A condition of a rule.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Alternative {
    rule: usize,
    place: usize,
    /// Its variables that the rest of the rule has too, in the order of their appearance there.
    shared: Vec<VariableId>,
}

/// A rule without one of its conditions, with its variables in the order of their appearance, and
/// those that the condition shares with it.
type Rest = (RelationId, Vec<Term>, Vec<Literal>, Vec<usize>);

/// The conditions of rules with the same rest, the largest sets first.
fn sets_of_alternatives(rules: &[Rule]) -> Vec<Vec<Alternative>> {
    let mut by_rest: FxHashMap<Rest, Vec<Alternative>> = FxHashMap::default();
    for (number, rule) in rules.iter().enumerate() {
        for place in 0..rule.body.len() {
            if matches!(rule.body[place], Literal::Positive(_)) && rule.body.len() > 1 {
                let (rest, shared) = rest(rule, place);
                let alternative = Alternative { rule: number, place, shared };
                by_rest.entry(rest).or_default().push(alternative);
            }
        }
    }
    let mut sets: Vec<Vec<Alternative>> =
        by_rest.into_values().filter(|set| set.len() > 1).collect();
    sets.sort_by(|a, b| (b.len(), a).cmp(&(a.len(), b)));
    sets
}

fn rest(rule: &Rule, place: usize) -> (Rest, Vec<VariableId>) {
    let mut rest = rule.clone();
    let condition = rest.body.remove(place);
    let order = rest.compact_variables();
    let variables = variables_of(&condition);
    let places = (0..order.len()).filter(|&n| variables.contains(&order[n]));
    let places: Vec<usize> = places.collect();
    let shared = places.iter().map(|&n| order[n]).collect();
    ((rest.head.relation, rest.head.args, rest.body, places), shared)
}

/// Adds the rules of a relation for the alternatives, and one rule in the place of all.
fn merge(rules: &[Rule], alternatives: &[Alternative], editor: &mut Editor) {
    let relation = editor.new_relation("one_of", alternatives[0].shared.len());
    let atom_of = |alternative: &Alternative| {
        let args = alternative.shared.iter().copied().map(Term::Variable).collect();
        Atom { relation, args }
    };
    for alternative in alternatives {
        let rule = &rules[alternative.rule];
        let body = vec![rule.body[alternative.place].clone()];
        let mut definition = Rule { head: atom_of(alternative), body, ..rule.clone() };
        definition.compact_variables();
        editor.rules().push(definition);
    }
    let first = &alternatives[0];
    let mut rule = rules[first.rule].clone();
    rule.body[first.place] = Literal::Positive(atom_of(first));
    rule.compact_variables();
    editor.rules().push(rule);
}
