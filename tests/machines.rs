//! Games that run: counts of moves that others have found too.

use std::time::Duration;

use base::{Deadline, Id, seeded_rng};
use corpus::{Corpus, Sheet};
use game::{Game, Outcome, Perft, conformance, perft, play_out};
use ground::{Formulas, Kind, Lit, Network};
use machine::{Interpreter, ManyStates, OneState};
use program::Program;

fn program_of(text: &str, form: gdl::Form) -> Program {
    program::check(&gdl::parse(text, form)).program.expect("no errors")
}

fn one_state(program: &Program) -> Result<OneState, ground::GroundError> {
    let deadline = Deadline::after(Duration::from_secs(1));
    let limits = ground::Limits { deadline, max_literals: 50_000_000 };
    ground::ground(program, &limits).map(OneState::new)
}

#[test]
fn the_ground_machine_counts_the_moves_of_the_embedded_games() {
    for embedded in games::all() {
        let program = program_of(embedded.rules, gdl::Form::Kif);
        let mut game = one_state(&program).expect("it is small");
        assert_counts(&mut game, embedded, 20_000);
    }
}

/// The known counts of up to `max_nodes` sequences are found.
fn assert_counts(game: &mut impl Game, embedded: &games::Game, max_nodes: u64) {
    for known in embedded.perft.iter().filter(|known| known.nodes <= max_nodes) {
        let expected = Perft { nodes: known.nodes, terminals: known.terminals };
        let found = perft(game, known.depth).expect("playable");
        assert_eq!(found, expected, "{} to depth {}", embedded.name, known.depth);
    }
}

/// The means of many plays at once and of single plays differ by less than five standard errors.
#[test]
fn many_plays_at_once_are_like_single_plays() {
    const N_SINGLE: usize = 2_000;
    for embedded in games::all() {
        let program = program_of(embedded.rules, gdl::Form::Kif);
        let mut single = one_state(&program).expect("it is small");
        let mut many = ManyStates::new(single.ground().clone());
        let sample = many.sample(100_000, 1_000, &mut seeded_rng(1)).expect("playable");
        let initial = single.initial();
        let mut rng = seeded_rng(2);
        let outcomes: Vec<Outcome> = (0..N_SINGLE)
            .map(|_| play_out(&mut single, &initial, 1_000, &mut rng).expect("playable"))
            .collect();
        let lengths: Vec<f64> = outcomes.iter().map(|outcome| outcome.n_steps as f64).collect();
        let n_playouts = sample.n_playouts as f64;
        assert_near(&embedded.name, &lengths, sample.n_steps as f64 / n_playouts);
        for (role, &sum) in sample.goal_sums.iter().enumerate() {
            let goals = outcomes.iter().map(|outcome| f64::from(outcome.goals[role].value()));
            assert_near(&embedded.name, &goals.collect::<Vec<_>>(), sum as f64 / n_playouts);
        }
    }
}

fn assert_near(name: &str, single: &[f64], mean_of_many: f64) {
    let n = single.len() as f64;
    let mean = single.iter().sum::<f64>() / n;
    let variance = single.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / n;
    let bound = 5.0 * (variance / n).sqrt() + 1e-9;
    assert!((mean - mean_of_many).abs() <= bound, "{name}: {mean} and {mean_of_many}");
}

/// Whether a formula holds where the inputs have these values; the slow and obvious way.
fn holds(network: &Network, lit: Lit, values: &mut Vec<Option<bool>>) -> bool {
    let value = values[lit.node()].unwrap_or_else(|| {
        let parts = network.parts(lit.node()).to_vec();
        let value = match network.kind(lit.node()) {
            Kind::And => parts.iter().all(|&part| holds(network, part, values)),
            _ => parts.iter().any(|&part| holds(network, part, values)),
        };
        values[lit.node()] = Some(value);
        value
    });
    value != lit.is_negative()
}

/// What formulas say of a state and the moves made in it.
fn evaluate(formulas: &Formulas, inputs: &[bool]) -> Vec<bool> {
    let mut values: Vec<Option<bool>> = vec![None; formulas.network.n_nodes()];
    values[0] = Some(true);
    for (value, input) in values[1..].iter_mut().zip(inputs) {
        *value = Some(*input);
    }
    let lits = formulas.legal.iter().chain(formulas.next.iter()).copied();
    let goals = formulas.goals.iter().flatten().map(|(_, lit)| *lit);
    let lits = lits.chain([formulas.terminal]).chain(goals);
    lits.map(|lit| holds(&formulas.network, lit, &mut values)).collect()
}

/// The formulas of a phase, in which much is left out and shared, say of every state of the phase
/// what those of the game say.
#[test]
fn formulas_of_phases_mean_the_same_as_those_of_the_game() {
    for embedded in games::all() {
        let program = program_of(embedded.rules, gdl::Form::Kif);
        let mut game = one_state(&program).expect("it is small");
        let ground = game.ground().clone();
        let phases: Vec<Formulas> = ground.phases.iter().map(|p| ground.in_phase(p)).collect();
        let mut rng = seeded_rng(5);
        for _ in 0..3 {
            let mut state = game.initial();
            let mut n_steps = 0;
            while !game.is_terminal(&state) {
                let made = game::random_joint_move(&mut game, &state, &mut rng).expect("playable");
                let texts = game.state_text(&state);
                let fluents = ground.fluents.iter().map(|fluent| texts.contains(fluent));
                let moves = (0..ground.moves.len()).map(|n| made.iter().any(|id| id.index() == n));
                let inputs: Vec<bool> = fluents.chain(moves).collect();
                let of_phase = evaluate(&phases[n_steps % phases.len()], &inputs);
                let of_game = evaluate(&ground.formulas, &inputs);
                assert_eq!(of_phase, of_game, "{} after {n_steps} steps", embedded.name);
                state = game.next(&state, &made);
                n_steps += 1;
            }
        }
    }
}

/// Whole plays, along which the circuit goes from state to state and from play to play.
#[test]
fn the_ground_machine_follows_whole_plays() {
    for embedded in games::all() {
        let program = program_of(embedded.rules, gdl::Form::Kif);
        let mut fast = one_state(&program).expect("it is small");
        let mut judge = Interpreter::new(&program);
        for seed in 0..3 {
            let compared = conformance::compare(&mut judge, &mut fast, 500, &mut seeded_rng(seed));
            let compared =
                compared.unwrap_or_else(|problem| panic!("{}: {problem}", embedded.name));
            assert!(compared.has_ended);
        }
    }
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

#[test]
fn the_interpreter_counts_the_moves_of_the_embedded_games() {
    for embedded in games::all() {
        let mut game = Interpreter::new(&program_of(embedded.rules, gdl::Form::Kif));
        assert_counts(&mut game, embedded, 600);
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
