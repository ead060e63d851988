//! Random plays on the network, 64 at a time: enough to refute what is not always so.

use base::{Id, Rng, RoleId};
use rand::Rng as _;

use crate::ground::GroundProgram;
use crate::network::{Kind, Lit, Network};

/// 64 plays that go on at the same time.
pub(crate) struct Plays<'a> {
    ground: &'a GroundProgram,
    /// By node: the plays in which it holds.
    values: Vec<u64>,
    rng: Rng,
}

impl<'a> Plays<'a> {
    pub(crate) fn new(ground: &'a GroundProgram, rng: Rng) -> Plays<'a> {
        let mut values = vec![0; ground.formulas.network.n_nodes()];
        values[0] = u64::MAX;
        let mut plays = Plays { ground, values, rng };
        plays.start(u64::MAX);
        plays
    }

    /// By fluent: the plays in which it holds.
    pub(crate) fn fluents(&self) -> &[u64] {
        &self.values[1..=self.ground.fluents.len()]
    }

    fn start(&mut self, plays: u64) {
        let fluents = &mut self.values[1..=self.ground.fluents.len()];
        fluents.iter_mut().for_each(|word| *word &= !plays);
        for fluent in &self.ground.initial {
            fluents[fluent.index()] |= plays;
        }
    }

    fn word(&self, lit: Lit) -> u64 {
        word(&self.values, lit)
    }

    /// One joint move in every play; those that have ended, or cannot go on, begin anew. Returns these.
    pub(crate) fn step(&mut self) -> u64 {
        let formulas = &self.ground.formulas;
        evaluate(&formulas.network, &mut self.values);
        let mut ended = self.word(formulas.terminal);
        for role in RoleId::first(self.ground.roles.len()) {
            ended |= self.choose(role);
        }
        evaluate(&formulas.network, &mut self.values);
        let next: Vec<u64> = formulas.next.iter().map(|&lit| self.word(lit)).collect();
        self.values[1..=next.len()].copy_from_slice(&next);
        self.start(ended);
        ended
    }

    /// A legal move of a role in every play; returns those in which there is none.
    fn choose(&mut self, role: RoleId) -> u64 {
        let n_fluents = self.ground.fluents.len();
        let mut chosen = [None; 64];
        let mut n_legal = [0_u64; 64];
        for number in self.ground.moves_of(role) {
            self.values[1 + n_fluents + number] = 0;
            let mut legal = self.word(self.ground.formulas.legal.as_slice()[number]);
            while legal != 0 {
                let play = legal.trailing_zeros() as usize;
                legal &= legal - 1;
                n_legal[play] += 1;
                // Each of the moves so far is as likely as the others.
                if self.rng.next_u64().is_multiple_of(n_legal[play]) {
                    chosen[play] = Some(number);
                }
            }
        }
        let mut stuck = 0;
        for (play, chosen) in chosen.iter().enumerate() {
            match chosen {
                Some(number) => self.values[1 + n_fluents + number] |= 1 << play,
                None => stuck |= 1 << play,
            }
        }
        stuck
    }
}

pub(crate) fn word(values: &[u64], lit: Lit) -> u64 {
    let word = values[lit.node()];
    if lit.is_negative() { !word } else { word }
}

/// Evaluates all nodes; `values` has those of the inputs.
pub(crate) fn evaluate(network: &Network, values: &mut [u64]) {
    network.evaluate(values, 0, |node, values| {
        let parts = network.parts(node).iter().map(|&part| word(values, part));
        match network.kind(node) {
            Kind::And => parts.fold(u64::MAX, |all, part| all & part),
            _ => parts.fold(0, |any, part| any | part),
        }
    });
}
