//! `woodstock playouts`

use std::time::{Duration, Instant};

use anstream::{eprintln, println};
use base::{Rng, RoleId, seeded_rng};
use game::{Game, Unplayable};
use machine::{Interpreter, ManyStates, Sample};
use program::Program;
use serde::Serialize;

use crate::machines;
use crate::progress::{duration_of, with_progress};
use crate::sheet::GameArgument;
use crate::status::{Failure, Status};

/// A play that is longer is taken to have no end.
const MAX_STEPS: u32 = 100_000;

/// Play at random, as fast as it goes
///
/// Every role picks uniformly among its legal moves, from the initial state to the end of the game.
/// The rules are grounded and hundreds of plays go on at once; rules that cannot be grounded are
/// evaluated as they stand, which is slow.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: woodstock playouts breakthrough --seconds 5")]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArgument,
    /// How long to play
    #[arg(long, default_value_t = 1.0, value_name = "S")]
    seconds: f64,
    /// How many threads to use
    #[arg(long, default_value_t = 1, value_name = "N")]
    threads: u64,
    /// Where chance begins
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Count plays that end without one goal for each role, instead of stopping at the first
    #[arg(long)]
    allow_wrong_goals: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Output {
    playouts: u64,
    states: u64,
    playouts_per_second: f64,
    states_per_second: f64,
    mean_length: f64,
    mean_goals: Vec<f64>,
    wrong_goals: u64,
    seconds: f64,
    ground_seconds: f64,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Status, Failure> {
    let program = machines::program(&arguments.game)?;
    let (ground, ground_seconds) = machines::ground(&program);
    let start = Instant::now();
    let duration = duration_of(arguments.seconds);
    let sample = with_progress("playing", Some(duration), || match ground {
        Ok(ground) => sample_lanes(&ManyStates::new(ground), arguments),
        Err(error) => {
            eprintln!("not grounded, so the rules are evaluated as they stand: {error}");
            sample_interpreted(&program, arguments)
        }
    });
    match sample {
        Ok(sample) => {
            print(&program, &sample, start.elapsed(), ground_seconds, arguments.json);
            Ok(Status::Done)
        }
        Err(problem) => Err(Failure { message: problem.to_string(), help: help_with(&problem) }),
    }
}

fn help_with(problem: &Unplayable) -> String {
    let cure = match problem {
        Unplayable::Goals { .. } => "; to count such plays, say --allow-wrong-goals",
        _ => "",
    };
    format!("the rules break a promise that every game must keep{cure}")
}

fn sample_lanes(game: &ManyStates, arguments: &Arguments) -> Result<Sample, Unplayable> {
    let end = Instant::now() + duration_of(arguments.seconds);
    let play = |thread: u64| {
        let mut game = game.clone();
        if arguments.allow_wrong_goals {
            game.allow_wrong_goals();
        }
        let mut rng = seeded_rng(arguments.seed.wrapping_add(thread));
        game.sample_while(|_| Instant::now() < end, MAX_STEPS, &mut rng)
    };
    let samples: Vec<Result<Sample, Unplayable>> = std::thread::scope(|scope| {
        let threads: Vec<_> =
            (0..arguments.threads.max(1)).map(|n| scope.spawn(move || play(n))).collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, _>| {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        threads.into_iter().map(join).collect()
    });
    let mut total = Sample::default();
    for sample in samples {
        total.add(&sample?);
    }
    Ok(total)
}

fn sample_interpreted(program: &Program, arguments: &Arguments) -> Result<Sample, Unplayable> {
    let end = Instant::now() + duration_of(arguments.seconds);
    let mut game = Interpreter::new(program);
    let mut rng: Rng = seeded_rng(arguments.seed);
    let initial = game.initial();
    let mut sample = Sample { goal_sums: vec![0; game.roles().len()], ..Sample::default() };
    while sample.n_playouts == 0 || Instant::now() < end {
        let mut state = initial.clone();
        let n_steps = game::play_to_end(&mut game, &mut state, MAX_STEPS as usize, &mut rng)?;
        sample.n_playouts += 1;
        sample.n_steps += n_steps as u64;
        let roles = RoleId::first(game.roles().len());
        let goals: Result<Vec<_>, _> = roles.map(|role| game.goal(&state, role)).collect();
        match goals {
            Ok(goals) => {
                for (sum, goal) in sample.goal_sums.iter_mut().zip(goals) {
                    *sum += u64::from(goal.value());
                }
            }
            Err(_) if arguments.allow_wrong_goals => sample.n_wrong += 1,
            Err(problem) => return Err(problem),
        }
    }
    Ok(sample)
}

fn print(program: &Program, sample: &Sample, took: Duration, ground_seconds: f64, is_json: bool) {
    let seconds = took.as_secs_f64();
    let n_playouts = sample.n_playouts as f64;
    let n_right = (sample.n_playouts - sample.n_wrong).max(1) as f64;
    let output = Output {
        playouts: sample.n_playouts,
        states: sample.n_steps,
        playouts_per_second: n_playouts / seconds,
        states_per_second: sample.n_steps as f64 / seconds,
        mean_length: sample.n_steps as f64 / n_playouts,
        mean_goals: sample.goal_sums.iter().map(|&sum| sum as f64 / n_right).collect(),
        wrong_goals: sample.n_wrong,
        seconds,
        ground_seconds,
    };
    if is_json {
        println!("{}", serde_json::to_string(&output).expect("numbers are JSON"));
        return;
    }
    println!("{} playouts in {seconds:.2} s", output.playouts);
    println!("  {:.0} playouts a second", output.playouts_per_second);
    println!("  {:.0} states a second", output.states_per_second);
    println!("  {:.1} joint moves in the mean", output.mean_length);
    for (role, goal) in program.roles().iter().zip(&output.mean_goals) {
        println!("  {goal:.1} for {} in the mean", program.symbols().name(*role));
    }
    if output.wrong_goals > 0 {
        println!("  {} ended without one goal for each role and are left out", output.wrong_goals);
    }
}
