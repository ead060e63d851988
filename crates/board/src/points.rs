//! Stacks of pieces on the points of a track that is folded once, as in backgammon.

use anstyle::{AnsiColor, Style};
use serde::Deserialize;

use crate::draw::Colour;
use crate::fluent::Fluent;
use crate::names::{self, Side};

/// Which fluents are stacks of pieces: those of this name with the place, the owner and the number of pieces
/// as arguments, in this order.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PointsHint {
    /// The name of the fluent.
    pub fluent: String,
    /// The places in the upper row, left to right.
    pub top: Vec<String>,
    /// The places in the lower row, left to right.
    pub bottom: Vec<String>,
}

impl PointsHint {
    /// Whether a fluent is a stack of pieces.
    pub(crate) fn is_stack(&self, text: &str) -> bool {
        stack_of(self, text).is_some()
    }
}

/// Stacks of pieces on points.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Points {
    top: Vec<Point>,
    bottom: Vec<Point>,
    /// Stacks elsewhere, that are not empty.
    aside: Vec<(String, Stack)>,
    /// All owners, in the order in which they are first named.
    owners: Vec<String>,
}

/// A place and the stacks on it that are not empty.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Point {
    name: String,
    stacks: Vec<Stack>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Stack {
    owner: String,
    number: usize,
}

/// So many pieces are drawn above each other; the last of more is their number.
const HEIGHT: usize = 5;
/// After so many points there is a gap.
const HALF: usize = 6;
const GAP: usize = 3;
const WIDTH: usize = 4;

impl Points {
    /// The stacks of a state, which are taken out of `others`.
    pub(crate) fn take(hint: &PointsHint, others: &mut Vec<String>) -> Points {
        let mut owners: Vec<String> = Vec::new();
        let mut stacks: Vec<(String, Stack)> = Vec::new();
        others.retain(|text| {
            let Some((place, stack)) = stack_of(hint, text) else { return true };
            if !owners.contains(&stack.owner) {
                owners.push(stack.owner.clone());
            }
            stacks.push((place, stack));
            false
        });
        stacks.retain(|(_, stack)| stack.number > 0);
        let row = |names: &[String]| {
            let point = |name: &String| {
                let here = stacks.iter().filter(|(place, _)| place == name);
                Point { name: name.clone(), stacks: here.map(|(_, stack)| stack.clone()).collect() }
            };
            names.iter().map(point).collect()
        };
        let (top, bottom) = (row(&hint.top), row(&hint.bottom));
        stacks.retain(|(place, _)| !hint.top.contains(place) && !hint.bottom.contains(place));
        Points { top, bottom, aside: stacks, owners }
    }

    /// The upper row with its stacks hanging down, the lower row with its stacks standing up, and below what
    /// is elsewhere. Places that are not as in `before` stand in brackets, or are underlined in colours.
    pub fn draw(&self, before: Option<&Points>, colour: Colour) -> Vec<String> {
        let mut lines = vec![Points::labels(&self.top, before.map(|it| &*it.top), colour)];
        lines.extend((0..HEIGHT).map(|level| Points::level(&self.top, level, colour)));
        lines.push(String::new());
        lines.extend((0..HEIGHT).rev().map(|level| Points::level(&self.bottom, level, colour)));
        lines.push(Points::labels(&self.bottom, before.map(|it| &*it.bottom), colour));
        let meaning = |owner: &String| format!("{} = {owner}", Points::symbol(owner));
        let elsewhere =
            |(place, stack): &(String, Stack)| format!("{place}: {} {}", stack.number, stack.owner);
        let meanings = self.owners.iter().map(meaning);
        lines.push(meanings.chain(self.aside.iter().map(elsewhere)).collect::<Vec<_>>().join("  "));
        lines
    }

    /// The names of the places of a row.
    fn labels(row: &[Point], before: Option<&[Point]>, colour: Colour) -> String {
        let has_changed = |place: usize| {
            let old = before.and_then(|before| before.get(place));
            old.is_some_and(|old| old != &row[place])
        };
        let in_brackets = |place: usize| colour == Colour::Never && has_changed(place);
        let label = |place: usize| {
            let name = &row[place].name;
            let after = place.checked_sub(1).is_some_and(in_brackets);
            let left = if after { "]" } else { " " };
            let right = if in_brackets(place) { "[" } else { " " };
            let style = match has_changed(place) && colour == Colour::Always {
                true => Style::new().bold().underline(),
                false => Style::new(),
            };
            let gap = if is_after_gap(place) { GAP } else { 0 };
            let n_spaces = gap + WIDTH.saturating_sub(2 + name.chars().count());
            format!("{left}{}{right}{style}{name}{style:#}", " ".repeat(n_spaces))
        };
        let end = if row.len().checked_sub(1).is_some_and(in_brackets) { "]" } else { "" };
        (0..row.len()).map(label).collect::<String>() + end
    }

