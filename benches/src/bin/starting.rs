//! How the network player begins matches: a table of whether it is ready in time, and moves legally in time, in all games.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use base::{Deadline, Id as _, RoleId};
use clap::Parser;
use corpus::{Corpus, Sheet};
use indicatif::{ProgressBar, ProgressStyle};
use net::{NetworkPlayer, PlayerSettings};
use player::{PlayerSpec, WithGame};
use protocol::{News, Rules};
use woodstock_benches::program_of;

/// Let the network player begin a match of every game of the corpus, into benches/starting.tsv
#[derive(Parser)]
struct Arguments {
    /// Seconds before the match
    #[arg(long, default_value_t = 5)]
    start_clock: u64,
    /// Seconds for each move
    #[arg(long, default_value_t = 5)]
    play_clock: u64,
    /// How many moves are asked for
    #[arg(long, default_value_t = 2)]
    moves: usize,
    /// Who plays; one that thinks takes all of its clocks
    #[arg(long, default_value = "random")]
    player: PlayerSpec,
    /// Only sheets whose path has this in it
    #[arg(long, default_value = "")]
    only: String,
    /// Print the row of one sheet
    #[arg(long, hide = true)]
    row: Option<String>,
}

const HEADER: &str = "sheet\tstart_ms\tslowest_move_ms\tlate\tillegal\tfast_machine";

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let Some(corpus) = Corpus::find() else { return ExitCode::FAILURE };
    if let Some(file) = &arguments.row {
        let sheet = corpus.sheets.iter().find(|sheet| sheet.file == *file);
        let Some(sheet) = sheet else { return ExitCode::FAILURE };
        println!("{}", row(sheet, &arguments));
        return ExitCode::SUCCESS;
    }
    let sheets: Vec<&Sheet> = corpus.sheets.iter().filter(|sheet| sheet.must_load()).collect();
    let sheets = sheets.into_iter().filter(|sheet| sheet.file.contains(&arguments.only));
    let sheets: Vec<&Sheet> = sheets.collect();
    let bar = ProgressBar::new(sheets.len() as u64);
    let style = ProgressStyle::with_template("{pos} of {len} {bar:30} {elapsed} {msg}");
    bar.set_style(style.expect("the template is well formed"));
    let mut table = HEADER.to_owned();
    for sheet in sheets {
        bar.set_message(sheet.file.clone());
        table += &format!("\n{}", row_of_its_own(sheet));
        bar.inc(1);
    }
    table += "\n";
    if arguments.only.is_empty() {
        let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/starting.tsv"));
        write(&path, &table);
    } else {
        print!("{table}");
    }
    ExitCode::SUCCESS
}

fn write(path: &Path, table: &str) {
    std::fs::write(path, table).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

/// The row of a sheet, from a process of its own: what goes on after a match does not take time from the next.
fn row_of_its_own(sheet: &Sheet) -> String {
    let program = std::env::current_exe().expect("this program has a path");
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    arguments.extend(["--row".to_owned(), sheet.file.clone()]);
    let output = Command::new(program).args(arguments).stderr(Stdio::inherit()).output();
    let output = output.expect("this program can be run");
    match output.status.success() {
        true => String::from_utf8_lossy(&output.stdout).trim().to_owned(),
        false => format!("{}\tfailed", sheet.file),
    }
}

/// The start of a match against players who make their first legal moves.
fn row(sheet: &Sheet, arguments: &Arguments) -> String {
    /// The judge is not on the clock.
    const TIME_TO_GROUND: Duration = Duration::from_secs(300);
    let Some(program) = program_of(sheet) else { return format!("{}\tno program", sheet.file) };
    let (rules, _) = player::Rules::new(&program, Deadline::after(TIME_TO_GROUND));
    rules.with_game(Beginning { sheet, arguments, has_percepts: rules.has_percepts() })
}

struct Beginning<'a> {
    sheet: &'a Sheet,
    arguments: &'a Arguments,
    has_percepts: bool,
}

/// What is noted of the moves of the player.
#[derive(Default)]
struct Notes {
    slowest_ms: u128,
    n_late: usize,
    n_illegal: usize,
}

impl WithGame for Beginning<'_> {
    type Out = String;

    fn visit<G: game::Game>(self, mut judge: G) -> String {
        let Beginning { sheet, arguments, .. } = self;
        let file = &sheet.file;
        let role = RoleId::first(judge.roles().len()).find(|role| Some(*role) != judge.random());
        let Some(role) = role else { return format!("{file}\tno role for a player") };
        let player = NetworkPlayer::new(PlayerSettings {
            name: "Woodstock".to_owned(),
            player: arguments.player.clone(),
            n_matches: 1,
            margin: Duration::from_millis(500),
            seed: 1,
        });
        let ast = gdl::parse(sheet.source().text(), sheet.form()).ast;
        let start = format!(
            "(START m {} ({}) {} {})",
            judge.roles()[role.index()],
            Rules::of(&ast).text(),
            arguments.start_clock,
            arguments.play_clock
        );
        let (ready, start_ms) = say(&player, &start);
        if ready != "ready" {
            return format!("{file}\t{ready}");
        }
        let notes = self.play(&mut judge, role, &player);
        let Notes { slowest_ms, n_late, n_illegal } = notes;
        let is_fast = player.status().matches.first().is_some_and(|one| one.is_fast);
        format!("{file}\t{start_ms}\t{slowest_ms}\t{n_late}\t{n_illegal}\t{is_fast}")
    }
}

impl Beginning<'_> {
    /// Asks for the first moves.
    fn play<G: game::Game>(&self, judge: &mut G, role: RoleId, player: &NetworkPlayer) -> Notes {
        let place = role.index();
        let has_percepts = self.has_percepts;
        let mut notes = Notes::default();
        let mut state = judge.initial();
        let mut news = match has_percepts {
            true => News::Turn { number: 0, own_move: None, percepts: Vec::new() },
            false => News::Nothing,
        };
        for number in 1..=self.arguments.moves as u64 {
            if judge.is_terminal(&state) {
                break;
            }
            let (answer, millis) = say(player, &format!("(PLAY m {news})"));
            notes.slowest_ms = notes.slowest_ms.max(millis);
            notes.n_late += usize::from(answer == "nil");
            let Ok(legal) = game::legal_of_all(judge, &state) else { break };
            let found = legal[place].iter().find(|id| judge.move_text(**id) == answer).copied();
            notes.n_illegal += usize::from(found.is_none() && answer != "nil");
            let mut made: Vec<game::MoveId> = legal.iter().map(|moves| moves[0]).collect();
            made[place] = found.unwrap_or(made[place]);
            let texts: Vec<String> = made.iter().map(|id| judge.move_text(*id)).collect();
            news = match has_percepts {
                true => News::Turn {
                    number,
                    own_move: Some(texts[place].clone()),
                    percepts: game::percept_texts(judge, &state, &made, role),
                },
                false => News::Terms(texts),
            };
            state = judge.next(&state, &made);
        }
        notes
    }
}

/// The answer to a message, and the milliseconds that it took.
fn say(player: &NetworkPlayer, text: &str) -> (String, u128) {
    let start = Instant::now();
    let answer = player.answer(text).expect("it is a message");
    (answer, start.elapsed().as_millis())
}
