//! The manager: matches that are played here by players elsewhere.

use std::sync::{Arc, Barrier};
use std::time::Duration;

use arena::{BrokenOff, MatchSettings, Record, play_match, replay};
use base::{Deadline, RoleId, Stop};
use net::{NetworkPlayer, PlayerAddress, PlayerSettings, RemoteGame};
use player::{Agent, Clock, Rules};

use crate::stand_in::{Act, StandIn};
use crate::wire::{server, settings};

const CLOCK: Duration = Duration::from_secs(1);

/// A game, as it is played and as it is told.
struct Played {
    rules: Rules,
    remote: RemoteGame,
}

fn game(text: &str) -> Played {
    let parse = gdl::parse_kif(text);
    let program = program::check(&parse).program.expect("no errors");
    let (rules, _) = Rules::new(&program, Deadline::NEVER);
    let remote = RemoteGame::new(&parse.ast, rules.roles(), rules.has_percepts());
    Played { rules, remote }
}

fn embedded(name: &str) -> Played {
    game(games::find(name).expect("it is embedded").rules)
}

/// Lets players at these addresses play a match, with the seed of other names if there is one.
fn play(game: &Played, players: &[String], clock: Duration, scramble: Option<u64>) -> Record {
    let (record, problem) = play_until(game, players, clock, scramble, &Stop::new());
    assert_eq!(problem, None);
    assert_whole(&record, &game.rules);
    record
}

/// The same, which somebody may break off.
fn play_until(
    game: &Played,
    players: &[String],
    clock: Duration,
    scramble: Option<u64>,
    stop: &Stop,
) -> (Record, Option<BrokenOff>) {
    let remote = game.remote.begin("test.1", clock, scramble);
    let mut addresses = players.iter();
    let agent = |role: RoleId| -> Option<Box<dyn Agent>> {
        let is_player = Some(role) != game.rules.random();
        let address = is_player.then(|| addresses.next().expect("one a role"))?;
        let address: PlayerAddress = address.parse().expect("it is one");
        assert!(game.remote.suits(&address));
        Some(Box::new(remote.agent(&address, role)))
    };
    let mut agents: Vec<_> = RoleId::first(game.rules.roles().len()).map(agent).collect();
    let settings = MatchSettings {
        match_id: "test.1".to_owned(),
        game: "test".to_owned(),
        start_clock: Clock::Time(clock),
        play_clock: Clock::Time(clock),
        seed: 3,
        max_steps: 1_000,
        is_scrambled: scramble.is_some(),
        stop: stop.clone(),
    };
    let names = vec![String::new(); agents.len()];
    play_match(&game.rules, &mut agents, &names, &settings, &mut |_| {})
}

/// A record is as long as it should be, and says what the rules say.
fn assert_whole(record: &Record, rules: &Rules) {
    let n_moves = record.moves.len();
    assert!(record.is_completed && !record.is_aborted);
    assert_eq!((record.states.len(), record.state_times.len()), (n_moves + 1, n_moves + 1));
    assert!(record.errors.is_empty() || record.errors.len() == n_moves + 1);
    assert!(record.percepts.len() == if rules.has_percepts() { n_moves } else { 0 });
    assert_eq!(record.goal_values.len(), rules.roles().len());
    let text = serde_json::to_string(record).expect("it is JSON");
    let again: Record = serde_json::from_str(&text).expect("it is a record");
    assert_eq!(again, *record);
    assert_eq!(replay(rules, &again), (n_moves, None));
}

/// What goes wrong for a role, by step; the first is the start.
fn errors_of(record: &Record, role: usize) -> Vec<&str> {
    record.errors.iter().map(|errors| errors[role].as_str()).collect()
}

fn brain(player: &str) -> NetworkPlayer {
    NetworkPlayer::new(PlayerSettings { margin: Duration::from_millis(200), ..settings(player, 1) })
}

/// A player that answers well, but for some messages.
fn stand_in(player: &str, mut act: impl FnMut(usize) -> Option<Act> + Send + 'static) -> StandIn {
    let brain = brain(player);
    StandIn::new(move |number, message| {
        let said = brain.answer(message).expect("it is a message");
        act(number).unwrap_or(Act::Say(said))
    })
}

fn address_of(stand_in: &StandIn) -> String {
    format!("http://{};grace=0", stand_in.address)
}

