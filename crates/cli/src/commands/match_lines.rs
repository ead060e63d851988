//! What `woodstock match` prints as JSON.

use player::Thoughts;
use serde::Serialize;

/// A match, as a line of JSON.
#[derive(Serialize)]
pub(super) struct MatchLine {
    pub(super) game: String,
    /// By role; chance is `random`.
    pub(super) players: Vec<String>,
    pub(super) goals: Vec<u8>,
    /// How many joint moves there were.
    pub(super) moves: usize,
    pub(super) errors: Vec<String>,
    pub(super) seconds: f64,
    /// For how long the machine stood still, which is on nobody's clock.
    pub(super) halt_seconds: f64,
    /// What players thought, if that was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) thoughts: Vec<ThoughtsLine>,
}

/// What a player thought about a move of a match.
#[derive(Serialize)]
pub(super) struct ThoughtsLine {
    /// How many joint moves there were before.
    step: usize,
    role: String,
    plays: u64,
    /// Of these, how many were cut off before the end.
    cut: u64,
    stages: u64,
    seconds: f64,
    positions: usize,
    /// What the best move seems to be worth, and what is proved of the position.
    theta: f64,
    bounds: [f64; 2],
    /// The best first.
    arms: Vec<ArmLine>,
    /// The joint moves that it expects.
    variation: Vec<Vec<String>>,
}

/// What a player thought of a move that it might make.
#[derive(Serialize)]
pub(super) struct ArmLine {
    #[serde(rename = "move")]
    text: String,
    mean: f64,
    /// Half of the interval that has it in 95 of 100 cases; 0 if it is proved.
    confidence: f64,
    count: u64,
    exact: bool,
    share: f64,
}

impl ThoughtsLine {
    pub(super) fn new(step: usize, role: &str, thoughts: &Thoughts) -> ThoughtsLine {
        let arms = thoughts.moves.iter().map(|one| ArmLine {
            text: one.text.clone(),
            mean: one.value,
            confidence: one.width,
            count: one.n_visits,
            exact: one.is_exact,
            share: one.share,
        });
        ThoughtsLine {
            step,
            role: role.to_owned(),
            plays: thoughts.work.n_plays,
            cut: thoughts.work.n_cut,
            stages: thoughts.work.n_stages,
            seconds: thoughts.time.as_secs_f64(),
            positions: thoughts.n_nodes,
            theta: thoughts.moves.first().map_or(0.0, |best| best.value),
            bounds: thoughts.bounds,
            arms: arms.collect(),
            variation: thoughts.variation.clone(),
        }
    }
}

/// All matches, as the last line of JSON.
#[derive(Serialize)]
pub(super) struct Summary {
    pub(super) matches: usize,
    /// By player, as they were named: from 0 to 1.
    pub(super) score: Vec<f64>,
    pub(super) ci95: Vec<[f64; 2]>,
    pub(super) wins: Vec<usize>,
    pub(super) draws: Vec<usize>,
    pub(super) losses: Vec<usize>,
    pub(super) deviation: Vec<f64>,
    /// Whether the first player is better or worse, if that was asked for and is decided.
    pub(super) verdict: Option<&'static str>,
}
