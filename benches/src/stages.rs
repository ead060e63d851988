//! What solving a stage costs, beside random plays.

use std::time::Instant;

use base::{Id as _, seeded_rng};
use encode::{Encoding, Stage};
use game::{Game as _, Notes, PlaysFrom, Stages as _};
use ground::FluentId;
use machine::{BitState, ManyStates, OneState};
use program::Program;
use scsp::Budget;

use crate::measurement::grounded;

/// Seconds that are needed in a game; none where there is no network.
#[derive(Clone, Copy, Debug)]
pub struct StagesRow {
    /// For a random play from the initial state.
    pub play: f64,
    /// For all legal moves of a state, and those that decide the game, by propagation on the machine.
    pub propagated: f64,
    /// For all solutions of the network of a state, by MAC and by forward checking.
    pub mac: Option<f64>,
    /// See there.
    pub forward: Option<f64>,
}

/// So many states are asked about at once.
const N_STATES: usize = 512;

/// Measures for about `seconds` each.
pub fn stages(program: &Program, ground_seconds: u64, seconds: f64) -> Result<StagesRow, String> {
    let ground = grounded(program, ground_seconds)?;
    let mut game = OneState::new(ground.clone());
    let mut many = ManyStates::new(ground.clone());
    many.allow_wrong_goals();
    let states = states_of_plays(&mut game);
    let play = seconds_of_play(&game, &mut many, seconds)?;
    many.look_ahead(2);
    let refs: Vec<&BitState> = states.iter().collect();
    let mut legal = Vec::new();
    let propagated = seconds_of(seconds, || {
        many.legal_in(&mut game, &refs, &mut legal);
        refs.len()
    });
    let stage = Stage::new(&ground, Encoding::Atoms, 4096).ok();
    let budget = Budget { max_nodes: 100_000, ..Budget::UNLIMITED };
    let forward = stage.clone().map(|stage| stage.with_forward_checking(budget));
    let [mac, forward] =
        [stage, forward].map(|stage| stage.map(|stage| seconds_of_stage(stage, &states, seconds)));
    Ok(StagesRow { play, propagated, mac, forward })
}

/// States of random plays in which the game goes on.
fn states_of_plays(game: &mut OneState) -> Vec<BitState> {
    let mut rng = seeded_rng(1);
    let mut states = Vec::new();
    while states.len() < N_STATES {
        states.extend(corpus::states_of_a_play(game, &mut rng));
        states.retain(|state| !game.is_terminal(state));
    }
    states.truncate(N_STATES);
    states
}

fn seconds_of_play(game: &OneState, many: &mut ManyStates, seconds: f64) -> Result<f64, String> {
    const N_PLAYS: usize = 4 * N_STATES;
    const MAX_STEPS: usize = 10_000;
    let initial = game.initial();
    let states = [&initial];
    let plays = PlaysFrom::to_end(&states, N_PLAYS, MAX_STEPS);
    let mut rng = seeded_rng(2);
    let mut problem = None;
    let play = seconds_of(seconds, || {
        let outcomes = many.play_out_from(&plays, &mut rng, &mut Notes::default());
        problem = outcomes.err();
        N_PLAYS
    });
    problem.map_or(Ok(play), |problem| Err(problem.to_string()))
}

/// Seconds for all solutions of a state.
fn seconds_of_stage(mut stage: Stage, states: &[BitState], seconds: f64) -> f64 {
    let mut states = states.iter().cycle();
    seconds_of(seconds, || {
        let words = states.next().map_or(&[][..], |state| state.words());
        let holds = |fluent: FluentId| base::bits::has(words, fluent.index());
        if stage.set_state(holds).is_ok() {
            while stage.next_outcome().is_some() {}
        }
        1
    })
}

/// Seconds for one of those that `work` tells how many it has done.
fn seconds_of(seconds: f64, mut work: impl FnMut() -> usize) -> f64 {
    let start = Instant::now();
    let mut n_done = 0;
    while n_done == 0 || start.elapsed().as_secs_f64() < seconds {
        n_done += work();
    }
    start.elapsed().as_secs_f64() / n_done as f64
}
