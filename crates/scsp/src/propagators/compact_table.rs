//! Positive tables: the tuples that are allowed, one bit each (Compact-Table; Demeulenaere et al. 2016).
//!
//! The tuples that are still possible are kept as words, together with the places of these words in
//! the table, and words without a bit are left out. The paper restores words one by one at
//! backtracking. Here each level of search on which a table changes has a list of words of its own
//! behind the others, so that going back is forgetting the last list, however large the table is.

use std::ops::Range;

use base::bits::ones_of;

use crate::network::{Table, VarId};
use crate::store::{Failed, Store};

/// So many words for each cell of a table are well spent, and so many in any case.
const WORDS_PER_CELL: usize = 16;
const FEW_WORDS: usize = 1 << 12;

/// A positive table over some variables.
#[derive(Clone, Debug)]
pub(crate) struct CompactTable {
    scope: Vec<VarId>,
    /// By variable of the scope: the first row of `supports` that is about it.
    rows: Vec<usize>,
    /// By row, which is a variable and a value: the tuples with it, as bits.
    supports: Vec<u64>,
    n_words: usize,
    /// By row: where a tuple with it was found last, as a place in the list of words.
    residues: Vec<u32>,
    /// The words that are left, and their places in the table, list behind list.
    words: Vec<u64>,
    places: Vec<u32>,
    /// The domains of the variables when they were last looked at, list behind list; and by variable
    /// of the scope where its domain stands in a list.
    seen: Vec<u64>,
    seen_at: Vec<Range<usize>>,
    n_seen: usize,
    /// The variables, by their positions in the scope, that have changed since the last look.
    changed: Vec<u32>,
    /// By list: the level that it belongs to, and where its words begin.
    lists: Vec<(usize, usize)>,
    mask: Vec<u64>,
}

impl CompactTable {
    /// The tuples of `table` that the domains of `store` have, unless the values are too many for their
    /// number.
    pub(crate) fn new(table: &Table, store: &Store) -> Option<CompactTable> {
        let scope = table.scope();
        let mut n_seen = 0;
        let mut seen_at = Vec::with_capacity(scope.len());
        for &var in scope {
            let end = n_seen + store.words(var).len();
            seen_at.push(n_seen..end);
            n_seen = end;
        }
        let n_values = scope.iter().map(|&var| store.values(var).last().map_or(0, |last| last + 1));
        let mut rows = Vec::with_capacity(scope.len());
        let mut n_rows = 0;
        for n_values in n_values {
            rows.push(n_rows);
            n_rows += n_values;
        }
        let is_possible = |tuple: &&[u32]| {
            tuple.iter().zip(scope).all(|(&value, &var)| store.has(var, value as usize))
        };
        let possible: Vec<&[u32]> = table.tuples().filter(is_possible).collect();
        let n_words = possible.len().div_ceil(64);
        let n_cells = table.n_tuples() * scope.len();
        if n_rows.saturating_mul(n_words) > FEW_WORDS.max(WORDS_PER_CELL * n_cells) {
            return None;
        }
        let mut supports = vec![0; n_rows * n_words];
        for (number, tuple) in possible.iter().enumerate() {
            for (&value, row) in tuple.iter().zip(&rows) {
                let row = row + value as usize;
                supports[row * n_words + number / 64] |= 1 << (number % 64);
            }
        }
        let mut words = vec![u64::MAX; n_words];
        if !possible.len().is_multiple_of(64) {
            words[n_words - 1] = (1 << (possible.len() % 64)) - 1;
        }
        let seen: Vec<u64> = scope.iter().flat_map(|&var| store.words(var).to_vec()).collect();
        Some(CompactTable {
            scope: scope.to_vec(),
            rows,
            supports,
            n_words,
            residues: vec![0; n_rows],
            places: (0..n_words as u32).collect(),
            words,
            seen,
            seen_at,
            n_seen,
            changed: Vec::new(),
            lists: vec![(0, 0)],
            mask: Vec::new(),
        })
    }

    pub(crate) fn scope(&self) -> &[VarId] {
        &self.scope
    }

    /// Takes away the values that no possible tuple has.
    pub(crate) fn propagate(&mut self, store: &mut Store) -> Result<(), Failed> {
        self.update(store);
        match self.words.len() > self.lists[self.lists.len() - 1].1 {
            true => self.filter(store),
            false => Err(Failed),
        }
    }

