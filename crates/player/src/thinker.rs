//! The thread of a player that thinks.
//!
//! Where the state is known one search goes with the match. Where it is not, each of some states that are possible is
//! searched as if it was the real one, and moves are worth what they are in all of them (HyperPlay: Schofield, Cerexhe
//! & Thielscher 2012).

use std::sync::mpsc::{Receiver, Sender, TryRecvError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use base::{Deadline, RoleId};
use game::{Game, joint_move_of};
use search::{Search, SearchLimits, Work};

use crate::agent::Thoughts;
use crate::follower::World;
use crate::thoughts::{in_all_worlds, thoughts_of};

/// What a thread is asked for.
pub(crate) struct Question<G: Game> {
    pub(crate) number: u64,
    pub(crate) about: About<G>,
    /// Its deadline comes sooner where somebody wishes it.
    pub(crate) limits: SearchLimits,
}

/// What a thread is to think about.
#[derive(Clone)]
pub(crate) enum About<G: Game> {
    /// The state after these joint moves.
    After(Vec<Vec<String>>),
    /// Any of these states, with the rules that know them: where rules are not grounded, states mean something only
    /// to those who made them.
    Worlds(G, Vec<World<G::State>>),
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

/// What thinks, with the searches that `begin` makes.
pub(crate) struct Thinker<S: Search, B> {
    /// Which of the threads it is.
    pub(crate) number: usize,
    pub(crate) role: RoleId,
    /// Makes a search that begins in a state.
    pub(crate) begin: B,
    pub(crate) game: S::Game,
    pub(crate) asked: Receiver<Question<S::Game>>,
    pub(crate) done: Sender<Done>,
    pub(crate) whiteboard: Whiteboard,
    pub(crate) ponders: bool,
}

/// The states of the game that is searched.
type StateOf<S> = <<S as Search>::Game as Game>::State;

/// The best move is told, and the clock looked at, about as often as this.
const BETWEEN: Duration = Duration::from_millis(5);

impl<S, B> Thinker<S, B>
where
    S: Search,
    S::Game: Clone,
    B: Fn(S::Game, StateOf<S>) -> S,
{
    /// Answers questions until nobody asks any more.
    pub(crate) fn run(&self) {
        let mut asked = None;
        let mut search = (self.begin)(self.game.clone(), self.game.initial());
        while let Some(question) = self.next_question(&mut search, asked) {
            match &question.about {
                About::After(joint_moves) => {
                    asked = Asked::of(&question.limits).or(asked);
                    if !self.go_on(&mut search, joint_moves, &question) {
                        return;
                    }
                }
                About::Worlds(game, worlds) => {
                    // What is known of states that were possible before says little of others.
                    asked = None;
                    self.think_of_worlds(game, worlds, &question);
                }
            }
            let done = Done { thread: self.number, question: Some(question.number) };
            if self.done.send(done).is_err() {
                break;
            }
        }
    }

    /// Goes on to the state after some joint moves, and thinks about it. Tells whether there is such a state.
    fn go_on(
        &self,
        search: &mut S,
        joint_moves: &[Vec<String>],
        question: &Question<S::Game>,
    ) -> bool {
        for texts in joint_moves {
            let (state, game) = search.state_and_game();
            let state = state.clone();
            let Some(joint_move) = joint_move_of(game, &state, texts) else { return false };
            search.advance(&joint_move);
        }
        let before = search.work();
        let tell = |search: &mut S| {
            let thoughts = self.thoughts(search, before);
            thoughts
                .into_iter()
                .for_each(|thoughts| self.whiteboard.write(self.number, question.number, thoughts));
        };
        // What is known already is an answer, before any work begins.
        tell(search);
        search.forget_the_past();
        self.think(search, &question.limits, tell);
        true
    }

    /// Thinks about each of the states for an equal part of the time.
    fn think_of_worlds(
        &self,
        game: &S::Game,
        worlds: &[World<StateOf<S>>],
        question: &Question<S::Game>,
    ) {
        let mut known: Vec<(Thoughts, f64)> = Vec::new();
        for (place, (state, weight)) in worlds.iter().enumerate() {
            let deadline = &question.limits.deadline;
            if deadline.has_passed() {
                break;
            }
            let n_left = (worlds.len() - place) as u32;
            let limits = SearchLimits {
                deadline: deadline.part(n_left),
                max_plays: question.limits.max_plays.div_ceil(worlds.len() as u64),
                pause: Deadline::NEVER,
            };
            let mut search = (self.begin)(game.clone(), state.clone());
            search.want_all();
            let n_known = known.len();
            self.think(&mut search, &limits, |search| {
                let Some(thoughts) = self.thoughts(search, Work::default()) else { return };
                known.truncate(n_known);
                known.push((thoughts, *weight));
                let all = in_all_worlds(&known).expect("there is one");
                self.whiteboard.write(self.number, question.number, all);
            });
        }
    }

    /// The next question; until it comes, a player who ponders goes on thinking, as if it were asked as it was before.
    fn next_question(&self, search: &mut S, before: Option<Asked>) -> Option<Question<S::Game>> {
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

    /// Searches as long as is allowed, and tells what it thinks so far.
    fn think(&self, search: &mut S, limits: &SearchLimits, mut tell: impl FnMut(&mut S)) {
        let is_timed = limits.deadline.is_timed();
        loop {
            let pause = if is_timed { Deadline::after(BETWEEN) } else { Deadline::NEVER };
            let is_known = search.grow(&SearchLimits { pause, ..limits.clone() });
            tell(search);
            if !is_timed || limits.deadline.has_passed() || is_known {
                break;
            }
        }
    }

    /// What a search thinks, if it has looked at anything.
    fn thoughts(&self, search: &mut S, before: Work) -> Option<Thoughts> {
        let report = search.report(self.role);
        let is_tried = report.moves.first().is_some_and(|best| best.n_visits > 0 || best.is_exact);
        is_tried.then(|| {
            let (_, game) = search.state_and_game();
            thoughts_of(&report, game, before)
        })
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
