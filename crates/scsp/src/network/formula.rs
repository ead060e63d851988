//! Clark completions: something is true if and only if one of several causes is.

use base::Id as _;

use super::VarId;

/// A variable has a value, or has another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Literal {
    pub(crate) var: VarId,
    /// The place of the value.
    pub(crate) value: u32,
    pub(crate) is_equal: bool,
}

impl Literal {
    /// Whether it is true of a complete instantiation.
    pub(crate) fn holds(self, values: &[u32]) -> bool {
        (values[self.var.index()] == self.value) == self.is_equal
    }
}

impl std::ops::Not for Literal {
    type Output = Literal;

    fn not(self) -> Literal {
        Literal { is_equal: !self.is_equal, ..self }
    }
}

/// A hard constraint: `head` holds if and only if all literals of one of `bodies` do, as a rule and
/// its completion say (Clark 1978). It is never written out as a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Formula {
    pub(crate) head: Literal,
    pub(crate) bodies: Vec<Vec<Literal>>,
    scope: Vec<VarId>,
}

impl Formula {
    pub(crate) fn new(head: Literal, bodies: Vec<Vec<Literal>>) -> Formula {
        let literals = bodies.iter().flatten().chain([&head]);
        let mut scope: Vec<VarId> = literals.map(|literal| literal.var).collect();
        scope.sort_unstable();
        scope.dedup();
        Formula { head, bodies, scope }
    }

    /// The variables that it is about.
    pub fn scope(&self) -> &[VarId] {
        &self.scope
    }

    /// What holds if and only if one of the bodies does.
    pub fn head(&self) -> Literal {
        self.head
    }

    /// What the head follows from: all literals of one of these.
    pub fn bodies(&self) -> &[Vec<Literal>] {
        &self.bodies
    }

    pub(crate) fn allows(&self, values: &[u32]) -> bool {
        let holds = |body: &Vec<Literal>| body.iter().all(|literal| literal.holds(values));
        self.head.holds(values) == self.bodies.iter().any(holds)
    }
}
