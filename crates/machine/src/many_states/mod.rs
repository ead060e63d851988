//! Many states at once: a bit of a word for each of 512 plays.
//!
//! The network of a ground program is evaluated with bitwise operations on words whose bits are
//! different plays. In each of them every role picks uniformly among its legal moves. A play that
//! has ended reports its goals and gives its place to a new one, so that no place stands idle.

mod choice;
mod code;
mod collected;
mod from_states;
mod gathering;
mod legal;
mod look_ahead;
mod phase;
mod stages;
mod word;

use base::{IdVec, Rng, RoleId};
use game::{Goal, Unplayable};
use ground::{GroundProgram, Lit};

use crate::one_state::OneState;
use crate::phases::KnownWords;
use choice::Choice;
use collected::Collected;
use legal::Legal;
use look_ahead::LookAhead;
use phase::{Moves, PhaseCode, word_of};
pub use word::N_LANES;
use word::Word;

/// A game of which many random plays go on at the same time.
#[derive(Clone, Debug)]
pub struct ManyStates {
    ground: std::sync::Arc<GroundProgram>,
    /// New plays begin only with the first phase, so that all plays are in the same one. Where
    /// players take turns, the moves of all but one need not be looked at.
    phases: std::sync::Arc<[PhaseCode]>,
    known: std::sync::Arc<KnownWords>,
    /// Where final states are put aside, if that pays.
    collected: Option<Collected>,
    /// By role: its goals, `None` for what is no number from 0 to 100.
    goal_values: IdVec<RoleId, Vec<Option<Goal>>>,
    allows_wrong_goals: bool,
    choice: Choice,
    /// By node of the phase: the plays in which it holds.
    values: Vec<Word>,
    buffer: Vec<Word>,
    /// By role that has a choice: its legal moves, and when these were chosen, those that are made.
    legal: IdVec<RoleId, Legal>,
    /// The plays that wait for the first phase to begin anew.
    waiting: Word,
    n_rounds: u32,
    /// By play: the round in which it began.
    began: Vec<u32>,
    /// So many plays from states are made one after the other.
    n_few: usize,
    /// How moves that win or lose at once are found in plays from states, if that matters.
    look_ahead: Option<LookAhead>,
    /// By input: the plays in which its move was made, where somebody wants to know; and the moves that were.
    made: Vec<Word>,
    were_made: Vec<(RoleId, u32)>,
    /// The moves that were made once more in some play, as often as that was seen.
    recurring: Vec<(RoleId, u32)>,
    /// By legal move: its class, as habits have it.
    classes: Vec<u8>,
}

/// What many random plays came to.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Sample {
    /// The plays that ended.
    pub n_playouts: u64,
    /// The joint moves of these.
    pub n_steps: u64,
    /// By role: the sum of its goals.
    pub goal_sums: Vec<u64>,
    /// The plays that ended without one goal for each role, which the sums leave out. There are none
    /// unless they were allowed by [`ManyStates::allow_wrong_goals`].
    pub n_wrong: u64,
}

impl Sample {
    /// Adds the plays of another sample of the same game.
    pub fn add(&mut self, other: &Sample) {
        self.n_playouts += other.n_playouts;
        self.n_steps += other.n_steps;
        self.n_wrong += other.n_wrong;
        self.goal_sums.resize(other.goal_sums.len(), 0);
        for (sum, other) in self.goal_sums.iter_mut().zip(&other.goal_sums) {
            *sum += other;
        }
    }
}

