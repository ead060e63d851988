//! The boards of a game, and states drawn on them.

use std::collections::HashMap;
use std::sync::Arc;

use crate::family::{Signature, families};
use crate::fluent::Fluent;
use crate::grid::{Grid, Picture};
use crate::hints::Hints;
use crate::points::Points;
use crate::recognise::{Board, recognise};

/// The boards of a game: which fluents are places with a content.
#[derive(Clone, Default, Debug)]
pub struct Boards {
    boards: Vec<Board>,
    hints: Hints,
}

impl Boards {
    /// Recognises boards from all fluents that may ever hold.
    ///
    /// Texts that are no fluents are left out. A cell that no fluent speaks of is a gap.
    pub fn recognise<'a>(fluents: impl IntoIterator<Item = &'a str>, hints: &Hints) -> Boards {
        let is_stack = |text: &&str| {
            let points = hints.points.as_ref();
            points.is_some_and(|points| points.is_stack(text))
        };
        let fluents = fluents.into_iter().filter(|text| !is_stack(text));
        let boards = recognise(&families(fluents), hints);
        Boards { boards, hints: hints.clone() }
    }

    /// Recognises boards from the fluents that were seen so far.
    ///
    /// As [`Boards::recognise`], but where cells do not name their blanks, one that no fluent speaks
    /// of may only not have been visited: boards are then full rectangles, or every other place of
    /// one. Only boards whose places are one word, as `a1`, keep their gaps.
    pub fn recognise_seen<'a>(fluents: impl IntoIterator<Item = &'a str>, hints: &Hints) -> Boards {
        let mut boards = Boards::recognise(fluents, hints);
        for board in &mut boards.boards {
            board.fill_gaps();
        }
        boards
    }

    /// Whether there is no board.
    pub fn is_empty(&self) -> bool {
        self.boards.is_empty()
    }

    /// What a state looks like.
    pub fn picture(&self, state: &[String]) -> Picture {
        let mut contents: Vec<HashMap<usize, Vec<String>>> =
            vec![HashMap::new(); self.boards.len()];
        let mut others = Vec::new();
        for text in state {
            let fluent = Fluent::read(text);
            if fluent.as_ref().is_some_and(|fluent| self.hints.hides(&fluent.name)) {
                continue;
            }
            match fluent.and_then(|fluent| self.locate(&fluent)) {
                Some((board, cell, content)) => {
                    contents[board].entry(cell).or_default().push(content);
                }
                None => others.push(text.clone()),
            }
        }
        let boards = self.boards.iter().zip(contents);
        let grids = boards.flat_map(|(board, contents)| self.grids(board, contents)).collect();
        let points = self.hints.points.as_ref().map(|hint| Points::take(hint, &mut others));
        Picture { grids, points, others }
    }

    /// The board of a fluent, the cell there and its content.
    fn locate(&self, fluent: &Fluent) -> Option<(usize, usize, String)> {
        let signature = Signature::of(fluent);
        self.boards.iter().enumerate().find_map(|(idx, board)| {
            let (cell, content) = board.locate(&signature, &fluent.arguments)?;
            Some((idx, cell, content))
        })
    }

    /// One grid for each layer of a board.
    fn grids(&self, board: &Board, mut contents: HashMap<usize, Vec<String>>) -> Vec<Grid> {
        let plan = &board.plan;
        let mut rows: Vec<usize> = (0..plan.rows.len()).collect();
        if !self.hints.first_row_on_top {
            rows.reverse();
        }
        let mut grids = Vec::new();
        for (layer, name) in plan.layers.iter().enumerate() {
            let mut cells = Vec::new();
            for &row in &rows {
                for column in 0..plan.columns.len() {
                    let cell = plan.index(layer, column, row);
                    let contents = contents.remove(&cell).unwrap_or_default();
                    cells.push(plan.has_cell(cell).then_some(contents));
                }
            }
            grids.push(Grid {
                title: format!("{} {name}", board.title()).trim_end().to_string(),
                columns: plan.columns.clone(),
                rows: rows.iter().map(|&row| plan.rows[row].clone()).collect(),
                cells,
                symbols: Arc::clone(&board.symbols),
            });
        }
        grids
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{ProptestConfig, any, prop, proptest};

    use super::Boards;
    use crate::{Colour, Hints};

    /// All texts with `$x`, `$y` and `$c` replaced by each of the words.
    fn product(template: &str, columns: &str, rows: &str, contents: &str) -> Vec<String> {
        let mut texts = Vec::new();
        for x in columns.split(' ') {
            for y in rows.split(' ') {
                for c in contents.split(' ') {
                    texts.push(template.replace("$x", x).replace("$y", y).replace("$c", c));
                }
            }
        }
        texts
    }

    fn drawn_with(hints: &Hints, fluents: &[String], state: &[&str]) -> Vec<String> {
        let boards = Boards::recognise(fluents.iter().map(String::as_str), hints);
        let state: Vec<String> = state.iter().map(|text| text.to_string()).collect();
        boards.picture(&state).draw(None, Colour::Never)
    }

    fn drawn(fluents: &[String], state: &[&str]) -> Vec<String> {
        drawn_with(&Hints::default(), fluents, state)
    }

    #[test]
    fn tic_tac_toe() {
        let mut fluents = product("(cell $x $y $c)", "1 2 3", "1 2 3", "b x o");
        fluents.push("(control xplayer)".to_string());
        let state = ["(cell 1 1 x)", "(cell 2 1 b)", "(control xplayer)", "(cell 3 2 o)"];
        assert_eq!(
            drawn(&fluents, &state),
            ["3  . . .", "2  . . o", "1  x . .", "   1 2 3", ". = b", "", "(control xplayer)"]
        );
    }

    #[test]
    fn chess_has_letters_below_and_only_its_pieces() {
        let mut fluents = product("(cell $x $y $c)", "a b c d", "1 2 3", "b wk bk bb wp");
        fluents.extend(product("(check $c bishop $x $y)", "a b c d", "1 2 3", "white black"));
        fluents.extend(product("(piece_has_moved $c $x $y)", "a d", "1 3", "wk bk"));
        let state = ["(cell b 1 wk)", "(cell d 3 bb)", "(cell a 1 b)"];
        let more = ["(check white bishop d 3)", "(piece_has_moved wk a 1)"];
        assert_eq!(
            drawn(&fluents, &[&state[..], &more].concat()),
            [
                "3  .  .  .  bb",
                "2  .  .  .  .",
                "1  .  wk .  .",
                "   a  b  c  d",
                ". = b",
                "",
                "(check white bishop d 3) (piece_has_moved wk a 1)",
            ]
        );
    }

    #[test]
    fn connect_four() {
        let fluents = product("(cell $x $y $c)", "1 2 3 4 5 6 7", "1 2 3 4 5 6", "red black dirt");
        assert_eq!(
            drawn(&fluents, &["(cell 4 1 red)", "(cell 4 2 black)", "(cell 7 1 red)"]),
            [
                "6  . . . . . . .",
                "5  . . . . . . .",
                "4  . . . . . . .",
                "3  . . . . . . .",
                "2  . . . b . . .",
                "1  . . . r . . r",
                "   1 2 3 4 5 6 7",
                "b = black  r = red",
            ]
        );
    }

    #[test]
    fn fluents_of_players_are_on_one_board() {
        let mut fluents = product("(white_at $x $y)", "1 2 3", "1 2 3", "");
        fluents.extend(product("(black_at $x $y)", "1 2 3", "1 2 3", ""));
        assert_eq!(
            drawn(&fluents, &["(white_at 1 1)", "(black_at 3 3)"]),
            ["3  . . b", "2  . . .", "1  w . .", "   1 2 3", "b = black_at  w = white_at"]
        );
    }

    #[test]
    fn equal_pieces_of_players_are_told_apart() {
        let mut fluents = product("(white_has $x $y $c)", "1 2", "1 2", "king man");
        fluents.extend(product("(black_has $x $y $c)", "1 2", "1 2", "king man"));
        assert_eq!(
            drawn(&fluents, &["(white_has 1 1 king)", "(black_has 2 2 king)"]),
            ["2  .  bk", "1  wk .", "   1  2", "bk = black_has king  wk = white_has king"]
        );
    }

    #[test]
    fn equal_contents_are_on_two_boards() {
        let mut fluents = product("(cell1 $x $y $c)", "1 2", "1 2", "b x o");
        fluents.extend(product("(cell2 $x $y $c)", "1 2", "1 2", "b x o"));
        let lines = drawn(&fluents, &["(cell2 1 1 x)"]);
        assert_eq!(lines[..4], ["cell1", "2  . .", "1  . .", "   1 2"]);
        assert_eq!(lines[5..], ["cell2", "2  . .", "1  x .", "   1 2"]);
    }

    #[test]
    fn a_mark_shares_the_cell_of_a_piece() {
        let mut fluents = product("(cell $x $y $c)", "a b", "1 2", "white black");
        fluents.extend(product("(last_move $x $y)", "a b", "1 2", ""));
        assert_eq!(
            drawn(&fluents, &["(cell a 1 white)", "(last_move a 1)", "(last_move b 1)"]),
            ["2   .   .", "1  w+l  l", "    a   b", "l = last_move  w = white"]
        );
    }

    #[test]
    fn some_games_have_no_board() {
        let mut fluents = product("(heap $x $y)", "1 2 3", "1 2 3 4 5", "");
        fluents.extend(product("(on $x $y)", "a b c", "a b c", ""));
        fluents.extend(product("(score $x $y)", "white black", "0 50 100", ""));
        fluents.extend(product("(line_count $x $c $y)", "1 2 3", "0 1 2", "red blue"));
        fluents.extend(product("(has $x $y)", "white black", "gun key", ""));
        let state = ["(heap 2 5)", "(on a b)", "(has white key)", "(control white)"];
        assert_eq!(
            drawn(&fluents, &state),
            ["(heap 2 5) (on a b) (has white key) (control white)"]
        );
    }

    #[test]
    fn gaps_are_blank() {
        let mut fluents = product("(hole $x $y $c)", "a b c", "c1 c2 c3", "peg empty");
        fluents.retain(|text| !text.contains("a c1") && !text.contains("c c3"));
        assert_eq!(
            drawn(&fluents, &["(hole a c2 peg)", "(hole b c2 empty)", "(hole a c1 peg)"]),
            ["c3  . .", "c2  p . .", "c1    . .", "    a b c", "p = peg  . = empty"]
                .map(String::from)
        );
    }

    #[test]
    fn one_argument_can_be_both_coordinates() {
        let fluents = ["a1", "a2", "b1", "b2", "c2"].map(|place| format!("(cell {place} red)"));
        assert_eq!(
            drawn(&fluents, &["(cell c2 red)"]),
            ["2  . . r", "1  . .", "   a b c", "r = red"]
        );
    }

    #[test]
    fn b_is_black_beside_blank() {
        let fluents = product("(cell $x $y $c)", "1 2", "1 2", "b w blank");
        assert_eq!(
            drawn(&fluents, &["(cell 1 1 b)", "(cell 2 1 w)", "(cell 1 2 blank)"]),
            ["2  . .", "1  b w", "   1 2", ". = blank"]
        );
    }

    #[test]
    fn long_and_nested_contents_are_abbreviated() {
        let mut fluents = product("(cell $x $y (piece $c))", "1 2", "1 2", "white black");
        fluents.extend(product("(cell $x $y $c)", "1 2", "1 2", "whiteKnight whiteKing"));
        let state = ["( cell 1 1 ( piece white ) )", "(cell 2 1 whiteKnight)"];
        assert_eq!(
            drawn(&fluents, &[&state[..], &["(cell 2 2 whiteKing)"]].concat()),
            [
                "2  .  wk",
                "1  pw wn",
                "   1  2",
                "pw = (piece white)  wk = whiteKing  wn = whiteKnight",
            ]
        );
    }

    #[test]
    fn layers_stand_side_by_side() {
        let mut fluents = product("(cell $x $y 1 $c)", "1 2", "1 2", "b x");
        fluents.extend(product("(cell $x $y 2 $c)", "1 2", "1 2", "b x"));
        assert_eq!(
            drawn(&fluents, &["(cell 1 2 2 x)"]),
            ["cell 1   cell 2", "2  . .   2  x .", "1  . .   1  . .", "   1 2      1 2"]
        );
    }

    #[test]
    fn boards_of_boards_are_one_board() {
        let fluents: Vec<String> = product("(1 $x $y $c)", "1 2", "1 2", "b x");
        let fluents: Vec<String> = fluents
            .iter()
            .flat_map(|text| {
                ["1 1", "1 2", "2 1", "2 2"].map(|at| text.replace("(1", &format!("(mark {at}")))
            })
            .collect();
        let lines = drawn(&fluents, &["(mark 1 2 2 1 x)"]);
        assert_eq!(lines[1], "2.1   .   x   .   .");
        assert_eq!(lines[4], "     1.1 1.2 2.1 2.2");
    }

    #[test]
    fn hints_decide() {
        let fluents = product("(at $c $x $y)", "1 2", "1 2 3", "man");
        let hints = Hints {
            fluent: Some("at".to_string()),
            column: Some(2),
            row: Some(1),
            first_row_on_top: true,
            symbols: [("man".to_string(), "♙".to_string())].into(),
            ..Hints::default()
        };
        assert_eq!(
            drawn_with(&hints, &fluents, &["(at man 1 3)"]),
            ["1  . . ♙", "2  . . .", "   1 2 3", "♙ = man"]
        );
        let hints = Hints { column: Some(2), ..Hints::default() };
        assert_eq!(drawn_with(&hints, &fluents, &["(at man 1 3)"])[1], "1  . . m");
    }

    #[test]
    fn fluents_seen_so_far_leave_no_gaps() {
        let seen = ["(cell 1 1 red)", "(cell 2 1 red)", "(cell 4 2 black)", "(cell 1 2 red)"];
        let state: Vec<String> = seen.iter().map(|text| text.to_string()).collect();
        let boards = Boards::recognise_seen(seen, &Hints::default());
        assert_eq!(
            boards.picture(&state).grids[0].draw(None, Colour::Never),
            ["2  r . . b", "1  r r . .", "   1 2 3 4"]
        );
        assert_eq!(boards.picture(&["(cell 5 1 red)".to_string()]).others, ["(cell 5 1 red)"]);
    }

    /// Fluents, near fluents and what is none.
    const ODD: &str = r"\(?(cell|é|a1|\(|\)|[ab] ?[0-3]) [1-3a-cß♙]? ?[12.*]( [xob+(]*)?\)?";

    proptest! {
        #![proptest_config(ProptestConfig {
            failure_persistence: None,
            ..ProptestConfig::default()
        })]

        #[test]
        fn no_text_is_too_odd(
            texts in prop::collection::vec(ODD, 0..40),
            noise in prop::collection::vec(any::<String>(), 0..4),
            first_row_on_top in any::<bool>(),
        ) {
            let state: Vec<String> = texts.into_iter().chain(noise).collect();
            let hints = Hints {
                fluent: Some("cell".to_string()),
                column: Some(1),
                row: Some(0),
                first_row_on_top,
                ..Hints::default()
            };
            let boards = Boards::recognise_seen(state.iter().map(String::as_str), &hints);
            let half = boards.picture(&state[..state.len() / 2]);
            boards.picture(&state).draw(Some(&half), Colour::Always);
        }
    }
}
