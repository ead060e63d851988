//! The network player: what it answers to each message, whoever brings it.
//!
//! It answers INFO, STOP, ABORT and whatever it has nothing to think about at once. START and PLAY go to the thread of
//! the match, which answers in its time.

use std::collections::BTreeMap;
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use base::Stop;
use player::PlayerSpec;
use protocol::{Info, MatchId, Message, MessageError, News, Reply, Rules, Status};
use tracing::{debug, info, warn};

use crate::match_thread::{Job, MatchThread, Opening};
use crate::preparation::{Preparation, Threads, locked};
use crate::promise::{Awaited, promise};
use crate::status::{MatchStatus, PlayerStatus};

/// What a network player is like.
#[derive(Clone, Debug)]
pub struct PlayerSettings {
    /// What it is called; one word.
    pub name: String,
    /// Who plays.
    pub player: PlayerSpec,
    /// How many matches it plays at the same time.
    pub n_matches: usize,
    /// It answers so long before a clock runs out; never less than 0.2 s.
    pub margin: Duration,
    /// Where chance begins.
    pub seed: u64,
}

/// It answers no later than so long before a clock runs out, whatever happens.
const LAST_MARGIN: Duration = Duration::from_millis(100);

/// It has done with thinking so long before: on a machine with other work, it takes a while until an answer is out.
const LEAST_MARGIN: Duration = Duration::from_millis(200);

/// A match has a thread, and two that make its rules ready in two ways.
const THREADS_A_MATCH: usize = 3;

/// Threads of matches that are over may still be busy for a moment; with more of them no match begins.
const MAX_LINGERING: usize = 24;

/// So many moves may be asked for in a match that does not keep up, and the same one so often.
const MAX_JOBS: usize = 16;

/// A player that managers can talk to.
#[derive(Debug)]
pub struct NetworkPlayer {
    settings: PlayerSettings,
    table: Arc<Mutex<Table>>,
    preparation: Arc<Preparation>,
    since: Instant,
    threads: Threads,
}

/// The matches that it plays.
#[derive(Debug, Default)]
pub(crate) struct Table {
    seats: BTreeMap<MatchId, Seat>,
    /// How many matches there were.
    n_matches: u64,
    /// Whether no match begins any more.
    is_closed: bool,
}

/// A match that it plays.
#[derive(Debug)]
struct Seat {
    number: u64,
    jobs: SyncSender<Job>,
    /// What was asked last.
    asked: Option<Asked>,
    /// The match is over.
    is_over: Stop,
    /// What it thinks about now is not wanted any more.
    is_superseded: Stop,
    play_clock: Duration,
    status: Arc<Mutex<MatchStatus>>,
}

/// A move that was asked for.
#[derive(Debug)]
struct Asked {
    news: News,
    /// Which step it is, if the manager says so.
    step: Option<u64>,
    reply: Awaited,
    /// How often.
    n_times: usize,
}

impl Asked {
    /// Whether the same is asked again: managers say once more what may have been lost on the way.
    fn is_again(&self, news: &News, step: Option<u64>) -> bool {
        let has_number = step.is_some() || matches!(news, News::Turn { .. });
        self.news == *news && self.step == step && (has_number || self.reply.look().is_none())
    }
}

/// What comes of a message.
#[derive(Debug)]
pub(crate) enum Heard {
    /// The answer.
    Now(Reply),
    /// The answer will come; if it has not by then, this one is given.
    Later { reply: Awaited, by: Instant, otherwise: Reply },
}

impl NetworkPlayer {
    /// A player that plays no match yet.
    pub fn new(settings: PlayerSettings) -> NetworkPlayer {
        let threads = Threads::default();
        NetworkPlayer {
            preparation: Arc::new(Preparation::new(settings.n_matches, threads.clone())),
            settings,
            table: Arc::default(),
            since: Instant::now(),
            threads,
        }
    }

