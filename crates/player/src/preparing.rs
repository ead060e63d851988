//! A player whose rules are still being made ready when the match begins.

use std::sync::mpsc::{Receiver, TryRecvError};
use std::time::{Duration, Instant};

use base::Stop;

use crate::agent::{Agent, Choice, Clock, Fault, Told, margin};

/// A player of a match that begins by the clock, whether the rules are ready or not.
///
/// Others make two agents for it: one on the rules as they stand, which is soon there and slow, and one on the fast
/// machine. The first one plays until the second is there, which is told all that has happened and goes on.
///
/// ```
/// use player::{Agent as _, Clock, Preparing, Rules};
///
/// let rules = "(role x) (init (lamp off)) (legal x press) (<= terminal (true (lamp on))) (goal x 100)
///              (<= (next (lamp on)) (does x press))";
/// let program = program::check(&gdl::parse_kif(rules)).program.expect("no errors");
/// let rules = Rules::as_they_stand(&program, base::Deadline::NEVER).expect("it is small");
/// let role = base::RoleId::first(1).next().expect("there is one");
/// let agent = rules.agent(&"random".parse()?, role, 1);
/// let [(soon, is_soon), (fast, is_fast)] = [std::sync::mpsc::channel(), std::sync::mpsc::channel()];
/// let mut preparing = Preparing::new(is_soon, is_fast);
/// soon.send(agent)?;
/// let clock = Clock::Time(std::time::Duration::from_millis(200));
/// let choice = preparing.choose(&[], clock, &base::Stop::new()).expect("there is an agent");
/// assert_eq!(choice.text, "press");
/// # drop(fast);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Preparing {
    soon: Coming,
    fast: Coming,
    /// All that was told.
    told: Vec<Told>,
}

/// An agent that somebody makes.
struct Coming {
    /// None if it is there, or will never be.
    awaited: Option<Receiver<Box<dyn Agent>>>,
    agent: Option<Box<dyn Agent>>,
    /// How much of what was told it knows.
    n_told: usize,
}

impl std::fmt::Debug for Preparing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let is_there = |coming: &Coming| coming.agent.is_some();
        write!(f, "Preparing {{ soon: {}, fast: {} }}", is_there(&self.soon), is_there(&self.fast))
    }
}

impl Preparing {
    /// A player that gets an agent on the rules as they stand by `soon`, and one on the fast machine by `fast`. Who
    /// drops the other end says that there will be none.
    pub fn new(soon: Receiver<Box<dyn Agent>>, fast: Receiver<Box<dyn Agent>>) -> Preparing {
        Preparing { soon: Coming::new(soon), fast: Coming::new(fast), told: Vec::new() }
    }

    /// Whether the fast agent plays.
    pub fn is_fast(&self) -> bool {
        self.fast.agent.is_some()
    }

    /// Waits until `is_enough`, as long as the clock allows, or until nothing more will come.
    fn wait(&mut self, clock: Clock, stop: &Stop, is_enough: impl Fn(&Preparing) -> bool) {
        const BETWEEN: Duration = Duration::from_millis(5);
        let start = Instant::now();
        loop {
            self.soon.look();
            self.fast.look();
            let is_over = match clock {
                Clock::Time(time) => start.elapsed() + margin(time) >= time,
                Clock::Plays(_) => false,
            };
            let is_all = self.soon.awaited.is_none() && self.fast.awaited.is_none();
            if is_enough(self) || is_over || is_all || stop.is_wished() {
                break;
            }
            std::thread::sleep(BETWEEN);
        }
        if self.is_fast() {
            self.soon = Coming { awaited: None, agent: None, n_told: 0 };
        }
    }
}

impl Coming {
    fn new(awaited: Receiver<Box<dyn Agent>>) -> Coming {
        Coming { awaited: Some(awaited), agent: None, n_told: 0 }
    }

