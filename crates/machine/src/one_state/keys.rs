//! Which fluents to keep memories for.
//!
//! Where much depends on a fluent that changes all the time, such as whose turn it is, it pays to keep
//! a memory for each of its values; but then every other change is followed once in each of them.
//! What pays is found out by playing.

use base::seeded_rng;
use game::{Game as _, random_joint_move};

use super::OneState;
use super::memory::{Keys, Memories};

/// How long is played to find out.
const N_STEPS: usize = 200;
const MAX_LINKS: u64 = 1_000_000;
/// A key changes in one of so many steps at least.
const CHANGES_ONE_IN: usize = 3;
const MAX_KEYS: usize = 4;

/// The keys with which play costs least, and how many links a step follows then.
pub(super) fn best(machine: &OneState) -> (Keys, f64) {
    let none = Trial::of(machine, Keys::new());
    let keys = none.changing();
    if keys.is_empty() {
        return (keys, none.links_a_step());
    }
    let some = Trial::of(machine, keys.clone());
    match some.links_a_step() < none.links_a_step() {
        true => (keys, some.links_a_step()),
        false => (Keys::new(), none.links_a_step()),
    }
}

/// A play for trial.
struct Trial {
    n_steps: usize,
    n_links: u64,
    /// By fluent: how often it changed.
    n_changes: Vec<usize>,
}

impl Trial {
    fn of(machine: &OneState, keys: Keys) -> Trial {
        let mut machine = OneState { memories: Memories::new(keys), ..machine.clone() };
        let n_fluents = machine.ground().fluents.len();
        let mut trial = Trial { n_steps: 0, n_links: 0, n_changes: vec![0; n_fluents] };
        let mut rng = seeded_rng(0);
        let mut state = machine.initial();
        while trial.n_steps < N_STEPS && trial.n_links < MAX_LINKS {
            let next = if machine.is_terminal(&state) {
                machine.initial()
            } else {
                // What cannot be played is reported when it is.
                let Ok(joint_move) = random_joint_move(&mut machine, &state, &mut rng) else {
                    break;
                };
                machine.next(&state, &joint_move)
            };
            state.differences(&next).for_each(|(fluent, _)| trial.n_changes[fluent] += 1);
            state = next;
            trial.n_steps += 1;
            trial.n_links = machine.memories.n_links();
        }
        trial
    }

    fn links_a_step(&self) -> f64 {
        self.n_links as f64 / self.n_steps.max(1) as f64
    }

    /// The fluents that change all the time, those that change most often first.
    fn changing(&self) -> Keys {
        let mut fluents: Vec<usize> = (0..self.n_changes.len()).collect();
        fluents.retain(|&fluent| CHANGES_ONE_IN * self.n_changes[fluent] >= self.n_steps.max(1));
        fluents.sort_by_key(|&fluent| std::cmp::Reverse(self.n_changes[fluent]));
        fluents.truncate(MAX_KEYS);
        fluents.iter().map(|fluent| (fluent / 64, 1 << (fluent % 64))).collect()
    }
}
