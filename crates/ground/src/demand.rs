//! Rules narrowed to what is asked of them.
//!
//! "Is the king threatened if this piece leaves this square and captures on that one?" has millions
//! of instances, of which only those matter that some rule asks for. A filter on the terms that are
//! known wherever the relation is asked for goes into its rules. What is asked follows from the
//! conditions that stand before it, in the rules that ask: these are magic sets (Bancilhon, Maier,
//! Sagiv and Ullman 1986), with one pattern of known terms for each relation.

use base::IdVec;
use program::{Atom, Dependence, Editor, Literal, Program, RelationId, Rule};
use rustc_hash::FxHashSet;

use crate::prepared::Prepared;
use crate::variables::{Variables, variables_of, variables_of_atom, variables_of_term};

/// The program with filters for what is asked of the relations `wide`; it means the same.
pub(crate) fn demand(prepared: &Prepared, wide: &FxHashSet<RelationId>) -> Prepared {
    let program = &prepared.program;
    let known = known_terms(program, wide);
    let mut editor = program.edit();
    let new_relation = |(id, places): (RelationId, &Option<Vec<usize>>)| {
        let name = program.symbols().name(program.relation(id).name);
        places.as_ref().map(|places| editor.new_relation(&format!("asked_{name}"), places.len()))
    };
    let asked: IdVec<RelationId, Option<RelationId>> =
        known.iter_with_ids().map(new_relation).collect();
    let demand = Demand { known, asked };
    demand.add_filters(&mut editor, program);
    let mut filters = prepared.filters.clone();
    filters.extend(demand.asked.iter().copied().flatten());
    Prepared { program: editor.finish(), filters, assumed: prepared.assumed.clone() }
}

struct Demand {
    /// By relation: the places of the terms that are known wherever it is asked for, if there are
    /// any.
    known: IdVec<RelationId, Option<Vec<usize>>>,
    /// The filters on those terms.
    asked: IdVec<RelationId, Option<RelationId>>,
}

impl Demand {
    fn add_filters(&self, editor: &mut Editor, program: &Program) {
        let rules = std::mem::take(editor.rules());
        for mut rule in rules {
            let filter = self.filter(&rule.head).map(Literal::Positive);
            for question in questions(&rule, &self.known) {
                let Some(head) = self.filter(question.atom) else { continue };
                let asking = self.asking(&rule, head, &question, program);
                if !asking.body.contains(&Literal::Positive(asking.head.clone())) {
                    editor.rules().push(asking);
                }
            }
            rule.body.extend(filter);
            editor.rules().push(rule);
        }
    }

    /// What is asked when `atom` is.
    fn filter(&self, atom: &Atom) -> Option<Atom> {
        let relation = self.asked[atom.relation]?;
        let places = self.known[atom.relation].as_ref()?;
        let args = places.iter().map(|&place| atom.args[place].clone()).collect();
        Some(Atom { relation, args })
    }

    /// The rule by which `question` is asked. Of the conditions that stand before it, those that say
    /// something of its terms are enough.
    fn asking(&self, rule: &Rule, head: Atom, question: &Question, program: &Program) -> Rule {
        let needed = variables_of_atom(&head);
        let says_something = |literal: &&Literal| {
            let variables = variables_of(literal);
            let is_test = match literal {
                Literal::Positive(_) => return !variables.is_disjoint(&needed),
                Literal::Negative(atom) => {
                    program.relation(atom.relation).dependence == Dependence::Nothing
                        && self.known[atom.relation].is_none()
                }
                Literal::Distinct(..) => true,
            };
            is_test && variables.is_subset(&needed)
        };
        let before = question.before.iter().map(|&place| &rule.body[place]);
        let mut body: Vec<Literal> = before.filter(says_something).cloned().collect();
        body.extend(self.filter(&rule.head).map(Literal::Positive));
        let mut asking = Rule { head, body, variables: rule.variables.clone(), span: rule.span };
        asking.compact_variables();
        asking
    }
}

/// A condition that is asked in a rule.
struct Question<'a> {
    atom: &'a Atom,
    /// The places of conditions that are looked at before, and of all tests.
    before: Vec<usize>,
    /// The variables that these bind.
    bound: Variables,
}

