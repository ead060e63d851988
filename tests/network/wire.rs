//! What goes over the wire, written by hand: nothing of the crate that is tested.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use net::{Listening, NetworkPlayer, PlayerSettings, Server};

/// A player as it usually is.
pub(crate) fn settings(player: &str, n_matches: usize) -> PlayerSettings {
    PlayerSettings {
        name: "Woodstock".to_owned(),
        player: player.parse().expect("there is such a player"),
        n_matches,
        margin: Duration::from_millis(500),
        seed: 1,
    }
}

/// A player that listens at a port of its own.
pub(crate) fn server(player: &str, n_matches: usize) -> Server {
    let player = NetworkPlayer::new(settings(player, n_matches));
    Server::start(player, Listening::on_loopback(0)).expect("ports are free")
}

/// What comes back until the other side closes, which it does soon.
pub(crate) fn everything(mut stream: &TcpStream) -> String {
    const LONGEST: Duration = Duration::from_secs(60);
    stream.set_read_timeout(Some(LONGEST)).expect("it can be set");
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).expect("it closes after the reply");
    String::from_utf8(bytes).expect("it is text")
}

/// Sends a request as it is, and reads until the other side closes.
pub(crate) fn exchange(address: SocketAddr, request: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("it listens");
    stream.write_all(request.as_bytes()).expect("it reads");
    everything(&stream)
}

/// A message as ggp-base sends it.
pub(crate) fn post(message: &str) -> String {
    let length = message.len();
    format!(
        "POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: here\r\nSender: GAMESERVER\r\nReceiver: \r\n\
         Content-Type: text/acl\r\nContent-Length: {length}\r\n\r\n{message}"
    )
}

/// The head and the body of a response.
pub(crate) fn parts(response: &str) -> (&str, &str) {
    response.split_once("\r\n\r\n").unwrap_or_else(|| panic!("there is no head in {response:?}"))
}

/// Says a message; the reply.
pub(crate) fn say(address: SocketAddr, message: &str) -> String {
    parts(&exchange(address, &post(message))).1.trim().to_owned()
}

/// Says a message whose reply may take a while.
pub(crate) struct Said(std::thread::JoinHandle<String>);

impl Said {
    pub(crate) fn to(address: SocketAddr, message: String) -> Said {
        Said(std::thread::spawn(move || say(address, &message)))
    }

    pub(crate) fn is_answered(&self) -> bool {
        self.0.is_finished()
    }

    pub(crate) fn reply(self) -> String {
        self.0.join().expect("it is answered")
    }
}
