//! Matches between the same players, one after the other or side by side.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use arena::{BrokenOff, MatchSettings, Moment, Record, Seats, play_match, points};
use base::{Id as _, RoleId, Stop};
use net::{Contestant, RemoteGame, RemoteMatch};
use player::{Agent, Clock, Rules};

use super::invited::check_presence;
use crate::machines;
use crate::progress::{duration_of, with_progress};
use crate::sheet::GameArgument;
use crate::status::Failure;

/// Matches between the same players.
#[derive(Clone, Copy)]
pub(super) struct Series<'a> {
    pub(super) rules: &'a Rules,
    /// What the game is called in records.
    pub(super) game: &'a str,
    /// The game as it is told to players elsewhere.
    pub(super) remote: &'a RemoteGame,
    /// One for each role but chance.
    pub(super) players: &'a [Contestant],
    pub(super) start_clock: Clock,
    pub(super) play_clock: Clock,
    pub(super) seed: u64,
    /// Whether players elsewhere are told invented names.
    pub(super) is_scrambled: bool,
    /// Whoever wishes it breaks off the matches that are played; no other begins.
    pub(super) stop: &'a Stop,
}

/// How matches are played.
#[derive(Clone, Copy)]
pub(super) struct Manner<'a> {
    /// How many side by side.
    pub(super) n_jobs: usize,
    /// Whether they are taken in the order of their numbers, or else as they end.
    pub(super) is_in_order: bool,
    /// What people are told while it goes on, if anything.
    pub(super) message: Option<&'a str>,
}

/// A match that was played.
pub(super) struct Played<T> {
    pub(super) number: usize,
    /// By seat: its player.
    by_seat: Vec<usize>,
    pub(super) record: Record,
    pub(super) problem: Option<BrokenOff>,
    pub(super) time: Duration,
    /// What somebody noted who watched.
    pub(super) notes: T,
}

/// A match that is longer is broken off.
const MAX_STEPS: usize = 100_000;

