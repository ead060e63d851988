//! Nothing depends on its own negation.
//!
//! The published rule sheets write `(<= (goal ?r 0) (role ?r) (not (goal ?r 100)))`: a negation
//! within a relation, but between atoms that have nothing to do with each other. So the cycles
//! that count are those of rules, where a condition leads to the rules whose heads it may match.

use gdl::tree::{Atom, Item, Term, TermKind};
use gdl::{Code, Diagnostic};
use rustc_hash::FxHashMap;

use super::Checker;
use crate::graph::{Condensation, Link};
use crate::program::RelationId;

/// Comparisons of conditions with heads; past this, every head counts as a match.
const MAX_COMPARISONS: usize = 10_000_000;

impl Checker<'_> {
    pub(super) fn check_stratification(&mut self) {
        let items: Vec<&Item> = self.items().collect();
        let mut by_head: FxHashMap<RelationId, Vec<usize>> = FxHashMap::default();
        for (place, item) in items.iter().enumerate() {
            by_head.entry(self.vocabulary.relation_of(&item.head)).or_default().push(place);
        }
        let mut links = Vec::new();
        let mut negations: FxHashMap<Link, &Atom> = FxHashMap::default();
        let mut n_comparisons = 0;
        for (from, item) in items.iter().enumerate() {
            let head = self.vocabulary.relation_of(&item.head);
            for literal in &item.body {
                literal.for_each_atom(&mut |atom, is_negative| {
                    let relation = self.vocabulary.relation_of(atom);
                    if !self.graph.are_in_one_component(head, relation) {
                        return;
                    }
                    let heads = by_head.get(&relation).map_or(&[][..], Vec::as_slice);
                    n_comparisons += heads.len();
                    if n_comparisons > MAX_COMPARISONS {
                        return;
                    }
                    for &to in heads {
                        if may_match_all(&items[to].head.args, &atom.args) {
                            let link = Link { from, to, is_negative };
                            links.push(link);
                            if is_negative {
                                negations.entry(link).or_insert(atom);
                            }
                        }
                    }
                });
            }
        }
        if n_comparisons > MAX_COMPARISONS {
            return self.every_negation_in_a_cycle(&items);
        }
        let condensation = Condensation::new(items.len(), links);
        let mut cycles: Vec<(&Item, &Atom)> = condensation
            .negative_cycles()
            .map(|link| (items[link.from], negations[link]))
            .collect();
        cycles.sort_by_key(|(_, atom)| atom.span);
        cycles.dedup_by_key(|(_, atom)| atom.span);
        for (item, atom) in cycles {
            self.negative_cycle(item, atom);
        }
    }

    /// The coarse check, relation by relation, for sheets that are too large for the fine one.
    fn every_negation_in_a_cycle(&mut self, items: &[&Item]) {
        for item in items {
            let head = self.vocabulary.relation_of(&item.head);
            for literal in &item.body {
                literal.for_each_atom(&mut |atom, is_negative| {
                    let relation = self.vocabulary.relation_of(atom);
                    if is_negative && self.graph.are_in_one_component(head, relation) {
                        self.negative_cycle(item, atom);
                    }
                });
            }
        }
    }

    fn negative_cycle(&mut self, item: &Item, atom: &Atom) {
        let head = self.name(item.head.name.symbol);
        let condition = self.name(atom.name.symbol);
        let message = match head == condition {
            true => format!("`{head}` depends on its own negation"),
            false => format!("`{head}` depends on its own negation, through `{condition}`"),
        };
        let help = "break the circle: decide one of the relations without the other";
        let problem = Diagnostic::new(Code::NegativeCycle, atom.span, message, help);
        self.report(problem.with_related(item.head.span, "in the rule for this"));
    }
}

/// Whether the terms could be equal, a variable being anything.
fn may_match_all(left: &[Term], right: &[Term]) -> bool {
    left.len() == right.len() && left.iter().zip(right).all(|(l, r)| may_match(l, r))
}

fn may_match(left: &Term, right: &Term) -> bool {
    match (&left.kind, &right.kind) {
        (TermKind::Variable(_), _) | (_, TermKind::Variable(_)) => true,
        _ => left.symbol() == right.symbol() && may_match_all(left.args(), right.args()),
    }
}