    /// What it answers to the text of a message. It waits as long as the clock of the message allows.
    ///
    /// ```
    /// # use net::{NetworkPlayer, PlayerSettings};
    /// let player = NetworkPlayer::new(PlayerSettings {
    ///     name: "Woodstock".to_owned(),
    ///     player: "random".parse()?,
    ///     n_matches: 1,
    ///     margin: std::time::Duration::from_millis(500),
    ///     seed: 1,
    /// });
    /// assert_eq!(player.answer("( INFO )")?, "( ( name Woodstock ) ( status available ) )");
    /// assert!(player.answer("hello").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn answer(&self, text: &str) -> Result<String, MessageError> {
        let reply = match self.hear(Message::read(text)?, None, Instant::now()) {
            Heard::Now(reply) => reply,
            Heard::Later { reply, by, otherwise } => reply.wait_here(by).unwrap_or(otherwise),
        };
        Ok(reply.to_string())
    }

    /// What comes of a message that was received at some time, and the step of the match if the manager says it.
    pub(crate) fn hear(&self, message: Message, step: Option<u64>, received: Instant) -> Heard {
        match message {
            Message::Info => Heard::Now(Reply::Info(self.info())),
            Message::Ping if self.is_full() => Heard::Now(Reply::Busy),
            Message::Ping => Heard::Now(Reply::Ready),
            Message::Preview { rules, clock } => self.preview(&rules, clock, received),
            Message::Start { match_id, role, rules, start_clock, play_clock } => {
                self.start(Opening { match_id, role, rules, start_clock, play_clock, received })
            }
            Message::Play { match_id, news } => self.play(&match_id, news, step, received),
            Message::Stop { match_id, news } => {
                debug!(%match_id, ?news, "stop");
                self.end(&match_id, "over", Reply::Done)
            }
            Message::Abort { match_id } => self.end(&match_id, "broken off", Reply::Aborted),
        }
    }

    /// Ends all matches; no other begins.
    pub fn close(&self) {
        let mut table = locked(&self.table);
        table.is_closed = true;
        for (match_id, seat) in std::mem::take(&mut table.seats) {
            info!(%match_id, "left, because the player stops");
            seat.end();
        }
        self.preparation.leave_previews();
    }

    /// How it is doing.
    pub fn status(&self) -> PlayerStatus {
        let table = locked(&self.table);
        let matches = table.seats.values().map(|seat| locked(&seat.status).clone());
        PlayerStatus {
            name: self.settings.name.clone(),
            player: self.settings.player.to_string(),
            status: self.word(&table),
            version: env!("CARGO_PKG_VERSION"),
            seconds: self.since.elapsed().as_secs(),
            n_matches: table.n_matches,
            max_matches: self.settings.n_matches,
            matches: matches.collect(),
        }
    }

    fn info(&self) -> Info {
        let status = match self.is_full() {
            true => Status::Busy,
            false => Status::Available,
        };
        Info { name: Some(self.settings.name.clone()), status: Some(status), species: None }
    }

    fn is_full(&self) -> bool {
        self.has_no_seat(&locked(&self.table))
    }

    fn has_no_seat(&self, table: &Table) -> bool {
        table.is_closed || table.seats.len() >= self.settings.n_matches
    }

    fn word(&self, table: &Table) -> &'static str {
        if self.has_no_seat(table) { "busy" } else { "available" }
    }

    /// How long before a clock runs out it has done with thinking.
    fn margin(&self, clock: Duration) -> Duration {
        self.settings.margin.max(LEAST_MARGIN).min(clock / 2)
    }

    fn preview(&self, rules: &Rules, clock: Duration, received: Instant) -> Heard {
        if self.is_full() {
            return Heard::Now(Reply::Busy);
        }
        let (answer, reply) = promise();
        let (preparation, text) = (self.preparation.clone(), rules.text().to_owned());
        let look = move || match preparation.sheet(&text, &Stop::new()) {
            Err(problems) => {
                warn!("the rules of a preview cannot be played: {problems}");
                answer.keep(Reply::Busy);
            }
            Ok(sheet) => {
                preparation.look_at(&sheet);
                answer.keep(Reply::Ready);
            }
        };
        match self.has_room_for_a_thread() && self.threads.spawn("preview", look) {
            true => {
                let by = last_moment(clock, self.margin(clock), received);
                Heard::Later { reply, by, otherwise: Reply::Ready }
            }
            false => Heard::Now(Reply::Busy),
        }
    }

    fn start(&self, opening: Opening) -> Heard {
        let mut table = locked(&self.table);
        let match_id = opening.match_id.clone();
        let is_busy = self.has_no_seat(&table) || table.seats.contains_key(&match_id);
        if is_busy || !self.has_room_for_a_thread() {
            info!(%match_id, "no seat for it");
            return Heard::Now(Reply::Busy);
        }
        table.n_matches += 1;
        let number = table.n_matches;
        let (jobs, has_jobs) = std::sync::mpsc::sync_channel(MAX_JOBS);
        let (answer, reply) = promise();
        let (start_clock, received) = (opening.start_clock, opening.received);
        let status = Arc::new(Mutex::new(MatchStatus::new(&opening)));
        let seat = Seat {
            number,
            jobs,
            asked: None,
            is_over: Stop::new(),
            is_superseded: Stop::new(),
            play_clock: opening.play_clock,
            status: status.clone(),
        };
        let thread = MatchThread {
            to_think: [opening.start_clock, opening.play_clock]
                .map(|clock| clock.saturating_sub(self.margin(clock))),
            opening,
            player: self.settings.player.clone(),
            seed: self.settings.seed.wrapping_add(number),
            preparation: self.preparation.clone(),
            jobs: has_jobs,
            is_over: seat.is_over.clone(),
            status,
        };
        let (id, all_seats) = (match_id.clone(), self.table.clone());
        let run = move || {
            // Not before: where no thread can be had, this is dropped while the table is locked.
            let leaving = Leaving { match_id: id, number, table: all_seats };
            match thread.open() {
                Ok(wanted) => thread.run(&wanted, answer),
                Err(reply) => {
                    // Whoever hears it may ask for the seat.
                    drop(leaving);
                    answer.keep(reply);
                }
            }
        };
        if !self.threads.spawn("match", run) {
            return Heard::Now(Reply::Busy);
        }
        table.seats.insert(match_id, seat);
        Heard::Later {
            reply,
            by: last_moment(start_clock, LAST_MARGIN, received),
            otherwise: Reply::Ready,
        }
    }

    fn has_room_for_a_thread(&self) -> bool {
        self.threads.len() <= THREADS_A_MATCH * self.settings.n_matches + MAX_LINGERING
    }

    fn play(&self, match_id: &MatchId, news: News, step: Option<u64>, received: Instant) -> Heard {
        let mut table = locked(&self.table);
        let Some(seat) = table.seats.get_mut(match_id) else {
            debug!(%match_id, "not played here");
            return Heard::Now(Reply::Busy);
        };
        let by = last_moment(seat.play_clock, LAST_MARGIN, received);
        if let Some(asked) = seat.asked.as_mut().filter(|asked| asked.is_again(&news, step)) {
            asked.n_times += 1;
            return match asked.n_times <= MAX_JOBS {
                true => Heard::Later { reply: asked.reply.clone(), by, otherwise: Reply::Nil },
                false => Heard::Now(asked.reply.look().unwrap_or(Reply::Busy)),
            };
        }
        // Who asks for another move does not wait for the one before.
        seat.is_superseded.wish();
        seat.is_superseded = Stop::new();
        let (answer, reply) = promise();
        let stop = seat.is_superseded.clone();
        let job = Job { news: news.clone(), received, by, stop, answer };
        match seat.jobs.try_send(job) {
            Ok(()) => {
                seat.asked = Some(Asked { news, step, reply: reply.clone(), n_times: 1 });
                Heard::Later { reply, by, otherwise: Reply::Nil }
            }
            Err(_) => Heard::Now(Reply::Busy),
        }
    }

    /// Ends a match.
    fn end(&self, match_id: &MatchId, how: &str, reply: Reply) -> Heard {
        match locked(&self.table).seats.remove(match_id) {
            Some(seat) => {
                info!(%match_id, "{how}");
                seat.end();
                Heard::Now(reply)
            }
            None => Heard::Now(Reply::Busy),
        }
    }
}

impl Drop for NetworkPlayer {
    fn drop(&mut self) {
        self.close();
    }
}

impl Seat {
    /// Whoever thinks stops at once; the thread ends when nobody can ask it any more.
    fn end(self) {
        self.is_over.wish();
        self.is_superseded.wish();
    }
}

/// Leaves the table when the thread of a match ends, however it does.
struct Leaving {
    match_id: MatchId,
    number: u64,
    table: Arc<Mutex<Table>>,
}

impl Drop for Leaving {
    fn drop(&mut self) {
        let seats = &mut locked(&self.table).seats;
        // Another match may have the same name.
        if seats.get(&self.match_id).is_some_and(|seat| seat.number == self.number) {
            seats.remove(&self.match_id);
        }
    }
}

/// When an answer has to be given, whatever it is: so long before the clock runs out.
fn last_moment(clock: Duration, margin: Duration, received: Instant) -> Instant {
    let usable = clock.saturating_sub(margin.min(clock / 2));
    received.checked_add(usable).unwrap_or_else(|| received + Duration::from_secs(86_400))
}
