//! Boards as lines of text, as plain as a chess diagram.

use std::collections::BTreeSet;
use std::sync::Arc;

use anstyle::{AnsiColor, Style};

use crate::grid::{Grid, Picture};
use crate::names::Side;
use crate::symbols::EMPTY;

/// A cell with several pieces that do not fit in it.
const SEVERAL: &str = "*";
/// Several pieces of a cell are drawn side by side if they need no more characters.
const MAX_JOINED: usize = 5;
/// Lines are not longer than this, if they need not be.
const MAX_LINE: usize = 78;

/// What is between boards that stand side by side.
const GUTTER: usize = 3;

/// Whether drawings have colours, as terminal codes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colour {
    /// Plain text.
    Never,
    /// With terminal codes.
    Always,
}

impl Picture {
    /// The boards with their legends, and below them what is on no board.
    ///
    /// What has changed since the picture `before` is marked. Layers of a board stand side by side.
    pub fn draw(&self, before: Option<&Picture>, colour: Colour) -> Vec<String> {
        let mut lines = Vec::new();
        for board in self.grids.chunk_by(|a, b| Arc::ptr_eq(&a.symbols, &b.symbols)) {
            let blocks = board.iter().map(|grid| self.block(grid, before, colour)).collect();
            lines.extend(side_by_side(blocks));
            let mut legend: Vec<String> = Vec::new();
            for meaning in board.iter().flat_map(Grid::meanings) {
                if !legend.contains(&meaning) {
                    legend.push(meaning);
                }
            }
            lines.extend(wrapped(legend, "  "));
            lines.extend(board.iter().flat_map(Grid::crowds));
            lines.push(String::new());
        }
        if let Some(points) = &self.points {
            lines.extend(points.draw(before.and_then(|before| before.points.as_ref()), colour));
            lines.push(String::new());
        }
        lines.extend(wrapped(self.others.iter().cloned(), " "));
        while lines.last().is_some_and(String::is_empty) {
            lines.pop();
        }
        lines
    }

    /// A grid below its title, if there are several; each line with its width on the screen.
    fn block(&self, grid: &Grid, before: Option<&Picture>, colour: Colour) -> Vec<(String, usize)> {
        let has_title = self.grids.len() > 1;
        let title = has_title.then(|| (grid.title.clone(), n_characters(&grid.title)));
        let before =
            before.and_then(|before| before.grids.iter().find(|it| it.title == grid.title));
        let lines = grid.draw(before, colour);
        let marked = if colour == Colour::Never { before } else { None };
        let plain = grid.draw(marked, Colour::Never);
        let widths = plain.iter().map(|line| n_characters(line));
        title.into_iter().chain(lines.into_iter().zip(widths)).collect()
    }
}

impl Grid {
    /// The board as lines of text, the names of the rows on the left and of the columns below.
    ///
    /// What has changed since the drawing of `before`, an earlier picture of the same board, is
    /// underlined, or stands in brackets if there is no colour.
    pub fn draw(&self, before: Option<&Grid>, colour: Colour) -> Vec<String> {
        let width = self.cell_width();
        let margin = self.rows.iter().map(|row| n_characters(row)).max().unwrap_or(0);
        let mut lines: Vec<String> = (0..self.rows.len())
            .map(|row| {
                let line = self.draw_row(row, width, before, colour);
                format!("{:>margin$} {line}", self.rows[row]).trim_end().to_string()
            })
            .collect();
        let labels: Vec<String> =
            self.columns.iter().map(|column| format!("{column:^width$}")).collect();
        lines.push(format!("{:margin$}  {}", "", labels.join(" ")).trim_end().to_string());
        lines
    }

    /// What the symbols on the board mean, where they are not the contents themselves, and what is
    /// in the cells that have more than could be drawn.
    pub fn legend(&self) -> Vec<String> {
        let mut lines = wrapped(self.meanings(), "  ");
        lines.extend(self.crowds());
        lines
    }

