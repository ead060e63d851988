//! `woodstock tournament`

mod plan;
mod results;

use std::path::{Path, PathBuf};

use anstream::{eprintln, println};
use arena::{Moment, Record, Scores};
use base::Stop;
use net::{Contestant, RemoteGame};
use player::Rules;
use serde::Serialize;
use tracing::Level;

use super::invited::check_invited;
use super::series::{Manner, Played, Series, clock_of, has_remote, rules_and_remote};
use crate::interruption::stop_on_signal;
use crate::logging;
use crate::sheet::GameArgument;
use crate::status::{Failure, Status};
use plan::{Column, Plan, Scale};
use results::{Cell, Results, Row};

/// Play an experiment of many matches, and put the results beside published ones
///
/// FILE says in TOML which games (rows) and which players (columns). Every match is written to a file of results when
/// it is over; matches that are there already are not played again, so that a tournament that was broken off goes on
/// where it was. The table is about the first player of each column, in percent, with a 95 % interval.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Example: woodstock tournament experiments/constraints2016-table3/config.toml --matches 20 --play-clock 0.25 --jobs 2"
)]
pub(crate) struct Arguments {
    /// The tournament
    file: String,
    #[command(flatten)]
    scale: Scale,
    /// Only this game; may be named more than once
    #[arg(long = "game", value_name = "GAME")]
    games: Vec<String>,
    /// How many matches go on side by side; each needs as many cores as players think at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: u16,
    /// Where matches are written to [default: results.jsonl beside FILE]
    #[arg(long, value_name = "FILE")]
    results: Option<PathBuf>,
    /// Print what is there already, and play nothing
    #[arg(long)]
    no_play: bool,
    /// Print a JSON object a cell
    #[arg(long)]
    json: bool,
}

/// A cell of the table, as a line of JSON.
#[derive(Serialize)]
struct CellLine {
    game: String,
    players: Vec<String>,
    play_clock: f64,
    nodes: Option<u64>,
    matches: usize,
    /// By player: from 0 to 1.
    score: Vec<f64>,
    ci95: Vec<[f64; 2]>,
    /// How many matches had moves that were late or not legal.
    matches_with_errors: usize,
    /// What somebody else has published for the first player, from 0 to 1.
    published: Option<f64>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Status, Failure> {
    logging::begin(Level::WARN);
    let plan = Plan::read(&arguments.file)?;
    let beside = || Path::new(&arguments.file).with_file_name("results.jsonl");
    let mut results = Results::read(&arguments.results.clone().unwrap_or_else(beside))?;
    let games = games_of(&plan, arguments)?;
    let stop = stop_on_signal();
    let mut lines: Vec<Vec<Option<CellLine>>> = Vec::new();
    for game in &games {
        let mut rules: Option<(Rules, RemoteGame)> = None;
        let mut row = Vec::new();
        for column in &plan.columns {
            let line = column.has(game).then(|| {
                let results = &mut results;
                let mut playing = Playing { plan: &plan, arguments, results, stop: &stop };
                playing.cell(game, column, &mut rules)
            });
            row.push(line.transpose()?);
        }
        if arguments.json {
            let cells = row.iter().flatten();
            cells.for_each(|cell| {
                println!("{}", serde_json::to_string(cell).expect("numbers are JSON"));
            });
        }
        lines.push(row);
    }
    if !arguments.json {
        print_table(&plan, &games, &lines, arguments.scale)?;
    }
    Ok(if stop.is_wished() { Status::Interrupted } else { Status::Done })
}

/// The games that are wanted.
fn games_of(plan: &Plan, arguments: &Arguments) -> Result<Vec<String>, Failure> {
    if let Some(other) = arguments.games.iter().find(|game| !plan.games.contains(game)) {
        return Err(Failure {
            message: format!("{other} is no game of this tournament"),
            help: format!("it has {}", plan.games.join(", ")),
        });
    }
    let is_wanted = |game: &&String| arguments.games.is_empty() || arguments.games.contains(game);
    Ok(plan.games.iter().filter(is_wanted).cloned().collect())
}

/// Playing what is not there yet.
struct Playing<'a> {
    plan: &'a Plan,
    arguments: &'a Arguments,
    results: &'a mut Results,
    stop: &'a Stop,
}

