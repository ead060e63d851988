//! The value of a game by branch and bound.
//!
//! What is found raises the threshold for what comes after, as θ does in the networks of the papers: a
//! state is left as soon as it cannot reach the threshold, or cannot be kept from passing the other one
//! (alpha-beta; for the mean over chance as in Ballard's Star1). What is known of a state is kept and
//! used again: bounds, or its value.

use base::{Deadline, Id as _, RoleId, with_stack_for};
use game::{Game, MoveId, Unplayable, legal_of_all};
use rustc_hash::FxHashMap;

use crate::concept::{Concept, Operator};

/// What a search may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// When to stop.
    pub deadline: Deadline,
    /// How many states may be kept.
    pub max_states: usize,
}

/// Bounds of a value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// It is at least this.
    pub low: f64,
    /// It is at most this.
    pub high: f64,
}

impl Interval {
    /// What is known of any value.
    const ANY: Interval = Interval { low: 0.0, high: 100.0 };

    fn exactly(value: f64) -> Interval {
        Interval { low: value, high: value }
    }

    /// Whether the value is known.
    pub fn is_exact(self) -> bool {
        self.low == self.high
    }

    /// Whether nothing more needs to be known where only values between `alpha` and `beta` matter.
    fn is_enough(self, Interval { low: alpha, high: beta }: Interval) -> bool {
        self.is_exact() || self.high <= alpha || self.low >= beta
    }
}

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

/// The value of a game for a role from its initial state on, from 0 to 100.
///
/// With time and memory enough it is exact. Otherwise the bounds say what is proved.
///
/// ```
/// use search::{Concept, Limits, solve};
///
/// let rules = games::find("tic-tac-toe").unwrap().rules;
/// let program = program::check(&gdl::parse_kif(rules)).program.expect("no errors");
/// let limits = ground::Limits { deadline: base::Deadline::NEVER, max_literals: 1_000_000 };
/// let mut game = machine::OneState::new(ground::ground(&program, &limits).expect("it is small"));
/// let limits = Limits { deadline: base::Deadline::NEVER, max_states: 1_000_000 };
/// let role = base::RoleId::first(2).next().unwrap();
/// let solved = solve(&mut game, role, Concept::MAXIMIN, &limits)?;
/// assert!(solved.value.is_exact());
/// assert_eq!(solved.value.low, 50.0);
/// # Ok::<(), game::Unplayable>(())
/// ```
pub fn solve<G: Game + Send>(
    game: &mut G,
    role: RoleId,
    concept: Concept,
    limits: &Limits,
) -> Result<Solved, Unplayable>
where
    G::State: Send,
{
    /// Plays that are longer are not followed.
    const MAX_DEPTH: usize = 100_000;
    let initial = game.initial();
    let mut search = Search {
        game,
        role,
        concept,
        limits: *limits,
        known: FxHashMap::default(),
        n_nodes: 0,
        is_stopped: false,
        depth_left: MAX_DEPTH,
    };
    let nothing = Solved { value: Interval::ANY, best: None, n_nodes: 0 };
    with_stack_for(MAX_DEPTH, move || search.root(&initial)).unwrap_or(Ok(nothing))
}

struct Search<'g, G: Game> {
    game: &'g mut G,
    role: RoleId,
    concept: Concept,
    limits: Limits,
    known: FxHashMap<G::State, Interval>,
    n_nodes: u64,
    is_stopped: bool,
    depth_left: usize,
}

/// What the values of choices that were looked at come to.
struct Best {
    operator: Operator,
    value: Interval,
}

impl Best {
    /// Of no choice yet.
    fn new(operator: Operator) -> Best {
        let value = match operator {
            Operator::Max => f64::NEG_INFINITY,
            Operator::Min => f64::INFINITY,
        };
        Best { operator, value: Interval::exactly(value) }
    }

    fn add(&mut self, choice: Interval) {
        let Interval { low, high } = &mut self.value;
        (*low, *high) = match self.operator {
            Operator::Max => (low.max(choice.low), high.max(choice.high)),
            Operator::Min => (low.min(choice.low), high.min(choice.high)),
        };
    }

    /// The window in which the value of another choice matters.
    fn window(&self, window: Interval) -> Interval {
        match self.operator {
            Operator::Max => Interval { low: window.low.max(self.value.low), ..window },
            Operator::Min => Interval { high: window.high.min(self.value.high), ..window },
        }
    }

    /// Whether other choices do not matter.
    fn is_decided(&self, window: Interval) -> bool {
        match self.operator {
            Operator::Max => self.value.low >= window.high,
            Operator::Min => self.value.high <= window.low,
        }
    }

    /// The value if others were not looked at.
    fn without_others(self) -> Interval {
        match self.operator {
            Operator::Max => Interval { high: Interval::ANY.high, ..self.value },
            Operator::Min => Interval { low: Interval::ANY.low, ..self.value },
        }
    }
}

