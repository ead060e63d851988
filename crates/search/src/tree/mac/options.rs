//! The parameters of MAC-UCB.

use crate::tree::graph::Knows;
use crate::tree::stages::Solving;

/// When moves that were good so far are made more often in plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HabitsWhen {
    /// Never.
    Never,
    /// Where moves come once in a play, but do not last, and what they came to anywhere says what they are worth. There
    /// only plays that went on with a move count.
    TheyPay,
    /// Always.
    Always,
}

/// How MAC-UCB searches.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MacOptions {
    /// How much is explored: the factor of the square root in the bound, where values are from 0 to 1.
    pub exploration: f64,
    /// How many stages are solved at once, at most.
    pub batch: usize,
    /// How many random plays go on from a stage that was solved.
    pub plays_per_stage: usize,
    /// If it is not 0, and the clock counts, plays go on from a stage in such numbers that solving stages takes this
    /// share of the time.
    pub share: f64,
    /// As many plays as this a move seems to have had, with what is usual in its stage.
    pub prior: f64,
    /// Whether all plays with a move count, whenever it was made, in stages whose moves come once in a play only.
    pub all_moves: bool,
    /// As `exploration`, in these stages.
    pub exploration_of_all: f64,
    /// A stage with so many plays or fewer borrows what all moves are worth from one above it.
    pub ref_plays: u64,
    /// If it is not 0, plays are cut off after so many joint moves where that pays, and are worth what was learnt of such
    /// states.
    pub cut: u32,
    /// When moves that were good so far are made more often in plays.
    pub habits: HabitsWhen,
    /// How many stages roles look ahead in plays: one to see moves that win, two to see moves after which somebody does,
    /// too. The machine has to do it.
    pub ahead: usize,
    /// How stages are solved.
    pub solving: Solving,
    /// What it makes of what it has seen.
    pub knows: Knows,
    /// Whether it keeps what it knows of a state when the match comes to it.
    pub reuses: bool,
    /// Of the plays of the root one in so many may be under way at once.
    pub part: u64,
    /// How many moves all stages may have together.
    pub max_moves: usize,
    /// Random plays that are longer are given up.
    pub max_steps: usize,
}

impl MacOptions {
    /// The strongest known.
    pub const STRONGEST: MacOptions = MacOptions {
        exploration: 0.3,
        batch: 64,
        plays_per_stage: 12,
        share: 0.0,
        prior: 1.0,
        all_moves: true,
        exploration_of_all: 0.03,
        ref_plays: 50,
        cut: 12,
        habits: HabitsWhen::TheyPay,
        ahead: 2,
        solving: Solving::Propagation,
        knows: Knows::ALL,
        reuses: true,
        part: 32,
        max_moves: 20_000_000,
        max_steps: 10_000,
    };
}
