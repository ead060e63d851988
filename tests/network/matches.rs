//! Matches, as the player takes part in them.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use game::Game as _;
use machine::Interpreter;

use crate::wire::{Said, exchange, parts, post, say, server};

/// A game in which what may be done says what was done before.
const WALK: &str = "(role Walker) (role guard) (way Left) (way right)
    (init (step 1)) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (init (went nowhere))
    (<= (legal Walker (go ?way ?before)) (way ?way) (true (went ?before)))
    (legal guard noop) (legal guard (look Up))
    (<= (next (went ?way)) (does Walker (go ?way ?before)))
    (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
    (<= terminal (true (step 5)))
    (<= (goal ?role 50) (role ?role))";

const IDLE: &str = "( ( name Woodstock ) ( status available ) )";
const IN_MATCH: &str = "( ( name Woodstock ) ( status busy ) )";

/// A manager thinks that a player is dead if nothing comes within this time.
const AT_ONCE: Duration = Duration::from_secs(1);

fn start(match_id: &str, role: &str, rules: &str, clocks: [u32; 2]) -> String {
    let [start_clock, play_clock] = clocks;
    format!("(START {match_id} {role} ({rules}) {start_clock} {play_clock})")
}

/// How a manager may write a message.
type Spelling = fn(&str) -> String;

const SPELLINGS: [Spelling; 6] = [
    |text| text.to_owned(),
    |text| text.to_uppercase(),
    |text| text.to_lowercase(),
    |text| text.replace('(', "( ").replace(')', " )"),
    |text| text.replace('(', "(\r\n\t ").to_uppercase(),
    |text| text.split_whitespace().collect::<Vec<_>>().join(" ").replace(" (", "("),
];

/// The reply, which is there before a manager loses patience.
fn said_at_once(address: SocketAddr, message: &str) -> String {
    let start = Instant::now();
    let reply = say(address, message);
    assert!(start.elapsed() < AT_ONCE, "{message} was answered after {:?}", start.elapsed());
    reply
}

#[test]
fn every_message_is_understood_in_any_spelling() {
    for (number, spell) in SPELLINGS.into_iter().enumerate() {
        let server = server("legal", 1);
        let say = |text: &str| say(server.address(), &spell(text));
        let move_of = |text: &str| match number {
            // Moves are sent as START wrote them.
            1 | 4 => text.to_uppercase(),
            2 => text.to_lowercase(),
            _ => text.to_owned(),
        };
        assert_eq!((say("(Info)").as_str(), say("(Ping)").as_str()), (IDLE, "ready"));
        assert_eq!(say(&format!("(Preview ({WALK}) 5)")), "ready");
        assert_eq!(say(&start("Match.1", "Walker", WALK, [5, 5])), "ready");
        assert_eq!((say("(Info)").as_str(), say("(Ping)").as_str()), (IN_MATCH, "busy"));
        assert_eq!(say("(Play Match.1 Nil)"), move_of("(go Left nowhere)"));
        let second = say("(Play Match.1 ((go Left nowhere) noop))");
        assert_eq!(second, move_of("(go Left Left)"));
        assert_eq!(say("(Stop Match.1 ((go Left Left) (look Up)))"), "done");
        assert_eq!(say("(Info)"), IDLE);
        assert_eq!(say(&start("Match.2", "guard", WALK, [5, 5])), "ready");
        assert_eq!(say("(Play Match.2 Nil)"), move_of("noop"));
        assert_eq!(say("(Abort Match.2)"), "aborted");
        assert_eq!(say("(Info)"), IDLE);
    }
}

/// Managers of Dresden write all but the name of the match in upper case.
#[test]
fn moves_are_sent_in_the_spelling_of_the_rules() {
    let server = server("legal", 1);
    let say = |text: &str| say(server.address(), text);
    assert_eq!(say(&start("Match.1", "WALKER", WALK, [5, 5])), "ready");
    assert_eq!(say("(PLAY Match.1 NIL)"), "(go Left nowhere)");
    assert_eq!(say("(PLAY Match.1 ((GO RIGHT NOWHERE) (LOOK UP)))"), "(go Left right)");
    assert_eq!(say("(PLAY MATCH.1 ((GO LEFT RIGHT) NOOP))"), "busy");
    assert_eq!(say("(PLAY Match.1 ((GO LEFT RIGHT) NOOP))"), "(go Left Left)");
}

#[test]
fn the_first_play_says_that_nothing_happened_in_any_way() {
    let server = server("legal", 1);
    for nothing in ["NIL", "nil", "Nil", "()", "( )", "none"] {
        let start = format!("(START m Walker ({WALK}) 5 5 more (and more))");
        assert_eq!(say(server.address(), &start), "ready");
        let reply = say(server.address(), &format!("(PLAY m {nothing})"));
        assert_eq!(reply, "(go Left nowhere)", "{nothing}");
        assert_eq!(say(server.address(), "(STOP m NIL)"), "done");
    }
}

#[test]
fn only_the_match_that_is_played_is_answered() {
    let server = server("legal", 1);
    let say = |text: &str| say(server.address(), text);
    for message in ["(PLAY m NIL)", "(STOP m NIL)", "(ABORT m)"] {
        assert_eq!(say(message), "busy", "{message} of a match that never began");
    }
    assert_eq!(say(&start("m", "Walker", WALK, [5, 5])), "ready");
    for message in [
        "(PLAY M NIL)",
        "(PLAY other NIL)",
        "(STOP other NIL)",
        "(ABORT other)",
        &start("other", "Walker", WALK, [5, 5]),
        &start("m", "guard", WALK, [5, 5]),
        &format!("(PREVIEW ({WALK}) 5)"),
    ] {
        assert_eq!(say(message), "busy", "{message}");
    }
    assert_eq!(say("(PLAY m NIL)"), "(go Left nowhere)");
    assert_eq!(say("(STOP m ((go Left nowhere) noop))"), "done");
    assert_eq!(say("(STOP m ((go Left nowhere) noop))"), "busy");
}

#[test]
fn what_cannot_be_played_is_refused_and_the_next_match_begins() {
    let server = server("legal", 1);
    let say = |text: &str| say(server.address(), text);
    for (role, rules) in [
        ("nobody", WALK),
        ("random", "(role random) (role x) (legal ?r noop) terminal (goal x 100) (init a)"),
        ("x", "(role x)"),
        ("x", "role x"),
        ("x", ""),
    ] {
        assert_eq!(say(&start("m", role, rules, [5, 5])), "busy", "{role} {rules}");
    }
    assert_eq!(say("(INFO)"), IDLE);
    assert_eq!(say(&start("m", "Walker", WALK, [5, 5])), "ready");
}

/// What was made of a late or illegal move is in the message: the player goes on from there.
#[test]
fn a_player_takes_its_own_move_from_the_message() {
    let server = server("legal", 1);
    let say = |text: &str| say(server.address(), text);
    assert_eq!(say(&start("m", "Walker", WALK, [5, 5])), "ready");
    assert_eq!(say("(PLAY m NIL)"), "(go Left nowhere)");
    assert_eq!(say("(PLAY m ((go right nowhere) noop))"), "(go Left right)");
    assert_eq!(say("(PLAY m ((go right right) (look Up)))"), "(go Left right)");
    assert_eq!(say("(PLAY m ((go Left right) noop))"), "(go Left Left)");
}

#[test]
fn a_player_that_thinks_does_so_too() {
    for player in ["uct", "mac-ucb:threads=2", "cfr"] {
        let server = server(player, 1);
        let say = |text: &str| say(server.address(), text);
        assert_eq!(say(&start("m", "Walker", WALK, [1, 1])), "ready");
        let ways = |text: &str, before: &str| {
            let reply = say(text);
            let found = ["Left", "right"].iter().any(|way| reply == format!("(go {way} {before})"));
            assert!(found, "{player}: {reply}, not (go ... {before})");
        };
        ways("(PLAY m NIL)", "nowhere");
        ways("(PLAY m ((go right nowhere) noop))", "right");
        // This cannot have been done; thinking goes on all the same.
        ways("(PLAY m ((go right nowhere) noop))", "right");
        ways("(PLAY m ((go Left right) (look Up)))", "Left");
        let status = exchange(server.address(), "GET /status HTTP/1.0\r\n\r\n");
        let status: serde_json::Value = serde_json::from_str(parts(&status).1).expect("JSON");
        assert!(status["matches"][0]["value"].is_number(), "{player}: {status}");
    }
}

/// Some managers say a message again when they have not heard of it: it is the same step, and has the same reply.
#[test]
fn what_is_said_twice_is_one_step() {
    let numbers = |n: u32| (0..n).map(|n| format!("(succ {n} {}) ", n + 1)).collect::<String>();
    // Too much to look at all of it.
    let count = format!(
        "(role x) (init (at 0)) {} (bit 0) (bit 1) (legal x wait)
        (<= (legal x (go ?n ?bit)) (true (at ?n)) (bit ?bit))
        (<= (next (at ?m)) (true (at ?n)) (succ ?n ?m))
        (<= (next (set ?n ?bit)) (does x (go ?n ?bit)))
        (<= (next (set ?n ?bit)) (true (set ?n ?bit)))
        (<= zero (true (set ?n 0))) (<= terminal (true (at 30)))
        (<= (goal x 0) zero) (<= (goal x 50) (not zero))",
        numbers(30)
    );
    let server = server("uct", 1);
    let address = server.address();
    assert_eq!(say(address, &start("m", "x", &count, [1, 2])), "ready");
    let is_at = |reply: &str, n: u32| reply == "wait" || reply.starts_with(&format!("(go {n} "));
    assert!(is_at(&say(address, "(PLAY m NIL)"), 0));
    // While it thinks.
    let twice = [(); 2].map(|()| {
        let said = Said::to(address, "(PLAY m (wait))".to_owned());
        std::thread::sleep(Duration::from_millis(300));
        assert!(!said.is_answered());
        said
    });
    let [first, second] = twice.map(Said::reply);
    assert!(is_at(&first, 1) && first == second, "{first}, {second}");
    // Afterwards, by a manager who says which step it is; the same words in another step mean something else.
    let numbered = |step: u32| {
        let text =
            post("(PLAY m (wait))").replace("Sender", &format!("GGP-Match-Step: {step}\r\nSender"));
        parts(&exchange(address, &text)).1.to_owned()
    };
    let second = numbered(2);
    assert!(is_at(&second, 2), "{second}");
    assert_eq!(numbered(2), second);
    let third = numbered(3);
    assert!(is_at(&third, 3), "{third}");
}

#[test]
fn all_replies_are_legal_in_time_and_follow_the_match() {
    let rules = games::find("tic-tac-toe").expect("it is embedded").rules;
    let program = program::check(&gdl::parse_kif(rules)).program.expect("no errors");
    let mut judge = Interpreter::new(&program);
    let server = server("mac-ucb", 2);
    let ids = ["one", "two"];
    for (id, role) in ids.iter().zip(["x", "o"]) {
        let ast = gdl::parse_kif(rules).ast;
        let text = protocol::Rules::of(&ast).text().to_owned();
        assert_eq!(say(server.address(), &start(id, role, &text, [2, 1])), "ready");
    }
    assert_eq!(say(server.address(), &start("three", "x", WALK, [2, 1])), "busy");
    let mut state = judge.initial();
    let mut news = "NIL".to_owned();
    while !judge.is_terminal(&state) {
        let asked = Instant::now();
        let said = ids.map(|id| Said::to(server.address(), format!("( PLAY {id} {news} )")));
        let replies = said.map(Said::reply).to_vec();
        assert!(asked.elapsed() < Duration::from_secs(1), "{:?}", asked.elapsed());
        let made = game::joint_move_of(&mut judge, &state, &replies);
        state = judge.next(&state, &made.unwrap_or_else(|| panic!("{replies:?} is not legal")));
        news = format!("({})", replies.join(" "));
    }
    // Two that play perfectly.
    let goals =
        base::RoleId::first(2).map(|role| judge.goal(&state, role).map(|goal| goal.value()));
    assert_eq!(goals.collect::<Vec<_>>(), [Ok(50), Ok(50)]);
    for id in ids {
        assert_eq!(say(server.address(), &format!("( STOP {id} {news} )")), "done");
    }
}

#[test]
fn info_is_answered_and_a_search_ends_at_once() {
    let rules = games::find("breakthrough").expect("it is embedded").rules;
    let text = protocol::Rules::of(&gdl::parse_kif(rules).ast).text().to_owned();
    let server = server("uct", 1);
    let address = server.address();
    for (end, reply) in [("(ABORT long)", "aborted"), ("(STOP long NIL)", "done")] {
        // While it gets ready.
        let starting = Said::to(address, start("long", "white", &text, [600, 600]));
        while said_at_once(address, "(INFO)") == IDLE {
            std::thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(said_at_once(address, end), reply);
        assert_eq!(said_at_once(address, "(INFO)"), IDLE);
        let ended = Instant::now();
        assert_eq!(starting.reply(), "ready");
        assert!(ended.elapsed() < AT_ONCE, "it got ready for {:?} more", ended.elapsed());
        // While it thinks about a move.
        assert_eq!(say(address, &start("long", "white", &text, [1, 600])), "ready");
        let thinking = Said::to(address, "(PLAY long NIL)".to_owned());
        std::thread::sleep(Duration::from_millis(300));
        assert!(!thinking.is_answered());
        assert_eq!(said_at_once(address, "(INFO)"), IN_MATCH);
        assert_eq!(said_at_once(address, &start("other", "white", &text, [1, 1])), "busy");
        assert_eq!(said_at_once(address, "(PLAY other NIL)"), "busy");
        assert_eq!(said_at_once(address, end), reply);
        let ended = Instant::now();
        assert_eq!(said_at_once(address, "(INFO)"), IDLE);
        thinking.reply();
        assert!(ended.elapsed() < AT_ONCE, "it thought for {:?} more", ended.elapsed());
    }
}

/// Who asks for another move gets an answer to what was asked last.
#[test]
fn a_second_question_takes_the_place_of_the_first() {
    let server = server("uct", 1);
    let address = server.address();
    let rules = games::find("breakthrough").expect("it is embedded").rules;
    let text = protocol::Rules::of(&gdl::parse_kif(rules).ast).text().to_owned();
    assert_eq!(say(address, &start("m", "white", &text, [2, 3])), "ready");
    let first = Said::to(address, "(PLAY m NIL)".to_owned());
    std::thread::sleep(Duration::from_millis(200));
    let second = Said::to(address, "(PLAY m (nonsense noop))".to_owned());
    let asked = Instant::now();
    first.reply();
    assert!(asked.elapsed() < AT_ONCE);
    assert!(second.reply().starts_with("(move "));
}

#[test]
fn a_match_of_which_nothing_is_heard_ends() {
    let server = server("legal", 1);
    let address = server.address();
    assert_eq!(say(address, &start("silent", "Walker", WALK, [0, 0])), "ready");
    let begun = Instant::now();
    assert_eq!(say(address, &start("next", "Walker", WALK, [5, 5])), "busy");
    while say(address, "(INFO)") == IN_MATCH {
        assert!(begun.elapsed() < Duration::from_secs(20), "it does not end");
        std::thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(say(address, &start("next", "Walker", WALK, [5, 5])), "ready");
    assert_eq!(say(address, "(PLAY silent NIL)"), "busy");
    assert_eq!(say(address, "(PLAY next NIL)"), "(go Left nowhere)");
}

/// What a manager in another world sends: clocks of years, no clock at all.
#[test]
fn clocks_of_any_length_are_kept() {
    let server = server("random", 1);
    let address = server.address();
    for clock in [0, 1, u32::MAX] {
        assert_eq!(say(address, &start("m", "Walker", WALK, [clock, clock])), "ready");
        let reply = say(address, "(PLAY m NIL)");
        assert!(clock == 0 || reply.starts_with("(go "), "{clock}: {reply}");
        assert_eq!(say(address, "(ABORT m)"), "aborted");
    }
}
