//! Which moves win at once: what the end of the game asks for, carried back through one stage.
//!
//! In a phase in which one role has a choice, a move wins at once if the state after it is final and the role
//! gets the most that there is. Both are formulas of the next state, and so, with what the move makes of each
//! fluent in the place of the fluent, formulas of this one. They are simplified by what is known: the move is
//! legal, and the game has not ended yet.

use base::{Id as _, RoleId};
use rustc_hash::FxHashSet;

use crate::formulas::Formulas;
use crate::ground::{GroundMoveId, GroundProgram};
use crate::network::{Kind, Lit, Network};
use crate::phases::Phase;
use crate::rewrite::all_that_holds_with;
use crate::share::share;

/// The moves of a phase that may win at once, and when they do.
#[derive(Clone, Debug)]
pub struct Wins {
    /// The formulas, over the same inputs as those of the game. Only fluents are in them.
    pub network: Network,
    /// The role that has a choice.
    pub role: RoleId,
    /// The moves, ascending, and when each of them wins, provided that it is legal and the game has not ended.
    pub moves: Vec<(GroundMoveId, Lit)>,
}

/// What a role must get to have won: there is nothing more.
const MOST: &str = "100";

impl GroundProgram {
    /// The moves of `phase` that may win at once. `None` where several roles have a choice, nothing can be won
    /// by one move, or the formulas would have more than `max_parts` parts.
    pub fn wins(&self, phase: &Phase, max_parts: usize) -> Option<Wins> {
        let role = self.only_chooser(phase)?;
        let goals = &self.formulas.goals[role];
        let won = goals.iter().find(|(value, _)| value == MOST)?.1;
        let mut composing = Composing::new(&self.formulas, phase, won, max_parts)?;
        let mut moves = Vec::new();
        for number in self.moves_of(role) {
            let input = self.fluents.len() + number;
            if phase.known[input] == Some(false) {
                continue;
            }
            let wins = composing.wins_after(self, number, role)?;
            if wins != Lit::FALSE {
                moves.push((GroundMoveId::from_index(number), wins));
            }
        }
        if moves.is_empty() {
            return None;
        }
        let sharing = share(&composing.new, moves.iter().map(|(_, lit)| *lit));
        let moves = moves.iter().map(|&(id, lit)| (id, sharing.lit(lit))).collect();
        Some(Wins { network: sharing.new, role, moves })
    }

    /// The role that has a choice in a phase, if no other has, and it is not chance.
    fn only_chooser(&self, phase: &Phase) -> Option<RoleId> {
        let has_choice = |role: &RoleId| {
            let moves = self.moves_of(*role).map(|number| phase.known[self.fluents.len() + number]);
            moves.filter(|known| *known != Some(false)).count() > 1
        };
        let mut choosers = self.roles.ids().filter(has_choice);
        let only = choosers.next().filter(|role| Some(*role) != self.random)?;
        choosers.next().is_none().then_some(only)
    }
}

/// Formulas of this state for what holds in the next one.
struct Composing<'a> {
    formulas: &'a Formulas,
    new: Network,
    /// By input: its value in this phase, or itself.
    inputs: Vec<Lit>,
    /// What holds because the game has not ended yet.
    given: FxHashSet<Lit>,
    /// What holds in a final state that is won.
    at_end: [Lit; 2],
    /// The fluents that this depends on.
    used: Vec<usize>,
    max_parts: usize,
}

