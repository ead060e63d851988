//! What MAC-UCB must do.

use machine::{ManyStates, OneState};

use super::*;
use crate::test_games::{embedded, ground, maximin_value, nim, value_in_nim};
use crate::tree::graph::Knows;

fn search(ground: &ground::GroundProgram, seed: u64) -> MacUcb<OneState, ManyStates> {
    search_with(ground, MacOptions::STRONGEST, seed)
}

fn search_with(
    ground: &ground::GroundProgram,
    options: MacOptions,
    seed: u64,
) -> MacUcb<OneState, ManyStates> {
    let game = OneState::new(ground.clone());
    let mut many = ManyStates::new(ground.clone());
    many.look_ahead(2);
    let initial = game.initial();
    MacUcb::new(game, many, initial, options, seed)
}

/// With enough plays all is known, and worth what the solver says.
#[test]
fn explored_games_have_their_value() {
    let mut games = vec![ground(embedded("tic-tac-toe"))];
    games.push(ground(embedded("hidden-matching-pennies")));
    let heaps: [&[u32]; 4] = [&[1, 2], &[2, 2], &[3, 4], &[1, 2, 3]];
    games.extend(heaps.iter().map(|heaps| ground(&nim(heaps))));
    for ground in &games {
        let mut search = search(ground, 1);
        assert!(search.grow(&SearchLimits::plays(1_000_000)), "{:?}", ground.roles);
        for role in RoleId::first(ground.roles.len()).filter(|role| Some(*role) != ground.random) {
            let value = maximin_value(&mut search.graph.game, role);
            assert_eq!(search.report(role).moves[0].value, value);
        }
    }
}

/// Whatever it was stopped at, what it says to be proved is true, and no move is made before one that is proved to
/// be better.
#[test]
fn nothing_comes_before_what_is_proved_to_be_better() {
    let mut rng = base::seeded_rng(5);
    let mut n_proved = 0;
    for case in 0..60 {
        let heaps: Vec<u32> = (0..3).map(|_| rng.random_range(0..5)).collect();
        if heaps.iter().sum::<u32>() == 0 {
            continue;
        }
        let mut search = search(&ground(&nim(&heaps)), case);
        search.grow(&SearchLimits::plays(1 << rng.random_range(0..10)));
        let moves = search.report(RoleId::first(2).next().expect("there are two")).moves;
        let exact = moves.iter().filter(|one| one.is_exact);
        for one in exact.clone() {
            let text = search.graph.game.move_text(one.id);
            assert_eq!(one.value, value_in_nim(&heaps, &text), "{heaps:?}, {text}");
            n_proved += 1;
        }
        let best_proved = exact.map(|one| one.value).fold(0.0, f64::max);
        assert!(best_proved < 100.0 || moves[0].value == 100.0, "{heaps:?}");
        assert!(!moves[0].is_exact || moves[0].value >= best_proved, "{heaps:?}");
        let is_lost = |one: &crate::MoveReport| one.is_exact && one.value == 0.0;
        assert!(!is_lost(&moves[0]) || moves.iter().all(is_lost), "{heaps:?}");
    }
    assert!(n_proved > 60, "{n_proved}");
}

/// What a state is worth may be known before its stage is solved: the move that wins is found all the same.
#[test]
fn a_win_that_was_seen_before_is_made() {
    let ground = ground(embedded("connect-four"));
    let mut search = search(&ground, 1);
    // Red drops into the first column three times, yellow into the second: red wins with a fourth.
    for drop in ["(drop 1)", "(drop 2)", "(drop 1)", "(drop 2)", "(drop 1)", "(drop 2)"] {
        search.grow(&SearchLimits::plays(500));
        let (state, game) = search.state_and_game();
        let state = state.clone();
        let mut joint_move = Vec::new();
        for role in RoleId::first(2) {
            let mut legal = Vec::new();
            game.legal_moves(&state, role, &mut legal);
            let made = legal.iter().find(|&&id| game.move_text(id) == drop);
            joint_move.push(*made.unwrap_or(&legal[0]));
        }
        search.advance(&joint_move);
    }
    search.grow(&SearchLimits::plays(10));
    let red = RoleId::first(2).next().expect("there are two");
    let best = search.report(red).moves[0];
    assert_eq!((best.value, best.is_exact), (100.0, true));
    assert_eq!(search.graph.game.move_text(best.id), "(drop 1)");
}

#[test]
fn equal_seeds_search_alike() {
    let ground = ground(embedded("connect-four"));
    let role = RoleId::first(2).next().expect("there are two");
    let report = |seed| {
        let mut search = search(&ground, seed);
        search.grow(&SearchLimits::plays(5_000));
        search.report(role)
    };
    assert_eq!(report(7), report(7));
    assert_ne!(report(7), report(8));
}

