//! The network player as a process of its own: what it survives, and what is left when it is killed.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Scope, ScopedJoinHandle};
use std::time::{Duration, Instant};

use serde_json::Value;

/// A game in which what may be done says what was done before.
const WALK: &str = "(role Walker) (way Left) (way right) (init (step 1)) (succ 1 2) (succ 2 3)
    (init (went nowhere))
    (<= (legal Walker (go ?way ?before)) (way ?way) (true (went ?before)))
    (<= (next (went ?way)) (does Walker (go ?way ?before)))
    (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
    (<= terminal (true (step 3)))
    (<= (goal ?role 50) (role ?role))";

/// A program that plays over the network. It is killed when it is dropped.
struct Served {
    child: Child,
    address: SocketAddr,
}

impl Served {
    /// A player at a port of its own, or at this one, that begins to listen.
    fn start(port: u16, options: &[&str]) -> Served {
        let mut child = Command::new(env!("CARGO_BIN_EXE_woodstock"))
            .args(["serve", "--json", "--log", "error", "--port", &port.to_string()])
            .args(options)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program was built");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("it is piped");
        BufReader::new(stdout).read_line(&mut line).expect("it says where it listens");
        let ready: Value = serde_json::from_str(&line).expect("the line is JSON");
        let address = ready["address"].as_str().expect("it has an address");
        Served { child, address: address.parse().expect("it is one") }
    }

    fn say(&self, message: &str) -> String {
        say(self.address, message)
    }

    fn kill(&mut self) {
        self.child.kill().expect("it can be killed");
        self.child.wait().expect("it ends");
    }

    /// Asks it to end, as systems do.
    fn terminate(&mut self) -> ExitStatus {
        let id = self.child.id().to_string();
        let asked = Command::new("kill").args(["-s", "TERM", &id]).status();
        assert!(asked.expect("there is such a program").success());
        self.child.wait().expect("it ends")
    }

    /// How many steps it was told of in its match.
    fn n_steps(&self) -> u64 {
        let status = exchange(self.address, "GET /status HTTP/1.0\r\n\r\n");
        let status: Value = serde_json::from_str(&status).expect("it is JSON");
        status["matches"][0]["n_steps"].as_u64().unwrap_or(0)
    }

    /// How many threads it has.
    fn n_threads(&self) -> usize {
        let path = format!("/proc/{}/task", self.child.id());
        std::fs::read_dir(path).expect("it runs").count()
    }

    /// How much memory it took at most, in MiB.
    fn memory(&self) -> u64 {
        let path = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(path).expect("it runs");
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|line| line.split_whitespace().next());
        kib.expect("it is there").parse::<u64>().expect("it is a number") >> 10
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Says a message as ggp-base does; what is answered, or nothing where there is no answer.
fn say(address: SocketAddr, message: &str) -> String {
    let n = message.len();
    let head = format!("POST / HTTP/1.0\r\nSender: GAMESERVER\r\nContent-Length: {n}\r\n\r\n");
    exchange(address, &format!("{head}{message}"))
}

/// Sends a request; the body of what is answered, if anything is.
fn exchange(address: SocketAddr, request: &str) -> String {
    let mut response = String::new();
    let Ok(mut stream) = TcpStream::connect(address) else { return response };
    // What is not taken is not answered either.
    let _ = stream.write_all(request.as_bytes());
    let _ = stream.read_to_string(&mut response);
    response.split_once("\r\n\r\n").map_or("", |(_, body)| body).to_owned()
}

fn start(match_id: &str, rules: &str, role: &str, clocks: [u32; 2]) -> String {
    let [start_clock, play_clock] = clocks;
    format!("(START {match_id} {role} ({rules}) {start_clock} {play_clock})")
}

#[test]
fn a_player_that_was_killed_does_not_know_its_match_and_begins_the_next() {
    let options = ["--player", "legal"];
    let mut served = Served::start(0, &options);
    assert!(served.address.ip().is_loopback());
    assert_eq!(served.say(&start("lost", WALK, "Walker", [2, 2])), "ready");
    assert_eq!(served.say("(PLAY lost NIL)"), "(go Left nowhere)");
    served.kill();
    assert_eq!(say(served.address, "(PLAY lost ((go Left nowhere)))"), "");
    let again = Served::start(served.address.port(), &options);
    assert_eq!(again.address, served.address);
    assert_eq!(again.say("(PLAY lost ((go Left nowhere)))"), "busy");
    assert_eq!(again.say(&start("next", WALK, "Walker", [2, 2])), "ready");
    assert_eq!(again.say("(PLAY next NIL)"), "(go Left nowhere)");
}

/// Whoever waits for a move still gets one.
#[test]
fn a_player_that_is_asked_to_end_answers_and_ends() {
    let mut served = Served::start(0, &["--player", "uct"]);
    let address = served.address;
    let rules = games::find("breakthrough").expect("it is embedded").rules;
    assert_eq!(served.say(&start("m", rules, "white", [2, 600])), "ready");
    let thinking = std::thread::spawn(move || say(address, "(PLAY m NIL)"));
    std::thread::sleep(Duration::from_millis(500));
    assert!(!thinking.is_finished());
    let asked = Instant::now();
    assert_eq!(served.terminate().code(), Some(0));
    assert!(asked.elapsed() < Duration::from_secs(5), "it went on for {:?}", asked.elapsed());
    let reply = thinking.join().expect("it does not fail");
    assert!(reply.starts_with("(move "), "{reply}");
    assert!(TcpStream::connect(address).is_err());
}

/// A search does not only answer when its match is over: it ends.
#[test]
fn nothing_goes_on_after_a_match() {
    const PATIENCE: Duration = Duration::from_secs(10);
    let served = Served::start(0, &["--player", "mac-ucb:threads=4"]);
    let n_idle = served.n_threads();
    let rules = games::find("breakthrough").expect("it is embedded").rules;
    for end in ["(ABORT m)", "(STOP m NIL)"] {
        let address = served.address;
        assert_eq!(served.say(&start("m", rules, "white", [2, 600])), "ready");
        let thinking = std::thread::spawn(move || say(address, "(PLAY m NIL)"));
        std::thread::sleep(Duration::from_millis(500));
        assert!(!thinking.is_finished() && served.n_threads() > n_idle + 4);
        served.say(end);
        let ended = Instant::now();
        while served.n_threads() > n_idle {
            assert!(ended.elapsed() < PATIENCE, "{} threads go on", served.n_threads() - n_idle);
            std::thread::sleep(Duration::from_millis(10));
        }
        thinking.join().expect("it does not fail");
    }
}

/// Whoever interrupts a match ends it in good order for all.
#[test]
fn a_match_that_is_interrupted_is_broken_off() {
    let served = Served::start(0, &["--player", "uct"]);
    let folder = std::env::temp_dir().join(format!("woodstock-interrupted-{}", std::process::id()));
    let mut playing = Command::new(env!("CARGO_BIN_EXE_woodstock"))
        .args(["match", "connect-four", "--start-clock", "1", "--play-clock", "600"])
        .args(["--player", &format!("http://{}", served.address), "--player", "legal"])
        .arg("--records")
        .arg(&folder)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program was built");
    let is_busy = || served.say("(INFO)").contains("busy");
    while !is_busy() {
        assert!(playing.try_wait().expect("it can be asked").is_none(), "it is over already");
        std::thread::sleep(Duration::from_millis(20));
    }
    let id = playing.id().to_string();
    let asked = Command::new("kill").args(["-s", "INT", &id]).status();
    assert!(asked.expect("there is such a program").success());
    assert_eq!(playing.wait().expect("it ends").code(), Some(130));
    assert!(!is_busy());
    let records: Vec<_> = std::fs::read_dir(&folder).expect("it was made").collect();
    let [Ok(record)] = &records[..] else { panic!("there is one record: {records:?}") };
    let text = std::fs::read_to_string(record.path()).expect("it was written");
    std::fs::remove_dir_all(&folder).expect("it was made");
    let record: Value = serde_json::from_str(&text).expect("it is JSON");
    assert_eq!((&record["isAborted"], &record["isCompleted"]), (&true.into(), &false.into()));
    let n = |key: &str| record[key].as_array().map_or(0, Vec::len);
    assert_eq!((n("states"), n("moves")), (1, 0));
}

/// A match against a player of our own goes on when the other one is killed.
#[test]
fn a_match_goes_on_when_a_player_is_killed() {
    let served = [(); 2].map(|()| Served::start(0, &["--player", "uct"]));
    let [lost, kept] = served;
    let mut command = Command::new(env!("CARGO_BIN_EXE_woodstock"));
    let game = ["match", "connect-four", "--json", "--start-clock", "1", "--play-clock", "1"];
    command.args(game).stdout(Stdio::piped());
    for one in [&lost, &kept] {
        command.args(["--player", &format!("http://{}", one.address)]);
    }
    let mut playing = command.spawn().expect("the program was built");
    while lost.n_steps() == 0 {
        assert!(playing.try_wait().expect("it can be asked").is_none(), "it is over already");
        std::thread::sleep(Duration::from_millis(20));
    }
    drop(lost);
    let output = playing.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).expect("it is text");
    let first = text.lines().next().expect("there is a line for the match");
    let line: Value = serde_json::from_str(first).expect("it is JSON");
    let errors = line["errors"].as_array().expect("it is a list");
    let is_lost = |error: &Value| error.as_str().is_some_and(|error| error.ends_with(": CE"));
    assert!(!errors.is_empty() && errors.iter().all(is_lost), "{line}");
    assert!(line["moves"].as_u64() >= Some(7), "{line}");
    assert_eq!(line["goals"].as_array().map(Vec::len), Some(2));
    assert_eq!(kept.say("(INFO)"), "( ( name Woodstock ) ( status available ) )");
}

/// All the time that somebody does something else, INFO is asked for; the slowest answer.
fn slowest_info<'a>(
    scope: &'a Scope<'a, '_>,
    address: SocketAddr,
    is_over: &'a AtomicBool,
) -> ScopedJoinHandle<'a, Duration> {
    scope.spawn(move || {
        let mut slowest = Duration::ZERO;
        while !is_over.load(Ordering::Relaxed) {
            let asked = Instant::now();
            let reply = say(address, "( INFO )");
            assert!(reply.starts_with("( ( name Woodstock ) ( status "), "{reply:?}");
            slowest = slowest.max(asked.elapsed());
            std::thread::sleep(Duration::from_millis(20));
        }
        slowest
    })
}

