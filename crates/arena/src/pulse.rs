//! A pulse that tells when the machine stood still.
//!
//! On machines that are shared a core, or all of them, stop now and then for 100 ms or longer, and no player can do
//! anything about it. A thread on that core that does nothing but sleep for a moment notices: it wakes too late.
//! Such time is on nobody's clock.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Between two beats.
const BEAT: Duration = Duration::from_millis(2);

/// A beat that comes so much later is usual where all cores are busy.
const USUAL_DELAY: Duration = Duration::from_millis(8);

/// Beats on every core until it is dropped.
#[derive(Debug)]
pub(crate) struct Pulse {
    cores: Vec<Core>,
}

/// By core: for how long it stood still up to some moment.
#[derive(Clone, Debug)]
pub(crate) struct Halts(Vec<Duration>);

impl Pulse {
    /// Begins to beat.
    pub(crate) fn start() -> Pulse {
        Pulse { cores: cores().into_iter().filter_map(Core::start).collect() }
    }

    /// For how long each core stood still until now.
    pub(crate) fn halts(&self) -> Halts {
        Halts(self.cores.iter().map(Core::halted).collect())
    }

    /// For how long a core stood still since another moment.
    pub(crate) fn halted_since(&self, before: &Halts) -> Duration {
        let halts = self.halts();
        let since = halts.0.iter().zip(&before.0).map(|(now, before)| now.saturating_sub(*before));
        since.max().unwrap_or_default()
    }
}

/// A thread that beats on a core.
#[derive(Debug)]
struct Core {
    beats: Arc<Mutex<Beats>>,
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Beats {
    last: Instant,
    /// For how long the core stood still before that.
    halted: Duration,
}

impl Beats {
    /// For how long the core stood still until `now`.
    fn halted_until(&self, now: Instant) -> Duration {
        let delay = now.saturating_duration_since(self.last).saturating_sub(BEAT);
        if delay > USUAL_DELAY { self.halted + delay } else { self.halted }
    }

    fn beat(&mut self, now: Instant) {
        (self.halted, self.last) = (self.halted_until(now), now);
    }
}

impl Core {
    /// Begins to beat on a core. `None` where no thread can be started.
    fn start(stay: impl FnOnce() + Send + 'static) -> Option<Core> {
        let beats = Beats { last: Instant::now(), halted: Duration::ZERO };
        let beats = Arc::new(Mutex::new(beats));
        let (stop, stopped) = channel();
        let of_thread = beats.clone();
        let thread = std::thread::Builder::new().name("pulse".to_owned()).spawn(move || {
            stay();
            run(&of_thread, &stopped);
        });
        Some(Core { beats, stop: Some(stop), thread: Some(thread.ok()?) })
    }

    fn halted(&self) -> Duration {
        let beats = self.beats.lock().unwrap_or_else(PoisonError::into_inner);
        beats.halted_until(Instant::now())
    }
}

impl Drop for Core {
    fn drop(&mut self) {
        drop(self.stop.take());
        self.thread.take().into_iter().for_each(|thread| drop(thread.join()));
    }
}

/// Beats until it is stopped.
fn run(beats: &Mutex<Beats>, stopped: &Receiver<()>) {
    while let Err(RecvTimeoutError::Timeout) = stopped.recv_timeout(BEAT) {
        beats.lock().unwrap_or_else(PoisonError::into_inner).beat(Instant::now());
    }
}

/// By core that may be used: how a thread comes to stay on it.
#[cfg(target_os = "linux")]
fn cores() -> Vec<impl FnOnce() + Send + 'static> {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
    let usable = sched_getaffinity(None).unwrap_or_else(|_| CpuSet::new());
    let cores = (0..CpuSet::MAX_CPU).filter(|&core| usable.is_set(core));
    let stay_on = |core: usize| {
        move || {
            let mut only = CpuSet::new();
            only.set(core);
            // Where that is not allowed, it beats anywhere.
            let _ = sched_setaffinity(None, &only);
        }
    };
    cores.map(stay_on).collect()
}

/// One thread, anywhere.
#[cfg(not(target_os = "linux"))]
fn cores() -> Vec<impl FnOnce() + Send + 'static> {
    vec![|| {}]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_beats_that_are_far_too_late_are_halts() {
        let start = Instant::now();
        let after = |millis| start + Duration::from_millis(millis);
        let mut beats = Beats { last: start, halted: Duration::ZERO };
        beats.beat(after(2));
        beats.beat(after(12));
        assert_eq!(beats.halted_until(after(22)), Duration::ZERO);
        // The beat after 14 ms does not come, nor any other until 92 ms.
        assert_eq!(beats.halted_until(after(92)), Duration::from_millis(78));
        beats.beat(after(92));
        beats.beat(after(94));
        assert_eq!(beats.halted_until(after(96)), Duration::from_millis(78));
    }

    /// A thread that holds a pulse up is what a core that stands still looks like.
    #[test]
    fn a_pulse_that_is_held_up_notices() {
        let pulse = Pulse::start();
        let before = pulse.halts();
        {
            let _held = pulse.cores[0].beats.lock().unwrap();
            std::thread::sleep(Duration::from_millis(60));
        }
        let halted = pulse.halted_since(&before);
        assert!(halted >= Duration::from_millis(40), "{halted:?}");
    }
}
