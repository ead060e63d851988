//! `woodstock replay`

use std::io::{BufRead as _, IsTerminal as _};
use std::path::PathBuf;

use anstream::println;
use arena::{Difference, Record};
use serde::Serialize;

use crate::machines;
use crate::progress::with_progress;
use crate::sheet::{FormArgument, GameArgument};
use crate::status::{Failure, Status};

/// Compare the record of a match with the rules
///
/// Every state, move and goal of a record, our own or a foreign one in the JSON that ggp-base writes, is
/// compared with what the rules say. Exit status 1 if they differ.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples: woodstock replay match.json\n          \
                        woodstock replay foreign.json --game connect-four")]
pub(crate) struct Arguments {
    /// The record, a JSON file
    record: PathBuf,
    /// The game: an embedded one, a path, or - for standard input [default: what the record says]
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// Read the sheet in this form [default: by its name or its text]
    #[arg(long, value_name = "FORM")]
    from: Option<FormArgument>,
    /// Walk through the match, state by state
    #[arg(long)]
    step: bool,
    /// Print one JSON object: ok, steps and difference
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Output {
    ok: bool,
    /// The joint moves that agree.
    steps: usize,
    difference: Option<DifferenceOutput>,
}

#[derive(Serialize)]
struct DifferenceOutput {
    step: usize,
    what: &'static str,
    recorded: String,
    rules: String,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Status, Failure> {
    let record = read(arguments)?;
    let game = arguments.game.clone().unwrap_or_else(|| record.game_meta_url.clone());
    if game.is_empty() {
        return Err(Failure {
            message: "the record does not say which game it is of".to_owned(),
            help: "name the game, or its rule sheet, with --game".to_owned(),
        });
    }
    let game = GameArgument { game, from: arguments.from };
    let program = machines::program(&game)?;
    let (rules, _) = machines::rules(&program);
    let (steps, difference) = with_progress("replaying", None, || arena::replay(&rules, &record));
    if arguments.step {
        walk(&record);
    }
    let status = if difference.is_none() { Status::Done } else { Status::WrongInput };
    if arguments.json {
        let difference = difference.map(|Difference { step, what, recorded, rules }| {
            DifferenceOutput { step, what, recorded, rules }
        });
        let output = Output { ok: difference.is_none(), steps, difference };
        println!("{}", serde_json::to_string(&output).expect("texts are JSON"));
        return Ok(status);
    }
    match difference {
        None => println!("{steps} steps, all as the rules say"),
        Some(Difference { step, what, recorded, rules }) => {
            println!("step {step}, {what}:\n  recorded: {recorded}\n  the rules: {rules}");
        }
    }
    Ok(status)
}

fn read(arguments: &Arguments) -> Result<Record, Failure> {
    let path = arguments.record.display();
    let text = std::fs::read_to_string(&arguments.record).map_err(|error| Failure {
        message: format!("{path} cannot be read: {error}"),
        help: "name a file that woodstock match --records has written, or a foreign record"
            .to_owned(),
    })?;
    serde_json::from_str(&text).map_err(|error| Failure {
        message: format!("{path} is no record of a match: {error}"),
        help: "a record is one JSON object, with states and moves as lists".to_owned(),
    })
}

/// Shows one state after the other; a person presses Enter for the next.
fn walk(record: &Record) {
    let mut lines = std::io::stdin().lock().lines();
    for (step, state) in record.states.iter().enumerate() {
        println!("state {step}: {state}");
        let Some(moves) = record.moves.get(step) else { continue };
        println!("moves {}: {}", step + 1, moves.join(", "));
        if std::io::stdin().is_terminal() && lines.next().is_none() {
            return;
        }
    }
}
