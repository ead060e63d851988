//! Wide rules split into narrow ones, before they are instantiated.
//!
//! A rule with many variables has as many instances as its conditions have common values, though
//! its head may speak of few of them. A variable that is not in the head is projected out as soon as
//! the conditions that it stands in are joined: these become a rule of their own. Done for one
//! variable after the other, this is a tree decomposition of the rule's variable graph (as in lpopt,
//! Bichler, Morak and Woltran 2016); the order is that of the smallest cliques first.

use program::{Atom, Dependence, Editor, Literal, RelationId, Rule, Term, VariableId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::prepared::Prepared;
use crate::variables::{Variables, sorted, variables_of, variables_of_atom, variables_of_body};

/// The program with its wide rules split; it means the same.
pub(crate) fn split(prepared: &Prepared) -> Prepared {
    let mut editor = prepared.program.edit();
    let rules = std::mem::take(editor.rules());
    let filters = prepared.filters.clone();
    let made = FxHashMap::default();
    let mut splitter = Splitter { editor, prepared, filters, rules: Vec::new(), made };
    for rule in rules {
        splitter.split_rule(rule);
    }
    let Splitter { mut editor, rules, filters, .. } = splitter;
    *editor.rules() = rules;
    let assumed = prepared.assumed.clone();
    Prepared { program: editor.finish(), filters, assumed }
}

struct Splitter<'a> {
    editor: Editor,
    prepared: &'a Prepared,
    filters: FxHashSet<RelationId>,
    rules: Vec<Rule>,
    /// The relations that were made, by the arguments and the bodies of their rules.
    made: FxHashMap<(New, Vec<Term>, Vec<Literal>), RelationId>,
}

