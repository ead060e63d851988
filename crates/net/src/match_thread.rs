//! The thread of one match.

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use base::{RoleId, Stop};
use gdl::Symbols;
use player::{Agent as _, Clock, PlayerSpec, Preparing, Told};
use program::Program;
use protocol::{MatchId, News, Reply, Rules, spelt_as};
use tracing::{info, warn};

use crate::preparation::{Preparation, Wanted, locked};
use crate::promise::Promise;
use crate::status::{Doing, MatchStatus};

/// What a manager says when a match begins.
#[derive(Clone, Debug)]
pub(crate) struct Opening {
    pub(crate) match_id: MatchId,
    pub(crate) role: String,
    pub(crate) rules: Rules,
    pub(crate) start_clock: Duration,
    pub(crate) play_clock: Duration,
    pub(crate) received: Instant,
}

impl Opening {
    /// A match of which nothing is heard for so long is over: 10 play clocks after it has begun.
    fn silence(&self) -> Duration {
        const LEAST: Duration = Duration::from_secs(5);
        const MOST: Duration = Duration::from_secs(7 * 24 * 60 * 60);
        let silence = self.start_clock.saturating_add(self.play_clock.saturating_mul(10));
        silence.clamp(LEAST, MOST)
    }
}

/// A move is wanted.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) news: News,
    pub(crate) received: Instant,
    /// When another answer is given.
    pub(crate) by: Instant,
    /// The move is not wanted any more.
    pub(crate) stop: Stop,
    pub(crate) answer: Promise,
}

/// What plays a match.
pub(crate) struct MatchThread {
    pub(crate) opening: Opening,
    pub(crate) player: PlayerSpec,
    pub(crate) seed: u64,
    /// How long it may think before the match, and about a move.
    pub(crate) to_think: [Duration; 2],
    pub(crate) preparation: Arc<Preparation>,
    pub(crate) jobs: Receiver<Job>,
    pub(crate) is_over: Stop,
    pub(crate) status: Arc<Mutex<MatchStatus>>,
}

impl MatchThread {
    /// The agent that the match needs, or what is answered where there can be none.
    pub(crate) fn open(&self) -> Result<Wanted, Reply> {
        self.wanted().map_err(|problem| match self.is_over.is_wished() {
            // It had been accepted, and was over before its rules were read.
            true => Reply::Ready,
            false => {
                warn!(match_id = %self.opening.match_id, "it cannot be played: {problem}");
                Reply::Busy
            }
        })
    }

    /// Gets ready, answers, and then makes moves until nobody asks any more.
    pub(crate) fn run(self, wanted: &Wanted, answer: Promise) {
        let match_id = &self.opening.match_id;
        let [start_clock, play_clock] = [self.opening.start_clock, self.opening.play_clock];
        info!(%match_id, role = self.opening.role, ?start_clock, ?play_clock, "begins");
        let mut agent = self.preparation.agent(wanted, &self.is_over);
        let mut listening = Listening::new(wanted.sheet.program());
        let clock = self.clock(0, self.opening.received);
        // Who is not ready plays as well as it can.
        let _ = agent.start(clock, &self.is_over);
        answer.keep(Reply::Ready);
        self.note(|status| status.doing = Doing::Waiting);
        loop {
            match self.jobs.recv_timeout(self.opening.silence()) {
                Ok(job) => self.answer(job, &mut agent, &mut listening),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {
                    warn!(%match_id, "nothing was heard of it for {:?}", self.opening.silence());
                    break;
                }
            }
        }
        self.is_over.wish();
    }

