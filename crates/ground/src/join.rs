//! All bindings of a rule's variables that fit the tables.

use std::ops::Range;

use base::Id;
use program::{Atom, Dependence, Program, Rule, Term, VariableId};

use crate::instantiate::{Condition, Instances, Limits};
use crate::plan::{Plan, Step};
use crate::table::{Key, Place, functor_code, signature_code};
use crate::terms::TermId;

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
    instances: &'a mut Instances,
    rule: &'a Rule,
    plan: &'a Plan,
    program: &'a Program,
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
        program: &'a Program,
        rule: &'a Rule,
        plan: &'a Plan,
        ranges: Vec<Range<u32>>,
        limits: &'a Limits,
    ) -> Join<'a> {
        Join {
            ranges,
            instances,
            rule,
            plan,
            program,
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
                if self.instances.tables[atom.relation].find(&row).is_none() {
                    self.run(place + 1)?;
                }
                Ok(())
            }
            Step::DynamicNot { atom } => {
                let row = self.row(atom);
                let Instances { negated, terms, .. } = &mut *self.instances;
                let table = &mut negated[atom.relation];
                let number = table.insert(&row, terms).or_else(|| table.find(&row));
                let row = number.expect("it is there now");
                let relation = atom.relation;
                self.conditions.push(Condition { relation, row, is_negative: true });
                self.run(place + 1)?;
                self.conditions.pop();
                Ok(())
            }
            Step::Join { literal, atom, places, index } => {
                let key = self.key(atom, places);
                let range = self.ranges[*literal].clone();
                self.join(place, atom, *index, key, &range)
            }
        }
    }

    fn join(
        &mut self,
        place: usize,
        atom: &Atom,
        index: usize,
        key: u64,
        range: &Range<u32>,
    ) -> Result<(), LimitReached> {
        let relation = atom.relation;
        let is_static = self.program.relation(relation).dependence == Dependence::Nothing;
        let candidates = self.instances.tables[relation].candidates(index, key, range).to_vec();
        self.n_rows_left = match self.n_rows_left.checked_sub(candidates.len()) {
            Some(n_rows_left) => n_rows_left,
            None => return Err(LimitReached { is_time: false }),
        };
        for row in candidates {
            let before = self.bindings.clone();
            if self.fits(atom, row) {
                if !is_static {
                    self.conditions.push(Condition { relation, row, is_negative: false });
                }
                self.run(place + 1)?;
                if !is_static {
                    self.conditions.pop();
                }
            }
            self.bindings = before;
        }
        Ok(())
    }

    fn emit(&mut self) -> Result<(), LimitReached> {
        self.n_steps += 1;
        if self.n_steps.is_multiple_of(4_096) && self.limits.deadline.has_passed() {
            return Err(LimitReached { is_time: true });
        }
        let rule = self.rule;
        for arg in &rule.head.args {
            let term = self.value(arg);
            self.found.heads.push(term);
        }
        self.found.width = self.conditions.len();
        self.found.conditions.extend_from_slice(&self.conditions);
        self.found.n_found += 1;
        if self.found.conditions.len() > self.limits.max_literals {
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

    fn row(&mut self, atom: &Atom) -> Vec<TermId> {
        atom.args.iter().map(|arg| self.value(arg)).collect()
    }

    /// The ground term that `term` stands for; its variables are bound.
    fn value(&mut self, term: &Term) -> TermId {
        match term {
            Term::Variable(id) => self.binding(*id).expect("the plan binds a variable before use"),
            Term::Constant(symbol) => self.instances.terms.intern(*symbol, &[]),
            Term::Compound(functor, parts) => {
                let parts: Vec<TermId> = parts.iter().map(|part| self.value(part)).collect();
                self.instances.terms.intern(*functor, &parts)
            }
        }
    }

    fn binding(&mut self, id: VariableId) -> &mut Option<TermId> {
        &mut self.bindings[id.index()]
    }

    /// Whether the row is an instance of `atom`, binding the variables that are free.
    fn fits(&mut self, atom: &Atom, row: u32) -> bool {
        (0..atom.args.len()).all(|arg| {
            let term = self.instances.tables[atom.relation].row(row)[arg];
            self.fit(&atom.args[arg], term)
        })
    }

    fn fit(&mut self, pattern: &Term, term: TermId) -> bool {
        match pattern {
            Term::Variable(id) => *self.binding(*id).get_or_insert(term) == term,
            Term::Constant(symbol) => {
                let terms = &self.instances.terms;
                terms.functor(term) == *symbol && terms.args(term).is_empty()
            }
            Term::Compound(functor, parts) => {
                let terms = &self.instances.terms;
                let is_same = functor_code(terms, term) == signature_code(*functor, parts.len())
                    && terms.args(term).len() == parts.len();
                is_same
                    && (0..parts.len()).all(|part| {
                        let arg = self.instances.terms.args(term)[part];
                        self.fit(&parts[part], arg)
                    })
            }
        }
    }
}