impl<'a> Composing<'a> {
    /// For the role to which `won` gives the most.
    fn new(
        formulas: &'a Formulas,
        phase: &Phase,
        won: Lit,
        max_parts: usize,
    ) -> Option<Composing<'a>> {
        let old = &formulas.network;
        let new = Network::new(old.n_inputs(), old.groups().to_vec());
        let known = phase.known.iter().enumerate();
        let inputs = known.map(|(number, known)| match known {
            Some(true) => Lit::TRUE,
            Some(false) => Lit::FALSE,
            None => new.input(number),
        });
        let inputs = inputs.collect();
        let at_end = [formulas.terminal, won];
        let is_needed = needed(old, &at_end);
        let used = (0..formulas.next.len()).filter(|&fluent| is_needed[1 + fluent]).collect();
        let given = FxHashSet::default();
        let mut composing = Composing { formulas, new, inputs, given, at_end, used, max_parts };
        let inputs = composing.inputs.clone();
        let terminal = composing.copy(&inputs, &[formulas.terminal], &FxHashSet::default())?[0];
        composing.given = all_that_holds_with(&composing.new, !terminal);
        Some(composing)
    }

    /// When a move wins. `None` if that takes too many parts.
    fn wins_after(&mut self, ground: &GroundProgram, number: usize, role: RoleId) -> Option<Lit> {
        let Formulas { legal, next, .. } = self.formulas;
        let n_fluents = next.len();
        let mut inputs = self.inputs.clone();
        for other in ground.moves_of(role) {
            inputs[n_fluents + other] = if other == number { Lit::TRUE } else { Lit::FALSE };
        }
        let legal = self.copy(&inputs, &[legal.as_slice()[number]], &FxHashSet::default())?[0];
        if legal == Lit::FALSE {
            return Some(Lit::FALSE);
        }
        let mut given = all_that_holds_with(&self.new, legal);
        given.extend(self.given.iter().copied());
        let of_used: Vec<Lit> = self.used.iter().map(|&fluent| next.as_slice()[fluent]).collect();
        let after = self.copy(&inputs, &of_used, &given)?;
        for (&fluent, lit) in self.used.iter().zip(after) {
            inputs[fluent] = lit;
        }
        let mut at_end = self.copy(&inputs, &self.at_end.clone(), &given)?;
        Some(self.new.and(&mut at_end))
    }

    /// The formulas `wanted` where the inputs have become others, and `given` holds. `None` if there are too
    /// many parts, or formulas depend on each other.
    fn copy(&mut self, inputs: &[Lit], wanted: &[Lit], given: &FxHashSet<Lit>) -> Option<Vec<Lit>> {
        let old = &self.formulas.network;
        let is_needed = needed(old, wanted);
        let mut lits: Vec<Lit> = vec![Lit::TRUE; old.n_nodes()];
        for (number, &lit) in inputs.iter().enumerate() {
            lits[1 + number] = where_given(lit, given);
        }
        let lit_of = |lits: &[Lit], lit: Lit| {
            let new = lits[lit.node()];
            if lit.is_negative() { !new } else { new }
        };
        let mut parts = Vec::new();
        for unit in old.units() {
            let node = unit.start;
            if !unit.clone().any(|node| is_needed[node]) {
                continue;
            }
            if old.recursion_of(node).is_some() || self.new.n_parts_now() > self.max_parts {
                return None;
            }
            parts.clear();
            parts.extend(old.parts(node).iter().map(|&part| lit_of(&lits, part)));
            let new = match old.kind(node) {
                Kind::And => self.new.and(&mut parts),
                _ => self.new.or(&mut parts),
            };
            lits[node] = where_given(new, given);
        }
        Some(wanted.iter().map(|&lit| lit_of(&lits, lit)).collect())
    }
}

/// By node: whether one of the formulas needs it.
fn needed(network: &Network, wanted: &[Lit]) -> Vec<bool> {
    let mut is_needed = vec![false; network.n_nodes()];
    let mut open: Vec<usize> = wanted.iter().map(|lit| lit.node()).collect();
    while let Some(node) = open.pop() {
        if !std::mem::replace(&mut is_needed[node], true) {
            open.extend(network.parts(node).iter().map(|part| part.node()));
        }
    }
    is_needed
}

/// A formula where others are given.
fn where_given(lit: Lit, given: &FxHashSet<Lit>) -> Lit {
    if given.contains(&lit) {
        Lit::TRUE
    } else if given.contains(&!lit) {
        Lit::FALSE
    } else {
        lit
    }
}
