//! Every embedded game, a test each: it has the counts of moves that are known, its random plays end as they
//! should, and all machines and both networks play it by its rules.

use base::{Deadline, Id as _, seeded_rng};
use corpus::{
    assert_forgets_what_was_asked, assert_formulas_of_phases, assert_like_single_plays,
    assert_look_ahead, assert_plays_cut_off, assert_plays_from_states, assert_stages,
    compare_stage,
};
use encode::{Encoding, Stage};
use game::{Game as _, Notes, Perft, PlaysFrom, conformance, perft};
use libtest_mimic::{Arguments, Trial};
use machine::{Interpreter, ManyStates, OneState};
use program::Program;

fn main() {
    let arguments = Arguments::from_args();
    let trial = |game: &'static games::Game| {
        Trial::test(&game.name, || {
            assert_sound(game);
            Ok(())
        })
    };
    let trials = games::all().iter().map(trial).collect();
    libtest_mimic::run(&arguments, trials).exit();
}

/// How much of everything is done: less where it takes longer.
struct Effort {
    n_plays: usize,
    n_states: usize,
    max_nodes: u64,
}

impl Effort {
    fn new(n_parts: usize) -> Effort {
        match n_parts {
            0..20_000 => Effort { n_plays: 1_000, n_states: 50, max_nodes: 1_000_000 },
            20_000..100_000 => Effort { n_plays: 200, n_states: 10, max_nodes: 200_000 },
            _ => Effort { n_plays: 50, n_states: 2, max_nodes: 200_000 },
        }
    }
}

fn assert_sound(game: &games::Game) {
    let program = program::check(&gdl::parse_kif(game.rules)).program.expect("no errors");
    let limits = ground::Limits { deadline: Deadline::NEVER, max_literals: 50_000_000 };
    let ground = ground::ground(&program, &limits).expect("it is not too large");
    let effort = Effort::new(ground.formulas.network.n_parts());
    let mut one = OneState::new(ground);
    assert_counts(game, &mut one, effort.max_nodes);
    assert_plays_end(game, &one);
    assert_like_single_plays(&game.name, &mut one, effort.n_plays);
    assert_plays_from_states(&game.name, &mut one, effort.n_plays.div_ceil(5));
    assert_plays_cut_off(&game.name, &mut one);
    assert_stages(&game.name, &mut one, effort.n_plays.div_ceil(50));
    assert_look_ahead(&game.name, &mut one, effort.n_plays.div_ceil(50));
    assert_formulas_of_phases(&game.name, &mut one, effort.n_states);
    assert_forgets_what_was_asked(&game.name, &one, effort.n_states);
    assert_like_the_interpreter(game, &program, &mut one, effort.n_states);
    assert_encoded(game, &program, &one, effort.n_states);
}

/// The known counts of up to `max_nodes` sequences are found.
fn assert_counts(game: &games::Game, one: &mut OneState, max_nodes: u64) {
    for known in game.perft.iter().filter(|known| known.nodes <= max_nodes) {
        let expected = Perft { nodes: known.nodes, terminals: known.terminals };
        let found = perft(one, known.depth).expect("playable");
        assert_eq!(found, expected, "{} to depth {}", game.name, known.depth);
    }
}

/// A thousand random plays end with a goal for every role, and those of two opponents sum to 100.
fn assert_plays_end(game: &games::Game, one: &OneState) {
    let initial = one.initial();
    let states = [&initial];
    let plays = PlaysFrom::to_end(&states, 1_000, 2_000);
    let mut many = ManyStates::new(one.ground().clone());
    let outcomes = many.play_out_from(&plays, &mut seeded_rng(3), &mut Notes::default());
    let outcomes = outcomes.unwrap_or_else(|problem| panic!("{}: {problem}", game.name));
    let random = one.random().map(|role| role.index());
    let n_players = game.roles.len() - usize::from(random.is_some());
    if n_players != 2 || game.is_cooperative {
        return;
    }
    for play in 0..outcomes.n_plays() {
        let goals = outcomes.goals(play).iter().enumerate();
        let of_players = goals.filter(|(role, _)| Some(*role) != random);
        let sum: u32 = of_players.map(|(_, goal)| u32::from(goal.value())).sum();
        assert_eq!(sum, 100, "{}", game.name);
    }
}

fn assert_like_the_interpreter(
    game: &games::Game,
    program: &Program,
    one: &mut OneState,
    n_states: usize,
) {
    let mut judge = Interpreter::new(program);
    let compared = conformance::compare(&mut judge, one, n_states, &mut seeded_rng(1));
    assert!(compared.is_ok(), "{}: {compared:?}", game.name);
}

/// Both networks agree with the interpreter in states of random plays. Tables are written out up to two
/// sizes: none, and those that are usual.
fn assert_encoded(game: &games::Game, program: &Program, one: &OneState, n_states: usize) {
    let mut judge = Interpreter::new(program);
    for encoding in [Encoding::Atoms, Encoding::Fluents] {
        for max_tuples in [0, 4096] {
            let mut stage =
                Stage::new(one.ground(), encoding, max_tuples).expect("it has a network");
            let (mut rng, name) = (seeded_rng(1), &game.name);
            let deadline = Deadline::NEVER;
            let ground = one.ground();
            let done = compare_stage(ground, &mut stage, &mut judge, n_states, deadline, &mut rng);
            let done =
                done.unwrap_or_else(|difference| panic!("{name}, {encoding:?}: {difference}"));
            assert_eq!(done.n_states, n_states);
        }
    }
}
