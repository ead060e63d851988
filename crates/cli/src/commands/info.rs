//! `woodstock info`

use std::time::Instant;

use anstream::{eprintln, println};
use base::{RoleId, seeded_rng};
use encode::{Encoding, Extent, Options};
use game::{Game, Unplayable, percept_texts, play_out, random_joint_move};
use games::Class;
use ground::GroundProgram;
use machine::{Interpreter, OneState};
use program::Program;
use serde::Serialize;

use super::scsp;
use crate::machines;
use crate::progress::with_progress;
use crate::sheet::GameArgument;
use crate::status::{Failure, Status};

/// Tell what a game is
///
/// Its roles, what players know, its size before and after grounding, and how long random plays of
/// it are. Groups are fluents of which at most one holds in every state that can be reached; phases
/// are how many joint moves it takes until the same player's turn comes again.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: woodstock info breakthrough")]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArgument,
    /// Where chance begins
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Output {
    roles: Vec<String>,
    class: String,
    /// Whether the class follows from the rules, rather than from random plays.
    class_is_proved: bool,
    rules: usize,
    ground_seconds: f64,
    fluents: Option<usize>,
    moves: Option<usize>,
    #[serde(flatten)]
    ground: Option<GroundOutput>,
    #[serde(flatten)]
    lengths: Option<Lengths>,
    scsp: Option<scsp::Output>,
}

/// What is known of a game that is grounded.
#[derive(Serialize)]
struct GroundOutput {
    rule_instances: usize,
    parts: usize,
    phases: usize,
    groups: usize,
    exact_groups: usize,
    unproved_groups: usize,
    state_bytes: usize,
}

