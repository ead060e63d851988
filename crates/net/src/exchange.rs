//! One request and its reply, as managers make them: a connection for each.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use base::{Deadline, Stop};
use player::Fault;

use crate::address::Host;
use crate::http::reply_reader;

/// A request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Post<'a> {
    pub(crate) host: &'a Host,
    pub(crate) path: &'a str,
    pub(crate) content_type: &'a str,
    /// Head lines of its own, each with its end.
    pub(crate) headers: &'a str,
    pub(crate) body: &'a str,
}

/// No connection is waited for longer, as with ggp-base.
const TIME_TO_CONNECT: Duration = Duration::from_secs(5);

impl Post<'_> {
    /// Sends it; the reply, if it comes within a time after it was sent and before somebody wishes that this stops,
    /// without what is not ASCII.
    pub(crate) fn send(self, time: Duration, stop: &Stop) -> Result<String, Fault> {
        let addresses = self.host.resolve().map_err(|_| Fault::Lost)?;
        let mut stream =
            connect(&addresses, TIME_TO_CONNECT.min(time.max(Duration::from_secs(1))))?;
        stream.set_write_timeout(Some(TIME_TO_CONNECT.max(time))).map_err(|_| Fault::Lost)?;
        stream.write_all(self.text().as_bytes()).map_err(fault_of)?;
        let reply = read_reply(&mut stream, &Deadline::after(time).unless(stop))?;
        Ok(reply.trim().replace(|letter: char| !letter.is_ascii(), ""))
    }

    /// As ggp-base writes it.
    fn text(&self) -> String {
        let Post { host, path, content_type, headers, body } = self;
        format!(
            "POST {path} HTTP/1.0\r\nAccept: text/delim\r\nHost: {host}\r\n{headers}\
             Content-Type: {content_type}\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )
    }
}

/// A connection to the first of these that takes one.
pub(crate) fn connect(addresses: &[SocketAddr], time: Duration) -> Result<TcpStream, Fault> {
    let start = Instant::now();
    for address in addresses {
        let left = time.saturating_sub(start.elapsed());
        if left.is_zero() {
            break;
        }
        if let Ok(stream) = TcpStream::connect_timeout(address, left) {
            return Ok(stream);
        }
    }
    Err(Fault::Lost)
}

fn read_reply(stream: &mut TcpStream, deadline: &Deadline) -> Result<String, Fault> {
    /// No move is longer.
    const MAX_BYTES: usize = 1 << 20;
    /// How soon it is noticed that the deadline comes sooner.
    const BETWEEN: Duration = Duration::from_millis(50);
    /// A time to wait for something is never zero.
    const LEAST: Duration = Duration::from_millis(1);
    let mut reader = reply_reader(MAX_BYTES);
    let mut piece = [0; 4_096];
    while !deadline.has_passed() {
        let left = deadline.left().map_or(BETWEEN, |left| left.clamp(LEAST, BETWEEN));
        stream.set_read_timeout(Some(left)).map_err(|_| Fault::Lost)?;
        match stream.read(&mut piece) {
            Ok(0) => {
                let has_come = reader.len() > 0;
                let read = reader.end().map(|(_, body)| body);
                // Who closes without a word is lost; who says something else than HTTP cannot be read.
                return read.map_err(|_| if has_come { Fault::Unreadable } else { Fault::Lost });
            }
            Ok(n) => {
                if reader.take(&piece[..n]).map_err(|_| Fault::Unreadable)? {
                    return reader.finish().map(|(_, body)| body).ok_or(Fault::Unreadable);
                }
            }
            Err(error) if is_to_be_continued(&error) => {}
            Err(_) => return Err(Fault::Lost),
        }
    }
    Err(Fault::Late)
}

fn is_to_be_continued(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted)
}

#[expect(clippy::needless_pass_by_value, reason = "it is what map_err calls")]
fn fault_of(error: std::io::Error) -> Fault {
    match error.kind() {
        ErrorKind::WouldBlock | ErrorKind::TimedOut => Fault::Late,
        _ => Fault::Lost,
    }
}