/// Connections that are left open, and to which this is sent.
fn open(address: SocketAddr, n: usize, text: &str) -> Vec<TcpStream> {
    let open = |_| {
        let mut stream = TcpStream::connect(address).expect("it listens");
        stream.write_all(text.as_bytes()).expect("it reads");
        stream
    };
    (0..n).map(open).collect()
}

/// What bad clients do, one after the other, until it is over.
fn besiege(address: SocketAddr, is_over: &AtomicBool) {
    /// More than the player accepts of one message.
    const TOO_LONG: usize = 17 << 20;
    /// Not yet more, but never whole.
    const LONG: usize = 15 << 20;
    let goes_on = || !is_over.load(Ordering::Relaxed);
    let head = |n: usize| format!("POST / HTTP/1.0\r\nContent-Length: {n}\r\n\r\n");
    while goes_on() {
        // 500 that are open at once and say nothing, and 400 that are slow: more than the player keeps open.
        let silent = open(address, 500, "");
        let mut slow = open(address, 400, "POST / HT");
        for _ in 0..10 {
            slow.iter_mut().for_each(|stream| _ = stream.write_all(b"x"));
            std::thread::sleep(Duration::from_millis(20));
        }
        drop((silent, slow));
        // More than may be open that never read what is answered, and do not close.
        let ask = format!("{}( INFO )", head(8));
        let deaf = open(address, 1_000, &ask);
        // Some that say too much, or announce it.
        for n in [TOO_LONG, usize::MAX] {
            let mut stream = TcpStream::connect(address).expect("it listens");
            // It closes when it has had enough.
            let _ = stream.write_all(head(n).as_bytes());
            let _ = stream.write_all(" ".repeat(TOO_LONG).as_bytes());
        }
        // Many that say much at the same time, and do not end.
        let mut long = open(address, 30, &head(LONG + 1));
        let piece = "(".to_owned() + &"x ".repeat(1 << 19);
        for _ in 0..LONG / piece.len() {
            long.iter_mut().for_each(|stream| _ = stream.write_all(piece.as_bytes()));
        }
        drop((deaf, long));
    }
}

