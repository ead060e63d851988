//! Matches in which players are told only what they see (GDL-II), in both generations of messages.

use std::net::SocketAddr;

use crate::wire::{say, server};

/// A game in which what may be done says what the player did and saw last. It sees every second card.
const CARDS: &str = "(role random) (role Guesser) (card ace) (card King) (way left) (way Right)
    (init (step 1)) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (odd 1) (odd 3) (even 2) (even 4)
    (init (went nowhere)) (init (saw nothing))
    (<= (legal random (deal ?card)) (card ?card))
    (<= (legal Guesser (go ?way ?before ?card)) (way ?way) (true (went ?before)) (true (saw ?card)))
    (<= (next (went ?way)) (does Guesser (go ?way ?before ?card)))
    (<= (next (saw ?card)) (does random (deal ?card)) (true (step ?n)) (odd ?n))
    (<= (next (saw nothing)) (true (step ?n)) (even ?n))
    (<= (sees Guesser (card ?card)) (does random (deal ?card)) (true (step ?n)) (odd ?n))
    (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
    (<= terminal (true (step 5)))
    (<= (goal ?role 50) (role ?role))";

/// A match of this game, from its start on: what is said, and the reply.
fn play(address: SocketAddr, messages: &[(&str, &str)]) {
    assert_eq!(say(address, &format!("(START m Guesser ({CARDS}) 5 5)")), "ready");
    for (message, reply) in messages {
        assert_eq!(say(address, message), *reply, "{message}");
    }
}

#[test]
fn turns_of_2013_say_which_move_was_made() {
    for player in ["legal", "uct"] {
        let server = server(player, 1);
        let address = server.address();
        assert_eq!(say(address, &format!("(START m Guesser ({CARDS}) 2 1)")), "ready");
        let ways = |reply: &str, rest: &str| {
            let found = ["left", "Right"].iter().any(|way| reply == format!("(go {way} {rest})"));
            assert!(found, "{player}: {reply}, not (go ... {rest})");
        };
        ways(&say(address, "(PLAY m 0 NIL NIL)"), "nowhere nothing");
        // Other moves were made than those that were sent.
        ways(&say(address, "(PLAY m 1 (GO RIGHT NOWHERE NOTHING) ((CARD KING)))"), "Right King");
        ways(&say(address, "(PLAY m 2 (go left Right King) ())"), "left nothing");
        ways(&say(address, "(play m 3 (go Right left nothing) ( ( card ace ) ))"), "Right ace");
        assert_eq!(say(address, "(STOP m 4 (go Right Right ace) ())"), "done");
    }
}

#[test]
fn percepts_of_2011_come_after_the_move_that_was_sent() {
    let server = server("legal", 1);
    play(
        server.address(),
        &[
            ("(PLAY m NIL)", "(go left nowhere nothing)"),
            ("(PLAY m ((card King)))", "(go left left King)"),
            ("(PLAY m ())", "(go left left nothing)"),
            ("(PLAY m ((CARD ACE)))", "(go left left ace)"),
            ("(STOP m NIL)", "done"),
        ],
    );
}

#[test]
fn the_end_may_be_told_in_any_form() {
    for end in ["(STOP m 1 (go left nowhere nothing) ((card ace)))", "(STOP m ((card ace)))"] {
        let server = server("legal", 1);
        let first = ("(PLAY m 0 NIL NIL)", "(go left nowhere nothing)");
        play(server.address(), &[first, (end, "done")]);
    }
}

/// A manager of Dresden adds to a game in which all is seen that players see what was done.
#[test]
fn a_game_in_which_all_is_seen_may_be_told_in_percepts() {
    let rules = "(role One) (role two) (init (last none)) (thing a) (thing B)
        (<= (legal ?p (say ?x after ?l)) (role ?p) (thing ?x) (true (last ?l)))
        (<= (next (last ?x)) (does two (say ?x after ?l)))
        (<= (next (n ?x)) (true (last ?x)))
        (<= terminal (true (n B)))
        (<= (goal ?p 50) (role ?p))
        (<= (sees ?p (did ?p2 ?m)) (role ?p) (does ?p2 ?m))";
    let server = server("legal", 1);
    let say = |text: &str| say(server.address(), text);
    assert_eq!(say(&format!("(START m ONE ({rules}) 5 5)")), "ready");
    assert_eq!(say("(PLAY m 0 NIL NIL)"), "(say a after none)");
    let turn =
        "(PLAY m 1 (SAY A AFTER NONE) ((DID ONE (SAY A AFTER NONE)) (DID TWO (SAY B AFTER NONE))))";
    assert_eq!(say(turn), "(say a after B)");
}

/// What cannot be is passed over, and there is a legal move all the same.
#[test]
fn nonsense_does_not_end_a_match() {
    let server = server("legal", 1);
    play(
        server.address(),
        &[
            ("(PLAY m 0 NIL NIL)", "(go left nowhere nothing)"),
            ("(PLAY m 1 (fly away) ((card dragon)))", "(go left nowhere nothing)"),
            ("(PLAY m 7 (go Right nowhere nothing) ((card ace)))", "(go left Right ace)"),
            ("(STOP m 0 NIL NIL)", "done"),
        ],
    );
}
