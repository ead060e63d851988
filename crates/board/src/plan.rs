//! Where the cells of a board are.

use std::collections::HashSet;

use crate::family::Family;
use crate::layout::{Layout, Part};

/// The cells of a board, whatever is on them.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// The columns, first to last.
    pub(crate) columns: Vec<String>,
    /// The rows, first to last.
    pub(crate) rows: Vec<String>,
    /// The layers; one without a name if the board is flat.
    pub(crate) layers: Vec<String>,
    cells: HashSet<usize>,
}

impl Plan {
    /// The board that a family is by a layout.
    pub(crate) fn of(family: &Family, layout: &Layout) -> Plan {
        let layer: Vec<Part> = layout.layer.into_iter().collect();
        let mut plan = Plan {
            columns: keys(family, &layout.columns),
            rows: keys(family, &layout.rows),
            layers: keys(family, &layer),
            cells: HashSet::new(),
        };
        plan.add(family, layout);
        plan
    }

    /// Adds the cells that a family speaks of.
    pub(crate) fn add(&mut self, family: &Family, layout: &Layout) {
        let cells: Vec<usize> =
            family.members.iter().filter_map(|arguments| self.cell(layout, arguments)).collect();
        self.cells.extend(cells);
    }

    /// The cell that some arguments name. `None` if it is beyond the board.
    pub(crate) fn cell(&self, layout: &Layout, arguments: &[String]) -> Option<usize> {
        let layer: Vec<Part> = layout.layer.into_iter().collect();
        let place = |keys: &[String], parts: &[Part]| {
            let key = key(arguments, parts);
            keys.iter().position(|own| *own == key)
        };
        let (column, row) =
            (place(&self.columns, &layout.columns)?, place(&self.rows, &layout.rows)?);
        Some(self.index(place(&self.layers, &layer)?, column, row))
    }

    /// The cell at a place.
    pub(crate) fn index(&self, layer: usize, column: usize, row: usize) -> usize {
        (layer * self.rows.len() + row) * self.columns.len() + column
    }

    /// Whether the board has this cell.
    pub(crate) fn has_cell(&self, cell: usize) -> bool {
        self.cells.contains(&cell)
    }

    /// The number of cells.
    pub(crate) fn n_cells(&self) -> usize {
        self.cells.len()
    }

    /// Makes cells of all gaps, unless only every other place is used, as in draughts.
    pub(crate) fn fill_gaps(&mut self) {
        let (n_columns, n_rows) = (self.columns.len(), self.rows.len());
        let colour = |&cell: &usize| (cell % n_columns + cell / n_columns % n_rows) % 2;
        let colours: HashSet<usize> = self.cells.iter().map(colour).collect();
        if colours.len() == 2 {
            self.cells = (0..self.layers.len() * n_rows * n_columns).collect();
        }
    }

    /// Whether every fluent of a family has a place by this layout.
    pub(crate) fn holds(&self, family: &Family, layout: &Layout) -> bool {
        family.members.iter().all(|arguments| self.cell(layout, arguments).is_some())
    }
}

/// All values of some parts together, in order.
fn keys(family: &Family, parts: &[Part]) -> Vec<String> {
    let mut keys = vec![String::new()];
    for (idx, &part) in parts.iter().enumerate() {
        let values = family.axis(part).without_gaps();
        let dot = if idx == 0 { "" } else { "." };
        let longer = |key: &String| -> Vec<String> {
            values.iter().map(|value| format!("{key}{dot}{value}")).collect()
        };
        keys = keys.iter().flat_map(longer).collect();
    }
    keys
}

/// The values of some parts in some arguments.
fn key(arguments: &[String], parts: &[Part]) -> String {
    let values: Vec<&str> = parts.iter().map(|part| part.of(arguments)).collect();
    values.join(".")
}
