//! A million messages that nobody would send: the player answers or is silent, and goes on.

use base::{Rng, seeded_rng};
use net::NetworkPlayer;
use rand::RngExt as _;
use rand::seq::IndexedRandom as _;

use crate::wire::settings;

/// What may be said.
const MESSAGES: [&str; 16] = [
    "( INFO )",
    "(ping)",
    "( PREVIEW ( ( role x ) ( init a ) ( legal x go ) ( goal x 50 ) terminal ) 1 )",
    "( START m x ( ( role x ) ( init a ) ( legal x go ) ( goal x 50 ) ( <= terminal ( not ( true a ) ) ) ) 1 1 )",
    "( START m x ( ( role x ) ( role random ) ( legal random a ) ( legal random b ) ( init s ) ( legal x go ) \
     ( <= ( sees x ?m ) ( does random ?m ) ) ( goal x 50 ) ( <= ( next s ) ( true s ) ) ( <= terminal ( not ( true s ) ) ) ) 1 1 )",
    "( PLAY m NIL )",
    "( PLAY m ( go ) )",
    "( PLAY m ( ( mark 1 2 ) noop ) )",
    "( PLAY m 0 NIL NIL )",
    "( PLAY m 1 go ( a b ( card 1 ) ) )",
    "( STOP m ( go ) )",
    "( STOP m 2 go ( a ) )",
    "( ABORT m )",
    "( PLAY other ( go ) )",
    "(PLAY m (go)) ; a comment\n",
    "(((((((((((((((((((((((((((((((((((",
];

/// What may come in between.
const PIECES: [&str; 24] = [
    "(",
    ")",
    " ",
    "\n",
    ";",
    "%",
    "?",
    "?x",
    "\"",
    "\0",
    "é",
    "NIL",
    "m",
    "go",
    "<=",
    "not",
    "or",
    "0",
    "99999999999999999999",
    "-1",
    "4294967295",
    "( )",
    "sees",
    "((((((((((((((((((((((((((((((((",
];

/// A message with some changes.
fn mutated(rng: &mut Rng) -> String {
    // Matches that begin take longer than all else.
    let text = match rng.random_range(0..100) {
        0 => MESSAGES[rng.random_range(2..5)],
        _ => {
            let number = rng.random_range(0..MESSAGES.len() - 3);
            MESSAGES[if number < 2 { number } else { number + 3 }]
        }
    };
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..rng.random_range(0..5) {
        let place = rng.random_range(0..=letters.len());
        let end = (place + rng.random_range(0..12)).min(letters.len());
        match rng.random_range(0..5) {
            0 => drop(letters.drain(place..end)),
            1 => {
                let again = letters[place..end].to_vec();
                letters.splice(place..place, again);
            }
            2 => {
                let piece = PIECES.choose(rng).expect("there are some");
                letters.splice(place..place, piece.chars());
            }
            3 => letters.truncate(place),
            _ => {
                let letter = char::from_u32(rng.random_range(0..0x300)).expect("it is one");
                letters.splice(place..place, [letter]);
            }
        }
    }
    letters.into_iter().collect()
}

#[test]
fn a_million_strange_messages_do_not_disturb_a_match() {
    const N_MESSAGES: usize = 1_000_000;
    const N_BETWEEN: usize = 10_000;
    let player = NetworkPlayer::new(settings("legal", 2));
    let rules = "(role a) (init (at 0)) (legal a (go 1)) (legal a (go 2)) (next (at 0)) (goal a 0) \
        (<= terminal (true (at 1)))";
    let say = |text: &str| player.answer(text).expect("it is a message");
    assert_eq!(say(&format!("(START kept a ({rules}) 5 5)")), "ready");
    let mut rng = seeded_rng(9);
    let (mut n_answers, mut n_silent) = (0, 0);
    let mut starts = String::new();
    for number in 0..N_MESSAGES {
        let text = mutated(&mut rng);
        if text.contains("START") {
            starts = text.clone();
        }
        match player.answer(&text) {
            Ok(reply) => {
                n_answers += 1;
                assert!(!reply.is_empty(), "{text} {starts:?}");
            }
            Err(_) => n_silent += 1,
        }
        if number % N_BETWEEN == 0 {
            assert!(say("( INFO )").starts_with("( ( name Woodstock ) ( status "));
            assert_eq!(say("( PLAY kept ( (go 1) ) )"), "(go 1)");
        }
    }
    assert!(n_answers > N_MESSAGES / 20 && n_silent > N_MESSAGES / 20, "{n_answers} {n_silent}");
    assert_eq!(say("( STOP kept ( (go 1) ) )"), "done");
}
