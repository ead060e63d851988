//! `woodstock games`

use anstream::println;
use serde::Serialize;

use crate::status::Status;

/// List the embedded games
///
/// Any of these names can be given where a command asks for a GAME.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: woodstock games --json")]
pub(crate) struct Arguments {
    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Line<'a> {
    name: &'a str,
    title: &'a str,
    roles: &'a [String],
    class: String,
    summary: &'a str,
    origin: &'a str,
}

pub(crate) fn run(arguments: &Arguments) -> Status {
    if arguments.json {
        games::all().iter().for_each(print_json);
    } else {
        print_table();
    }
    Status::Done
}

fn print_json(game: &games::Game) {
    let games::Game { name, title, roles, summary, origin, .. } = game;
    let line = Line { name, title, roles, class: game.class.to_string(), summary, origin };
    println!("{}", serde_json::to_string(&line).expect("strings are JSON"));
}

fn print_table() {
    let width = games::all().iter().map(|game| game.name.len()).max().unwrap_or(0);
    for game in games::all() {
        let class = game.class.to_string();
        println!("\x1b[1m{:width$}\x1b[0m  {class:21}  {}", game.name, game.roles.join(", "));
        println!("{:width$}  {}\n", "", game.summary);
    }
    println!("Check one with: woodstock check {}", games::all()[0].name);
}