impl ManyStates {
    /// Many plays of the game of `ground`.
    pub fn new(ground: GroundProgram) -> ManyStates {
        let phases: std::sync::Arc<[PhaseCode]> =
            ground.phases.iter().map(|phase| PhaseCode::new(&ground, phase)).collect();
        let n_nodes = phases.iter().map(PhaseCode::n_nodes).max().unwrap_or_default();
        let mut values = vec![Word::NONE; n_nodes];
        values[0] = Word::ALL;
        let goals_of =
            |goals: &Vec<(String, Lit)>| goals.iter().map(|(text, _)| Goal::parse(text)).collect();
        ManyStates {
            collected: pays_to_collect(&ground, &phases).then(|| Collected::new(&ground)),
            goal_values: ground.formulas.goals.iter().map(goals_of).collect(),
            allows_wrong_goals: false,
            choice: Choice::default(),
            values,
            buffer: Vec::new(),
            legal: ground.roles.ids().map(|role| Legal::new(max_moves(&phases, role))).collect(),
            waiting: Word::NONE,
            n_rounds: 0,
            began: vec![0; N_LANES],
            n_few: 0,
            look_ahead: None,
            made: Vec::new(),
            were_made: Vec::new(),
            recurring: Vec::new(),
            classes: Vec::new(),
            known: KnownWords::new(&ground).into(),
            phases,
            ground: ground.into(),
        }
    }

    /// Counts plays that end without one goal for each role, where it otherwise is an error. Some
    /// published games have such ends, mostly where the number of moves is limited.
    pub fn allow_wrong_goals(&mut self) {
        self.allows_wrong_goals = true;
    }

    /// Leaves few plays from states to `one`, which makes them one after the other: a step of all plays takes as
    /// long for one of them as for all. What is few is found by counting work, not time, so that it is the same
    /// every time.
    pub fn leave_few_to(&mut self, one: &OneState) {
        /// Nanoseconds for a step and for what it reads, as they were for 60 games of all sizes; most games are
        /// within half and twice of that.
        const STEP: f64 = 1_500.0;
        const WORD: f64 = 1.5;
        const ONE_STEP: f64 = 180.0;
        const ONE_LINK: f64 = 4.0;
        let n_words: usize = self.phases.iter().map(PhaseCode::cost).sum();
        let n_words = n_words as f64 / self.phases.len() as f64;
        let for_all = STEP + WORD * n_words;
        let for_one = ONE_STEP + ONE_LINK * one.links_a_step();
        self.n_few = (for_all / for_one) as usize;
    }

    /// From now on roles look ahead in plays from states: one stage to make moves that win at once where they see
    /// them, two to make those after which they win at once, too, and none after which another role does, if they have
    /// others. Whether they do: it is not done where it would cost too much.
    pub fn look_ahead(&mut self, n_stages: usize) -> bool {
        self.look_ahead = LookAhead::new(&self.ground, n_stages);
        self.look_ahead.is_some()
    }

    /// Plays from the initial state until at least `n_playouts` plays have ended.
    ///
    /// A play of more than `max_steps` joint moves is an error. Plays that are under way when
    /// enough have ended are forgotten; which play ends first does not depend on its place, but
    /// short ones are found first, so ask for many more than there are places.
    pub fn sample(
        &mut self,
        n_playouts: u64,
        max_steps: u32,
        rng: &mut Rng,
    ) -> Result<Sample, Unplayable> {
        self.sample_while(|sample| sample.n_playouts < n_playouts, max_steps, rng)
    }

    /// Plays from the initial state for as long as `goes_on` says so of the plays that have ended,
    /// and until one has; otherwise as [`ManyStates::sample`]. It is asked now and then.
    pub fn sample_while(
        &mut self,
        goes_on: impl Fn(&Sample) -> bool,
        max_steps: u32,
        rng: &mut Rng,
    ) -> Result<Sample, Unplayable> {
        const ROUNDS_BETWEEN: usize = 16;
        let n_roles = self.ground.roles.len();
        let mut sample = Sample { goal_sums: vec![0; n_roles], ..Sample::default() };
        self.start();
        while sample.n_playouts == 0 || goes_on(&sample) {
            for _ in 0..ROUNDS_BETWEEN {
                self.step(rng, &mut sample)?;
            }
            let oldest = self.began.iter().min().expect("there are plays");
            if self.n_rounds - oldest > max_steps {
                return Err(Unplayable::NoEnd { n_steps: max_steps as usize });
            }
        }
        self.count_collected(&mut sample)?;
        Ok(sample)
    }

