//! Random plays from many different states at once.

use base::{Id as _, IdVec, Rng, RoleId};
use game::{Game, Goal, MoveId, MovesMade, OneByOne, Outcome, Playouts, Unplayable};
use ground::{Lit, Phase};

use super::phase::word_of;
use super::word::{N_LANES, Word};
use super::{Collected, ManyStates};
use crate::one_state::BitState;

/// The plays under way, each from one of the states.
struct Batch<'a> {
    starts: &'a [BitState],
    /// The numbers of the states that are still to be played from, the next one last.
    waiting: Vec<usize>,
    /// By play: the state that it began with, and the round in which it did.
    began: Vec<(usize, u32)>,
    /// The plays that are over, or have not begun.
    idle: Word,
    /// By state: how the play from it ended.
    outcomes: Vec<Option<Outcome>>,
    /// The states whose plays have ended, by the place of the final state that was put aside.
    aside: Vec<usize>,
    /// By state: the moves that were made in the play from it, if somebody wants them.
    made: Option<&'a mut MovesMade>,
}

impl<G: Game<State = BitState>> Playouts<G> for ManyStates {
    fn play_out_all(
        &mut self,
        game: &mut G,
        starts: &[BitState],
        max_steps: usize,
        rng: &mut Rng,
        mut made: Option<&mut MovesMade>,
    ) -> Vec<Outcome> {
        if starts.len() > self.n_few {
            let n_steps = u32::try_from(max_steps).unwrap_or(u32::MAX);
            let outcomes = self.play_out_from(starts, n_steps, rng, made.as_deref_mut());
            // If one play cannot go on, all are made anew, to find out which.
            if let Ok(outcomes) = outcomes {
                return outcomes;
            }
        }
        OneByOne.play_out_all(game, starts, max_steps, rng, made)
    }
}

impl ManyStates {
    /// Plays from each of `starts` to the end, every role picking uniformly among its legal moves.
    ///
    /// The states are those of a [`OneState`](crate::OneState) of the same game. A play of more than
    /// `max_steps` joint moves is an error. A role without a goal, or with several, has 0 if that is
    /// allowed. The content of `made` is replaced by the moves of the plays.
    pub fn play_out_from(
        &mut self,
        starts: &[BitState],
        max_steps: u32,
        rng: &mut Rng,
        mut made: Option<&mut MovesMade>,
    ) -> Result<Vec<Outcome>, Unplayable> {
        if let Some(made) = &mut made {
            made.iter_mut().for_each(Vec::clear);
            made.resize(starts.len(), Vec::new());
        }
        let mut batch = Batch {
            starts,
            waiting: Vec::new(),
            began: vec![(0, 0); N_LANES],
            idle: Word::ALL,
            outcomes: vec![None; starts.len()],
            aside: Vec::new(),
            made,
        };
        for number in 0..self.phases.len() {
            let is_of_phase = |&start: &usize| self.phase_of(&starts[start]) == number;
            batch.waiting = (0..starts.len()).rev().filter(is_of_phase).collect();
            self.play_batch(&mut batch, number, max_steps, rng)?;
        }
        let outcomes = batch.outcomes.into_iter();
        Ok(outcomes.map(|outcome| outcome.expect("every state was played from")).collect())
    }

    /// The first phase that a state may be of. It need not be the one that it is reached in: what is
    /// known of a phase follows from what is known of the state.
    fn phase_of(&self, state: &BitState) -> usize {
        let fits = |phase: &Phase| {
            let known = phase.known[..self.ground.fluents.len()].iter().enumerate();
            known
                .flat_map(|(fluent, value)| value.map(|value| (fluent, value)))
                .all(|(fluent, value)| state.holds(fluent) == value)
        };
        self.ground.phases.iter().position(fits).expect("every state is of some phase")
    }

