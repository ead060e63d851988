//! Players that think, in threads of their own.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use base::{Deadline, Rng, RoleId, seeded_rng};
use game::Game;
use rand::RngExt as _;
use rand::seq::IndexedRandom as _;
use search::{Search, SearchLimits};

use crate::agent::{Agent, Choice, Clock, Thoughts, Turn};
use crate::follower::Follower;
use crate::thinker::{Done, Question, Thinker, Whiteboard};
use crate::thoughts::merge;

/// How a player uses its time and the machine.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Resources {
    /// How many trees it grows side by side (root parallelism).
    pub(crate) n_threads: usize,
    /// Whether it goes on thinking when it is not asked.
    pub(crate) ponders: bool,
    /// Which part of the clock it uses, up to 1.
    pub(crate) time: f64,
}

/// A player that searches.
pub(crate) struct Searcher<G: Game> {
    follower: Follower<G>,
    /// By thread: where questions go; nowhere if it has ended, or could not be started.
    questions: Vec<Option<Sender<Question>>>,
    is_done: Receiver<Done>,
    whiteboard: Whiteboard,
    resources: Resources,
    n_questions: u64,
    /// The joint moves since the last question.
    joint_moves: Vec<Vec<String>>,
    rng: Rng,
}

impl<G> Searcher<G>
where
    G: Game + Clone + Send + 'static,
    G::State: Send,
{
    /// A player with the searches that `begin` makes, one in each thread, with a seed of its own.
    pub(crate) fn new<S>(
        game: G,
        role: RoleId,
        resources: Resources,
        seed: u64,
        begin: impl Fn(G, u64) -> S + Clone + Send + 'static,
    ) -> Searcher<G>
    where
        S: Search<Game = G>,
    {
        let (done, is_done) = channel();
        let whiteboard = Whiteboard::new(resources.n_threads);
        let mut questions = Vec::new();
        for number in 0..resources.n_threads {
            let (ask, asked) = channel();
            let thinker = Thinker {
                number,
                role,
                asked,
                done: done.clone(),
                whiteboard: whiteboard.clone(),
                ponders: resources.ponders,
            };
            let (game, begin, done) = (game.clone(), begin.clone(), done.clone());
            let seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(number as u64));
            let thread = std::thread::Builder::new().name("thinking".to_owned()).spawn(move || {
                // A search that fails has no more answers; whoever waits for one takes what is there.
                let outcome = catch_unwind(AssertUnwindSafe(|| thinker.run(begin(game, seed))));
                drop(outcome);
                let _ = done.send(Done { thread: number, question: None });
            });
            questions.push(thread.is_ok().then_some(ask));
        }
        Searcher {
            follower: Follower::new(game, role),
            questions,
            is_done,
            whiteboard,
            resources,
            n_questions: 0,
            joint_moves: Vec::new(),
            rng: seeded_rng(seed),
        }
    }

    /// Asks about the state, and waits as long as the clock allows.
    fn ask(&mut self, clock: Clock, start: Instant) -> Option<Thoughts> {
        let clock = at_most_a_day(clock);
        let n_threads = self.questions.len() as u64;
        let limits = match clock {
            Clock::Plays(n_plays) => {
                let n_plays = (n_plays as f64 * self.resources.time) as u64;
                SearchLimits::plays(n_plays.div_ceil(n_threads.max(1)))
            }
            Clock::Time(time) => {
                let usable = time.saturating_sub(margin(time));
                let part = usable.as_secs_f64() * self.resources.time;
                let usable = Duration::try_from_secs_f64(part).unwrap_or(usable);
                let deadline = Deadline::after(usable.saturating_sub(start.elapsed()));
                SearchLimits::time(deadline)
            }
        };
        let number = self.tell(limits);
        let mut is_waiting: Vec<bool> = self.questions.iter().map(Option::is_some).collect();
        while is_waiting.contains(&true) {
            let done = match clock {
                Clock::Plays(_) => self.is_done.recv().ok(),
                Clock::Time(time) => {
                    // A search that does not end in time is not waited for: that takes a part of the margin.
                    let end = time.saturating_sub(margin(time) * 3 / 4);
                    self.is_done.recv_timeout(end.saturating_sub(start.elapsed())).ok()
                }
            };
            match done {
                // Answers to questions before may still be on the way.
                Some(Done { question: Some(question), .. }) if question != number => {}
                Some(Done { thread, .. }) => is_waiting[thread] = false,
                None => break,
            }
        }
        merge(self.whiteboard.answers(number), start.elapsed())
    }

    /// Tells all threads what has happened, and how long to think about it. Returns the number of the
    /// question.
    fn tell(&mut self, limits: SearchLimits) -> u64 {
        self.n_questions += 1;
        let number = self.n_questions;
        let joint_moves = std::mem::take(&mut self.joint_moves);
        for questions in &mut self.questions {
            let question = Question { number, joint_moves: joint_moves.clone(), limits };
            // Who does not listen any more does not answer either.
            questions.take_if(|questions| questions.send(question).is_err());
        }
        number
    }

    /// One of the moves, each as often as it should be made.
    fn pick(&mut self, thoughts: &Thoughts) -> Option<String> {
        let total: f64 = thoughts.moves.iter().map(|one| one.share).sum();
        let mut left = self.rng.random::<f64>() * total;
        let picked = thoughts.moves.iter().find(|one| {
            left -= one.share;
            one.share > 0.0 && left <= 0.0
        });
        picked.or(thoughts.moves.first()).map(|one| one.text.clone())
    }
}

/// Nobody waits longer.
fn at_most_a_day(clock: Clock) -> Clock {
    const DAY: Duration = Duration::from_secs(24 * 60 * 60);
    match clock {
        Clock::Time(time) => Clock::Time(time.min(DAY)),
        Clock::Plays(_) => clock,
    }
}

/// What is left of a clock for everything but thinking. With 25 ms at least, one move in 1,000 was late on a machine
/// that had other work as well: a thread that was asleep may wait 20 or 30 ms for a core there.
fn margin(time: Duration) -> Duration {
    const LEAST: Duration = Duration::from_millis(40);
    (time / 20).max(LEAST).min(time / 2)
}

impl<G> Agent for Searcher<G>
where
    G: Game + Clone + Send + 'static,
    G::State: Send,
{
    fn start(&mut self, clock: Clock) {
        self.ask(clock, Instant::now());
    }

    fn choose(&mut self, turn: Turn<'_>, clock: Clock) -> Choice {
        let start = Instant::now();
        self.follower.follow(turn);
        self.joint_moves.extend_from_slice(turn.joint_moves);
        let legal = self.follower.legal();
        if let [only] = legal.as_slice() {
            if self.resources.ponders {
                self.tell(SearchLimits::plays(0));
            }
            return Choice { text: only.clone(), thoughts: None };
        }
        let thoughts = self.ask(clock, start);
        let thought = thoughts.as_ref().and_then(|thoughts| self.pick(thoughts));
        let text = thought.filter(|text| legal.contains(text));
        let text = text.or_else(|| legal.choose(&mut self.rng).cloned()).unwrap_or_default();
        Choice { text, thoughts }
    }
}
