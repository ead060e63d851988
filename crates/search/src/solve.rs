//! The value of a game by branch and bound.
//!
//! What is found raises the threshold for what comes after, as θ does in the networks of the papers: a
//! situation is left as soon as it cannot reach the threshold, or cannot be kept from passing the other
//! one (alpha-beta; for the mean over chance as in Ballard's Star1). What is known of a situation is kept
//! and used again: bounds, or its value.

use base::{Deadline, Id as _, RoleId, with_stack_for};
use encode::Information;
use game::{Game, MoveId};
use rustc_hash::FxHashMap;
use scsp::{Choice, Concept, Interval, Mean, Operator};

use crate::beliefs::Believed;
use crate::situation::{FullyKnown, Outcome, Question, Situations, Unsolvable};

/// What a search may take.
#[derive(Clone, Debug)]
pub struct Limits {
    /// When to stop.
    pub deadline: Deadline,
    /// How many states may be kept.
    pub max_states: usize,
}

/// What a play without an end is worth to one who is alone: nothing. What is then kept of the states on the way
/// back may be too low, but never what the initial state is worth, as everything is tried from there.
const ENDLESS: f64 = 0.0;

/// Between which bounds every value lies.
const WHOLE: Interval = Interval { low: 0.0, high: 100.0 };

/// What was found out about a game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Solved {
    /// The value for the role, or what is proved of it.
    pub value: Interval,
    /// The move with which the role reaches the lower bound.
    pub best: Option<MoveId>,
    /// The joint moves that were looked at.
    pub n_nodes: u64,
}

/// The value of a game from its initial state on, from 0 to 100.
///
/// With time and memory enough it is exact. Otherwise the bounds say what is proved.
///
/// ```
/// use search::{Concept, Information, Limits, Question, solve};
///
/// let rules = games::find("tic-tac-toe").unwrap().rules;
/// let program = program::check(&gdl::parse_kif(rules)).program.expect("no errors");
/// let limits = ground::Limits { deadline: base::Deadline::NEVER, max_literals: 1_000_000 };
/// let mut game = machine::OneState::new(ground::ground(&program, &limits).expect("it is small"));
/// let limits = Limits { deadline: base::Deadline::NEVER, max_states: 1_000_000 };
/// let role = base::RoleId::first(2).next().unwrap();
/// let question = Question { role, concept: Concept::MAXIMIN, information: Information::Full };
/// let solved = solve(&mut game, question, &limits)?;
/// assert!(solved.value.is_exact());
/// assert_eq!(solved.value.low, 50.0);
/// # Ok::<(), search::Unsolvable>(())
/// ```
pub fn solve<G: Game + Send>(
    game: &mut G,
    question: Question,
    limits: &Limits,
) -> Result<Solved, Unsolvable>
where
    G::State: Send,
{
    let Question { role, concept, information } = question;
    match information {
        Information::Full => {
            let is_alone = game.roles().len() == 1 && concept.own == Operator::Max;
            solve_situations(FullyKnown { game, role }, role, concept, is_alone, limits)
        }
        Information::Percepts => {
            solve_situations(Believed { game, role }, role, concept, false, limits)
        }
    }
}

fn solve_situations<S: Situations + Send>(
    game: S,
    role: RoleId,
    concept: Concept,
    is_alone: bool,
    limits: &Limits,
) -> Result<Solved, Unsolvable>
where
    S::Situation: Send,
{
    /// Plays that are longer are not followed.
    const MAX_DEPTH: usize = 100_000;
    let mut search = Search {
        game,
        role,
        concept,
        is_alone,
        limits: limits.clone(),
        known: FxHashMap::default(),
        n_states: 0,
        n_nodes: 0,
        is_stopped: false,
        depth_left: MAX_DEPTH,
    };
    let nothing = Solved { value: WHOLE, best: None, n_nodes: 0 };
    with_stack_for(MAX_DEPTH, move || search.root()).unwrap_or(Ok(nothing))
}

struct Search<S: Situations> {
    game: S,
    role: RoleId,
    concept: Concept,
    /// Whether there is only one role, which wants the most.
    is_alone: bool,
    limits: Limits,
    known: FxHashMap<S::Situation, Known>,
    /// How many states the situations that are known hold.
    n_states: usize,
    n_nodes: u64,
    is_stopped: bool,
    depth_left: usize,
}

/// What is known of a situation.
#[derive(Clone, Copy)]
struct Known {
    value: Interval,
    /// Whether it is being looked at.
    is_open: bool,
}