    /// All plays begin.
    fn start(&mut self) {
        self.phases[0].start(&mut self.values);
        (self.waiting, self.n_rounds) = (Word::NONE, 0);
        self.began.fill(0);
        self.collected.iter_mut().for_each(Collected::clear);
    }

    /// One joint move in every play; those that have ended are counted, and begin anew with the
    /// first phase.
    fn step(&mut self, rng: &mut Rng, sample: &mut Sample) -> Result<(), Unplayable> {
        let number = self.n_rounds as usize % self.phases.len();
        let ended = self.evaluate(number) & !self.waiting;
        if !ended.is_none() {
            self.end_plays(&self.phases.clone()[number], ended, sample)?;
        }
        let idle = ended | self.waiting;
        let is_last = number + 1 == self.phases.len();
        let fresh = if is_last { idle } else { Word::NONE };
        self.move_on(number, idle, fresh, rng)?;
        fresh.lanes().for_each(|lane| self.began[lane] = self.n_rounds);
        self.waiting = if is_last { Word::NONE } else { idle };
        Ok(())
    }

    /// Evaluates the states, which are of the phase `number`. Returns the plays that have ended.
    fn evaluate(&mut self, number: usize) -> Word {
        for legal in self.legal.iter_mut() {
            clear(&mut self.values, legal.inputs());
            legal.clear();
        }
        self.phases[number].evaluate(&mut self.values, &mut self.legal)
    }

    /// One joint move in every play that is not `idle`, after which those in `fresh` are in the
    /// initial state.
    fn move_on(
        &mut self,
        number: usize,
        idle: Word,
        fresh: Word,
        rng: &mut Rng,
    ) -> Result<(), Unplayable> {
        let phase = &self.phases.clone()[number];
        self.choose_moves(phase, idle, rng)?;
        phase.successor.run(&mut self.values);
        self.n_rounds += 1;
        phase.move_on(&mut self.values, fresh, &mut self.buffer);
        Ok(())
    }

    fn choose_moves(
        &mut self,
        phase: &PhaseCode,
        idle: Word,
        rng: &mut Rng,
    ) -> Result<(), Unplayable> {
        for (role, moves) in phase.moves.iter_with_ids() {
            let outcome = match moves {
                Moves::One(_, legal) => {
                    let legal = word_of(&self.values, *legal);
                    let stuck = !legal & !idle;
                    if stuck.is_none() { Ok(()) } else { Err(stuck) }
                }
                Moves::Several(_) => self.choose(role, idle, rng),
            };
            if let Err(stuck) = outcome {
                let state = self.state_text(&self.values, first_lane(stuck));
                let role = self.ground.roles[role].clone();
                return Err(Unplayable::NoLegalMove { role, state });
            }
        }
        Ok(())
    }

    /// A move of a role in each play. Fails with the plays that have none.
    fn choose(&mut self, role: RoleId, idle: Word, rng: &mut Rng) -> Result<(), Word> {
        let legal = &mut self.legal[role];
        self.choice.choose(legal, idle, rng)?;
        scatter(&mut self.values, legal.inputs(), legal.words());
        Ok(())
    }

    /// Counts the plays that have ended.
    fn end_plays(
        &mut self,
        phase: &PhaseCode,
        ended: Word,
        sample: &mut Sample,
    ) -> Result<(), Unplayable> {
        let began = &self.began;
        sample.n_steps +=
            ended.lanes().map(|lane| u64::from(self.n_rounds - began[lane])).sum::<u64>();
        sample.n_playouts += ended.n_lanes();
        if self.collected.is_none() {
            phase.goals.run(&mut self.values);
            return self.count_goals(&self.values, &phase.goal_lits, ended, sample);
        }
        for lane in ended.lanes() {
            if self.collected.as_ref().is_some_and(Collected::is_full) {
                self.count_collected(sample)?;
            }
            self.collected.iter_mut().for_each(|states| states.add(&self.values, lane));
        }
        Ok(())
    }

