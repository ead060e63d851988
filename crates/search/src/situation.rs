//! What players know when they decide.

use std::fmt;
use std::hash::Hash;

use base::{Id as _, RoleId};
use encode::Information;
use game::{Game, MoveId, Unplayable, legal_of_all};
use scsp::Concept;

/// The value that is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Question {
    /// For whom.
    pub role: RoleId,
    /// What players want.
    pub concept: Concept,
    /// What players know.
    pub information: Information,
}

/// Why a game has no value that could be found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unsolvable {
    /// Its rules break a promise of GDL.
    Unplayable(Unplayable),
    /// Two roles know different things.
    NotShared {
        /// Their names.
        roles: [String; 2],
    },
    /// A role does not know of any move that it is legal.
    NoSureMove {
        /// Its name.
        role: String,
    },
}

impl fmt::Display for Unsolvable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unsolvable::Unplayable(problem) => problem.fmt(f),
            Unsolvable::NotShared { roles: [one, other] } => {
                write!(f, "{one} and {other} come to know different things")
            }
            Unsolvable::NoSureMove { role } => {
                write!(f, "{role} cannot know of any of its moves that it is legal")
            }
        }
    }
}

impl std::error::Error for Unsolvable {}

impl From<Unplayable> for Unsolvable {
    fn from(problem: Unplayable) -> Unsolvable {
        Unsolvable::Unplayable(problem)
    }
}

/// What may follow from a joint move.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Outcome<S> {
    /// The game ends, with this mean score.
    End(f64),
    /// It goes on.
    Situation(S),
}

/// What may follow from a joint move, with weights.
pub(crate) type Outcomes<S> = Vec<(f64, Outcome<S>)>;

/// A game as those see it who decide.
pub(crate) trait Situations {
    /// What is known when players decide.
    type Situation: Clone + Eq + Hash;

    /// Where it begins.
    fn initial(&mut self) -> Result<Outcome<Self::Situation>, Unsolvable>;

    /// By role: the moves among which it chooses. Chance does not choose: it has any one.
    fn legal(&mut self, situation: &Self::Situation) -> Result<Vec<Vec<MoveId>>, Unsolvable>;

    /// What may follow from a joint move, whatever it says for chance.
    fn outcomes(
        &mut self,
        situation: &Self::Situation,
        joint: &mut [MoveId],
    ) -> Result<Outcomes<Self::Situation>, Unsolvable>;

    /// How many states a situation holds.
    fn n_states(situation: &Self::Situation) -> usize;
}

/// A game in which all know everything.
pub(crate) struct FullyKnown<'g, G> {
    pub(crate) game: &'g mut G,
    pub(crate) role: RoleId,
}

impl<G: Game> FullyKnown<'_, G> {
    fn outcome(&mut self, state: G::State) -> Result<Outcome<G::State>, Unsolvable> {
        Ok(match self.game.is_terminal(&state) {
            true => Outcome::End(f64::from(self.game.goal(&state, self.role)?.value())),
            false => Outcome::Situation(state),
        })
    }
}

impl<G: Game> Situations for FullyKnown<'_, G> {
    type Situation = G::State;

    fn initial(&mut self) -> Result<Outcome<G::State>, Unsolvable> {
        let initial = self.game.initial();
        self.outcome(initial)
    }

    fn legal(&mut self, state: &G::State) -> Result<Vec<Vec<MoveId>>, Unsolvable> {
        let mut legal = legal_of_all(self.game, state)?;
        if let Some(random) = self.game.random() {
            legal[random.index()].truncate(1);
        }
        Ok(legal)
    }

    fn outcomes(
        &mut self,
        state: &G::State,
        joint: &mut [MoveId],
    ) -> Result<Outcomes<G::State>, Unsolvable> {
        let Some(random) = self.game.random() else {
            let next = self.game.next(state, joint);
            return Ok(vec![(1.0, self.outcome(next)?)]);
        };
        let mut moves = Vec::new();
        self.game.legal_moves(state, random, &mut moves);
        let mut outcomes = Vec::new();
        for chance in moves {
            joint[random.index()] = chance;
            let next = self.game.next(state, joint);
            outcomes.push((1.0, self.outcome(next)?));
        }
        Ok(outcomes)
    }

    fn n_states(_: &G::State) -> usize {
        1
    }
}
