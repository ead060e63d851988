//! The referee.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use base::{Id as _, Rng, RoleId, Stop, seeded_rng};
use game::{Game, Unplayable, joint_move_of, legal_of_all, percept_texts};
use player::{Agent, Choice, Clock, Fault, Rules, Thoughts, Told, WithGame};
use rand::RngExt as _;
use rand::seq::IndexedRandom as _;

use crate::pulse::Pulse;
use crate::record::{Record, state_text};

/// How a match is played.
#[derive(Clone, PartialEq, Debug)]
pub struct MatchSettings {
    /// The name of the match.
    pub match_id: String,
    /// Where the rules are found, for the record.
    pub game: String,
    /// How long players may think before the match.
    pub start_clock: Clock,
    /// How long they may think about a move.
    pub play_clock: Clock,
    /// Where chance begins: that of the role `random`, and moves in the place of those that are late or not
    /// legal.
    pub seed: u64,
    /// A match that is longer is broken off.
    pub max_steps: usize,
    /// Whether players are told other names than those of the rules, for the record.
    pub is_scrambled: bool,
    /// Whoever wishes it breaks the match off.
    pub stop: Stop,
}

/// Why a match was broken off.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BrokenOff {
    /// The rules do not allow it to go on.
    Unplayable(Unplayable),
    /// Somebody wished it.
    Stopped,
}

impl From<Unplayable> for BrokenOff {
    fn from(problem: Unplayable) -> BrokenOff {
        BrokenOff::Unplayable(problem)
    }
}

impl std::fmt::Display for BrokenOff {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            BrokenOff::Unplayable(problem) => problem.fmt(f),
            BrokenOff::Stopped => f.write_str("somebody stopped it"),
        }
    }
}

/// Lets agents play a match: one for each role, none for chance, with their names. `watch` is told of every
/// state.
///
/// A move that is late or not legal is replaced by one that chance picks, and the match goes on, as others in
/// the field do it. Time in which the whole machine stood still is on nobody's clock. If it is broken off, the reason comes
/// with the record.
pub fn play_match(
    rules: &Rules,
    agents: &mut [Option<Box<dyn Agent>>],
    names: &[String],
    settings: &MatchSettings,
    watch: &mut dyn FnMut(Moment<'_>),
) -> (Record, Option<BrokenOff>) {
    rules.with_game(Referee { rules, agents, names, settings, watch })
}

/// A moment of a match, for those who watch it.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'a> {
    /// The fluents that hold now.
    pub state: &'a [String],
    /// The moves that led here, by role; none at the beginning.
    pub joint_move: Option<&'a [String]>,
    /// What players thought before these moves, by role.
    pub thoughts: &'a [Option<Thoughts>],
    /// The match so far.
    pub record: &'a Record,
}

struct Referee<'a> {
    rules: &'a Rules,
    agents: &'a mut [Option<Box<dyn Agent>>],
    names: &'a [String],
    settings: &'a MatchSettings,
    watch: &'a mut dyn FnMut(Moment<'_>),
}

/// What an agent answered.
struct Answer {
    choice: Result<Choice, Fault>,
    /// An answer that comes so much too late is in time.
    grace: Duration,
    /// How long that took, without the time in which the machine stood still.
    time: Duration,
    /// How long that was.
    halted: Duration,
}

/// By role: what has happened since it was asked last, as far as it is told.
type News = Vec<Vec<Told>>;

