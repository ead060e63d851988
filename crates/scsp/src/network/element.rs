//! One of several variables, chosen by another.

use base::{Id as _, IdVec};

use super::{VarId, Variable};

/// A hard constraint: a variable equals the one of several that another chooses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Element {
    scope: Vec<VarId>,
    array: Vec<VarId>,
    pub(crate) index: VarId,
    /// By place of a value of the index: the variable that it chooses, if there is one.
    pub(crate) chosen: Vec<Option<VarId>>,
    pub(crate) result: VarId,
    /// By place of a value of the index: by place of a value of the chosen variable, that of the
    /// same value of the result.
    pub(crate) same: Vec<Vec<Option<u32>>>,
}

impl Element {
    /// `result` equals the variable of `array` whose number is the value of `index`.
    pub(crate) fn new(
        array: &[VarId],
        index: VarId,
        result: VarId,
        variables: &IdVec<VarId, Variable>,
    ) -> Element {
        let choose = |&value: &i64| usize::try_from(value).ok().and_then(|n| array.get(n).copied());
        let chosen: Vec<Option<VarId>> =
            variables[index].domain.values().iter().map(choose).collect();
        let same_places = |var: Option<VarId>| {
            let values = var.map_or(&[][..], |var| variables[var].domain.values());
            let place = |&value: &i64| variables[result].domain.index_of(value).map(|n| n as u32);
            values.iter().map(place).collect()
        };
        let same = chosen.iter().map(|&var| same_places(var)).collect();
        let mut scope: Vec<VarId> =
            chosen.iter().flatten().copied().chain([index, result]).collect();
        scope.sort_unstable();
        scope.dedup();
        Element { scope, array: array.to_vec(), index, chosen, result, same }
    }

    /// The variables that it is about.
    pub fn scope(&self) -> &[VarId] {
        &self.scope
    }

    /// The variables of which one is chosen.
    pub fn array(&self) -> &[VarId] {
        &self.array
    }

    /// The variable that chooses.
    pub fn index(&self) -> VarId {
        self.index
    }

    /// The variable that equals the one that is chosen.
    pub fn result(&self) -> VarId {
        self.result
    }

    pub(crate) fn allows(&self, values: &[u32]) -> bool {
        let index = values[self.index.index()] as usize;
        self.chosen[index].is_some_and(|var| {
            let value = values[var.index()] as usize;
            self.same[index][value] == Some(values[self.result.index()])
        })
    }
}
