//! `woodstock serve`

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use anstream::{eprintln, println};
use net::{IpNet, Listening, NetworkPlayer, PlayerSettings, Server, USUAL_PORT, wait_for_signal};
use player::PlayerSpec;
use serde::Serialize;
use tracing::Level;

use crate::logging;
use crate::status::{Failure, Status};

/// Play over the network
///
/// A player for game managers such as ggp-base, the GameController of Dresden, or `woodstock match` elsewhere: they are
/// told its address, and do the rest. It runs until it is asked to end (Ctrl-C, or SIGTERM), and says on standard error
/// what it does. /status is how it is doing, as a page or as JSON. See docs/network.md.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples: woodstock serve\n          \
                        woodstock serve --player mac-ucb:threads=2,ponder=1 --name Snoopy\n          \
                        woodstock serve --bind 0.0.0.0 --allow 192.0.2.0/24 --token secret")]
pub(crate) struct Arguments {
    /// The port; 0 for any that is free
    #[arg(long, value_name = "PORT", default_value_t = USUAL_PORT)]
    port: u16,
    /// The address to listen at; 0.0.0.0 for all that this machine has
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    bind: IpAddr,
    /// Who may connect, an address or a net as 192.0.2.0/24; may be named more than once [default: all]
    #[arg(long, value_name = "NET", value_parser = net_of)]
    allow: Vec<IpNet>,
    /// What must be said to see /status from another machine [default: only this one may see it]
    #[arg(long, value_name = "WORD", value_parser = token_of)]
    token: Option<String>,
    /// Who plays [default: mac-ucb, with a thread for each core and match]
    #[arg(long, value_name = "PLAYER")]
    player: Option<PlayerSpec>,
    /// What managers call it
    #[arg(long, value_name = "NAME", default_value = "Woodstock", value_parser = name_of)]
    name: String,
    /// How many matches it plays at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    matches: u16,
    /// It answers so many seconds before a clock runs out
    #[arg(long, value_name = "S", default_value_t = 0.5, value_parser = margin_of)]
    margin: f64,
    /// Where chance begins
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How much it says: error, warn, info, debug or trace
    #[arg(long, value_name = "LEVEL", default_value_t = Level::INFO)]
    log: Level,
    /// Print one JSON object when it listens: address
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Ready {
    address: SocketAddr,
    name: String,
    player: String,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Status, Failure> {
    logging::begin(arguments.log);
    let player = arguments.player.clone().unwrap_or_else(|| usual_player(arguments.matches));
    let settings = PlayerSettings {
        name: arguments.name.clone(),
        player: player.clone(),
        n_matches: usize::from(arguments.matches),
        margin: Duration::from_secs_f64(arguments.margin),
        seed: arguments.seed,
    };
    let listening = Listening {
        address: SocketAddr::new(arguments.bind, arguments.port),
        allowed: arguments.allow.clone(),
        token: arguments.token.clone(),
    };
    let server = Server::start(NetworkPlayer::new(settings), listening);
    let server = server.map_err(|error| Failure {
        message: format!("{}, port {}: {error}", arguments.bind, arguments.port),
        help: "use another --port, or 0 for any that is free".to_owned(),
    })?;
    let address = server.address();
    match arguments.json {
        true => {
            let ready = Ready { address, name: arguments.name.clone(), player: player.to_string() };
            println!("{}", serde_json::to_string(&ready).expect("texts are JSON"));
        }
        false => {
            eprintln!("{} plays as {player} at http://{address}", arguments.name);
            let token = arguments.token.as_deref();
            let query = token.map(|token| format!("?token={token}")).unwrap_or_default();
            eprintln!("how it is doing: http://{address}/status{query}; Ctrl-C ends it");
        }
    }
    wait_for_signal().map_err(|error| Failure {
        message: format!("signals cannot be waited for: {error}"),
        help: "this system may not let programs do it".to_owned(),
    })?;
    tracing::info!("asked to end");
    drop(server);
    Ok(Status::Done)
}

/// Our best player, on all cores.
fn usual_player(n_matches: u16) -> PlayerSpec {
    let n_cores = std::thread::available_parallelism().map_or(1, usize::from);
    let n_threads = (n_cores / usize::from(n_matches)).clamp(1, 256);
    format!("mac-ucb:threads={n_threads}").parse().expect("there is such a player")
}

fn net_of(text: &str) -> Result<IpNet, String> {
    let address = || text.parse::<IpAddr>().map(IpNet::from).ok();
    let net = text.parse().ok().or_else(address);
    net.ok_or_else(|| "write an address, or a net as 192.0.2.0/24".to_owned())
}

fn token_of(text: &str) -> Result<String, String> {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-._~".contains(letter);
    match !text.is_empty() && text.chars().all(is_plain) {
        true => Ok(text.to_owned()),
        false => Err("it has letters, digits, -, ., _ and ~ only".to_owned()),
    }
}

fn name_of(text: &str) -> Result<String, String> {
    let is_word = |letter: char| letter.is_ascii_graphic() && !"();\"".contains(letter);
    match !text.is_empty() && text.chars().all(is_word) {
        true => Ok(text.to_owned()),
        false => Err("it is one word, without blanks, parentheses and semicolons".to_owned()),
    }
}

fn margin_of(text: &str) -> Result<f64, String> {
    let margin = text.parse().ok().filter(|seconds| (0.2..=60.0).contains(seconds));
    margin.ok_or_else(|| "it is a number of seconds from 0.2 to 60".to_owned())
}
