//! Records of matches that go on, told to a server.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use base::{Stop, seeded_rng};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use player::Fault;
use rand::RngExt as _;
use tracing::{info, warn};

use crate::address::PublishAddress;
use crate::exchange::Post;

/// Sends records to a server, beside the matches that they are of. What was not sent yet when it is dropped is sent
/// before.
#[derive(Debug)]
pub struct Publisher {
    records: Option<Sender<Publication>>,
    thread: Option<JoinHandle<()>>,
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
        let (records, has_records) = channel();
        let work = move || publish_all(&address, &word, &has_records);
        let thread = std::thread::Builder::new().name("publishing".to_owned()).spawn(work);
        Publisher { records: Some(records), thread: thread.ok() }
    }

    /// Sends a record when those before it are sent; one of the same match that still waits is left out.
    pub fn publish(&self, match_id: &str, json: String) {
        let publication = Publication { match_id: match_id.to_owned(), json };
        if let Some(records) = &self.records {
            let _ = records.send(publication);
        }
    }
}

impl Drop for Publisher {
    fn drop(&mut self) {
        drop(self.records.take());
        self.thread.take().into_iter().for_each(|thread| drop(thread.join()));
    }
}

fn publish_all(address: &PublishAddress, word: &str, records: &Receiver<Publication>) {
    let mut waiting: Vec<Publication> = Vec::new();
    loop {
        if waiting.is_empty() {
            let Ok(first) = records.recv() else { return };
            waiting.push(first);
        }
        for newer in records.try_iter() {
            waiting.retain(|older| older.match_id != newer.match_id);
            waiting.push(newer);
        }
        let next = waiting.remove(0);
        match send(address, word, &next.json) {
            Ok(key) => info!(match_id = next.match_id, "published as {key}"),
            Err(fault) => warn!(match_id = next.match_id, "not published at {address}: {fault:?}"),
        }
    }
}

/// Sends a record, more than once if need be. The server answers with the name that it has there.
fn send(address: &PublishAddress, word: &str, json: &str) -> Result<String, Fault> {
    const N_TRIES: usize = 10;
    const BETWEEN: Duration = Duration::from_millis(200);
    const TIME: Duration = Duration::from_secs(5);
    let body = format!("AUTH={word}&DATA={}", utf8_percent_encode(json, NON_ALPHANUMERIC));
    let post = Post {
        host: &address.host,
        path: &address.path,
        content_type: "application/x-www-form-urlencoded",
        headers: "",
        body: &body,
    };
    let mut outcome = post.send(TIME, &Stop::new());
    for _ in 1..N_TRIES {
        if outcome.is_ok() {
            break;
        }
        std::thread::sleep(BETWEEN);
        outcome = post.send(TIME, &Stop::new());
    }
    outcome
}
