//! The ground atoms of a relation.

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::{FxHashMap, FxHashSet};

use super::terms::{TermId, Terms};

/// The arguments of a ground atom.
pub(super) type Row = Arc<[TermId]>;

/// A place in a row: an argument, or an argument of an argument.
pub(super) type Place = (usize, Option<usize>);

/// A set of rows in the order in which they came, with indexes as they are asked for.
#[derive(Debug, Default)]
pub(super) struct Table {
    rows: Vec<Row>,
    known: FxHashSet<Row>,
    indexes: Mutex<FxHashMap<Vec<Place>, Index>>,
}

impl Clone for Table {
    /// Indexes are made again where they are asked for.
    fn clone(&self) -> Table {
        let (rows, known) = (self.rows.clone(), self.known.clone());
        Table { rows, known, indexes: Mutex::default() }
    }
}

/// Rows by the terms at certain places.
#[derive(Clone, Debug, Default)]
struct Index {
    n_indexed: usize,
    rows: FxHashMap<Vec<Option<TermId>>, Vec<Row>>,
}

impl Table {
    /// Adds a row; false when it was there.
    pub(super) fn insert(&mut self, row: Row) -> bool {
        let is_new = self.known.insert(Arc::clone(&row));
        if is_new {
            self.rows.push(row);
        }
        is_new
    }

    pub(super) fn contains(&self, row: &[TermId]) -> bool {
        self.known.contains(row)
    }

    pub(super) fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The rows that have the terms `values` at `places`.
    pub(super) fn matching(&self, places: &[Place], values: &[TermId], terms: &Terms) -> Vec<Row> {
        if places.is_empty() {
            return self.rows.clone();
        }
        let mut indexes = self.indexes.lock().unwrap_or_else(PoisonError::into_inner);
        let index = indexes.entry(places.to_vec()).or_default();
        for row in &self.rows[index.n_indexed..] {
            let key = places.iter().map(|&place| term_at(row, place, terms)).collect();
            index.rows.entry(key).or_default().push(Arc::clone(row));
        }
        index.n_indexed = self.rows.len();
        let key: Vec<Option<TermId>> = values.iter().copied().map(Some).collect();
        index.rows.get(&key).cloned().unwrap_or_default()
    }
}

fn term_at(row: &Row, (argument, part): Place, terms: &Terms) -> Option<TermId> {
    match part {
        None => row.get(argument).copied(),
        Some(part) => terms.shape(row[argument]).1.get(part).copied(),
    }
}