    /// The symbols on the board that are not the contents themselves, with their contents.
    fn meanings(&self) -> Vec<String> {
        let contents: BTreeSet<&String> = self.cells.iter().flatten().flatten().collect();
        let (blanks, pieces): (Vec<&String>, Vec<&String>) =
            contents.into_iter().partition(|content| self.is_blank(content));
        pieces
            .into_iter()
            .chain(blanks)
            .filter(|content| self.symbol(content) != *content)
            .map(|content| format!("{} = {content}", self.symbol(content)))
            .collect()
    }

    /// What is in the cells that have more than could be drawn.
    fn crowds(&self) -> Vec<String> {
        let is_crowded = |&(column, row): &(usize, usize)| {
            self.pieces(column, row).len() > 1 && self.text(column, row) == SEVERAL
        };
        let line = |(column, row): (usize, usize)| {
            let (place, pieces) = (&self.columns[column], self.pieces(column, row).join(", "));
            format!("{SEVERAL} {place} {}: {pieces}", self.rows[row])
        };
        self.places().filter(is_crowded).map(line).collect()
    }

    fn draw_row(&self, row: usize, width: usize, before: Option<&Grid>, colour: Colour) -> String {
        let has_changed =
            |column: usize| before.is_some_and(|before| self.differs(before, column, row));
        let in_brackets = |column: usize| colour == Colour::Never && has_changed(column);
        let mut line = String::new();
        for column in 0..self.columns.len() {
            let left = column > 0 && in_brackets(column - 1);
            line.push(separator(left, in_brackets(column)));
            let text = self.text(column, row);
            let style = match colour {
                Colour::Never => Style::new(),
                Colour::Always => self.style(column, row, has_changed(column)),
            };
            // The spaces around it have no style, so that they can be cut off.
            let styled = format!("{style}{text}{style:#}");
            line.push_str(&format!("{text:^width$}").replacen(&text, &styled, 1));
        }
        line.push(separator(self.columns.len().checked_sub(1).is_some_and(in_brackets), false));
        line
    }

    /// What is drawn in a cell.
    fn text(&self, column: usize, row: usize) -> String {
        if self.contents(column, row).is_none() {
            return String::new();
        }
        let pieces = self.pieces(column, row);
        if pieces.is_empty() {
            return self.symbols.blank().map_or(EMPTY, |blank| self.symbol(blank)).to_string();
        }
        let symbols: Vec<&str> = pieces.iter().map(|piece| self.symbol(piece)).collect();
        let joined = symbols.join("+");
        let fits = symbols.len() == 1 || n_characters(&joined) <= MAX_JOINED;
        if fits { joined } else { SEVERAL.to_string() }
    }

    fn cell_width(&self) -> usize {
        let texts = self.places().map(|(column, row)| n_characters(&self.text(column, row)));
        let columns = self.columns.iter().map(|column| n_characters(column));
        texts.chain(columns).max().unwrap_or(1).max(self.symbols.width())
    }

    /// All columns and rows.
    fn places(&self) -> impl Iterator<Item = (usize, usize)> {
        let n_columns = self.columns.len();
        (0..self.rows.len()).flat_map(move |row| (0..n_columns).map(move |column| (column, row)))
    }

    fn style(&self, column: usize, row: usize, has_changed: bool) -> Style {
        let pieces = self.pieces(column, row);
        let style = match pieces.iter().find_map(|piece| self.side(piece)) {
            _ if self.contents(column, row).is_none() => return Style::new(),
            _ if pieces.is_empty() => Style::new().dimmed(),
            Some(Side::First) => Style::new().fg_color(Some(AnsiColor::Yellow.into())),
            Some(Side::Second) => Style::new().fg_color(Some(AnsiColor::Cyan.into())),
            None => Style::new(),
        };
        if has_changed { style.bold().underline() } else { style }
    }
}

/// What stands between two cells.
fn separator(left_is_marked: bool, right_is_marked: bool) -> char {
    match (left_is_marked, right_is_marked) {
        (false, false) => ' ',
        (false, true) => '[',
        (true, false) => ']',
        (true, true) => '|',
    }
}

