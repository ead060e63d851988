//! `woodstock`, the one binary. It reads arguments, calls the other crates, prints and exits.

mod commands;
mod interruption;
mod logging;
mod machines;
mod picture;
mod progress;
mod sheet;
mod status;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::commands::{
    check, fmt, games, info, matches, perft, play, players, playouts, replay, scsp, serve, solve,
    solve_scsp, tournament,
};
use crate::status::Status;

/// Every match begins and ends threads with large trees. The allocator of the C library keeps the room of
/// those that have ended; this one gives it to others.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// A general game player: it reads the rules of a game it has never seen, and plays it.
///
/// GAME is the name of an embedded game (see `woodstock games`), the path of a rule sheet in KIF
/// or in infix form, or - for standard input.
#[derive(Parser, Debug)]
#[command(version, max_term_width = 100)]
#[command(after_help = "Exit status: 0 done, 1 the input is wrong, 2 wrong usage, \
                        3 a limit on time or memory was reached, 130 interrupted.")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Check(check::Arguments),
    Fmt(fmt::Arguments),
    Games(games::Arguments),
    Info(info::Arguments),
    Match(matches::Arguments),
    Perft(perft::Arguments),
    Play(play::Arguments),
    Players(players::Arguments),
    Playouts(playouts::Arguments),
    Replay(replay::Arguments),
    Scsp(scsp::Arguments),
    Serve(serve::Arguments),
    Solve(solve::Arguments),
    SolveScsp(solve_scsp::Arguments),
    Tournament(tournament::Arguments),
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Check(arguments) => Ok(check::run(&arguments)),
        Command::Fmt(arguments) => fmt::run(&arguments),
        Command::Games(arguments) => games::run(&arguments),
        Command::Info(arguments) => info::run(&arguments),
        Command::Match(arguments) => matches::run(&arguments),
        Command::Perft(arguments) => perft::run(&arguments),
        Command::Play(arguments) => play::run(&arguments),
        Command::Players(arguments) => players::run(&arguments),
        Command::Playouts(arguments) => playouts::run(&arguments),
        Command::Replay(arguments) => replay::run(&arguments),
        Command::Scsp(arguments) => scsp::run(&arguments),
        Command::Serve(arguments) => serve::run(&arguments),
        Command::Solve(arguments) => solve::run(&arguments),
        Command::SolveScsp(arguments) => solve_scsp::run(&arguments),
        Command::Tournament(arguments) => tournament::run(&arguments),
    };
    let status = outcome.unwrap_or_else(|failure| {
        failure.print();
        Status::WrongInput
    });
    status.into()
}