impl<S: Situations> Search<S> {
    fn root(&mut self) -> Result<Solved, Unsolvable> {
        let (value, best) = match self.game.initial()? {
            Outcome::End(value) => (Interval::exactly(value), None),
            Outcome::Situation(initial) => self.of_all_own_moves(&initial, WHOLE)?,
        };
        Ok(Solved { value, best, n_nodes: self.n_nodes })
    }

    /// The value of a situation, as far as it matters for `window`.
    fn value(
        &mut self,
        situation: &S::Situation,
        window: Interval,
    ) -> Result<Interval, Unsolvable> {
        self.is_stopped |= self.n_states >= self.limits.max_states || self.depth_left == 0;
        let known = match self.known.get_mut(situation) {
            Some(known) => {
                if known.is_open && self.is_alone {
                    return Ok(Interval::exactly(ENDLESS));
                }
                // A play that comes back to where it was says nothing new.
                if known.value.is_enough(window) || known.is_open || self.is_stopped {
                    return Ok(known.value);
                }
                known.is_open = true;
                known.value
            }
            None if self.is_stopped => return Ok(WHOLE),
            None => {
                self.n_states += S::n_states(situation);
                self.known.insert(situation.clone(), Known { value: WHOLE, is_open: true });
                WHOLE
            }
        };
        self.depth_left -= 1;
        let (found, _) = self.of_all_own_moves(situation, window.and(known))?;
        self.depth_left += 1;
        let value = found.and(known);
        if let Some(known) = self.known.get_mut(situation) {
            *known = Known { value, is_open: false };
        }
        Ok(value)
    }

    /// The value of a situation, as far as it matters for `window`, and the move that reaches its bound.
    fn of_all_own_moves(
        &mut self,
        situation: &S::Situation,
        window: Interval,
    ) -> Result<(Interval, Option<MoveId>), Unsolvable> {
        let legal = self.game.legal(situation)?;
        let mut choice = Choice::new(self.concept.own, WHOLE);
        let mut best = None;
        for &own in &legal[self.role.index()] {
            let value = self.of_own_move(situation, &legal, own, choice.window(window))?;
            if choice.add(value) {
                best = Some(own);
            }
            if choice.is_decided(window) || self.is_stopped {
                return Ok((choice.of_some(), best));
            }
        }
        Ok((choice.of_all(), best))
    }

    /// The value of a move of the role, whatever the others do.
    fn of_own_move(
        &mut self,
        situation: &S::Situation,
        legal: &[Vec<MoveId>],
        own: MoveId,
        window: Interval,
    ) -> Result<Interval, Unsolvable> {
        let mut joint: Vec<MoveId> = legal.iter().map(|moves| moves[0]).collect();
        joint[self.role.index()] = own;
        let others: Vec<usize> = (0..legal.len()).filter(|&n| n != self.role.index()).collect();
        let mut places = vec![0; others.len()];
        let mut choice = Choice::new(self.concept.others, WHOLE);
        loop {
            choice.add(self.mean_over_chance(situation, &mut joint, choice.window(window))?);
            if choice.is_decided(window) || self.is_stopped {
                return Ok(choice.of_some());
            }
            let has_more = |&n: &usize| places[n] + 1 < legal[others[n]].len();
            let Some(next) = (0..places.len()).rfind(has_more) else { return Ok(choice.of_all()) };
            places[next] += 1;
            places[next + 1..].fill(0);
            for (&role, &place) in others.iter().zip(&places) {
                joint[role] = legal[role][place];
            }
        }
    }

    fn mean_over_chance(
        &mut self,
        situation: &S::Situation,
        joint: &mut [MoveId],
        window: Interval,
    ) -> Result<Interval, Unsolvable> {
        /// The clock is looked at once in so many joint moves.
        const NODES_BETWEEN: u64 = 1024;
        self.n_nodes += 1;
        self.is_stopped |=
            self.n_nodes.is_multiple_of(NODES_BETWEEN) && self.limits.deadline.has_passed();
        let outcomes = self.game.outcomes(situation, joint)?;
        if let [(_, outcome)] = outcomes.as_slice() {
            return self.of_outcome(outcome, window);
        }
        let mut mean = Mean::new(outcomes.iter().map(|(weight, _)| weight).sum(), WHOLE);
        for (weight, outcome) in &outcomes {
            mean.add(*weight, self.of_outcome(outcome, mean.window(*weight, window))?);
            let so_far = mean.of_some();
            if so_far.high <= window.low || so_far.low >= window.high || self.is_stopped {
                return Ok(so_far);
            }
        }
        Ok(mean.of_all())
    }

    fn of_outcome(
        &mut self,
        outcome: &Outcome<S::Situation>,
        window: Interval,
    ) -> Result<Interval, Unsolvable> {
        match outcome {
            Outcome::End(value) => Ok(Interval::exactly(*value)),
            Outcome::Situation(situation) => self.value(situation, window),
        }
    }
}

