//! `(<= (goal ?r 0) (role ?r) (not (goal ?r 100)))` is a negation within a relation, but not
//! within its atoms. Such a relation is split into one for each stratum of its rules, so that the
//! program is stratified relation by relation.

use std::collections::BTreeSet;

use base::Id;
use gdl::Span;
use rustc_hash::FxHashMap;

use super::Rewriter;
use crate::edit::edges;
use crate::graph::{Condensation, Edge, Graph, Link};
use crate::program::{Atom, Literal, RelationId, Rule, Term};

/// The rules of a relation that are in one stratum.
type Part = (RelationId, usize);

impl Rewriter {
    pub(super) fn split_relations(&mut self, rules: &mut Vec<Rule>) {
        let edges = edges(rules);
        let graph = Graph::new(self.relations.len(), &edges);
        let is_entangled = entangled_relations(self.relations.len(), &edges, &graph);
        if !is_entangled.contains(&true) {
            return;
        }
        let is_entangled = |relation: RelationId| is_entangled[relation.index()];
        let (entangled, mut others): (Vec<Rule>, Vec<Rule>) =
            std::mem::take(rules).into_iter().partition(|rule| is_entangled(rule.head.relation));
        let strata = rule_strata(&entangled);
        let mut parts = self.parts(&entangled, &strata, &mut others);
        for (rule, &stratum) in entangled.iter().zip(&strata) {
            if let Some(mut rule) = self.resolve(&mut parts, rule, stratum, &mut others) {
                rule.head.relation = parts.relations[&(rule.head.relation, stratum)];
                others.push(rule);
            }
        }
        *rules = others;
    }

    /// A relation for each part, and the rules that conclude the whole from its parts.
    fn parts<'a>(
        &mut self,
        entangled: &'a [Rule],
        strata: &[usize],
        bridges: &mut Vec<Rule>,
    ) -> Parts<'a> {
        let mut parts = Parts::default();
        let mut spans: FxHashMap<Part, Span> = FxHashMap::default();
        for (rule, &stratum) in entangled.iter().zip(strata) {
            let part = (rule.head.relation, stratum);
            parts.heads.entry(part).or_default().push(&rule.head);
            parts.strata.entry(rule.head.relation).or_default().insert(stratum);
            spans.entry(part).or_insert(rule.span);
        }
        let mut spans: Vec<(Part, Span)> = spans.into_iter().collect();
        spans.sort_unstable_by_key(|(part, _)| *part);
        for ((relation, stratum), span) in spans {
            let name = self.symbols.name(self.relations[relation].name);
            let name = format!("{name}_{stratum}");
            let new = self.new_relation(&name, self.relations[relation].arity);
            parts.relations.insert((relation, stratum), new);
            bridges.push(self.bridge(new, relation, span));
        }
        parts
    }

    /// `rule` with its conditions on parts: a negative one on all that have a fitting head, a
    /// positive one on those up to the rule's stratum. `None` when a condition fits nothing.
    fn resolve(
        &mut self,
        parts: &mut Parts<'_>,
        rule: &Rule,
        stratum: usize,
        bridges: &mut Vec<Rule>,
    ) -> Option<Rule> {
        let mut body = Vec::with_capacity(rule.body.len());
        for literal in &rule.body {
            let fitting = literal.atom().and_then(|atom| Some((atom, parts.fitting(atom)?)));
            let Some((atom, fitting)) = fitting else {
                body.push(literal.clone());
                continue;
            };
            let on = |relation| Atom { relation, args: atom.args.clone() };
            if let Literal::Negative(_) = literal {
                let relations = fitting.iter().map(|part| parts.relations[part]);
                body.extend(relations.map(|relation| Literal::Negative(on(relation))));
                continue;
            }
            let relation = match fitting.as_slice() {
                [] => return None,
                [part] => parts.relations[part],
                _ => self.parts_up_to(parts, (atom.relation, stratum), rule.span, bridges),
            };
            body.push(Literal::Positive(on(relation)));
        }
        Some(Rule { body, ..rule.clone() })
    }

    /// A relation that holds where one of the parts up to a stratum does.
    fn parts_up_to(
        &mut self,
        parts: &mut Parts<'_>,
        (relation, stratum): Part,
        span: Span,
        bridges: &mut Vec<Rule>,
    ) -> RelationId {
        if let Some(&known) = parts.up_to.get(&(relation, stratum)) {
            return known;
        }
        let name = self.symbols.name(self.relations[relation].name);
        let name = format!("{name}_up_to_{stratum}");
        let new = self.new_relation(&name, self.relations[relation].arity);
        for &lower in parts.strata[&relation].range(..=stratum) {
            let part = parts.relations[&(relation, lower)];
            bridges.push(self.bridge(part, new, span));
        }
        parts.up_to.insert((relation, stratum), new);
        new
    }
}