/// The conditions of `rule` on relations with known terms: after those on other relations one by one
/// as they are written, and at last those that are negated.
fn questions<'a>(
    rule: &'a Rule,
    known: &IdVec<RelationId, Option<Vec<usize>>>,
) -> Vec<Question<'a>> {
    let is_asked =
        |literal: &Literal| literal.relation().is_some_and(|relation| known[relation].is_some());
    let head_places = known[rule.head.relation].iter().flatten();
    let mut bound: Variables =
        head_places.flat_map(|&place| variables_of_term(&rule.head.args[place])).collect();
    let (open, mut before): (Vec<usize>, Vec<usize>) =
        (0..rule.body.len()).partition(|&place| is_asked(&rule.body[place]));
    for &place in &before {
        if let Literal::Positive(atom) = &rule.body[place] {
            bound.extend(variables_of_atom(atom));
        }
    }
    let (positive, negative): (Vec<usize>, Vec<usize>) =
        open.into_iter().partition(|&place| matches!(rule.body[place], Literal::Positive(_)));
    let mut questions = Vec::new();
    for place in positive.into_iter().chain(negative) {
        let atom = rule.body[place].atom().expect("it is asked, so it has a relation");
        questions.push(Question { atom, before: before.clone(), bound: bound.clone() });
        if matches!(rule.body[place], Literal::Positive(_)) {
            bound.extend(variables_of_atom(atom));
            before.push(place);
        }
    }
    questions
}

/// The places of the terms that are known wherever a relation is asked for.
fn known_terms(
    program: &Program,
    wide: &FxHashSet<RelationId>,
) -> IdVec<RelationId, Option<Vec<usize>>> {
    let candidates = candidates(program, wide);
    let all_places = |id: RelationId| {
        let places = (0..program.relation(id).arity).collect();
        candidates.contains(&id).then_some(places).filter(|places: &Vec<usize>| !places.is_empty())
    };
    let mut known: IdVec<RelationId, Option<Vec<usize>>> =
        program.relations().ids().map(all_places).collect();
    loop {
        let mut has_changed = false;
        for rule in program.rules() {
            let found: Vec<(RelationId, Vec<usize>)> = questions(rule, &known)
                .into_iter()
                .map(|question| (question.atom.relation, known_places(&question, &known)))
                .collect();
            for (relation, places) in found {
                let Some(before) = &mut known[relation] else { continue };
                let n_before = before.len();
                before.retain(|place| places.contains(place));
                has_changed |= before.len() < n_before;
                if before.is_empty() {
                    known[relation] = None;
                }
            }
        }
        if !has_changed {
            return known;
        }
    }
}

fn known_places(question: &Question, known: &IdVec<RelationId, Option<Vec<usize>>>) -> Vec<usize> {
    let places = known[question.atom.relation].iter().flatten().copied();
    let is_known =
        |&place: &usize| variables_of_term(&question.atom.args[place]).is_subset(&question.bound);
    places.filter(is_known).collect()
}

/// Those of the relations `wide` that can have a filter. A static relation cannot if one that is
/// negated depends on it, since these are evaluated before anything is asked.
fn candidates(program: &Program, wide: &FxHashSet<RelationId>) -> FxHashSet<RelationId> {
    let is_static = |id: RelationId| program.relation(id).dependence == Dependence::Nothing;
    let mut complete: FxHashSet<RelationId> = program
        .rules()
        .iter()
        .flat_map(|rule| &rule.body)
        .filter(|literal| matches!(literal, Literal::Negative(_)))
        .filter_map(Literal::relation)
        .filter(|&id| is_static(id))
        .collect();
    loop {
        let n_before = complete.len();
        for rule in program.rules() {
            if complete.contains(&rule.head.relation) {
                complete.extend(rule.body.iter().filter_map(Literal::relation));
            }
        }
        if complete.len() == n_before {
            break;
        }
    }
    let can_be_asked = |id: &&RelationId| !id.is_keyword() && !complete.contains(id);
    with_callers(program, wide).iter().filter(can_be_asked).copied().collect()
}

/// The relations `wide` with those that depend on them: what these are asked narrows what they ask.
fn with_callers(program: &Program, wide: &FxHashSet<RelationId>) -> FxHashSet<RelationId> {
    let mut all = wide.clone();
    loop {
        let n_before = all.len();
        for rule in program.rules() {
            let mut relations = rule.body.iter().filter_map(Literal::relation);
            if relations.any(|relation| all.contains(&relation)) {
                all.insert(rule.head.relation);
            }
        }
        if all.len() == n_before {
            return all;
        }
    }
}