/// How long random plays are.
#[derive(Serialize)]
struct Lengths {
    mean_length: f64,
    max_length: usize,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Status, Failure> {
    let program = machines::program(&arguments.game)?;
    let (ground, ground_seconds) = machines::ground(&program);
    let ground = ground.map_err(|error| eprintln!("not grounded: {error}")).ok();
    let seed = arguments.seed;
    let play = || match &ground {
        Some(ground) => {
            let mut game = OneState::new(ground.clone());
            let output = ground_output(ground, game.initial().n_bytes());
            let class = class_of(&program, Some(ground), &mut game, seed);
            (class, lengths(&mut game, seed), Some(output))
        }
        None => {
            let mut game = Interpreter::new(&program);
            (class_of(&program, None, &mut game, seed), lengths(&mut game, seed), None)
        }
    };
    let ((class, class_is_proved), lengths, of_ground) =
        with_progress("playing at random", None, play);
    let lengths = lengths
        .map_err(|problem| eprintln!("warning: a random play cannot be finished: {problem}"))
        .ok();
    let network = ground.as_ref().and_then(network);
    let output = Output {
        roles: program.roles().iter().map(|&r| program.symbols().name(r).to_owned()).collect(),
        class: class.to_string(),
        class_is_proved,
        rules: program.rules().len(),
        ground_seconds,
        fluents: ground.as_ref().map(|ground| ground.fluents.len()),
        moves: ground.as_ref().map(|ground| ground.moves.len()),
        ground: of_ground,
        lengths,
        scsp: network,
    };
    if arguments.json {
        println!("{}", serde_json::to_string(&output).expect("numbers and texts are JSON"));
    } else {
        print(&output);
    }
    Ok(Status::Done)
}

/// How large the network of one move is.
fn network(ground: &GroundProgram) -> Option<scsp::Output> {
    let start = Instant::now();
    let options = Options::new(Encoding::Atoms, Extent::OneStage);
    let encoded = with_progress("encoding", None, || encode::encode(ground, &options));
    let encoded = encoded.map_err(|error| eprintln!("warning: no network: {error}")).ok()?;
    Some(scsp::output(&encoded, start.elapsed().as_secs_f64()))
}

fn ground_output(ground: &GroundProgram, state_bytes: usize) -> GroundOutput {
    let groups = &ground.groups;
    GroundOutput {
        rule_instances: ground.n_instances,
        parts: ground.formulas.network.n_parts(),
        phases: ground.phases.len(),
        groups: groups.proved.len(),
        exact_groups: groups.proved.iter().filter(|group| group.is_exact).count(),
        unproved_groups: groups.unproved.len(),
        state_bytes,
    }
}

/// How many plays tell how long they are, and whether players see the same.
const N_PLAYS: usize = 20;
const MAX_STEPS: usize = 10_000;

fn lengths<G: Game>(game: &mut G, seed: u64) -> Result<Lengths, Unplayable> {
    let mut rng = seeded_rng(seed);
    let initial = game.initial();
    let (mut n_steps, mut max_length) = (0, 0);
    for _ in 0..N_PLAYS {
        let outcome = play_out(game, &initial, MAX_STEPS, &mut rng)?;
        n_steps += outcome.n_steps;
        max_length = max_length.max(outcome.n_steps);
    }
    Ok(Lengths { mean_length: n_steps as f64 / N_PLAYS as f64, max_length })
}

/// The class of a game, and whether it follows from the rules.
fn class_of<G: Game>(
    program: &Program,
    ground: Option<&GroundProgram>,
    game: &mut G,
    seed: u64,
) -> (Class, bool) {
    if !program.has_percepts() {
        let is_stochastic = program.random().is_some();
        return (if is_stochastic { Class::Stochastic } else { Class::Deterministic }, true);
    }
    if ground.is_some_and(GroundProgram::all_see_the_same) {
        return (Class::SharedInformation, true);
    }
    match sees_differ(game, seed) {
        true => (Class::ImperfectInformation, true),
        false => (Class::SharedInformation, false),
    }
}

/// Whether two players see different things in some random play.
fn sees_differ<G: Game>(game: &mut G, seed: u64) -> bool {
    const MAX_STEPS: usize = 200;
    let mut rng = seeded_rng(seed);
    let random = game.random();
    let is_player = |role: &RoleId| Some(*role) != random;
    let players: Vec<RoleId> = RoleId::first(game.roles().len()).filter(is_player).collect();
    for _ in 0..N_PLAYS {
        let mut state = game.initial();
        for _ in 0..MAX_STEPS {
            if game.is_terminal(&state) {
                break;
            }
            let Ok(joint_move) = random_joint_move(game, &state, &mut rng) else { break };
            let mut seen = players.iter().map(|&role| {
                let mut texts = percept_texts(game, &state, &joint_move, role);
                texts.sort();
                texts
            });
            let first = seen.next();
            if seen.any(|other| Some(&other) != first.as_ref()) {
                return true;
            }
            state = game.next(&state, &joint_move);
        }
    }
    false
}

fn print(output: &Output) {
    println!("{} rules for {}", output.rules, output.roles.join(", "));
    let by_play = if output.class_is_proved { "" } else { ", as far as random plays show" };
    println!("  {}{by_play}", output.class);
    if let (Some(ground), Some(fluents), Some(moves)) =
        (&output.ground, output.fluents, output.moves)
    {
        println!(
            "  {fluents} fluents, {moves} moves, {} parts of formulas, grounded in {:.3} s",
            ground.parts, output.ground_seconds
        );
        println!(
            "  {} groups of fluents of which exactly one holds, {} of which at most one does, {} \
             that are not proved",
            ground.exact_groups,
            ground.groups - ground.exact_groups,
            ground.unproved_groups
        );
        println!("  {} phases, {} bytes a state", ground.phases, ground.state_bytes);
    }
    if let Some(scsp) = &output.scsp {
        println!(
            "  as a network, {} variables with up to {} values and {} constraints, in {:.3} s",
            scsp.vars, scsp.max_domain, scsp.constraints, scsp.seconds
        );
    }
    if let Some(lengths) = &output.lengths {
        println!(
            "  {:.1} joint moves in the mean of random plays, {} at most",
            lengths.mean_length, lengths.max_length
        );
    }
}
