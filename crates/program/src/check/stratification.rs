//! Nothing depends on its own negation.
//!
//! The published rule sheets write `(<= (goal ?r 0) (role ?r) (not (goal ?r 100)))`: a negation
//! within a relation, but between atoms that have nothing to do with each other. So the cycles
//! that count are those of rules, where a condition leads to the rules whose heads it may match.

use gdl::tree::{Atom, Item, Term, TermKind};
use gdl::{Code, Diagnostic, Symbol};
use rustc_hash::FxHashMap;

use super::Checker;
use crate::graph::{Condensation, Link};
use crate::program::RelationId;

/// Comparisons of conditions with heads; a sheet that needs more is refused.
const MAX_COMPARISONS: usize = 10_000_000;

impl Checker<'_> {
    pub(super) fn check_stratification(&mut self) {
        let items: Vec<&Item> = self.items().collect();
        let heads = Heads::new(&items, |item| self.vocabulary.relation_of(&item.head));
        let mut links = Vec::new();
        let mut negations: FxHashMap<Link, &Atom> = FxHashMap::default();
        let mut n_comparisons = 0;
        for (from, item) in items.iter().enumerate() {
            for (atom, is_negative) in self.conditions_in_cycle(item) {
                let candidates = heads.candidates(self.vocabulary.relation_of(atom), atom);
                n_comparisons += candidates.len();
                if n_comparisons > MAX_COMPARISONS {
                    return self.too_many_comparisons(item);
                }
                for to in candidates {
                    if may_match_all(&items[to].head.args, &atom.args) {
                        let link = Link { from, to, is_negative };
                        links.push(link);
                        if is_negative {
                            negations.entry(link).or_insert(atom);
                        }
                    }
                }
            }
        }
        let condensation = Condensation::new(items.len(), links);
        let cycles = condensation.negative_cycles();
        let mut cycles: Vec<_> = cycles.map(|link| (items[link.from], negations[link])).collect();
        cycles.sort_by_key(|(_, atom)| atom.span);
        cycles.dedup_by_key(|(_, atom)| atom.span);
        for (item, atom) in cycles {
            self.negative_cycle(item, atom);
        }
    }

    /// The conditions of `item` that depend on its head, and whether they are negated.
    fn conditions_in_cycle<'i>(&self, item: &'i Item) -> Vec<(&'i Atom, bool)> {
        let head = self.vocabulary.relation_of(&item.head);
        let mut conditions = Vec::new();
        for literal in &item.body {
            literal.for_each_atom(&mut |atom, is_negative| {
                let relation = self.vocabulary.relation_of(atom);
                if self.graph.are_in_one_component(head, relation) {
                    conditions.push((atom, is_negative));
                }
            });
        }
        conditions
    }

    fn too_many_comparisons(&mut self, item: &Item) {
        let name = self.name(item.head.name.symbol);
        let message = format!("`{name}` has too many rules with negations of each other to check");
        let help = "divide the relation into several";
        self.problem(Code::TooManyAlternatives, item.head.span, message, help);
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

/// The rules of each relation, found by the constants of their heads.
struct Heads {
    by_relation: FxHashMap<RelationId, Vec<usize>>,
    /// By the first argument that is a constant, where a rule has one there.
    by_constant: FxHashMap<(RelationId, usize, Symbol), Vec<usize>>,
    /// Those that have none there.
    open: FxHashMap<(RelationId, usize), Vec<usize>>,
}

impl Heads {
    fn new(items: &[&Item], relation_of: impl Fn(&Item) -> RelationId) -> Heads {
        let mut heads = Heads {
            by_relation: FxHashMap::default(),
            by_constant: FxHashMap::default(),
            open: FxHashMap::default(),
        };
        for (place, item) in items.iter().enumerate() {
            let relation = relation_of(item);
            heads.by_relation.entry(relation).or_default().push(place);
            for (argument, term) in item.head.args.iter().enumerate() {
                match term.kind {
                    TermKind::Constant(symbol) => {
                        let key = (relation, argument, symbol);
                        heads.by_constant.entry(key).or_default().push(place);
                    }
                    _ => heads.open.entry((relation, argument)).or_default().push(place),
                }
            }
        }
        heads
    }

    /// Rules among which are all whose heads `atom` may match: the fewest that one of its constants
    /// leaves.
    fn candidates(&self, relation: RelationId, atom: &Atom) -> Vec<usize> {
        let all = self.by_relation.get(&relation).map_or(&[][..], Vec::as_slice);
        let by_argument = |(argument, term): (usize, &Term)| {
            let TermKind::Constant(symbol) = term.kind else { return None };
            let same = self.by_constant.get(&(relation, argument, symbol));
            let open = self.open.get(&(relation, argument));
            Some((same.map_or(&[][..], Vec::as_slice), open.map_or(&[][..], Vec::as_slice)))
        };
        let constants = atom.args.iter().enumerate().filter_map(by_argument);
        let fewest = constants.min_by_key(|(same, open)| same.len() + open.len());
        let (same, open) = fewest.unwrap_or((all, &[]));
        same.iter().chain(open).copied().collect()
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