impl WithGame for Referee<'_> {
    type Out = (Record, Option<BrokenOff>);

    fn visit<G: Game>(self, game: G) -> (Record, Option<BrokenOff>) {
        let settings = self.settings;
        let mut record = Record {
            match_id: settings.match_id.clone(),
            game_meta_url: settings.game.clone(),
            start_time: self.now(),
            start_clock: seconds(settings.start_clock),
            play_clock: seconds(settings.play_clock),
            player_names_from_host: self.names.to_vec(),
            scrambled: settings.is_scrambled,
            gdl_version: if self.rules.has_percepts() { 2 } else { 1 },
            seed: settings.seed,
            ..Record::default()
        };
        record.random_token = token(&settings.match_id, record.start_time);
        let problem = self.play(game, &mut record).err();
        record.is_aborted = problem.is_some();
        record.is_completed = problem.is_none();
        if record.errors.iter().flatten().all(String::is_empty) {
            record.errors.clear();
        }
        if record.halt_millis.iter().all(|millis| *millis == 0) {
            record.halt_millis.clear();
        }
        (record, problem)
    }
}

impl Referee<'_> {
    /// Plays the match, and keeps a record of it as far as it goes.
    fn play<G: Game>(mut self, mut game: G, record: &mut Record) -> Result<(), BrokenOff> {
        let mut rng = seeded_rng(self.settings.seed);
        let pulse = self.is_timed().then(Pulse::start);
        record.errors.push(start_all(self.agents, self.settings));
        let mut state = game.initial();
        let mut news: News = vec![Vec::new(); game.roles().len()];
        let outcome =
            self.play_on(&mut game, &mut state, &mut news, pulse.as_ref(), &mut rng, record);
        let clock = self.settings.play_clock;
        let is_over = outcome.is_ok();
        each_agent(self.agents, &news, |agent, told| match is_over {
            true => agent.finish(told, clock),
            false => agent.abort(),
        });
        outcome?;
        for role in RoleId::first(game.roles().len()) {
            record.goal_values.push(game.goal(&state, role)?.value());
        }
        Ok(())
    }

    /// Plays from state to state until the match is over.
    fn play_on<G: Game>(
        &mut self,
        game: &mut G,
        state: &mut G::State,
        news: &mut News,
        pulse: Option<&Pulse>,
        rng: &mut Rng,
        record: &mut Record,
    ) -> Result<(), BrokenOff> {
        let mut thoughts = vec![None; game.roles().len()];
        loop {
            let fluents = game.state_text(state);
            record.states.push(state_text(&fluents));
            record.state_times.push(self.now());
            let joint_move = record.moves.last().map(Vec::as_slice);
            let moment =
                Moment { state: &fluents, joint_move, thoughts: &thoughts, record: &*record };
            (self.watch)(moment);
            if game.is_terminal(state) {
                return Ok(());
            }
            if record.moves.len() == self.settings.max_steps {
                return Err(Unplayable::NoEnd { n_steps: self.settings.max_steps }.into());
            }
            let answers = ask_all(self.agents, news, self.settings, pulse);
            if self.settings.stop.is_wished() {
                return Err(BrokenOff::Stopped);
            }
            let texts = self.judge(game, state, &answers, rng, record)?;
            let made = joint_move_of(game, state, &texts).expect("they are legal");
            let percepts: Vec<Vec<String>> = RoleId::first(texts.len())
                .map(|role| percept_texts(game, state, &made, role))
                .collect();
            let told = |role: RoleId| self.rules.told(&texts, role, &percepts[role.index()]);
            *news = RoleId::first(texts.len()).map(|role| vec![told(role)]).collect();
            if self.rules.has_percepts() {
                record.percepts.push(percepts);
            }
            *state = game.next(state, &made);
            let thought = |answer: Option<Answer>| answer?.choice.ok()?.thoughts;
            thoughts = answers.into_iter().map(thought).collect();
        }
    }

    /// The moves that are made: those of the answers where they are legal and in time, otherwise any.
    fn judge<G: Game>(
        &self,
        game: &mut G,
        state: &G::State,
        answers: &[Option<Answer>],
        rng: &mut Rng,
        record: &mut Record,
    ) -> Result<Vec<String>, Unplayable> {
        let mut texts = Vec::new();
        let mut errors = Vec::new();
        let legal = legal_of_all(game, state)?;
        for (legal, answer) in legal.iter().zip(answers) {
            let legal: Vec<String> = legal.iter().map(|&id| game.move_text(id)).collect();
            let any = legal.choose(rng).expect("every role has a legal move").clone();
            let error = answer.as_ref().map(|answer| error_of(answer, &legal, self.settings));
            let error = error.unwrap_or_default();
            let said = answer.as_ref().and_then(|answer| answer.choice.as_ref().ok());
            texts.push(match said {
                Some(choice) if error.is_empty() => choice.text.clone(),
                _ => any,
            });
            errors.push(error);
        }
        if self.is_timed() {
            let millis = |answer: &Option<Answer>| {
                answer.as_ref().map_or(0, |answer| answer.time.as_millis() as u64)
            };
            record.think_millis.push(answers.iter().map(millis).collect());
            let halted = answers.iter().flatten().map(|answer| answer.halted).max();
            record.halt_millis.push(halted.map_or(0, |halted| halted.as_millis() as u64));
        }
        record.moves.push(texts.clone());
        record.errors.push(errors);
        Ok(texts)
    }

    fn is_timed(&self) -> bool {
        matches!(self.settings.play_clock, Clock::Time(_))
    }

    /// The time; none for matches that are the same every time.
    fn now(&self) -> u64 {
        if self.is_timed() { millis_since_1970() } else { 0 }
    }
}

