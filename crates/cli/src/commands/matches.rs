//! `woodstock match`

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anstream::{eprintln, println};
use arena::{MatchSettings, Record, Scores, Seats, play_match, points};
use base::{Id as _, RoleId};
use game::Unplayable;
use player::{Agent, Clock, PlayerSpec, Rules};
use serde::Serialize;

use crate::machines;
use crate::progress::{duration_of, with_progress};
use crate::sheet::{GameArgument, write_file};
use crate::status::{Failure, Status};

/// Let players play against each other
///
/// A player is a name with parameters: uct, uct:c=0.7, random, legal. Name one for each role but chance;
/// in every match they take the next seat. With --nodes instead of a clock, a match is the same every time.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples: woodstock match connect-four --player uct --player random\n          \
                        woodstock match breakthrough --player uct:c=0.7 --player uct --matches 20 --play-clock 0.25"
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArgument,
    /// A player; once for each role but chance [default: uct for all]
    #[arg(long = "player", value_name = "PLAYER")]
    players: Vec<PlayerSpec>,
    /// How many matches
    #[arg(long, value_name = "N", default_value_t = 1)]
    matches: usize,
    /// How long players may think before a match, in seconds
    #[arg(long, value_name = "S", default_value_t = 1.0)]
    start_clock: f64,
    /// How long they may think about a move, in seconds
    #[arg(long, value_name = "S", default_value_t = 1.0)]
    play_clock: f64,
    /// So many random plays for each move in the place of clocks
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Where chance begins
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Write a record of each match into this folder
    #[arg(long, value_name = "FOLDER")]
    records: Option<PathBuf>,
    /// Print a JSON object a match, and one for all of them
    #[arg(long)]
    json: bool,
}

/// A match, as a line of JSON.
#[derive(Serialize)]
struct MatchLine {
    game: String,
    /// By role; chance is `random`.
    players: Vec<String>,
    goals: Vec<u8>,
    /// How many joint moves there were.
    moves: usize,
    errors: Vec<String>,
    seconds: f64,
}

/// All matches, as the last line of JSON.
#[derive(Serialize)]
struct Summary {
    matches: usize,
    /// By player, as they were named: from 0 to 1.
    score: Vec<f64>,
    ci95: Vec<[f64; 2]>,
    wins: Vec<usize>,
    draws: Vec<usize>,
    losses: Vec<usize>,
    deviation: Vec<f64>,
}

/// A match that is longer is broken off.
const MAX_STEPS: usize = 100_000;

pub(crate) fn run(arguments: &Arguments) -> Result<Status, Failure> {
    let program = machines::program(&arguments.game)?;
    let (rules, not_ground) = machines::rules(&program);
    if let Some(error) = not_ground {
        eprintln!("not grounded, so the rules are played as they stand: {error}");
    }
    let n_players = rules.roles().len() - usize::from(rules.random().is_some());
    let players = players(arguments, n_players)?;
    let seats = Seats::new(n_players);
    let mut scores = vec![Scores::default(); n_players];
    for number in 0..arguments.matches {
        let by_seat = seats.of_match(number);
        let start = Instant::now();
        let (record, problem) = with_progress(&format!("match {}", number + 1), None, || {
            one_match(&rules, &players, &by_seat, number, arguments)
        });
        match problem {
            Some(problem) => eprintln!("match {} was broken off: {problem}", number + 1),
            None => {
                let goals = goals_of_players(&record, &rules);
                for (&player, point) in by_seat.iter().zip(points(&goals)) {
                    scores[player].add(point);
                }
            }
        }
        if let Some(folder) = &arguments.records {
            let text = serde_json::to_string(&record).expect("records are JSON");
            write_file(&folder.join(format!("{}.json", record.match_id)), &text)?;
        }
        print_match(&record, &rules, start.elapsed(), arguments);
    }
    print_summary(&scores, &players, arguments.json);
    Ok(Status::Done)
}