#[test]
fn a_match_is_played_well_while_others_do_their_worst() {
    const N_CONNECTIONS: usize = 10_000;
    let served = Served::start(0, &["--player", "mac-ucb:threads=2,moves=1000000"]);
    let address = served.address;
    let is_over = AtomicBool::new(false);
    let output = std::thread::scope(|scope| {
        let slowest = slowest_info(scope, address, &is_over);
        scope.spawn(|| besiege(address, &is_over));
        // One connection after the other.
        scope.spawn(|| {
            for _ in 0..N_CONNECTIONS {
                assert_ne!(say(address, "( PING )"), "");
            }
        });
        let output = Command::new(env!("CARGO_BIN_EXE_woodstock"))
            .args(["match", "breakthrough", "--json", "--start-clock", "3", "--play-clock", "2"])
            .args(["--player", &format!("http://{address};grace=0"), "--player", "legal"])
            .output();
        is_over.store(true, Ordering::Relaxed);
        let slowest = slowest.join().expect("it was answered");
        eprintln!("INFO was answered after {slowest:?} at most");
        assert!(slowest < Duration::from_secs(1), "INFO was answered after {slowest:?}");
        output.expect("the program was built")
    });
    let text = String::from_utf8(output.stdout).expect("it is text");
    let first = text.lines().next().expect("there is a line for the match");
    let line: Value = serde_json::from_str(first).expect("it is JSON");
    assert_eq!(line["errors"], Value::Array(Vec::new()), "{line}");
    assert_eq!(line["goals"], serde_json::json!([100, 0]), "{line}");
    eprintln!("it took {} MiB at most", served.memory());
    assert!(served.memory() < 1_024, "it took {} MiB", served.memory());
}