/// What is wrong with an answer; nothing if it is in time and legal.
fn error_of(answer: &Answer, legal: &[String], settings: &MatchSettings) -> String {
    let is_late = match settings.play_clock {
        Clock::Time(clock) => answer.time > clock.saturating_add(answer.grace),
        Clock::Plays(_) => false,
    };
    match &answer.choice {
        Err(fault) => word_of(*fault),
        Ok(_) if is_late => word_of(Fault::Late),
        Ok(choice) if legal.contains(&choice.text) => String::new(),
        Ok(choice) => format!("IL {}", choice.text),
    }
}

/// As records of the field write what went wrong.
fn word_of(fault: Fault) -> String {
    match fault {
        Fault::Late => "TO",
        Fault::Lost => "CE",
        Fault::Unreadable | Fault::NoMove => "IL null",
    }
    .to_owned()
}

/// Does something with each agent and what it is told, with all at the same time. By role: what came of it, for those
/// that did not fail.
fn each_agent<T: Send>(
    agents: &mut [Option<Box<dyn Agent>>],
    news: &News,
    action: impl Fn(&mut dyn Agent, &[Told]) -> T + Sync,
) -> Vec<Option<Option<T>>> {
    let action = &action;
    std::thread::scope(|scope| {
        let threads: Vec<_> = agents
            .iter_mut()
            .zip(news)
            .map(|(agent, told)| {
                let agent = agent.as_mut()?;
                Some(scope.spawn(move || action(agent.as_mut(), told)))
            })
            .collect();
        threads.into_iter().map(|thread| Some(thread?.join().ok())).collect()
    })
}

/// Lets all get ready at the same time. By role: what went wrong.
fn start_all(agents: &mut [Option<Box<dyn Agent>>], settings: &MatchSettings) -> Vec<String> {
    let nothing = vec![Vec::new(); agents.len()];
    let started =
        each_agent(agents, &nothing, |agent, _| agent.start(settings.start_clock, &settings.stop));
    let word = |started: Option<Option<Result<(), Fault>>>| match started {
        None | Some(Some(Ok(()))) => String::new(),
        Some(Some(Err(fault))) => word_of(fault),
        // A player that fails to get ready may still move.
        Some(None) => word_of(Fault::Lost),
    };
    started.into_iter().map(word).collect()
}

