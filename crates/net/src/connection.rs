//! One connection: a request, and what is answered.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use percent_encoding::percent_decode_str;
use protocol::Message;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tracing::debug;

use crate::http::{HttpError, Request, Response, request_reader};
use crate::listener::{Guest, MAX_SHORT};
use crate::network_player::Heard;

/// A request is no longer than that: the largest rule sheet in use has 0.4 MB.
const MAX_BYTES: usize = 16 << 20;

/// It has to come within this time: a manager writes it at once.
const TIME_TO_READ: Duration = Duration::from_secs(20);

/// An answer has to be taken within this time.
const TIME_TO_WRITE: Duration = Duration::from_secs(5);

/// A connection.
#[derive(Debug)]
pub(crate) struct Connection {
    guest: Guest,
    stream: TcpStream,
    peer: SocketAddr,
}

impl Connection {
    pub(crate) fn new(guest: Guest, stream: TcpStream, peer: SocketAddr) -> Connection {
        Connection { guest, stream, peer }
    }

    /// Reads a request and answers it.
    pub(crate) async fn run(mut self) {
        let read = timeout(TIME_TO_READ, self.read()).await.unwrap_or(Err(HttpError::Cut));
        self.guest.has_read();
        let peer = self.peer;
        let response = match read {
            Ok((request, body)) => self.response_to(&request, body).await,
            Err(HttpError::TooLarge) => {
                debug!(%peer, "too long");
                let limit = format!("a request has at most {} MiB\n", MAX_BYTES >> 20);
                Some(Response::other("413 Content Too Large", "text/plain", limit))
            }
            Err(problem) => {
                debug!(%peer, "no request: {problem}");
                None
            }
        };
        if let Some(response) = response {
            let _ = timeout(TIME_TO_WRITE, self.write(&response)).await;
        }
    }

    async fn read(&mut self) -> Result<(Request, String), HttpError> {
        const PIECE: usize = 16 << 10;
        let mut reader = request_reader(MAX_BYTES);
        let mut piece = vec![0; PIECE];
        let mut was_told_to_go_on = false;
        loop {
            let n = self.stream.read(&mut piece).await.map_err(|_| HttpError::Cut)?;
            if n == 0 {
                return reader.end();
            }
            if !self.guest.take_room(n) {
                return Err(HttpError::TooLarge);
            }
            if reader.take(&piece[..n])? {
                return reader.finish().ok_or(HttpError::Cut);
            }
            // Who says much lets others have their turn.
            if reader.len() > MAX_SHORT {
                tokio::task::yield_now().await;
            }
            if !was_told_to_go_on && reader.head().is_some_and(|head| head.waits) {
                was_told_to_go_on = true;
                let go_on = b"HTTP/1.1 100 Continue\r\n\r\n";
                self.stream.write_all(go_on).await.map_err(|_| HttpError::Cut)?;
            }
        }
    }

    /// Writes an answer and closes; what still comes is thrown away, so that the answer is not lost with it.
    async fn write(&mut self, response: &Response) {
        const MOST: usize = 1 << 20;
        let written = self.stream.write_all(&response.bytes()).await;
        if written.is_err() || self.stream.shutdown().await.is_err() {
            return;
        }
        self.guest.has_answered();
        let (mut piece, mut n_read) = ([0; 4_096], 0);
        while let Ok(n @ 1..) = self.stream.read(&mut piece).await {
            n_read += n;
            if n_read > MOST {
                break;
            }
        }
    }

    /// What is answered, if anything is.
    async fn response_to(&mut self, request: &Request, body: String) -> Option<Response> {
        match (request.method.as_str(), request.target.as_str()) {
            ("POST", _) => self.answer(body, request.step).await.map(Response::reply),
            ("GET", "/" | "/favicon.ico") => Some(Response::other(
                "200 OK",
                "text/plain",
                "a player of general games; managers send messages by POST, people look at /status\n"
                    .to_owned(),
            )),
            ("GET", target) if path_of(target) == "/status" => Some(self.status(request)),
            ("GET", target) => {
                let text = target.strip_prefix('/').unwrap_or(target).replace('+', " ");
                let text = percent_decode_str(&text).decode_utf8_lossy().into_owned();
                let reply = self.answer(text.clone(), None).await.map(Response::reply);
                // People write such addresses; they want to know what is wrong.
                Some(reply.unwrap_or_else(|| {
                    let problem = Message::read(&text).err().map(|error| error.to_string());
                    let problem = problem.unwrap_or_default() + "\n";
                    Response::other("400 Bad Request", "text/plain", problem)
                }))
            }
            _ => Some(Response::reply(String::new())),
        }
    }

    /// The answer to the text of a message. Whoever says what is no message hears nothing.
    async fn answer(&mut self, text: String, step: Option<u64>) -> Option<String> {
        /// More of a message is not logged.
        const SHOWN: usize = 200;
        let received = Instant::now();
        let beginning: String = text.chars().take(SHOWN).collect();
        let message = match text.len() {
            ..=MAX_SHORT => Message::read(&text),
            _ => tokio::task::spawn_blocking(move || Message::read(&text)).await.ok()?,
        };
        let message = message
            .inspect_err(|problem| debug!(peer = %self.peer, "{beginning}: no message: {problem}"))
            .ok()?;
        let heard = self.guest.hall.player.hear(message, step, received);
        self.guest.leave_room();
        let reply = match heard {
            Heard::Now(reply) => reply,
            Heard::Later { reply, by, otherwise } => reply.wait(by).await.unwrap_or(otherwise),
        };
        debug!(peer = %self.peer, "{beginning} -> {reply}");
        Some(reply.to_string())
    }

    /// How the player is doing, for those who may know.
    fn status(&self, request: &Request) -> Response {
        let hall = &self.guest.hall;
        let is_allowed = match &hall.listening.token {
            Some(token) => {
                let query = format!("token={token}");
                let is_said = query_of(&request.target).any(|part| part == query);
                is_said || request.authorization == format!("Bearer {token}")
            }
            None => self.peer.ip().to_canonical().is_loopback(),
        };
        if !is_allowed {
            let help = "the status is for those who say its token: /status?token=...\n";
            return Response::other("403 Forbidden", "text/plain", help.to_owned());
        }
        let status = hall.player.status();
        let wants_json = query_of(&request.target).any(|part| part == "format=json");
        match request.accept.contains("text/html") && !wants_json {
            true => Response::other("200 OK", "text/html", status.page()),
            false => {
                let json = serde_json::to_string(&status).expect("texts and numbers are JSON");
                Response::other("200 OK", "application/json", ascii_json(&json))
            }
        }
    }
}

fn path_of(target: &str) -> &str {
    target.split('?').next().unwrap_or_default()
}

fn query_of(target: &str) -> impl Iterator<Item = &str> {
    target.split_once('?').map_or("", |(_, query)| query).split('&')
}

/// JSON in which letters that are not ASCII are written in numbers.
fn ascii_json(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for letter in json.chars() {
        match letter.is_ascii() {
            true => out.push(letter),
            false => {
                let mut units = [0; 2];
                letter
                    .encode_utf16(&mut units)
                    .iter()
                    .for_each(|unit| out += &format!("\\u{unit:04x}"));
            }
        }
    }
    out
}
