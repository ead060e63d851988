//! Random plays from many different states at once.

use std::ops::Range;

use base::bits::ones_of;
use base::{Id as _, IdVec, Rng, RoleId};
use game::{
    Cut, Game, Habits, MoveId, MovesMade, Notes, OneByOne, Outcomes, Passed, Playouts, PlaysFrom,
    StatesPassed, Unplayable,
};
use ground::Lit;
use rand::Rng as _;

use super::phase::word_of;
use super::word::{N_LANES, Word};
use super::{Collected, ManyStates, first_lane, wrong_goals};
use crate::bits::transpose;
use crate::one_state::BitState;

/// The plays under way, each from one of the states.
struct Batch<'a> {
    plays: &'a PlaysFrom<'a, BitState>,
    /// By phase: the plays that are still to begin with it, the next one last.
    waiting: Vec<Vec<usize>>,
    /// By place: the play in it, and the round in which it began.
    began: Vec<(usize, u32)>,
    /// The places of plays that are over, or have not begun.
    idle: Word,
    outcomes: Outcomes,
    /// The plays that have ended, by the place of the final state that was put aside.
    aside: Vec<usize>,
    /// If somebody wants to know the moves: every play has a place of its own, and this play the first.
    first: Option<usize>,
}

impl<G: Game<State = BitState>> Playouts<G> for ManyStates {
    fn n_free(&self) -> usize {
        N_LANES
    }

    fn play_out_all(
        &mut self,
        game: &mut G,
        plays: &PlaysFrom<BitState>,
        rng: &mut Rng,
        mut notes: Notes<'_>,
    ) -> Outcomes {
        if plays.n_plays() > self.n_few {
            let outcomes = self.play_out_from(plays, rng, &mut notes);
            // If one play cannot go on, all are made anew, to find out which.
            if let Ok(outcomes) = outcomes {
                return outcomes;
            }
        }
        OneByOne.play_out_all(game, plays, rng, notes)
    }
}

impl ManyStates {
    /// Plays from each of some states to the end, every role picking uniformly among its legal moves, or as its
    /// habits are.
    ///
    /// The states are those of a [`OneState`](crate::OneState) of the same game. A play that is too long is an
    /// error. A role without a goal, or with several, has 0 if that is allowed. Of the notes the moves are replaced, and
    /// states added.
    pub fn play_out_from(
        &mut self,
        plays: &PlaysFrom<BitState>,
        rng: &mut Rng,
        notes: &mut Notes<'_>,
    ) -> Result<Outcomes, Unplayable> {
        let n_plays = plays.n_plays();
        let mut batch = Batch {
            plays,
            waiting: vec![Vec::new(); self.phases.len()],
            began: vec![(0, 0); N_LANES],
            idle: Word::ALL,
            outcomes: Outcomes::new(n_plays, self.ground.roles.len()),
            aside: Vec::new(),
            first: None,
        };
        let Notes { made, passed } = notes;
        let Some(made) = made else {
            self.wait(&mut batch, 0..n_plays);
            self.play_batch(&mut batch, rng, passed.as_deref_mut())?;
            return Ok(batch.outcomes);
        };
        made.clear(n_plays);
        // Plays that could not go on have left what was noted of them.
        for (_, input) in self.were_made.drain(..) {
            self.made[input as usize] = Word::NONE;
        }
        self.recurring.clear();
        for first in (0..n_plays).step_by(N_LANES) {
            batch.first = Some(first);
            self.wait(&mut batch, first..n_plays.min(first + N_LANES));
            self.play_batch(&mut batch, rng, passed.as_deref_mut())?;
            self.tell_moves(made, first / 64);
        }
        Ok(batch.outcomes)
    }

    /// Plays wait until they can begin.
    fn wait(&self, batch: &mut Batch, plays: Range<usize>) {
        for play in plays.rev() {
            let phase = self.known.phase_of(batch.plays.state_of(play), 0);
            batch.waiting[phase].push(play);
        }
    }

