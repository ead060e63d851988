//! All bindings of a rule's variables that fit the tables.

use std::ops::Range;

use base::{Id, IdVec};
use program::{Atom, Dependence, RelationId, Rule, Term, VariableId};
use smallvec::SmallVec;

use crate::instantiate::{Condition, Instances, Limits, MAX_CELLS};
use crate::plan::{Plan, Step};
use crate::prepared::Prepared;
use crate::table::{Key, Place, Table, functor_code, signature_code};
use crate::terms::{TermId, Terms};

/// An instance that is found takes as long as so many rows that are looked at.
const ROWS_OF_INSTANCE: usize = 8;

/// A few terms.
type Row = SmallVec<[TermId; 8]>;

/// A limit was reached.
pub(crate) struct LimitReached {
    pub(crate) is_time: bool,
}

/// What a join found: heads, and the conditions that change.
#[derive(Default)]
pub(crate) struct Found {
    pub(crate) n_found: usize,
    pub(crate) heads: Vec<TermId>,
    /// How many conditions each instance has.
    pub(crate) width: usize,
    pub(crate) conditions: Vec<Condition>,
}

/// A join under way.
pub(crate) struct Join<'a> {
    /// By condition: the rows that count.
    ranges: Vec<Range<u32>>,
    tables: &'a IdVec<RelationId, Table>,
    terms: &'a mut Terms,
    negated: &'a mut IdVec<RelationId, Table>,
    rule: &'a Rule,
    plan: &'a Plan,
    prepared: &'a Prepared,
    bindings: Vec<Option<TermId>>,
    conditions: Vec<Condition>,
    pub(crate) found: Found,
    limits: &'a Limits,
    /// How many rows may still be looked at.
    pub(crate) n_rows_left: usize,
    n_steps: usize,
}

