//! Matches of games that are too large, or that nobody can play: they take no more time and room than there is.

use std::time::{Duration, Instant};

use crate::wire::{say, server};

/// Rules whose static part alone has 10^10 atoms.
fn wide() -> String {
    let digits: String = (0..10).map(|digit| format!("(digit {digit})")).collect();
    let variables: String = (0..10).map(|n| format!("?d{n} ")).collect();
    let conditions: String = (0..10).map(|n| format!("(digit ?d{n}) ")).collect();
    format!(
        "(role x) (init (at 0)) {digits} (<= (wide {variables}) {conditions})
         (<= (legal x (go {variables})) (wide {variables}) (true (at ?d0)))
         (<= (next (at ?d1)) (does x (go {variables})))
         (<= terminal (true (at 9))) (goal x 50)"
    )
}

#[test]
fn rules_that_are_too_large_do_not_keep_the_player_from_the_next_match() {
    let server = server("uct", 1);
    let say = |text: &str| say(server.address(), text);
    assert_eq!(say(&format!("(START wide x ({}) 20 1)", wide())), "ready");
    let asked = Instant::now();
    assert_eq!(say("(PLAY wide NIL)"), "nil");
    assert!(asked.elapsed() < Duration::from_secs(1));
    assert_eq!(say("(ABORT wide)"), "aborted");
    assert_eq!(
        say("(START next x ((role x) (init a) (legal x go) (goal x 50) terminal) 5 5)"),
        "ready"
    );
    assert_eq!(say("(PLAY next NIL)"), "go");
}

/// A role that may do nothing at all has nothing to say.
#[test]
fn a_role_without_a_legal_move_says_so() {
    for player in ["legal", "uct", "mac-ucb"] {
        let server = server(player, 1);
        let rules = "(role x) (role y) (init a) (legal y go) (goal x 50) (goal y 50) (<= terminal (true b))";
        let start = format!("(START m x ({rules}) 1 1)");
        assert_eq!(say(server.address(), &start), "ready");
        assert_eq!(say(server.address(), "(PLAY m NIL)"), "nil", "{player}");
        assert_eq!(say(server.address(), "(STOP m NIL)"), "done");
    }
}