    /// Plays from all that is waiting. All plays under way are in the same phase, so that each begins in a
    /// round of its own.
    fn play_batch(
        &mut self,
        batch: &mut Batch,
        rng: &mut Rng,
        mut passed: Option<&mut StatesPassed>,
    ) -> Result<(), Unplayable> {
        self.n_rounds = 0;
        let max_steps = u32::try_from(batch.plays.max_steps).unwrap_or(u32::MAX);
        let n_fluents = self.ground.fluents.len();
        while batch.idle != Word::ALL || batch.waiting.iter().any(|waiting| !waiting.is_empty()) {
            let number = self.n_rounds as usize % self.phases.len();
            batch.begin(&mut self.values[1..=n_fluents], number, self.n_rounds);
            if batch.idle == Word::ALL {
                self.n_rounds += 1;
                continue;
            }
            let ended = self.evaluate(number) & !batch.idle;
            if let Some(look_ahead) = &mut self.look_ahead {
                let fluents = &self.values[1..=n_fluents];
                look_ahead.narrow(number, fluents, &mut self.legal);
            }
            if let Some(habits) = batch.plays.habits {
                self.follow(habits, number, rng);
            }
            self.end_batch_plays(batch, number, ended)?;
            batch.idle = batch.idle | ended;
            if let Some(passed) = &mut passed {
                self.note_states(batch, passed);
            }
            if let Some(cut) = batch.plays.cut {
                self.cut_off(batch, cut);
                if batch.idle == Word::ALL {
                    self.n_rounds += 1;
                    continue;
                }
            }
            if self.n_rounds >= max_steps && batch.n_steps_of_oldest(self.n_rounds) >= max_steps {
                return Err(Unplayable::NoEnd { n_steps: max_steps as usize });
            }
            self.move_on(number, batch.idle, Word::NONE, rng)?;
            self.note_moves(batch, number);
        }
        self.count_batch_collected(batch)
    }

    /// Notes the states of plays that have passed as many joint moves as somebody wants to know.
    fn note_states(&self, batch: &Batch, passed: &mut StatesPassed) {
        let lanes = batch.lanes_after(self.n_rounds, |n_steps| passed.is_wanted(n_steps));
        self.read_rows(lanes, |lane, state| {
            let (play, began) = batch.began[lane];
            passed.add(Passed { play, n_steps: self.n_rounds - began, state });
        });
    }

    /// Ends plays that have gone on long enough with what they seem to be worth.
    fn cut_off(&self, batch: &mut Batch, cut: Cut<'_>) {
        let lanes = batch.lanes_after(self.n_rounds, |n_steps| n_steps >= cut.n_steps);
        let mut values = Vec::new();
        let Batch { began, outcomes, .. } = batch;
        self.read_rows(lanes, |lane, state| {
            let (play, began) = began[lane];
            outcomes.set_n_steps(play, self.n_rounds - began);
            cut.worth.estimate(state, &mut values);
            outcomes.cut_off(play, &values);
        });
        batch.idle = batch.idle | lanes;
    }

    /// Leaves of the legal moves of each play those that habits leave for this time, which chance picks.
    fn follow(&mut self, habits: &Habits, number: usize, rng: &mut Rng) {
        let first_move = 1 + self.ground.fluents.len();
        let phase = &self.phases.clone()[number];
        for role in phase.choosers().filter(|role| Some(*role) != self.ground.random) {
            let random = [(); 2].map(|()| Word::from_fn(|_| rng.next_u64()));
            let legal = &mut self.legal[role];
            self.classes.clear();
            let ids = legal.inputs().iter().map(|&input| input as usize - first_move);
            self.classes.extend(ids.map(|number| habits.class(MoveId::from_index(number))));
            keep_by_class(legal.moves_mut().0, &self.classes, random);
        }
    }

    /// Notes the moves that were made last, by roles that had a choice, if somebody wants to know.
    fn note_moves(&mut self, batch: &Batch, number: usize) {
        if batch.first.is_none() {
            return;
        }
        self.made.resize(self.made.len().max(self.n_inputs()), Word::NONE);
        for role in self.phases[number].choosers() {
            let legal = &self.legal[role];
            for (&input, &word) in legal.inputs().iter().zip(legal.words()) {
                let made = &mut self.made[input as usize];
                if made.is_none() {
                    self.were_made.push((role, input));
                }
                if !(*made & word).is_none() {
                    self.recurring.push((role, input));
                }
                *made = *made | word;
            }
        }
    }

    fn n_inputs(&self) -> usize {
        1 + self.ground.fluents.len() + self.ground.moves.len()
    }

    /// Tells the moves that were noted, and forgets them.
    fn tell_moves(&mut self, told: &mut MovesMade, first_word: usize) {
        let first_move = 1 + self.ground.fluents.len();
        let id_of = |input: u32| MoveId::from_index(input as usize - first_move);
        for (role, input) in self.were_made.drain(..) {
            let plays = std::mem::replace(&mut self.made[input as usize], Word::NONE);
            told.add(role, id_of(input), first_word, &plays[..]);
        }
        self.recurring.sort_unstable();
        self.recurring.dedup();
        for (role, input) in self.recurring.drain(..) {
            told.add_recurring(role, id_of(input));
        }
    }

