//! Which phase a state is of.

use ground::{GroundProgram, Phase};

use crate::one_state::BitState;

/// By phase: the words of a state of which some bits are known, these, and their values.
#[derive(Clone, Debug)]
pub(crate) struct KnownWords(Vec<Vec<(usize, u64, u64)>>);

impl KnownWords {
    pub(crate) fn new(ground: &GroundProgram) -> KnownWords {
        let of_phase = |phase: &Phase| known_words(&phase.known[..ground.fluents.len()]);
        KnownWords(ground.phases.iter().map(of_phase).collect())
    }

    /// The phase of a state: the one that is expected, most likely. Every state that legal moves lead to is of
    /// some phase. It need not be the one that it is reached in: what is known of a phase follows from what is
    /// known of the state.
    pub(crate) fn phase_of(&self, state: &BitState, expected: usize) -> usize {
        let n_phases = self.0.len();
        let fits = |&phase: &usize| {
            let mut known = self.0[phase].iter();
            known.all(|&(word, mask, value)| state.words()[word] & mask == value)
        };
        let in_order = (0..n_phases).map(|n| (expected + n) % n_phases);
        in_order.clone().find(fits).unwrap_or(expected % n_phases)
    }
}

fn known_words(known: &[Option<bool>]) -> Vec<(usize, u64, u64)> {
    let of_word = |(number, known): (usize, &[Option<bool>])| {
        let mut word = (number, 0, 0);
        for (bit, value) in known.iter().enumerate() {
            word.1 |= u64::from(value.is_some()) << bit;
            word.2 |= u64::from(*value == Some(true)) << bit;
        }
        word
    };
    let words = known.chunks(64).enumerate().map(of_word);
    words.filter(|(_, mask, _)| *mask != 0).collect()
}
