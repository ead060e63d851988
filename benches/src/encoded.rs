//! The networks of a game: their sizes, how long they take to make, and whether they mean the game.

use std::time::{Duration, Instant};

use base::{Deadline, seeded_rng};
use corpus::{Compared, compare_stage};
use encode::{Encoding, Stage};
use machine::Interpreter;
use program::Program;

use crate::measurement::grounded;

/// What one network is like.
#[derive(Clone, Copy, Debug)]
pub struct EncodedRow {
    /// How long it took to make, after grounding.
    pub encode_seconds: f64,
    /// How large one stage is.
    pub size: scsp::Size,
    /// What was compared with the interpreter.
    pub compared: Compared,
    /// How long the stage took for a state and all that was asked about it, with the interpreter.
    pub seconds_per_state: f64,
}

/// Grounds a program, makes the network of a stage in an encoding, and compares up to `n_states` states
/// of random plays with the interpreter, for at most `seconds`.
pub fn encoded(
    program: &Program,
    ground_seconds: u64,
    encoding: Encoding,
    n_states: usize,
    seconds: f64,
) -> Result<EncodedRow, String> {
    let ground = grounded(program, ground_seconds)?;
    let start = Instant::now();
    let mut stage = Stage::new(&ground, encoding, 4096).map_err(|error| error.to_string())?;
    let encode_seconds = start.elapsed().as_secs_f64();
    let mut game = Interpreter::new(program);
    let deadline = Deadline::after(Duration::from_secs_f64(seconds));
    let mut rng = seeded_rng(1);
    let start = Instant::now();
    let compared = compare_stage(&ground, &mut stage, &mut game, n_states, deadline, &mut rng)?;
    let seconds_per_state = start.elapsed().as_secs_f64() / compared.n_states.max(1) as f64;
    Ok(EncodedRow {
        encode_seconds,
        size: stage.encoded().network.size(),
        compared,
        seconds_per_state,
    })
}
