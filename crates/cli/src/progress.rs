//! Work that takes long says so, on standard error and only to people.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use base::Deadline;
use indicatif::{ProgressBar, ProgressStyle};

/// What is done sooner needs no word.
const PATIENCE: Duration = Duration::from_secs(2);
const BETWEEN_DRAWINGS: Duration = Duration::from_millis(100);

/// How long work may take, and when it must end, for an option in seconds.
pub(crate) fn time_limit(seconds: Option<f64>) -> (Option<Duration>, Deadline) {
    let duration = seconds.map(duration_of);
    (duration, duration.map_or(Deadline::NEVER, Deadline::after))
}

/// So many seconds, as a person gave them: what is no time is none, what is too long is for ever.
pub(crate) fn duration_of(seconds: f64) -> Duration {
    let extreme = if seconds > 0.0 { Duration::MAX } else { Duration::ZERO };
    Duration::try_from_secs_f64(seconds).unwrap_or(extreme)
}

/// What work says about how far it has come.
#[derive(Debug, Default)]
pub(crate) struct Report(Mutex<String>);

impl Report {
    /// Says something new.
    pub(crate) fn say(&self, text: String) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = text;
    }

    fn last(&self) -> String {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Does `work`. After two seconds it shows what is being done, and how far it has come if the
/// duration is known.
pub(crate) fn with_progress<T>(
    message: &str,
    duration: Option<Duration>,
    work: impl FnOnce() -> T,
) -> T {
    with_report(message, duration, |_| work())
}

/// The same for work that says itself how far it has come.
pub(crate) fn with_report<T>(
    message: &str,
    duration: Option<Duration>,
    work: impl FnOnce(&Report) -> T,
) -> T {
    let report = Report::default();
    let (done, is_done) = channel::<()>();
    std::thread::scope(|scope| {
        let report = &report;
        scope.spawn(move || {
            let start = Instant::now();
            if is_done.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            let bar = bar(message, duration);
            while is_done.recv_timeout(BETWEEN_DRAWINGS) == Err(RecvTimeoutError::Timeout) {
                bar.set_position(start.elapsed().as_millis() as u64);
                bar.set_message(format!("{message}{}", report.last()));
                bar.tick();
            }
            bar.finish_and_clear();
        });
        let result = work(report);
        drop(done);
        result
    })
}

fn bar(message: &str, duration: Option<Duration>) -> ProgressBar {
    let (bar, template) = match duration {
        Some(duration) => {
            (ProgressBar::new(duration.as_millis() as u64), "{msg} {bar:30} {elapsed}")
        }
        None => (ProgressBar::new_spinner(), "{spinner} {msg} {elapsed}"),
    };
    let style = ProgressStyle::with_template(template).expect("the template is well formed");
    bar.with_style(style).with_message(message.to_owned())
}
