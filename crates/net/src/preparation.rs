//! From the text of rules to agents, beside a match that does not wait for it.

use std::collections::VecDeque;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use base::{Deadline, RoleId, Stop};
use player::{Agent, PlayerSpec, Preparing, Rules};
use program::Program;
use tracing::{info, warn};

/// Rules that passed every check, with their text.
#[derive(Clone, Debug)]
pub(crate) struct Sheet {
    text: Arc<str>,
    program: Arc<Program>,
}

impl Sheet {
    /// Checks rules as they came; says what is wrong with them.
    fn read(text: &str) -> Result<Sheet, String> {
        let checked = program::check(&gdl::parse_kif(text));
        let errors = checked.diagnostics.iter().filter(|problem| problem.is_error());
        let errors: Vec<&str> = errors.map(|problem| problem.message.as_str()).collect();
        match checked.program {
            Some(program) => Ok(Sheet { text: text.into(), program: program.into() }),
            None => Err(errors.join("; ")),
        }
    }

    pub(crate) fn program(&self) -> &Program {
        &self.program
    }
}

/// Where rules are made ready, a few at the same time; those that were made last are kept.
#[derive(Debug)]
pub(crate) struct Preparation {
    /// Sheets are read one after the other: one of many megabytes takes much room.
    is_reading: Mutex<()>,
    /// How many may be made at the same time: it takes much room.
    permits: Permits,
    /// The last ones first, by their text.
    known: Mutex<VecDeque<(Arc<str>, Arc<Rules>)>>,
    /// What is made ready for a match that has not begun yet, and a wish that this ends.
    preview: Mutex<Option<(Arc<str>, Stop)>>,
    threads: Threads,
}

/// Counts threads, as many as there are copies of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Threads(Arc<()>);

impl Threads {
    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        Arc::strong_count(&self.0)
    }

    /// Does something beside everything else. Tells whether a thread could be had for it.
    pub(crate) fn spawn(&self, name: &str, work: impl FnOnce() + Send + 'static) -> bool {
        let count = self.clone();
        let work = move || {
            let _count = count;
            work();
        };
        let thread = std::thread::Builder::new().name(name.to_owned()).spawn(work);
        thread.inspect_err(|error| warn!("no thread for {name}: {error}")).is_ok()
    }
}

/// An agent that is wanted.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    pub(crate) sheet: Sheet,
    pub(crate) player: PlayerSpec,
    pub(crate) role: RoleId,
    pub(crate) seed: u64,
}

impl Preparation {
    /// Few make rules ready at the same time, in threads that are counted.
    pub(crate) fn new(n_at_once: usize, threads: Threads) -> Preparation {
        Preparation {
            is_reading: Mutex::default(),
            permits: Permits::new(n_at_once),
            known: Mutex::default(),
            preview: Mutex::default(),
            threads,
        }
    }

    /// Checks rules as they came, unless somebody wishes that this stops; says why there is no sheet of them.
    pub(crate) fn sheet(&self, text: &str, stop: &Stop) -> Result<Sheet, String> {
        let _reading = locked(&self.is_reading);
        match stop.is_wished() {
            true => Err("they are not wanted any more".to_owned()),
            false => Sheet::read(text),
        }
    }

    /// An agent that may play at once, and plays better as soon as its rules are ready. They are made ready until
    /// somebody wishes that this stops. Where no thread can be had for it, it is told by the end of a channel.
    pub(crate) fn agent(self: &Arc<Self>, wanted: &Wanted, stop: &Stop) -> Preparing {
        self.leave_other_previews(&wanted.sheet);
        let (soon, is_soon) = channel();
        let (fast, is_fast) = channel();
        if self.known(&wanted.sheet).is_none() {
            let (wanted, stop) = (wanted.clone(), stop.clone());
            self.threads.spawn("rules as they stand", move || {
                let deadline = Deadline::NEVER.unless(&stop);
                match Rules::as_they_stand(wanted.sheet.program(), deadline) {
                    Some(rules) => {
                        let agent = rules.agent(&wanted.player, wanted.role, wanted.seed);
                        let _ = soon.send(agent);
                    }
                    None if stop.is_wished() => {}
                    None => warn!("the rules are too large to be played as they stand"),
                }
            });
        }
        let (this, wanted, stop) = (self.clone(), wanted.clone(), stop.clone());
        self.threads.spawn("rules made ready", move || this.send_fast(&wanted, &stop, &fast));
        Preparing::new(is_soon, is_fast)
    }