    /// Counts the goals of the states that were put aside.
    fn count_collected(&mut self, sample: &mut Sample) -> Result<(), Unplayable> {
        let Some(collected) = &mut self.collected else { return Ok(()) };
        let lanes = collected.evaluate();
        let Some(collected) = &self.collected else { return Ok(()) };
        self.count_goals(&collected.values, &collected.goal_lits, lanes, sample)
    }

    /// Adds the goals in the states of `lanes`, in each of which a role must have one.
    fn count_goals(
        &self,
        values: &[Word],
        goal_lits: &IdVec<RoleId, Vec<Lit>>,
        lanes: Word,
        sample: &mut Sample,
    ) -> Result<(), Unplayable> {
        let mut right = lanes;
        for (role, lits) in goal_lits.iter_with_ids() {
            let wrong = lanes & wrong_goals(values, lits, &self.goal_values[role]);
            if !wrong.is_none() && !self.allows_wrong_goals {
                return Err(self.wrong_goals_error(role, values, lits, first_lane(wrong)));
            }
            right = right & !wrong;
        }
        sample.n_wrong += lanes.n_lanes() - right.n_lanes();
        for (role, goal_sum) in self.goal_values.ids().zip(&mut sample.goal_sums) {
            for (goal, &lit) in self.goal_values[role].iter().zip(&goal_lits[role]) {
                let n_plays = (word_of(values, lit) & right).n_lanes();
                *goal_sum += goal.map_or(0, |goal| u64::from(goal.value()) * n_plays);
            }
        }
        Ok(())
    }

    fn wrong_goals_error(
        &self,
        role: RoleId,
        values: &[Word],
        lits: &[Lit],
        lane: usize,
    ) -> Unplayable {
        let texts = self.ground.formulas.goals[role].iter().zip(lits);
        let texts = texts.filter(|(_, lit)| word_of(values, **lit).has(lane));
        let texts = texts.map(|((text, _), _)| text.clone()).collect();
        Unplayable::wrong_goals(&self.ground.roles[role], texts, self.state_text(values, lane))
    }

    fn state_text(&self, values: &[Word], lane: usize) -> Vec<String> {
        self.ground.state_text(|fluent| values[1 + fluent].has(lane))
    }
}

/// The plays in which a role has no goal, or several. What is no goal value is as wrong as a second
/// one.
fn wrong_goals(values: &[Word], lits: &[Lit], goals: &[Option<Goal>]) -> Word {
    let (mut one, mut several) = (Word::NONE, Word::NONE);
    for (goal, &lit) in goals.iter().zip(lits) {
        let holds = word_of(values, lit);
        several = several | (holds & if goal.is_some() { one } else { Word::ALL });
        one = one | holds;
    }
    several | !one
}

/// Puts the plays that make each move into its input.
#[multiversion::multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn scatter(values: &mut [Word], inputs: &[u32], chosen: &[Word]) {
    for (&input, &chosen) in inputs.iter().zip(chosen) {
        values[input as usize] = chosen;
    }
}

#[multiversion::multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn clear(values: &mut [Word], inputs: &[u32]) {
    for &input in inputs {
        values[input as usize] = Word::NONE;
    }
}

/// Goals are found at once unless that costs much more than to put final states aside.
fn pays_to_collect(ground: &GroundProgram, phases: &[PhaseCode]) -> bool {
    /// What it costs to put a fluent aside, in parts of nodes, times the plays that end together.
    const COST_OF_FLUENT: usize = 16;
    let n_operands: usize = phases.iter().map(|phase| phase.goals.n_operands()).sum();
    n_operands > phases.len() * COST_OF_FLUENT * ground.fluents.len()
}

/// How many moves a role may have in a phase.
fn max_moves(phases: &[PhaseCode], role: RoleId) -> usize {
    phases.iter().map(|phase| phase.n_moves(role)).max().unwrap_or_default()
}

fn first_lane(lanes: Word) -> usize {
    lanes.lanes().next().expect("there is one")
}
