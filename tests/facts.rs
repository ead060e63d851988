//! What is known of embedded games beside counts of moves.

use std::collections::HashSet;

use base::{Deadline, Id as _, seeded_rng};
use game::{Game as _, MoveId, perft};
use machine::{BitState, OneState};

fn embedded(name: &str) -> OneState {
    let rules = games::find(name).unwrap_or_else(|| panic!("{name} is embedded")).rules;
    let program = program::check(&gdl::parse_kif(rules)).program.expect("no errors");
    let limits = ground::Limits { deadline: Deadline::NEVER, max_literals: 50_000_000 };
    OneState::new(ground::ground(&program, &limits).expect("it is not too large"))
}

/// All states of `n_plays` random plays, as texts.
fn states_of_plays(game: &mut OneState, n_plays: usize) -> Vec<Vec<String>> {
    let mut rng = seeded_rng(7);
    let plays = (0..n_plays).flat_map(|_| corpus::states_of_a_play(game, &mut rng));
    let states: Vec<_> = plays.collect();
    states.iter().map(|state| game.state_text(state)).collect()
}

/// The number that is the last argument of a fluent.
fn last_number(fluent: &str) -> u32 {
    let last = fluent.trim_end_matches(')').rsplit(' ').next();
    last.and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("no number: {fluent}"))
}

#[test]
fn tic_tac_toe_has_255168_complete_games() {
    let mut game = embedded("tic-tac-toe");
    let ends = (0..=9).map(|depth| perft(&mut game, depth).expect("playable").terminals);
    assert_eq!(ends.sum::<u64>(), 255_168);
}

#[test]
fn oware_keeps_its_48_seeds() {
    let mut game = embedded("oware");
    for state in states_of_plays(&mut game, 100) {
        let holds_seeds =
            |fluent: &&String| fluent.starts_with("(house ") || fluent.starts_with("(store ");
        let seeds: u32 = state.iter().filter(holds_seeds).map(|fluent| last_number(fluent)).sum();
        assert_eq!(seeds, 48, "{state:?}");
    }
}

/// Two dice have 36 outcomes, of which 21 are different.
#[test]
fn backgammon_has_21_different_rolls() {
    let mut game = embedded("backgammon");
    let random = game.random().expect("there are dice");
    let mut rng = seeded_rng(3);
    let states = corpus::states_of_a_play(&mut game, &mut rng);
    let mut n_rolls = 0;
    for state in &states[1..states.len() - 1] {
        let mut rolls = Vec::new();
        game.legal_moves(state, random, &mut rolls);
        if rolls.len() == 1 {
            continue;
        }
        let noops = game::random_joint_move(&mut game, state, &mut rng).expect("playable");
        let mut next = |&roll: &MoveId| {
            let mut joint_move = noops.clone();
            joint_move[random.index()] = roll;
            game.next(state, &joint_move)
        };
        let different: HashSet<BitState> = rolls.iter().map(&mut next).collect();
        assert_eq!((rolls.len(), different.len()), (36, 21));
        n_rolls += 1;
    }
    assert!(n_rolls > 10, "{n_rolls} rolls in {} states", states.len());
}

/// Each player fills each of the 13 boxes once, whatever the dice show.
#[test]
fn yahtzee_has_13_categories() {
    let mut game = embedded("yahtzee");
    let mut rng = seeded_rng(5);
    for _ in 0..20 {
        let mut state = game.initial();
        let mut filled = [Vec::new(), Vec::new()];
        while !game.is_terminal(&state) {
            let joint_move =
                game::random_joint_move(&mut game, &state, &mut rng).expect("playable");
            for (boxes, &id) in filled.iter_mut().zip(&joint_move) {
                let text = game.move_text(id);
                boxes.extend(text.strip_prefix("(score ").map(String::from));
            }
            game.advance(&mut state, &joint_move);
        }
        for boxes in filled {
            let different: HashSet<&String> = boxes.iter().collect();
            assert_eq!((boxes.len(), different.len()), (13, 13), "{boxes:?}");
        }
    }
}

/// Where lines or rows win, random plays come across many moves that win at once, and many that lose. In pentago a turn
/// has two parts, so there are moves that lead to an own win as well.
#[test]
fn moves_that_win_or_lose_at_once_are_found_where_there_are_such() {
    for (name, at_least, own_at_least) in
        [("connect-four", 40, 0), ("breakthrough", 40, 0), ("pentago", 40, 40)]
    {
        let mut game = embedded(name);
        let seen = corpus::assert_look_ahead(name, &mut game, 40);
        assert!(seen.n_own >= own_at_least, "{name}: {seen:?}");
        assert!(seen.n_won >= at_least && seen.n_replies >= at_least, "{name}: {seen:?}");
        assert!(seen.n_missed * 10 < seen.n_replies, "{name}: {seen:?}");
        let n_replies = corpus::assert_replies(name, &mut game, 40);
        assert!(n_replies >= at_least, "{name}: {n_replies} replies");
    }
}