    /// The pieces of a row that are so far from its edge.
    fn level(row: &[Point], level: usize, colour: Colour) -> String {
        in_halves(row.iter().map(|point| Points::piece(point, level, colour)))
    }

    fn piece(point: &Point, level: usize, colour: Colour) -> String {
        let n_pieces: usize = point.stacks.iter().map(|stack| stack.number).sum();
        let empty = if level == 0 { "." } else { "" };
        let mut rest = level;
        let owner = point.stacks.iter().find(|stack| {
            let is_in_it = rest < stack.number;
            rest = rest.saturating_sub(stack.number);
            is_in_it
        });
        let Some(Stack { owner, .. }) = owner else { return format!("{empty:>WIDTH$}") };
        let text = match level + 1 == HEIGHT && n_pieces > HEIGHT {
            true => n_pieces.to_string(),
            false => Points::symbol(owner),
        };
        let style = match (colour, names::side(owner)) {
            (Colour::Never, _) | (_, None) => Style::new(),
            (_, Some(Side::First)) => Style::new().fg_color(Some(AnsiColor::Yellow.into())),
            (_, Some(Side::Second)) => Style::new().fg_color(Some(AnsiColor::Cyan.into())),
        };
        let space = " ".repeat(WIDTH.saturating_sub(text.chars().count()));
        format!("{space}{style}{text}{style:#}")
    }

    /// How the pieces of an owner are drawn.
    fn symbol(owner: &str) -> String {
        match names::side(owner) {
            Some(Side::First) => "O".to_owned(),
            Some(Side::Second) => "X".to_owned(),
            None => owner.chars().take(1).collect(),
        }
    }
}

/// The place and the stack that a fluent tells of.
fn stack_of(hint: &PointsHint, text: &str) -> Option<(String, Stack)> {
    let fluent = Fluent::read(text)?;
    if !fluent.name.eq_ignore_ascii_case(&hint.fluent) {
        return None;
    }
    let [place, owner, number] = fluent.arguments.as_slice() else { return None };
    let number = number.parse().ok()?;
    Some((place.clone(), Stack { owner: owner.clone(), number }))
}

fn is_after_gap(place: usize) -> bool {
    place > 0 && place.is_multiple_of(HALF)
}

/// The points of a row, with a gap in the middle.
fn in_halves(points: impl Iterator<Item = String>) -> String {
    let mut line = String::new();
    for (place, point) in points.enumerate() {
        if is_after_gap(place) {
            line.push_str(&" ".repeat(GAP));
        }
        line.push_str(&point);
    }
    line.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(stacks: &[(&str, &str, usize)]) -> Points {
        let names = |names: [&str; 3]| names.map(String::from).to_vec();
        let (top, bottom) = (names(["4", "5", "6"]), names(["3", "2", "1"]));
        let hint = PointsHint { fluent: "at".to_owned(), top, bottom };
        let text = |(owner, place, n): &(&str, &str, usize)| format!("(at {place} {owner} {n})");
        let mut others: Vec<String> = stacks.iter().map(text).collect();
        others.push("(control white)".to_owned());
        let points = Points::take(&hint, &mut others);
        assert_eq!(others, ["(control white)"]);
        points
    }

    #[test]
    fn stacks_hang_down_and_stand_up() {
        let before = points(&[("white", "4", 7), ("black", "1", 2), ("white", "2", 0)]);
        let after =
            points(&[("white", "4", 6), ("white", "bar", 1), ("black", "1", 2), ("white", "2", 0)]);
        assert_eq!(
            after.draw(Some(&before), Colour::Never),
            [
                "  [4]  5   6",
                "   O   .   .",
                "   O",
                "   O",
                "   O",
                "   6",
                "",
                "",
                "",
                "",
                "           X",
                "   .   .   X",
                "   3   2   1",
                "O = white  X = black  bar: 1 white",
            ]
        );
    }
}