    fn send_fast(&self, wanted: &Wanted, stop: &Stop, fast: &Sender<Box<dyn Agent>>) {
        if let Some(rules) = self.rules(&wanted.sheet, stop) {
            let _ = fast.send(rules.agent(&wanted.player, wanted.role, wanted.seed));
        }
    }

    /// Makes rules ready for a match that may begin soon, until another begins.
    pub(crate) fn look_at(&self, sheet: &Sheet) {
        self.leave_other_previews(sheet);
        let stop = match &mut *locked(&self.preview) {
            // Somebody else is at it.
            Some(_) => return,
            preview => preview.insert((sheet.text.clone(), Stop::new())).1.clone(),
        };
        let _ = self.rules(sheet, &stop);
        locked(&self.preview).take_if(|(_, other)| *other == stop);
    }

    /// Stops to make rules ready for matches that have not begun.
    pub(crate) fn leave_previews(&self) {
        self.leave_previews_if(|_| true);
    }

    /// The same, but for those of `sheet`, which are played next.
    fn leave_other_previews(&self, sheet: &Sheet) {
        self.leave_previews_if(|text| *text != sheet.text);
    }

    fn leave_previews_if(&self, is_left: impl Fn(&Arc<str>) -> bool) {
        let left = locked(&self.preview).take_if(|(text, _)| is_left(text));
        left.into_iter().for_each(|(_, stop)| stop.wish());
    }

    /// The rules on the fast machine, unless they cannot be grounded, or nobody wants them any more.
    fn rules(&self, sheet: &Sheet, stop: &Stop) -> Option<Arc<Rules>> {
        /// No match is longer than that before rules are needed.
        const LONGEST: Duration = Duration::from_secs(600);
        if let Some(known) = self.known(sheet) {
            return Some(known);
        }
        let _permit = self.permits.take(stop)?;
        // Somebody else may have made them meanwhile.
        if let Some(known) = self.known(sheet) {
            return Some(known);
        }
        let start = Instant::now();
        let deadline = Deadline::after(LONGEST).unless(stop);
        let rules = Rules::grounded(sheet.program(), deadline);
        if stop.is_wished() {
            return None;
        }
        let rules = rules.inspect_err(|problem| {
            warn!("not made ready for the fast machine: {problem}");
        });
        let rules = rules.ok()?;
        info!("grounded in {:.1} s", start.elapsed().as_secs_f64());
        let rules = Arc::new(rules);
        self.keep(sheet, &rules);
        Some(rules)
    }

    fn keep(&self, sheet: &Sheet, rules: &Arc<Rules>) {
        /// A manager who plays many matches often plays the same games.
        const N_KEPT: usize = 2;
        let mut known = locked(&self.known);
        known.push_front((sheet.text.clone(), rules.clone()));
        known.truncate(N_KEPT);
    }

    fn known(&self, sheet: &Sheet) -> Option<Arc<Rules>> {
        let known = locked(&self.known);
        let (_, rules) = known.iter().find(|(text, _)| *text == sheet.text)?;
        Some(rules.clone())
    }
}

/// So many may do something at the same time.
#[derive(Debug)]
struct Permits {
    n_free: Mutex<usize>,
    is_free: Condvar,
}

struct Permit<'a>(&'a Permits);

impl Permits {
    fn new(n: usize) -> Permits {
        Permits { n_free: Mutex::new(n), is_free: Condvar::new() }
    }

    /// Waits for a permit, unless somebody wishes that this stops.
    fn take(&self, stop: &Stop) -> Option<Permit<'_>> {
        const BETWEEN: Duration = Duration::from_millis(50);
        let mut n_free = locked(&self.n_free);
        while *n_free == 0 && !stop.is_wished() {
            let waited = self.is_free.wait_timeout(n_free, BETWEEN);
            n_free = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        if stop.is_wished() {
            return None;
        }
        *n_free -= 1;
        Some(Permit(self))
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        *locked(&self.0.n_free) += 1;
        self.0.is_free.notify_one();
    }
}

/// What a lock guards, also after somebody failed who had it: every change is whole.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
