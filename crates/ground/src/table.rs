//! The ground atoms of a relation, in the order in which they were found.

use std::hash::{BuildHasher, Hasher};
use std::ops::Range;

use base::Id;
use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::terms::{TermId, Terms};

/// A place in a row: an argument as a whole, its function, or one of its parts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Place {
    Arg(usize),
    Functor(usize),
    Part(usize, usize),
}

/// A set of rows, with indexes that were asked for in advance.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    arity: usize,
    n_rows: usize,
    rows: Vec<TermId>,
    ids: HashTable<u32>,
    indexes: Vec<Index>,
}

#[derive(Clone, Debug)]
struct Index {
    places: Vec<Place>,
    /// Row numbers, ascending, by the hash of what is at the places. Other rows may have the same
    /// hash: whoever looks up compares.
    rows: FxHashMap<u64, Vec<u32>>,
}

impl Table {
    pub(crate) fn new(arity: usize) -> Table {
        Table { arity, ..Table::default() }
    }

    pub(crate) fn n_rows(&self) -> usize {
        self.n_rows
    }

    pub(crate) fn row(&self, number: u32) -> &[TermId] {
        let start = number as usize * self.arity;
        &self.rows[start..start + self.arity]
    }

    /// The number of an index over `places`, which is kept from now on.
    pub(crate) fn index(&mut self, places: &[Place], terms: &Terms) -> usize {
        if let Some(number) = self.indexes.iter().position(|index| index.places == places) {
            return number;
        }
        let mut index = Index { places: places.to_vec(), rows: FxHashMap::default() };
        for number in 0..self.n_rows {
            let number = u32::try_from(number).expect("fewer than 2^32 rows");
            index.add(self.row(number), number, terms);
        }
        self.indexes.push(index);
        self.indexes.len() - 1
    }

    /// Adds `row`; `None` when it was there, else its number.
    pub(crate) fn insert(&mut self, row: &[TermId], terms: &Terms) -> Option<u32> {
        if self.find(row).is_some() {
            return None;
        }
        let number = u32::try_from(self.n_rows).expect("fewer than 2^32 rows");
        self.rows.extend_from_slice(row);
        self.n_rows += 1;
        let (rows, arity) = (&self.rows, self.arity);
        let hash_of = |&n: &u32| hash_row(&rows[n as usize * arity..(n as usize + 1) * arity]);
        self.ids.insert_unique(hash_row(row), number, hash_of);
        for index in &mut self.indexes {
            index.add(row, number, terms);
        }
        Some(number)
    }

    pub(crate) fn find(&self, row: &[TermId]) -> Option<u32> {
        self.ids.find(hash_row(row), |&number| self.row(number) == row).copied()
    }

    /// The rows within `range` that may have what hashes to `key` at the places of an index.
    pub(crate) fn candidates(&self, index: usize, key: u64, range: &Range<u32>) -> &[u32] {
        let Some(rows) = self.indexes[index].rows.get(&key) else { return &[] };
        let start = rows.partition_point(|&row| row < range.start);
        let end = rows.partition_point(|&row| row < range.end);
        &rows[start..end]
    }
}

impl Index {
    fn add(&mut self, row: &[TermId], number: u32, terms: &Terms) {
        let mut key = Key::default();
        for &place in &self.places {
            match place {
                Place::Arg(arg) => key.add(row[arg].index()),
                Place::Functor(arg) => key.add(functor_code(terms, row[arg])),
                Place::Part(arg, part) => match terms.args(row[arg]).get(part) {
                    Some(term) => key.add(term.index()),
                    None => return,
                },
            }
        }
        self.rows.entry(key.finish()).or_default().push(number);
    }
}

/// The function of a term and its number of arguments, as one number.
pub(crate) fn functor_code(terms: &Terms, term: TermId) -> usize {
    signature_code(terms.functor(term), terms.args(term).len())
}

pub(crate) fn signature_code(functor: gdl::Symbol, n_args: usize) -> usize {
    functor.index() * 64 + n_args.min(63)
}

/// The hash of what is at the places of an index.
#[derive(Default)]
pub(crate) struct Key {
    state: rustc_hash::FxHasher,
}

impl Key {
    pub(crate) fn add(&mut self, value: usize) {
        self.state.write_usize(value);
    }

    pub(crate) fn finish(self) -> u64 {
        self.state.finish()
    }
}

fn hash_row(row: &[TermId]) -> u64 {
    let mut state = FxBuildHasher.build_hasher();
    for term in row {
        state.write_usize(term.index());
    }
    state.finish()
}
