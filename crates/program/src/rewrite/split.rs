//! `(<= (goal ?r 0) (role ?r) (not (goal ?r 100)))` is a negation within a relation, but not
//! within its atoms. Such a relation is split into one for each stratum of its rules, so that the
//! program is stratified relation by relation.

use std::collections::BTreeSet;

use base::Id;
use gdl::Span;
use rustc_hash::FxHashMap;

use super::{Rewriter, edges};
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
        let parts = self.parts(&entangled, &strata, &mut others);
        for (rule, &stratum) in entangled.iter().zip(&strata) {
            for mut rule in parts.resolve(rule) {
                rule.head.relation = parts.relations[&(rule.head.relation, stratum)];
                others.push(rule);
            }
        }
        others.sort_by_key(|rule| rule.span);
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
}

/// The parts of the relations that are split.
#[derive(Default)]
struct Parts<'a> {
    strata: FxHashMap<RelationId, BTreeSet<usize>>,
    heads: FxHashMap<Part, Vec<&'a Atom>>,
    relations: FxHashMap<Part, RelationId>,
}

impl Parts<'_> {
    /// `rule` with its conditions on parts: a positive one on any that has a fitting head, a
    /// negative one on all of these.
    fn resolve(&self, rule: &Rule) -> Vec<Rule> {
        let mut bodies: Vec<Vec<Literal>> = vec![Vec::new()];
        for literal in &rule.body {
            let Some(atoms) = literal.atom().and_then(|atom| self.part_atoms(atom)) else {
                bodies.iter_mut().for_each(|body| body.push(literal.clone()));
                continue;
            };
            match literal {
                Literal::Negative(_) => {
                    let negated = atoms.into_iter().map(Literal::Negative);
                    let negated: Vec<Literal> = negated.collect();
                    bodies.iter_mut().for_each(|body| body.extend(negated.iter().cloned()));
                }
                _ => {
                    let extended = |body: &Vec<Literal>, atom: &Atom| {
                        let literal = Literal::Positive(atom.clone());
                        body.iter().cloned().chain([literal]).collect()
                    };
                    let extend = |body| atoms.iter().map(move |atom| extended(body, atom));
                    bodies = bodies.iter().flat_map(extend).collect();
                }
            }
        }
        bodies.into_iter().map(|body| Rule { body, ..rule.clone() }).collect()
    }

    /// `atom` on each part that it may match, or `None` when its relation is not split.
    fn part_atoms(&self, atom: &Atom) -> Option<Vec<Atom>> {
        let strata = self.strata.get(&atom.relation)?;
        let fitting = strata.iter().map(|&stratum| (atom.relation, stratum)).filter(|part| {
            self.heads[part].iter().any(|head| may_match_all(&head.args, &atom.args))
        });
        let on_part = |part| Atom { relation: self.relations[&part], args: atom.args.clone() };
        Some(fitting.map(on_part).collect())
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
    let mut links = Vec::new();
    for (from, rule) in rules.iter().enumerate() {
        for literal in &rule.body {
            let Some(atom) = literal.atom() else { continue };
            let is_negative = matches!(literal, Literal::Negative(_));
            for (to, other) in rules.iter().enumerate() {
                let is_same = other.head.relation == atom.relation;
                if is_same && may_match_all(&other.head.args, &atom.args) {
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