    /// Forgets the last list: the level that it belongs to was left.
    pub(crate) fn pop_list(&mut self) {
        let (_, start) = self.lists.pop().expect("a level that was left had a list");
        self.words.truncate(start);
        self.places.truncate(start);
        self.seen.truncate(self.lists.len() * self.n_seen);
    }

    /// Begins a list for a level of search, if it has none yet. Whether it did; then it is to be
    /// forgotten when the level is left.
    pub(crate) fn begin_list(&mut self, level: usize) -> bool {
        let &(of_level, start) = self.lists.last().expect("the first list stays");
        if of_level == level {
            return false;
        }
        let end = self.words.len();
        self.words.extend_from_within(start..);
        self.places.extend_from_within(start..);
        self.seen.extend_from_within(self.seen.len() - self.n_seen..);
        self.lists.push((level, end));
        true
    }

    /// Notes that the variable at a position of the scope has changed.
    pub(crate) fn note(&mut self, position: u32) {
        self.changed.push(position);
    }

    pub(crate) fn forget_notes(&mut self) {
        self.changed.clear();
    }

    /// Leaves out the tuples with values that were removed.
    fn update(&mut self, store: &Store) {
        let start = self.lists[self.lists.len() - 1].1;
        let seen = self.seen.len() - self.n_seen;
        while let Some(position) = self.changed.pop() {
            let position = position as usize;
            let domain = store.words(self.scope[position]);
            let Range { start: first, end } = self.seen_at[position];
            let range = seen + first..seen + end;
            if self.seen[range.clone()] != *domain {
                let size = store.size(self.scope[position]);
                self.intersect(position, start, range.clone(), domain, size);
                self.seen[range].copy_from_slice(domain);
            }
        }
    }

    /// Leaves out the tuples without a value of `domain`, which has `size` values, at a position of the
    /// scope; `seen` is where the domain stands that it had before.
    fn intersect(
        &mut self,
        position: usize,
        start: usize,
        seen: Range<usize>,
        domain: &[u64],
        size: usize,
    ) {
        let CompactTable { rows, supports, n_words, words, places, mask, .. } = self;
        let before = &self.seen[seen];
        let removed = before.iter().zip(domain).map(|(old, new)| old & !new);
        let n_removed: u32 = removed.clone().map(u64::count_ones).sum();
        // The shorter of the two: the tuples with a value that is left, or with one that is not.
        let is_by_removed = (n_removed as usize) < size;
        mask.clear();
        mask.resize(words.len() - start, 0);
        for (number, removed) in removed.enumerate() {
            let chosen = if is_by_removed { removed } else { domain[number] };
            for bit in ones_of(chosen) {
                let row = (rows[position] + 64 * number + bit) * *n_words;
                let support = &supports[row..row + *n_words];
                for (mask, &place) in mask.iter_mut().zip(&places[start..]) {
                    *mask |= support[place as usize];
                }
            }
        }
        let invert = if is_by_removed { u64::MAX } else { 0 };
        let mut n_left = start;
        for (number, mask) in mask.iter().enumerate() {
            let word = words[start + number] & (mask ^ invert);
            words[n_left] = word;
            places[n_left] = places[start + number];
            n_left += usize::from(word != 0);
        }
        words.truncate(n_left);
        places.truncate(n_left);
    }

    /// Takes away the values that no tuple has any more.
    fn filter(&mut self, store: &mut Store) -> Result<(), Failed> {
        let start = self.lists[self.lists.len() - 1].1;
        let (words, places) = (&self.words[start..], &self.places[start..]);
        let seen = self.seen.len() - self.n_seen;
        for (position, &var) in self.scope.iter().enumerate() {
            if store.size(var) == 1 {
                continue;
            }
            let (residues, supports) = (&mut self.residues, &self.supports);
            store.retain(var, |value| {
                let row = self.rows[position] + value;
                let support = &supports[row * self.n_words..(row + 1) * self.n_words];
                let holds = |at: usize| words[at] & support[places[at] as usize] != 0;
                let residue = residues[row] as usize;
                if residue < words.len() && holds(residue) {
                    return true;
                }
                let found = (0..words.len()).find(|&at| holds(at));
                residues[row] = found.unwrap_or(0) as u32;
                found.is_some()
            })?;
            let Range { start: first, end } = self.seen_at[position];
            self.seen[seen + first..seen + end].copy_from_slice(store.words(var));
        }
        Ok(())
    }
}
