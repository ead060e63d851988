//! The ground atoms of a relation, in the order in which they were found.

use std::cell::RefCell;
use std::hash::{BuildHasher, Hasher};
use std::ops::Range;

use base::Id;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use smallvec::SmallVec;

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
    /// How many rows are expected for a key, by its places, and how many rows there were then.
    expected: RefCell<FxHashMap<Vec<Place>, (usize, f64)>>,
}

/// Expectations come from no more rows than this.
const MAX_SAMPLE: usize = 256;

#[derive(Clone, Debug)]
struct Index {
    places: Vec<Place>,
    /// Row numbers, ascending, by the hash of what is at the places. Other rows may have the same
    /// hash: whoever looks up compares.
    rows: FxHashMap<u64, SmallVec<[u32; 4]>>,
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

    /// The number of `row`, which is added if it is not there.
    pub(crate) fn insert(&mut self, row: &[TermId], terms: &Terms) -> u32 {
        let (rows, arity) = (&self.rows, self.arity);
        let row_of = |n: u32| &rows[n as usize * arity..(n as usize + 1) * arity];
        let is_same = |&n: &u32| row_of(n) == row;
        let hash_of = |&n: &u32| hash_row(row_of(n));
        let number = u32::try_from(self.n_rows).expect("fewer than 2^32 rows");
        match self.ids.entry(hash_row(row), is_same, hash_of) {
            Entry::Occupied(entry) => return *entry.get(),
            Entry::Vacant(entry) => entry.insert(number),
        };
        self.rows.extend_from_slice(row);
        self.n_rows += 1;
        for index in &mut self.indexes {
            index.add(row, number, terms);
        }
        number
    }

    /// How many rows are expected to have something given at `places`, from a sample.
    pub(crate) fn expected_rows(&self, places: &[Place], terms: &Terms) -> f64 {
        if let Some(&(n_rows, expected)) = self.expected.borrow().get(places)
            && self.n_rows <= 2 * n_rows
        {
            return expected;
        }
        let expected = self.sampled_rows(places, terms);
        self.expected.borrow_mut().insert(places.to_vec(), (self.n_rows, expected));
        expected
    }

    fn sampled_rows(&self, places: &[Place], terms: &Terms) -> f64 {
        let step = self.n_rows.div_ceil(MAX_SAMPLE).max(1);
        let rows = (0..self.n_rows).step_by(step);
        let rows = rows.map(|number| u32::try_from(number).expect("fewer than 2^32 rows"));
        let keys: Vec<u64> =
            rows.filter_map(|number| key_of(self.row(number), places, terms)).collect();
        let n_different = keys.iter().collect::<FxHashSet<_>>().len().max(1);
        // Where most of the sample differs, so do most of the rows.
        let n_sampled = if 2 * n_different > keys.len() { keys.len() } else { keys.len() * step };
        n_sampled as f64 / n_different as f64
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
        if let Some(key) = key_of(row, &self.places, terms) {
            self.rows.entry(key).or_default().push(number);
        }
    }
}

/// The hash of what `row` has at `places`, `None` if it has no such places.
fn key_of(row: &[TermId], places: &[Place], terms: &Terms) -> Option<u64> {
    let mut key = Key::default();
    for &place in places {
        match place {
            Place::Arg(arg) => key.add(row[arg].index()),
            Place::Functor(arg) => key.add(functor_code(terms, row[arg])),
            Place::Part(arg, part) => key.add(terms.args(row[arg]).get(part)?.index()),
        }
    }
    Some(key.finish())
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