impl Playing<'_> {
    /// Plays the matches of a cell that are not there; says what all of them come to.
    fn cell(
        &mut self,
        game: &str,
        column: &Column,
        rules: &mut Option<(Rules, RemoteGame)>,
    ) -> Result<CellLine, Failure> {
        let players = column.players()?;
        let clocks = self.plan.clocks(column, self.arguments.scale)?;
        let names = players.iter().map(Contestant::to_string).collect();
        let cell = Cell { game, players: names, clocks, seed: self.plan.seed };
        let n_matches = self.arguments.scale.matches.or(column.matches);
        let n_matches = n_matches.unwrap_or(self.plan.matches);
        let played = self.results.of(&cell, n_matches);
        let missing: Vec<usize> = (0..n_matches).filter(|n| !played.contains_key(n)).collect();
        let may_play = !self.arguments.no_play && !self.stop.is_wished();
        if !missing.is_empty() && may_play {
            let (rules, remote) = match rules {
                Some(rules) => rules,
                None => {
                    let argument = GameArgument { game: game.to_owned(), from: None };
                    rules.insert(rules_and_remote(&argument)?)
                }
            };
            check_players(game, rules, &players)?;
            let series = Series {
                rules,
                game,
                remote,
                players: &players,
                start_clock: clock_of(clocks.start, clocks.nodes),
                play_clock: clock_of(clocks.play, clocks.nodes),
                seed: cell.seed,
                is_scrambled: self.plan.scramble,
                stop: self.stop,
            };
            check_invited(&series)?;
            self.play(&cell, &series, &missing)?;
        }
        let rows = self.results.of(&cell, n_matches);
        let n_others = rows.values().filter(|row| row.build != self.results.build()).count();
        if n_others > 0 {
            eprintln!(
                "{}, {}: {n_others} matches are of another build of the program; with --results FILE all begins anew",
                cell.game,
                cell.players.join(" against ")
            );
        }
        Ok(line_of(&cell, column, rows.values().copied()))
    }

    fn play(
        &mut self,
        cell: &Cell<'_>,
        series: &Series<'_>,
        missing: &[usize],
    ) -> Result<(), Failure> {
        let message = format!("{}, {}: match", cell.game, cell.players.join(" against "));
        // A player elsewhere plays one match after the other.
        let n_jobs = if has_remote(series.players) { 1 } else { usize::from(self.arguments.jobs) };
        let manner = Manner { n_jobs, is_in_order: false, message: Some(&message) };
        let nobody = |(): &mut (), _: Moment<'_>| {};
        self.results.begin()?;
        let no_record = |_: &Record| Ok(());
        series.play_all(missing, manner, nobody, no_record, |played| {
            match &played.problem {
                Some(problem) => eprintln!("{message} {} broke off: {problem}", played.number + 1),
                None => self.results.add(row_of(cell, &played, series.rules))?,
            }
            Ok(false)
        })
    }
}

fn check_players(game: &str, rules: &Rules, players: &[Contestant]) -> Result<(), Failure> {
    let n_players = rules.n_players();
    if players.len() == n_players {
        return Ok(());
    }
    Err(Failure {
        message: format!("{} players for {game}, which needs {n_players}", players.len()),
        help: "give games with another number of players a column of their own".to_owned(),
    })
}

/// A match that was played.
fn row_of(cell: &Cell<'_>, played: &Played<()>, rules: &Rules) -> Row {
    Row {
        points: played.points(rules),
        moves: played.record.moves.len(),
        seconds: played.time.as_secs_f64(),
        errors: played.record.error_texts(),
        ..cell.row(played.number)
    }
}

/// What the matches of a cell come to.
fn line_of<'r>(
    cell: &Cell<'_>,
    column: &Column,
    rows: impl Iterator<Item = &'r Row> + Clone,
) -> CellLine {
    let scores: Vec<Scores> = (0..cell.players.len())
        .map(|player| {
            let mut scores = Scores::default();
            rows.clone().for_each(|row| scores.add(row.points[player]));
            scores
        })
        .collect();
    CellLine {
        game: cell.game.to_owned(),
        players: cell.players.clone(),
        play_clock: cell.clocks.play,
        nodes: cell.clocks.nodes,
        matches: scores.first().map_or(0, Scores::len),
        score: scores.iter().map(Scores::mean).collect(),
        ci95: scores.iter().map(Scores::interval).collect(),
        matches_with_errors: rows.filter(|row| !row.errors.is_empty()).count(),
        published: column.published.get(cell.game).map(|percent| percent / 100.0),
    }
}

/// Prints the table, as Markdown: a row a game.
fn print_table(
    plan: &Plan,
    games: &[String],
    lines: &[Vec<Option<CellLine>>],
    scale: Scale,
) -> Result<(), Failure> {
    println!("{}\n", plan.title);
    let has_published = |column: &Column| !column.published.is_empty();
    let mut head = String::from("| game |");
    let mut rule = String::from("| --- |");
    for column in &plan.columns {
        let clocks = plan.clocks(column, scale)?;
        head += &format!(" {} | 95 % | matches |", column.title(clocks));
        rule += " ---: | ---: | ---: |";
        if has_published(column) {
            head += " published |";
            rule += " ---: |";
        }
    }
    println!("{head}\n{rule}");
    for (game, cells) in games.iter().zip(lines) {
        let mut line = format!("| {game} |");
        for (column, cell) in plan.columns.iter().zip(cells) {
            line += &cell_text(cell.as_ref());
            if has_published(column) {
                let published = cell.as_ref().and_then(|cell| cell.published);
                let text = published.map(|share| format!("{:.1}", 100.0 * share));
                line += &format!(" {} |", text.unwrap_or_default());
            }
        }
        println!("{line}");
    }
    Ok(())
}

/// The score of the first player, its interval, and the number of matches.
fn cell_text(cell: Option<&CellLine>) -> String {
    match cell.filter(|cell| cell.matches > 0) {
        None => "  |  |  |".to_owned(),
        Some(cell) => {
            let [low, high] = cell.ci95[0].map(|bound| 100.0 * bound);
            let score = 100.0 * cell.score[0];
            format!(" {score:.1} | {low:.1} to {high:.1} | {} |", cell.matches)
        }
    }
}
