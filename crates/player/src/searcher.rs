//! Players that think, in threads of their own.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use base::{Deadline, Rng, RoleId, Stop, seeded_rng};
use game::Game;
use rand::RngExt as _;
use rand::seq::IndexedRandom as _;
use search::{Search, SearchLimits};

use crate::agent::{Agent, Choice, Clock, Fault, Thoughts, Told, margin};
use crate::follower::Follower;
use crate::thinker::{About, Done, Question, Thinker, Whiteboard};
use crate::thoughts::{in_all_worlds, merge};

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
    questions: Vec<Option<Sender<Question<G>>>>,
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
    /// A player with the searches that `begin` makes from a state, in each thread with a seed of its own.
    pub(crate) fn new<S>(
        game: G,
        role: RoleId,
        resources: Resources,
        seed: u64,
        begin: impl Fn(G, G::State, u64) -> S + Clone + Send + 'static,
    ) -> Searcher<G>
    where
        S: Search<Game = G> + 'static,
    {
        let (done, is_done) = channel();
        let whiteboard = Whiteboard::new(resources.n_threads);
        let mut questions = Vec::new();
        for number in 0..resources.n_threads {
            let (ask, asked) = channel();
            let seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(number as u64));
            let begin = begin.clone();
            let thinker = Thinker {
                number,
                role,
                begin: move |game, state| begin(game, state, seed),
                game: game.clone(),
                asked,
                done: done.clone(),
                whiteboard: whiteboard.clone(),
                ponders: resources.ponders,
            };
            let done = done.clone();
            let thread = std::thread::Builder::new().name("thinking".to_owned()).spawn(move || {
                // A search that fails has no more answers; whoever waits for one takes what is there.
                let outcome = catch_unwind(AssertUnwindSafe(|| thinker.run()));
                // Nobody is asked here any more when the last word is said.
                drop((outcome, thinker));
                let _ = done.send(Done { thread: number, question: None });
            });
            questions.push(thread.is_ok().then_some(ask));
        }
        Searcher {
            follower: Follower::new(game, role, seed),
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
    fn ask(&mut self, clock: Clock, start: Instant, stop: &Stop) -> Option<Thoughts> {
        let clock = at_most_a_day(clock);
        let n_threads = self.questions.len() as u64;
        let limits = match clock {
            Clock::Plays(n_plays) => {
                let n_plays = (n_plays as f64 * self.resources.time) as u64;
                let limits = SearchLimits::plays(n_plays.div_ceil(n_threads.max(1)));
                SearchLimits { deadline: limits.deadline.unless(stop), ..limits }
            }
            Clock::Time(time) => {
                let usable = time.saturating_sub(margin(time));
                let part = usable.as_secs_f64() * self.resources.time;
                let usable = Duration::try_from_secs_f64(part).unwrap_or(usable);
                let deadline = Deadline::after(usable.saturating_sub(start.elapsed()));
                SearchLimits::time(deadline.unless(stop))
            }
        };
        let number = self.tell(&limits);
        let mut is_waiting: Vec<bool> = self.questions.iter().map(Option::is_some).collect();
        while is_waiting.contains(&true) {
            match self.next_done(clock, start, stop) {
                // Answers to questions before may still be on the way.
                Some(Done { question: Some(question), .. }) if question != number => {}
                Some(Done { thread, .. }) => is_waiting[thread] = false,
                None => break,
            }
        }
        let answers = self.whiteboard.answers(number);
        let mut thoughts = match self.follower.is_hidden() {
            true => in_all_worlds(&answers.into_iter().map(|one| (one, 1.0)).collect::<Vec<_>>()),
            false => merge(answers),
        };
        thoughts.iter_mut().for_each(|thoughts| thoughts.time = start.elapsed());
        thoughts
    }

    /// Waits until a thread has answered. `None` if none does in time, or somebody wishes that it stops.
    fn next_done(&self, clock: Clock, start: Instant, stop: &Stop) -> Option<Done> {
        /// How soon a wish is noticed.
        const BETWEEN: Duration = Duration::from_millis(10);
        let Clock::Time(time) = clock else { return self.is_done.recv().ok() };
        // A search that does not end in time is not waited for: that takes a part of the margin.
        let end = time.saturating_sub(margin(time) * 3 / 4);
        let mut is_wished = false;
        loop {
            let left = end.saturating_sub(start.elapsed());
            match self.is_done.recv_timeout(left.min(BETWEEN)) {
                Ok(done) => return Some(done),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) if is_wished || left.is_zero() => return None,
                // Threads notice as well, and say a last word.
                Err(RecvTimeoutError::Timeout) => is_wished = stop.is_wished(),
            }
        }
    }

    /// What there is to think about.
    fn about(&mut self) -> About<G> {
        /// With more, each thread would know too little of each.
        const MAX_WORLDS: usize = 8;
        match self.follower.is_hidden() {
            true => {
                let worlds = self.follower.some_worlds(MAX_WORLDS);
                About::Worlds(self.follower.game().clone(), worlds)
            }
            false => About::After(std::mem::take(&mut self.joint_moves)),
        }
    }

    /// Tells all threads what has happened, and how long to think about it. Returns the number of the
    /// question.
    fn tell(&mut self, limits: &SearchLimits) -> u64 {
        self.n_questions += 1;
        let number = self.n_questions;
        let mut about = self.about();
        for place in 0..self.questions.len() {
            // Each thread thinks of other states.
            if place > 0 && self.follower.is_hidden() {
                about = self.about();
            }
            let question = Question { number, about: about.clone(), limits: limits.clone() };
            // Who does not listen any more does not answer either.
            self.questions[place].take_if(|questions| questions.send(question).is_err());
        }
        number
    }

    /// Goes on to what is possible after what is told.
    fn follow(&mut self, told: &[Told], clock: Clock, stop: &Stop) {
        let deadline = match at_most_a_day(clock) {
            // Most of the time is for thinking.
            Clock::Time(time) => Deadline::after(time / 4),
            Clock::Plays(_) => Deadline::NEVER,
        };
        let made = self.follower.follow(told, &deadline.unless(stop));
        self.joint_moves.extend(made);
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

impl<G> Agent for Searcher<G>
where
    G: Game + Clone + Send + 'static,
    G::State: Send,
{
    fn start(&mut self, clock: Clock, stop: &Stop) -> Result<(), Fault> {
        self.ask(clock, Instant::now(), stop);
        Ok(())
    }

    fn choose(&mut self, told: &[Told], clock: Clock, stop: &Stop) -> Result<Choice, Fault> {
        let start = Instant::now();
        self.follow(told, clock, stop);
        let legal = self.follower.legal();
        if let [only] = legal.as_slice() {
            if self.resources.ponders && !self.follower.is_hidden() {
                self.tell(&SearchLimits::plays(0));
            }
            return Ok(Choice { text: only.clone(), thoughts: None });
        }
        let thoughts = self.ask(clock, start, stop);
        let thought = thoughts.as_ref().and_then(|thoughts| self.pick(thoughts));
        let text = thought.filter(|text| legal.contains(text));
        let text = text.or_else(|| legal.choose(&mut self.rng).cloned()).ok_or(Fault::NoMove)?;
        Ok(Choice { text, thoughts })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rules;

    /// Two choose at the same time.
    const RULES: &str = "(role x) (role y) (init (step 1)) (succ 1 2) (succ 2 3) (succ 3 4)
        (legal x a) (legal x b) (legal y a) (legal y b)
        (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
        (<= (next (won x)) (does x ?m) (does y ?m))
        (<= terminal (true (step 4)))
        (<= (goal x 100) (true (won x))) (<= (goal x 0) (not (true (won x))))
        (<= (goal y 0) (true (won x))) (<= (goal y 100) (not (true (won x))))";

    fn ready(rules: &str) -> Rules {
        let program = program::check(&gdl::parse_kif(rules)).program.expect("no errors");
        Rules::grounded(&program, Deadline::NEVER).expect("it is small")
    }

    #[test]
    fn a_joint_move_that_cannot_be_made_does_not_end_the_search() {
        let rules = ready(RULES);
        let role = RoleId::first(2).next().expect("there are two");
        for player in ["uct", "mac-ucb:threads=2", "cfr"] {
            let spec = player.parse().expect("there is such a player");
            let mut agent = rules.agent(&spec, role, 1);
            let mut choose = |moves: &[&str]| {
                let texts = moves.iter().map(|text| (*text).to_owned()).collect();
                agent.choose(&[Told::JointMove(texts)], Clock::Plays(100), &Stop::new())
            };
            for moves in [&["a", "fly"][..], &["a"], &["a", "b", "a"], &[], &["a", "b"]] {
                let choice = choose(moves).expect("there are legal moves");
                assert!(choice.thoughts.is_some(), "{player}: {moves:?}");
            }
        }
    }

    /// A coin is thrown. To guess heads decides at once; to wait and go on wins anyway, but later.
    const COIN: &str = "(role random) (role x) (init (step 1)) (succ 1 2) (succ 2 3) (succ 3 4)
        (<= (legal random (throw heads)) (true (step 1))) (<= (legal random (throw tails)) (true (step 1)))
        (<= (legal random rest) (not (true (step 1))))
        (<= (legal x rest) (not (true (step 2))))
        (<= (legal x guess) (true (step 2))) (<= (legal x wait) (true (step 2)))
        (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
        (<= (next (coin ?c)) (does random (throw ?c))) (<= (next (coin ?c)) (true (coin ?c)))
        (<= (next guessed) (does x guess)) (<= (next guessed) (true guessed))
        (<= terminal (true guessed)) (<= terminal (true (step 4)))
        (<= won (true guessed) (true (coin heads))) (<= won (not (true guessed)))
        (<= (goal x 100) won) (<= (goal x 0) (not won)) (goal random 0)
        (sees x nothing)";

    #[test]
    fn what_wins_at_once_in_one_state_is_not_all_that_is_looked_at() {
        let rules = ready(COIN);
        let role = RoleId::first(2).last().expect("there are two");
        for player in ["uct", "mac-ucb", "grave", "cfr"] {
            let spec = player.parse().expect("there is such a player");
            for seed in 0..5 {
                let mut agent = rules.agent(&spec, role, seed);
                let rest = Told::Seen {
                    own_move: Some("rest".to_owned()),
                    percepts: vec!["nothing".to_owned()],
                };
                let clock = Clock::Plays(400);
                let choice = agent.choose(&[rest], clock, &Stop::new()).expect("it has moves");
                let thoughts = choice.thoughts.expect("it has thought");
                let worth = |text: &str| {
                    let found = thoughts.moves.iter().find(|one| one.text == text);
                    found.expect("it is a move").value
                };
                assert_eq!(choice.text, "wait", "{player}: {thoughts:?}");
                assert_eq!((worth("wait"), worth("guess")), (100.0, 50.0), "{player}");
            }
        }
    }
}
