//! `woodstock match`

use std::path::{Path, PathBuf};

use anstream::{eprintln, println};
use arena::{Moment, Record, Scores, Sequential};
use net::{Contestant, PublishAddress, Publisher};
use player::Rules;
use tracing::Level;

use super::invited::check_invited;
use super::match_lines::{MatchLine, Summary, ThoughtsLine};
use super::series::{Manner, Played, Series, clock_of, has_remote, rules_and_remote};
use crate::interruption::stop_on_signal;
use crate::logging;
use crate::picture::{Detail, Painter, joint_move_text, print_thoughts};
use crate::sheet::{GameArgument, replace_file};
use crate::status::{Failure, Status};

/// Let players play against each other
///
/// A player is a name with parameters: mac-ucb, uct, uct:c=0.7, grave, cfr, random, legal; or the address of a player on
/// the network: http://host:port, with ;gdl=2 if it understands the messages of GDL-II, and ;grace=S if its answers may
/// come S seconds after the clock (1 if nothing is said). Name one for each role but chance; in every match they take
/// the next seat. With --nodes instead of a clock, a match is the same every time. Players who search have the
/// parameters threads and ponder (1: they think while others do).
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Examples: woodstock match connect-four --player uct --player random\n          \
                        woodstock match connect-four --show --thinking\n          \
                        woodstock match breakthrough --player uct:c=0.7 --player uct --matches 200 --play-clock 0.25 --jobs 2 --until-significant\n          \
                        woodstock match breakthrough --player mac-ucb --player http://127.0.0.1:9147 --start-clock 10 --play-clock 5 --scramble"
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArgument,
    /// A player; once for each role but chance [default: uct for all]
    #[arg(long = "player", value_name = "PLAYER")]
    players: Vec<Contestant>,
    /// How many matches [default: 1, or at most 1000 with --until-significant]
    #[arg(long, value_name = "N")]
    matches: Option<usize>,
    /// Stop as soon as it is decided, with 95 %, whether the first player is better or worse than the others
    #[arg(long)]
    until_significant: bool,
    /// How many matches go on side by side; each needs as many cores as players think at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: u16,
    /// How long players may think before a match, in seconds
    #[arg(long, value_name = "S", default_value_t = 1.0)]
    start_clock: f64,
    /// How long they may think about a move, in seconds
    #[arg(long, value_name = "S", default_value_t = 1.0)]
    play_clock: f64,
    /// So many random plays for each move in the place of clocks
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Show every position
    #[arg(long)]
    show: bool,
    /// Show what players think
    #[arg(long)]
    thinking: bool,
    /// Show all of what players think: θ, what is proved, every move with its mean, count and confidence; with
    /// --json as `thoughts` of each match
    #[arg(long)]
    explain: bool,
    /// Where chance begins
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Tell players on the network invented names in the place of those of the rules, others in each match
    #[arg(long)]
    scramble: bool,
    /// Write a record of each match into this folder, after every step
    #[arg(long, value_name = "FOLDER")]
    records: Option<PathBuf>,
    /// Send the record of each match to this address, after every step
    #[arg(long, value_name = "URL")]
    publish: Option<PublishAddress>,
    /// Print a JSON object a match, and one for all of them
    #[arg(long)]
    json: bool,
}

/// How many matches a question that is to be decided may take.
const MANY: usize = 1_000;