    /// The agent that is needed, or why there can be none.
    fn wanted(&self) -> Result<Wanted, String> {
        let sheet = self.preparation.sheet(self.opening.rules.text(), &self.is_over)?;
        let program = sheet.program();
        let symbols = program.symbols();
        let wanted = symbols.get(&self.opening.role);
        let role = RoleId::first(program.roles().len())
            .find(|role| Some(program.roles()[*role]) == wanted)
            .ok_or_else(|| format!("there is no role {}", self.opening.role))?;
        if program.random() == Some(role) {
            return Err("the role random is not for players".to_owned());
        }
        Ok(Wanted { player: self.player.clone(), role, seed: self.seed, sheet })
    }

    /// A clock for the start or for a move, from when the message was received.
    fn clock(&self, which: usize, received: Instant) -> Clock {
        Clock::with_time_to_think(self.to_think[which].saturating_sub(received.elapsed()))
    }

    fn answer(&self, job: Job, agent: &mut Preparing, listening: &mut Listening<'_>) {
        let match_id = &self.opening.match_id;
        let told = listening.hear(&job.news).unwrap_or_else(|problem| {
            warn!(%match_id, "{problem}");
            Vec::new()
        });
        self.note(|status| {
            status.n_steps += told.len();
            status.doing = Doing::Thinking;
        });
        let choice = agent.choose(&told, self.clock(1, job.received), &job.stop);
        let seconds = job.received.elapsed().as_secs_f64();
        let reply = match &choice {
            Ok(choice) => {
                info!(%match_id, role = self.opening.role, "{} after {seconds:.2} s", choice.text);
                Reply::Move(choice.text.clone())
            }
            Err(fault) => {
                warn!(%match_id, "no move after {seconds:.2} s: {fault:?}");
                Reply::Nil
            }
        };
        self.note(|status| status.note_move(&choice, agent.is_fast()));
        // Otherwise it is not known what the manager makes of it. Once it has the answer it may ask for another move.
        let is_sent = Instant::now() < job.by && !job.stop.is_wished();
        job.answer.keep(reply);
        listening.last_move = choice.ok().map(|choice| choice.text).filter(|_| is_sent);
    }

    fn note(&self, change: impl FnOnce(&mut MatchStatus)) {
        change(&mut locked(&self.status));
    }
}

/// From what managers say to what players are told.
struct Listening<'a> {
    symbols: &'a Symbols,
    n_roles: usize,
    has_percepts: bool,
    /// How long all is that was told.
    n_letters: usize,
    /// Whether no move was asked for yet.
    is_first: bool,
    /// The move that was sent last, if the manager has got it.
    last_move: Option<String>,
    /// In the second form of GDL-II: the number of the turn that was told last.
    last_turn: Option<u64>,
}

