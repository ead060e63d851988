//! A stage that is asked about one state after the other.

use std::ops::Range;

use base::{Id as _, IdVec, RoleId};
use ground::{FluentId, GroundMoveId, GroundProgram};
use scsp::{Budget, ForwardSolutions, Order, Solutions, VarId};

use crate::emit::{Encoded, encode};
use crate::options::{EncodeError, Encoding, Extent, Information, Options};

/// The network of one round, in which the state is fixed to one after the other. Everything else
/// follows by propagation, and a state costs what it differs from what is known without it.
#[derive(Clone, Debug)]
pub struct Stage {
    encoded: Encoded,
    solver: Solver,
    /// By role: the places of its moves among all.
    moves: IdVec<RoleId, Range<usize>>,
    random: Option<RoleId>,
}

/// How the network is solved.
#[derive(Clone, Debug)]
enum Solver {
    Mac(Box<Solutions>),
    Forward(Box<ForwardSolutions>),
}

impl Solver {
    fn assume(&mut self, values: impl IntoIterator<Item = (VarId, u32)>) -> bool {
        match self {
            Solver::Mac(solutions) => solutions.assume(values),
            Solver::Forward(solutions) => solutions.assume(values),
        }
    }

    fn values_left(&self, var: VarId) -> Vec<u32> {
        match self {
            Solver::Mac(solutions) => solutions.values_left(var).collect(),
            Solver::Forward(solutions) => solutions.values_left(var).collect(),
        }
    }

    fn is_complete(&self) -> bool {
        match self {
            Solver::Mac(solutions) => solutions.is_complete(),
            Solver::Forward(solutions) => solutions.is_complete(),
        }
    }

    fn next_solution(&mut self) -> Option<&[u32]> {
        match self {
            Solver::Mac(solutions) => solutions.next_solution(),
            Solver::Forward(solutions) => solutions.next_solution(),
        }
    }
}

/// The fluents do not describe a state, or none that the rules allow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotAState;

/// A joint move, and what follows from it.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// By role: its move. `None` if the game has ended.
    pub moves: IdVec<RoleId, Option<GroundMoveId>>,
    /// With which probability chance makes its move.
    pub probability: f64,
    /// The fluents that hold then, ascending.
    pub next: Vec<FluentId>,
}

impl Stage {
    /// The stage of a game.
    ///
    /// ```
    /// # let parse = gdl::parse_kif(
    /// #     "(role x) (init (lamp off))
    /// #      (<= (legal x press) (true (lamp off))) (legal x wait)
    /// #      (<= (next (lamp on)) (does x press))
    /// #      (<= (next (lamp off)) (true (lamp off)) (does x wait))
    /// #      (<= terminal (true (lamp on)))
    /// #      (<= (goal x 100) (true (lamp on)))",
    /// # );
    /// # let program = program::check(&parse).program.expect("no errors");
    /// # let limits = ground::Limits { deadline: base::Deadline::NEVER, max_literals: 1_000 };
    /// # let ground = ground::ground(&program, &limits).expect("it is small");
    /// use encode::{Encoding, Stage};
    ///
    /// let mut stage = Stage::new(&ground, Encoding::Fluents, 4096)?;
    /// stage.set_state(|fluent| ground.initial.contains(&fluent)).expect("it is a state");
    /// assert!(!stage.is_terminal());
    /// let mut n_moves = 0;
    /// while let Some(outcome) = stage.next_outcome() {
    ///     assert_eq!(outcome.next.len(), 1);
    ///     n_moves += 1;
    /// }
    /// assert_eq!(n_moves, 2);
    /// # Ok::<(), encode::EncodeError>(())
    /// ```
    pub fn new(
        ground: &GroundProgram,
        encoding: Encoding,
        max_tuples: usize,
    ) -> Result<Stage, EncodeError> {
        let options = Options {
            encoding,
            extent: Extent::OneStage,
            information: Information::Full,
            max_tuples,
            is_idle_at_end: true,
        };
        let encoded = encode(ground, &options)?;
        let solutions = Solutions::of(&encoded.network).with_order(Order::AsGiven);
        let solver = Solver::Mac(Box::new(solutions));
        let moves = ground.roles.ids().map(|role| ground.moves_of(role)).collect();
        Ok(Stage { solver, encoded, moves, random: ground.random })
    }

    /// The same, solved by forward checking in the place of MAC, as far as `budget` goes for each state. What follows
    /// through rules that depend on each other is not seen before it is searched for.
    pub fn with_forward_checking(self, budget: Budget) -> Stage {
        let solutions = ForwardSolutions::of(&self.encoded.network).with_budget(budget);
        Stage { solver: Solver::Forward(Box::new(solutions)), ..self }
    }

    /// The network, and what its variables stand for.
    pub fn encoded(&self) -> &Encoded {
        &self.encoded
    }

    /// Fixes the state to the fluents that hold.
    pub fn set_state(&mut self, holds: impl Fn(FluentId) -> bool) -> Result<(), NotAState> {
        let values = self.encoded.positions.values_of(holds).ok_or(NotAState)?;
        let state = self.encoded.rounds[0].state.iter().copied();
        match self.solver.assume(state.zip(values)) {
            true => Ok(()),
            false => Err(NotAState),
        }
    }

    /// Whether all joint moves of the state were told.
    pub fn is_complete(&self) -> bool {
        self.solver.is_complete()
    }

    /// Whether the game has surely ended in the state.
    pub fn is_terminal(&self) -> bool {
        self.solver.values_left(self.encoded.terminal) == [1]
    }

    /// What a role gets in the state; 0 unless the game has ended, and for chance.
    pub fn score(&self, role: RoleId) -> i64 {
        let score = self.encoded.scores.iter().find(|(other, _)| *other == role);
        let value = score.and_then(|&(_, var)| {
            let place = self.solver.values_left(var).first().copied()?;
            Some(self.encoded.network.value(var, place))
        });
        value.unwrap_or(0)
    }

    /// The moves of a role that are not ruled out in the state.
    pub fn legal_moves(&self, role: RoleId) -> Vec<GroundMoveId> {
        let values = self.solver.values_left(self.encoded.rounds[0].actions[role]);
        values.into_iter().filter_map(|place| self.move_at(role, place)).collect()
    }

    fn move_at(&self, role: RoleId, place: u32) -> Option<GroundMoveId> {
        self.moves[role].clone().nth(place as usize).map(GroundMoveId::from_index)
    }

    /// The next joint move and what follows from it. If the game has ended, there is one: nothing
    /// happens.
    pub fn next_outcome(&mut self) -> Option<Outcome> {
        let values = self.solver.next_solution()?.to_vec();
        let round = &self.encoded.rounds[0];
        let value = |var: VarId| values[var.index()];
        let actions = round.actions.iter_with_ids();
        let moves = actions.map(|(role, &var)| self.move_at(role, value(var))).collect();
        let probability = self.random.map_or(1.0, |role| {
            let var = round.actions[role];
            let probabilities = self.encoded.network.probabilities(var, &values);
            probabilities.map_or(1.0, |all| all[value(var) as usize])
        });
        let next: Vec<u32> = round.next.iter().map(|&var| value(var)).collect();
        Some(Outcome { moves, probability, next: self.encoded.positions.fluents_of(&next) })
    }
}