/// What is done about a message, and the word for it in the record.
type Fault = (fn() -> Act, &'static str);

#[test]
fn what_goes_wrong_has_a_word_and_the_match_goes_on() {
    let game = embedded("tic-tac-toe");
    let faults: [Fault; 9] = [
        (|| Act::Close, "CE"),
        (|| Act::SayLate(CLOCK + CLOCK / 2, "(mark 1 1)"), "TO"),
        (|| Act::Dribble, "TO"),
        (|| Act::Send("what?"), "IL null"),
        (|| Act::Send("HTTP/1.0 200 OK\r\n\r\n( mark"), "IL null"),
        (|| Act::Say("(mark 9 9)".to_owned()), "IL (mark 9 9)"),
        (|| Act::Say("(mark ?x ?y)".to_owned()), "IL null"),
        (|| Act::Say("busy".to_owned()), "IL busy"),
        (|| Act::Say(String::new()), "IL null"),
    ];
    let good = server("legal", 1);
    // tic-tac-toe has five steps at least: START and four moves are spoilt in each match.
    for (round, chosen) in faults.chunks(4).enumerate() {
        let chosen: Vec<_> = chosen.to_vec();
        let acts = chosen.clone();
        let bad = stand_in("legal", move |number| Some((acts.get(number.checked_sub(1)?)?.0)()));
        let record =
            play(&game, &[address_of(&bad), format!("http://{}", good.address())], CLOCK, None);
        let mut expected = vec![""; record.states.len()];
        for (place, (_, word)) in chosen.iter().enumerate() {
            expected[place + 1] = word;
        }
        assert_eq!(errors_of(&record, 0), expected, "round {round}");
        assert!(errors_of(&record, 1).iter().all(|word| word.is_empty()));
    }
}

#[test]
fn a_player_that_cannot_start_is_asked_for_moves_all_the_same() {
    let game = embedded("tic-tac-toe");
    for (act, word) in [
        ((|| Act::Close) as fn() -> Act, "CE"),
        (|| Act::SayLate(CLOCK + CLOCK / 2, "ready"), "TO"),
        (|| Act::Say("busy".to_owned()), ""),
    ] {
        let bad = stand_in("legal", move |number| (number == 0).then(act));
        let good = stand_in("legal", |_| None);
        let record = play(&game, &[address_of(&good), address_of(&bad)], CLOCK, None);
        let words = record.errors.first().map_or("", |errors| errors[1].as_str());
        assert_eq!(words, word);
        assert!(record.errors.iter().skip(1).flatten().all(String::is_empty), "{record:?}");
    }
}

/// Each waits for the other before it answers: that goes well only if both are asked at the same time.
#[test]
fn all_players_are_told_at_the_same_time() {
    let game = embedded("tic-tac-toe");
    let meeting = Arc::new(Barrier::new(2));
    let players = [(); 2].map(|()| {
        let (brain, meeting) = (brain("legal"), meeting.clone());
        StandIn::new(move |_, message| {
            meeting.wait();
            Act::Say(brain.answer(message).expect("it is a message"))
        })
    });
    let record = play(&game, &players.each_ref().map(address_of), CLOCK * 5, None);
    assert_eq!(record.errors, Vec::<Vec<String>>::new());
    let heard = players[0].heard();
    assert_eq!(heard.len(), record.moves.len() + 2);
    assert!(heard[0].starts_with("( START test.1 x (") && heard[0].ends_with(") 5 5 )"));
    assert_eq!(heard[1], "( PLAY test.1 NIL )");
    for (message, moves) in heard[2..].iter().zip(&record.moves) {
        let word = if message.contains("STOP") { "STOP" } else { "PLAY" };
        assert_eq!(*message, format!("( {word} test.1 ( {} ) )", moves.join(" ")));
    }
    assert!(heard.last().is_some_and(|last| last.starts_with("( STOP")));
}

#[test]
fn a_match_goes_on_whenever_a_player_is_lost() {
    let game = embedded("tic-tac-toe");
    let good = server("legal", 1);
    for last in 0..8 {
        let lost = stand_in("legal", move |number| (number == last).then_some(Act::Die));
        let players = [address_of(&lost), format!("http://{}", good.address())];
        let record = play(&game, &players, CLOCK, None);
        let words = errors_of(&record, 0);
        for (step, word) in words.into_iter().enumerate() {
            assert_eq!(word, if step < last { "" } else { "CE" }, "lost at {last}, step {step}");
        }
        assert!(errors_of(&record, 1).iter().all(|word| word.is_empty()));
    }
}

#[test]
fn a_match_that_somebody_stops_is_broken_off_for_all() {
    let game = embedded("tic-tac-toe");
    let stop = Stop::new();
    let wish = stop.clone();
    // One of them has answered, the other one never will.
    let prompt = stand_in("legal", |_| None);
    let silent = stand_in("legal", move |number| {
        (number == 2).then(|| {
            wish.wish();
            Act::Dribble
        })
    });
    let players = [address_of(&prompt), address_of(&silent)];
    let (record, problem) = play_until(&game, &players, CLOCK * 600, None, &stop);
    assert_eq!(problem, Some(BrokenOff::Stopped));
    assert!(record.is_aborted && !record.is_completed && record.moves.len() == 1);
    assert_eq!(prompt.heard().last().map(String::as_str), Some("( ABORT test.1 )"));
}

#[test]
fn scrambled_matches_go_as_others_do() {
    for (name, player, dialect) in [
        ("tic-tac-toe", "random", "1"),
        ("tic-tac-toe", "legal", "2"),
        ("breakthrough", "random", "1"),
        ("hex", "legal", "1"),
        ("monty-hall", "legal", "2"),
        ("monty-hall", "legal", "2011"),
    ] {
        let game = embedded(name);
        let records = [None, Some(7), Some(8)].map(|seed| {
            let players: Vec<_> = (0..game.rules.n_players()).map(|_| server(player, 1)).collect();
            let address = |one: &net::Server| format!("http://{};gdl={dialect}", one.address());
            let addresses: Vec<String> = players.iter().map(address).collect();
            let record = play(&game, &addresses, CLOCK * 2, seed);
            assert_eq!((record.errors.len(), record.scrambled), (0, seed.is_some()));
            record
        });
        for scrambled in &records[1..] {
            assert_eq!(scrambled.moves, records[0].moves, "{name}");
            assert_eq!(scrambled.goal_values, records[0].goal_values, "{name}");
        }
    }
}

#[test]
fn scrambled_rules_say_nothing_of_the_game() {
    let game = embedded("tic-tac-toe");
    let player = stand_in("legal", |_| None);
    let other = stand_in("legal", |_| None);
    play(&game, &[address_of(&player), address_of(&other)], CLOCK, Some(1));
    let words = ["mark", "cell", "noop", "control", "START test.1 x "];
    for message in player.heard() {
        assert!(!words.iter().any(|word| message.contains(word)), "{message}");
    }
}

#[test]
fn games_in_which_not_all_is_seen_are_told_in_both_generations() {
    for name in ["monty-hall", "hidden-matching-pennies"] {
        let game = embedded(name);
        let n_players = game.rules.n_players();
        for dialect in ["2", "2011"] {
            for scramble in [None, Some(4)] {
                let servers: Vec<_> = (0..n_players).map(|_| server("uct", 1)).collect();
                let address = |one: &net::Server| format!("http://{};gdl={dialect}", one.address());
                let addresses: Vec<String> = servers.iter().map(address).collect();
                let record = play(&game, &addresses, CLOCK, scramble);
                assert_eq!(record.errors, Vec::<Vec<String>>::new(), "{name} {dialect}");
                assert_eq!(record.gdl_version, 2);
            }
        }
    }
    let address: PlayerAddress = "http://127.0.0.1:9147".parse().expect("it is one");
    assert!(!embedded("monty-hall").remote.suits(&address));
}

/// A player of 2011 reads NIL as the beginning of a match, and nothing else.
#[test]
fn seeing_nothing_is_not_the_beginning() {
    let game = embedded("monty-hall");
    let player = stand_in("legal", |_| None);
    let address = format!("http://{};gdl=2011", player.address);
    let record = play(&game, &[address], CLOCK, None);
    assert_eq!(record.errors, Vec::<Vec<String>>::new());
    let heard = player.heard();
    let news: Vec<&str> = heard[1..].iter().map(|text| &text[14..text.len() - 2]).collect();
    assert_eq!(news[0], "NIL");
    assert!(
        news[1..].iter().all(|news| news.starts_with('(')) && news.contains(&"( )"),
        "{news:?}"
    );
}

/// A player of GDL-II is told of all moves in percepts; a move that was replaced is its own, too.
#[test]
fn players_of_hidden_games_play_open_ones() {
    let game = embedded("tic-tac-toe");
    let player = stand_in("legal", |number| (number == 1).then_some(Act::Close));
    let other = server("legal", 1);
    let addresses = [
        format!("http://{};grace=0;gdl=2", player.address),
        format!("http://{};gdl=2", other.address()),
    ];
    let record = play(&game, &addresses, CLOCK, None);
    assert_eq!(errors_of(&record, 0)[1], "CE");
    assert!(record.errors.iter().skip(2).flatten().all(String::is_empty), "{:?}", record.errors);
    let heard = player.heard();
    assert!(heard[0].contains("(sees ?p (did ?p2 ?m))"), "{}", heard[0]);
    let made = &record.moves[0];
    let first =
        format!("( PLAY test.1 1 {} ( (did x {}) (did o {}) ) )", made[0], made[0], made[1]);
    assert_eq!((heard[1].as_str(), &heard[2]), ("( PLAY test.1 0 NIL NIL )", &first));
}