pub(crate) fn run(arguments: &Arguments) -> Result<Status, Failure> {
    logging::begin(Level::WARN);
    let (rules, remote) = rules_and_remote(&arguments.game)?;
    let n_players = rules.n_players();
    let players = players(arguments, n_players)?;
    check_usage(arguments, n_players)?;
    let mut test = Sequential::new(1.0 / n_players.max(1) as f64);
    let mut scores = vec![Scores::default(); n_players];
    let stop = stop_on_signal();
    let series = Series {
        rules: &rules,
        game: &arguments.game.game,
        remote: &remote,
        players: &players,
        start_clock: clock_of(arguments.start_clock, arguments.nodes),
        play_clock: clock_of(arguments.play_clock, arguments.nodes),
        seed: arguments.seed,
        is_scrambled: arguments.scramble,
        stop: &stop,
    };
    check_invited(&series)?;
    let publisher = arguments.publish.clone().map(Publisher::new);
    let telling = Telling::new(arguments.records.as_deref(), publisher)?;
    let showing = Showing { rules: &rules, arguments };
    let usual = if arguments.until_significant { MANY } else { 1 };
    let numbers: Vec<usize> = (0..arguments.matches.unwrap_or(usual)).collect();
    let manner = Manner {
        n_jobs: usize::from(arguments.jobs),
        is_in_order: true,
        message: (!showing.is_shown()).then_some("match"),
    };
    let watch = |notes: &mut Notes, moment: Moment<'_>| {
        // If it cannot be written any more, that is told when the match is over.
        let _ = telling.tell(moment.record);
        showing.watch(notes, moment);
    };
    let tell = |record: &Record| telling.tell(record);
    let outcome = series.play_all(&numbers, manner, watch, tell, |mut played| {
        let number = played.number + 1;
        match &played.problem {
            Some(problem) => eprintln!("match {number} was broken off: {problem}"),
            None => {
                let points = played.points(&rules);
                scores.iter_mut().zip(&points).for_each(|(scores, points)| scores.add(*points));
                points.first().into_iter().for_each(|points| test.add(*points));
            }
        }
        let thoughts = std::mem::take(&mut played.notes.thoughts);
        print_match(&played, thoughts, &rules, arguments);
        // Only when all have had all seats equally often.
        let is_round = number % n_players.max(1) == 0;
        Ok(arguments.until_significant && is_round && test.verdict().is_some())
    });
    let test = arguments.until_significant.then_some(&test);
    if outcome.is_ok() || scores.iter().any(|scores| !scores.is_empty()) {
        print_summary(&scores, &players, test, arguments.json);
    }
    outcome?;
    Ok(if stop.is_wished() { Status::Interrupted } else { Status::Done })
}

/// Who is told how matches go on.
struct Telling<'a> {
    folder: Option<&'a Path>,
    publisher: Option<Publisher>,
}

impl<'a> Telling<'a> {
    /// Makes the folder if there is none: whoever cannot write there should know before the match.
    fn new(folder: Option<&'a Path>, publisher: Option<Publisher>) -> Result<Self, Failure> {
        if let Some(folder) = folder {
            std::fs::create_dir_all(folder).map_err(|error| Failure {
                message: format!("{}: {error}", folder.display()),
                help: "name a folder for the records".to_owned(),
            })?;
        }
        Ok(Telling { folder, publisher })
    }

    /// Writes a record, and sends it.
    fn tell(&self, record: &Record) -> Result<(), Failure> {
        if self.folder.is_none() && self.publisher.is_none() {
            return Ok(());
        }
        let text = serde_json::to_string(record).expect("records are JSON");
        if let Some(folder) = self.folder {
            replace_file(&folder.join(format!("{}.json", record.match_id)), &text)?;
        }
        self.publisher.iter().for_each(|one| one.publish(&record.match_id, text.clone()));
        Ok(())
    }
}

/// What is shown of matches while they are played.
struct Showing<'a> {
    rules: &'a Rules,
    arguments: &'a Arguments,
}

/// What is noted of a match while it is played.
#[derive(Default)]
struct Notes {
    painter: Option<Painter>,
    n_steps: usize,
    thoughts: Vec<ThoughtsLine>,
}

impl Showing<'_> {
    /// Whether people look at the match while it goes on.
    fn is_shown(&self) -> bool {
        self.arguments.show || self.thoughts_shown().is_some()
    }

    /// How much of what players think people want to see.
    fn thoughts_shown(&self) -> Option<Detail> {
        let Arguments { thinking, explain, json, .. } = self.arguments;
        let is_explained = *explain && !json;
        is_explained.then_some(Detail::All).or(thinking.then_some(Detail::Best))
    }

    /// Notes a moment of a match, and shows it to those who asked for it.
    fn watch(&self, notes: &mut Notes, moment: Moment<'_>) {
        let Showing { rules, arguments } = self;
        if arguments.explain && arguments.json {
            let all = rules.roles().iter().zip(moment.thoughts);
            let all = all.filter_map(|(role, one)| Some((role, one.as_ref()?)));
            let line = |(role, one): (&String, _)| ThoughtsLine::new(notes.n_steps, role, one);
            notes.thoughts.extend(all.map(line));
        }
        notes.n_steps += usize::from(moment.joint_move.is_some());
        if arguments.show && notes.painter.is_none() {
            notes.painter = Some(Painter::new(rules, &arguments.game.game));
        }
        self.show(notes.painter.as_mut(), moment);
    }

    fn show(&self, painter: Option<&mut Painter>, moment: Moment<'_>) {
        let roles = self.rules.roles();
        if let Some(detail) = self.thoughts_shown() {
            for (role, thoughts) in roles.iter().zip(moment.thoughts) {
                thoughts.iter().for_each(|thoughts| print_thoughts(role, roles, thoughts, detail));
            }
        }
        if self.is_shown() {
            let moves = moment.joint_move.map(|joint| joint_move_text(roles, joint));
            moves.into_iter().for_each(|text| println!("{text}"));
        }
        painter.into_iter().for_each(|painter| painter.print(moment.state));
    }
}

