//! The referee.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use base::{Rng, RoleId, seeded_rng};
use game::{Game, Unplayable, joint_move_of, legal_of_all, percept_texts};
use player::{Agent, Choice, Clock, Rules, Thoughts, Turn, WithGame};
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
}

/// An answer that comes so much later is still in time: the time that it takes to say it.
const GRACE: Duration = Duration::from_millis(5);

/// Lets agents play a match: one for each role, none for chance, with their names. `watch` is told of every
/// state.
///
/// A move that is late or not legal is replaced by one that chance picks, and the match goes on, as others in
/// the field do it. Time in which the whole machine stood still is on nobody's clock. If the rules do not allow it to go on, it is broken off, and the reason comes with the
/// record.
pub fn play_match(
    rules: &Rules,
    agents: &mut [Option<Box<dyn Agent>>],
    names: &[String],
    settings: &MatchSettings,
    watch: &mut dyn FnMut(Moment<'_>),
) -> (Record, Option<Unplayable>) {
    rules.with_game(Referee { agents, names, settings, watch })
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
}

struct Referee<'a> {
    agents: &'a mut [Option<Box<dyn Agent>>],
    names: &'a [String],
    settings: &'a MatchSettings,
    watch: &'a mut dyn FnMut(Moment<'_>),
}

/// What an agent answered.
struct Answer {
    choice: Choice,
    /// How long that took, without the time in which the machine stood still.
    time: Duration,
    /// How long that was.
    halted: Duration,
}

/// What has happened since players were asked last, by role as far as they see it.
#[derive(Default)]
struct News {
    joint_moves: Vec<Vec<String>>,
    percepts: Vec<Vec<Vec<String>>>,
}

