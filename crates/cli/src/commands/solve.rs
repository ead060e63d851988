//! `woodstock solve`

use std::time::Instant;

use anstream::println;
use base::RoleId;
use clap::ValueEnum;
use game::Game;
use machine::OneState;
use search::{Concept, Limits, Solved};
use serde::Serialize;

use crate::machines;
use crate::progress::{time_limit, with_progress};
use crate::sheet::GameArgument;
use crate::status::{Failure, Status};

/// Find the exact value of a game
///
/// For each player the score that it can make sure of, from 0 to 100, with a first move that does. All
/// players are taken to know everything; chance is expected. If time or memory end before, it says
/// between which scores the value must lie.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples: woodstock solve tic-tac-toe\n          \
                        woodstock solve matching-pennies --concept maximax")]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArgument,
    /// What players expect of the others
    #[arg(long, value_name = "NAME", default_value = "maximin")]
    concept: ConceptArgument,
    /// Stop after so many seconds for each player
    #[arg(long, value_name = "SECONDS")]
    seconds: Option<f64>,
    /// Keep states in so much memory
    #[arg(long, value_name = "MIB", default_value_t = 4096)]
    memory: usize,
    /// Print one JSON object: values, bounds, best, nodes and seconds
    #[arg(long)]
    json: bool,
}

/// What players expect of the others, as an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum ConceptArgument {
    /// The worst
    Maximin,
    /// The best
    Maximax,
}

impl From<ConceptArgument> for Concept {
    fn from(argument: ConceptArgument) -> Concept {
        match argument {
            ConceptArgument::Maximin => Concept::MAXIMIN,
            ConceptArgument::Maximax => Concept::MAXIMAX,
        }
    }
}

#[derive(Serialize)]
struct Output {
    /// By role: the value, if it was found; chance has none.
    values: Vec<Option<f64>>,
    /// By role: between which scores it lies.
    bounds: Vec<Option<[f64; 2]>>,
    /// By role: a first move that reaches the lower bound.
    best: Vec<Option<String>>,
    nodes: u64,
    seconds: f64,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Status, Failure> {
    let program = machines::program(&arguments.game)?;
    let ground = machines::ground(&program).0.map_err(|error| Failure {
        message: error.to_string(),
        help: "only games that can be grounded are solved".to_owned(),
    })?;
    let mut game = OneState::new(ground);
    let start = Instant::now();
    let random = game.random();
    let mut solved: Vec<Option<Solved>> = Vec::new();
    for role in RoleId::first(game.roles().len()) {
        solved.push(match Some(role) == random {
            true => None,
            false => Some(solve(&mut game, role, arguments)?),
        });
    }
    let of_move = |solved: &Solved| solved.best.map(|best| game.move_text(best));
    let output = Output {
        values: each(&solved, |solved| solved.value.is_exact().then_some(solved.value.low)),
        bounds: each(&solved, |solved| Some([solved.value.low, solved.value.high])),
        best: each(&solved, of_move),
        nodes: solved.iter().flatten().map(|solved| solved.n_nodes).sum(),
        seconds: start.elapsed().as_secs_f64(),
    };
    match arguments.json {
        true => println!("{}", serde_json::to_string(&output).expect("numbers are JSON")),
        false => print(&output, game.roles()),
    }
    let is_done = solved.iter().flatten().all(|solved| solved.value.is_exact());
    Ok(if is_done { Status::Done } else { Status::LimitReached })
}

fn each<T>(solved: &[Option<Solved>], of: impl Fn(&Solved) -> Option<T>) -> Vec<Option<T>> {
    solved.iter().map(|solved| solved.as_ref().and_then(&of)).collect()
}

fn solve(game: &mut OneState, role: RoleId, arguments: &Arguments) -> Result<Solved, Failure> {
    /// What a table of states needs besides them, for each.
    const BYTES_PER_ENTRY: usize = 64;
    let (duration, deadline) = time_limit(arguments.seconds);
    let bytes = game.initial().n_bytes() + BYTES_PER_ENTRY;
    let limits = Limits { deadline, max_states: arguments.memory.saturating_mul(1 << 20) / bytes };
    let concept = arguments.concept.into();
    let solved = with_progress("solving", duration, || search::solve(game, role, concept, &limits));
    solved.map_err(|problem| Failure {
        message: problem.to_string(),
        help: "the rules must give every role a legal move, and one goal at the end".to_owned(),
    })
}

fn print(output: &Output, roles: &[String]) {
    for (role, ((value, bounds), best)) in
        roles.iter().zip(output.values.iter().zip(&output.bounds).zip(&output.best))
    {
        let best = best.as_ref().map_or(String::new(), |best| format!(", for example by {best}"));
        match (value, bounds) {
            (Some(value), _) => println!("{role}: {value}{best}"),
            (None, Some([low, high])) => {
                println!(
                    "{role}: between {low} and {high}{best}; there was no time or memory for more"
                );
            }
            (None, None) => println!("{role}: chance"),
        }
    }
    println!("{} joint moves in {:.3} s", output.nodes, output.seconds);
}