/// The parts of the relations that are split.
#[derive(Default)]
struct Parts<'a> {
    strata: FxHashMap<RelationId, BTreeSet<usize>>,
    heads: FxHashMap<Part, Vec<&'a Atom>>,
    relations: FxHashMap<Part, RelationId>,
    up_to: FxHashMap<Part, RelationId>,
}

impl Parts<'_> {
    /// The parts that `atom` may match, or `None` when its relation is not split.
    fn fitting(&self, atom: &Atom) -> Option<Vec<Part>> {
        let strata = self.strata.get(&atom.relation)?;
        let parts = strata.iter().map(|&stratum| (atom.relation, stratum));
        let fits =
            |part: &Part| self.heads[part].iter().any(|head| may_match_all(&head.args, &atom.args));
        Some(parts.filter(fits).collect())
    }
}

/// By relation: whether its component has a negation within.
fn entangled_relations(n_relations: usize, edges: &[Edge], graph: &Graph) -> Vec<bool> {
    let mut is_entangled = vec![false; n_relations];
    let is_inner = |edge: &&Edge| graph.are_in_one_component(edge.head, edge.body);
    for edge in edges.iter().filter(|edge| edge.is_negative).filter(is_inner) {
        is_entangled[edge.head.index()] = true;
    }
    for component in graph.components() {
        if component.relations.iter().any(|relation| is_entangled[relation.index()]) {
            component.relations.iter().for_each(|relation| is_entangled[relation.index()] = true);
        }
    }
    is_entangled
}

/// The stratum of each rule, where a rule depends on those whose heads its conditions may match.
fn rule_strata(rules: &[Rule]) -> Vec<usize> {
    let mut by_head: FxHashMap<RelationId, Vec<usize>> = FxHashMap::default();
    for (place, rule) in rules.iter().enumerate() {
        by_head.entry(rule.head.relation).or_default().push(place);
    }
    let mut links = Vec::new();
    for (from, rule) in rules.iter().enumerate() {
        for literal in &rule.body {
            let Some(atom) = literal.atom() else { continue };
            let is_negative = matches!(literal, Literal::Negative(_));
            for &to in by_head.get(&atom.relation).into_iter().flatten() {
                if may_match_all(&rules[to].head.args, &atom.args) {
                    links.push(Link { from, to, is_negative });
                }
            }
        }
    }
    Condensation::new(rules.len(), links).strata
}

/// Whether the terms could be equal, a variable being anything.
fn may_match_all(left: &[Term], right: &[Term]) -> bool {
    left.len() == right.len() && left.iter().zip(right).all(|(l, r)| may_match(l, r))
}

fn may_match(left: &Term, right: &Term) -> bool {
    match (left, right) {
        (Term::Variable(_), _) | (_, Term::Variable(_)) => true,
        (Term::Constant(a), Term::Constant(b)) => a == b,
        (Term::Compound(f, fs), Term::Compound(g, gs)) => f == g && may_match_all(fs, gs),
        _ => false,
    }
}
