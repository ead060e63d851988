//! Connect four on boards of any size: how cost grows with the size of a game.

use std::fmt::Write;

/// The rules on a board of `n` columns and as many rows.
pub fn connect_four(n: usize) -> String {
    let mut rules = String::from(
        "(role red) (role black) (init (control red))
         (<= (init (cell ?c 1 bottom)) (column ?c))
         (<= (legal ?p noop) (role ?p) (not (true (control ?p))))
         (<= (legal ?p (drop ?c)) (true (control ?p)) (open ?c))
         (<= (open ?c) (column ?c) (not (filled ?c last)))
         (<= (filled ?c ?r) (true (cell ?c ?r red)))
         (<= (filled ?c ?r) (true (cell ?c ?r black)))
         (<= (next (cell ?c ?r ?p)) (does ?p (drop ?c)) (lowest ?c ?r))
         (<= (next (cell ?c ?r ?p)) (true (cell ?c ?r ?p)))
         (<= (lowest ?c 1) (column ?c) (not (filled ?c 1)))
         (<= (lowest ?c ?r) (after ?s ?r) (filled ?c ?s) (not (filled ?c ?r)))
         (<= (next (control red)) (true (control black)))
         (<= (next (control black)) (true (control red)))
         (<= (line ?p) (true (cell ?c ?r1 ?p)) (after ?r1 ?r2) (after ?r2 ?r3) (after ?r3 ?r4)
             (true (cell ?c ?r2 ?p)) (true (cell ?c ?r3 ?p)) (true (cell ?c ?r4 ?p)))
         (<= (line ?p) (true (cell ?c1 ?r ?p)) (after ?c1 ?c2) (after ?c2 ?c3) (after ?c3 ?c4)
             (true (cell ?c2 ?r ?p)) (true (cell ?c3 ?r ?p)) (true (cell ?c4 ?r ?p)))
         (<= (line ?p) (true (cell ?c1 ?r1 ?p)) (after ?c1 ?c2) (after ?c2 ?c3) (after ?c3 ?c4)
             (after ?r1 ?r2) (after ?r2 ?r3) (after ?r3 ?r4)
             (true (cell ?c2 ?r2 ?p)) (true (cell ?c3 ?r3 ?p)) (true (cell ?c4 ?r4 ?p)))
         (<= (line ?p) (true (cell ?c1 ?r4 ?p)) (after ?c1 ?c2) (after ?c2 ?c3) (after ?c3 ?c4)
             (after ?r1 ?r2) (after ?r2 ?r3) (after ?r3 ?r4)
             (true (cell ?c2 ?r3 ?p)) (true (cell ?c3 ?r2 ?p)) (true (cell ?c4 ?r1 ?p)))
         (<= has_open (open ?c))
         (<= terminal (line red)) (<= terminal (line black)) (<= terminal (not has_open))
         (<= (goal red 100) (line red)) (<= (goal black 100) (line black))
         (<= (goal red 0) (line black)) (<= (goal black 0) (line red))
         (<= (goal red 50) (not (line red)) (not (line black)))
         (<= (goal black 50) (not (line red)) (not (line black)))\n",
    );
    for number in 1..=n {
        writeln!(rules, "(column {number})").expect("a string takes all");
        if number < n {
            writeln!(rules, "(after {number} {})", number + 1).expect("a string takes all");
        }
    }
    rules.replace("(cell ?c 1 bottom)", "(ready ?c)").replace("?c last", &format!("?c {n}"))
}

#[cfg(test)]
mod tests {
    use game::Perft;
    use machine::Interpreter;

    use super::*;

    /// In the first four moves any column is open; on a board of four the fifth may fill one no more.
    #[test]
    fn the_tree_of_moves_is_that_of_connect_four() {
        let parse = gdl::parse_kif(&connect_four(4));
        let program = program::check(&parse).program.expect("no errors");
        let mut game = Interpreter::new(&program);
        let count = game::perft(&mut game, 5).expect("playable");
        assert_eq!(count, Perft { nodes: 1_020, terminals: 0 });
    }
}