/// Asks all at the same time.
fn ask_all(
    agents: &mut [Option<Box<dyn Agent>>],
    news: &News,
    settings: &MatchSettings,
    pulse: Option<&Pulse>,
) -> Vec<Option<Answer>> {
    let answers = each_agent(agents, news, |agent, told| {
        let (start, before) = (Instant::now(), pulse.map(Pulse::halts));
        let choice = agent.choose(told, settings.play_clock, &settings.stop);
        let time = start.elapsed();
        let halted = pulse.zip(before).map(|(pulse, before)| pulse.halted_since(&before));
        let halted = halted.unwrap_or_default();
        Answer { choice, grace: agent.grace(), time: time.saturating_sub(halted), halted }
    });
    // A player that fails has said nothing.
    let failed = || Answer {
        choice: Err(Fault::Lost),
        grace: Duration::ZERO,
        time: Duration::ZERO,
        halted: Duration::ZERO,
    };
    answers.into_iter().map(|answer| Some(answer?.unwrap_or_else(failed))).collect()
}

/// A word that tells this match from others.
fn token(match_id: &str, start_time: u64) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    // FNV-1a.
    let add = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    let mut rng = seeded_rng(match_id.bytes().fold(start_time, add));
    (0..32).map(|_| char::from(LETTERS[rng.random_range(0..LETTERS.len())])).collect()
}

fn seconds(clock: Clock) -> f64 {
    match clock {
        Clock::Time(time) => time.as_secs_f64(),
        Clock::Plays(_) => 0.0,
    }
}

fn millis_since_1970() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as u64)
}

#[cfg(test)]
mod tests {
    use base::Deadline;
    use player::PlayerSpec;

    use super::*;

    fn rules(name: &str) -> Rules {
        let rules = games::find(name).expect("it is embedded").rules;
        let program = program::check(&gdl::parse_kif(rules)).program.expect("no errors");
        Rules::new(&program, Deadline::NEVER).0
    }

    fn agents(rules: &Rules, specs: &[&str]) -> (Vec<Option<Box<dyn Agent>>>, Vec<String>) {
        let mut specs = specs.iter();
        let agent = |role| {
            if Some(role) == rules.random() {
                return (None, "random".to_owned());
            }
            let spec: PlayerSpec = specs.next().expect("one a role").parse().expect("it exists");
            let seed = role.index() as u64 + 1;
            (Some(rules.agent(&spec, role, seed)), spec.to_string())
        };
        RoleId::first(rules.roles().len()).map(agent).unzip()
    }

    fn settings(play_clock: Clock) -> MatchSettings {
        MatchSettings {
            match_id: "test".to_owned(),
            game: "test".to_owned(),
            start_clock: play_clock,
            play_clock,
            seed: 1,
            max_steps: 1_000,
            is_scrambled: false,
            stop: Stop::new(),
        }
    }

    fn played(name: &str, specs: &[&str], clock: Clock) -> Record {
        let rules = rules(name);
        let (mut agents, names) = agents(&rules, specs);
        let (record, problem) =
            play_match(&rules, &mut agents, &names, &settings(clock), &mut |_| {});
        assert_eq!(problem, None);
        record
    }

    #[test]
    fn matches_are_played_to_the_end() {
        for name in ["tic-tac-toe", "connect-four", "breakthrough"] {
            let record = played(name, &["random", "legal"], Clock::Plays(1));
            assert!(record.is_completed && record.errors.is_empty());
            assert_eq!(record.states.len(), record.moves.len() + 1);
            assert_eq!(record.goal_values.iter().map(|goal| u32::from(*goal)).sum::<u32>(), 100);
        }
        let record = played("matching-pennies", &["legal", "legal"], Clock::Plays(1));
        assert_eq!((record.moves.len(), record.goal_values.len()), (2, 3));
    }

    #[test]
    fn matches_without_a_clock_are_the_same_every_time() {
        let play = || {
            let record = played("connect-four", &["uct", "uct:c=1"], Clock::Plays(500));
            serde_json::to_string(&record).expect("records are JSON")
        };
        assert_eq!(play(), play());
    }

    /// A player that says what is no move, or nothing in time.
    struct Bad {
        delay: Duration,
    }

