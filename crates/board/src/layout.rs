//! Which arguments of a fluent say where, and which say what.

use crate::axis::{Axis, Kind, number_at_end};
use crate::family::Family;
use crate::hints::Hints;
use crate::names;

/// A board has at most so many columns or rows.
const MAX_VALUES: usize = 40;
/// A board has at most so many layers.
const MAX_LAYERS: usize = 12;
const MIN_CELLS: usize = 4;

/// A piece of the arguments of a fluent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// An argument.
    Whole(usize),
    /// What is before the number of an argument such as `a1`.
    Letters(usize),
    /// The number of such an argument.
    Digits(usize),
}

impl Part {
    /// This piece of `arguments`, which has it.
    pub(crate) fn of(self, arguments: &[String]) -> &str {
        match self {
            Part::Whole(idx) => &arguments[idx],
            Part::Letters(idx) => split(&arguments[idx]).0,
            Part::Digits(idx) => split(&arguments[idx]).1,
        }
    }

    fn argument(self) -> usize {
        match self {
            Part::Whole(idx) | Part::Letters(idx) | Part::Digits(idx) => idx,
        }
    }
}

/// How the fluents of a family are places with contents.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Layout {
    /// The column; of two parts the first is the coarse one.
    pub(crate) columns: Vec<Part>,
    /// The row, likewise.
    pub(crate) rows: Vec<Part>,
    /// Which of several boards.
    pub(crate) layer: Option<Part>,
    /// The arguments that are the content.
    pub(crate) contents: Vec<usize>,
}

impl Layout {
    /// A layout whose contents are the arguments that are no coordinates.
    pub(crate) fn new(
        arity: usize,
        columns: Vec<Part>,
        rows: Vec<Part>,
        layer: Option<Part>,
    ) -> Layout {
        let parts = || columns.iter().chain(&rows).chain(&layer);
        let is_content = |idx: &usize| parts().all(|part| part.argument() != *idx);
        let contents = (0..arity).filter(is_content).collect();
        Layout { columns, rows, layer, contents }
    }

    /// The layout of a family, if it is a board by its form or by the hints.
    pub(crate) fn of(family: &Family, hints: &Hints) -> Option<Layout> {
        let arity = family.signature.arity;
        if let Some((column, row)) = hints.arguments(&family.signature.name, arity) {
            return Some(Layout::flat(arity, column, row));
        }
        let axes: Vec<Axis> = (0..arity).map(|idx| family.axis(Part::Whole(idx))).collect();
        let mut layout = deep(family, &axes)
            .or_else(|| best_pair(family, &axes))
            .or_else(|| (0..arity).find_map(|idx| joined(family, idx)))?;
        if let ([Part::Whole(column)], [Part::Whole(row)]) = (&*layout.columns, &*layout.rows)
            && hints.swap(&family.signature.name, *column, *row)
        {
            std::mem::swap(&mut layout.columns, &mut layout.rows);
        }
        layout.has_plausible_contents(family, &axes).then_some(layout)
    }

    /// A column and a row.
    pub(crate) fn flat(arity: usize, column: usize, row: usize) -> Layout {
        Layout::new(arity, vec![Part::Whole(column)], vec![Part::Whole(row)], None)
    }

    /// All coordinates.
    pub(crate) fn parts(&self) -> Vec<Part> {
        self.columns.iter().chain(&self.rows).chain(&self.layer).copied().collect()
    }

    /// The content in some arguments; without such arguments, the name of the fluent.
    pub(crate) fn content(&self, name: &str, arguments: &[String]) -> String {
        if self.contents.is_empty() {
            return name.to_string();
        }
        let texts: Vec<&str> = self.contents.iter().map(|&idx| arguments[idx].as_str()).collect();
        texts.join(" ")
    }

    /// Refuses what says how many, what relates two things, and what has only numbers for contents.
    fn has_plausible_contents(&self, family: &Family, axes: &[Axis]) -> bool {
        let arguments: Vec<usize> = self.parts().iter().map(|part| part.argument()).collect();
        let stand_apart = arguments[0].abs_diff(arguments[1]) > 1;
        if (stand_apart || self.contents.is_empty()) && names::is_no_place(&family.signature.name) {
            return false;
        }
        match self.contents.as_slice() {
            [] => has_one_origin(&family.axis(self.columns[0]), &family.axis(self.rows[0])),
            [_] => true,
            several => !several.iter().all(|&idx| axes[idx].is_numbers()),
        }
    }
}

/// Whether one of two coordinates is numbers, and if both are, they begin with the same one.
fn has_one_origin(column: &Axis, row: &Axis) -> bool {
    match (column.first_number(), row.first_number()) {
        (Some(column), Some(row)) => column == row,
        (column, row) => column.or(row).is_some(),
    }
}