    /// Whether it has come.
    fn look(&mut self) {
        let Some(awaited) = &self.awaited else { return };
        match awaited.try_recv() {
            Ok(agent) => (self.agent, self.awaited) = (Some(agent), None),
            Err(TryRecvError::Disconnected) => self.awaited = None,
            Err(TryRecvError::Empty) => {}
        }
    }
}

/// What is left of a clock that began to run at `start`.
fn rest(clock: Clock, start: Instant) -> Clock {
    match clock {
        Clock::Time(time) => Clock::Time(time.saturating_sub(start.elapsed())),
        Clock::Plays(_) => clock,
    }
}

impl Agent for Preparing {
    fn start(&mut self, clock: Clock, stop: &Stop) -> Result<(), Fault> {
        let start = Instant::now();
        let is_settled = |this: &Preparing| {
            this.is_fast() || (this.fast.awaited.is_none() && this.soon.agent.is_some())
        };
        self.wait(clock, stop, is_settled);
        let agent = match &mut self.fast.agent {
            Some(agent) => Some(agent),
            // While the fast machine is made ready, nobody should take its time.
            None if self.fast.awaited.is_some() => None,
            None => self.soon.agent.as_mut(),
        };
        agent.map_or(Ok(()), |agent| agent.start(rest(clock, start), stop))
    }

    fn choose(&mut self, told: &[Told], clock: Clock, stop: &Stop) -> Result<Choice, Fault> {
        let start = Instant::now();
        self.told.extend_from_slice(told);
        self.wait(clock, stop, |this| this.is_fast() || this.soon.agent.is_some());
        let coming = if self.is_fast() { &mut self.fast } else { &mut self.soon };
        let agent = coming.agent.as_mut().ok_or(Fault::Late)?;
        let news = &self.told[coming.n_told..];
        coming.n_told = self.told.len();
        agent.choose(news, rest(clock, start), stop)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    /// A player that says how much it was told.
    struct Counting(&'static str, usize);

    impl Agent for Counting {
        fn start(&mut self, _: Clock, _: &Stop) -> Result<(), Fault> {
            Ok(())
        }

        fn choose(&mut self, told: &[Told], _: Clock, _: &Stop) -> Result<Choice, Fault> {
            self.1 += told.len();
            Ok(Choice { text: format!("{} {}", self.0, self.1), thoughts: None })
        }
    }

    #[test]
    fn the_fast_agent_goes_on_where_the_other_was() {
        let [(soon, is_soon), (fast, is_fast)] = [channel(), channel()];
        let mut preparing = Preparing::new(is_soon, is_fast);
        let (clock, stop) = (Clock::Time(Duration::from_millis(100)), Stop::new());
        let told = [Told::JointMove(vec!["noop".to_owned()])];
        assert_eq!(preparing.start(clock, &stop), Ok(()));
        assert_eq!(preparing.choose(&[], clock, &stop), Err(Fault::Late));
        soon.send(Box::new(Counting("soon", 0))).unwrap();
        let mut choose = || preparing.choose(&told, clock, &stop).unwrap().text;
        assert_eq!((choose(), choose()), ("soon 1".to_owned(), "soon 2".to_owned()));
        fast.send(Box::new(Counting("fast", 0))).unwrap();
        assert_eq!((choose(), choose()), ("fast 3".to_owned(), "fast 4".to_owned()));
        assert!(preparing.is_fast());
    }

    #[test]
    fn nothing_is_waited_for_that_will_never_come() {
        let [(soon, is_soon), (fast, is_fast)] = [channel(), channel::<Box<dyn Agent>>()];
        let mut preparing = Preparing::new(is_soon, is_fast);
        drop((soon, fast));
        let (clock, stop) = (Clock::Time(Duration::from_secs(3_600)), Stop::new());
        assert_eq!(preparing.start(clock, &stop), Ok(()));
        assert_eq!(preparing.choose(&[], clock, &stop), Err(Fault::Late));
    }
}
