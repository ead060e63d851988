//! Equalities resolved.

use base::IdVec;

use super::{Budget, TooLarge};
use crate::program::{Rule, Term, VariableId};

/// Equalities can stand for terms that are deeper than any that is written.
const MAX_DEPTH: usize = 1_000;

/// A most general unifier (Robinson 1965).
pub(super) struct Substitution {
    values: IdVec<VariableId, Option<Term>>,
}

impl Substitution {
    /// Makes the two sides of each equality equal; `None` when that cannot be.
    pub(super) fn unify(
        n_variables: usize,
        mut equalities: Vec<(Term, Term)>,
        budget: &mut Budget,
    ) -> Result<Option<Substitution>, TooLarge> {
        let mut substitution = Substitution { values: (0..n_variables).map(|_| None).collect() };
        while let Some((left, right)) = equalities.pop() {
            budget.take(1)?;
            let left = substitution.resolve(&left).clone();
            let right = substitution.resolve(&right).clone();
            match (left, right) {
                (left, right) if left == right => {}
                (Term::Variable(id), term) | (term, Term::Variable(id)) => {
                    if substitution.occurs(id, &term, 0, budget)? {
                        return Ok(None);
                    }
                    substitution.values[id] = Some(term);
                }
                (Term::Compound(f, fs), Term::Compound(g, gs))
                    if f == g && fs.len() == gs.len() =>
                {
                    equalities.extend(fs.into_iter().zip(gs));
                }
                _ => return Ok(None),
            }
        }
        Ok(Some(substitution))
    }

    /// Replaces the variables of a rule by what they stand for.
    pub(super) fn apply(&self, rule: &mut Rule, budget: &mut Budget) -> Result<(), TooLarge> {
        let mut outcome = Ok(());
        rule.for_each_term_mut(&mut |term| {
            if outcome.is_ok() {
                match self.value(term, 0, budget) {
                    Ok(value) => *term = value,
                    Err(too_large) => outcome = Err(too_large),
                }
            }
        });
        outcome
    }

    /// What `term` stands for, looking at variables only as a whole.
    fn resolve<'t>(&'t self, mut term: &'t Term) -> &'t Term {
        while let Term::Variable(id) = term
            && let Some(value) = &self.values[*id]
        {
            term = value;
        }
        term
    }

    fn occurs(
        &self,
        id: VariableId,
        term: &Term,
        depth: usize,
        budget: &mut Budget,
    ) -> Result<bool, TooLarge> {
        take_level(depth, budget)?;
        match self.resolve(term) {
            Term::Variable(other) => Ok(*other == id),
            Term::Constant(_) => Ok(false),
            Term::Compound(_, args) => {
                for arg in args {
                    if self.occurs(id, arg, depth + 1, budget)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }

    /// `term` with every variable replaced by what it stands for.
    fn value(&self, term: &Term, depth: usize, budget: &mut Budget) -> Result<Term, TooLarge> {
        take_level(depth, budget)?;
        match self.resolve(term) {
            Term::Compound(name, args) => {
                let args: Result<Vec<Term>, TooLarge> =
                    args.iter().map(|arg| self.value(arg, depth + 1, budget)).collect();
                Ok(Term::Compound(*name, args?))
            }
            term => Ok(term.clone()),
        }
    }
}

fn take_level(depth: usize, budget: &mut Budget) -> Result<(), TooLarge> {
    if depth > MAX_DEPTH { Err(TooLarge) } else { budget.take(1) }
}
