//! The networks of games mean what the rules mean.

use base::{Deadline, seeded_rng};
use corpus::compare_stage;
use encode::{Encoding, Stage};
use ground::GroundProgram;
use machine::Interpreter;
use program::Program;

fn program_of(rules: &str) -> Program {
    program::check(&gdl::parse_kif(rules)).program.expect("no errors")
}

fn ground(program: &Program) -> GroundProgram {
    let limits = ground::Limits { deadline: Deadline::NEVER, max_literals: 50_000_000 };
    ground::ground(program, &limits).expect("it is small")
}

/// Both encodings agree with the interpreter in `n_states` states of random plays. Tables are written
/// out up to two sizes: none, and those that are usual.
fn assert_encoded(name: &str, rules: &str, n_states: usize) {
    let program = program_of(rules);
    let ground = ground(&program);
    let mut game = Interpreter::new(&program);
    for encoding in [Encoding::Atoms, Encoding::Fluents] {
        for max_tuples in [0, 4096] {
            let mut stage = Stage::new(&ground, encoding, max_tuples).expect("it has a network");
            let mut rng = seeded_rng(1);
            let done =
                compare_stage(&ground, &mut stage, &mut game, n_states, Deadline::NEVER, &mut rng);
            let done =
                done.unwrap_or_else(|difference| panic!("{name}, {encoding:?}: {difference}"));
            assert_eq!(done.n_states, n_states);
        }
    }
}

#[test]
fn stages_of_the_embedded_games_are_their_rules() {
    for embedded in games::all() {
        assert_encoded(&embedded.name, embedded.rules, 50);
    }
}

/// Water runs through pipes in both directions, so that wet places are wet because of each other.
const PIPES: &str = "
         (role x) (role random)
         (cell 1) (cell 2) (cell 3) (cell 4)
         (init (pipe 1 2)) (init (source 1)) (init (step 1))
         (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
         (<= (joined ?a ?b) (true (pipe ?a ?b)))
         (<= (joined ?a ?b) (true (pipe ?b ?a)))
         (<= (wet ?a) (true (source ?a)))
         (<= (wet ?b) (wet ?a) (joined ?a ?b))
         (<= (legal x (lay ?a ?b)) (cell ?a) (cell ?b) (distinct ?a ?b) (not (wet ?b)))
         (legal x wait)
         (<= (legal random (break ?a ?b)) (true (pipe ?a ?b)))
         (legal random nothing)
         (<= (next (pipe ?a ?b)) (does x (lay ?a ?b)))
         (<= (next (pipe ?a ?b)) (true (pipe ?a ?b)) (not (does random (break ?a ?b))))
         (<= (next (source ?a)) (true (source ?a)))
         (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
         (<= terminal (true (step 5)))
         (<= (goal x 100) (wet 4)) (<= (goal x 50) (wet 3) (not (wet 4)))
         (<= (goal x 0) (not (wet 3)) (not (wet 4)))";

#[test]
fn rules_that_depend_on_each_other_have_their_least_model() {
    let stage = Stage::new(&ground(&program_of(PIPES)), Encoding::Fluents, 0).unwrap();
    let mut constraints = stage.encoded().network.constraints().iter();
    assert!(constraints.any(|constraint| matches!(constraint, scsp::Constraint::Founded(_))));
    assert_encoded("pipes", PIPES, 200);
}