    /// Notes how the plays `ended` have ended.
    fn end_batch_plays(
        &mut self,
        batch: &mut Batch,
        number: usize,
        ended: Word,
    ) -> Result<(), Unplayable> {
        if ended.is_none() {
            return Ok(());
        }
        for lane in ended.lanes() {
            let (play, began) = batch.began[lane];
            batch.outcomes.set_n_steps(play, self.n_rounds - began);
        }
        if self.collected.is_none() {
            let phase = &self.phases.clone()[number];
            phase.goals.run(&mut self.values);
            let play_in = |lane: usize| batch.began[lane].0;
            let outcomes = &mut batch.outcomes;
            return self.note_goals(&self.values, &phase.goal_lits, ended, play_in, outcomes);
        }
        for lane in ended.lanes() {
            if self.collected.as_ref().is_some_and(Collected::is_full) {
                self.count_batch_collected(batch)?;
            }
            self.collected.iter_mut().for_each(|states| states.add(&self.values, lane));
            batch.aside.push(batch.began[lane].0);
        }
        Ok(())
    }

    /// Notes the goals of the states that were put aside.
    fn count_batch_collected(&mut self, batch: &mut Batch) -> Result<(), Unplayable> {
        let Some(collected) = &mut self.collected else { return Ok(()) };
        let lanes = collected.evaluate();
        let Some(collected) = &self.collected else { return Ok(()) };
        let play_in = |lane: usize| batch.aside[lane];
        let outcomes = &mut batch.outcomes;
        self.note_goals(&collected.values, &collected.goal_lits, lanes, play_in, outcomes)?;
        batch.aside.clear();
        Ok(())
    }

    /// Notes the goals of all roles in the states of `lanes`.
    fn note_goals(
        &self,
        values: &[Word],
        goal_lits: &IdVec<RoleId, Vec<Lit>>,
        lanes: Word,
        play_in: impl Fn(usize) -> usize,
        outcomes: &mut Outcomes,
    ) -> Result<(), Unplayable> {
        for (role, lits) in goal_lits.iter_with_ids() {
            let wrong = lanes & wrong_goals(values, lits, &self.goal_values[role]);
            if !wrong.is_none() && !self.allows_wrong_goals {
                return Err(self.wrong_goals_error(role, values, lits, first_lane(wrong)));
            }
            for (goal, &lit) in self.goal_values[role].iter().zip(lits) {
                let right = word_of(values, lit) & lanes & !wrong;
                let Some(goal) = goal else { continue };
                right.lanes().for_each(|lane| outcomes.set_goal(play_in(lane), role, *goal));
            }
        }
        Ok(())
    }
}

impl Batch<'_> {
    /// How many joint moves the oldest play has that is under way.
    fn n_steps_of_oldest(&self, n_rounds: u32) -> u32 {
        let under_way = !self.idle;
        under_way.lanes().map(|lane| n_rounds - self.began[lane].1).max().unwrap_or(0)
    }

    /// The plays under way that have made a number of joint moves for which something holds.
    fn lanes_after(&self, n_rounds: u32, holds: impl Fn(u32) -> bool) -> Word {
        let mut lanes = Word::NONE;
        let under_way = !self.idle;
        let after = under_way.lanes().filter(|&lane| holds(n_rounds - self.began[lane].1));
        after.for_each(|lane| lanes.set(lane, true));
        lanes
    }

    /// Puts states of a phase that are waiting into the places that are idle.
    fn begin(&mut self, fluents: &mut [Word], phase: usize, n_rounds: u32) {
        let mut begun = Word::NONE;
        for idle in self.idle.lanes() {
            let Some(play) = self.waiting[phase].pop() else { break };
            let lane = self.first.map_or(idle, |first| play - first);
            self.began[lane] = (play, n_rounds);
            begun.set(lane, true);
        }
        self.idle = self.idle & !begun;
        for (number, &lanes) in begun.iter().enumerate().filter(|(_, lanes)| **lanes != 0) {
            let state_in = |lane: usize| self.plays.state_of(self.began[64 * number + lane].0);
            for (word, fluents) in fluents.chunks_mut(64).enumerate() {
                let mut rows = [0; 64];
                ones_of(lanes).for_each(|lane| rows[lane] = state_in(lane).words()[word]);
                transpose(&mut rows);
                for (fluent, column) in fluents.iter_mut().zip(rows) {
                    fluent[number] = fluent[number] & !lanes | column;
                }
            }
        }
    }
}

/// Leaves in each play the moves of a class that two random bits pick, and of better ones; if there are none, those
/// of the best class that it has.
#[multiversion::multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn keep_by_class(legal: &mut [Word], classes: &[u8], [first, second]: [Word; 2]) {
    let picked = [first & second, first & !second, !first & second];
    let mut open = Word::NONE;
    for (class, picked) in (0..Habits::N_CLASSES - 1).zip(picked) {
        open = open | picked;
        let up_to = legal.iter().zip(classes).filter(|(_, of_move)| **of_move <= class);
        let found = up_to.fold(Word::NONE, |any, (&word, _)| any | word) & open;
        let others = legal.iter_mut().zip(classes).filter(|(_, of_move)| **of_move > class);
        others.for_each(|(word, _)| *word = *word & !found);
        open = open & !found;
    }
}
