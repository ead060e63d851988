//! Games that run: counts of moves that others have found too.

use std::time::Duration;

use base::{Deadline, seeded_rng};
use corpus::{Corpus, Sheet, assert_like_single_plays};
use game::{Perft, conformance, perft};
use machine::{Interpreter, OneState};
use program::Program;

fn program_of(text: &str, form: gdl::Form) -> Program {
    program::check(&gdl::parse(text, form)).program.expect("no errors")
}

fn one_state(program: &Program) -> Result<OneState, ground::GroundError> {
    let deadline = Deadline::after(Duration::from_secs(1));
    let limits = ground::Limits { deadline, max_literals: 50_000_000 };
    ground::ground(program, &limits).map(OneState::new)
}

/// White takes two squares side by side, or passes if there are none; black takes one before one that
/// was taken, and the game ends when black cannot.
const TAKE_SQUARES: &str = "
    (role white) (role black) (init (control white))
    (init (free 1)) (init (free 2)) (init (free 3)) (init (free 4)) (init (free 5)) (init (free 6))
    (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7)
    (<= (legal white (take ?x)) (true (control white)) (true (free ?x)) (succ ?x ?y) (true (free ?y)))
    (<= (legal black (take ?x)) (true (control black)) (true (free ?x)) (succ ?x ?y)
        (not (true (free ?y))))
    (<= (can_take ?p) (legal ?p (take ?x)))
    (<= (legal white pass) (true (control white)) (not (can_take white)))
    (<= (legal white wait) (true (control black)))
    (<= (legal black wait) (true (control white)))
    (<= (taken ?x) (does ?p (take ?x)))
    (<= (taken ?y) (does white (take ?x)) (succ ?x ?y))
    (<= (next (free ?x)) (true (free ?x)) (not (taken ?x)))
    (<= (next (passed)) (does white pass))
    (<= (next (passed)) (true (passed)))
    (<= (next (control white)) (true (control black)))
    (<= (next (control black)) (true (control white)))
    (<= terminal (true (control black)) (not (can_take black)))
    (<= (goal white 100) (not (true (passed)))) (<= (goal white 0) (true (passed)))
    (<= (goal black 100) (true (passed))) (<= (goal black 0) (not (true (passed))))";

/// Whether there is a legal move is asked by another move and by the end of the game.
#[test]
fn many_plays_are_like_single_ones_where_it_is_asked_for_legal_moves() {
    let program = program_of(TAKE_SQUARES, gdl::Form::Kif);
    let mut game = one_state(&program).expect("it is small");
    assert_like_single_plays("taking squares", &mut game, 2_000);
}

/// On small sheets, so that it takes seconds: the judge is slow.
#[test]
fn the_ground_machine_agrees_with_the_interpreter() {
    let Some(corpus) = Corpus::find() else { return };
    let is_small = |sheet: &&Sheet| sheet.must_load() && sheet.bytes.len() <= 4_500;
    let mut n_compared = 0;
    for sheet in corpus.sheets.iter().filter(is_small) {
        let program = program_of(sheet.source().text(), sheet.form());
        let Ok(mut fast) = one_state(&program) else { continue };
        let mut judge = Interpreter::new(&program);
        for seed in 0..2 {
            let compared = conformance::compare(&mut judge, &mut fast, 10, &mut seeded_rng(seed));
            assert!(compared.is_ok(), "{}: {compared:?}", sheet.file);
        }
        n_compared += 1;
    }
    assert!(n_compared >= 110, "{n_compared} compared");
}

/// The counts that programs for chess and reversi are tested with: moves, and mates among them.
#[test]
fn chess_and_reversi_have_the_counts_that_are_known() {
    let Some(corpus) = Corpus::find() else { return };
    let known = [
        ("base/chess_200.kif", vec![(1, 20, 0), (2, 400, 0), (3, 8_902, 0), (4, 197_281, 8)]),
        (
            "base/reversi.kif",
            vec![(1, 4, 0), (2, 12, 0), (3, 56, 0), (4, 244, 0), (5, 1_396, 0), (6, 8_200, 0)],
        ),
    ];
    for (file, counts) in known {
        let sheet = corpus.sheets.iter().find(|sheet| sheet.file == file).expect("it is there");
        let program = program_of(sheet.source().text(), sheet.form());
        let limits = ground::Limits { deadline: Deadline::NEVER, max_literals: 50_000_000 };
        let ground = ground::ground(&program, &limits).expect("there is no end to time");
        let mut game = OneState::new(ground);
        for (depth, nodes, terminals) in counts {
            let found = perft(&mut game, depth).expect("playable");
            assert_eq!(found, Perft { nodes, terminals }, "{file} to depth {depth}");
        }
    }
}

/// `perft.tsv` was made from the rules alone, with an answer-set solver.
#[test]
fn the_interpreter_agrees_with_an_independent_reasoner() {
    let Some(corpus) = Corpus::find() else { return };
    let counts = corpus.text("perft.tsv");
    let mut n_compared = 0;
    for line in counts.lines().skip(1) {
        let row: Vec<&str> = line.split('\t').collect();
        let (file, depth, nodes) = (row[0], row[1], row[2]);
        let nodes: u64 = nodes.parse().expect("a count");
        let sheet = corpus.sheets.iter().find(|sheet| sheet.file == file).expect("it exists");
        if nodes > 100 || !sheet.must_load() {
            continue;
        }
        let mut game = Interpreter::new(&program_of(sheet.source().text(), sheet.form()));
        let found = perft(&mut game, depth.parse().expect("a depth")).expect("playable");
        assert_eq!(found.nodes, nodes, "{file} to depth {depth}");
        n_compared += 1;
    }
    assert!(n_compared >= 200, "{n_compared} compared");
}
