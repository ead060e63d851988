//! Stages that are solved on the constraint network of a game, one state after the other.

use base::bits::has;
use base::{Id as _, Rng};
use encode::{Encoding, Stage};
use game::{
    After, Game as _, MoveId, Notes, Outcomes, Playouts, PlaysFrom, Stages, legal_moves_of,
    no_moves,
};
use ground::{FluentId, GroundProgram};
use machine::{BitState, ManyStates, OneState};
use scsp::Budget;

/// How networks are solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Solver {
    /// By maintaining arc consistency, in the encoding of the papers of 2015 and 2016.
    Mac,
    /// By forward checking, in the same encoding.
    Forward,
    /// By maintaining arc consistency, in the encoding of the paper of 2017.
    MacOnFluents,
}

/// The network of a stage, as a solver has it. `None` if the game has none.
pub(crate) fn stage_of(ground: &GroundProgram, solver: Solver) -> Option<Box<Stage>> {
    /// As many tuples of a table are written out.
    const MAX_TUPLES: usize = 4_096;
    /// As many values are tried in a state. More are needed where rules depend on each other, as in hex.
    const MAX_NODES: u64 = 2_000;
    let encoding = match solver {
        Solver::Mac | Solver::Forward => Encoding::Atoms,
        Solver::MacOnFluents => Encoding::Fluents,
    };
    let stage = Stage::new(ground, encoding, MAX_TUPLES).ok()?;
    Some(Box::new(match solver {
        Solver::Mac | Solver::MacOnFluents => stage,
        Solver::Forward => {
            stage.with_forward_checking(Budget { max_nodes: MAX_NODES, ..Budget::UNLIMITED })
        }
    }))
}

/// A machine whose legal moves are the solutions of a network.
#[derive(Clone, Debug)]
pub(crate) struct OnNetwork {
    pub(crate) stage: Box<Stage>,
    pub(crate) many: ManyStates,
}

impl Playouts<OneState> for OnNetwork {
    fn n_free(&self) -> usize {
        Playouts::<OneState>::n_free(&self.many)
    }

    fn play_out_all(
        &mut self,
        game: &mut OneState,
        plays: &PlaysFrom<BitState>,
        rng: &mut Rng,
        notes: Notes<'_>,
    ) -> Outcomes {
        self.many.play_out_all(game, plays, rng, notes)
    }
}

impl Stages<OneState> for OnNetwork {
    fn legal_in(
        &mut self,
        game: &mut OneState,
        states: &[&BitState],
        legal: &mut Vec<Vec<MoveId>>,
    ) -> Vec<(usize, MoveId)> {
        let n_roles = game.roles().len();
        no_moves(legal, states.len() * n_roles);
        for (state, legal) in states.iter().zip(legal.chunks_mut(n_roles)) {
            if !self.solve(state, legal) {
                legal_moves_of(game, state, legal);
            }
        }
        Vec::new()
    }

    fn after(
        &mut self,
        game: &mut OneState,
        states: &[&BitState],
        joint_moves: &[MoveId],
        is_wanted: impl FnMut(usize) -> bool,
    ) -> Vec<After<BitState>> {
        self.many.after(game, states, joint_moves, is_wanted)
    }
}

impl OnNetwork {
    /// Adds the legal moves of a state, by role: those of all solutions. There are none if the game has ended, or cannot
    /// go on. Whether all were found.
    fn solve(&mut self, state: &BitState, legal: &mut [Vec<MoveId>]) -> bool {
        let holds = |fluent: FluentId| has(state.words(), fluent.index());
        // Where somebody who should move cannot, the network has no solution.
        if self.stage.set_state(holds).is_err() || self.stage.is_terminal() {
            return true;
        }
        while let Some(outcome) = self.stage.next_outcome() {
            for (legal, made) in legal.iter_mut().zip(outcome.moves.iter()) {
                legal.extend(made.map(|id| MoveId::from_index(id.index())));
            }
        }
        for legal in legal {
            legal.sort_unstable();
            legal.dedup();
        }
        self.stage.is_complete()
    }
}

#[cfg(test)]
mod tests {
    use base::{Deadline, seeded_rng};
    use game::{Game, OneByOne, random_joint_move};

    use super::*;

    /// The solutions of the network are the legal moves, however it is solved.
    #[test]
    fn solutions_are_legal_moves() {
        for name in ["tic-tac-toe", "connect-four", "kaseklau", "hidden-matching-pennies"] {
            let rules = games::find(name).expect("it is embedded").rules;
            let program = program::check(&gdl::parse_kif(rules)).program.expect("no errors");
            let limits = ground::Limits { deadline: Deadline::NEVER, max_literals: 1_000_000 };
            let ground = ground::ground(&program, &limits).expect("it is small");
            let mut game = OneState::new(ground.clone());
            let mut rng = seeded_rng(1);
            let mut states = vec![game.initial()];
            while states.len() < 30 && !game.is_terminal(&states[states.len() - 1]) {
                let last = states[states.len() - 1].clone();
                let joint_move = random_joint_move(&mut game, &last, &mut rng).expect("playable");
                states.push(game.next(&last, &joint_move));
            }
            let states: Vec<&BitState> = states.iter().collect();
            let mut expected = Vec::new();
            OneByOne.legal_in(&mut game, &states, &mut expected);
            expected.iter_mut().for_each(|legal| legal.sort_unstable());
            for solver in [Solver::Mac, Solver::Forward, Solver::MacOnFluents] {
                let stage = stage_of(&ground, solver).expect("it has a network");
                let many = ManyStates::new(ground.clone());
                let mut found = Vec::new();
                OnNetwork { stage, many }.legal_in(&mut game, &states, &mut found);
                assert_eq!(found, expected, "{name}, {solver:?}");
            }
        }
    }
}
