//! Players that think, in a thread of their own.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use base::{Deadline, Rng, RoleId, seeded_rng};
use game::{Game, Playouts, Unplayable, joint_move_of};
use search::{SearchLimits, Tree, TreeOptions};

use crate::agent::{Agent, Choice, Clock, Thoughts, Turn};
use crate::follower::Follower;

/// What the thread is asked for: to think about the state after some joint moves.
struct Question {
    number: u64,
    joint_moves: Vec<Vec<String>>,
    limits: SearchLimits,
}

/// The best move so far.
struct Answer {
    /// To which question.
    number: u64,
    choice: Choice,
}

/// A player that grows a tree.
pub(crate) struct Searcher<G: Game> {
    follower: Follower<G>,
    /// `None` if the thread could not be started.
    questions: Option<Sender<Question>>,
    /// Tells that a question was answered as well as time allowed.
    is_done: Receiver<u64>,
    best: Arc<Mutex<Option<Answer>>>,
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
    pub(crate) fn new<P>(
        game: G,
        playouts: P,
        role: RoleId,
        options: TreeOptions,
        seed: u64,
    ) -> Searcher<G>
    where
        P: Playouts<G> + Send + 'static,
    {
        let (questions, asked) = channel();
        let (done, is_done) = channel();
        let best = Arc::new(Mutex::new(None));
        let of_thread = game.clone();
        let thinker = Thinker { role, asked, done, best: Arc::clone(&best) };
        let initial = game.initial();
        let thread = std::thread::Builder::new().name("thinking".to_owned()).spawn(move || {
            // A search that fails has no more answers; whoever waits for one takes what is there.
            let outcome = catch_unwind(AssertUnwindSafe(|| {
                let tree = Tree::new(of_thread, playouts, initial, options, seed);
                tree.and_then(|tree| thinker.run(tree))
            }));
            drop(outcome);
        });
        Searcher {
            follower: Follower::new(game, role),
            questions: thread.is_ok().then_some(questions),
            is_done,
            best,
            n_questions: 0,
            joint_moves: Vec::new(),
            rng: seeded_rng(seed),
        }
    }

    /// Asks about the state, and waits as long as the clock allows.
    fn ask(&mut self, clock: Clock) -> Option<Choice> {
        let start = Instant::now();
        let Some(questions) = &self.questions else { return None };
        self.n_questions += 1;
        let number = self.n_questions;
        let limits = match clock {
            Clock::Plays(max_plays) => SearchLimits { deadline: Deadline::NEVER, max_plays },
            Clock::Time(time) => SearchLimits {
                deadline: Deadline::after(time.saturating_sub(margin(time))),
                max_plays: u64::MAX,
            },
        };
        let joint_moves = std::mem::take(&mut self.joint_moves);
        questions.send(Question { number, joint_moves, limits }).ok()?;
        loop {
            let answered = match clock {
                Clock::Plays(_) => self.is_done.recv().ok(),
                Clock::Time(time) => {
                    let end = time.saturating_sub(margin(time) / 2);
                    self.is_done.recv_timeout(end.saturating_sub(start.elapsed())).ok()
                }
            };
            // Answers to questions before may still be on the way.
            if answered.is_none_or(|answered| answered == number) {
                break;
            }
        }
        let mut best = self.best.lock().unwrap_or_else(PoisonError::into_inner);
        best.take().filter(|answer| answer.number == number).map(|answer| answer.choice)
    }
}

/// What is left of a clock for everything but thinking.
fn margin(time: Duration) -> Duration {
    const LEAST: Duration = Duration::from_millis(15);
    (time / 20).max(LEAST).min(time / 2)
}

impl<G> Agent for Searcher<G>
where
    G: Game + Clone + Send + 'static,
    G::State: Send,
{
    fn start(&mut self, clock: Clock) {
        self.ask(clock);
    }

    fn choose(&mut self, turn: Turn<'_>, clock: Clock) -> Choice {
        if let Some(joint_move) = turn.joint_move {
            self.follower.advance(joint_move);
            self.joint_moves.push(joint_move.to_vec());
        }
        let legal = self.follower.legal();
        if let [only] = legal.as_slice() {
            return Choice { text: only.clone(), thoughts: None };
        }
        let thought = self.ask(clock).filter(|choice| legal.contains(&choice.text));
        thought.unwrap_or_else(|| Choice { text: self.follower.any(&mut self.rng), thoughts: None })
    }
}

/// What thinks.
struct Thinker {
    role: RoleId,
    asked: Receiver<Question>,
    done: Sender<u64>,
    best: Arc<Mutex<Option<Answer>>>,
}

impl Thinker {
    /// Answers questions until nobody asks any more.
    fn run<G, P>(&self, mut tree: Tree<G, P>) -> Result<(), Unplayable>
    where
        G: Game,
        P: Playouts<G>,
    {
        /// After so many plays the best move so far is told.
        const PLAYS_BETWEEN: u64 = 1024;
        while let Ok(question) = self.asked.recv() {
            for texts in &question.joint_moves {
                let (state, game) = tree.state_and_game();
                let state = state.clone();
                let Some(joint_move) = joint_move_of(game, &state, texts) else { return Ok(()) };
                tree.advance(&joint_move)?;
            }
            let mut n_left = question.limits.max_plays;
            while n_left > 0 && !question.limits.deadline.has_passed() {
                let before = tree.n_plays();
                let limits =
                    SearchLimits { max_plays: n_left.min(PLAYS_BETWEEN), ..question.limits };
                tree.grow(&limits)?;
                self.tell(&mut tree, question.number);
                let n_done = tree.n_plays() - before;
                if n_done == 0 {
                    break;
                }
                n_left = n_left.saturating_sub(n_done);
            }
            if self.done.send(question.number).is_err() {
                break;
            }
        }
        Ok(())
    }

    fn tell<G, P>(&self, tree: &mut Tree<G, P>, number: u64)
    where
        G: Game,
        P: Playouts<G>,
    {
        let report = tree.report(self.role);
        let Some(best) = report.moves.first() else { return };
        let thoughts = Thoughts {
            value: best.value,
            is_exact: best.is_exact,
            n_plays: report.n_plays,
            n_nodes: report.n_nodes,
        };
        let text = tree.game().move_text(best.id);
        let choice = Choice { text, thoughts: Some(thoughts) };
        let mut place = self.best.lock().unwrap_or_else(PoisonError::into_inner);
        *place = Some(Answer { number, choice });
    }
}
