//! `woodstock games`

use anstream::println;
use games::{Class, Game};
use serde::Serialize;

use crate::sheet::help_for_missing;
use crate::status::{Failure, Status};

/// List the embedded games, or say how one is played
///
/// Any of these names can be given where a command asks for a GAME.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples: woodstock games\n          woodstock games backgammon")]
pub(crate) struct Arguments {
    /// Tell the rules of this game [default: list all]
    game: Option<String>,
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
    description: &'a str,
    differences: Option<&'a str>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Status, Failure> {
    let named = match &arguments.game {
        None => None,
        Some(name) => Some(games::find(name).ok_or_else(|| Failure {
            message: format!("there is no embedded game {name}"),
            help: help_for_missing(name),
        })?),
    };
    match (named, arguments.json) {
        (None, true) => games::all().iter().for_each(print_json),
        (None, false) => print_lists(),
        (Some(game), true) => print_json(game),
        (Some(game), false) => print_rules(game),
    }
    Ok(Status::Done)
}

fn print_json(game: &Game) {
    let Game { name, title, roles, summary, origin, description, differences, .. } = game;
    let line = Line {
        name,
        title,
        roles,
        class: game.class.to_string(),
        summary,
        origin,
        description: description.trim(),
        differences: differences.as_deref().map(str::trim),
    };
    println!("{}", serde_json::to_string(&line).expect("strings are JSON"));
}

/// All games, class by class, a line each.
fn print_lists() {
    let width = games::all().iter().map(|game| game.name.len()).max().unwrap_or(0);
    for class in Class::ALL {
        let games: Vec<&Game> = games::all().iter().filter(|game| game.class == class).collect();
        if games.is_empty() {
            continue;
        }
        println!("\x1b[1m{}\x1b[0m", title(class));
        for game in games {
            println!("  \x1b[1m{:width$}\x1b[0m  {}  {}", game.name, n_players(game), game.summary);
        }
        println!();
    }
    println!("How one is played: woodstock games {}", games::all()[0].name);
}

fn title(class: Class) -> &'static str {
    match class {
        Class::Deterministic => "Without chance, and everything is seen",
        Class::Stochastic => "With chance, and everything is seen",
        Class::SharedInformation => "Not everything is seen, but all see the same",
        Class::ImperfectInformation => "Players see different things",
    }
}

fn n_players(game: &Game) -> String {
    match game.roles.iter().filter(|role| *role != "random").count() {
        1 => "1 player ".to_owned(),
        n_players => format!("{n_players} players"),
    }
}

/// How a game is played.
fn print_rules(game: &Game) {
    println!("\x1b[1m{}\x1b[0m ({})", game.title, game.name);
    println!("{}\n", game.summary);
    println!("{}\n", game.description.trim());
    if let Some(differences) = &game.differences {
        println!("\x1b[1mDifferences\x1b[0m\n{}\n", differences.trim());
    }
    println!("Roles: {}. Class: {}. Origin: {}.", game.roles.join(", "), game.class, game.origin);
    println!("Play it with: woodstock play {}", game.name);
}
