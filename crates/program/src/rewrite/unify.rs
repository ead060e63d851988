//! Equalities resolved.

use base::IdVec;

use super::TooLarge;
use crate::program::{Term, VariableId};

/// Equalities that take more steps than this are refused: they can stand for huge terms.
const MAX_STEPS: usize = 1_000_000;

/// A most general unifier (Robinson 1965).
pub(super) struct Substitution {
    values: IdVec<VariableId, Option<Term>>,
    steps_left: usize,
}

impl Substitution {
    pub(super) fn new(n_variables: usize) -> Substitution {
        let values = (0..n_variables).map(|_| None).collect();
        Substitution { values, steps_left: MAX_STEPS }
    }

    /// Makes the two sides of each equality equal; false when that cannot be.
    pub(super) fn unify(&mut self, mut equalities: Vec<(Term, Term)>) -> Result<bool, TooLarge> {
        while let Some((left, right)) = equalities.pop() {
            self.take_step()?;
            match (self.resolve(left), self.resolve(right)) {
                (left, right) if left == right => {}
                (Term::Variable(id), term) | (term, Term::Variable(id)) => {
                    if self.occurs(id, &term)? {
                        return Ok(false);
                    }
                    self.values[id] = Some(term);
                }
                (Term::Compound(f, fs), Term::Compound(g, gs))
                    if f == g && fs.len() == gs.len() =>
                {
                    equalities.extend(fs.into_iter().zip(gs));
                }
                _ => return Ok(false),
            }
        }
        Ok(true)
    }

    fn take_step(&mut self) -> Result<(), TooLarge> {
        self.steps_left = self.steps_left.checked_sub(1).ok_or(TooLarge)?;
        Ok(())
    }

    /// What `term` stands for, looking at variables only as a whole.
    fn resolve(&self, mut term: Term) -> Term {
        while let Term::Variable(id) = term
            && let Some(value) = &self.values[id]
        {
            term = value.clone();
        }
        term
    }

    fn occurs(&mut self, id: VariableId, term: &Term) -> Result<bool, TooLarge> {
        self.take_step()?;
        match self.resolve(term.clone()) {
            Term::Variable(other) => Ok(other == id),
            Term::Constant(_) => Ok(false),
            Term::Compound(_, args) => {
                for arg in &args {
                    if self.occurs(id, arg)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }

    /// `term` with every variable replaced by what it stands for.
    pub(super) fn value(&mut self, term: &Term) -> Result<Term, TooLarge> {
        self.take_step()?;
        match self.resolve(term.clone()) {
            Term::Compound(name, args) => {
                let args: Result<_, _> = args.iter().map(|arg| self.value(arg)).collect();
                Ok(Term::Compound(name, args?))
            }
            term => Ok(term),
        }
    }
}
