//! Tables filled by rules, stratum by stratum.

use base::{Deadline, IdVec};
use program::{Atom, Component, Dependence, Program, RelationId, Term, VariableId};

use super::plan::{Plan, Step};
use super::table::{Row, Table};
use super::terms::{TermId, Terms};

/// The rules of a program, ready for evaluation.
#[derive(Clone, Debug)]
pub(super) struct Rules {
    plans: IdVec<RelationId, Vec<Plan>>,
    components: Vec<Component>,
    dependences: IdVec<RelationId, Dependence>,
    /// By relation: the places of the components that it needs, in order, its own last.
    needs: IdVec<RelationId, Vec<usize>>,
    bounds: Bounds,
}

/// How much work an evaluation may take.
#[derive(Clone, Debug)]
pub(super) struct Bounds {
    pub(super) deadline: Deadline,
    /// How many atoms may hold, and how often a rule may find one.
    pub(super) max_atoms: usize,
    /// How many terms there may be, with all their arguments.
    pub(super) max_cells: usize,
}

impl Bounds {
    pub(super) const NONE: Bounds =
        Bounds { deadline: Deadline::NEVER, max_atoms: usize::MAX, max_cells: usize::MAX };
}

/// The bounds of an evaluation were reached.
#[derive(Clone, Copy, Debug)]
pub(super) struct GivenUp;

impl Rules {
    pub(super) fn new(program: &Program, bounds: Bounds) -> Rules {
        let relations = program.relations();
        let mut plans: IdVec<RelationId, Vec<Plan>> = relations.iter().map(|_| vec![]).collect();
        for rule in program.rules() {
            plans[rule.head.relation].push(Plan::new(rule));
        }
        let components = program.components().to_vec();
        let needs = relations.ids().map(|id| needs(id, &components, &plans)).collect();
        let dependences = relations.iter().map(|relation| relation.dependence).collect();
        Rules { plans, components, dependences, needs, bounds }
    }
}

/// The components that `relation` depends on, itself included, in their order.
fn needs(
    relation: RelationId,
    components: &[Component],
    plans: &IdVec<RelationId, Vec<Plan>>,
) -> Vec<usize> {
    let mut is_needed: IdVec<RelationId, bool> = plans.iter().map(|_| false).collect();
    is_needed[relation] = true;
    let mut open = vec![relation];
    while let Some(relation) = open.pop() {
        let steps = plans[relation].iter().flat_map(|plan| &plan.steps);
        for step in steps {
            let (Step::Some(atom, _) | Step::None(atom)) = step else { continue };
            if !std::mem::replace(&mut is_needed[atom.relation], true) {
                open.push(atom.relation);
            }
        }
    }
    let has_needed = |component: &Component| component.relations.iter().any(|&r| is_needed[r]);
    (0..components.len()).filter(|&place| has_needed(&components[place])).collect()
}

/// What is known to hold so far.
#[derive(Clone, Debug)]
pub(super) struct Evaluation {
    tables: IdVec<RelationId, std::sync::Arc<Table>>,
    /// By component. Not true any more of the one at which it was given up.
    is_complete: Vec<bool>,
    n_atoms: usize,
}

impl Evaluation {
    pub(super) fn new(rules: &Rules) -> Evaluation {
        let tables = rules.plans.iter().map(|_| std::sync::Arc::default()).collect();
        Evaluation { tables, is_complete: vec![false; rules.components.len()], n_atoms: 0 }
    }

    pub(super) fn rows(&self, relation: RelationId) -> &[Row] {
        self.tables[relation].rows()
    }

    /// Gives the content of a relation that has no rules.
    pub(super) fn set(&mut self, relation: RelationId, rows: impl Iterator<Item = Row>) {
        let mut table = Table::default();
        rows.for_each(|row| _ = table.insert(row));
        self.tables[relation] = table.into();
    }

    /// Completes every relation that depends on no more than `dependence`.
    pub(super) fn complete_all(
        &mut self,
        rules: &Rules,
        terms: &mut Terms,
        dependence: Dependence,
    ) -> Result<(), GivenUp> {
        for (id, &of_relation) in rules.dependences.iter_with_ids() {
            if of_relation <= dependence {
                self.complete(rules, terms, id)?;
            }
        }
        Ok(())
    }

    /// Completes `relation` and what it needs. An evaluation that was given up is not to be used any more.
    pub(super) fn complete(
        &mut self,
        rules: &Rules,
        terms: &mut Terms,
        relation: RelationId,
    ) -> Result<(), GivenUp> {
        for &place in &rules.needs[relation] {
            if !std::mem::replace(&mut self.is_complete[place], true) {
                self.complete_component(rules, terms, &rules.components[place])?;
            }
        }
        Ok(())
    }

