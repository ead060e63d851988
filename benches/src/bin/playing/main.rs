//! Tables of how fast games are played, and whether all machines play them alike.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output, Stdio};
use std::time::{Duration, Instant};

use clap::{Parser, Subcommand};
use corpus::{Corpus, Sheet};
use encode::Encoding;
use indicatif::{ProgressBar, ProgressStyle};
use program::Program;
use search::Interval;
use woodstock_benches::{
    Measurement, StagesRow, compare, connect_four, encoded, is_puzzle, measure, program_of, puzzle,
    stages,
};

/// Measure how games are played
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
    /// How long grounding a game may take
    #[arg(long, default_value_t = 60, global = true)]
    ground_seconds: u64,
}

#[derive(Subcommand)]
enum Task {
    /// The games that have a target, into benches/targets.tsv
    Targets {
        /// How long each is played in each way
        #[arg(long, default_value_t = 2.0)]
        seconds: f64,
    },
    /// Connect four on boards from 4x4 to 20x20, into benches/growth.tsv
    Growth {
        /// How long each is played in each way
        #[arg(long, default_value_t = 1.0)]
        seconds: f64,
    },
    /// The embedded games, into benches/embedded.tsv
    Embedded {
        /// How long each is played in each way
        #[arg(long, default_value_t = 1.0)]
        seconds: f64,
    },
    /// What solving a stage of the embedded games costs beside random plays, into benches/stages.tsv
    Stages {
        /// How long each is measured in each way
        #[arg(long, default_value_t = 0.5)]
        seconds: f64,
    },
    /// All games of the corpus, into benches/all_games.tsv
    AllGames {
        /// How long each is played in each way
        #[arg(long, default_value_t = 0.3)]
        seconds: f64,
    },
    /// The fast machine beside the interpreter on all games, into benches/compared.tsv
    Compare {
        /// How long the plays of a game go on
        #[arg(long, default_value_t = 2.0)]
        seconds: f64,
    },
    /// The networks of all games beside the interpreter, into benches/encoded_atoms.tsv and
    /// benches/encoded_fluents.tsv
    Encoded {
        /// How long the states of a game are compared in each encoding
        #[arg(long, default_value_t = 5.0)]
        seconds: f64,
    },
    /// All games for one without chance, solved, beside a look at all states, into benches/puzzles.tsv
    Puzzles {
        /// How long each may take in each way
        #[arg(long, default_value_t = 60.0)]
        seconds: f64,
    },
    /// One sheet of the corpus, or an embedded game, as a row of a table
    #[command(hide = true)]
    Row { kind: Kind, name: String, seconds: f64 },
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Kind {
    Measure,
    Compare,
    Atoms,
    Fluents,
    Puzzle,
    Stages,
}

/// What is done with a sheet, and how long it may take.
#[derive(Clone, Copy)]
struct Run {
    kind: Kind,
    ground_seconds: u64,
    seconds: f64,
}

impl Run {
    /// When a sheet is given up: a step that was begun is finished, which takes long where the
    /// interpreter does.
    fn limit(&self) -> Duration {
        Duration::from_secs_f64(2.0 * self.ground_seconds as f64 + 10.0 * self.seconds + 30.0)
    }
}

/// The games of the table of targets: playouts a second that we ask for, and states a second of one
/// state that the best other program has.
const TARGETS: [(&str, u64, Option<u64>); 22] = [
    ("ticTacToe", 8_000_000, None),
    ("connectFour", 3_000_000, Some(3_100_000)),
    ("connectFourLarger", 500_000, None),
    ("breakthrough", 450_000, Some(1_700_000)),
    ("knightThrough", 800_000, Some(1_500_000)),
    ("reversi", 300_000, Some(110_000)),
    ("englishDraughts", 90_000, Some(680_000)),
    ("checkers", 15_000, None),
    ("chess", 1_500, None),
    ("chess_200", 6_000, None),
    ("speedChess", 70_000, Some(930_000)),
    ("hex", 10_000, None),
    ("amazons_8x8", 40_000, Some(650_000)),
    ("amazons_10x10", 20_000, None),
    ("chineseCheckers3", 350_000, None),
    ("chineseCheckers6", 150_000, None),
    ("pentago", 800_000, None),
    ("quarto", 100_000, None),
    ("skirmishNew", 25_000, Some(190_000)),
    ("skirmishZeroSum", 25_000, Some(190_000)),
    ("dotsAndBoxes", 500_000, None),
    ("gomoku_swap2_15x15", 150_000, Some(2_000_000)),
];

const COLUMNS: &str = "ready_seconds\tfluents\tmoves\tparts\tplayouts_per_second\tmean_length\t\
                       one_state_per_second\twrong_goals\tpeak_mib";

const ENCODED_COLUMNS: &str = "encode_seconds\tvars\tmax_domain\tconstraints\ttuples\tstates\t\
                               terminal\tjoint_moves\tseconds_per_state";
/// Microseconds, and how many plays take as long.
const STAGES_COLUMNS: &str = "play_us\tpropagated_us\tmac_us\tforward_us\tpropagated_in_plays\t\
                              mac_in_plays\tforward_in_plays";
const PUZZLE_COLUMNS: &str = "states\tbest_end\tlow\thigh\tverdict\tmoves_tried\tseconds";
/// Puzzles with more states are not looked at as a whole.
const MAX_STATES: usize = 10_000_000;

/// States of each game that are compared.
const N_STATES: usize = 50;

fn main() -> ExitCode {
    let Arguments { task, ground_seconds } = Arguments::parse();
    match task {
        Task::Growth { seconds } => growth(ground_seconds, seconds),
        Task::Embedded { seconds } => {
            let run = Run { kind: Kind::Measure, ground_seconds, seconds };
            let names = games::all().iter().map(|game| game.name.as_str());
            table(&names.collect::<Vec<_>>(), run, COLUMNS, "embedded.tsv");
        }
        Task::Stages { seconds } => {
            let run = Run { kind: Kind::Stages, ground_seconds, seconds };
            let names = games::all().iter().map(|game| game.name.as_str());
            table(&names.collect::<Vec<_>>(), run, STAGES_COLUMNS, "stages.tsv");
        }
        Task::Row { kind, name, seconds } => {
            println!("{}", row(Run { kind, ground_seconds, seconds }, &name));
        }
        task => {
            let Some(corpus) = Corpus::find() else { return ExitCode::FAILURE };
            match task {
                Task::Targets { seconds } => targets(ground_seconds, seconds),
                Task::AllGames { seconds } => {
                    let all = Run { kind: Kind::Measure, ground_seconds, seconds };
                    all_games(&corpus, all, COLUMNS, "all_games.tsv");
                }
                Task::Compare { seconds } => {
                    let all = Run { kind: Kind::Compare, ground_seconds, seconds };
                    all_games(&corpus, all, "plays\tended\tstates", "compared.tsv");
                }
                Task::Encoded { seconds } => {
                    for (kind, file) in
                        [(Kind::Atoms, "encoded_atoms.tsv"), (Kind::Fluents, "encoded_fluents.tsv")]
                    {
                        let all = Run { kind, ground_seconds, seconds };
                        all_games(&corpus, all, ENCODED_COLUMNS, file);
                    }
                }
                Task::Puzzles { seconds } => {
                    let of_one = |sheet: &Sheet| {
                        program_of(sheet).is_some_and(|program| is_puzzle(&program))
                    };
                    let mut puzzles = corpus.clone();
                    puzzles.sheets.retain(of_one);
                    let all = Run { kind: Kind::Puzzle, ground_seconds, seconds };
                    all_games(&puzzles, all, PUZZLE_COLUMNS, "puzzles.tsv");
                }
                Task::Growth { .. }
                | Task::Embedded { .. }
                | Task::Stages { .. }
                | Task::Row { .. } => {
                    unreachable!("it was handled")
                }
            }
        }
    }
    ExitCode::SUCCESS
}

/// The rules of an embedded game, or of a sheet of the corpus.
fn program_named(name: &str) -> Option<Program> {
    if let Some(game) = games::find(name) {
        return program::check(&gdl::parse_kif(game.rules)).program;
    }
    let corpus = Corpus::find()?;
    program_of(corpus.sheets.iter().find(|sheet| sheet.file == name)?)
}

fn stages_row(run: Run, program: &Program) -> String {
    let row = match stages(program, run.ground_seconds, run.seconds) {
        Ok(row) => row,
        Err(problem) => return one_line(&problem),
    };
    let StagesRow { play, propagated, mac, forward } = row;
    let all = [Some(play), Some(propagated), mac, forward];
    let micros = all.map(|time| time.map_or(String::new(), |time| format!("{:.3}", 1e6 * time)));
    let in_plays = |time: f64| format!("{:.2}", time / play);
    let ratios = all.iter().skip(1).map(|time| time.map_or(String::new(), in_plays));
    micros.into_iter().chain(ratios).collect::<Vec<_>>().join("\t")
}

/// The row of a game, made in this process.
fn row(run: Run, name: &str) -> String {
    let Some(program) = program_named(name) else { return "has errors".to_owned() };
    match run.kind {
        Kind::Measure => match measure(&program, run.ground_seconds, run.seconds) {
            Ok(measurement) => text_of(&measurement),
            Err(error) => one_line(&format!("not grounded: {error}")),
        },
        Kind::Compare => match compare(&program, run.ground_seconds, run.seconds) {
            Ok(done) => format!("{}\t{}\t{}", done.n_plays, done.n_ended, done.n_states),
            Err(difference) => one_line(&difference),
        },
        Kind::Atoms => encoded_row(run, &program, Encoding::Atoms),
        Kind::Fluents => encoded_row(run, &program, Encoding::Fluents),
        Kind::Puzzle => puzzle_row(run, &program),
        Kind::Stages => stages_row(run, &program),
    }
}

fn puzzle_row(run: Run, program: &Program) -> String {
    let row = match puzzle(program, run.ground_seconds, run.seconds, MAX_STATES) {
        Ok(row) => row,
        Err(problem) => return one_line(&problem),
    };
    let (states, best) = row.all.map_or((String::new(), String::new()), |(states, best)| {
        (states.to_string(), best.to_string())
    });
    let verdict = match row.all {
        None => "",
        Some(_) if !row.value.is_exact() => "open",
        Some((_, best)) if (row.value.low - f64::from(best)).abs() < 1e-9 => "equal",
        Some(_) => "different",
    };
    let Interval { low, high } = row.value;
    format!("{states}\t{best}\t{low}\t{high}\t{verdict}\t{}\t{:.3}", row.n_nodes, row.seconds)
}

fn encoded_row(run: Run, program: &Program, encoding: Encoding) -> String {
    match encoded(program, run.ground_seconds, encoding, N_STATES, run.seconds) {
        Ok(row) => format!(
            "{:.3}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{:.6}",
            row.encode_seconds,
            row.size.n_vars,
            row.size.max_domain,
            row.size.n_constraints,
            row.size.n_tuples,
            row.compared.n_states,
            row.compared.n_terminal,
            row.compared.n_outcomes,
            row.seconds_per_state,
        ),
        Err(difference) => one_line(&difference),
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn text_of(measurement: &Measurement) -> String {
    let playouts = match &measurement.playouts {
        Ok(playouts) => format!("{playouts:.0}"),
        Err(problem) => one_line(problem),
    };
    format!(
        "{:.3}\t{}\t{}\t{}\t{playouts}\t{:.1}\t{:.0}\t{:.2}\t{}",
        measurement.ready_seconds,
        measurement.n_fluents,
        measurement.n_moves,
        measurement.n_parts,
        measurement.mean_length,
        measurement.states,
        measurement.wrong_goals,
        measurement.peak_mib.map_or(String::new(), |mib| format!("{mib:.0}")),
    )
}

/// The row of a game, made in a process of its own: it cannot take others down, and its memory is
/// its own.
fn row_of_child(run: Run, name: &str) -> String {
    let kind = match run.kind {
        Kind::Measure => "measure",
        Kind::Compare => "compare",
        Kind::Atoms => "atoms",
        Kind::Fluents => "fluents",
        Kind::Puzzle => "puzzle",
        Kind::Stages => "stages",
    };
    let program = std::env::current_exe().expect("this program has a path");
    let mut command = Command::new(program);
    command.args(["row", kind, name, &run.seconds.to_string()]);
    command.args(["--ground-seconds", &run.ground_seconds.to_string()]).stderr(Stdio::null());
    match output_within(&mut command, run.limit()) {
        Ok(Some(output)) if output.status.success() => {
            String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
        }
        Ok(Some(output)) => format!("failed: {}", output.status),
        Ok(None) => format!("cut off after {:.0} s", run.limit().as_secs_f64()),
        Err(error) => format!("failed: {error}"),
    }
}

/// What a command prints, which is little; `None` if it had to be stopped.
fn output_within(command: &mut Command, limit: Duration) -> std::io::Result<Option<Output>> {
    let start = Instant::now();
    let mut child = command.stdout(Stdio::piped()).spawn()?;
    while child.try_wait()?.is_none() {
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().map(Some)
}

fn all_games(corpus: &Corpus, run: Run, columns: &str, file: &str) {
    let sheets = corpus.sheets.iter().filter(|sheet| sheet.must_load());
    let names: Vec<&str> = sheets.map(|sheet| sheet.file.as_str()).collect();
    table(&names, run, columns, file);
}

/// Writes a row for each game into a table.
fn table(names: &[&str], run: Run, columns: &str, file: &str) {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {eta} {msg}");
    let bar = ProgressBar::new(names.len() as u64).with_style(style.expect("a template"));
    let mut table = format!("sheet\t{columns}\n");
    for name in bar.wrap_iter(names.iter()) {
        bar.set_message(name.to_string());
        table.push_str(&format!("{name}\t{}\n", row_of_child(run, name)));
        write(file, &table);
    }
    println!("written: {}", path_of(file).display());
}

fn targets(ground_seconds: u64, seconds: f64) {
    let run = Run { kind: Kind::Measure, ground_seconds, seconds };
    let mut table = format!("sheet\ttarget\tone_state_target\t{COLUMNS}\n");
    for (name, target, of_states) in TARGETS {
        let file = format!("base/{name}.kif");
        let of_states = of_states.map_or(String::new(), |states| states.to_string());
        let row = row_of_child(run, &file);
        let line = format!("{name}\t{target}\t{of_states}\t{row}\n");
        print!("{line}");
        table.push_str(&line);
    }
    write("targets.tsv", &table);
    println!("written: {}", path_of("targets.tsv").display());
}

fn growth(ground_seconds: u64, seconds: f64) {
    let mut table = format!("board\tnanoseconds_per_state\tone_state_nanoseconds\t{COLUMNS}\n");
    for size in (4..=20).step_by(2) {
        let parse = gdl::parse_kif(&connect_four(size));
        let program = program::check(&parse).program.expect("the rules have no errors");
        let measured =
            measure(&program, ground_seconds, seconds).expect("connect four is grounded");
        let playouts = *measured.playouts.as_ref().expect("connect four is playable");
        let many = 1e9 / (playouts * measured.mean_length);
        let one = 1e9 / measured.states;
        let line = format!("{size}x{size}\t{many:.1}\t{one:.0}\t{}\n", text_of(&measured));
        print!("{line}");
        table.push_str(&line);
    }
    write("growth.tsv", &table);
    println!("written: {}", path_of("growth.tsv").display());
}

fn path_of(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(file)
}

fn write(file: &str, table: &str) {
    let path = path_of(file);
    std::fs::write(&path, table).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}
