//! Records of matches that go on, told to a server.

use std::fmt;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use base::{Stop, seeded_rng};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use player::Fault;
use rand::RngExt as _;
use tracing::{info, warn};

use crate::address::PublishAddress;
use crate::exchange::Post;
use crate::preparation::locked;

/// Sends records to a server, beside the matches that they are of. What was not sent yet when it is dropped is sent
/// before.
#[derive(Debug)]
pub struct Publisher {
    outbox: Arc<Outbox>,
    thread: Option<JoinHandle<()>>,
}

/// What is still to be sent.
#[derive(Debug, Default)]
struct Outbox {
    waiting: Mutex<Waiting>,
    has_changed: Condvar,
}

#[derive(Debug, Default)]
struct Waiting {
    records: Vec<Publication>,
    /// Whether there will be no more.
    is_closed: bool,
}

/// A record as JSON, and the match that it is of.
#[derive(Debug)]
struct Publication {
    match_id: String,
    json: String,
}

impl Publisher {
    /// A publisher with a word of its own, by which the server knows it again.
    pub fn new(address: PublishAddress) -> Publisher {
        let mut rng = seeded_rng(RandomState::new().build_hasher().finish());
        let word: String = (0..12).map(|_| char::from(rng.random_range(b'a'..=b'z'))).collect();
        let outbox: Arc<Outbox> = Arc::default();
        let all = outbox.clone();
        let work = move || publish_all(&address, &word, &all);
        let thread = std::thread::Builder::new().name("publishing".to_owned()).spawn(work);
        let thread = thread.inspect_err(|error| warn!("nothing is published: {error}")).ok();
        Publisher { outbox, thread }
    }

    /// Sends a record when those before it are sent; one of the same match that still waits is left out.
    pub fn publish(&self, match_id: &str, json: String) {
        if self.thread.is_none() {
            return;
        }
        let mut waiting = locked(&self.outbox.waiting);
        waiting.records.retain(|older| older.match_id != match_id);
        waiting.records.push(Publication { match_id: match_id.to_owned(), json });
        self.outbox.has_changed.notify_one();
    }
}

impl Drop for Publisher {
    fn drop(&mut self) {
        locked(&self.outbox.waiting).is_closed = true;
        self.outbox.has_changed.notify_one();
        self.thread.take().into_iter().for_each(|thread| drop(thread.join()));
    }
}

impl Outbox {
    /// Waits for the next record to send. `None` if there will be no more.
    fn next(&self) -> Option<Publication> {
        let is_nothing = |waiting: &mut Waiting| waiting.records.is_empty() && !waiting.is_closed;
        let waiting = self.has_changed.wait_while(locked(&self.waiting), is_nothing);
        let mut waiting = waiting.unwrap_or_else(PoisonError::into_inner);
        (!waiting.records.is_empty()).then(|| waiting.records.remove(0))
    }
}

/// Why a record was not taken.
enum Refusal {
    Fault(Fault),
    Status(u16),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Fault(Fault::Late) => f.write_str("it does not answer in time"),
            Refusal::Fault(Fault::Lost) => f.write_str("it cannot be reached"),
            Refusal::Fault(_) => f.write_str("what it answers is no HTTP"),
            Refusal::Status(status) => write!(f, "it answers with status {status}"),
        }
    }
}

fn publish_all(address: &PublishAddress, word: &str, outbox: &Outbox) {
    const N_TRIES: usize = 10;
    let mut n_tries = N_TRIES;
    while let Some(Publication { match_id, json }) = outbox.next() {
        let sent = send(address, word, &json, n_tries);
        // Where a server does not take one record, others need not be tried as often.
        n_tries = if sent.is_ok() { N_TRIES } else { 1 };
        match sent {
            Ok(key) => info!(match_id, "published as {key}"),
            Err(refusal) => warn!(match_id, "not published at {address}: {refusal}"),
        }
    }
}

/// Sends a record, more than once if need be. The server answers with the name that it has there.
fn send(
    address: &PublishAddress,
    word: &str,
    json: &str,
    n_tries: usize,
) -> Result<String, Refusal> {
    const BETWEEN: Duration = Duration::from_millis(200);
    const TIME: Duration = Duration::from_secs(5);
    const TAKEN: u16 = 200;
    let body = format!("AUTH={word}&DATA={}", utf8_percent_encode(json, NON_ALPHANUMERIC));
    let post = Post {
        host: &address.host,
        path: &address.path,
        content_type: "application/x-www-form-urlencoded",
        headers: "",
        body: &body,
    };
    let try_once = || match post.send(TIME, &Stop::new()) {
        Ok(answer) if answer.status == TAKEN => Ok(answer.text),
        Ok(answer) => Err(Refusal::Status(answer.status)),
        Err(fault) => Err(Refusal::Fault(fault)),
    };
    let mut outcome = try_once();
    for _ in 1..n_tries {
        if outcome.is_ok() {
            break;
        }
        std::thread::sleep(BETWEEN);
        outcome = try_once();
    }
    outcome
}
