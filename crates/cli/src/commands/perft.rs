//! `woodstock perft`

use std::time::Instant;

use anstream::println;
use game::{Game, Perft, Unplayable};
use machine::{Interpreter, OneState};
use serde::Serialize;

use crate::machines;
use crate::progress::with_progress;
use crate::sheet::GameArgument;
use crate::status::{Failure, Status};

/// Count the sequences of joint moves of a given length
///
/// A sequence that has ended is not continued. The counts of two programs that read the same rules
/// must be the same, so this is how rules and readers are compared.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: woodstock perft tic-tac-toe 5")]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArgument,
    /// How many joint moves
    depth: u32,
    /// Evaluate the rules as they stand, slowly, rather than their ground form
    #[arg(long)]
    interpret: bool,
    /// Print one JSON object: depth, nodes, terminals and seconds
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Output {
    depth: u32,
    nodes: u64,
    terminals: u64,
    seconds: f64,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Status, Failure> {
    let program = machines::program(&arguments.game)?;
    let ground = if arguments.interpret { None } else { machines::ground(&program).0.ok() };
    let (counted, seconds) = match ground {
        Some(ground) => timed(&mut OneState::new(ground), arguments.depth),
        None => timed(&mut Interpreter::new(&program), arguments.depth),
    };
    match counted {
        Ok(Perft { nodes, terminals }) => {
            print(&Output { depth: arguments.depth, nodes, terminals, seconds }, arguments.json);
            Ok(Status::Done)
        }
        Err(problem) => Err(Failure {
            message: problem.to_string(),
            help: "the rules must give every role a legal move".to_owned(),
        }),
    }
}

fn timed(game: &mut impl Game, depth: u32) -> (Result<Perft, Unplayable>, f64) {
    let start = Instant::now();
    let counted = with_progress("counting", None, || game::perft(game, depth));
    (counted, start.elapsed().as_secs_f64())
}

fn print(output: &Output, is_json: bool) {
    if is_json {
        println!("{}", serde_json::to_string(output).expect("numbers are JSON"));
    } else {
        let Output { depth, nodes, terminals, seconds } = output;
        println!("depth {depth}: {nodes} sequences, {terminals} of them end ({seconds:.3} s)");
    }
}
