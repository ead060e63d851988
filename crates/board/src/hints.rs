//! What someone who knows a game says of its board.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::points::PointsHint;

/// What is known of the board of a game; by default nothing.
#[derive(Clone, PartialEq, Eq, Default, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Hints {
    /// The name of the fluent that is a board. With its column and row it is one whatever its form.
    ///
    /// Without a name, column and row only say which is which on the boards that are recognised.
    pub fluent: Option<String>,
    /// Which of its arguments is the column, counted from 0.
    pub column: Option<usize>,
    /// Which of its arguments is the row, counted from 0.
    pub row: Option<usize>,
    /// Whether the first row is at the top, as in a table, and not at the bottom, as in chess.
    pub first_row_on_top: bool,
    /// The symbols of contents.
    pub symbols: BTreeMap<String, String>,
    /// A track with stacks of pieces.
    pub points: Option<PointsHint>,
    /// The names of fluents that a picture leaves out, such as clocks.
    pub hidden: Vec<String>,
}

impl Hints {
    /// Whether pictures leave fluents of this name out.
    pub(crate) fn hides(&self, name: &str) -> bool {
        self.hidden.iter().any(|hidden| hidden.eq_ignore_ascii_case(name))
    }

    /// Whether the hints name this fluent.
    pub(crate) fn name(&self, name: &str) -> bool {
        self.fluent.as_ref().is_some_and(|fluent| fluent.eq_ignore_ascii_case(name))
    }

    /// The column and the row, if both are said of a fluent of that name and arity.
    pub(crate) fn arguments(&self, name: &str, arity: usize) -> Option<(usize, usize)> {
        let (column, row) = (self.column?, self.row?);
        let are_possible = column != row && column < arity && row < arity;
        (are_possible && self.name(name)).then_some((column, row))
    }

    /// Whether two coordinates of a fluent of that name must change places.
    pub(crate) fn swap(&self, name: &str, column: usize, row: usize) -> bool {
        let speak_of_it = self.fluent.is_none() || self.name(name);
        speak_of_it && (self.column == Some(row) || self.row == Some(column))
    }
}
