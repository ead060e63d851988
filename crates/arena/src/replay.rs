//! A record compared with the rules.

use std::collections::BTreeSet;

use base::{Id as _, RoleId};
use game::Game;
use player::{Rules, WithGame};

use crate::record::Record;

/// What a record says beside what the rules say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// After how many joint moves.
    pub step: usize,
    /// What it is about: `state`, `moves`, `goals`, or `length`.
    pub what: &'static str,
    /// What the record says.
    pub recorded: String,
    /// What the rules say.
    pub rules: String,
}

/// Compares every state, move and goal of a record with the rules: states as sets, and without regard to
/// upper and lower case, which some write and others do not. The number of steps that agree, and the first
/// difference.
///
/// ```
/// use arena::{Record, replay};
///
/// let rules = "(role x) (init (lamp off)) (legal x press) (<= (next (lamp on)) (does x press))
///              (<= terminal (true (lamp on))) (goal x 100)";
/// let program = program::check(&gdl::parse_kif(rules)).program.expect("no errors");
/// let (rules, _) = player::Rules::new(&program, base::Deadline::NEVER);
/// let record = Record {
///     states: vec!["( ( lamp off ) )".to_owned(), "((LAMP ON))".to_owned()],
///     moves: vec![vec!["press".to_owned()]],
///     goal_values: vec![100],
///     is_completed: true,
///     ..Record::default()
/// };
/// assert_eq!(replay(&rules, &record), (1, None));
/// ```
pub fn replay(rules: &Rules, record: &Record) -> (usize, Option<Difference>) {
    rules.with_game(Replay { record })
}

struct Replay<'a> {
    record: &'a Record,
}

impl WithGame for Replay<'_> {
    type Out = (usize, Option<Difference>);

    fn visit<G: Game>(self, mut game: G) -> (usize, Option<Difference>) {
        let record = self.record;
        if record.states.len() != record.moves.len() + 1 {
            let recorded =
                format!("{} states, {} joint moves", record.states.len(), record.moves.len());
            return (0, difference(0, "length", &recorded, "one state more than joint moves"));
        }
        let mut state = game.initial();
        for step in 0..record.states.len() {
            let expected: BTreeSet<String> =
                game.state_text(&state).iter().map(|text| plain(text)).collect();
            let recorded = &record.states[step];
            if fluents(recorded) != expected {
                let rules = expected.into_iter().collect::<Vec<_>>().join(" ");
                return (step, difference(step, "state", recorded, &rules));
            }
            let is_terminal = game.is_terminal(&state);
            let Some(moves) = record.moves.get(step) else {
                let is_cut = record.is_completed && !is_terminal;
                let length = difference(step, "length", "it ends", "it goes on");
                return (
                    step,
                    if is_cut { length } else { goals(&mut game, &state, record, step) },
                );
            };
            if is_terminal {
                return (step, difference(step, "length", "it goes on", "it ends"));
            }
            match joint_move(&mut game, &state, moves) {
                Ok(made) => state = game.next(&state, &made),
                Err(legal) => {
                    return (step, difference(step, "moves", &moves.join(", "), &legal));
                }
            }
        }
        (record.moves.len(), None)
    }
}

fn difference(step: usize, what: &'static str, recorded: &str, rules: &str) -> Option<Difference> {
    Some(Difference { step, what, recorded: recorded.to_owned(), rules: rules.to_owned() })
}

/// The joint move that was recorded; otherwise what is legal, in words.
fn joint_move<G: Game>(
    game: &mut G,
    state: &G::State,
    recorded: &[String],
) -> Result<Vec<game::MoveId>, String> {
    let mut made = Vec::new();
    for role in RoleId::first(game.roles().len()) {
        let mut legal = Vec::new();
        game.legal_moves(state, role, &mut legal);
        let text = recorded.get(role.index()).map_or(String::new(), |text| plain(text));
        match legal.iter().find(|&&id| plain(&game.move_text(id)) == text) {
            Some(&id) => made.push(id),
            None => {
                let legal: Vec<String> = legal.iter().map(|&id| game.move_text(id)).collect();
                let role = &game.roles()[role.index()];
                return Err(format!("{role} can {}", legal.join(", ")));
            }
        }
    }
    Ok(made)
}

