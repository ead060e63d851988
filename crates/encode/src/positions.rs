//! The variables that describe a state.

use base::{Id as _, IdVec};
use ground::{FluentId, GroundProgram};

use crate::Encoding;
use crate::names;

base::define_id! {
    /// A variable that describes part of a state.
    pub struct PositionId;
}

/// The variables that describe a state: one for each group of fluents that exclude each other, and one
/// for each other fluent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Positions {
    positions: IdVec<PositionId, Position>,
    /// By fluent: its variable, and the place of the value that says that it holds.
    of_fluent: IdVec<FluentId, (PositionId, u32)>,
}

/// A variable that describes part of a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    /// What the fluents have in common.
    pub name: String,
    /// By place: the name of the value.
    pub values: Vec<String>,
    /// By place: the fluent that holds then, if one does.
    pub fluents: Vec<Option<FluentId>>,
}

impl Position {
    /// The place of the value that says that no fluent holds.
    pub(crate) fn none(&self) -> Option<u32> {
        self.fluents.iter().position(Option::is_none).map(|place| place as u32)
    }
}

impl Positions {
    pub(crate) fn new(ground: &GroundProgram, encoding: Encoding) -> Positions {
        let mut positions: IdVec<PositionId, Position> = IdVec::new();
        let mut of_fluent: IdVec<FluentId, Option<(PositionId, u32)>> =
            ground.fluents.iter().map(|_| None).collect();
        let groups = match encoding {
            Encoding::Atoms => ground.groups.proved.as_slice(),
            Encoding::Fluents => &[],
        };
        for group in groups {
            let texts: Vec<&str> =
                group.fluents.iter().map(|&id| ground.fluents[id].as_str()).collect();
            let (name, mut values) = names::of_group(&texts);
            let mut fluents: Vec<Option<FluentId>> =
                group.fluents.iter().copied().map(Some).collect();
            if !group.is_exact {
                values.push(names::none_of(&values));
                fluents.push(None);
            }
            let id = positions.push(Position { name, values, fluents });
            for (place, &fluent) in (0..).zip(&group.fluents) {
                of_fluent[fluent] = Some((id, place));
            }
        }
        for (fluent, text) in ground.fluents.iter_with_ids() {
            if of_fluent[fluent].is_none() {
                let values = vec!["false".to_owned(), "true".to_owned()];
                let fluents = vec![None, Some(fluent)];
                let id = positions.push(Position { name: names::infix(text), values, fluents });
                of_fluent[fluent] = Some((id, 1));
            }
        }
        let of_fluent = of_fluent.iter().map(|place| place.expect("every fluent has a variable"));
        Positions { positions, of_fluent: of_fluent.collect() }
    }

    /// The variables.
    pub fn all(&self) -> &IdVec<PositionId, Position> {
        &self.positions
    }

    /// The variable of a fluent, and the place of the value that says that it holds.
    pub fn of_fluent(&self, fluent: FluentId) -> (PositionId, u32) {
        self.of_fluent[fluent]
    }

    /// By variable: the place of its value in a state. `None` if fluents hold together that exclude each
    /// other, which happens in no state that is reached.
    pub fn values_of(&self, holds: impl Fn(FluentId) -> bool) -> Option<Vec<u32>> {
        let value = |position: &Position| {
            let is_true = |fluent: &Option<FluentId>| fluent.is_some_and(&holds);
            let mut places = (0..).zip(&position.fluents).filter(|(_, fluent)| is_true(fluent));
            match (places.next(), places.next()) {
                (Some((place, _)), None) => Some(place),
                (None, _) => position.none(),
                (Some(_), Some(_)) => None,
            }
        };
        self.positions.iter().map(value).collect()
    }

    /// The fluents that hold when the variables have these values.
    pub fn fluents_of(&self, values: &[u32]) -> Vec<FluentId> {
        let all = self.positions.iter().zip(values);
        let mut fluents: Vec<FluentId> =
            all.filter_map(|(position, &place)| position.fluents[place as usize]).collect();
        fluents.sort_unstable_by_key(|fluent| fluent.index());
        fluents
    }
}
