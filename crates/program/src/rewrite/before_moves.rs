//! A `terminal` that looks at moves: in a state nobody has moved yet, so `does` holds for nothing.
//! The relations between the two are copied, in the way they are before the moves.

use rustc_hash::FxHashMap;

use super::Rewriter;
use crate::edit::edges;
use crate::graph::Graph;
use crate::program::{Dependence, Literal, RelationId, Rule};

impl Rewriter {
    pub(super) fn look_before_moves(&mut self, rules: &mut Vec<Rule>) {
        let graph = Graph::new(self.relations.len(), &edges(rules));
        let looks_at_moves = |relation| graph.dependence(relation) == Dependence::Moves;
        let mut by_head: FxHashMap<RelationId, Vec<&Rule>> = FxHashMap::default();
        for rule in rules.iter() {
            by_head.entry(rule.head.relation).or_default().push(rule);
        }
        let mut copies: FxHashMap<RelationId, RelationId> = FxHashMap::default();
        copies.insert(RelationId::TERMINAL, RelationId::TERMINAL);
        let mut open = vec![RelationId::TERMINAL];
        let mut copied = Vec::new();
        while let Some(relation) = open.pop() {
            for rule in by_head.get(&relation).into_iter().flatten() {
                let body = rule.body.iter().filter_map(Literal::relation);
                for needed in body.filter(|&body| body != RelationId::DOES) {
                    if looks_at_moves(needed) && !copies.contains_key(&needed) {
                        let name = self.symbols.name(self.relations[needed].name);
                        let name = format!("{name}_before_moves");
                        let copy = self.new_relation(&name, self.relations[needed].arity);
                        copies.insert(needed, copy);
                        open.push(needed);
                    }
                }
                copied.push((*rule).clone());
            }
        }
        rules.retain(|rule| rule.head.relation != RelationId::TERMINAL);
        rules.extend(copied.into_iter().filter_map(|rule| before_moves(rule, &copies)));
    }
}

/// `rule` where nobody moves, or `None` when it needs a move.
fn before_moves(mut rule: Rule, copies: &FxHashMap<RelationId, RelationId>) -> Option<Rule> {
    let is_move = |literal: &Literal| literal.relation() == Some(RelationId::DOES);
    let needs_move =
        |literal: &Literal| is_move(literal) && matches!(literal, Literal::Positive(_));
    if rule.body.iter().any(needs_move) {
        return None;
    }
    rule.body.retain(|literal| !is_move(literal));
    let atoms = rule.body.iter_mut().filter_map(Literal::atom_mut);
    for atom in atoms.chain([&mut rule.head]) {
        atom.relation = copies.get(&atom.relation).copied().unwrap_or(atom.relation);
    }
    Some(rule)
}
