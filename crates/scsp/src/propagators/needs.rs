//! Values that go only with something else.

use super::formula::{Truth, assert, truth};
use crate::network::{Needs, VarId};
use crate::store::{Failed, Store};

/// A variable whose values need literals. Only the values that need a variable that has changed are
/// looked at.
#[derive(Clone, Debug)]
pub(crate) struct NeedsPropagator {
    needs: Needs,
    /// By variable of the scope: the numbers of the values that need something of it.
    values_with: Vec<Vec<u32>>,
    /// The variables, by their positions in the scope, that have changed; all at first.
    changed: Vec<u32>,
}

impl NeedsPropagator {
    pub(crate) fn new(needs: &Needs) -> NeedsPropagator {
        let scope = needs.scope();
        let mut values_with: Vec<Vec<u32>> = vec![Vec::new(); scope.len()];
        for (number, (_, literals)) in (0..).zip(needs.needs()) {
            for literal in literals {
                let position = scope.binary_search(&literal.var);
                let values = &mut values_with[position.expect("the scope has all variables")];
                if values.last() != Some(&number) {
                    values.push(number);
                }
            }
        }
        let changed = (0..scope.len() as u32).collect();
        NeedsPropagator { needs: needs.clone(), values_with, changed }
    }

    pub(crate) fn scope(&self) -> &[VarId] {
        self.needs.scope()
    }

    /// Notes that the variable at a position of the scope has changed.
    pub(crate) fn note(&mut self, position: u32) {
        self.changed.push(position);
    }

    pub(crate) fn forget_notes(&mut self) {
        self.changed.clear();
    }

    /// Takes away the values that need what is false; when one is left, what it needs becomes true.
    pub(crate) fn propagate(&mut self, store: &mut Store) -> Result<(), Failed> {
        let var = self.needs.var();
        while let Some(position) = self.changed.pop() {
            for &number in &self.values_with[position as usize] {
                let (value, literals) = &self.needs.needs()[number as usize];
                if literals.iter().any(|&literal| truth(literal, store) == Truth::False) {
                    store.remove(var, *value as usize)?;
                }
            }
        }
        if store.is_fixed(var) {
            let literals = self.needs.of(store.first(var) as u32);
            literals.iter().try_for_each(|&literal| assert(literal, store))?;
        }
        Ok(())
    }
}
