//! A player that does what a test wants: it says, and leaves unsaid, whatever it is told to.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What is done about a message.
pub(crate) enum Act {
    Say(String),
    /// Says it so much later.
    SayLate(Duration, &'static str),
    /// Closes without a word.
    Close,
    /// Sends these bytes as they are, and closes.
    Send(&'static str),
    /// Begins a reply and goes on with a letter from time to time, without an end.
    Dribble,
    /// Closes, and does not listen any more.
    Die,
}

/// A player at a port of its own. It ends with the test.
pub(crate) struct StandIn {
    pub(crate) address: SocketAddr,
    heard: Arc<Mutex<Vec<String>>>,
}

impl StandIn {
    /// A player that does about its messages what `act` says, which is told how many there were before.
    pub(crate) fn new(mut act: impl FnMut(usize, &str) -> Act + Send + 'static) -> StandIn {
        let listener = TcpListener::bind("127.0.0.1:0").expect("ports are free");
        let address = listener.local_addr().expect("it has one");
        let heard: Arc<Mutex<Vec<String>>> = Arc::default();
        let keeps = heard.clone();
        std::thread::spawn(move || {
            for number in 0.. {
                let Ok((mut stream, _)) = listener.accept() else { return };
                let message = message_of(&stream);
                keeps.lock().expect("nobody fails").push(message.clone());
                if !perform(act(number, &message), &mut stream) {
                    return;
                }
            }
        });
        StandIn { address, heard }
    }

    /// What it was told so far.
    pub(crate) fn heard(&self) -> Vec<String> {
        self.heard.lock().expect("nobody fails").clone()
    }
}

/// Tells whether it goes on.
fn perform(act: Act, stream: &mut TcpStream) -> bool {
    let reply = |body: &str| {
        format!(
            "HTTP/1.0 200 OK\r\nContent-type: text/acl\r\nContent-length: {}\r\n\r\n{body}",
            body.len()
        )
    };
    // Who has asked may be gone.
    match act {
        Act::Say(text) => _ = stream.write_all(reply(&text).as_bytes()),
        Act::SayLate(time, text) => {
            std::thread::sleep(time);
            _ = stream.write_all(reply(text).as_bytes());
        }
        Act::Close => {}
        Act::Send(bytes) => _ = stream.write_all(bytes.as_bytes()),
        Act::Dribble => {
            let mut rest = "HTTP/1.0 200 OK\r\nContent-length: 9999\r\n\r\n".to_owned();
            while stream.write_all(rest.as_bytes()).is_ok() {
                rest = "x".to_owned();
                std::thread::sleep(Duration::from_millis(100));
            }
        }
        Act::Die => return false,
    }
    true
}

/// The body of a request with a length.
fn message_of(stream: &TcpStream) -> String {
    let mut reader = BufReader::new(stream);
    let (mut line, mut length) = (String::new(), 0);
    while reader.read_line(&mut line).expect("it is a request") > 2 {
        let lower = line.to_lowercase();
        if let Some(value) = lower.strip_prefix("content-length:") {
            length = value.trim().parse().expect("it is a number");
        }
        line.clear();
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).expect("it is whole");
    String::from_utf8(body).expect("it is text")
}
