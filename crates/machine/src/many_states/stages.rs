//! The stages of many states at once: what may be done in them, and what follows.

use base::bits::ones_of;
use base::{Id as _, RoleId};
use game::{After, Game, Goal, MoveId, OneByOne, Stages, no_moves};

use super::phase::{Moves, word_of};
use super::word::{N_LANES, Word};
use super::{ManyStates, wrong_goals};
use crate::bits::transpose;
use crate::one_state::BitState;

impl<G: Game<State = BitState>> Stages<G> for ManyStates {
    fn legal_in(
        &mut self,
        game: &mut G,
        states: &[&BitState],
        legal: &mut Vec<Vec<MoveId>>,
    ) -> Vec<(usize, MoveId)> {
        // What decides the game is seen by looking ahead only.
        if states.len() <= self.n_few && self.look_ahead.is_none() {
            return OneByOne.legal_in(game, states, legal);
        }
        let mut decisive = Vec::new();
        let n_roles = self.ground.roles.len();
        no_moves(legal, states.len() * n_roles);
        for (phase, places) in self.by_phase(states).into_iter().enumerate() {
            for places in places.chunks(N_LANES) {
                let put: Vec<&BitState> = places.iter().map(|&place| states[place]).collect();
                self.put(&put);
                let ended = self.evaluate(phase);
                let lanes = Word::first(places.len()) & !ended;
                self.read_legal(phase, lanes, |lane, role, id| {
                    legal[places[lane] * n_roles + role.index()].push(id);
                });
                self.read_decisive(phase, lanes, |lane, id| decisive.push((places[lane], id)));
            }
        }
        decisive
    }

    fn after(
        &mut self,
        game: &mut G,
        states: &[&BitState],
        joint_moves: &[MoveId],
        mut is_wanted: impl FnMut(usize) -> bool,
    ) -> Vec<After<BitState>> {
        if states.len() <= self.n_few && self.look_ahead.is_none() {
            return OneByOne.after(game, states, joint_moves, is_wanted);
        }
        let mut after: Vec<After<BitState>> = Vec::new();
        after.resize_with(states.len(), || After { state: None, goals: None, reply: None });
        for (phase, places) in self.by_phase(states).into_iter().enumerate() {
            for places in places.chunks(N_LANES) {
                let put: Vec<&BitState> = places.iter().map(|&place| states[place]).collect();
                self.put(&put);
                self.make(phase, places, joint_moves);
                let next = (phase + 1) % self.phases.len();
                let lanes = Word::first(places.len());
                let ended = self.evaluate(next) & lanes;
                let winning = self.winning(next) & lanes & !ended;
                let mut told = winning;
                for lane in (lanes & !ended & !winning).lanes() {
                    told.set(lane, is_wanted(places[lane]));
                }
                self.read_states(places, told, &mut after);
                self.read_goals(next, ended, |lane, goals| after[places[lane]].goals = Some(goals));
                self.read_replies(next, winning, |lane, goals| {
                    after[places[lane]].reply = Some(goals);
                });
            }
        }
        after
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

    /// Tells `note` the states in these places.
    pub(super) fn read_rows(&self, lanes: Word, mut note: impl FnMut(usize, &[u64])) {
        let fluents = &self.values[1..=self.ground.fluents.len()];
        let n_words = fluents.len().div_ceil(64);
        let mut words = vec![0; 64 * n_words];
        for (number, &lanes) in lanes.iter().enumerate().filter(|(_, lanes)| **lanes != 0) {
            for (word, fluents) in fluents.chunks(64).enumerate() {
                let mut rows = [0; 64];
                rows.iter_mut().zip(fluents).for_each(|(row, fluent)| *row = fluent[number]);
                transpose(&mut rows);
                let states = words.chunks_mut(n_words);
                states.zip(rows).for_each(|(state, row)| state[word] = row);
            }
            for lane in ones_of(lanes) {
                note(64 * number + lane, &words[lane * n_words..][..n_words]);
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

    /// Tells `note` the moves that are seen to decide the game in the states in `lanes`, which are evaluated.
    fn read_decisive(&mut self, phase: usize, lanes: Word, mut note: impl FnMut(usize, MoveId)) {
        let first_move = 1 + self.ground.fluents.len();
        let Some(look_ahead) = &mut self.look_ahead else { return };
        let Some(seen) = look_ahead.see(phase, &self.values[1..first_move]) else { return };
        let legal = &self.legal[seen.role()];
        for (&input, &word) in legal.inputs().iter().zip(legal.words()) {
            let id = MoveId::from_index(input as usize - first_move);
            (seen.decides(input) & word & lanes).lanes().for_each(|lane| note(lane, id));
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

    /// The plays in which the role whose turn it is wins at once, in the states that were evaluated last.
    /// Moves that do not are not legal any more in these.
    fn winning(&mut self, phase: usize) -> Word {
        let Some(look_ahead) = &mut self.look_ahead else { return Word::NONE };
        let fluents = &self.values[1..=self.ground.fluents.len()];
        look_ahead.narrow(phase, fluents, &mut self.legal)
    }

    /// Reads the states in the first places that are `told`.
    fn read_states(&self, places: &[usize], told: Word, after: &mut [After<BitState>]) {
        self.read_rows(told, |lane, state| {
            let state = BitState::from_words(state.iter().copied());
            after[places[lane]].state = Some(state);
        });
    }

    /// Makes a move that wins in the plays of `winning`, and reads what the roles get then.
    fn read_replies(&mut self, phase: usize, winning: Word, note: impl FnMut(usize, Vec<Goal>)) {
        if winning.is_none() {
            return;
        }
        let code = &self.phases.clone()[phase];
        for role in code.choosers() {
            let legal = &self.legal[role];
            let mut left = winning;
            for (&input, &word) in legal.inputs().iter().zip(legal.words()) {
                self.values[input as usize] = word & left;
                left = left & !word;
            }
        }
        code.successor.run(&mut self.values);
        code.move_on(&mut self.values, Word::NONE, &mut self.buffer);
        let next = (phase + 1) % self.phases.len();
        let ended = self.evaluate(next) & winning;
        self.read_goals(next, ended, note);
    }

    /// Reads what the roles get in the final states of the lanes `ended`, which are of a phase.
    fn read_goals(&mut self, phase: usize, ended: Word, mut note: impl FnMut(usize, Vec<Goal>)) {
        if ended.is_none() {
            return;
        }
        let phase = &self.phases.clone()[phase];
        phase.goals.run(&mut self.values);
        let n_roles = self.ground.roles.len();
        let mut goals = vec![Goal::ZERO; N_LANES * n_roles];
        for (role, lits) in phase.goal_lits.iter_with_ids() {
            let wrong = wrong_goals(&self.values, lits, &self.goal_values[role]);
            for (goal, &lit) in self.goal_values[role].iter().zip(lits) {
                let Some(goal) = goal else { continue };
                let right = word_of(&self.values, lit) & ended & !wrong;
                right.lanes().for_each(|lane| goals[lane * n_roles + role.index()] = *goal);
            }
        }
        ended.lanes().for_each(|lane| note(lane, goals[lane * n_roles..][..n_roles].to_vec()));
    }
}
