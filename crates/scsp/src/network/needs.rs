//! Values that go only with something else.

use base::Id as _;

use super::{Literal, VarId};

/// A hard constraint: when a variable has a value, all literals that this value needs hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Needs {
    var: VarId,
    /// By place of a value: what it needs.
    needs: Vec<Vec<Literal>>,
    scope: Vec<VarId>,
}

impl Needs {
    /// `needs` says what each value of `var` needs.
    pub(crate) fn new(var: VarId, needs: Vec<Vec<Literal>>) -> Needs {
        let literals = needs.iter().flatten().map(|literal| literal.var);
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

    /// By place of a value: what it needs.
    pub fn needs(&self) -> &[Vec<Literal>] {
        &self.needs
    }

    pub(crate) fn allows(&self, values: &[u32]) -> bool {
        let needs = &self.needs[values[self.var.index()] as usize];
        needs.iter().all(|literal| literal.holds(values))
    }
}
