//! Many states at once: a bit of a word for each of 512 plays.
//!
//! The network of a ground program is evaluated with bitwise operations on words whose bits are
//! different plays. In each of them every role picks uniformly among its legal moves. A play that
//! has ended reports its goals and gives its place to a new one, so that no place stands idle.

mod choice;
mod code;

use base::{Id, IdVec, Rng, RoleId};
use game::{Goal, Unplayable};
use ground::{GroundProgram, Lit};

use crate::schedule::Schedule;
use choice::Choice;
use code::Code;

/// How many words of 64 plays are evaluated together.
const N_WORDS: usize = 8;

/// The number of plays that go on at the same time.
pub const N_LANES: usize = 64 * N_WORDS;

/// A bit for each play.
pub(crate) type Word = [u64; N_WORDS];

/// A game of which many random plays go on at the same time.
#[derive(Clone, Debug)]
pub struct ManyStates {
    ground: std::sync::Arc<GroundProgram>,
    state: Code,
    successor: Code,
    goals: GoalCode,
    /// By node: the plays in which it holds.
    values: Vec<Word>,
    choice: Choice,
    /// By role: its goals, `None` for what is no number from 0 to 100, and when they hold.
    goal_values: IdVec<RoleId, Vec<(Option<Goal>, Lit)>>,
    buffer: Vec<Word>,
    /// The moves of the buffer.
    numbers: Vec<usize>,
    /// The plays that wait for their turn to begin.
    waiting: Word,
    /// New plays begin with every so many joint moves. Where players take turns, it is then the
    /// same player's turn in all plays, and the moves of the others need not be looked at.
    period: u64,
    n_rounds: u64,
    /// By play: how many joint moves it has made.
    lengths: Vec<u32>,
}

/// How the goals of plays that have ended are found.
#[derive(Clone, Debug)]
enum GoalCode {
    /// At once, from what is known of the state.
    AtOnce(Code),
    /// For many at a time: where goals are costly and few plays end with each joint move, final
    /// states are put aside until there is one in every place.
    Collected { code: Code, values: Vec<Word>, n_collected: usize },
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
}

impl Sample {
    /// Adds the plays of another sample of the same game.
    pub fn add(&mut self, other: &Sample) {
        self.n_playouts += other.n_playouts;
        self.n_steps += other.n_steps;
        self.goal_sums.resize(other.goal_sums.len(), 0);
        for (sum, other) in self.goal_sums.iter_mut().zip(&other.goal_sums) {
            *sum += other;
        }
    }
}

impl ManyStates {
    /// Many plays of the game of `ground`.
    pub fn new(ground: GroundProgram) -> ManyStates {
        let network = &ground.network;
        let wanted = ground.legal.iter().copied().chain([ground.terminal]);
        let state = Schedule::new(network, wanted, None);
        let goals = goal_code(&ground, &state);
        let successor = Schedule::new(network, ground.next.iter().copied(), Some(&state));
        let mut values = vec![[0; N_WORDS]; network.n_nodes()];
        values[0] = [u64::MAX; N_WORDS];
        let goal_values = ground
            .goals
            .iter()
            .map(|goals| goals.iter().map(|(text, lit)| (Goal::parse(text), *lit)).collect());
        let n_players = (ground.roles.len() - usize::from(ground.random.is_some())) as u64;
        ManyStates {
            goal_values: goal_values.collect(),
            buffer: Vec::new(),
            numbers: Vec::new(),
            waiting: [0; N_WORDS],
            period: n_players.max(1),
            n_rounds: 0,
            state: Code::new(network, &state),
            goals,
            successor: Code::new(network, &successor),
            values,
            choice: Choice::default(),
            lengths: vec![0; N_LANES],
            ground: ground.into(),
        }
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
        self.start(&[u64::MAX; N_WORDS]);
        (self.waiting, self.n_rounds) = ([0; N_WORDS], 0);
        if let GoalCode::Collected { n_collected, .. } = &mut self.goals {
            *n_collected = 0;
        }
        while sample.n_playouts == 0 || goes_on(&sample) {
            for _ in 0..ROUNDS_BETWEEN {
                self.step(max_steps, rng, &mut sample)?;
            }
        }
        self.count_collected(&mut sample)?;
        Ok(sample)
    }

