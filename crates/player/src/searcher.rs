//! Players that think, in a thread of their own.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use base::{Deadline, Rng, RoleId, seeded_rng};
use game::{Game, Playouts, Unplayable, joint_move_of};
use rand::seq::IndexedRandom as _;
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
    fn ask(&mut self, clock: Clock, start: Instant) -> Option<Choice> {
        let Some(questions) = &self.questions else { return None };
        self.n_questions += 1;
        let number = self.n_questions;
        let limits = match clock {
            Clock::Plays(max_plays) => SearchLimits { deadline: Deadline::NEVER, max_plays },
            Clock::Time(time) => SearchLimits {
                deadline: Deadline::after(
                    time.saturating_sub(margin(time)).saturating_sub(start.elapsed()),
                ),
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
        self.ask(clock, Instant::now());
    }

    fn choose(&mut self, turn: Turn<'_>, clock: Clock) -> Choice {
        let start = Instant::now();
        if let Some(joint_move) = turn.joint_move {
            self.follower.advance(joint_move);
            self.joint_moves.push(joint_move.to_vec());
        }
        let legal = self.follower.legal();
        if let [only] = legal.as_slice() {
            return Choice { text: only.clone(), thoughts: None };
        }
        let thought = self.ask(clock, start).filter(|choice| legal.contains(&choice.text));
        thought.unwrap_or_else(|| {
            let text = legal.choose(&mut self.rng).cloned().unwrap_or_default();
            Choice { text, thoughts: None }
        })
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
        while let Ok(question) = self.asked.recv() {
            for texts in &question.joint_moves {
                let (state, game) = tree.state_and_game();
                let state = state.clone();
                let Some(joint_move) = joint_move_of(game, &state, texts) else { return Ok(()) };
                tree.advance(&joint_move)?;
            }
            // What is known already is an answer, before any work begins.
            self.tell(&mut tree, question.number);
            tree.forget_the_past();
            self.think(&mut tree, &question);
            if self.done.send(question.number).is_err() {
                break;
            }
        }
        Ok(())
    }

    /// Grows the tree as long as the question allows, and tells the best move so far.
    fn think<G, P>(&self, tree: &mut Tree<G, P>, question: &Question)
    where
        G: Game,
        P: Playouts<G>,
    {
        /// The best move is told, and the clock looked at, about as often as this.
        const BETWEEN: Duration = Duration::from_millis(5);
        let SearchLimits { deadline, max_plays } = question.limits;
        let is_timed = deadline != Deadline::NEVER;
        // Under a clock the batches grow as far as they are fast; otherwise they are always the same.
        let mut batch = if is_timed { 1 } else { tree.batch() };
        let mut n_left = max_plays;
        while n_left > 0 && !deadline.has_passed() {
            let (before, start) = (tree.n_plays(), Instant::now());
            let n_plays = (batch * tree.plays_per_leaf()) as u64;
            let limits = SearchLimits { deadline, max_plays: n_left.min(n_plays) };
            let is_playable = tree.grow(&limits).is_ok();
            self.tell(tree, question.number);
            let n_done = tree.n_plays() - before;
            // Where nothing more is learnt, or the rules do not allow it, what is known must do.
            if n_done == 0 || !is_playable {
                break;
            }
            n_left = n_left.saturating_sub(n_done);
            if is_timed {
                batch = match start.elapsed() < BETWEEN {
                    true => (2 * batch).min(tree.batch()),
                    false => (batch / 2).max(1),
                };
            }
        }
    }

    fn tell<G, P>(&self, tree: &mut Tree<G, P>, number: u64)
    where
        G: Game,
        P: Playouts<G>,
    {
        let report = tree.report(self.role);
        let tried = report.moves.first().filter(|best| best.n_visits > 0 || best.is_exact);
        let Some(best) = tried else { return };
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