impl<G: Game> Search<'_, G> {
    fn root(&mut self, state: &G::State) -> Result<Solved, Unplayable> {
        let (value, best) = match self.game.is_terminal(state) {
            true => (Interval::exactly(self.goal(state)?), None),
            false => self.of_all_own_moves(state, Interval::ANY)?,
        };
        Ok(Solved { value, best, n_nodes: self.n_nodes })
    }

    fn goal(&mut self, state: &G::State) -> Result<f64, Unplayable> {
        Ok(f64::from(self.game.goal(state, self.role)?.value()))
    }

    /// The value of a state, as far as it matters for `window`.
    fn value(&mut self, state: &G::State, window: Interval) -> Result<Interval, Unplayable> {
        if self.game.is_terminal(state) {
            return Ok(Interval::exactly(self.goal(state)?));
        }
        let known = self.known.get(state).copied().unwrap_or(Interval::ANY);
        if known.is_enough(window) {
            return Ok(known);
        }
        self.is_stopped |= self.known.len() >= self.limits.max_states || self.depth_left == 0;
        if self.is_stopped {
            return Ok(known);
        }
        let window = Interval { low: window.low.max(known.low), high: window.high.min(known.high) };
        self.depth_left -= 1;
        let (found, _) = self.of_all_own_moves(state, window)?;
        self.depth_left += 1;
        let found = Interval { low: found.low.max(known.low), high: found.high.min(known.high) };
        self.known.insert(state.clone(), found);
        Ok(found)
    }

    /// The value of a state, as far as it matters for `window`, and the move that reaches its bound.
    fn of_all_own_moves(
        &mut self,
        state: &G::State,
        window: Interval,
    ) -> Result<(Interval, Option<MoveId>), Unplayable> {
        let legal = legal_of_all(self.game, state)?;
        let mut best = Best::new(self.concept.own);
        let mut found = None;
        for &own in &legal[self.role.index()] {
            let before = best.value;
            best.add(self.of_own_move(state, &legal, own, best.window(window))?);
            let is_better = match self.concept.own {
                Operator::Max => best.value.low > before.low,
                Operator::Min => best.value.high < before.high,
            };
            if is_better {
                found = Some(own);
            }
            if best.is_decided(window) {
                return Ok((best.without_others(), found));
            }
        }
        Ok((best.value, found))
    }

    /// The value of a move of the role, whatever the others do.
    fn of_own_move(
        &mut self,
        state: &G::State,
        legal: &[Vec<MoveId>],
        own: MoveId,
        window: Interval,
    ) -> Result<Interval, Unplayable> {
        let mut joint: Vec<MoveId> = legal.iter().map(|moves| moves[0]).collect();
        joint[self.role.index()] = own;
        // Chance is not a choice: it is looked at for each joint move of the others.
        let is_other = |role: &RoleId| *role != self.role && Some(*role) != self.game.random();
        let others: Vec<usize> =
            RoleId::first(legal.len()).filter(is_other).map(|role| role.index()).collect();
        let mut places = vec![0; others.len()];
        let mut best = Best::new(self.concept.others);
        loop {
            best.add(self.mean_over_chance(state, legal, &mut joint, best.window(window))?);
            if best.is_decided(window) {
                return Ok(best.without_others());
            }
            let has_more = |&n: &usize| places[n] + 1 < legal[others[n]].len();
            let Some(next) = (0..places.len()).rfind(has_more) else { return Ok(best.value) };
            places[next] += 1;
            places[next + 1..].fill(0);
            for (&role, &place) in others.iter().zip(&places) {
                joint[role] = legal[role][place];
            }
        }
    }

    fn mean_over_chance(
        &mut self,
        state: &G::State,
        legal: &[Vec<MoveId>],
        joint: &mut [MoveId],
        window: Interval,
    ) -> Result<Interval, Unplayable> {
        let Some(random) = self.game.random() else {
            return self.after(state, joint, window);
        };
        let moves = &legal[random.index()];
        let n_moves = moves.len() as f64;
        let mut sum = Interval::exactly(0.0);
        for (n_before, &chance) in moves.iter().enumerate() {
            // The others can be worth nothing, or all.
            let rest = 100.0 * (n_moves - n_before as f64 - 1.0);
            joint[random.index()] = chance;
            let needed = Interval {
                low: n_moves * window.low - sum.high - rest,
                high: n_moves * window.high - sum.low,
            };
            let value = self.after(state, joint, needed)?;
            sum = Interval { low: sum.low + value.low, high: sum.high + value.high };
            let mean = Interval { low: sum.low / n_moves, high: (sum.high + rest) / n_moves };
            if mean.high <= window.low || mean.low >= window.high {
                return Ok(mean);
            }
        }
        Ok(Interval { low: sum.low / n_moves, high: sum.high / n_moves })
    }

    fn after(
        &mut self,
        state: &G::State,
        joint: &[MoveId],
        window: Interval,
    ) -> Result<Interval, Unplayable> {
        /// The clock is looked at once in so many joint moves.
        const NODES_BETWEEN: u64 = 1024;
        self.n_nodes += 1;
        self.is_stopped |=
            self.n_nodes.is_multiple_of(NODES_BETWEEN) && self.limits.deadline.has_passed();
        let next = self.game.next(state, joint);
        self.value(&next, window)
    }
}

