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
    goals: Code,
    successor: Code,
    /// By role: its moves.
    moves_of: IdVec<RoleId, std::ops::Range<usize>>,
    /// By node: the plays in which it holds.
    values: Vec<Word>,
    choice: Choice,
    /// By play: how many joint moves it has made.
    lengths: Vec<u32>,
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

impl ManyStates {
    /// Many plays of the game of `ground`.
    pub fn new(ground: GroundProgram) -> ManyStates {
        let network = &ground.network;
        let wanted = ground.legal.iter().copied().chain([ground.terminal]);
        let state = Schedule::new(network, wanted, None);
        let goals = ground.goals.iter().flatten().map(|(_, lit)| *lit);
        let goals = Schedule::new(network, goals, Some(&state));
        let successor = Schedule::new(network, ground.next.iter().copied(), Some(&state));
        let mut values = vec![[0; N_WORDS]; network.n_nodes()];
        values[0] = [u64::MAX; N_WORDS];
        let moves_of = ground.roles.ids().map(|role| {
            let is_of = |n: &usize| ground.moves.as_slice()[*n].0 == role;
            let mut moves = (0..ground.moves.len()).filter(is_of);
            let first = moves.next();
            first.map_or(0..0, |first| first..moves.next_back().unwrap_or(first) + 1)
        });
        ManyStates {
            moves_of: moves_of.collect(),
            state: Code::new(network, &state),
            goals: Code::new(network, &goals),
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
        let n_roles = self.ground.roles.len();
        let mut sample = Sample { goal_sums: vec![0; n_roles], ..Sample::default() };
        self.start(&[u64::MAX; N_WORDS]);
        while sample.n_playouts < n_playouts {
            self.step(max_steps, rng, &mut sample)?;
        }
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
            self.goals.run(&mut self.values);
            self.count(&ended, sample)?;
        }
        self.choose_moves(&ended, rng)?;
        self.successor.run(&mut self.values);
        self.move_on();
        for length in &mut self.lengths {
            *length += 1;
        }
        self.start(&ended);
        match self.lengths.iter().any(|&length| length > max_steps) {
            true => Err(Unplayable::NoEnd { n_steps: max_steps as usize }),
            false => Ok(()),
        }
    }

    fn word(&self, lit: Lit) -> Word {
        let value = self.values[lit.node()];
        if lit.is_negative() { value.map(|word| !word) } else { value }
    }

    fn choose_moves(&mut self, ended: &Word, rng: &mut Rng) -> Result<(), Unplayable> {
        let first_move = 1 + self.ground.fluents.len();
        let n_moves = self.ground.moves.len();
        self.values[first_move..first_move + n_moves].fill([0; N_WORDS]);
        for role in self.ground.roles.ids() {
            let moves = self.moves_of[role].clone();
            self.choice.clear();
            for number in moves {
                let legal = self.word(self.ground.legal.as_slice()[number]);
                self.choice.add(number, &legal);
            }
            let values = &mut self.values;
            let chosen = self.choice.choose(ended, rng, |number, lane| {
                values[first_move + number][lane / 64] |= 1 << (lane % 64);
            });
            if let Err(lane) = chosen {
                let role = self.ground.roles[role].clone();
                return Err(Unplayable::NoLegalMove { role, state: self.state_text(lane) });
            }
        }
        Ok(())
    }

    /// The next fluents become the fluents.
    fn move_on(&mut self) {
        // A next fluent may be another fluent itself, so all are read before any is written.
        let next: Vec<Word> = self.ground.next.iter().map(|&lit| self.word(lit)).collect();
        self.values[1..=next.len()].copy_from_slice(&next);
    }

    fn count(&self, ended: &Word, sample: &mut Sample) -> Result<(), Unplayable> {
        let mut problem = None;
        for_each_lane(ended, |lane| {
            sample.n_playouts += 1;
            sample.n_steps += u64::from(self.lengths[lane]);
            for role in self.ground.roles.ids() {
                match self.goal(role, lane) {
                    Ok(goal) => sample.goal_sums[role.index()] += u64::from(goal.value()),
                    Err(unplayable) => problem = Some(unplayable),
                }
            }
        });
        problem.map_or(Ok(()), Err)
    }

    fn goal(&self, role: RoleId, lane: usize) -> Result<Goal, Unplayable> {
        let holds = |lit: Lit| self.word(lit)[lane / 64] >> (lane % 64) & 1 == 1;
        let goals = self.ground.goals[role].iter().filter(|(_, lit)| holds(*lit));
        let values: Vec<&String> = goals.map(|(value, _)| value).collect();
        let goal = match values.as_slice() {
            [value] => value.parse().ok().and_then(Goal::new),
            _ => None,
        };
        goal.ok_or_else(|| Unplayable::Goals {
            role: self.ground.roles[role].clone(),
            values: values.into_iter().cloned().collect(),
            state: self.state_text(lane),
        })
    }

    fn state_text(&self, lane: usize) -> Vec<String> {
        let fluents = self.ground.fluents.as_slice();
        let holds = |n: &usize| self.values[1 + n][lane / 64] >> (lane % 64) & 1 == 1;
        let mut texts: Vec<String> =
            (0..fluents.len()).filter(holds).map(|n| fluents[n].clone()).collect();
        texts.sort();
        texts
    }
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