/// A player for each role but chance.
fn players(arguments: &Arguments, n_players: usize) -> Result<Vec<PlayerSpec>, Failure> {
    match arguments.players.len() {
        0 => {
            let uct: PlayerSpec = "uct".parse().expect("there is such a player");
            Ok(vec![uct; n_players])
        }
        n_named if n_named == n_players => Ok(arguments.players.clone()),
        n_named => Err(Failure {
            message: format!("{n_named} players for a game that needs {n_players}"),
            help: "name a --player for each role but chance, or none".to_owned(),
        }),
    }
}

fn one_match(
    rules: &Rules,
    players: &[PlayerSpec],
    by_seat: &[usize],
    number: usize,
    arguments: &Arguments,
) -> (Record, Option<Unplayable>) {
    let time = |seconds: f64| Clock::Time(duration_of(seconds));
    let settings = MatchSettings {
        match_id: format!("woodstock-{}-{}", arguments.seed, number + 1),
        game: arguments.game.game.clone(),
        start_clock: arguments.nodes.map_or(time(arguments.start_clock), Clock::Plays),
        play_clock: arguments.nodes.map_or(time(arguments.play_clock), Clock::Plays),
        seed: arguments.seed.wrapping_add(number as u64),
        max_steps: MAX_STEPS,
    };
    let mut seats = by_seat.iter();
    let agent = |role: RoleId| -> (Option<Box<dyn Agent>>, String) {
        if Some(role) == rules.random() {
            return (None, "random".to_owned());
        }
        let player = *seats.next().expect("there is a seat for each role but chance");
        let seed = settings.seed.wrapping_mul(1000).wrapping_add(role.index() as u64);
        (Some(rules.agent(&players[player], role, seed)), players[player].to_string())
    };
    let (mut agents, names): (Vec<_>, Vec<_>) =
        RoleId::first(rules.roles().len()).map(agent).unzip();
    play_match(rules, &mut agents, &names, &settings, &mut |_| {})
}

/// By seat: what the player got.
fn goals_of_players(record: &Record, rules: &Rules) -> Vec<u8> {
    let roles = RoleId::first(rules.roles().len()).zip(&record.goal_values);
    roles.filter(|(role, _)| Some(*role) != rules.random()).map(|(_, goal)| *goal).collect()
}

fn print_match(record: &Record, rules: &Rules, time: Duration, arguments: &Arguments) {
    let errors = record.error_texts();
    if arguments.json {
        let line = MatchLine {
            game: arguments.game.game.clone(),
            players: record.player_names_from_host.clone(),
            goals: record.goal_values.clone(),
            moves: record.moves.len(),
            errors,
            seconds: time.as_secs_f64(),
        };
        println!("{}", serde_json::to_string(&line).expect("numbers are JSON"));
        return;
    }
    let names = rules.roles().iter().zip(&record.player_names_from_host);
    let results: Vec<String> = names
        .zip(&record.goal_values)
        .map(|((role, player), goal)| format!("{role} ({player}) {goal}"))
        .collect();
    let n_moves = record.moves.len();
    println!("{}: {n_moves} moves in {:.1} s", results.join(", "), time.as_secs_f64());
    for error in errors {
        println!("  {error}");
    }
}

fn print_summary(scores: &[Scores], players: &[PlayerSpec], is_json: bool) {
    let counts: Vec<[usize; 3]> = scores.iter().map(Scores::wins_draws_losses).collect();
    if is_json {
        let summary = Summary {
            matches: scores.first().map_or(0, Scores::len),
            score: scores.iter().map(Scores::mean).collect(),
            ci95: scores.iter().map(Scores::interval).collect(),
            wins: counts.iter().map(|[wins, _, _]| *wins).collect(),
            draws: counts.iter().map(|[_, draws, _]| *draws).collect(),
            losses: counts.iter().map(|[_, _, losses]| *losses).collect(),
            deviation: scores.iter().map(Scores::deviation).collect(),
        };
        println!("{}", serde_json::to_string(&summary).expect("numbers are JSON"));
        return;
    }
    for ((player, scores), [wins, draws, losses]) in players.iter().zip(scores).zip(counts) {
        let [low, high] = scores.interval().map(|bound| 100.0 * bound);
        println!(
            "{player}: {:.1} % (95 %: {low:.1} to {high:.1}), {wins} won, {draws} drawn, {losses} lost",
            100.0 * scores.mean()
        );
    }
}
