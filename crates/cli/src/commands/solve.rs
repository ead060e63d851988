//! `woodstock solve`

use std::time::Instant;

use anstream::println;
use base::RoleId;
use clap::ValueEnum;
use encode::{Encoding, Extent, Options};
use game::Game;
use ground::GroundProgram;
use machine::OneState;
use scsp::Budget;
use search::{Concept, Information, Interval, Limits, Question, Solved, Unsolvable};
use serde::Serialize;

use super::scsp::encode_failure;
use crate::machines;
use crate::progress::{time_limit, with_progress};
use crate::sheet::GameArgument;
use crate::status::{Failure, Status};

/// Find the exact value of a game
///
/// For each player the score that it can make sure of, from 0 to 100, with a first move that does; chance is
/// expected. Players know the rules, their moves and what they see, and without `sees` rules everything. If
/// time or memory end before, or plays need not end, it says between which scores the value must lie.
///
/// With --stages it solves the stochastic constraint network of so many rounds instead, with propagation,
/// and plays that are longer are worth nothing; the moves of players are taken as seen by all. That is slower,
/// and shows what the network means.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples: woodstock solve tic-tac-toe\n          \
                        woodstock solve matching-pennies --concept maximax\n          \
                        woodstock solve monty-hall --stages 3")]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArgument,
    /// What players expect of the others
    #[arg(long, value_name = "NAME", default_value = "maximin")]
    concept: ConceptArgument,
    /// Solve the network of so many rounds
    #[arg(long, value_name = "T")]
    stages: Option<usize>,
    /// Let players know everything that happens
    #[arg(long)]
    all_seen: bool,
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

/// What was found out for a player.
struct Found {
    value: Interval,
    best: Option<String>,
    nodes: u64,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Status, Failure> {
    let program = machines::program(&arguments.game)?;
    let ground = machines::ground(&program).0.map_err(|error| Failure {
        message: error.to_string(),
        help: "only games that can be grounded are solved".to_owned(),
    })?;
    let information = match program.has_percepts() && !arguments.all_seen {
        true => Information::Percepts,
        false => Information::Full,
    };
    let start = Instant::now();
    let (roles, random) = (ground.roles.as_slice().to_vec(), ground.random);
    let players = RoleId::first(roles.len()).filter(|role| Some(*role) != random);
    let found: Vec<Found> = match arguments.stages {
        Some(n_rounds) => solve_network(&ground, n_rounds, information, arguments)?,
        None => {
            let mut game = OneState::new(ground);
            let solve = |role| {
                let question = Question { role, concept: arguments.concept.into(), information };
                solve_game(&mut game, question, arguments)
            };
            players.map(solve).collect::<Result<_, _>>()?
        }
    };
    let seconds = start.elapsed().as_secs_f64();
    let nodes = found.iter().map(|found| found.nodes).sum();
    let output = Output {
        values: each(&found, &roles, random, |found| {
            found.value.is_exact().then_some(found.value.low)
        }),
        bounds: each(&found, &roles, random, |found| Some([found.value.low, found.value.high])),
        best: each(&found, &roles, random, |found| found.best.clone()),
        nodes,
        seconds,
    };
    match arguments.json {
        true => println!("{}", serde_json::to_string(&output).expect("numbers are JSON")),
        false => print(&output, &roles),
    }
    let is_done = found.iter().all(|found| found.value.is_exact());
    Ok(if is_done { Status::Done } else { Status::LimitReached })
}

/// By role: something of what was found, and nothing for chance.
fn each<T>(
    found: &[Found],
    roles: &[String],
    random: Option<RoleId>,
    of: impl Fn(&Found) -> Option<T>,
) -> Vec<Option<T>> {
    let mut found = found.iter();
    let of_role = |role| if Some(role) == random { None } else { of(found.next()?) };
    RoleId::first(roles.len()).map(of_role).collect()
}

fn solve_game(
    game: &mut OneState,
    question: Question,
    arguments: &Arguments,
) -> Result<Found, Failure> {
    /// What a table of states needs besides them, for each.
    const BYTES_PER_ENTRY: usize = 64;
    let (duration, deadline) = time_limit(arguments.seconds);
    let bytes = game.initial().n_bytes() + BYTES_PER_ENTRY;
    let limits = Limits { deadline, max_states: arguments.memory.saturating_mul(1 << 20) / bytes };
    let solved = with_progress("solving", duration, || search::solve(game, question, &limits));
    let Solved { value, best, n_nodes } = solved.map_err(|problem| {
        let help = match &problem {
            Unsolvable::Unplayable(_) => {
                "the rules must give every role a legal move, and one goal at the end"
            }
            _ => "take all as seen with --all-seen",
        };
        Failure { message: problem.to_string(), help: help.to_owned() }
    })?;
    Ok(Found { value, best: best.map(|best| game.move_text(best)), nodes: n_nodes })
}

fn solve_network(
    ground: &GroundProgram,
    n_rounds: usize,
    information: Information,
    arguments: &Arguments,
) -> Result<Vec<Found>, Failure> {
    let options = Options::new(Encoding::Atoms, Extent::Rounds(n_rounds));
    let encoded = encode::encode(ground, &Options { information, ..options });
    let encoded = encoded.map_err(|error| encode_failure(&error))?;
    let constraints = encoded.value_constraints(arguments.concept.into());
    let solve = |player: usize| {
        let (duration, deadline) = time_limit(arguments.seconds);
        let budget = Budget { deadline, ..Budget::UNLIMITED };
        let found = with_progress("solving", duration, || {
            scsp::strategic_value(&encoded.network, &constraints, player, budget)
        });
        let value = found.value.ok_or_else(|| Failure {
            message: "the network has no solution".to_owned(),
            help: "the rules must give every role a legal move, and one goal at the end".to_owned(),
        })?;
        let first = constraints.rounds().first().map(|round| round.actions[player]);
        let best = first
            .zip(found.best)
            .map(|(var, place)| encoded.network.variables()[var].domain.text(place as usize));
        let value = Interval { low: 100.0 * value.low, high: 100.0 * value.high };
        Ok(Found { value, best, nodes: found.statistics.n_nodes })
    };
    (0..encoded.network.n_players()).map(solve).collect()
}

fn print(output: &Output, roles: &[String]) {
    for (role, ((value, bounds), best)) in
        roles.iter().zip(output.values.iter().zip(&output.bounds).zip(&output.best))
    {
        let best = best.as_ref().map_or(String::new(), |best| format!(", for example by {best}"));
        match (value, bounds) {
            (Some(value), _) => println!("{role}: {}{best}", rounded(*value)),
            (None, Some([low, high])) => {
                let [low, high] = [low, high].map(|bound| rounded(*bound));
                println!("{role}: between {low} and {high}{best}; more was not proved");
            }
            (None, None) => println!("{role}: chance"),
        }
    }
    println!("{} moves tried in {:.3} s", output.nodes, output.seconds);
}

/// A score that people read.
fn rounded(score: f64) -> f64 {
    (100.0 * score).round() / 100.0
}
