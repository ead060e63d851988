//! `woodstock scsp`

use std::path::{Path, PathBuf};
use std::time::Instant;

use anstream::println;
use clap::ValueEnum;
use encode::{EncodeError, Encoded, Encoding, Extent, Information, Options};
use serde::Serialize;

use crate::machines;
use crate::progress::with_progress;
use crate::sheet::{GameArgument, write_file};
use crate::status::{Failure, Status};

/// Show a game as a stochastic constraint network
///
/// Without --stages, the network of one move in any state, as the papers show it; with it, so many
/// rounds from the initial state on.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples: woodstock scsp hidden-matching-pennies\n          \
                        woodstock scsp tic-tac-toe --stages 3 --xcsp3 three-moves.xml")]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArgument,
    /// How many rounds
    #[arg(long, value_name = "T")]
    stages: Option<usize>,
    /// How states become variables
    #[arg(long, value_name = "NAME", default_value = "atoms")]
    encoding: EncodingArgument,
    /// Let players know everything that happens
    #[arg(long)]
    all_seen: bool,
    /// Write out tables with up to so many combinations of values; formulas stand for larger ones
    #[arg(long, value_name = "N", default_value_t = 4096)]
    max_tuples: usize,
    /// Write the network as XCSP3
    #[arg(long, value_name = "FILE")]
    xcsp3: Option<PathBuf>,
    /// Show so many lines of the network; 0 for all
    #[arg(long, value_name = "N", default_value_t = 100)]
    lines: usize,
    /// Print one JSON object: vars, stochastic, max_domain, constraints, tuples and seconds
    #[arg(long)]
    json: bool,
}

/// How states become variables, as an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum EncodingArgument {
    /// A variable for each group of fluents of which one holds at most
    Atoms,
    /// A variable for each fluent
    Fluents,
}

impl From<EncodingArgument> for Encoding {
    fn from(argument: EncodingArgument) -> Encoding {
        match argument {
            EncodingArgument::Atoms => Encoding::Atoms,
            EncodingArgument::Fluents => Encoding::Fluents,
        }
    }
}

/// How large a network is, and how long it took with grounding.
#[derive(Serialize)]
pub(super) struct Output {
    pub(super) vars: usize,
    stochastic: usize,
    pub(super) max_domain: usize,
    pub(super) constraints: usize,
    tuples: usize,
    pub(super) seconds: f64,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Status, Failure> {
    let program = machines::program(&arguments.game)?;
    let start = Instant::now();
    let ground = machines::ground(&program).0.map_err(|error| Failure {
        message: error.to_string(),
        help: "only games that can be grounded have a network".to_owned(),
    })?;
    let extent = arguments.stages.map_or(Extent::OneStage, Extent::Rounds);
    let mut options = Options::new(arguments.encoding.into(), extent);
    options.max_tuples = arguments.max_tuples;
    if program.has_percepts() && !arguments.all_seen {
        options.information = Information::Percepts;
    }
    let encoded = with_progress("encoding", None, || encode::encode(&ground, &options));
    let encoded = encoded.map_err(|error| encode_failure(&error))?;
    let output = output(&encoded, start.elapsed().as_secs_f64());
    if let Some(path) = &arguments.xcsp3 {
        write_xcsp3(path, &encoded)?;
    }
    match arguments.json {
        true => println!("{}", serde_json::to_string(&output).expect("numbers are JSON")),
        false => print(&output, &encoded, arguments.lines),
    }
    Ok(Status::Done)
}

pub(super) fn output(encoded: &Encoded, seconds: f64) -> Output {
    let size = encoded.network.size();
    Output {
        vars: size.n_vars,
        stochastic: size.n_stochastic,
        max_domain: size.max_domain,
        constraints: size.n_constraints,
        tuples: size.n_tuples,
        seconds,
    }
}

/// Why a game has no network, and what helps.
pub(super) fn encode_failure(error: &EncodeError) -> Failure {
    let help = match error {
        EncodeError::NotShared | EncodeError::ManyPercepts => "take all as seen with --all-seen",
        EncodeError::NoMove { .. } | EncodeError::InitialState => {
            "see what is wrong with the rules with: woodstock check"
        }
    };
    Failure { message: error.to_string(), help: help.to_owned() }
}

fn write_xcsp3(path: &Path, encoded: &Encoded) -> Result<(), Failure> {
    let text = encoded.network.to_xcsp3().map_err(|error| Failure {
        message: error.to_string(),
        help: "leave --xcsp3 out, or allow larger tables with --max-tuples".to_owned(),
    })?;
    write_file(path, &text)
}

fn print(output: &Output, encoded: &Encoded, n_lines: usize) {
    let Output { vars, stochastic, max_domain, constraints, tuples, seconds } = output;
    println!(
        "{vars} variables, {stochastic} of them stochastic, with up to {max_domain} values; \
         {constraints} constraints with {tuples} tuples in tables ({seconds:.3} s)\n"
    );
    let mut text = encoded.network.to_string();
    for belief in &encoded.beliefs {
        let told = belief.to_string();
        let (_, probabilities) = told.split_once("\n\n").unwrap_or_default();
        text.push_str(&format!("\nwhat is seen tells the {probabilities}"));
    }
    let n_shown = if n_lines == 0 { usize::MAX } else { n_lines };
    for line in text.lines().take(n_shown) {
        println!("{line}");
    }
    let n_more = text.lines().count().saturating_sub(n_shown);
    if n_more > 0 {
        println!("… and {n_more} more lines: --lines 0 shows all");
    }
}