    /// Puts the initial state into the plays of `lanes`.
    fn start(&mut self, lanes: &Word) {
        let fluents = &mut self.values[1..=self.ground.fluents.len()];
        for value in fluents.iter_mut() {
            (0..N_WORDS).for_each(|w| value[w] &= !lanes[w]);
        }
        for fluent in &self.ground.initial {
            let value = &mut fluents[fluent.index()];
            (0..N_WORDS).for_each(|w| value[w] |= lanes[w]);
        }
        for_each_lane(lanes, |lane| self.lengths[lane] = 0);
    }

    /// One joint move in every play; those that have ended are counted and begin anew.
    fn step(
        &mut self,
        max_steps: u32,
        rng: &mut Rng,
        sample: &mut Sample,
    ) -> Result<(), Unplayable> {
        self.state.run(&mut self.values);
        let ended = self.word(self.ground.terminal);
        if ended != [0; N_WORDS] {
            self.end_plays(&ended, sample)?;
        }
        let idle: Word = std::array::from_fn(|w| ended[w] | self.waiting[w]);
        self.choose_moves(&idle, rng)?;
        self.successor.run(&mut self.values);
        self.move_on();
        for length in &mut self.lengths {
            *length += 1;
        }
        self.start(&idle);
        self.n_rounds += 1;
        let begins = self.n_rounds.is_multiple_of(self.period);
        self.waiting = if begins { [0; N_WORDS] } else { idle };
        match self.lengths.iter().any(|&length| length > max_steps) {
            true => Err(Unplayable::NoEnd { n_steps: max_steps as usize }),
            false => Ok(()),
        }
    }

    fn word(&self, lit: Lit) -> Word {
        word_of(&self.values, lit)
    }

    fn choose_moves(&mut self, idle: &Word, rng: &mut Rng) -> Result<(), Unplayable> {
        let first_move = 1 + self.ground.fluents.len();
        for role in self.ground.roles.ids() {
            let moves = self.ground.moves_of(role);
            // Most moves are legal in no play.
            self.buffer.clear();
            self.numbers.clear();
            for number in moves.clone() {
                let legal = self.word(self.ground.legal.as_slice()[number]);
                if legal != [0; N_WORDS] {
                    self.buffer.push(legal);
                    self.numbers.push(number);
                }
            }
            self.values[first_move + moves.start..first_move + moves.end].fill([0; N_WORDS]);
            let outcome = self.choice.choose(&self.buffer, idle, rng);
            for (&number, chosen) in self.numbers.iter().zip(self.choice.chosen()) {
                self.values[first_move + number] = *chosen;
            }
            if let Err(stuck) = outcome {
                let mut lane = 0;
                for_each_lane(&stuck, |stuck| lane = stuck);
                let role = self.ground.roles[role].clone();
                return Err(Unplayable::NoLegalMove {
                    role,
                    state: self.state_text(&self.values, lane),
                });
            }
        }
        Ok(())
    }

    /// The next fluents become the fluents.
    fn move_on(&mut self) {
        // A next fluent may be another fluent itself, so all are read before any is written.
        self.buffer.clear();
        for number in 0..self.ground.next.len() {
            let next = self.word(self.ground.next.as_slice()[number]);
            self.buffer.push(next);
        }
        self.values[1..=self.buffer.len()].copy_from_slice(&self.buffer);
    }

    /// Counts the plays that have ended.
    fn end_plays(&mut self, ended: &Word, sample: &mut Sample) -> Result<(), Unplayable> {
        for_each_lane(ended, |lane| sample.n_steps += u64::from(self.lengths[lane]));
        sample.n_playouts += n_lanes(ended);
        if let GoalCode::AtOnce(code) = &self.goals {
            code.run(&mut self.values);
            return self.count_goals(&self.values, ended, sample);
        }
        let mut outcome = Ok(());
        for_each_lane(ended, |lane| {
            if self.collect(lane) == N_LANES && outcome.is_ok() {
                outcome = self.count_collected(sample);
            }
        });
        outcome
    }

    /// Puts the state of a play aside; how many there are now.
    fn collect(&mut self, lane: usize) -> usize {
        let GoalCode::Collected { values, n_collected, .. } = &mut self.goals else { return 0 };
        let (to_word, to_bit) = (*n_collected / 64, *n_collected % 64);
        let n_fluents = self.ground.fluents.len();
        for (from, to) in self.values[1..=n_fluents].iter().zip(&mut values[1..=n_fluents]) {
            let bit = from[lane / 64] >> (lane % 64) & 1;
            to[to_word] = to[to_word] & !(1 << to_bit) | bit << to_bit;
        }
        *n_collected += 1;
        *n_collected
    }

