//! Tables with few tuples for the number of values, where a bit for each value and tuple would be too
//! much: the tuples one by one (simple tabular reduction; Ullmann 2007).

use crate::network::{Table, VarId};
use crate::store::{Failed, Store};

/// A positive table whose tuples are looked at one by one.
#[derive(Clone, Debug)]
pub(crate) struct SparseTable {
    table: Table,
    /// The numbers of the tuples, those that are possible first.
    order: Vec<u32>,
    n_possible: usize,
    /// By level on which it was looked at: its number, and how many tuples were possible before.
    levels: Vec<(usize, usize)>,
}

impl SparseTable {
    pub(crate) fn new(table: &Table) -> SparseTable {
        let n_tuples = table.n_tuples();
        SparseTable {
            table: table.clone(),
            order: (0..n_tuples as u32).collect(),
            n_possible: n_tuples,
            levels: vec![(0, n_tuples)],
        }
    }

    pub(crate) fn scope(&self) -> &[VarId] {
        self.table.scope()
    }

    /// Tuples that become impossible from now on come back with the level. Whether it was not so already.
    pub(crate) fn enter_level(&mut self, level: usize) -> bool {
        let &(last, _) = self.levels.last().expect("the first level stays");
        if last == level {
            return false;
        }
        self.levels.push((level, self.n_possible));
        true
    }

    pub(crate) fn leave_level(&mut self) {
        let (_, n_possible) = self.levels.pop().expect("a level that was left was entered");
        self.n_possible = n_possible;
    }

    /// Takes away the values that no possible tuple has.
    pub(crate) fn propagate(&mut self, store: &mut Store) -> Result<(), Failed> {
        let scope = self.table.scope();
        let mut has_tuple: Vec<Vec<u64>> =
            scope.iter().map(|&var| vec![0; store.words(var).len()]).collect();
        let mut place = 0;
        while place < self.n_possible {
            let tuple = self.table.tuple(self.order[place] as usize);
            let mut values = scope.iter().zip(tuple);
            if values.all(|(&var, &value)| store.has(var, value as usize)) {
                for (has_tuple, &value) in has_tuple.iter_mut().zip(tuple) {
                    has_tuple[value as usize / 64] |= 1 << (value % 64);
                }
                place += 1;
            } else {
                self.n_possible -= 1;
                self.order.swap(place, self.n_possible);
            }
        }
        if self.n_possible == 0 {
            return Err(Failed);
        }
        let mut all = scope.iter().zip(&has_tuple);
        all.try_for_each(|(&var, has_tuple)| store.intersect(var, has_tuple))
    }
}