    fn complete_component(
        &mut self,
        rules: &Rules,
        terms: &mut Terms,
        component: &Component,
    ) -> Result<(), GivenUp> {
        loop {
            if rules.bounds.deadline.has_passed() {
                return Err(GivenUp);
            }
            let mut has_grown = false;
            for &relation in &component.relations {
                for plan in &rules.plans[relation] {
                    let found = self.solve(plan, terms, &rules.bounds)?;
                    let table = std::sync::Arc::make_mut(&mut self.tables[relation]);
                    for row in found {
                        let is_new = table.insert(row);
                        self.n_atoms += usize::from(is_new);
                        has_grown |= is_new;
                    }
                    if self.n_atoms > rules.bounds.max_atoms {
                        return Err(GivenUp);
                    }
                }
            }
            if !has_grown || !component.is_recursive {
                return Ok(());
            }
        }
    }

    /// The heads that `plan` derives from the tables.
    fn solve(&self, plan: &Plan, terms: &mut Terms, bounds: &Bounds) -> Result<Vec<Row>, GivenUp> {
        let mut found = Found { rows: Vec::new(), n_steps: 0, bounds };
        let mut bindings = IdVec::from_vec(vec![None; plan.n_variables]);
        self.solve_from(plan, 0, &mut bindings, terms, &mut found)?;
        Ok(found.rows)
    }

    fn solve_from(
        &self,
        plan: &Plan,
        place: usize,
        bindings: &mut Bindings,
        terms: &mut Terms,
        found: &mut Found<'_>,
    ) -> Result<(), GivenUp> {
        match plan.steps.get(place) {
            None => found.rows.push(row_of(&plan.head, bindings, terms)),
            Some(Step::Differ(left, right)) => {
                if value(left, bindings, terms) != value(right, bindings, terms) {
                    self.solve_from(plan, place + 1, bindings, terms, found)?;
                }
            }
            Some(Step::None(atom)) => {
                let row = row_of(atom, bindings, terms);
                if !self.tables[atom.relation].contains(&row) {
                    self.solve_from(plan, place + 1, bindings, terms, found)?;
                }
            }
            Some(Step::Some(atom, places)) => {
                let term_at = |&(argument, part): &(usize, Option<usize>)| match part {
                    None => value(&atom.args[argument], bindings, terms),
                    Some(part) => value(part_of(&atom.args[argument], part), bindings, terms),
                };
                let values: Vec<TermId> = places.iter().map(term_at).collect();
                for row in self.tables[atom.relation].matching(places, &values, terms) {
                    found.note_step(terms)?;
                    let before = bindings.clone();
                    let is_match = atom
                        .args
                        .iter()
                        .zip(&*row)
                        .all(|(pattern, &term)| fit(pattern, term, bindings, terms));
                    if is_match {
                        self.solve_from(plan, place + 1, bindings, terms, found)?;
                    }
                    *bindings = before;
                }
            }
        }
        Ok(())
    }
}

/// The heads that a rule derives, as far as they are found.
struct Found<'a> {
    rows: Vec<Row>,
    n_steps: usize,
    bounds: &'a Bounds,
}

impl Found<'_> {
    /// Looks now and then whether the bounds are reached.
    fn note_step(&mut self, terms: &Terms) -> Result<(), GivenUp> {
        const BETWEEN: usize = 1_024;
        self.n_steps += 1;
        let bounds = self.bounds;
        let is_too_long = self.n_steps.is_multiple_of(BETWEEN)
            && (self.rows.len() > bounds.max_atoms
                || terms.n_cells() > bounds.max_cells
                || bounds.deadline.has_passed());
        if is_too_long { Err(GivenUp) } else { Ok(()) }
    }
}

/// The values of the variables of a rule.
type Bindings = IdVec<VariableId, Option<TermId>>;

fn row_of(atom: &Atom, bindings: &Bindings, terms: &mut Terms) -> Row {
    atom.args.iter().map(|arg| value(arg, bindings, terms)).collect()
}

fn part_of(term: &Term, part: usize) -> &Term {
    match term {
        Term::Compound(_, parts) => &parts[part],
        _ => unreachable!("only compound terms have parts"),
    }
}

/// The ground term that `term` stands for; its variables are bound.
fn value(term: &Term, bindings: &Bindings, terms: &mut Terms) -> TermId {
    match term {
        Term::Variable(id) => bindings[*id].expect("the plan binds a variable before its use"),
        Term::Constant(symbol) => terms.constant(*symbol),
        Term::Compound(name, args) => {
            let args = args.iter().map(|arg| value(arg, bindings, terms)).collect();
            terms.intern((*name, args))
        }
    }
}

/// Whether `term` is an instance of `pattern`, binding the variables that are free.
fn fit(pattern: &Term, term: TermId, bindings: &mut Bindings, terms: &mut Terms) -> bool {
    match pattern {
        Term::Variable(id) => *bindings[*id].get_or_insert(term) == term,
        Term::Constant(symbol) => terms.constant(*symbol) == term,
        Term::Compound(name, parts) => {
            let (symbol, args) = terms.shape(term).clone();
            symbol == *name
                && args.len() == parts.len()
                && parts.iter().zip(args).all(|(part, arg)| fit(part, arg, bindings, terms))
        }
    }
}
