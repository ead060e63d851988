//! Hard and soft constraints.

use base::Id as _;

use super::combinations::Combinations;
use super::{Element, Formula, Founded, Linear, Needs, VarId};

/// A hard constraint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Constraint {
    /// The tuples that are allowed.
    Table(Table),
    /// Something is true if and only if one of several causes is.
    Formula(Formula),
    /// Values of a variable need something.
    Needs(Needs),
    /// What holds does not follow only from itself.
    Founded(Founded),
    /// A sum compares with a number.
    Linear(Linear),
    /// A variable equals the one of several that another chooses.
    Element(Element),
}

impl Constraint {
    /// The variables that it is about.
    pub fn scope(&self) -> &[VarId] {
        match self {
            Constraint::Table(table) => table.scope(),
            Constraint::Formula(formula) => formula.scope(),
            Constraint::Needs(needs) => needs.scope(),
            Constraint::Founded(founded) => founded.scope(),
            Constraint::Linear(linear) => linear.scope(),
            Constraint::Element(element) => element.scope(),
        }
    }

    /// Whether a complete instantiation, as places of values, is allowed.
    pub fn allows(&self, values: &[u32]) -> bool {
        match self {
            Constraint::Table(table) => table.allows(values),
            Constraint::Formula(formula) => formula.allows(values),
            Constraint::Needs(needs) => needs.allows(values),
            Constraint::Founded(founded) => founded.allows(values),
            Constraint::Linear(linear) => linear.allows(values),
            Constraint::Element(element) => element.allows(values),
        }
    }
}

/// A hard constraint: the tuples that are allowed, as places of values in their domains.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    scope: Vec<VarId>,
    n_tuples: usize,
    /// Sorted, without repetition, one behind the other.
    values: Vec<u32>,
}

impl Table {
    /// The table of `tuples`, which have one value for each variable of `scope`.
    pub(crate) fn new<T: AsRef<[u32]>>(
        scope: Vec<VarId>,
        tuples: impl IntoIterator<Item = T>,
    ) -> Table {
        let mut builder = TableBuilder::new(scope);
        tuples.into_iter().for_each(|tuple| builder.push(tuple.as_ref()));
        builder.build()
    }

    /// The same tuples, sorted and without repetition.
    fn sorted(self) -> Table {
        let mut numbers: Vec<usize> = (0..self.n_tuples).collect();
        numbers.sort_unstable_by_key(|&number| self.tuple(number));
        numbers.dedup_by_key(|number| self.tuple(*number));
        let values = numbers.iter().flat_map(|&number| self.tuple(number)).copied().collect();
        Table { n_tuples: numbers.len(), values, scope: self.scope }
    }

    /// The variables that it is about.
    pub fn scope(&self) -> &[VarId] {
        &self.scope
    }

    /// How many tuples are allowed.
    pub fn n_tuples(&self) -> usize {
        self.n_tuples
    }

    /// The tuples that are allowed, ascending.
    pub fn tuples(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        (0..self.n_tuples).map(|number| self.tuple(number))
    }

    /// The tuple with a number.
    pub(crate) fn tuple(&self, number: usize) -> &[u32] {
        let width = self.scope.len();
        &self.values[number * width..(number + 1) * width]
    }

    /// Whether a complete instantiation is allowed.
    pub(crate) fn allows(&self, values: &[u32]) -> bool {
        let tuple: Vec<u32> = self.scope.iter().map(|var| values[var.index()]).collect();
        let mut range = 0..self.n_tuples;
        while !range.is_empty() {
            let middle = range.start + range.len() / 2;
            match self.tuple(middle).cmp(&tuple) {
                std::cmp::Ordering::Less => range.start = middle + 1,
                std::cmp::Ordering::Greater => range.end = middle,
                std::cmp::Ordering::Equal => return true,
            }
        }
        false
    }
}

/// A table to which tuples are added, in whatever order.
pub(super) struct TableBuilder {
    table: Table,
    is_sorted: bool,
}

impl TableBuilder {
    pub(super) fn new(scope: Vec<VarId>) -> TableBuilder {
        TableBuilder { table: Table { scope, n_tuples: 0, values: Vec::new() }, is_sorted: true }
    }

    pub(super) fn push(&mut self, tuple: &[u32]) {
        let table = &mut self.table;
        self.is_sorted &= table.n_tuples == 0 || table.tuple(table.n_tuples - 1) < tuple;
        table.values.extend_from_slice(tuple);
        table.n_tuples += 1;
    }

    pub(super) fn build(mut self) -> Table {
        self.table.values.shrink_to_fit();
        if self.is_sorted { self.table } else { self.table.sorted() }
    }
}

/// A soft constraint: what tuples are worth for each player.
#[derive(Clone, PartialEq, Debug)]
pub struct Utility {
    scope: Vec<VarId>,
    combinations: Combinations,
    /// By tuple of all combinations, and then by player.
    values: Vec<f64>,
    n_players: usize,
}

impl Utility {
    /// The utilities of all combinations of values of domains of these sizes, the last changing
    /// fastest.
    pub(crate) fn new(
        scope: Vec<VarId>,
        sizes: Vec<usize>,
        values: Vec<f64>,
        n_players: usize,
    ) -> Utility {
        Utility { scope, combinations: Combinations::new(sizes), values, n_players }
    }

    /// The variables that it is about.
    pub fn scope(&self) -> &[VarId] {
        &self.scope
    }

    /// By player: what a complete instantiation is worth.
    pub fn of(&self, values: &[u32]) -> &[f64] {
        self.at(self.combinations.number_of(&self.scope, values))
    }

    fn at(&self, number: usize) -> &[f64] {
        &self.values[number * self.n_players..(number + 1) * self.n_players]
    }

    /// All tuples, and what each is worth for each player.
    pub fn tuples(&self) -> impl Iterator<Item = (Vec<u32>, &[f64])> {
        self.combinations.iter().zip(self.all())
    }

    /// What all tuples are worth for each player, the last variable changing fastest.
    pub(crate) fn all(&self) -> impl Iterator<Item = &[f64]> {
        (0..self.combinations.len()).map(|number| self.at(number))
    }

    /// By variable of the scope: how many values it has.
    pub(crate) fn sizes(&self) -> &[usize] {
        self.combinations.sizes()
    }
}
