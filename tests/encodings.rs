//! The networks of games mean what the rules mean.

use base::{Deadline, seeded_rng};
use corpus::compare_stage;
use encode::{Encoded, Encoding, Extent, Information, Options, Stage, encode};
use ground::GroundProgram;
use machine::Interpreter;
use program::Program;
use scsp::{Budget, Concept, Node, NodeId, Policy};

fn program_of(rules: &str) -> Program {
    program::check(&gdl::parse_kif(rules)).program.expect("no errors")
}

fn ground(program: &Program) -> GroundProgram {
    let limits = ground::Limits { deadline: Deadline::NEVER, max_literals: 50_000_000 };
    ground::ground(program, &limits).expect("it is small")
}

/// Both encodings agree with the interpreter in `n_states` states of random plays, solved in both ways. Tables are written
/// out up to two sizes: none, and those that are usual.
fn assert_encoded(name: &str, rules: &str, n_states: usize) {
    let program = program_of(rules);
    let ground = ground(&program);
    let mut game = Interpreter::new(&program);
    for encoding in [Encoding::Atoms, Encoding::Fluents] {
        for max_tuples in [0, 4096] {
            let stage = Stage::new(&ground, encoding, max_tuples).expect("it has a network");
            let forward = (!is_recursive(&stage))
                .then(|| stage.clone().with_forward_checking(Budget::UNLIMITED));
            for mut stage in std::iter::once(stage).chain(forward) {
                let (mut rng, never) = (seeded_rng(1), Deadline::NEVER);
                let done = compare_stage(&ground, &mut stage, &mut game, n_states, never, &mut rng);
                let done =
                    done.unwrap_or_else(|difference| panic!("{name}, {encoding:?}: {difference}"));
                assert_eq!(done.n_states, n_states);
            }
        }
    }
}

/// Whether rules depend on each other, so that forward checking sees what follows only when it searches.
fn is_recursive(stage: &Stage) -> bool {
    let mut constraints = stage.encoded().network.constraints().iter();
    constraints.any(|constraint| matches!(constraint, scsp::Constraint::Founded(_)))
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
    let ground = ground(&program_of(PIPES));
    let mut stage = Stage::new(&ground, Encoding::Fluents, 0).unwrap();
    assert!(is_recursive(&stage));
    assert_encoded("pipes", PIPES, 200);
    let mut forward = stage.clone().with_forward_checking(Budget::UNLIMITED);
    let [expected, found] = [&mut stage, &mut forward].map(|stage| {
        stage.set_state(|fluent| ground.initial.contains(&fluent)).expect("it is a state");
        let mut outcomes = Vec::new();
        while let Some(outcome) = stage.next_outcome() {
            outcomes.push(format!("{outcome:?}"));
        }
        outcomes.sort();
        outcomes
    });
    assert_eq!(found, expected);
}

/// Holding, doing and seeing `none` are something else than nothing.
#[test]
fn none_may_be_a_constant_of_the_rules() {
    let rules = "
         (role x) (role random)
         (init (holds none))
         (<= (legal x none) (true (holds ?thing)))
         (<= (legal x drop) (true (holds ?thing)))
         (<= (legal x take) (not (some_thing)))
         (<= (some_thing) (true (holds ?thing)))
         (legal random heads) (legal random tails)
         (<= (sees x none) (does random heads))
         (<= (next (holds none)) (true (holds none)) (does x none) (does random tails))
         (<= (next (holds none)) (does x take))
         (<= (next (holds stone)) (true (holds none)) (does x none) (does random heads))
         (<= terminal (true (holds none)) (true (holds stone)))
         (goal x 50)";
    assert_encoded("none", rules, 20);
    let ground = ground(&program_of(rules));
    for encoding in [Encoding::Atoms, Encoding::Fluents] {
        let mut options = Options::new(encoding, Extent::Rounds(2));
        options.information = Information::Percepts;
        options.is_idle_at_end = true;
        assert!(encode(&ground, &options).is_ok());
    }
}

