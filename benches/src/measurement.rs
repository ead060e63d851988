//! What is measured of a game.

use std::time::{Duration, Instant};

use base::{Deadline, seeded_rng};
use corpus::Sheet;
use game::{Game, conformance, play_to_end};
use ground::{GroundError, GroundProgram, Limits};
use machine::{Interpreter, ManyStates, OneState};
use program::Program;

/// A play that is longer is taken to have no end.
const MAX_STEPS: usize = 100_000;

/// The size of a game, and how fast it is grounded and played.
#[derive(Clone, Debug)]
pub struct Measurement {
    /// Read, checked, grounded and made ready.
    pub ready_seconds: f64,
    /// How many fluents there are.
    pub n_fluents: usize,
    /// How many moves there are.
    pub n_moves: usize,
    /// The parts of the network of formulas.
    pub n_parts: usize,
    /// How many plays end in a second, many at once; or why none does.
    pub playouts: Result<f64, String>,
    /// The mean number of joint moves of a play.
    pub mean_length: f64,
    /// How many states a second are passed through in single random plays.
    pub states: f64,
    /// The share of the plays that ended without one goal for each role.
    pub wrong_goals: f64,
    /// The most memory that the process had, in MiB, where that is known.
    pub peak_mib: Option<f64>,
}

/// A game with more conditions is not measured.
const MAX_LITERALS: usize = 100_000_000;

/// The program of a sheet, or `None` if it has errors.
pub fn program_of(sheet: &Sheet) -> Option<Program> {
    program::check(&gdl::parse(sheet.source().text(), sheet.form())).program
}

fn ground(
    program: &Program,
    max_seconds: u64,
    max_literals: usize,
) -> Result<GroundProgram, GroundError> {
    let deadline = Deadline::after(Duration::from_secs(max_seconds));
    ground::ground(program, &Limits { deadline, max_literals })
}

/// Grounds a program for what is no measurement of grounding; or why that cannot be done.
pub(crate) fn grounded(program: &Program, max_seconds: u64) -> Result<GroundProgram, String> {
    let ground = ground(program, max_seconds, 200_000_000);
    ground.map_err(|error| format!("not grounded: {error}"))
}

/// Grounds the game, which may take `ground_seconds`, and plays it for so many seconds in each way.
pub fn measure(
    program: &Program,
    ground_seconds: u64,
    seconds: f64,
) -> Result<Measurement, GroundError> {
    let start = Instant::now();
    let ground = ground(program, ground_seconds, MAX_LITERALS)?;
    let mut many = ManyStates::new(ground.clone());
    many.allow_wrong_goals();
    let ready_seconds = start.elapsed().as_secs_f64();
    let (n_fluents, n_moves) = (ground.fluents.len(), ground.moves.len());
    let n_parts = ground.formulas.network.n_parts();
    let start = Instant::now();
    let goes_on = |_: &_| start.elapsed().as_secs_f64() < seconds;
    let sample = many.sample_while(goes_on, MAX_STEPS as u32, &mut seeded_rng(1));
    let took = start.elapsed().as_secs_f64();
    drop(many);
    let playouts = sample.as_ref().map(|sample| sample.n_playouts as f64 / took);
    let mean_length =
        sample.as_ref().map_or(0.0, |sample| sample.n_steps as f64 / sample.n_playouts as f64);
    let wrong_goals =
        sample.as_ref().map_or(0.0, |sample| sample.n_wrong as f64 / sample.n_playouts as f64);
    let playouts = playouts.map_err(|problem| {
        let text = problem.to_string();
        text.split(" in the state").next().unwrap_or_default().to_owned()
    });
    let states = if playouts.is_ok() { single_states(ground, seconds) } else { 0.0 };
    let peak_mib = peak_mib();
    Ok(Measurement {
        ready_seconds,
        n_fluents,
        n_moves,
        n_parts,
        playouts,
        mean_length,
        states,
        wrong_goals,
        peak_mib,
    })
}

/// States a second in single random plays.
fn single_states(ground: GroundProgram, seconds: f64) -> f64 {
    let mut game = OneState::new(ground);
    let initial = game.initial();
    let mut rng = seeded_rng(1);
    let start = Instant::now();
    let mut n_states = 0;
    while start.elapsed().as_secs_f64() < seconds {
        match play_to_end(&mut game, &mut initial.clone(), MAX_STEPS, &mut rng) {
            Ok(n_steps) => n_states += n_steps,
            Err(_) => return 0.0,
        }
    }
    n_states as f64 / start.elapsed().as_secs_f64()
}

fn peak_mib() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kib: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib / 1_024.0)
}

/// How far two machines were compared.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The plays.
    pub n_plays: usize,
    /// Those that came to their end.
    pub n_ended: usize,
    /// The states at which all was the same.
    pub n_states: usize,
}

/// Lets the fast machine follow 20 random plays of the interpreter. In a large game they are cut off
/// so that all take about `seconds`. Returns the first difference in words.
pub fn compare(program: &Program, ground_seconds: u64, seconds: f64) -> Result<Comparison, String> {
    const N_PLAYS: usize = 20;
    let ground = ground(program, ground_seconds, MAX_LITERALS);
    let ground = ground.map_err(|error| format!("not grounded: {error}"))?;
    let mut fast = OneState::new(ground);
    let mut judge = Interpreter::new(program);
    let mut comparison = Comparison { n_plays: 0, n_ended: 0, n_states: 0 };
    let start = Instant::now();
    for play in 0..N_PLAYS {
        let seconds_left = (seconds - start.elapsed().as_secs_f64()).max(0.0);
        let seconds_a_state = match comparison.n_states {
            0 => seconds / 1_000.0,
            n_states => start.elapsed().as_secs_f64() / n_states as f64,
        };
        let share = seconds_left / (N_PLAYS - play) as f64 / seconds_a_state;
        let max_steps = if play == 0 { 2 } else { (share as usize).clamp(2, MAX_STEPS) };
        let mut rng = seeded_rng(play as u64);
        let compared = conformance::compare(&mut judge, &mut fast, max_steps, &mut rng)?;
        comparison.n_plays += 1;
        comparison.n_ended += usize::from(compared.has_ended);
        comparison.n_states += compared.n_states;
    }
    Ok(comparison)
}
