//! Stages of networks beside the rules that they were made from.

use std::collections::{BTreeSet, HashMap};

use base::{Deadline, Id as _, IdVec, Rng, RoleId};
use encode::{Outcome, Stage};
use game::{Game, MoveId};
use ground::{FluentId, GroundMoveId, GroundProgram};
use rand::seq::IndexedRandom as _;

/// Joint moves of a state of which there are more are not all looked at.
const MAX_OUTCOMES: usize = 200;

/// What was compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Compared {
    /// The states.
    pub n_states: usize,
    /// Those in which the game has ended.
    pub n_terminal: usize,
    /// The joint moves.
    pub n_outcomes: usize,
}

/// Asks `stage`, made from `ground`, and `game` about the states of random plays: whether the game has
/// ended, what the players get, which joint moves are legal with which probability, and what follows.
/// Says where they differ.
pub fn compare_stage<G: Game>(
    ground: &GroundProgram,
    stage: &mut Stage,
    game: &mut G,
    n_states: usize,
    deadline: Deadline,
    rng: &mut Rng,
) -> Result<Compared, String> {
    let mut comparison = Comparison { names: Names::new(ground), stage, game, deadline, rng };
    let mut done = Compared::default();
    let mut state = comparison.game.initial();
    while done.n_states < n_states && !comparison.deadline.has_passed() {
        done.n_states += 1;
        let text = comparison.game.state_text(&state);
        let next = comparison
            .compare(&state, &text, &mut done)
            .map_err(|difference| format!("{difference} in the state ({})", text.join(" ")))?;
        state = next.unwrap_or_else(|| comparison.game.initial());
    }
    Ok(done)
}

/// By text: the numbers of the ground program.
struct Names {
    fluents: HashMap<String, FluentId>,
    moves: HashMap<(RoleId, String), GroundMoveId>,
    random: Option<RoleId>,
}

impl Names {
    fn new(ground: &GroundProgram) -> Names {
        let fluents = ground.fluents.iter_with_ids().map(|(id, text)| (text.clone(), id));
        let moves = ground.moves.iter_with_ids();
        let moves = moves.map(|(id, (role, text))| ((*role, text.clone()), id));
        Names { fluents: fluents.collect(), moves: moves.collect(), random: ground.random }
    }

    fn state(&self, text: &[String]) -> Result<Vec<FluentId>, String> {
        let fluent = |text: &String| {
            self.fluents.get(text).copied().ok_or_else(|| format!("the fluent {text} is missing"))
        };
        let mut fluents = text.iter().map(fluent).collect::<Result<Vec<_>, _>>()?;
        fluents.sort_unstable_by_key(|fluent| fluent.index());
        Ok(fluents)
    }
}

struct Comparison<'a, G: Game> {
    names: Names,
    stage: &'a mut Stage,
    game: &'a mut G,
    deadline: Deadline,
    rng: &'a mut Rng,
}