#[cfg(test)]
mod tests {
    use game::Unplayable;
    use machine::OneState;

    use super::*;
    use crate::plain_value;
    use crate::test_games::{embedded, ground, nim};

    fn game(rules: &str) -> OneState {
        OneState::new(ground(rules))
    }

    const UNLIMITED: Limits = Limits { deadline: Deadline::NEVER, max_states: usize::MAX };

    fn maximin(role: RoleId) -> Question {
        Question { role, concept: Concept::MAXIMIN, information: Information::Full }
    }

    /// The values of a game for all players, which plain search finds too.
    fn values(name: &str, rules: &str, concept: Concept, information: Information) -> Vec<f64> {
        let mut game = game(rules);
        let random = game.random();
        let roles = RoleId::first(game.roles().len()).filter(|role| Some(*role) != random);
        roles
            .map(|role| {
                let question = Question { role, concept, information };
                let solved = solve(&mut game, question, &UNLIMITED).expect("playable");
                assert!(solved.value.is_exact(), "{name}: {solved:?}");
                let plain = plain_value(&mut game, question).expect("playable");
                assert!((solved.value.low - plain).abs() < 1e-9, "{name}: {solved:?}, not {plain}");
                solved.value.low
            })
            .collect()
    }

    #[test]
    fn embedded_games_have_their_known_values() {
        let value = |name: &str, concept| values(name, embedded(name), concept, Information::Full);
        assert_eq!(value("tic-tac-toe", Concept::MAXIMIN), [50.0, 50.0]);
        assert_eq!(value("hidden-matching-pennies", Concept::MAXIMIN), [75.0]);
        assert_eq!(value("matching-pennies", Concept::MAXIMAX), [50.0, 50.0]);
        assert_eq!(value("matching-pennies", Concept::MAXIMIN), [0.0, 0.0]);
    }

    /// One who sees everything wins at Monty Hall; one who does not should switch (Selvin 1975).
    #[test]
    fn what_is_not_seen_is_not_known() {
        let value = |name: &str, information| {
            let values = values(name, embedded(name), Concept::MAXIMIN, information);
            (values[0] * 1e6).round() / 1e6
        };
        assert_eq!(value("monty-hall", Information::Full), 100.0);
        assert_eq!(value("monty-hall", Information::Percepts), 66.666_667);
        assert_eq!(value("hidden-matching-pennies", Information::Percepts), 75.0);
    }

    /// A number is drawn; the player guesses it, after it was told whether it is large.
    const GUESS: &str = "(role guesser) (role random) (init start)
        (number 1) (number 2) (number 3) (number 4) (number 5) (number 6)
        (large 4) (large 5) (large 6)
        (<= (legal random (draw ?n)) (true start) (number ?n))
        (<= (legal random noop) (not (true start)))
        (<= (legal guesser (guess ?n)) (not (true start)) (number ?n))
        (<= (legal guesser wait) (true start))
        (<= (next (drawn ?n)) (does random (draw ?n)))
        (<= (next (drawn ?n)) (true (drawn ?n)))
        (<= (next (guessed ?n)) (does guesser (guess ?n)))
        (<= guessed (true (guessed ?n)))
        (<= terminal guessed)
        (<= right (true (guessed ?n)) (true (drawn ?n)))
        (<= (goal guesser 100) right) (<= (goal guesser 0) (not right)) (goal random 0)";

    #[test]
    fn beliefs_are_what_percepts_leave() {
        let value = |more: &str| {
            let rules = format!("{GUESS}\n{more}");
            values("guess", &rules, Concept::MAXIMIN, Information::Percepts)[0].round()
        };
        assert_eq!(value("(sees guesser nothing)"), (100.0_f64 / 6.0).round());
        let told = "(<= (sees guesser yes) (does random (draw ?n)) (large ?n))";
        assert_eq!(value(told), (100.0_f64 / 3.0).round());
        let all = "(<= (sees guesser ?n) (does random (draw ?n)))";
        assert_eq!(value(all), 100.0);
    }

