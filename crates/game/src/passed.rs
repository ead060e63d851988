//! States that random plays have passed.

/// States that plays have passed, each as bits of the fluents that hold.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StatesPassed {
    /// After so many joint moves states are noted; ascending.
    after: Vec<u32>,
    n_words: usize,
    words: Vec<u64>,
    /// By state: which play has passed it, and after how many joint moves.
    by: Vec<(usize, u32)>,
}

/// A state that a play has passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Passed<'a> {
    /// The number of the play.
    pub play: usize,
    /// The joint moves that were made in it before.
    pub n_steps: u32,
    /// The fluents that hold, as bits.
    pub state: &'a [u64],
}

impl StatesPassed {
    /// Forgets all; from now on states are noted after so many joint moves.
    pub fn clear(&mut self, after: impl IntoIterator<Item = u32>) {
        self.after.clear();
        self.after.extend(after);
        self.after.sort_unstable();
        self.words.clear();
        self.by.clear();
    }

    /// Whether states are noted after so many joint moves.
    pub fn is_wanted(&self, n_steps: u32) -> bool {
        self.after.binary_search(&n_steps).is_ok()
    }

    /// Notes a state. All of them have as many bits.
    pub fn add(&mut self, passed: Passed<'_>) {
        self.n_words = passed.state.len();
        self.words.extend_from_slice(passed.state);
        self.by.push((passed.play, passed.n_steps));
    }

    /// Whether none was noted.
    pub fn is_empty(&self) -> bool {
        self.by.is_empty()
    }

    /// The states that were noted.
    pub fn iter(&self) -> impl Iterator<Item = Passed<'_>> {
        let states = self.words.chunks(self.n_words.max(1));
        self.by.iter().zip(states).map(|(&(play, n_steps), state)| Passed { play, n_steps, state })
    }
}