impl Series<'_> {
    /// Plays the matches of these numbers. `tell` gets the record of each that is over, and `take` what came of it; it
    /// says when it is enough.
    pub(super) fn play_all<T: Default + Send>(
        &self,
        numbers: &[usize],
        manner: Manner<'_>,
        watch: impl Fn(&mut T, Moment<'_>) + Sync,
        tell: impl Fn(&Record) -> Result<(), Failure> + Sync,
        mut take: impl FnMut(Played<T>) -> Result<bool, Failure>,
    ) -> Result<(), Failure> {
        let (hand_out, handed_out) = channel();
        let handed_out = Mutex::new(handed_out);
        let (done, results) = channel();
        let mut places = 0..numbers.len();
        places.by_ref().take(manner.n_jobs).for_each(|place| _ = hand_out.send(place));
        std::thread::scope(|scope| {
            // Whoever leaves here hands out nothing any more.
            let hand_out = hand_out;
            for _ in 0..manner.n_jobs {
                let (done, handed_out, watch, tell) = (done.clone(), &handed_out, &watch, &tell);
                scope.spawn(move || {
                    while let Some(place) = next_of(handed_out).filter(|_| !self.stop.is_wished()) {
                        let played = self.play(numbers[place], watch, tell);
                        if done.send(played.map(|played| (place, played))).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(done);
            let mut waiting: BTreeMap<usize, Played<T>> = BTreeMap::new();
            let mut n_taken = 0;
            while n_taken < numbers.len() {
                let received = match manner.message {
                    None => results.recv(),
                    Some(message) => {
                        let message = format!("{message} {} of {}", n_taken + 1, numbers.len());
                        with_progress(&message, None, || results.recv())
                    }
                };
                let Ok(received) = received else { break };
                let (place, played) = received?;
                waiting.insert(if manner.is_in_order { place } else { n_taken }, played);
                while let Some(played) = waiting.remove(&n_taken) {
                    n_taken += 1;
                    if take(played)? {
                        return Ok(());
                    }
                }
                places.next().into_iter().for_each(|place| _ = hand_out.send(place));
            }
            Ok(())
        })
    }

    fn play<T: Default>(
        &self,
        number: usize,
        watch: &impl Fn(&mut T, Moment<'_>),
        tell: &impl Fn(&Record) -> Result<(), Failure>,
    ) -> Result<Played<T>, Failure> {
        self.players.iter().filter_map(Contestant::address).try_for_each(check_presence)?;
        let by_seat = Seats::new(self.players.len()).of_match(number);
        let start = Instant::now();
        let mut notes = T::default();
        let (record, problem) =
            self.one_match(&by_seat, number, &mut |moment| watch(&mut notes, moment));
        tell(&record)?;
        Ok(Played { number, by_seat, record, problem, time: start.elapsed(), notes })
    }

    fn one_match(
        &self,
        by_seat: &[usize],
        number: usize,
        watch: &mut dyn FnMut(Moment<'_>),
    ) -> (Record, Option<BrokenOff>) {
        let Series { rules, players, seed, .. } = *self;
        let has_remote = has_remote(players);
        let settings = MatchSettings {
            match_id: match_id(self.game, seed, number, has_remote),
            game: self.game.to_owned(),
            start_clock: self.start_clock,
            play_clock: self.play_clock,
            seed: seed.wrapping_add(number as u64),
            max_steps: MAX_STEPS,
            is_scrambled: self.is_scrambled && has_remote,
            stop: self.stop.clone(),
        };
        let remote = has_remote.then(|| self.remote_match(&settings));
        let mut seats = by_seat.iter();
        let agent = |role: RoleId| -> (Option<Box<dyn Agent>>, String) {
            if Some(role) == rules.random() {
                return (None, "random".to_owned());
            }
            let player = *seats.next().expect("there is a seat for each role but chance");
            let seed = settings.seed.wrapping_mul(1000).wrapping_add(role.index() as u64);
            let agent: Box<dyn Agent> = match (&players[player], &remote) {
                (Contestant::Local(spec), _) => rules.agent(spec, role, seed),
                (Contestant::Remote(address), Some(remote)) => {
                    Box::new(remote.agent(address, role))
                }
                (Contestant::Remote(_), None) => unreachable!("there is a player elsewhere"),
            };
            (Some(agent), players[player].to_string())
        };
        let (mut agents, names): (Vec<_>, Vec<_>) =
            RoleId::first(rules.roles().len()).map(agent).unzip();
        play_match(rules, &mut agents, &names, &settings, watch)
    }

    /// The match as players elsewhere are told of it.
    fn remote_match(&self, settings: &MatchSettings) -> RemoteMatch {
        let play_clock = match settings.play_clock {
            Clock::Time(time) => time,
            Clock::Plays(_) => Duration::ZERO,
        };
        let seed = settings.is_scrambled.then_some(settings.seed);
        self.remote.begin(&settings.match_id, play_clock, seed)
    }
}

/// Whether some of these players are elsewhere.
pub(super) fn has_remote(players: &[Contestant]) -> bool {
    players.iter().any(|player| player.address().is_some())
}

/// The name of a match. Players elsewhere may know one of the same name already, so that theirs has the time in it; and
/// they need not know the game.
fn match_id(game: &str, seed: u64, number: usize, has_remote: bool) -> String {
    let number = number + 1;
    if has_remote {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        return format!("woodstock-{seed}-{number}-{}", now.as_millis());
    }
    let game = Path::new(game).file_stem().map(|name| name.to_string_lossy()).unwrap_or_default();
    let game = game.replace(|letter: char| !letter.is_ascii_alphanumeric(), "-");
    format!("{game}-{seed}-{number}")
}

/// What is to be done next, as soon as somebody says it. `None` if nothing is any more.
fn next_of(places: &Mutex<Receiver<usize>>) -> Option<usize> {
    places.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

/// A game as it is played, and as it is told to players elsewhere.
pub(super) fn rules_and_remote(argument: &GameArgument) -> Result<(Rules, RemoteGame), Failure> {
    let (program, sheet) = machines::program_and_sheet(argument)?;
    let rules = machines::rules_for_play(&program);
    let remote = RemoteGame::new(&sheet.parse.ast, rules.roles(), rules.has_percepts());
    Ok((rules, remote))
}

impl<T> Played<T> {
    /// By player: what it got of 1.
    pub(super) fn points(&self, rules: &Rules) -> Vec<f64> {
        let roles = RoleId::first(rules.roles().len()).zip(&self.record.goal_values);
        let players = roles.filter(|(role, _)| Some(*role) != rules.random());
        let by_seat = points(&players.map(|(_, goal)| *goal).collect::<Vec<u8>>());
        let mut by_player = vec![0.0; self.by_seat.len()];
        for (&player, points) in self.by_seat.iter().zip(by_seat) {
            by_player[player] = points;
        }
        by_player
    }
}

/// So many random plays, if somebody counts these, or else seconds.
pub(super) fn clock_of(seconds: f64, nodes: Option<u64>) -> Clock {
    nodes.map_or(Clock::Time(duration_of(seconds)), Clock::Plays)
}