    /// Walking to and fro has no end and is worth nothing; the solver finds the way out.
    #[test]
    fn plays_without_an_end_do_not_keep_it_from_the_goal() {
        let rules = |worth: u32| {
            format!(
                "(role walker) (init (at 1)) (next_to 1 2) (next_to 2 1) (next_to 2 3) (next_to 3 2)
                 (next_to 3 4) (next_to 4 1)
                 (<= (legal walker (go ?y)) (true (at ?x)) (next_to ?x ?y))
                 (<= (next (at ?y)) (does walker (go ?y)))
                 (<= terminal (true (at 4)))
                 (<= (goal walker {worth}) (true (at 4)))
                 (<= (goal walker 0) (not (true (at 4))))"
            )
        };
        let role = RoleId::first(1).next().expect("there is one");
        let of = |worth| solve(&mut game(&rules(worth)), maximin(role), &UNLIMITED);
        assert_eq!(of(100).expect("playable").value, Interval::exactly(100.0));
        assert_eq!(of(30).expect("playable").value, Interval::exactly(30.0));
        // With others, nothing is said about what plays without an end are worth.
        let with_other = format!("{} (role other) (legal other noop) (goal other 0)", rules(30));
        let solved = solve(&mut game(&with_other), maximin(role), &UNLIMITED);
        assert_eq!(solved.expect("playable").value, Interval { low: 30.0, high: 100.0 });
    }

    /// Each of two players hides a coin from the other.
    #[test]
    fn players_who_know_different_things_are_refused() {
        let rules = "(role a) (role b) (init (s 1)) (side heads) (side tails)
            (<= (legal ?p (show ?s)) (role ?p) (side ?s))
            (<= (next (s 2)) (true (s 1))) (<= (next (s 3)) (true (s 2)))
            (<= (next (c ?p ?s)) (does ?p (show ?s)) (true (s 1)))
            (<= (next (c ?p ?s)) (true (c ?p ?s)))
            (<= (sees a ?s) (does a (show ?s)))
            (<= terminal (true (s 3))) (goal a 50) (goal b 50)";
        let mut game = game(rules);
        let role = RoleId::first(2).next().expect("there are two");
        let question =
            Question { role, concept: Concept::MAXIMIN, information: Information::Percepts };
        let roles = ["a", "b"].map(str::to_owned);
        assert_eq!(solve(&mut game, question, &UNLIMITED), Err(Unsolvable::NotShared { roles }));
    }

    /// Who moves first wins unless the heaps cancel out (Bouton 1901).
    #[test]
    fn nim_is_won_as_its_theory_says() {
        for heaps in [[1, 2, 3], [1, 1, 0], [2, 2, 1], [3, 1, 0], [2, 2, 0]] {
            let is_won = heaps.iter().fold(0, |sum, heap| sum ^ heap) != 0;
            let expected = if is_won { [100.0, 0.0] } else { [0.0, 100.0] };
            assert_eq!(
                values("nim", &nim(&heaps), Concept::MAXIMIN, Information::Full),
                expected,
                "{heaps:?}"
            );
        }
    }

    /// The rules of connect four without some columns and rows.
    fn connect_four(width: u32, height: u32) -> String {
        let gone = |line: &&str| {
            let is_gone = |n: u32| {
                n > width && *line == format!("(column {n})")
                    || n > height && *line == format!("(row {n})")
            };
            (1..=7).any(is_gone)
        };
        let kept = embedded("connect-four").lines().filter(|line| !gone(line));
        let top = format!("(cell ?column {height} blank)");
        kept.collect::<Vec<&str>>().join("\n").replace("(cell ?column 6 blank)", &top)
    }

    /// Nobody can force four in a line on a small board (Tromp's table).
    #[test]
    fn connect_four_on_four_by_four_is_a_draw() {
        let mut game = game(&connect_four(4, 4));
        for role in RoleId::first(2) {
            let solved = solve(&mut game, maximin(role), &UNLIMITED).expect("playable");
            assert_eq!(solved.value, Interval::exactly(50.0));
            assert!(solved.n_nodes > 1_000, "{solved:?}");
        }
    }

    #[test]
    fn roles_without_a_move_are_an_error() {
        let rules = "(role a) (role b) (init (s 1)) (legal a go)
            (<= (legal b go) (true (s 1))) (<= (next (s 2)) (does a go) (true (s 1)))
            (<= terminal (true (s 3))) (goal a 100) (goal b 0)";
        let mut game = game(rules);
        for role in RoleId::first(2) {
            let solved = solve(&mut game, maximin(role), &UNLIMITED);
            assert!(
                matches!(solved, Err(Unsolvable::Unplayable(Unplayable::NoLegalMove { .. }))),
                "{solved:?}"
            );
        }
    }

    #[test]
    fn what_is_cut_short_says_what_is_proved() {
        let mut game = game(embedded("tic-tac-toe"));
        let role = RoleId::first(2).next().expect("there are two");
        for max_states in [0, 10, 100, 1_000] {
            let limits = Limits { max_states, ..UNLIMITED };
            let solved = solve(&mut game, maximin(role), &limits).expect("playable");
            assert!(solved.value.low <= 50.0 && solved.value.high >= 50.0, "{solved:?}");
        }
    }
}
