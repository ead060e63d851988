//! Places in a rule sheet.

use std::ops::Range;

/// A stretch of rule text, in bytes from its start; `end` is not part of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl Span {
    /// The span from byte `start` to just before byte `end`.
    ///
    /// # Panics
    /// When a place needs more than 32 bits; [`crate::Source`] refuses such texts.
    pub fn new(start: usize, end: usize) -> Span {
        let place = |byte| u32::try_from(byte).expect("a source has fewer than 2^32 bytes");
        Span { start: place(start), end: place(end) }
    }

    /// The span as a range of bytes.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The smallest span that holds `self` and `other`.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}
