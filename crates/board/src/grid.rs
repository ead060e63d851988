//! What a state looks like.

use std::sync::Arc;

use crate::names::{self, Side};
use crate::points::Points;
use crate::symbols::Symbols;

/// What a state looks like.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Picture {
    /// The boards; those of a layered board stand together.
    pub grids: Vec<Grid>,
    /// The stacks of pieces on a track, if the hints say that there is one.
    pub points: Option<Points>,
    /// The fluents that are on no board, as texts, in the order of the state.
    pub others: Vec<String>,
}

/// A board with what is on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Grid {
    /// The name of its fluent, and which layer it is.
    pub title: String,
    /// The columns, left to right, as the rules name them.
    pub columns: Vec<String>,
    /// The rows, top first, as the rules name them.
    pub rows: Vec<String>,
    /// Row after row, top first; `None` where the board has no cell.
    pub(crate) cells: Vec<Option<Vec<String>>>,
    pub(crate) symbols: Arc<Symbols>,
}

impl Grid {
    /// What is in a cell, counted from the left and from the top; blanks too, if the rules name
    /// them. `None` where the board has no cell.
    pub fn contents(&self, column: usize, row: usize) -> Option<&[String]> {
        if column >= self.columns.len() {
            return None;
        }
        self.cells.get(row * self.columns.len() + column)?.as_deref()
    }

    /// How a content of this board is drawn.
    pub fn symbol<'a>(&'a self, content: &'a str) -> &'a str {
        self.symbols.of(content)
    }

    /// Whether a content says that there is nothing.
    pub fn is_blank(&self, content: &str) -> bool {
        self.symbols.is_blank(content)
    }

    /// Whose a content is. `None` if its name does not tell.
    pub fn side(&self, content: &str) -> Option<Side> {
        if self.is_blank(content) { None } else { names::side(content) }
    }

    /// The contents of a cell that are no blanks.
    pub(crate) fn pieces(&self, column: usize, row: usize) -> Vec<&str> {
        let contents = self.contents(column, row).unwrap_or_default().iter().map(String::as_str);
        contents.filter(|content| !self.is_blank(content)).collect()
    }

    /// Whether a cell differs from that of an earlier picture of the same board.
    pub(crate) fn differs(&self, before: &Grid, column: usize, row: usize) -> bool {
        let same_board = self.columns == before.columns && self.rows == before.rows;
        same_board && self.pieces(column, row) != before.pieces(column, row)
    }
}