impl Splitter<'_> {
    fn split_rule(&mut self, mut rule: Rule) {
        while let Some(part) = self.best_part(&rule) {
            rule = self.cut_out(rule, &part);
        }
        rule.compact_variables();
        self.rules.push(rule);
    }

    /// The conditions that are best made a rule of their own: those of a variable that is not in
    /// the head and has the fewest neighbours, if that leaves a narrower rule.
    fn best_part(&self, rule: &Rule) -> Option<Part> {
        let all = variables_of_body(rule);
        let head = variables_of_atom(&rule.head);
        let mut candidates: Vec<VariableId> =
            all.iter().copied().filter(|variable| !head.contains(variable)).collect();
        candidates.sort_unstable();
        let parts = candidates.into_iter().filter_map(|v| self.part_of(rule, v, &head));
        let is_narrower = |part: &Part| {
            let n_inside = part.interface.len() + part.hidden.len();
            n_inside < all.len() && part.conditions.len() < rule.body.len()
        };
        parts
            .filter(is_narrower)
            .min_by_key(|part| (part.interface.len(), part.hidden.len(), part.conditions.clone()))
    }

    /// The conditions that `variable` stands in. Variables that stand in no others go with it.
    fn part_of(&self, rule: &Rule, variable: VariableId, head: &Variables) -> Option<Part> {
        let is_inside = |literal: &Literal| variables_of(literal).contains(&variable);
        let (inside, outside): (Vec<usize>, Vec<usize>) = (0..rule.body.len())
            .filter(|&place| !self.is_filter(rule, place))
            .partition(|&place| is_inside(&rule.body[place]));
        let variables_at = |places: &[usize]| -> Variables {
            places.iter().flat_map(|&place| variables_of(&rule.body[place])).collect()
        };
        let (within, without) = (variables_at(&inside), variables_at(&outside));
        let (interface, hidden): (Vec<VariableId>, Vec<VariableId>) =
            within.into_iter().partition(|v| head.contains(v) || without.contains(v));
        let interface = sorted(interface);
        let binders = self.binders(rule, &inside, &outside, &interface)?;
        Some(Part { conditions: inside, binders, interface, hidden: sorted(hidden) })
    }

    /// The places among `outside` of conditions that narrow the conditions at `inside`: those that
    /// bind what is not bound there, or by static conditions only. `None` if something is not bound.
    fn binders(
        &self,
        rule: &Rule,
        inside: &[usize],
        outside: &[usize],
        interface: &[VariableId],
    ) -> Option<Vec<usize>> {
        let is_part_dynamic = inside.iter().any(|&place| self.is_dynamic(&rule.body[place]));
        let mut binders = Vec::new();
        for &variable in interface {
            let binds = |place: &usize| {
                let literal = &rule.body[*place];
                matches!(literal, Literal::Positive(_)) && variables_of(literal).contains(&variable)
            };
            let is_dynamic = |place: usize| self.is_dynamic(&rule.body[place]);
            let within: Vec<usize> = inside.iter().copied().filter(binds).collect();
            let best = outside.iter().copied().filter(binds).max_by_key(|&place| is_dynamic(place));
            match best {
                _ if within.iter().any(|&place| is_dynamic(place)) => {}
                None if within.is_empty() => return None,
                Some(place) if within.is_empty() => binders.push(place),
                Some(place) if is_part_dynamic && is_dynamic(place) => binders.push(place),
                _ => {}
            }
        }
        binders.sort_unstable();
        binders.dedup();
        Some(binders)
    }

    fn is_dynamic(&self, literal: &Literal) -> bool {
        let dependence_of = |relation: RelationId| {
            let known = self.prepared.program.relations().get(relation);
            known.map_or(Dependence::State, |relation| relation.dependence)
        };
        literal.relation().is_some_and(|id| dependence_of(id) > Dependence::Nothing)
    }

    /// Whether the condition of `rule` at `place` is a filter. In the rules of filters there are no
    /// others, so that they are conditions there.
    fn is_filter(&self, rule: &Rule, place: usize) -> bool {
        let relation = rule.body[place].relation();
        relation.is_some_and(|relation| self.filters.contains(&relation))
            && !self.filters.contains(&rule.head.relation)
    }

    /// Makes `part` of `rule` a rule of its own, and returns the rest.
    fn cut_out(&mut self, rule: Rule, part: &Part) -> Rule {
        let mut body: Vec<Literal> =
            part.conditions.iter().map(|&place| rule.body[place].clone()).collect();
        let filters = (0..rule.body.len()).filter(|&place| self.is_filter(&rule, place));
        let around: Vec<usize> = part.binders.iter().copied().chain(filters).collect();
        for place in around {
            body.extend(self.projected(&rule, place, part));
        }
        let atom = self.defined(New::Part, &part.interface, body, &rule);
        let kept = (0..rule.body.len()).filter(|place| !part.conditions.contains(place));
        let mut body: Vec<Literal> = kept.map(|place| rule.body[place].clone()).collect();
        body.push(Literal::Positive(atom));
        Rule { body, ..rule }
    }

    /// A filter that says of the variables of `part` what the condition at `place` says of them; it
    /// stays a condition of the rest.
    fn projected(&mut self, rule: &Rule, place: usize, part: &Part) -> Option<Literal> {
        let condition = rule.body[place].clone();
        let variables = variables_of(&condition);
        let is_shared = |variable: &VariableId| part.interface.contains(variable);
        let shared = sorted(variables.iter().copied().filter(is_shared).collect());
        if shared.is_empty() || (shared.len() == variables.len() && self.is_filter(rule, place)) {
            return (!shared.is_empty()).then_some(condition);
        }
        let atom = self.defined(New::Filter, &shared, vec![condition], rule);
        Some(Literal::Positive(atom))
    }

    /// A relation of `variables` with one rule, or the one that has this rule already. The variables
    /// are those of `rule`.
    fn defined(
        &mut self,
        new: New,
        variables: &[VariableId],
        body: Vec<Literal>,
        rule: &Rule,
    ) -> Atom {
        let args: Vec<Term> = variables.iter().copied().map(Term::Variable).collect();
        let mut definition = rule.clone();
        definition.head.args.clone_from(&args);
        definition.body = body;
        definition.compact_variables();
        let key = (new, definition.head.args.clone(), definition.body.clone());
        if let Some(&relation) = self.made.get(&key) {
            return Atom { relation, args };
        }
        let relation = match new {
            New::Part => self.editor.new_relation("part", variables.len()),
            New::Filter => self.editor.new_relation("possible", variables.len()),
        };
        if new == New::Filter {
            self.filters.insert(relation);
        }
        definition.head.relation = relation;
        self.rules.push(definition);
        self.made.insert(key, relation);
        Atom { relation, args }
    }
}

/// What a new relation is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum New {
    Part,
    Filter,
}

/// Some conditions of a rule, by their places.
struct Part {
    conditions: Vec<usize>,
    /// Other conditions, which narrow them.
    binders: Vec<usize>,
    /// The variables that the rest of the rule has too.
    interface: Vec<VariableId>,
    /// Those that it has not.
    hidden: Vec<VariableId>,
}