/// Whether the goals of a record that is complete are those of the rules.
fn goals<G: Game>(
    game: &mut G,
    state: &G::State,
    record: &Record,
    step: usize,
) -> Option<Difference> {
    if !record.is_completed {
        return None;
    }
    let roles = RoleId::first(game.roles().len());
    let goals: Vec<String> = roles
        .map(|role| match game.goal(state, role) {
            Ok(goal) => goal.value().to_string(),
            Err(problem) => problem.to_string(),
        })
        .collect();
    let recorded: Vec<String> = record.goal_values.iter().map(ToString::to_string).collect();
    match recorded == goals {
        true => None,
        false => difference(step, "goals", &recorded.join(", "), &goals.join(", ")),
    }
}

/// A term in small letters, with single spaces between words and none beside parentheses.
fn plain(term: &str) -> String {
    let term = term.to_lowercase().replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = term.split_whitespace().collect();
    words.join(" ").replace("( ", "(").replace(" )", ")")
}

/// The fluents of a recorded state, which is a list of them.
fn fluents(state: &str) -> BTreeSet<String> {
    let state = plain(state);
    let inside = state.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(&state);
    let mut fluents = BTreeSet::new();
    let (mut depth, mut fluent) = (0_usize, String::new());
    for sign in inside.chars().chain([' ']) {
        match sign {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ' ' if depth == 0 => {
                if !fluent.is_empty() {
                    fluents.insert(std::mem::take(&mut fluent));
                }
                continue;
            }
            _ => {}
        }
        fluent.push(sign);
    }
    fluents
}

#[cfg(test)]
mod tests {
    use base::Deadline;
    use player::{Clock, PlayerSpec};

    use super::*;
    use crate::{MatchSettings, play_match};

    fn rules() -> Rules {
        let rules = games::find("tic-tac-toe").expect("it is embedded").rules;
        let program = program::check(&gdl::parse_kif(rules)).program.expect("no errors");
        Rules::new(&program, Deadline::NEVER).0
    }

    fn record(rules: &Rules) -> Record {
        let spec: PlayerSpec = "random".parse().expect("there is such a player");
        let mut agents: Vec<_> =
            RoleId::first(2).map(|role| Some(rules.agent(&spec, role, 7))).collect();
        let names = ["random", "random"].map(str::to_owned);
        let settings = MatchSettings {
            match_id: "m".to_owned(),
            game: "tic-tac-toe".to_owned(),
            start_clock: Clock::Plays(1),
            play_clock: Clock::Plays(1),
            seed: 3,
            max_steps: 100,
            is_scrambled: false,
            stop: base::Stop::new(),
        };
        play_match(rules, &mut agents, &names, &settings, &mut |_| {}).0
    }

    #[test]
    fn our_own_records_agree_with_the_rules() {
        let rules = rules();
        let record = record(&rules);
        assert_eq!(replay(&rules, &record), (record.moves.len(), None));
        // The order of fluents and capital letters do not matter.
        let mut other = record.clone();
        for state in &mut other.states {
            let mut fluents: Vec<String> = fluents(state).into_iter().collect();
            fluents.reverse();
            *state = format!("({})", fluents.join(" ")).to_uppercase();
        }
        assert_eq!(replay(&rules, &other), (record.moves.len(), None));
    }

    #[test]
    fn the_first_difference_is_told() {
        let rules = rules();
        let record = record(&rules);
        let told = |change: &dyn Fn(&mut Record)| {
            let mut record = record.clone();
            change(&mut record);
            let difference = replay(&rules, &record).1.expect("it differs");
            (difference.step, difference.what)
        };
        let n_moves = record.moves.len();
        assert_eq!(told(&|r| r.states[2] = "( )".to_owned()), (2, "state"));
        assert_eq!(told(&|r| r.moves[1][1] = "( mark 9 9 )".to_owned()), (1, "moves"));
        assert_eq!(told(&|r| r.moves[0].truncate(1)), (0, "moves"));
        assert_eq!(told(&|r| r.goal_values[0] = 7), (n_moves, "goals"));
        assert_eq!(told(&|r| r.moves.push(r.moves[0].clone())), (0, "length"));
        let longer = |r: &mut Record| {
            r.moves.push(r.moves[0].clone());
            r.states.push(r.states[0].clone());
        };
        assert_eq!(told(&longer), (n_moves, "length"));
        let cut = |r: &mut Record| {
            r.moves.truncate(3);
            r.states.truncate(4);
        };
        assert_eq!(told(&cut), (3, "length"));
        let mut aborted = record.clone();
        cut(&mut aborted);
        aborted.is_completed = false;
        assert_eq!(replay(&rules, &aborted), (3, None));
    }
}