impl<G: Game> Comparison<'_, G> {
    /// Compares a state. The next state of the play, unless it ends.
    fn compare(
        &mut self,
        state: &G::State,
        text: &[String],
        done: &mut Compared,
    ) -> Result<Option<G::State>, String> {
        let fluents = self.names.state(text)?;
        let holds: BTreeSet<usize> = fluents.iter().map(|fluent| fluent.index()).collect();
        let is_terminal = self.game.is_terminal(state);
        if self.stage.set_state(|fluent| holds.contains(&fluent.index())).is_err() {
            let is_unplayable = match is_terminal {
                true => self.has_wrong_goals(state),
                false => self.has_no_move(state),
            };
            return match is_unplayable {
                true => Ok(None),
                false => Err("the stage has no solution".to_owned()),
            };
        }
        if self.stage.is_terminal() != is_terminal {
            return Err(format!("the end is {}, not {is_terminal}", self.stage.is_terminal()));
        }
        if is_terminal {
            done.n_terminal += 1;
            self.compare_end(state, &fluents)?;
            return Ok(None);
        }
        self.compare_moves(state, done).map(Some)
    }

    fn has_wrong_goals(&mut self, state: &G::State) -> bool {
        RoleId::first(self.game.roles().len()).any(|role| self.game.goal(state, role).is_err())
    }

    fn has_no_move(&mut self, state: &G::State) -> bool {
        RoleId::first(self.game.roles().len()).any(|role| {
            let mut moves = Vec::new();
            self.game.legal_moves(state, role, &mut moves);
            moves.is_empty()
        })
    }

    fn compare_end(&mut self, state: &G::State, fluents: &[FluentId]) -> Result<(), String> {
        for role in RoleId::first(self.game.roles().len()) {
            if Some(role) == self.names.random {
                continue;
            }
            // What the rules leave open is not compared.
            let Ok(goal) = self.game.goal(state, role) else { continue };
            let score = self.stage.score(role);
            if score != i64::from(goal.value()) {
                return Err(format!("a score is {score}, not {}", goal.value()));
            }
        }
        let outcomes = [self.stage.next_outcome(), self.stage.next_outcome()];
        match outcomes {
            [Some(Outcome { next, .. }), None] if next == fluents => Ok(()),
            other => Err(format!("at the end there is {other:?}")),
        }
    }

    fn compare_moves(&mut self, state: &G::State, done: &mut Compared) -> Result<G::State, String> {
        let mut legal: IdVec<RoleId, HashMap<GroundMoveId, MoveId>> = IdVec::new();
        for role in RoleId::first(self.game.roles().len()) {
            let mut moves = Vec::new();
            self.game.legal_moves(state, role, &mut moves);
            let mut numbers = HashMap::new();
            for move_id in moves {
                let text = self.game.move_text(move_id);
                let number = self.names.moves.get(&(role, text.clone())).copied();
                numbers.insert(number.ok_or(format!("the move {text} is missing"))?, move_id);
            }
            let left: BTreeSet<usize> =
                self.stage.legal_moves(role).iter().map(|id| id.index()).collect();
            let expected: BTreeSet<usize> = numbers.keys().map(|id| id.index()).collect();
            if left != expected {
                let name = &self.game.roles()[role.index()];
                let (more, fewer) = (left.difference(&expected), expected.difference(&left));
                let (more, fewer): (Vec<_>, Vec<_>) = (more.collect(), fewer.collect());
                return Err(format!(
                    "the legal moves of {name} differ: {more:?} should not be, {fewer:?} should"
                ));
            }
            legal.push(numbers);
        }
        self.compare_outcomes(state, &legal, done)?;
        let choose = |moves: &HashMap<GroundMoveId, MoveId>, rng: &mut Rng| {
            let mut moves: Vec<MoveId> = moves.values().copied().collect();
            moves.sort_unstable();
            moves.choose(rng).copied().ok_or("a role has no legal move".to_owned())
        };
        let joint = legal.iter().map(|moves| choose(moves, self.rng));
        let joint = joint.collect::<Result<Vec<MoveId>, String>>()?;
        Ok(self.game.next(state, &joint))
    }

    fn compare_outcomes(
        &mut self,
        state: &G::State,
        legal: &IdVec<RoleId, HashMap<GroundMoveId, MoveId>>,
        done: &mut Compared,
    ) -> Result<(), String> {
        let n_joint: usize = legal.iter().map(HashMap::len).fold(1, usize::saturating_mul);
        let chance = self.names.random.map_or(1.0, |role| 1.0 / legal[role].len() as f64);
        let mut seen = BTreeSet::new();
        while seen.len() < MAX_OUTCOMES && !self.deadline.has_passed() {
            let Some(Outcome { moves, probability, next }) = self.stage.next_outcome() else {
                break;
            };
            let joint: Option<Vec<MoveId>> = moves
                .iter()
                .zip(legal)
                .map(|(number, legal)| legal.get(number.as_ref()?).copied())
                .collect();
            let joint = joint.ok_or("a joint move is not legal")?;
            let expected = self.game.next(state, &joint);
            let expected = self.names.state(&self.game.state_text(&expected))?;
            if next != expected {
                return Err(format!("after {joint:?} follows {next:?}, not {expected:?}"));
            }
            if (probability - chance).abs() > 1e-9 {
                return Err(format!("chance is {probability}, not {chance}"));
            }
            if !seen.insert(joint) {
                return Err("a joint move is found twice".to_owned());
            }
        }
        done.n_outcomes += seen.len();
        match seen.len() == n_joint.min(MAX_OUTCOMES) || self.deadline.has_passed() {
            true => Ok(()),
            false => Err(format!("there are {} joint moves, not {n_joint}", seen.len())),
        }
    }
}
