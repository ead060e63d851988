//! The stages of many states at once: what may be done in them, and what follows.

use base::{Id as _, RoleId};
use game::{After, Game, Goal, MoveId, OneByOne, Stages};

use super::phase::{Moves, word_of};
use super::word::{N_LANES, Word};
use super::{ManyStates, wrong_goals};
use crate::bits::transpose;
use crate::one_state::BitState;

impl<G: Game<State = BitState>> Stages<G> for ManyStates {
    fn legal_in(&mut self, game: &mut G, states: &[&BitState], legal: &mut Vec<Vec<MoveId>>) {
        if states.len() <= self.n_few {
            return OneByOne.legal_in(game, states, legal);
        }
        let n_roles = self.ground.roles.len();
        legal.iter_mut().for_each(Vec::clear);
        legal.resize_with(states.len() * n_roles, Vec::new);
        for (phase, places) in self.by_phase(states).into_iter().enumerate() {
            for places in places.chunks(N_LANES) {
                let put: Vec<&BitState> = places.iter().map(|&place| states[place]).collect();
                self.put(&put);
                let ended = self.evaluate(phase);
                let lanes = Word::first(places.len()) & !ended;
                self.read_legal(phase, lanes, |lane, role, id| {
                    legal[places[lane] * n_roles + role.index()].push(id);
                });
            }
        }
    }

    fn after(
        &mut self,
        game: &mut G,
        states: &[&BitState],
        joint_moves: &[MoveId],
    ) -> Vec<After<BitState>> {
        if states.len() <= self.n_few {
            return OneByOne.after(game, states, joint_moves);
        }
        let mut after: Vec<Option<After<BitState>>> = Vec::new();
        after.resize_with(states.len(), || None);
        for (phase, places) in self.by_phase(states).into_iter().enumerate() {
            for places in places.chunks(N_LANES) {
                let put: Vec<&BitState> = places.iter().map(|&place| states[place]).collect();
                self.put(&put);
                self.make(phase, places, joint_moves);
                let ended = self.evaluate((phase + 1) % self.phases.len());
                self.read_after((phase + 1) % self.phases.len(), ended, places, &mut after);
            }
        }
        after.into_iter().map(|after| after.expect("every state is of some phase")).collect()
    }
}

impl ManyStates {
    /// By phase: the places of the states that are of it.
    fn by_phase(&self, states: &[&BitState]) -> Vec<Vec<usize>> {
        let mut places = vec![Vec::new(); self.phases.len()];
        for (place, state) in states.iter().enumerate() {
            places[self.known.phase_of(state, 0)].push(place);
        }
        places
    }

    /// Puts states into the first places.
    fn put(&mut self, states: &[&BitState]) {
        let fluents = &mut self.values[1..=self.ground.fluents.len()];
        for (number, states) in states.chunks(64).enumerate() {
            for (word, fluents) in fluents.chunks_mut(64).enumerate() {
                let mut rows = [0; 64];
                rows.iter_mut().zip(states).for_each(|(row, state)| *row = state.words()[word]);
                transpose(&mut rows);
                fluents.iter_mut().zip(rows).for_each(|(fluent, column)| fluent[number] = column);
            }
        }
    }

    /// Tells `note` the legal moves of the states in `lanes`, which are evaluated.
    fn read_legal(&self, phase: usize, lanes: Word, mut note: impl FnMut(usize, RoleId, MoveId)) {
        let first_move = 1 + self.ground.fluents.len();
        let id_of = |input: u32| MoveId::from_index(input as usize - first_move);
        for (role, moves) in self.phases[phase].moves.iter_with_ids() {
            let mut note = |input, word: Word| {
                (word & lanes).lanes().for_each(|lane| note(lane, role, id_of(input)));
            };
            match moves {
                Moves::One(input, legal) => note(*input, word_of(&self.values, *legal)),
                Moves::Several(_) => {
                    let legal = &self.legal[role];
                    let moves = legal.inputs().iter().zip(legal.words());
                    moves.for_each(|(&input, &word)| note(input, word));
                }
            }
        }
    }

    /// Makes the joint moves of the states in the first places, which are of a phase: they become what follows.
    fn make(&mut self, phase: usize, places: &[usize], joint_moves: &[MoveId]) {
        let n_roles = self.ground.roles.len();
        let first_move = 1 + self.ground.fluents.len();
        self.evaluate(phase);
        let phase = &self.phases.clone()[phase];
        for role in phase.choosers() {
            for (lane, place) in places.iter().enumerate() {
                let id = joint_moves[place * n_roles + role.index()];
                self.values[first_move + id.index()].set(lane, true);
            }
        }
        phase.successor.run(&mut self.values);
        phase.move_on(&mut self.values, Word::NONE, &mut self.buffer);
    }

    /// Reads the states in the first places, which are of a phase, and what the roles get in those that are final.
    fn read_after(
        &mut self,
        phase: usize,
        ended: Word,
        places: &[usize],
        after: &mut [Option<After<BitState>>],
    ) {
        let mut words = vec![0; places.len() * self.ground.fluents.len().div_ceil(64)];
        let n_words = words.len() / places.len();
        let fluents = &self.values[1..=self.ground.fluents.len()];
        for (number, states) in words.chunks_mut(64 * n_words).enumerate() {
            for (word, fluents) in fluents.chunks(64).enumerate() {
                let mut rows = [0; 64];
                rows.iter_mut().zip(fluents).for_each(|(row, fluent)| *row = fluent[number]);
                transpose(&mut rows);
                let states = states.chunks_mut(n_words);
                states.zip(rows).for_each(|(state, row)| state[word] = row);
            }
        }
        for (&place, words) in places.iter().zip(words.chunks(n_words)) {
            let state = BitState::from_words(words.iter().copied());
            after[place] = Some(After { state, goals: None });
        }
        let ended = ended & Word::first(places.len());
        if ended.is_none() {
            return;
        }
        let phase = &self.phases.clone()[phase];
        phase.goals.run(&mut self.values);
        for lane in ended.lanes() {
            let after = after[places[lane]].as_mut().expect("it was read");
            after.goals = Some(vec![Goal::ZERO; self.ground.roles.len()]);
        }
        for (role, lits) in phase.goal_lits.iter_with_ids() {
            let wrong = wrong_goals(&self.values, lits, &self.goal_values[role]);
            for (goal, &lit) in self.goal_values[role].iter().zip(lits) {
                let Some(goal) = goal else { continue };
                for lane in (word_of(&self.values, lit) & ended & !wrong).lanes() {
                    let goals = after[places[lane]].as_mut().and_then(|after| after.goals.as_mut());
                    goals.expect("the game has ended")[role.index()] = *goal;
                }
            }
        }
    }
}
