//! Bottom-up instantiation: every rule with every binding that can ever matter.
//!
//! Relations that never change are evaluated completely. Of the others, those atoms are found that
//! can ever hold: fluents from `init` and `next`, moves from `legal`, and all else from these, with
//! negated conditions taken as open. Joins are semi-naive: a rule is looked at again only with what
//! is new since the last round.

use std::ops::Range;

use base::{Deadline, IdVec};
use gdl::Span;
use program::{Dependence, Literal, Program, RelationId, Rule};

use crate::join::{Found, Join};
use crate::plan::{Known, Plan, Step};
use crate::prepared::Prepared;
use crate::table::Table;
use crate::terms::{TermId, Terms};

/// How much work grounding may take.
#[derive(Clone, Debug)]
pub struct Limits {
    /// When to give up.
    pub deadline: Deadline,
    /// How many conditions the instances of rules may have in all.
    pub max_literals: usize,
}

/// Why a program could not be grounded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GroundError {
    /// The deadline passed at this rule.
    OutOfTime {
        /// The rule, in prefix form.
        rule: String,
    },
    /// The deadline passed when all rules had their instances, and what they say was made simpler.
    OutOfTimeAfterwards,
    /// There were too many instances, of this rule the last.
    TooLarge {
        /// The rule, in prefix form.
        rule: String,
    },
}

impl std::fmt::Display for GroundError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            GroundError::OutOfTime { rule } => write!(f, "out of time at the rule\n{rule}"),
            GroundError::OutOfTimeAfterwards => {
                f.write_str("out of time when the formulas were made simpler")
            }
            GroundError::TooLarge { rule } => write!(f, "too many instances, at the rule\n{rule}"),
        }
    }
}

impl std::error::Error for GroundError {}

/// The instances of all rules.
pub(crate) struct Instances {
    pub(crate) terms: Terms,
    pub(crate) tables: IdVec<RelationId, Table>,
    /// By rule instance: its head, and where its conditions end.
    pub(crate) heads: Vec<(RelationId, u32)>,
    pub(crate) ends: Vec<u32>,
    pub(crate) literals: Vec<Condition>,
    /// The atoms that negated conditions are about, which may be none that can hold.
    pub(crate) negated: IdVec<RelationId, Table>,
}

/// A condition of an instance: a row of a relation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Condition {
    pub(crate) relation: RelationId,
    pub(crate) row: u32,
    pub(crate) is_negative: bool,
}

/// A program that was not instantiated, because a limit was reached.
pub(crate) struct Stopped {
    pub(crate) error: GroundError,
    /// Where the rule stands that was instantiated last.
    pub(crate) span: Span,
    /// Whether it was that too many rows were looked at, not time or size.
    pub(crate) is_by_rows: bool,
    /// How many rows each relation had by then.
    pub(crate) n_rows: IdVec<RelationId, usize>,
}

/// Instantiates a program, looking at no more than `max_rows` rows in joins.
pub(crate) fn instantiate(
    prepared: &Prepared,
    limits: &Limits,
    max_rows: usize,
) -> Result<Instances, Stopped> {
    let mut grounder = Grounder::new(prepared, limits, max_rows);
    let outcome = grounder.evaluate_statics().and_then(|()| grounder.instantiate_dynamics());
    let instances = grounder.instances;
    match outcome {
        Ok(()) => Ok(instances),
        Err(error) => {
            let n_rows = instances.tables.iter().map(Table::n_rows).collect();
            let is_by_rows = grounder.n_rows_left == 0;
            Err(Stopped { error, span: grounder.span, is_by_rows, n_rows })
        }
    }
}

struct Grounder<'p> {
    prepared: &'p Prepared,
    program: &'p Program,
    limits: &'p Limits,
    instances: Instances,
    /// By relation: whether it grows at present.
    is_moving: IdVec<RelationId, bool>,
    /// By relation: the rows of the rounds before the last, and those of the last with them.
    seen: IdVec<RelationId, (u32, u32)>,
    /// Whether instances are kept, or only their heads.
    is_recording: bool,
    roles: Vec<TermId>,
    n_rows_left: usize,
    /// How many terms all rows have.
    n_cells: usize,
    /// Where the rule stands that is being instantiated.
    span: Span,
}

/// All rows have no more terms than this, which take half a gigabyte, those that a join finds have no more, nor those
/// that are negated in a relation; and all terms have no more arguments.
pub(crate) const MAX_CELLS: usize = 50_000_000;

/// A join of a rule that begins with what is new at one of its conditions.
struct DeltaJoin<'p> {
    rule: &'p Rule,
    delta: Option<usize>,
    /// The plan, and how many rows the growing relations of the conditions had when it was made.
    plan: Option<(Plan, usize)>,
}

/// A join is planned again when its relations have grown by this factor.
const REPLANNED_GROWTH: usize = 4;