/// Blocks of lines with their widths beside each other, as many as fit, then the next ones below.
fn side_by_side(blocks: Vec<Vec<(String, usize)>>) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut top = 0;
    let mut used = 0;
    for block in blocks {
        let width = block.iter().map(|line| line.1).max().unwrap_or(0);
        if used > 0 && used + width > MAX_LINE {
            lines.push(String::new());
            (top, used) = (lines.len(), 0);
        }
        lines.resize(lines.len().max(top + block.len()), " ".repeat(used));
        for (line, (text, n_characters)) in lines[top..].iter_mut().zip(block) {
            line.push_str(&text);
            line.push_str(&" ".repeat(width + GUTTER - n_characters));
        }
        used += width + GUTTER;
    }
    lines.iter().map(|line| line.trim_end().to_string()).collect()
}

/// Texts one after the other, in lines that are not too long.
fn wrapped(texts: impl IntoIterator<Item = String>, between: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for text in texts {
        match lines.last_mut() {
            Some(line) if n_characters(line) + between.len() + n_characters(&text) <= MAX_LINE => {
                line.push_str(between);
                line.push_str(&text);
            }
            _ => lines.push(text),
        }
    }
    lines
}

fn n_characters(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::Colour;
    use crate::{Boards, Grid, Hints, Side};

    /// Tic-tac-toe with these cells, as `11x`.
    fn grid(cells: &[&str]) -> Grid {
        let text = |cell: &str| format!("(cell {} {} {})", &cell[..1], &cell[1..2], &cell[2..]);
        let all = ["1", "2", "3"].iter().flat_map(|x| {
            ["1", "2", "3"].iter().flat_map(move |y| ["x", "o", "b"].map(|c| format!("{x}{y}{c}")))
        });
        let all: Vec<String> = all.map(|cell| text(&cell)).collect();
        let boards = Boards::recognise(all.iter().map(String::as_str), &Hints::default());
        let state: Vec<String> = cells.iter().map(|cell| text(cell)).collect();
        boards.picture(&state).grids[0].clone()
    }

    /// A line without its terminal codes.
    fn without_codes(line: &str) -> String {
        let mut parts = line.split('\u{1b}');
        let first = parts.next().unwrap_or_default().to_string();
        parts.fold(first, |text, part| text + part.split_once('m').map_or(part, |it| it.1))
    }

    #[test]
    fn changed_cells_are_in_brackets() {
        let before = grid(&["11x", "21b", "31x"]);
        let after = grid(&["11o", "21x", "31x", "32x"]);
        assert_eq!(
            after.draw(Some(&before), Colour::Never),
            ["3  . . .", "2  . .[x]", "1 [o|x]x", "   1 2 3"]
        );
        assert_eq!(before.draw(Some(&before), Colour::Never)[2], "1  x . x");
    }

    #[test]
    fn colours_tell_players_and_changes() {
        let after = grid(&["11o", "21x"]);
        let line = &after.draw(Some(&grid(&["11o"])), Colour::Always)[2];
        assert!(line.contains("\u{1b}[36mo\u{1b}[0m"), "{line:?}");
        assert!(line.contains("\u{1b}[1m\u{1b}[4m\u{1b}[33mx\u{1b}[0m"), "{line:?}");
        assert_eq!(without_codes(line), "1  o x .");
        assert_eq!(after.side("x"), Some(Side::First));
        assert_eq!(after.side("b"), None);
    }

    #[test]
    fn crowds_are_listed_below() {
        let crowd = grid(&["11x", "11o", "21o", "21x", "31b", "31o"]);
        assert_eq!(crowd.draw(None, Colour::Never)[2], "1  x+o o+x  o");
        let names = ["white_king", "black_queen", "black_man", "lost"];
        let cells = ["1 1", "1 2", "2 1", "2 2"];
        let all = names.iter().flat_map(|name| cells.map(|cell| format!("(at {name} {cell})")));
        let all: Vec<String> = all.collect();
        let boards = Boards::recognise(all.iter().map(String::as_str), &Hints::default());
        let state = names.map(|name| format!("(at {name} 1 2)"));
        let grid = &boards.picture(&state).grids[0];
        assert_eq!(grid.draw(None, Colour::Never)[0], "2  *  .");
        assert_eq!(
            grid.legend().last().unwrap(),
            "* 1 2: white_king, black_queen, black_man, lost"
        );
    }
}