    /// Counts the goals of the states that were put aside.
    fn count_collected(&mut self, sample: &mut Sample) -> Result<(), Unplayable> {
        let GoalCode::Collected { code, values, n_collected } = &mut self.goals else {
            return Ok(());
        };
        let lanes = std::array::from_fn(|w| match n_collected.saturating_sub(64 * w) {
            0 => 0,
            n => u64::MAX >> (64 - n.min(64)),
        });
        *n_collected = 0;
        code.run(values);
        let GoalCode::Collected { values, .. } = &self.goals else { return Ok(()) };
        self.count_goals(values, &lanes, sample)
    }

    /// Adds the goals in the states of `lanes`, in each of which a role must have one.
    fn count_goals(
        &self,
        values: &[Word],
        lanes: &Word,
        sample: &mut Sample,
    ) -> Result<(), Unplayable> {
        for (role, goals) in self.goal_values.iter_with_ids() {
            let (mut one, mut several) = ([0; N_WORDS], [0; N_WORDS]);
            for &(goal, lit) in goals {
                let holds = word_of(values, lit);
                for w in 0..N_WORDS {
                    // What is no goal value is as wrong as a second one.
                    let wrong = if goal.is_some() { one[w] } else { u64::MAX };
                    several[w] |= wrong & holds[w];
                    one[w] |= holds[w];
                }
                if let Some(goal) = goal {
                    let lanes = std::array::from_fn(|w| holds[w] & lanes[w]);
                    sample.goal_sums[role.index()] += u64::from(goal.value()) * n_lanes(&lanes);
                }
            }
            let wrong: Word = std::array::from_fn(|w| lanes[w] & (several[w] | !one[w]));
            if wrong != [0; N_WORDS] {
                return Err(self.wrong_goals(values, role, &wrong));
            }
        }
        Ok(())
    }

    fn wrong_goals(&self, values: &[Word], role: RoleId, lanes: &Word) -> Unplayable {
        let mut lane = 0;
        for_each_lane(lanes, |wrong| lane = wrong);
        let holds = |lit: Lit| word_of(values, lit)[lane / 64] >> (lane % 64) & 1 == 1;
        let goals = self.ground.goals[role].iter().filter(|(_, lit)| holds(*lit));
        Unplayable::Goals {
            role: self.ground.roles[role].clone(),
            values: goals.map(|(value, _)| value.clone()).collect(),
            state: self.state_text(values, lane),
        }
    }

    fn state_text(&self, values: &[Word], lane: usize) -> Vec<String> {
        let fluents = self.ground.fluents.as_slice();
        let holds = |n: &usize| values[1 + n][lane / 64] >> (lane % 64) & 1 == 1;
        let mut texts: Vec<String> =
            (0..fluents.len()).filter(holds).map(|n| fluents[n].clone()).collect();
        texts.sort();
        texts
    }
}

fn word_of(values: &[Word], lit: Lit) -> Word {
    let value = values[lit.node()];
    if lit.is_negative() { value.map(|word| !word) } else { value }
}

/// Goals are found at once unless that costs much more than to put final states aside.
fn goal_code(ground: &GroundProgram, state: &Schedule) -> GoalCode {
    /// What it costs to put a fluent aside, in parts of nodes, times the plays that end together.
    const COST_OF_FLUENT: usize = 16;
    let lits = || ground.goals.iter().flatten().map(|(_, lit)| *lit);
    let at_once = Code::new(&ground.network, &Schedule::new(&ground.network, lits(), Some(state)));
    if at_once.n_operands() <= COST_OF_FLUENT * ground.fluents.len() {
        return GoalCode::AtOnce(at_once);
    }
    let code = Code::new(&ground.network, &Schedule::new(&ground.network, lits(), None));
    let mut values = vec![[0; N_WORDS]; ground.network.n_nodes()];
    values[0] = [u64::MAX; N_WORDS];
    GoalCode::Collected { code, values, n_collected: 0 }
}

fn n_lanes(lanes: &Word) -> u64 {
    lanes.iter().map(|word| u64::from(word.count_ones())).sum()
}

/// Calls `visit` for the number of each bit of `lanes`.
fn for_each_lane(lanes: &Word, mut visit: impl FnMut(usize)) {
    for (w, &word) in lanes.iter().enumerate() {
        let mut rest = word;
        while rest != 0 {
            visit(64 * w + rest.trailing_zeros() as usize);
            rest &= rest - 1;
        }
    }
}