impl<'p> Grounder<'p> {
    fn new(prepared: &'p Prepared, limits: &'p Limits, max_rows: usize) -> Grounder<'p> {
        let program = &prepared.program;
        let tables = || program.relations().iter().map(|r| Table::new(r.arity)).collect();
        let mut terms = Terms::default();
        let roles = program.roles().iter().map(|&role| terms.intern(role, &[])).collect();
        let instances = Instances {
            terms,
            tables: tables(),
            heads: Vec::new(),
            ends: Vec::new(),
            literals: Vec::new(),
            negated: tables(),
        };
        let seen = program.relations().iter().map(|_| (0, 0)).collect();
        let is_moving = program.relations().iter().map(|_| false).collect();
        Grounder {
            prepared,
            program,
            limits,
            instances,
            is_moving,
            seen,
            is_recording: false,
            roles,
            n_rows_left: max_rows,
            n_cells: 0,
            span: Span::default(),
        }
    }

    fn is_static(&self, relation: RelationId) -> bool {
        self.program.relation(relation).dependence == Dependence::Nothing
    }

    /// Evaluates the relations that never change, component after component.
    fn evaluate_statics(&mut self) -> Result<(), GroundError> {
        let mut by_head: IdVec<RelationId, Vec<&'p Rule>> =
            self.program.relations().iter().map(|_| Vec::new()).collect();
        for rule in self.program.rules() {
            by_head[rule.head.relation].push(rule);
        }
        for component in self.program.components() {
            if !self.is_static(component.relations[0]) {
                continue;
            }
            component.relations.iter().for_each(|&id| self.is_moving[id] = component.is_recursive);
            let rules = component.relations.iter().flat_map(|&id| by_head[id].iter().copied());
            let joins = self.joins(rules.collect());
            self.run_rounds(joins)?;
            component.relations.iter().for_each(|&id| self.is_moving[id] = false);
        }
        Ok(())
    }

    /// Finds what can ever hold, and records the instances on the way.
    fn instantiate_dynamics(&mut self) -> Result<(), GroundError> {
        for id in self.program.relations().ids() {
            self.is_moving[id] = !self.is_static(id);
        }
        self.is_recording = true;
        for number in 0..self.instances.tables[RelationId::INIT].n_rows() {
            let number = u32::try_from(number).expect("fewer than 2^32 rows");
            let row = self.instances.tables[RelationId::INIT].row(number).to_vec();
            self.add(RelationId::TRUE, &row);
        }
        let is_wanted =
            |rule: &&Rule| !self.is_static(rule.head.relation) || has_visible_head(rule);
        let rules: Vec<&Rule> = self.program.rules().iter().filter(is_wanted).collect();
        let joins = self.joins(rules);
        self.run_rounds(joins)
    }

    /// Joins until there is nothing new: first where nothing moves, then from what is new in each
    /// round.
    fn run_rounds(&mut self, mut joins: Vec<DeltaJoin<'p>>) -> Result<(), GroundError> {
        for join in joins.iter_mut().filter(|join| join.delta.is_none()) {
            self.run_join(join)?;
        }
        loop {
            let mut has_new = false;
            for id in self.program.relations().ids() {
                if self.is_moving[id] {
                    let n_rows = self.n_rows(id);
                    self.seen[id] = (self.seen[id].1, n_rows);
                    has_new |= self.seen[id].0 < n_rows;
                }
            }
            if !has_new {
                return Ok(());
            }
            for join in &mut joins {
                let Some(delta) = join.delta else { continue };
                let relation = join.rule.body[delta].relation().expect("a delta is an atom");
                let (old, now) = self.seen[relation];
                if old < now {
                    self.run_join(join)?;
                }
            }
        }
    }

    fn run_join(&mut self, join: &mut DeltaJoin<'p>) -> Result<(), GroundError> {
        let relations = join.rule.body.iter().filter_map(Literal::relation);
        let moving = relations.filter(|&relation| self.is_moving[relation]);
        let n_rows = moving.map(|relation| self.instances.tables[relation].n_rows()).sum();
        let is_planned = |planned: &(Plan, usize)| n_rows <= REPLANNED_GROWTH * planned.1;
        let plan = match join.plan.take().filter(is_planned) {
            Some(planned) => planned,
            None => (self.plan(join.rule, join.delta), n_rows),
        };
        let (plan, _) = join.plan.insert(plan);
        self.span = join.rule.span;
        let found = self.join(join.rule, plan, join.delta)?;
        self.record(join.rule, &found)
    }

    fn n_rows(&self, relation: RelationId) -> u32 {
        u32::try_from(self.instances.tables[relation].n_rows()).expect("fewer than 2^32 rows")
    }

    /// For each rule: a join from each positive condition that moves, or one if there is none.
    fn joins(&self, rules: Vec<&'p Rule>) -> Vec<DeltaJoin<'p>> {
        let mut joins = Vec::new();
        for rule in rules {
            let moves = |place: &usize| match &rule.body[*place] {
                Literal::Positive(atom) => self.is_moving[atom.relation],
                _ => false,
            };
            let deltas: Vec<usize> = (0..rule.body.len()).filter(moves).collect();
            let deltas: Vec<Option<usize>> =
                if deltas.is_empty() { vec![None] } else { deltas.into_iter().map(Some).collect() };
            joins.extend(deltas.into_iter().map(|delta| DeltaJoin { rule, delta, plan: None }));
        }
        joins
    }

    /// A plan by what the tables hold at present, with the indexes that it asks for.
    fn plan(&mut self, rule: &Rule, delta: Option<usize>) -> Plan {
        let Instances { tables, terms, .. } = &mut self.instances;
        let mut plan = Plan::new(rule, delta, Known { program: self.program, tables, terms });
        for step in &mut plan.steps {
            if let Step::Join { atom, places, index, .. } = step {
                *index = tables[atom.relation].index(places, terms);
            }
        }
        plan
    }

    fn add(&mut self, relation: RelationId, row: &[TermId]) -> u32 {
        let Instances { tables, terms, .. } = &mut self.instances;
        let table = &mut tables[relation];
        let n_before = table.n_rows();
        let number = table.insert(row, terms);
        self.n_cells += (table.n_rows() - n_before) * row.len();
        match relation {
            _ if !self.is_recording => {}
            RelationId::NEXT => _ = self.add(RelationId::TRUE, row),
            RelationId::LEGAL if self.roles.contains(&row[0]) => {
                self.add(RelationId::DOES, row);
            }
            _ => {}
        }
        number
    }

    /// Adds the heads that were found, and keeps the instances.
    fn record(&mut self, rule: &Rule, found: &Found) -> Result<(), GroundError> {
        let arity = rule.head.args.len();
        let is_filter = self.prepared.filters.contains(&rule.head.relation);
        let is_recorded = self.is_recording && !is_filter;
        for n in 0..found.n_found {
            let row = &found.heads[n * arity..(n + 1) * arity];
            let head = self.add(rule.head.relation, row);
            if !is_recorded {
                continue;
            }
            let conditions = &found.conditions[n * found.width..(n + 1) * found.width];
            self.instances.heads.push((rule.head.relation, head));
            self.instances.literals.extend_from_slice(conditions);
            let Ok(end) = u32::try_from(self.instances.literals.len()) else {
                return Err(self.too_large(rule));
            };
            self.instances.ends.push(end);
        }
        if self.instances.literals.len() > self.limits.max_literals || self.n_cells > MAX_CELLS {
            return Err(self.too_large(rule));
        }
        Ok(())
    }

    fn out_of_time(&self, rule: &Rule) -> GroundError {
        GroundError::OutOfTime { rule: self.program.display_rule(rule).to_string() }
    }

    fn too_large(&self, rule: &Rule) -> GroundError {
        GroundError::TooLarge { rule: self.program.display_rule(rule).to_string() }
    }

    /// All instances of `rule`; with a delta, those that have something new there.
    fn join(
        &mut self,
        rule: &Rule,
        plan: &Plan,
        delta: Option<usize>,
    ) -> Result<Found, GroundError> {
        if self.limits.deadline.has_passed() {
            return Err(self.out_of_time(rule));
        }
        let range_of = |place: usize, relation: RelationId| -> Range<u32> {
            let (old, now) = self.seen[relation];
            match delta {
                _ if !self.is_moving[relation] => 0..self.n_rows(relation),
                None => 0..self.n_rows(relation),
                Some(delta) if place == delta => old..now,
                Some(delta) if place < delta => 0..old,
                Some(_) => 0..now,
            }
        };
        let ranges =
            rule.body.iter().enumerate().map(|(place, literal)| match literal.relation() {
                Some(relation) => range_of(place, relation),
                None => 0..0,
            });
        let ranges = ranges.collect();
        let mut join =
            Join::new(&mut self.instances, self.prepared, rule, plan, ranges, self.limits);
        join.n_rows_left = self.n_rows_left;
        let outcome = join.find();
        self.n_rows_left = join.n_rows_left;
        let found = join.found;
        outcome.map(|()| found).map_err(|limit| match limit.is_time {
            true => self.out_of_time(rule),
            false => self.too_large(rule),
        })
    }
}

/// Whether the rule is for what players do, see and get, which matters even where it never changes.
fn has_visible_head(rule: &Rule) -> bool {
    matches!(
        rule.head.relation,
        RelationId::LEGAL
            | RelationId::NEXT
            | RelationId::GOAL
            | RelationId::TERMINAL
            | RelationId::SEES
    )
}

impl Instances {
    /// The places of the conditions of an instance.
    pub(crate) fn range_of(&self, instance: usize) -> Range<usize> {
        let start = if instance == 0 { 0 } else { self.ends[instance - 1] as usize };
        start..self.ends[instance] as usize
    }

    /// The row of the relation that a negated condition is about, or `None` when it can never hold.
    pub(crate) fn negated_row(&self, condition: Condition) -> Option<u32> {
        let row = self.negated[condition.relation].row(condition.row);
        self.tables[condition.relation].find(row)
    }
}
