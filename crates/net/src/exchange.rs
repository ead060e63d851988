//! One request and its reply, as managers make them: a connection for each.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use base::{Deadline, Stop};
use player::Fault;

use crate::address::Host;
use crate::http::{ReplyHead, reply_reader};

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

/// What came back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Answer {
    /// 200, if the other side speaks HTTP well; players need not.
    pub(crate) status: u16,
    /// Without blanks around it, and without what is not ASCII.
    pub(crate) text: String,
}

/// No connection is waited for longer, as with ggp-base.
const TIME_TO_CONNECT: Duration = Duration::from_secs(5);

impl Post<'_> {
    /// Sends it; the answer, if it comes within a time after it was sent and before somebody wishes that this stops.
    pub(crate) fn send(self, time: Duration, stop: &Stop) -> Result<Answer, Fault> {
        let addresses = self.host.resolve().map_err(|_| Fault::Lost)?;
        let mut stream =
            connect(&addresses, TIME_TO_CONNECT.min(time.max(Duration::from_secs(1))))?;
        stream.set_write_timeout(Some(TIME_TO_CONNECT.max(time))).map_err(|_| Fault::Lost)?;
        stream.write_all(self.text().as_bytes()).map_err(fault_of)?;
        let (head, body) = read_reply(&mut stream, &Deadline::after(time).unless(stop))?;
        let text = body.trim().replace(|letter: char| !letter.is_ascii(), "");
        Ok(Answer { status: head.status, text })
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

/// A connection to the first of these that takes one in its part of the time.
pub(crate) fn connect(addresses: &[SocketAddr], time: Duration) -> Result<TcpStream, Fault> {
    let start = Instant::now();
    for (place, address) in addresses.iter().enumerate() {
        let left = time.saturating_sub(start.elapsed());
        let part = left / (addresses.len() - place) as u32;
        if part.is_zero() {
            break;
        }
        if let Ok(stream) = TcpStream::connect_timeout(address, part) {
            return Ok(stream);
        }
    }
    Err(Fault::Lost)
}

fn read_reply(stream: &mut TcpStream, deadline: &Deadline) -> Result<(ReplyHead, String), Fault> {
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
                // Who closes without a word is lost; who says something else than HTTP cannot be read.
                let fault = if has_come { Fault::Unreadable } else { Fault::Lost };
                return reader.end().map_err(|_| fault);
            }
            Ok(n) => {
                if reader.take(&piece[..n]).map_err(|_| Fault::Unreadable)? {
                    return reader.finish().ok_or(Fault::Unreadable);
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
