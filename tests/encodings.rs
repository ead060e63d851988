//! The networks of games mean what the rules mean.

use base::{Deadline, seeded_rng};
use corpus::compare_stage;
use encode::{Encoded, Encoding, Extent, Options, Stage, encode};
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

/// The network of some rounds of an embedded game.
fn rounds_of(name: &str, encoding: Encoding, n_rounds: usize) -> Encoded {
    let embedded = games::find(name).expect("it is embedded");
    let ground = ground(&program_of(embedded.rules));
    encode(&ground, &Options::new(encoding, Extent::Rounds(n_rounds))).expect("it has a network")
}

fn best_value(encoded: &Encoded) -> Vec<f64> {
    let found = scsp::best_policy(&encoded.network, scsp::Budget::UNLIMITED);
    assert!(found.is_proved);
    found.policy.expect("a game can be played").value()
}

/// The values that the papers give: 75 points for alice, and one half for alice and bob.
#[test]
fn matching_pennies_are_worth_what_the_papers_say() {
    for encoding in [Encoding::Atoms, Encoding::Fluents] {
        // A round more than needed changes nothing: the game has ended.
        for n_rounds in [2, 3] {
            let hidden = rounds_of("hidden-matching-pennies", encoding, n_rounds);
            assert_eq!(best_value(&hidden), [0.75], "{encoding:?}");
            let cooperative = rounds_of("matching-pennies", encoding, n_rounds);
            assert_eq!(best_value(&cooperative), [0.5, 0.5], "{encoding:?}");
        }
        let too_short = rounds_of("hidden-matching-pennies", encoding, 1);
        assert_eq!(best_value(&too_short), [0.0]);
    }
}

/// Whoever plays alone against nobody wins, and a network of as many rounds as needed says so.
#[test]
fn cooperation_in_tic_tac_toe_wins_in_five_moves() {
    let sums = [4, 5].map(|n_rounds| {
        let encoded = rounds_of("tic-tac-toe", Encoding::Atoms, n_rounds);
        best_value(&encoded).iter().sum::<f64>()
    });
    assert_eq!(sums, [0.0, 1.0]);
}

/// The variables of figure 2 of the paper on imperfect information, with their domains. Ours has one
/// value more: no one is in control when the game has ended.
#[test]
fn hidden_matching_pennies_has_the_variables_of_the_paper() {
    let embedded = games::find("hidden-matching-pennies").unwrap();
    let options = Options::new(Encoding::Atoms, Extent::OneStage);
    let encoded = encode(&ground(&program_of(embedded.rules)), &options).unwrap();
    let network = &encoded.network;
    let mut variables: Vec<String> = network
        .variables()
        .iter()
        .map(|variable| {
            let mut values: Vec<String> =
                (0..variable.domain.len()).map(|place| variable.domain.text(place)).collect();
            values.sort();
            format!("{}: {}", variable.name, values.join(", "))
        })
        .collect();
    variables.sort();
    let coin = "heads, tails, unset";
    let coins = "heads heads, heads tails, tails heads, tails tails, unset unset";
    let choices = "choose(heads,heads), choose(heads,tails), choose(tails,heads), \
                   choose(tails,tails), noop";
    assert_eq!(
        variables,
        [
            format!("coin_t+1: {coin}"),
            format!("coin_t: {coin}"),
            format!("coins_t+1: {coins}"),
            format!("coins_t: {coins}"),
            "control_t+1: alice, none, random".to_owned(),
            "control_t: alice, none, random".to_owned(),
            "does(alice)_t: noop, play(heads), play(tails)".to_owned(),
            format!("does(random)_t: {choices}"),
            "score(alice)_t: 0, 100, 50".to_owned(),
            "terminal_t: false, true".to_owned(),
        ]
    );
    let text = network.to_string();
    // The legal moves of alice, how control passes, how the coin falls, and what chance does.
    let parts = [
        "  control_t  does(alice)_t\n  random     noop\n  alice      play(heads)\n  alice      play(tails)\n",
        "  control_t  control_t+1\n  random     alice\n",
        "  unset   random     noop           unset\n  unset   alice      play(heads)    heads\n  \
         unset   alice      play(tails)    tails\n",
        "  random     0     1/4                  1/4                  1/4                  1/4\n  \
         alice      1     0                    0                    0                    0\n",
    ];
    for part in parts {
        assert!(text.contains(part), "{part}\nis missing in\n{text}");
    }
}