impl<'a> Join<'a> {
    pub(crate) fn new(
        instances: &'a mut Instances,
        prepared: &'a Prepared,
        rule: &'a Rule,
        plan: &'a Plan,
        ranges: Vec<Range<u32>>,
        limits: &'a Limits,
    ) -> Join<'a> {
        let Instances { tables, terms, negated, .. } = instances;
        Join {
            ranges,
            tables,
            terms,
            negated,
            rule,
            plan,
            prepared,
            bindings: vec![None; rule.variables.len()],
            conditions: Vec::new(),
            found: Found::default(),
            limits,
            n_rows_left: usize::MAX,
            n_steps: 0,
        }
    }

    /// Finds everything that fits.
    pub(crate) fn find(&mut self) -> Result<(), LimitReached> {
        self.run(0)
    }

    fn run(&mut self, place: usize) -> Result<(), LimitReached> {
        let plan = self.plan;
        let Some(step) = plan.steps.get(place) else { return self.emit() };
        match step {
            Step::Distinct { left, right } => {
                if self.value(left) != self.value(right) {
                    self.run(place + 1)?;
                }
                Ok(())
            }
            Step::StaticNot { atom } => {
                let row = self.row(atom);
                if self.tables[atom.relation].find(&row).is_none() {
                    self.run(place + 1)?;
                }
                Ok(())
            }
            Step::DynamicNot { atom } => {
                let row = self.row(atom);
                let table = &mut self.negated[atom.relation];
                let row = table.insert(&row, self.terms);
                if table.n_rows() * atom.args.len() > MAX_CELLS {
                    return Err(LimitReached { is_time: false });
                }
                let relation = atom.relation;
                self.conditions.push(Condition { relation, row, is_negative: true });
                self.run(place + 1)?;
                self.conditions.pop();
                Ok(())
            }
            Step::Join { literal, atom, places, index, binds } => {
                let key = self.key(atom, places);
                let table = &self.tables[atom.relation];
                let candidates = table.candidates(*index, key, &self.ranges[*literal]);
                self.join(place, atom, candidates, binds)
            }
        }
    }

    fn join(
        &mut self,
        place: usize,
        atom: &Atom,
        candidates: &[u32],
        binds: &[VariableId],
    ) -> Result<(), LimitReached> {
        let relation = atom.relation;
        let is_condition = self.is_condition(relation);
        self.spend(candidates.len())?;
        for &row in candidates {
            if self.fits(atom, row) {
                if is_condition {
                    self.conditions.push(Condition { relation, row, is_negative: false });
                }
                self.run(place + 1)?;
                if is_condition {
                    self.conditions.pop();
                }
            }
            for &variable in binds {
                *self.binding(variable) = None;
            }
        }
        Ok(())
    }

    /// Counts rows that are looked at; now and then looks at the clock, and at the room that terms take.
    fn spend(&mut self, n_rows: usize) -> Result<(), LimitReached> {
        self.n_steps += 1;
        if self.n_steps.is_multiple_of(4_096) {
            if self.limits.deadline.has_passed() {
                return Err(LimitReached { is_time: true });
            }
            if self.terms.n_cells() > MAX_CELLS {
                return Err(LimitReached { is_time: false });
            }
        }
        let left = self.n_rows_left.checked_sub(n_rows);
        self.n_rows_left = left.unwrap_or(0);
        left.map(|_| ()).ok_or(LimitReached { is_time: false })
    }

    /// Whether what is found in `relation` is a condition of the instance.
    fn is_condition(&self, relation: RelationId) -> bool {
        let Prepared { program, filters, .. } = self.prepared;
        program.relation(relation).dependence > Dependence::Nothing && !filters.contains(&relation)
    }

    fn emit(&mut self) -> Result<(), LimitReached> {
        self.spend(ROWS_OF_INSTANCE)?;
        let rule = self.rule;
        for arg in &rule.head.args {
            let term = self.value(arg);
            self.found.heads.push(term);
        }
        self.found.width = self.conditions.len();
        self.found.conditions.extend_from_slice(&self.conditions);
        self.found.n_found += 1;
        let is_too_large = self.found.conditions.len() > self.limits.max_literals
            || self.found.heads.len() > MAX_CELLS;
        if is_too_large {
            return Err(LimitReached { is_time: false });
        }
        Ok(())
    }

    fn key(&mut self, atom: &Atom, places: &[Place]) -> u64 {
        let mut key = Key::default();
        for place in places {
            match *place {
                Place::Arg(arg) => key.add(self.value(&atom.args[arg]).index()),
                Place::Functor(arg) => {
                    let Term::Compound(functor, parts) = &atom.args[arg] else {
                        unreachable!("only functions have places for their names")
                    };
                    key.add(signature_code(*functor, parts.len()));
                }
                Place::Part(arg, part) => {
                    let Term::Compound(_, parts) = &atom.args[arg] else {
                        unreachable!("only functions have parts")
                    };
                    key.add(self.value(&parts[part]).index());
                }
            }
        }
        key.finish()
    }

    fn row(&mut self, atom: &Atom) -> Row {
        atom.args.iter().map(|arg| self.value(arg)).collect()
    }

    /// The ground term that `term` stands for; its variables are bound.
    fn value(&mut self, term: &Term) -> TermId {
        match term {
            Term::Variable(id) => self.binding(*id).expect("the plan binds a variable before use"),
            Term::Constant(symbol) => self.terms.intern(*symbol, &[]),
            Term::Compound(functor, parts) => {
                let parts: Row = parts.iter().map(|part| self.value(part)).collect();
                self.terms.intern(*functor, &parts)
            }
        }
    }

    fn binding(&mut self, id: VariableId) -> &mut Option<TermId> {
        &mut self.bindings[id.index()]
    }

    /// Whether the row is an instance of `atom`, binding the variables that are free.
    fn fits(&mut self, atom: &Atom, row: u32) -> bool {
        (0..atom.args.len()).all(|arg| {
            let term = self.tables[atom.relation].row(row)[arg];
            self.fit(&atom.args[arg], term)
        })
    }

    fn fit(&mut self, pattern: &Term, term: TermId) -> bool {
        match pattern {
            Term::Variable(id) => *self.binding(*id).get_or_insert(term) == term,
            Term::Constant(symbol) => {
                let terms = &*self.terms;
                terms.functor(term) == *symbol && terms.args(term).is_empty()
            }
            Term::Compound(functor, parts) => {
                let terms = &*self.terms;
                let is_same = functor_code(terms, term) == signature_code(*functor, parts.len())
                    && terms.args(term).len() == parts.len();
                is_same
                    && (0..parts.len()).all(|part| {
                        let arg = self.terms.args(term)[part];
                        self.fit(&parts[part], arg)
                    })
            }
        }
    }
}
