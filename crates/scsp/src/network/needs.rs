//! Values that go only with something else.

use base::Id as _;

use super::{Literal, VarId};

/// A hard constraint: when a variable has a value, all literals that this value needs hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Needs {
    var: VarId,
    /// The places of values that need something, ascending, and what they need.
    needs: Vec<(u32, Vec<Literal>)>,
    scope: Vec<VarId>,
}

impl Needs {
    /// `needs` says what values of `var` need, by their places, ascending.
    pub(crate) fn new(var: VarId, needs: Vec<(u32, Vec<Literal>)>) -> Needs {
        let literals = needs.iter().flat_map(|(_, needs)| needs).map(|literal| literal.var);
        let mut scope: Vec<VarId> = literals.chain([var]).collect();
        scope.sort_unstable();
        scope.dedup();
        Needs { var, needs, scope }
    }

    /// The variables that it is about.
    pub fn scope(&self) -> &[VarId] {
        &self.scope
    }

    /// The variable whose values need something.
    pub fn var(&self) -> VarId {
        self.var
    }

    /// The places of values that need something, ascending, and what they need.
    pub fn needs(&self) -> &[(u32, Vec<Literal>)] {
        &self.needs
    }

    /// What the value at a place needs.
    pub(crate) fn of(&self, place: u32) -> &[Literal] {
        match self.needs.binary_search_by_key(&place, |(place, _)| *place) {
            Ok(number) => &self.needs[number].1,
            Err(_) => &[],
        }
    }

    pub(crate) fn allows(&self, values: &[u32]) -> bool {
        let needs = self.of(values[self.var.index()]);
        needs.iter().all(|literal| literal.holds(values))
    }
}