/// Three or four coordinates in front of one content: layers of boards, or a board of boards.
fn deep(family: &Family, axes: &[Axis]) -> Option<Layout> {
    let n = axes.len().checked_sub(1).filter(|n| [3, 4].contains(n))?;
    let parts: Vec<Part> = (0..n).map(Part::Whole).collect();
    let product: usize = axes[..n].iter().map(|axis| axis.values.len()).product();
    let fits = |axis: &Axis| axis.is_ordered() && (2..=MAX_LAYERS).contains(&axis.values.len());
    let cells = family.n_combinations(&parts);
    // What follows from the other coordinates is none itself.
    let is_function = family.n_combinations(&parts[..n - 1]) == cells;
    if !axes[..n].iter().all(fits) || is_function || axes[n].is_numbers() || cells * 5 < product {
        return None;
    }
    if n == 4 {
        let (columns, rows) = (vec![parts[0], parts[2]], vec![parts[1], parts[3]]);
        return Some(Layout::new(axes.len(), columns, rows, None));
    }
    let same = |a: usize, b: usize| axes[a].values == axes[b].values;
    let layer = if same(1, 2) && !same(0, 1) { 0 } else { 2 };
    let others: Vec<usize> = (0..3).filter(|&idx| idx != layer).collect();
    let (column, row) = oriented(others[0], others[1], axes);
    let layer = Some(parts[layer]);
    Some(Layout::new(axes.len(), vec![parts[column]], vec![parts[row]], layer))
}

/// The two arguments whose values appear in most combinations, earlier ones first.
fn best_pair(family: &Family, axes: &[Axis]) -> Option<Layout> {
    let mut best: Option<(usize, (usize, usize))> = None;
    for first in 0..axes.len() {
        for second in first + 1..axes.len() {
            let coverage = coverage(family, first, second, axes);
            // Nearly full is as good as full.
            let coverage = coverage.map(|percent| percent.min(90));
            if coverage > best.map(|(percent, _)| percent) {
                best = coverage.map(|percent| (percent, (first, second)));
            }
        }
    }
    let (column, row) = best.map(|(_, (first, second))| oriented(first, second, axes))?;
    Some(Layout::flat(axes.len(), column, row))
}

/// How much of the product of two arguments appears, in percent. `None` if they are no coordinates.
fn coverage(family: &Family, first: usize, second: usize, axes: &[Axis]) -> Option<usize> {
    let (a, b) = (&axes[first], &axes[second]);
    let sizes = [a.values.len(), b.values.len()];
    if sizes.iter().any(|size| !(2..=MAX_VALUES).contains(size)) {
        return None;
    }
    let cells = family.n_combinations(&[Part::Whole(first), Part::Whole(second)]);
    let percent = cells * 100 / (sizes[0] * sizes[1]);
    let is_square = a.values == b.values && sizes[0] > 2 && percent == 100 && axes.len() > 2;
    let is_board = (a.is_ordered() && b.is_ordered() && percent >= 33) || is_square;
    (is_board && cells >= MIN_CELLS).then_some(percent)
}

/// Column and row of two coordinates: letters, `c1` and `x1` are columns, else the first is.
fn oriented(first: usize, second: usize, axes: &[Axis]) -> (usize, usize) {
    let swapped = match (&axes[first].kind, &axes[second].kind) {
        (Kind::Numbers { .. }, Kind::Letters) => true,
        (Kind::Numbers { stem: first }, Kind::Numbers { stem: second }) => {
            let begin = |letters: &str| {
                first.to_lowercase().starts_with(&letters[..1])
                    && second.to_lowercase().starts_with(&letters[1..])
            };
            begin("rc") || begin("yx")
        }
        _ => false,
    };
    if swapped { (second, first) } else { (first, second) }
}

/// One argument that is both coordinates, as `a1`.
fn joined(family: &Family, idx: usize) -> Option<Layout> {
    let is_place = |text: &str| {
        number_at_end(text)
            .is_some_and(|(stem, _)| stem.len() == 1 && stem.chars().all(char::is_alphabetic))
    };
    if !family.members.iter().all(|arguments| is_place(&arguments[idx])) {
        return None;
    }
    let (column, row) = (Part::Letters(idx), Part::Digits(idx));
    let sizes = [family.axis(column).values.len(), family.axis(row).values.len()];
    let cells = family.n_combinations(&[column, row]);
    let fits = sizes.iter().all(|size| (2..=MAX_VALUES).contains(size));
    let is_board = fits
        && family.axis(column).is_ordered()
        && cells >= MIN_CELLS
        && cells * 3 >= sizes[0] * sizes[1];
    is_board.then(|| Layout::new(family.signature.arity, vec![column], vec![row], None))
}

/// A text before its final digits, and these.
fn split(text: &str) -> (&str, &str) {
    let stem = text.trim_end_matches(|letter: char| letter.is_ascii_digit());
    text.split_at(stem.len())
}