    /// Plays from all that is waiting, which is of phase `first`.
    fn play_batch(
        &mut self,
        batch: &mut Batch,
        first: usize,
        max_steps: u32,
        rng: &mut Rng,
    ) -> Result<(), Unplayable> {
        self.n_rounds = 0;
        let n_phases = self.phases.len();
        loop {
            let number = (first + self.n_rounds as usize) % n_phases;
            if number == first {
                let n_fluents = self.ground.fluents.len();
                batch.begin(&mut self.values[1..=n_fluents], self.n_rounds);
            }
            if batch.idle == Word::ALL {
                break;
            }
            let ended = self.evaluate(number) & !batch.idle;
            self.end_batch_plays(batch, number, ended)?;
            batch.idle = batch.idle | ended;
            let under_way = !batch.idle;
            let oldest = under_way.lanes().map(|lane| batch.began[lane].1).min();
            if oldest.is_some_and(|oldest| self.n_rounds - oldest >= max_steps) {
                return Err(Unplayable::NoEnd { n_steps: max_steps as usize });
            }
            self.move_on(number, batch.idle, Word::NONE, rng)?;
            self.note_moves(batch, number);
        }
        self.count_batch_collected(batch)
    }

    /// Notes the moves that were made last, by roles that had a choice.
    fn note_moves(&self, batch: &mut Batch, number: usize) {
        let Some(made) = &mut batch.made else { return };
        let first_move = 1 + self.ground.fluents.len();
        for role in self.phases[number].choosers() {
            let legal = &self.legal[role];
            for (&input, word) in legal.inputs().iter().zip(legal.words()) {
                let id = MoveId::from_index(input as usize - first_move);
                for lane in word.lanes() {
                    made[batch.began[lane].0].push((role, id));
                }
            }
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
            let (start, began) = batch.began[lane];
            let n_steps = (self.n_rounds - began) as usize;
            batch.outcomes[start] = Some(Outcome { n_steps, goals: Vec::new() });
        }
        if self.collected.is_none() {
            let phase = &self.phases.clone()[number];
            phase.goals.run(&mut self.values);
            for lane in ended.lanes() {
                let goals = self.goals_in(&self.values, &phase.goal_lits, lane)?;
                batch.set_goals(batch.began[lane].0, goals);
            }
            return Ok(());
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
        for lane in lanes.lanes() {
            let goals = self.goals_in(&collected.values, &collected.goal_lits, lane)?;
            batch.set_goals(batch.aside[lane], goals);
        }
        batch.aside.clear();
        Ok(())
    }

    /// The goals of all roles in one state.
    fn goals_in(
        &self,
        values: &[Word],
        goal_lits: &IdVec<RoleId, Vec<Lit>>,
        lane: usize,
    ) -> Result<Vec<Goal>, Unplayable> {
        let goal_of = |(role, lits): (RoleId, &Vec<Lit>)| {
            let goals = self.goal_values[role].iter().zip(lits);
            let mut holding = goals.filter(|(_, lit)| word_of(values, **lit).has(lane));
            match (holding.next(), holding.next()) {
                (Some((Some(goal), _)), None) => Ok(*goal),
                _ if self.allows_wrong_goals => Ok(Goal::ZERO),
                _ => Err(self.wrong_goals_error(role, values, lits, lane)),
            }
        };
        goal_lits.iter_with_ids().map(goal_of).collect()
    }
}

impl Batch<'_> {
    fn set_goals(&mut self, start: usize, goals: Vec<Goal>) {
        let outcome = self.outcomes[start].as_mut().expect("its length was noted before");
        outcome.goals = goals;
    }

    /// Puts states that are waiting into the places that are idle.
    fn begin(&mut self, fluents: &mut [Word], n_rounds: u32) {
        let mut begun = Word::NONE;
        self.idle.lanes().take(self.waiting.len()).for_each(|lane| begun.set(lane, true));
        if begun.is_none() {
            return;
        }
        self.idle = self.idle & !begun;
        fluents.iter_mut().for_each(|word| *word = *word & !begun);
        for lane in begun.lanes() {
            let start = self.waiting.pop().expect("as many begin as are waiting");
            self.began[lane] = (start, n_rounds);
            self.starts[start].ones().for_each(|fluent| fluents[fluent].set(lane, true));
        }
    }
}