    impl Agent for Bad {
        fn start(&mut self, _: Clock, _: &Stop) -> Result<(), Fault> {
            Ok(())
        }

        fn choose(&mut self, _: &[Told], _: Clock, _: &Stop) -> Result<Choice, Fault> {
            std::thread::sleep(self.delay);
            Ok(Choice { text: "(mark 9 9)".to_owned(), thoughts: None })
        }
    }

    /// A player that fails.
    struct Failing;

    impl Agent for Failing {
        fn start(&mut self, _: Clock, _: &Stop) -> Result<(), Fault> {
            panic!("it fails at once")
        }

        fn choose(&mut self, _: &[Told], _: Clock, _: &Stop) -> Result<Choice, Fault> {
            panic!("it fails")
        }
    }

    /// A player that says nothing that can be read.
    struct Mumbling;

    impl Agent for Mumbling {
        fn start(&mut self, _: Clock, _: &Stop) -> Result<(), Fault> {
            Err(Fault::Late)
        }

        fn choose(&mut self, _: &[Told], _: Clock, _: &Stop) -> Result<Choice, Fault> {
            Err(Fault::Unreadable)
        }
    }

    #[test]
    fn bad_moves_are_replaced_and_told() {
        let rules = rules("tic-tac-toe");
        let bad: [(Box<dyn Agent>, Clock, [&str; 2]); 4] = [
            (Box::new(Bad { delay: Duration::ZERO }), Clock::Plays(1), ["", "IL (mark 9 9)"]),
            (
                Box::new(Bad { delay: Duration::from_millis(60) }),
                Clock::Time(Duration::from_millis(20)),
                ["", "TO"],
            ),
            (Box::new(Failing), Clock::Plays(1), ["CE", "CE"]),
            (Box::new(Mumbling), Clock::Plays(1), ["TO", "IL null"]),
        ];
        for (agent, clock, [at_start, error]) in bad {
            let (mut agents, names) = agents(&rules, &["random", "random"]);
            agents[0] = Some(agent);
            let (record, _) =
                play_match(&rules, &mut agents, &names, &settings(clock), &mut |_| {});
            assert!(record.is_completed);
            assert_eq!(record.errors.len(), record.states.len());
            assert_eq!(record.errors[0], [at_start, ""]);
            assert!(record.errors[1..].iter().all(|errors| errors[0] == error), "{record:?}");
            assert!(record.errors.iter().all(|errors| errors[1].is_empty()), "{record:?}");
        }
    }

    /// Whatever the clock is, and however busy the machine, moves are legal and the match goes on.
    #[test]
    fn moves_are_legal_under_any_clock() {
        for millis in [0, 1, 50] {
            let clock = Clock::Time(Duration::from_millis(millis));
            let record = played("tic-tac-toe", &["uct", "uct"], clock);
            assert!(record.is_completed);
            assert!(record.errors.iter().flatten().all(|error| !error.starts_with("IL")));
            assert_eq!(record.think_millis.len(), record.moves.len());
        }
    }

    #[test]
    fn a_match_without_an_end_is_broken_off() {
        let rules = "(role x) (init (s 1)) (legal x go) (<= (next (s 1)) (true (s 1)))
            (<= terminal (true (s 2))) (goal x 100) (<= (next (s 2)) (does x stop))";
        let program = program::check(&gdl::parse_kif(rules)).program.expect("no errors");
        let rules = Rules::new(&program, Deadline::NEVER).0;
        let (mut agents, names) = agents(&rules, &["legal"]);
        let settings = MatchSettings { max_steps: 5, ..settings(Clock::Plays(1)) };
        let (record, problem) = play_match(&rules, &mut agents, &names, &settings, &mut |_| {});
        assert_eq!(problem, Some(Unplayable::NoEnd { n_steps: 5 }.into()));
        assert!(record.is_aborted && !record.is_completed && record.moves.len() == 5);
    }
}
