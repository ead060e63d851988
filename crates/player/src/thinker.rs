//! The thread of a player that thinks.

use std::sync::mpsc::{Receiver, Sender, TryRecvError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use base::{Deadline, RoleId};
use game::joint_move_of;
use search::{Search, SearchLimits, Work};

use crate::agent::Thoughts;
use crate::thoughts::thoughts_of;

/// What a thread is asked for: to think about the state after some joint moves.
pub(crate) struct Question {
    pub(crate) number: u64,
    pub(crate) joint_moves: Vec<Vec<String>>,
    pub(crate) limits: SearchLimits,
}

/// A thread has answered a question as well as time allowed, or has ended.
pub(crate) struct Done {
    pub(crate) thread: usize,
    pub(crate) question: Option<u64>,
}

/// To which question, and what a thread thinks of it.
type Answer = (u64, Thoughts);

/// Where the threads of a player write what they think so far, by thread.
#[derive(Clone, Debug)]
pub(crate) struct Whiteboard(Arc<Mutex<Vec<Option<Answer>>>>);

impl Whiteboard {
    pub(crate) fn new(n_threads: usize) -> Whiteboard {
        Whiteboard(Arc::new(Mutex::new(vec![None; n_threads])))
    }

    fn write(&self, thread: usize, question: u64, thoughts: Thoughts) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all[thread] = Some((question, thoughts));
    }

    /// The answers to a question so far.
    pub(crate) fn answers(&self, question: u64) -> Vec<Thoughts> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let answers = all.iter().flatten().filter(|(number, _)| *number == question);
        answers.map(|(_, thoughts)| thoughts.clone()).collect()
    }
}

/// What thinks.
pub(crate) struct Thinker {
    /// Which of the threads it is.
    pub(crate) number: usize,
    pub(crate) role: RoleId,
    pub(crate) asked: Receiver<Question>,
    pub(crate) done: Sender<Done>,
    pub(crate) whiteboard: Whiteboard,
    pub(crate) ponders: bool,
}

/// The best move is told, and the clock looked at, about as often as this.
const BETWEEN: Duration = Duration::from_millis(5);

impl Thinker {
    /// Answers questions until nobody asks any more.
    pub(crate) fn run<S: Search>(&self, mut search: S) {
        let mut asked = None;
        while let Some(question) = self.next_question(&mut search, asked) {
            asked = Asked::of(&question.limits).or(asked);
            for texts in &question.joint_moves {
                let (state, game) = search.state_and_game();
                let state = state.clone();
                let Some(joint_move) = joint_move_of(game, &state, texts) else { return };
                search.advance(&joint_move);
            }
            let begin = Begin { question: question.number, work: search.work() };
            // What is known already is an answer, before any work begins.
            self.tell(&mut search, begin);
            search.forget_the_past();
            self.think(&mut search, begin, question.limits);
            let done = Done { thread: self.number, question: Some(question.number) };
            if self.done.send(done).is_err() {
                break;
            }
        }
    }

    /// The next question; until it comes, a player who ponders goes on thinking, as if it were asked as it was before.
    fn next_question<S: Search>(&self, search: &mut S, before: Option<Asked>) -> Option<Question> {
        let Some(before) = before.filter(|_| self.ponders) else {
            return self.asked.recv().ok();
        };
        loop {
            match self.asked.try_recv() {
                Ok(question) => return Some(question),
                Err(TryRecvError::Disconnected) => return None,
                Err(TryRecvError::Empty) => {}
            }
            let limits = SearchLimits { pause: Deadline::after(BETWEEN), ..before.again() };
            // Where all is known, it waits.
            if search.grow(&limits) {
                return self.asked.recv().ok();
            }
        }
    }

    /// Searches as long as the question allows, and tells what it thinks so far.
    fn think<S: Search>(&self, search: &mut S, begin: Begin, limits: SearchLimits) {
        let is_timed = limits.deadline != Deadline::NEVER;
        loop {
            let pause = if is_timed { Deadline::after(BETWEEN) } else { Deadline::NEVER };
            let is_known = search.grow(&SearchLimits { pause, ..limits });
            self.tell(search, begin);
            if !is_timed || limits.deadline.has_passed() || is_known {
                break;
            }
        }
    }

    fn tell<S: Search>(&self, search: &mut S, begin: Begin) {
        let report = search.report(self.role);
        let is_tried = report.moves.first().is_some_and(|best| best.n_visits > 0 || best.is_exact);
        if is_tried {
            let (_, game) = search.state_and_game();
            let thoughts = thoughts_of(&report, game, begin);
            self.whiteboard.write(self.number, begin.question, thoughts);
        }
    }
}

/// How much thinking was asked for.
#[derive(Clone, Copy)]
struct Asked {
    /// How long, if the clock counts.
    time: Option<Duration>,
    max_plays: u64,
}

impl Asked {
    /// None if there was nothing to think about.
    fn of(limits: &SearchLimits) -> Option<Asked> {
        let time = limits.deadline.left().map(|left| left.max(BETWEEN));
        let max_plays = limits.max_plays;
        (max_plays > 0).then_some(Asked { time, max_plays })
    }

    /// The same, from now on.
    fn again(self) -> SearchLimits {
        let limits = SearchLimits::plays(self.max_plays);
        SearchLimits { deadline: self.time.map_or(Deadline::NEVER, Deadline::after), ..limits }
    }
}

/// Where thinking about a question began.
#[derive(Clone, Copy)]
pub(crate) struct Begin {
    question: u64,
    pub(crate) work: Work,
}