/// The network of some rounds of an embedded game.
fn rounds_of(name: &str, encoding: Encoding, n_rounds: usize) -> Encoded {
    network_of(name, &Options::new(encoding, Extent::Rounds(n_rounds)))
}

/// The same for players who know what they see.
fn seen_rounds_of(name: &str, encoding: Encoding, n_rounds: usize) -> Encoded {
    let options = Options::new(encoding, Extent::Rounds(n_rounds));
    network_of(name, &Options { information: Information::Percepts, ..options })
}

fn network_of(name: &str, options: &Options) -> Encoded {
    let embedded = games::find(name).expect("it is embedded");
    encode(&ground(&program_of(embedded.rules)), options).expect("it has a network")
}

/// What a network is worth for a player when others decide too.
fn strategic_value(encoded: &Encoded, concept: Concept, player: usize) -> f64 {
    let constraints = encoded.value_constraints(concept);
    let found = scsp::strategic_value(&encoded.network, &constraints, player, Budget::UNLIMITED);
    let value = found.value.expect("a game can be played");
    assert!(value.is_exact());
    value.low
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

/// What is worth most without seeing the second coin: the same side as the first, whatever the second is.
#[test]
fn policies_depend_on_what_is_seen_alone() {
    for encoding in [Encoding::Atoms, Encoding::Fluents] {
        let encoded = seen_rounds_of("hidden-matching-pennies", encoding, 2);
        let best = scsp::best_policy(&encoded.network, Budget::UNLIMITED);
        let policy = best.policy.expect("a game can be played");
        assert!((policy.value()[0] - 0.75).abs() < 1e-9);
        let percept = encoded.rounds[0].percept.expect("something is seen");
        let action = encoded.rounds[1].actions.iter().next().copied().expect("alice acts");
        let mut chosen = Vec::new();
        chosen_after(&policy, policy.root(), None, (percept, action), &mut chosen);
        chosen.sort_unstable();
        let name = |(seen, played): &(u32, u32)| {
            let text = |var, place| encoded.network.variables()[var].domain.text(place as usize);
            format!("{}: {}", text(percept, *seen), text(action, *played))
        };
        let chosen: Vec<String> = chosen.iter().map(name).collect();
        assert_eq!(chosen, ["first_coin(heads): play(heads)", "first_coin(tails): play(tails)"]);
        assert!((strategic_value(&encoded, Concept::MAXIMIN, 0) - 0.75).abs() < 1e-9);
    }
}

/// All pairs of what is seen and what is done then.
fn chosen_after(
    policy: &Policy,
    at: NodeId,
    seen: Option<u32>,
    (percept, action): (scsp::VarId, scsp::VarId),
    chosen: &mut Vec<(u32, u32)>,
) {
    match policy.node(at) {
        Node::End { .. } => {}
        Node::Decision { var, value, next } => {
            if let Some(seen) = seen.filter(|_| *var == action) {
                chosen.push((seen, *value));
            }
            chosen_after(policy, *next, seen, (percept, action), chosen);
        }
        Node::Chance { var, branches } => {
            for &(value, _, next) in branches {
                let seen = if *var == percept { Some(value) } else { seen };
                chosen_after(policy, next, seen, (percept, action), chosen);
            }
        }
    }
}

/// Selvin 1975: who switches wins two times of three. Who saw where the car is would always win.
#[test]
fn monty_hall_is_worth_two_thirds() {
    for encoding in [Encoding::Atoms, Encoding::Fluents] {
        for n_rounds in [3, 4] {
            let seen = seen_rounds_of("monty-hall", encoding, n_rounds);
            assert!((best_value(&seen)[0] - 2.0 / 3.0).abs() < 1e-9, "{encoding:?}");
            let value = strategic_value(&seen, Concept::MAXIMIN, 0);
            assert!((value - 2.0 / 3.0).abs() < 1e-9, "{encoding:?}: {value}");
        }
        let known = rounds_of("monty-hall", encoding, 3);
        assert!((best_value(&known)[0] - 1.0).abs() < 1e-9, "{encoding:?}");
    }
}

#[test]
fn tic_tac_toe_in_rounds_is_a_draw() {
    for encoding in [Encoding::Atoms, Encoding::Fluents] {
        let encoded = rounds_of("tic-tac-toe", encoding, 9);
        for player in 0..2 {
            assert_eq!(strategic_value(&encoded, Concept::MAXIMIN, player), 0.5, "{encoding:?}");
        }
    }
    let encoded = rounds_of("tic-tac-toe", Encoding::Atoms, 5);
    let helped = [0, 1].map(|player| strategic_value(&encoded, Concept::MAXIMAX, player));
    assert_eq!(helped, [1.0, 0.0]);
}

/// Alice and bob can make sure of nothing alone, and of one half together.
#[test]
fn matching_pennies_need_both() {
    let encoded = rounds_of("matching-pennies", Encoding::Atoms, 2);
    let of = |concept| [0, 1].map(|player| strategic_value(&encoded, concept, player));
    assert_eq!(of(Concept::MAXIMIN), [0.0, 0.0]);
    assert_eq!(of(Concept::MAXIMAX), [0.5, 0.5]);
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

/// The variables with their values, sorted.
fn variables_of(network: &scsp::Network) -> Vec<String> {
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
    variables
}

/// The variables of figure 2 of the paper on imperfect information, with their domains. Ours has one
/// value more: no one is in control when the game has ended.
#[test]
fn hidden_matching_pennies_has_the_variables_of_the_paper() {
    let options = Options::new(Encoding::Atoms, Extent::OneStage);
    let options = Options { information: Information::Percepts, ..options };
    let encoded = network_of("hidden-matching-pennies", &options);
    let network = &encoded.network;
    let variables = variables_of(network);
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
            "percept_t: first_coin(heads), first_coin(tails), none".to_owned(),
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

/// The last table of figure 2: what alice believes of the coins when she sees the first.
#[test]
fn percepts_tell_how_likely_the_coins_are() {
    for encoding in [Encoding::Atoms, Encoding::Fluents] {
        let options = Options::new(encoding, Extent::OneStage);
        let options = Options { information: Information::Percepts, ..options };
        let beliefs = network_of("hidden-matching-pennies", &options).beliefs;
        let texts: Vec<String> = beliefs.iter().map(ToString::to_string).collect();
        if encoding == Encoding::Atoms {
            assert_eq!(texts.len(), 1, "{texts:?}");
            let rows = [
                "  percept_t          unset unset  heads heads  heads tails  tails heads  tails tails",
                "  first_coin(heads)  0            1/2          1/2          0            0",
                "  first_coin(tails)  0            0            0            1/2          1/2",
            ];
            for row in rows {
                assert!(texts[0].contains(row), "{row}\nis missing in\n{}", texts[0]);
            }
        } else {
            // Each combination of coins is a variable of its own.
            assert_eq!(texts.len(), 4, "{texts:?}");
            let row = "  first_coin(heads)  1/2    1/2\n  first_coin(tails)  1      0\n";
            assert!(texts[0].contains(row), "{row}\nis missing in\n{}", texts[0]);
        }
    }
}

/// The variables of figure 3 of the paper on stochastic games, with the coins of alice, bob and chance.
#[test]
fn matching_pennies_has_the_variables_of_the_paper() {
    let options = Options::new(Encoding::Atoms, Extent::OneStage);
    let encoded = network_of("matching-pennies", &options);
    let variables = variables_of(&encoded.network);
    for role in ["alice", "bob", "random"] {
        for time in ["t", "t+1"] {
            let expected = format!("coin({role})_{time}: heads, tails, unset");
            assert!(variables.contains(&expected), "{expected} is missing in {variables:?}");
        }
    }
    for role in ["alice", "bob"] {
        let expected = format!("does({role})_t: noop, place(heads), place(tails)");
        assert!(variables.contains(&expected), "{expected} is missing in {variables:?}");
    }
    assert!(variables.contains(&"does(random)_t: flip(heads), flip(tails), noop".to_owned()));
}
