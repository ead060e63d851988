//! Games that run: counts of moves that others have found too.

use std::time::Duration;

use base::{Deadline, Id, Rng, RoleId, seeded_rng};
use corpus::{Corpus, Sheet};
use game::{Game, MoveId, MovesMade, Outcome, Perft, PlaysFrom, conformance, perft, play_out};
use ground::{Formulas, Kind, Lit, Network};
use machine::{BitState, Interpreter, ManyStates, OneState};
use program::Program;
use rand::RngExt as _;

fn program_of(text: &str, form: gdl::Form) -> Program {
    program::check(&gdl::parse(text, form)).program.expect("no errors")
}

fn one_state(program: &Program) -> Result<OneState, ground::GroundError> {
    let deadline = Deadline::after(Duration::from_secs(1));
    let limits = ground::Limits { deadline, max_literals: 50_000_000 };
    ground::ground(program, &limits).map(OneState::new)
}

fn embedded_game(embedded: &games::Game) -> OneState {
    one_state(&program_of(embedded.rules, gdl::Form::Kif)).expect("it is small")
}

#[test]
fn the_ground_machine_counts_the_moves_of_the_embedded_games() {
    for embedded in games::all() {
        let mut game = embedded_game(embedded);
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

#[test]
fn many_plays_at_once_are_like_single_plays() {
    for embedded in games::all() {
        assert_like_single_plays(&embedded.name, embedded_game(embedded));
    }
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
    let game = one_state(&program_of(TAKE_SQUARES, gdl::Form::Kif)).expect("it is small");
    assert_like_single_plays("taking squares", game);
}

/// The means of many plays at once and of single plays differ by less than five standard errors.
fn assert_like_single_plays(name: &str, mut single: OneState) {
    const N_SINGLE: usize = 2_000;
    let mut many = ManyStates::new(single.ground().clone());
    let sample = many.sample(100_000, 1_000, &mut seeded_rng(1)).expect("playable");
    let initial = single.initial();
    let mut rng = seeded_rng(2);
    let outcomes: Vec<Outcome> = (0..N_SINGLE)
        .map(|_| play_out(&mut single, &initial, 1_000, &mut rng).expect("playable"))
        .collect();
    let lengths: Vec<f64> = outcomes.iter().map(|outcome| outcome.n_steps as f64).collect();
    let n_playouts = sample.n_playouts as f64;
    assert_near(name, &lengths, sample.n_steps as f64 / n_playouts);
    for (role, &sum) in sample.goal_sums.iter().enumerate() {
        let goals = outcomes.iter().map(|outcome| f64::from(outcome.goals[role].value()));
        assert_near(name, &goals.collect::<Vec<_>>(), sum as f64 / n_playouts);
    }
}

/// Plays from states of all depths, more of them than go on at once, end like single plays from the
/// same states.
#[test]
fn plays_from_different_states_are_like_single_plays_from_them() {
    const N_COPIES: usize = 300;
    for embedded in games::all() {
        let mut single = embedded_game(embedded);
        let mut many = ManyStates::new(single.ground().clone());
        let mut rng = seeded_rng(5);
        let states = states_of_a_play(&mut single, &mut rng);
        let starts: Vec<&BitState> = states.iter().collect();
        let plays = PlaysFrom { states: &starts, n_each: N_COPIES, max_steps: 1_000 };
        let mut made = MovesMade::new();
        let outcomes = many.play_out_from(&plays, &mut rng, Some(&mut made)).expect("playable");
        let outcome = |play: usize| {
            let goals = outcomes.goals(play).to_vec();
            Outcome { n_steps: outcomes.n_steps(play) as usize, goals }
        };
        for (play, moves) in made.iter().enumerate() {
            assert_eq!(replayed(&mut single, plays.state_of(play), moves), outcome(play));
        }
        for (number, state) in states.iter().enumerate() {
            let name = format!("{} after {number} moves", embedded.name);
            let plays = number * N_COPIES..(number + 1) * N_COPIES;
            let from_many: Vec<Outcome> = plays.map(outcome).collect();
            let from_single: Vec<Outcome> = (0..N_COPIES)
                .map(|_| play_out(&mut single, state, 1_000, &mut rng).expect("playable"))
                .collect();
            let length = |outcome: &Outcome| outcome.n_steps as f64;
            let goal = |outcome: &Outcome| f64::from(outcome.goals[0].value());
            for value in [length, goal] {
                let single: Vec<f64> = from_single.iter().map(value).collect();
                let many: Vec<f64> = from_many.iter().map(value).collect();
                assert_same_mean(&name, &single, &many);
            }
        }
    }
}

/// How a play ends in which these moves are made, and the only legal one where none is named.
fn replayed(game: &mut OneState, start: &BitState, moves: &[(RoleId, MoveId)]) -> Outcome {
    let roles: Vec<RoleId> = RoleId::first(game.roles().len()).collect();
    let mut state = start.clone();
    let mut moves = moves.iter().peekable();
    let mut n_steps = 0;
    while !game.is_terminal(&state) {
        let mut joint_move = Vec::new();
        for &role in &roles {
            let mut legal = Vec::new();
            game.legal_moves(&state, role, &mut legal);
            let is_now = |made: &&(RoleId, MoveId)| made.0 == role && legal.contains(&made.1);
            let made = moves.next_if(is_now).map(|(_, id)| *id);
            assert!(made.is_some() || legal.len() == 1, "a role with a choice made no legal move");
            joint_move.push(made.unwrap_or(legal[0]));
        }
        game.advance(&mut state, &joint_move);
        n_steps += 1;
    }
    assert_eq!(moves.next(), None, "a move after the end");
    let goals = roles.iter().map(|&role| game.goal(&state, role).expect("it has one"));
    Outcome { n_steps, goals: goals.collect() }
}

fn states_of_a_play(game: &mut OneState, rng: &mut Rng) -> Vec<BitState> {
    let mut states = vec![game.initial()];
    loop {
        let mut state = states[states.len() - 1].clone();
        if game.is_terminal(&state) {
            return states;
        }
        let joint_move = game::random_joint_move(game, &state, rng).expect("playable");
        game.advance(&mut state, &joint_move);
        states.push(state);
    }
}

/// The means differ by less than five standard errors of their difference.
fn assert_same_mean(name: &str, one: &[f64], other: &[f64]) {
    let moments = |values: &[f64]| {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / n;
        (mean, variance / n)
    };
    let ((mean, error), (other_mean, other_error)) = (moments(one), moments(other));
    let bound = 5.0 * (error + other_error).sqrt() + 1e-9;
    assert!((mean - other_mean).abs() <= bound, "{name}: {mean} and {other_mean}");
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
        let mut game = embedded_game(embedded);
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

/// A machine that has seen other states before, near and far, says the same of a state as one that
/// has not.
#[test]
fn the_ground_machine_forgets_what_it_was_asked_before() {
    for embedded in games::all() {
        let new = embedded_game(embedded);
        let mut used = new.clone();
        let mut rng = seeded_rng(11);
        let plays: Vec<Vec<BitState>> =
            (0..4).map(|_| states_of_a_play(&mut used, &mut rng)).collect();
        for _ in 0..100 {
            let play = &plays[rng.random_range(0..plays.len())];
            let first = rng.random_range(0..play.len());
            for state in play.iter().skip(first).take(3) {
                assert_same_answers(&mut used, &mut new.clone(), state, &mut rng);
            }
        }
    }
}

fn assert_same_answers(one: &mut OneState, other: &mut OneState, state: &BitState, rng: &mut Rng) {
    assert_eq!(one.is_terminal(state), other.is_terminal(state));
    for role in RoleId::first(one.roles().len()) {
        let (mut moves, mut other_moves) = (Vec::new(), Vec::new());
        one.legal_moves(state, role, &mut moves);
        other.legal_moves(state, role, &mut other_moves);
        assert_eq!(moves, other_moves);
    }
    if !one.is_terminal(state) {
        let joint_move = game::random_joint_move(one, state, rng).expect("playable");
        assert_eq!(one.next(state, &joint_move), other.next(state, &joint_move));
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
