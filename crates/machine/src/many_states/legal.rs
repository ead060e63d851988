//! The moves of a role that are legal, or that are made, in some play.

use super::choice::BLOCK;
use super::word::Word;

/// The moves of a role that are legal, or that are made, in some play, which are few, and the plays.
#[derive(Clone, Debug)]
pub(super) struct Legal {
    /// By move: its plays. What stands behind the moves is of no meaning.
    words: Vec<Word>,
    inputs: Vec<u32>,
    n_moves: usize,
    /// The plays in which one of them was legal.
    pub(super) any: Word,
}

impl Legal {
    /// Room for so many moves.
    pub(super) fn new(max_moves: usize) -> Legal {
        // It is written behind the last move, too.
        let n_words = (max_moves + 1).next_multiple_of(BLOCK);
        Legal {
            words: vec![Word::NONE; n_words],
            inputs: vec![0; n_words],
            n_moves: 0,
            any: Word::NONE,
        }
    }

    /// Forgets all moves.
    pub(super) fn clear(&mut self) {
        (self.n_moves, self.any) = (0, Word::NONE);
    }

    /// Adds moves by `add`, in registers as far as possible.
    #[inline(always)]
    pub(super) fn extend(&mut self, add: impl FnOnce(&mut Adding<'_>)) {
        let Legal { words, inputs, n_moves, any } = self;
        let mut adding = Adding { words, inputs, n_moves: *n_moves, any: *any };
        add(&mut adding);
        (*n_moves, *any) = (adding.n_moves, adding.any);
    }

    /// The inputs of the moves.
    pub(super) fn inputs(&self) -> &[u32] {
        &self.inputs[..self.n_moves]
    }

    /// The plays of each move, made up to whole blocks, and the inputs.
    pub(super) fn blocks_mut(&mut self) -> (&mut [Word], &mut [u32]) {
        let n_words = self.n_moves.next_multiple_of(BLOCK).max(BLOCK);
        self.words[self.n_moves..n_words].fill(Word::NONE);
        (&mut self.words[..n_words], &mut self.inputs[..n_words])
    }

    /// Forgets all but the first moves.
    pub(super) fn truncate(&mut self, n_moves: usize) {
        self.n_moves = n_moves;
    }

    /// By move: its plays, to be changed, and its input.
    pub(super) fn moves_mut(&mut self) -> (&mut [Word], &[u32]) {
        (&mut self.words[..self.n_moves], &self.inputs[..self.n_moves])
    }

    /// By move: its plays.
    pub(super) fn words(&self) -> &[Word] {
        &self.words[..self.n_moves]
    }
}

/// Moves that are being added.
pub(super) struct Adding<'a> {
    words: &'a mut [Word],
    inputs: &'a mut [u32],
    n_moves: usize,
    any: Word,
}

impl Adding<'_> {
    /// Adds a move if it is legal in some play. There is no branch: which moves are legal cannot be
    /// foreseen.
    #[inline(always)]
    pub(super) fn add(&mut self, input: u32, word: Word) {
        self.words[self.n_moves] = word;
        self.inputs[self.n_moves] = input;
        self.n_moves += usize::from(!word.is_none());
        self.any = self.any | word;
    }
}