#[cfg(test)]
mod tests {
    use machine::OneState;

    use super::*;
    use crate::plain_value;

    fn game(rules: &str) -> OneState {
        let program = program::check(&gdl::parse_kif(rules)).program.expect("no errors");
        let limits = ground::Limits { deadline: Deadline::NEVER, max_literals: 1_000_000 };
        OneState::new(ground::ground(&program, &limits).expect("it is small"))
    }

    const UNLIMITED: Limits = Limits { deadline: Deadline::NEVER, max_states: usize::MAX };

    /// The values of a game for all players, which plain search finds too.
    fn values(name: &str, rules: &str, concept: Concept) -> Vec<f64> {
        let mut game = game(rules);
        let random = game.random();
        let roles = RoleId::first(game.roles().len()).filter(|role| Some(*role) != random);
        roles
            .map(|role| {
                let solved = solve(&mut game, role, concept, &UNLIMITED).expect("playable");
                assert!(solved.value.is_exact(), "{name}: {solved:?}");
                let initial = game.initial();
                let plain = plain_value(&mut game, &initial, role, concept).expect("playable");
                assert!((solved.value.low - plain).abs() < 1e-9, "{name}: {solved:?}, not {plain}");
                solved.value.low
            })
            .collect()
    }

    fn embedded(name: &str) -> &'static str {
        games::find(name).expect("it is embedded").rules
    }

    #[test]
    fn embedded_games_have_their_known_values() {
        let value = |name: &str, concept| values(name, embedded(name), concept);
        assert_eq!(value("tic-tac-toe", Concept::MAXIMIN), [50.0, 50.0]);
        assert_eq!(value("hidden-matching-pennies", Concept::MAXIMIN), [75.0]);
        assert_eq!(value("matching-pennies", Concept::MAXIMAX), [50.0, 50.0]);
        assert_eq!(value("matching-pennies", Concept::MAXIMIN), [0.0, 0.0]);
    }

    /// Heaps from which one takes any number; who takes the last wins.
    fn nim(heaps: [u32; 3]) -> String {
        let heap = |(n, size): (usize, u32)| format!("(init (heap {n} {size}))");
        let inits: Vec<String> = heaps.into_iter().enumerate().map(heap).collect();
        let less: Vec<String> =
            (0..8).flat_map(|b| (0..b).map(move |a| format!("(less {a} {b})"))).collect();
        format!(
            "(role a) (role b) (init (control a)) {} {}
             (other a b) (other b a)
             (<= (legal ?p (take ?h ?n)) (true (control ?p)) (true (heap ?h ?m)) (less ?n ?m))
             (<= (legal ?p noop) (other ?p ?q) (true (control ?q)))
             (<= (next (control ?q)) (true (control ?p)) (other ?p ?q))
             (<= (taken ?h) (does ?p (take ?h ?n)))
             (<= (next (heap ?h ?n)) (does ?p (take ?h ?n)))
             (<= (next (heap ?h ?n)) (true (heap ?h ?n)) (not (taken ?h)))
             (<= left (true (heap ?h ?n)) (less 0 ?n))
             (<= terminal (not left))
             (<= (goal ?p 0) (true (control ?p)))
             (<= (goal ?q 100) (true (control ?p)) (other ?p ?q))",
            inits.join(" "),
            less.join(" ")
        )
    }

    /// Who moves first wins unless the heaps cancel out (Bouton 1901).
    #[test]
    fn nim_is_won_as_its_theory_says() {
        for heaps in [[1, 2, 3], [1, 1, 0], [2, 2, 1], [3, 1, 0], [2, 2, 0]] {
            let is_won = heaps.iter().fold(0, |sum, heap| sum ^ heap) != 0;
            let expected = if is_won { [100.0, 0.0] } else { [0.0, 100.0] };
            assert_eq!(values("nim", &nim(heaps), Concept::MAXIMIN), expected, "{heaps:?}");
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
            let solved = solve(&mut game, role, Concept::MAXIMIN, &UNLIMITED).expect("playable");
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
            let solved = solve(&mut game, role, Concept::MAXIMIN, &UNLIMITED);
            assert!(matches!(solved, Err(Unplayable::NoLegalMove { .. })), "{solved:?}");
        }
    }

    #[test]
    fn what_is_cut_short_says_what_is_proved() {
        let mut game = game(embedded("tic-tac-toe"));
        let role = RoleId::first(2).next().expect("there are two");
        for max_states in [0, 10, 100, 1_000] {
            let limits = Limits { max_states, ..UNLIMITED };
            let solved = solve(&mut game, role, Concept::MAXIMIN, &limits).expect("playable");
            assert!(solved.value.low <= 50.0 && solved.value.high >= 50.0, "{solved:?}");
        }
    }
}
