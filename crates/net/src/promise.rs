//! Answers that come later.

use std::time::{Duration, Instant};

use protocol::Reply;
use tokio::sync::watch;
use tokio::time::timeout_at;

/// Whoever has it owes an answer.
#[derive(Debug)]
pub(crate) struct Promise(watch::Sender<Option<Reply>>);

/// Where an answer will come, for one who waits or for several.
#[derive(Clone, Debug)]
pub(crate) struct Awaited(watch::Receiver<Option<Reply>>);

/// A promise, and where it is kept.
pub(crate) fn promise() -> (Promise, Awaited) {
    let (owed, awaited) = watch::channel(None);
    (Promise(owed), Awaited(awaited))
}

impl Promise {
    /// Gives the answer.
    pub(crate) fn keep(self, reply: Reply) {
        self.0.send_replace(Some(reply));
    }
}

impl Awaited {
    /// The answer, if it is there.
    pub(crate) fn look(&self) -> Option<Reply> {
        self.0.borrow().clone()
    }

    /// The answer, unless it is not there by then, or will never be.
    pub(crate) async fn wait(mut self, by: Instant) -> Option<Reply> {
        let reply = timeout_at(by.into(), self.0.wait_for(Option::is_some)).await;
        reply.ok()?.ok()?.clone()
    }

    /// The same, for those who have nothing else to do.
    pub(crate) fn wait_here(&self, by: Instant) -> Option<Reply> {
        const BETWEEN: Duration = Duration::from_millis(1);
        // Who owes an answer and goes has given it before, or never will.
        while Instant::now() < by && self.look().is_none() && self.0.has_changed().is_ok() {
            std::thread::sleep(BETWEEN);
        }
        self.look()
    }
}
