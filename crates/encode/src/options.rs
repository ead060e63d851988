//! What a network of a game should be like.

use std::fmt;

/// How states become variables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// A variable for each group of fluents of which one holds at most, and tables where they are small
    /// (Koriche et al. 2016).
    Atoms,
    /// A variable for each fluent, and the completion of each rule (Koriche et al. 2017).
    Fluents,
}

/// How much of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// A move in any state: the state is open.
    OneStage,
    /// So many rounds from the initial state on, and what the state after them is worth.
    Rounds(usize),
}

/// What players know when they decide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Information {
    /// Everything that has happened.
    Full,
    /// The rules, the moves of the players and what they see, of which all must see the same. One stage says
    /// what is seen. In rounds, what chance did comes after all decisions, with the probabilities that what
    /// was seen leaves: no policy can depend on it.
    Percepts,
}

/// What a network of a game should be like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// How states become variables.
    pub encoding: Encoding,
    /// How much of the game.
    pub extent: Extent,
    /// What players know.
    pub information: Information,
    /// Tables with more combinations of values are not written out; formulas stand in their place.
    pub max_tuples: usize,
    /// Whether players have something to do when the game has ended: nothing, and the state stays.
    /// Without it, a state in which the game has ended may have no solution.
    pub is_idle_at_end: bool,
}

impl Options {
    /// What is usual for an encoding and an extent, with players who know everything. One stage is as the papers have it, which ask about
    /// states in which the game goes on.
    pub fn new(encoding: Encoding, extent: Extent) -> Options {
        let is_idle_at_end = extent != Extent::OneStage;
        let information = Information::Full;
        Options { encoding, extent, information, max_tuples: 4096, is_idle_at_end }
    }
}

/// Why a game has no network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EncodeError {
    /// A role has no move at all, and nothing to do at the end.
    NoMove {
        /// The name of the role.
        role: String,
    },
    /// The initial state is not described by the variables.
    InitialState,
    /// Players see different things.
    NotShared,
    /// What players see depends on too much to be written out.
    ManyPercepts,
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EncodeError::NoMove { role } => write!(f, "{role} has no move in any state"),
            EncodeError::InitialState => {
                write!(f, "fluents that exclude each other hold in the initial state")
            }
            EncodeError::NotShared => write!(f, "players see different things"),
            EncodeError::ManyPercepts => {
                write!(f, "what players see depends on too much to be written out")
            }
        }
    }
}

impl std::error::Error for EncodeError {}