impl WithGame for Referee<'_> {
    type Out = (Record, Option<Unplayable>);

    fn visit<G: Game>(self, game: G) -> (Record, Option<Unplayable>) {
        let settings = self.settings;
        let mut record = Record {
            match_id: settings.match_id.clone(),
            game_meta_url: settings.game.clone(),
            start_time: self.now(),
            start_clock: seconds(settings.start_clock),
            play_clock: seconds(settings.play_clock),
            player_names_from_host: self.names.to_vec(),
            seed: settings.seed,
            ..Record::default()
        };
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
    fn play<G: Game>(self, mut game: G, record: &mut Record) -> Result<(), Unplayable> {
        let mut rng = seeded_rng(self.settings.seed);
        let n_roles = game.roles().len();
        let pulse = self.is_timed().then(Pulse::start);
        start_all(self.agents, self.settings.start_clock);
        let mut state = game.initial();
        record.errors.push(vec![String::new(); n_roles]);
        let mut news = News::default();
        let mut thoughts = vec![None; n_roles];
        loop {
            let fluents = game.state_text(&state);
            let joint_move = record.moves.last().map(Vec::as_slice);
            (self.watch)(Moment { state: &fluents, joint_move, thoughts: &thoughts });
            record.states.push(state_text(&fluents));
            record.state_times.push(self.now());
            if game.is_terminal(&state) {
                break;
            }
            if record.moves.len() == self.settings.max_steps {
                return Err(Unplayable::NoEnd { n_steps: self.settings.max_steps });
            }
            let answers = ask_all(self.agents, &news, self.settings.play_clock, pulse.as_ref());
            let texts = self.judge(&mut game, &state, &answers, &mut rng, record)?;
            let made = joint_move_of(&mut game, &state, &texts).expect("they are legal");
            let percepts = RoleId::first(n_roles)
                .map(|role| vec![percept_texts(&mut game, &state, &made, role)]);
            news = News { joint_moves: vec![texts], percepts: percepts.collect() };
            state = game.next(&state, &made);
            thoughts = answers.into_iter().map(|answer| answer?.choice.thoughts).collect();
        }
        for role in RoleId::first(n_roles) {
            record.goal_values.push(game.goal(&state, role)?.value());
        }
        Ok(())
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
            texts.push(match answer {
                Some(answer) if error.is_empty() => answer.choice.text.clone(),
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
    let Answer { choice, time, .. } = answer;
    let is_late = match settings.play_clock {
        Clock::Time(clock) => *time > clock.saturating_add(GRACE),
        Clock::Plays(_) => false,
    };
    match (is_late, legal.contains(&choice.text)) {
        (true, _) => "TO".to_owned(),
        (false, false) => format!("IL {}", choice.text),
        (false, true) => String::new(),
    }
}

/// Lets all get ready at the same time.
fn start_all(agents: &mut [Option<Box<dyn Agent>>], clock: Clock) {
    std::thread::scope(|scope| {
        let mut waiting = Vec::new();
        for agent in agents.iter_mut().flatten() {
            let ready = scope.spawn(move || agent.start(clock));
            waiting.push(ready);
        }
        // A player that fails to get ready may still move.
        waiting.into_iter().for_each(|ready| drop(ready.join()));
    });
}

/// Asks all at the same time.
fn ask_all(
    agents: &mut [Option<Box<dyn Agent>>],
    news: &News,
    clock: Clock,
    pulse: Option<&Pulse>,
) -> Vec<Option<Answer>> {
    std::thread::scope(|scope| {
        let asked: Vec<_> = agents
            .iter_mut()
            .enumerate()
            .map(|(role, agent)| {
                let agent = agent.as_mut()?;
                let percepts = news.percepts.get(role).map_or(&[][..], Vec::as_slice);
                let turn = Turn { joint_moves: &news.joint_moves, percepts };
                Some(scope.spawn(move || {
                    let (start, before) = (Instant::now(), pulse.map(Pulse::halts));
                    let choice = agent.choose(turn, clock);
                    let time = start.elapsed();
                    let halted =
                        pulse.zip(before).map(|(pulse, before)| pulse.halted_since(&before));
                    let halted = halted.unwrap_or_default();
                    Answer { choice, time: time.saturating_sub(halted), halted }
                }))
            })
            .collect();
        let answer = |asked: Option<std::thread::ScopedJoinHandle<'_, Answer>>| {
            // A player that fails has said nothing that is legal.
            let choice = Choice { text: String::new(), thoughts: None };
            let nothing = Answer { choice, time: Duration::ZERO, halted: Duration::ZERO };
            asked.map(|thread| thread.join().unwrap_or(nothing))
        };
        asked.into_iter().map(answer).collect()
    })
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
    use base::{Deadline, Id as _};
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
        fn start(&mut self, _: Clock) {}

        fn choose(&mut self, _: Turn<'_>, _: Clock) -> Choice {
            std::thread::sleep(self.delay);
            Choice { text: "(mark 9 9)".to_owned(), thoughts: None }
        }
    }

    /// A player that fails.
    struct Failing;

    impl Agent for Failing {
        fn start(&mut self, _: Clock) {
            panic!("it fails at once")
        }

        fn choose(&mut self, _: Turn<'_>, _: Clock) -> Choice {
            panic!("it fails")
        }
    }

    #[test]
    fn bad_moves_are_replaced_and_told() {
        let rules = rules("tic-tac-toe");
        let bad: [(Box<dyn Agent>, Clock, &str); 3] = [
            (Box::new(Bad { delay: Duration::ZERO }), Clock::Plays(1), "IL (mark 9 9)"),
            (
                Box::new(Bad { delay: Duration::from_millis(60) }),
                Clock::Time(Duration::from_millis(20)),
                "TO",
            ),
            (Box::new(Failing), Clock::Plays(1), "IL "),
        ];
        for (agent, clock, error) in bad {
            let (mut agents, names) = agents(&rules, &["random", "random"]);
            agents[0] = Some(agent);
            let (record, _) =
                play_match(&rules, &mut agents, &names, &settings(clock), &mut |_| {});
            assert!(record.is_completed);
            assert_eq!(record.errors.len(), record.states.len());
            assert_eq!(record.errors[0], ["", ""]);
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
        assert_eq!(problem, Some(Unplayable::NoEnd { n_steps: 5 }));
        assert!(record.is_aborted && !record.is_completed && record.moves.len() == 5);
    }
}