/// Where plays to the end say little, they are cut off; with the same seed, in the same way.
#[test]
fn plays_are_cut_off_where_that_pays() {
    let ground = ground(embedded("checkers"));
    let grown = |cut| {
        let mut search = search(&ground, 1);
        search.options.cut = cut;
        search.grow(&SearchLimits::plays(12_000));
        search
    };
    let cut = grown(12);
    assert!(cut.learning.spread() < 0.8, "{:?}", cut.learning);
    assert_eq!(grown(0).learning.spread(), 1.0);
    let role = RoleId::first(2).next().expect("there are two");
    assert_eq!(cut.report(role), grown(12).report(role));
}

/// It plays without any of what it knows, too.
#[test]
fn ideas_can_be_left_out() {
    let ground = ground(embedded("connect-four"));
    let all = MacOptions::STRONGEST;
    let without = [
        MacOptions { reuses: false, ..all },
        MacOptions { knows: Knows { transpositions: false, ..Knows::ALL }, ..all },
        MacOptions { knows: Knows { proofs: false, ..Knows::ALL }, ..all },
    ];
    let role = RoleId::first(2).next().expect("there are two");
    let n_nodes = |options: MacOptions| {
        let mut search = search_with(&ground, options, 1);
        search.grow(&SearchLimits::plays(20_000));
        let n_grown = search.graph.nodes.len();
        let noop = search.report(RoleId::from_index(1)).moves[0].id;
        search.advance(&[search.report(role).moves[0].id, noop]);
        search.forget_the_past();
        (n_grown, search.graph.nodes.len())
    };
    let usual = n_nodes(all);
    let [anew, apart, unproved] = without.map(n_nodes);
    assert!(usual.1 > 1 && anew == (usual.0, 1), "{anew:?}");
    assert!(apart.0 != usual.0 && unproved.0 > 1, "{apart:?}, {unproved:?}");
}

/// What is under way is taken back, and every play is counted once at the root.
#[test]
fn plays_are_counted_once() {
    for name in ["connect-four", "matching-pennies", "cant-stop"] {
        let mut search = search(&ground(embedded(name)), 3);
        search.grow(&SearchLimits::plays(3_000));
        let graph = &search.graph;
        assert!(graph.moves.iter().all(|arm| arm.seen.n_under_way == 0), "{name}");
        let root = graph.nodes[graph.root].seen.n_visits;
        assert_eq!(root, search.work.n_plays + search.n_known, "{name}");
        let visits = graph.arms(graph.root, 0).iter().map(|arm| u64::from(arm.seen.n_visits));
        let of_moves: u64 = visits.sum();
        assert_eq!(of_moves, root, "{name}");
    }
}

/// All plays with a move count where it is made once in a play, and only there.
#[test]
fn moves_that_come_again_are_known() {
    for (name, comes_once) in [("hex", true), ("othello", true), ("connect-four", false)] {
        let mut search = search(&ground(embedded(name)), 1);
        search.grow(&SearchLimits::plays(3_000));
        assert_eq!(search.recurring.pays(), comes_once, "{name}");
        let graph = &search.graph;
        let mut arms = graph.arms(graph.root, 0).iter();
        assert!(arms.all(|arm| search.recurring.has(arm.id) != comes_once), "{name}");
    }
}

/// Where moves come and go, and are worth everywhere what they are worth anywhere, those that were good so far are made
/// more often; and then what came of other moves of a play says little.
#[test]
fn habits_are_for_moves_that_are_good_anywhere() {
    let cases = [("hex", Habitual::No), ("othello", Habitual::Yes), ("checkers", Habitual::No)];
    for (name, habits) in cases {
        let mut search = search(&ground(embedded(name)), 1);
        assert!(search.counts_all(), "{name}");
        search.grow(&SearchLimits::plays(150_000));
        assert_eq!(search.habits, habits, "{name}");
        assert_eq!(search.counts_all(), name == "hex", "{name}");
    }
}

/// It goes with the match, and knows afterwards what it knew of the state before.
#[test]
fn what_is_known_of_the_next_state_is_kept() {
    let ground = ground(embedded("connect-four"));
    let mut search = search(&ground, 1);
    search.grow(&SearchLimits::plays(20_000));
    let worst = |role: RoleId| *search.report(role).moves.last().expect("there is a move");
    let worst: Vec<_> = RoleId::first(2).map(worst).collect();
    let joint_move: Vec<MoveId> = worst.iter().map(|report| report.id).collect();
    let n_before = search.graph.nodes.len();
    search.advance(&joint_move);
    search.forget_the_past();
    assert!(search.graph.is_sound() && search.graph.nodes.len() < n_before);
    let n_kept = search.graph.nodes[search.graph.root].seen.n_visits;
    assert!(n_kept > 0 && n_kept <= worst[0].n_visits, "{n_kept}");
    search.grow(&SearchLimits::plays(1_000));
}