/// Whether what was asked for makes sense together.
fn check_usage(arguments: &Arguments, n_players: usize) -> Result<(), Failure> {
    let failure = |message: &str, help: &str| {
        Err(Failure { message: message.to_owned(), help: help.to_owned() })
    };
    if arguments.until_significant && n_players < 2 {
        return failure("a player who is alone is not better than others", "use --matches");
    }
    if arguments.jobs > 1 && has_remote(&arguments.players) {
        return failure("a player elsewhere plays one match after the other", "leave out --jobs");
    }
    if (arguments.show || arguments.thinking) && (arguments.jobs > 1 || arguments.json) {
        return failure(
            "--show and --thinking are for people, and for one match after the other",
            "leave out --jobs and --json",
        );
    }
    if arguments.explain && arguments.jobs > 1 && !arguments.json {
        return failure(
            "--explain is for one match after the other",
            "leave out --jobs, or use --json",
        );
    }
    Ok(())
}

/// A player for each role but chance.
fn players(arguments: &Arguments, n_players: usize) -> Result<Vec<Contestant>, Failure> {
    match arguments.players.len() {
        0 => {
            let uct: Contestant = "uct".parse().expect("there is such a player");
            Ok(vec![uct; n_players])
        }
        n_named if n_named == n_players => Ok(arguments.players.clone()),
        n_named => Err(Failure {
            message: format!("{n_named} players for a game that needs {n_players}"),
            help: "name a --player for each role but chance, or none".to_owned(),
        }),
    }
}

fn print_match(
    played: &Played<Notes>,
    thoughts: Vec<ThoughtsLine>,
    rules: &Rules,
    arguments: &Arguments,
) {
    let Played { record, time, .. } = played;
    let errors = record.error_texts();
    let halts = record.halt_millis.iter().filter(|millis| **millis > 0);
    let halt_seconds = halts.clone().sum::<u64>() as f64 / 1000.0;
    if arguments.json {
        let line = MatchLine {
            game: arguments.game.game.clone(),
            players: record.player_names_from_host.clone(),
            goals: record.goal_values.clone(),
            moves: record.moves.len(),
            errors,
            seconds: time.as_secs_f64(),
            halt_seconds,
            thoughts,
        };
        println!("{}", serde_json::to_string(&line).expect("numbers are JSON"));
        return;
    }
    if record.is_aborted {
        // That was said, and nobody won.
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
    if halt_seconds > 0.0 {
        let moves = match halts.count() {
            1 => "1 move".to_owned(),
            n_halts => format!("{n_halts} moves"),
        };
        println!(
            "  the machine stood still in {moves}, for {halt_seconds:.2} s that are on nobody's clock"
        );
    }
}

fn print_summary(
    scores: &[Scores],
    players: &[Contestant],
    test: Option<&Sequential>,
    is_json: bool,
) {
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
            verdict: test.and_then(Sequential::verdict).map(|verdict| match verdict {
                std::cmp::Ordering::Greater => "better",
                _ => "worse",
            }),
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
    test.into_iter().for_each(|test| print_verdict(test, players));
}

fn print_verdict(test: &Sequential, players: &[Contestant]) {
    let first = &players[0];
    match test.verdict() {
        Some(std::cmp::Ordering::Greater) => println!("{first} is better than the others (95 %)"),
        Some(_) => println!("{first} is worse than the others (95 %)"),
        None => println!("these matches do not decide who is better"),
    }
}