impl<'a> Listening<'a> {
    fn new(program: &'a Program) -> Listening<'a> {
        Listening {
            symbols: program.symbols(),
            n_roles: program.roles().len(),
            has_percepts: program.has_percepts(),
            n_letters: 0,
            is_first: true,
            last_move: None,
            last_turn: None,
        }
    }

    /// What a player is told. All of it is kept, so that there has to be an end.
    fn hear(&mut self, news: &News) -> Result<Vec<Told>, String> {
        /// The longest matches in use have a hundredth.
        const MOST_LETTERS: usize = 64 << 20;
        /// What is kept of a term beside its letters.
        const LETTERS_A_TERM: usize = 32;
        let told = self.told(news);
        self.is_first = false;
        let terms = told.iter().flatten().flat_map(|one| match one {
            Told::JointMove(texts) => texts.iter(),
            Told::Seen { percepts, .. } => percepts.iter(),
        });
        self.n_letters += terms.map(|text| text.len() + LETTERS_A_TERM).sum::<usize>();
        match self.n_letters <= MOST_LETTERS {
            true => told,
            false => Err("too much was told in this match".to_owned()),
        }
    }

    /// What a player is told, in the spelling of the rules. Nothing before the first move.
    fn told(&mut self, news: &News) -> Result<Vec<Told>, String> {
        let spelt = |texts: &[String]| -> Result<Vec<String>, String> {
            let texts = texts.iter().map(|text| spelt_as(self.symbols, text));
            texts.collect::<Result<_, _>>().map_err(|error| error.to_string())
        };
        Ok(match news {
            News::Nothing | News::Terms(_) if self.has_percepts && self.is_first => Vec::new(),
            // The first generation of GDL-II does not say which move was made.
            News::Terms(terms) if self.has_percepts => {
                vec![Told::Seen { own_move: self.last_move.clone(), percepts: spelt(terms)? }]
            }
            News::Nothing if self.has_percepts => {
                vec![Told::Seen { own_move: self.last_move.clone(), percepts: Vec::new() }]
            }
            News::Nothing => Vec::new(),
            News::Terms(terms) if terms.is_empty() => Vec::new(),
            News::Terms(terms) if terms.len() != self.n_roles => {
                return Err(format!("{} moves for {} roles", terms.len(), self.n_roles));
            }
            News::Terms(terms) => vec![Told::JointMove(spelt(terms)?)],
            News::Turn { own_move: None, .. } => Vec::new(),
            News::Turn { number, own_move: Some(own_move), percepts } => {
                let (own_move, percepts) =
                    (spelt(std::slice::from_ref(own_move))?, spelt(percepts)?);
                if self.last_turn == Some(*number) {
                    return Err(format!("turn {number} was told twice"));
                }
                self.last_turn = Some(*number);
                vec![Told::Seen { own_move: own_move.into_iter().next(), percepts }]
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(own_move: Option<&str>, percepts: &[&str]) -> Vec<Told> {
        let percepts = percepts.iter().map(|text| (*text).to_owned()).collect();
        vec![Told::Seen { own_move: own_move.map(str::to_owned), percepts }]
    }

    #[test]
    fn news_of_all_generations_are_understood() {
        let rules =
            "(role xPlayer) (role o) (init on) terminal (legal o noop) (legal xPlayer (Mark 1))
            (goal xPlayer 50) (goal o 50) (sees xPlayer (Bell loud))";
        let program = program::check(&gdl::parse_kif(rules)).program.expect("no errors");
        let mut listening = Listening { has_percepts: false, ..Listening::new(&program) };
        let terms =
            |texts: &[&str]| News::Terms(texts.iter().map(|text| (*text).to_owned()).collect());
        assert_eq!(listening.told(&terms(&[])), Ok(vec![]));
        let joint = Told::JointMove(vec!["(Mark 1)".to_owned(), "noop".to_owned()]);
        assert_eq!(listening.told(&terms(&["(MARK 1)", "NOOP"])), Ok(vec![joint]));
        assert!(listening.told(&terms(&["noop"])).is_err());
        // The first generation of GDL-II: the own move is the one that was sent.
        listening.has_percepts = true;
        assert_eq!(listening.told(&terms(&[])), Ok(vec![]));
        (listening.is_first, listening.last_move) = (false, Some("noop".to_owned()));
        assert_eq!(listening.told(&terms(&[])), Ok(seen(Some("noop"), &[])));
        let bell = Ok(seen(Some("noop"), &["(Bell loud)"]));
        assert_eq!(listening.told(&terms(&["(bell LOUD)"])), bell);
        listening.last_move = None;
        assert_eq!(listening.told(&terms(&[])), Ok(seen(None, &[])));
        // The second: it is the one that was made.
        let turn = |number, own_move: Option<&str>| News::Turn {
            number,
            own_move: own_move.map(str::to_owned),
            percepts: vec!["(BELL loud)".to_owned()],
        };
        assert_eq!(listening.told(&turn(0, None)), Ok(vec![]));
        assert_eq!(
            listening.told(&turn(1, Some("(MARK 1)"))),
            Ok(seen(Some("(Mark 1)"), &["(Bell loud)"]))
        );
        assert!(listening.told(&turn(1, Some("(mark 1)"))).is_err());
        assert!(listening.told(&terms(&["?x"])).is_err());
    }
}
