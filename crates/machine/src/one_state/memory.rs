//! What was asked last, so that a state that differs little from it costs little.

use base::Id;
use game::MoveId;

use super::circuit::{Circuit, Values};
use super::state::BitState;

/// The values of a circuit where it was asked last: one state for each combination of those fluents
/// that much depends on and that change all the time, such as whose turn it is.
#[derive(Clone, Debug)]
pub(super) struct Memories {
    keys: Keys,
    memories: Vec<Memory>,
    /// The one that was asked last.
    current: usize,
    /// How many inputs were changed so far, and how many links were followed for that.
    n_changes: u64,
    n_links: u64,
}

/// The words of a state with fluents that much depends on, and these.
pub(super) type Keys = Vec<(usize, u64)>;

#[derive(Clone, Debug)]
struct Memory {
    now: Point,
    /// Where plays begin, most likely: it is cheaper to copy its values than to change `now` back.
    start: Option<Point>,
}

/// The values of a circuit, and the state and moves that they are of.
#[derive(Clone, Debug)]
struct Point {
    values: Values,
    state: BitState,
    joint_move: Vec<MoveId>,
}

impl Memories {
    pub(super) fn new(keys: Keys) -> Memories {
        Memories { keys, memories: Vec::new(), current: 0, n_changes: 0, n_links: 0 }
    }

    /// How many links were followed so far.
    pub(super) fn n_links(&self) -> u64 {
        self.n_links
    }

    /// Whether the values are those of `state`.
    pub(super) fn are_at(&self, state: &BitState) -> bool {
        self.memories.get(self.current).is_some_and(|memory| memory.now.state == *state)
    }

    /// The values where it was asked last; it was asked before.
    pub(super) fn values(&self) -> &Values {
        &self.memories[self.current].now.values
    }

    /// Brings the values to `state`, with the moves made last.
    pub(super) fn go_to(&mut self, circuit: &Circuit, state: &BitState) {
        /// What it costs to copy the values of a gate, in links that are followed.
        const COST_OF_COPY: f64 = 1.0 / 8.0;
        self.current = self.fitting(circuit, state);
        let cost_of_copy = COST_OF_COPY * circuit.n_gates() as f64;
        let links_a_change = self.n_links as f64 / self.n_changes.max(1) as f64;
        let memory = &mut self.memories[self.current];
        let mut cost = links_a_change * memory.now.n_differences(state) as f64;
        if cost > cost_of_copy
            && let Some(start) = &memory.start
        {
            let cost_from_start = cost_of_copy + links_a_change * start.n_differences(state) as f64;
            if cost_from_start < cost {
                memory.now.copy_from(start);
                cost = cost_from_start;
            }
        }
        let changes = memory.now.go_to(circuit, state);
        if cost > 2.0 * cost_of_copy {
            memory.start = Some(memory.now.clone());
        }
        self.n_changes += changes.0;
        self.n_links += changes.1;
    }

    /// Makes the moves of the roles, whose inputs stand behind those of the fluents.
    pub(super) fn make(&mut self, circuit: &Circuit, joint_move: &[MoveId], n_fluents: usize) {
        let point = &mut self.memories[self.current].now;
        if point.joint_move == joint_move {
            return;
        }
        let input = |id: &MoveId| n_fluents + id.index();
        for made in joint_move {
            circuit.set_input(&mut point.values, input(made), true);
        }
        for made in point.joint_move.iter().filter(|made| !joint_move.contains(made)) {
            circuit.set_input(&mut point.values, input(made), false);
        }
        self.n_links += circuit.settle(&mut point.values);
        point.joint_move.clear();
        point.joint_move.extend_from_slice(joint_move);
    }

    /// The memory that is of `state`, or was of one with the same keys.
    fn fitting(&mut self, circuit: &Circuit, state: &BitState) -> usize {
        /// With more, the oldest is used again.
        const MAX_MEMORIES: usize = 8;
        let differs = |one: &BitState, word: usize| one.words()[word] ^ state.words()[word];
        let fits = |memory: &Memory| {
            self.keys.iter().all(|&(word, mask)| differs(&memory.now.state, word) & mask == 0)
        };
        if self.memories.get(self.current).is_some_and(fits) {
            return self.current;
        }
        if let Some(number) = self.memories.iter().position(fits) {
            return number;
        }
        if self.memories.len() == MAX_MEMORIES {
            return (self.current + 1) % MAX_MEMORIES;
        }
        let now = Point { values: circuit.initial(), state: state.none(), joint_move: Vec::new() };
        self.memories.push(Memory { now, start: None });
        self.memories.len() - 1
    }
}

impl Point {
    fn n_differences(&self, state: &BitState) -> u32 {
        let words = self.state.words().iter().zip(state.words());
        words.map(|(mine, its)| (mine ^ its).count_ones()).sum()
    }

    /// Goes to `state`, and says how many inputs changed and how many links were followed.
    fn go_to(&mut self, circuit: &Circuit, state: &BitState) -> (u64, u64) {
        let mut n_changes = 0;
        for (fluent, holds) in self.state.differences(state) {
            circuit.set_input(&mut self.values, fluent, holds);
            n_changes += 1;
        }
        self.state.set_words(state.words());
        (n_changes, circuit.settle(&mut self.values))
    }

    fn copy_from(&mut self, other: &Point) {
        self.values.copy_from(&other.values);
        self.state.set_words(other.state.words());
        self.joint_move.clone_from(&other.joint_move);
    }
}
