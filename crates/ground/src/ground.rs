//! The propositional program.

use std::ops::Range;

use base::{IdVec, RoleId, define_id};
use program::Program;

use crate::forms::{May, smallest_form};
use crate::formulas::Formulas;
use crate::groups::{FluentGroups, Shape, fluent_groups};
use crate::instantiate::{GroundError, Limits};
use crate::network::{Group, Lit};
use crate::phases::{Phase, phases};

define_id! {
    /// A fluent: something that may hold in a state.
    pub struct FluentId;
}

define_id! {
    /// A move of a role. The moves of a role stand together.
    pub struct GroundMoveId;
}

/// A game as formulas over its fluents and moves.
#[derive(Clone, Debug)]
pub struct GroundProgram {
    /// The names of the roles.
    pub roles: IdVec<RoleId, String>,
    /// The role of chance.
    pub random: Option<RoleId>,
    /// Every fluent that may ever hold, in prefix form.
    pub fluents: IdVec<FluentId, String>,
    /// Every move that may ever be legal, with its role and in prefix form.
    pub moves: IdVec<GroundMoveId, (RoleId, String)>,
    /// The fluents that hold at first.
    pub initial: Vec<FluentId>,
    /// When moves are legal, what follows from them, and when the game ends.
    pub formulas: Formulas,
    /// What is known of the inputs of the formulas after so many joint moves, in turn: at the
    /// start, after one, and so on, and from the last again to the first.
    pub phases: Vec<Phase>,
    /// Fluents that exclude each other.
    pub groups: FluentGroups,
    pub(crate) shapes: IdVec<FluentId, Shape>,
    /// The formulas rely on at most one of each of these sets holding.
    pub(crate) assumed: Vec<Vec<FluentId>>,
    /// The number of instances of rules, before anything was simplified.
    pub n_instances: usize,
}

impl GroundProgram {
    /// The places of the moves of `role` among all moves, in which they stand together.
    pub fn moves_of(&self, role: RoleId) -> Range<usize> {
        let moves = self.moves.as_slice();
        let start = moves.partition_point(|(other, _)| *other < role);
        let end = moves.partition_point(|(other, _)| *other <= role);
        start..end
    }

    /// The fluents that hold, by their numbers, as a sorted list of texts.
    pub fn state_text(&self, holds: impl Fn(usize) -> bool) -> Vec<String> {
        let fluents = self.fluents.iter().enumerate();
        let mut texts: Vec<String> =
            fluents.filter(|(n, _)| holds(*n)).map(|(_, text)| text.clone()).collect();
        texts.sort();
        texts
    }

    /// Whether the formulas show that all players see the same after every joint move.
    pub fn all_see_the_same(&self) -> bool {
        let players = self.roles.ids().filter(|role| Some(*role) != self.random);
        let percepts_of = |role: RoleId| {
            let percepts = self.formulas.percepts[role].iter();
            let mut percepts: Vec<&(String, Lit)> =
                percepts.filter(|(_, lit)| *lit != Lit::FALSE).collect();
            percepts.sort();
            percepts
        };
        let mut percepts = players.map(percepts_of);
        let first = percepts.next();
        percepts.all(|other| Some(other) == first)
    }

    /// The formulas of a phase, in which what is known is left out.
    pub fn in_phase(&self, phase: &Phase) -> Formulas {
        self.formulas.given(&phase.known, self.formulas.network.groups()).shared()
    }
}

/// Grounds `program`: everything that can ever hold, and when it does.
pub fn ground(program: &Program, limits: &Limits) -> Result<GroundProgram, GroundError> {
    let deadline = &limits.deadline;
    let in_time = || match deadline.has_passed() {
        true => Err(GroundError::OutOfTimeAfterwards),
        false => Ok(()),
    };
    let mut ground = smallest_form(program, limits, May::Assume)?;
    in_time()?;
    let groups = fluent_groups(&ground, &ground.shapes, &ground.assumed, deadline);
    in_time()?;
    ground.groups = match groups {
        Some(groups) => groups,
        None => {
            ground = smallest_form(program, limits, May::NotAssume)?;
            let groups = fluent_groups(&ground, &ground.shapes, &[], deadline);
            in_time()?;
            groups.expect("nothing is assumed")
        }
    };
    let of_moves = ground.formulas.network.groups().iter().cloned();
    let groups: Vec<Group> = of_moves.chain(ground.groups.inputs()).collect();
    ground.formulas = ground.formulas.grouped(&groups);
    in_time()?;
    ground.phases = phases(&ground);
    in_time()?;
    Ok(ground)
}
