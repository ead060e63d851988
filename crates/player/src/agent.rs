//! What a player is to those who let it play.

use std::time::Duration;

use base::Stop;
use search::Work;

/// How long a player may think.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Clock {
    /// So long, from now on.
    Time(Duration),
    /// So many random plays, however long they take: the same every time.
    Plays(u64),
}

impl Clock {
    /// A clock of which so much is for thinking: players keep a little of every clock for themselves.
    ///
    /// ```
    /// use std::time::Duration;
    /// let clock = player::Clock::with_time_to_think(Duration::from_secs(10));
    /// assert_eq!(clock, player::Clock::Time(Duration::from_millis(10_250)));
    /// ```
    pub fn with_time_to_think(usable: Duration) -> Clock {
        let candidates =
            [usable * 2, usable + LEAST_MARGIN, usable * 20 / 19, usable + MOST_MARGIN];
        let fits = |time: &Duration| time.saturating_sub(margin(*time)) <= usable;
        Clock::Time(candidates.into_iter().filter(fits).max().unwrap_or(usable))
    }
}

/// What is left of a clock for everything but thinking. With 25 ms at least, one move in 1,000 was late on a machine
/// that had other work as well: a thread that was asleep may wait 20 or 30 ms for a core there. More than a quarter of
/// a second is never needed.
pub(crate) fn margin(time: Duration) -> Duration {
    (time / 20).clamp(LEAST_MARGIN, MOST_MARGIN).min(time / 2)
}

const LEAST_MARGIN: Duration = Duration::from_millis(40);
const MOST_MARGIN: Duration = Duration::from_millis(250);

/// What a player is told of a step of the match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Told {
    /// The moves of all, in the order of the roles.
    JointMove(Vec<String>),
    /// Where the rules say what players see (GDL-II): its own move that was made, and what it sees.
    Seen {
        /// As the rules write it; none if it is not known which one was made.
        own_move: Option<String>,
        /// In any order.
        percepts: Vec<String>,
    },
}

/// What a player decided.
#[derive(Clone, PartialEq, Debug)]
pub struct Choice {
    /// The move, as the rules write it.
    pub text: String,
    /// What it thought, if it did.
    pub thoughts: Option<Thoughts>,
}

/// What a player thinks of the moves that it may make.
#[derive(Clone, PartialEq, Debug)]
pub struct Thoughts {
    /// The moves, the best first.
    pub moves: Vec<MoveThought>,
    /// The joint moves that it expects, the next one first.
    pub variation: Vec<Vec<String>>,
    /// The random plays in this match so far.
    pub n_plays: u64,
    /// What it did since it was asked, and for how long it thought.
    pub work: Work,
    /// See there.
    pub time: Duration,
    /// The positions that it keeps.
    pub n_nodes: usize,
    /// The least and the most that the position can be worth to it, as far as that is proved.
    pub bounds: [f64; 2],
}

/// What a player thinks of a move.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveThought {
    /// The move, as the rules write it.
    pub text: String,
    /// What it is worth for the role, from 0 to 100.
    pub value: f64,
    /// Whether that is known for sure.
    pub is_exact: bool,
    /// How far the value may be off: half of an interval that has it in 95 of 100 cases.
    pub width: f64,
    /// How many plays went on with it.
    pub n_visits: u64,
    /// How often it should be made, from 0 to 1.
    pub share: f64,
}

/// Why a player has said nothing that can be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Nothing came in time.
    Late,
    /// It cannot be reached, or has failed.
    Lost,
    /// It said what is no move, or no reply.
    Unreadable,
    /// As it understands the rules, it has no legal move.
    NoMove,
}

/// A player of one role in one match.
pub trait Agent: Send {
    /// Gets ready: the match begins when the clock has run out, or sooner.
    fn start(&mut self, clock: Clock, stop: &Stop) -> Result<(), Fault>;

    /// The move that it makes, when it was told what has happened since it was asked last. Where `stop` is wished it
    /// answers as soon as it can.
    fn choose(&mut self, told: &[Told], clock: Clock, stop: &Stop) -> Result<Choice, Fault>;

    /// The match is over, after what it is told.
    fn finish(&mut self, _told: &[Told], _clock: Clock) {}

    /// The match is broken off.
    fn abort(&mut self) {}

    /// An answer that comes so much after the clock is still in time: the time that it takes to say it.
    fn grace(&self) -> Duration {
        const TO_SAY_IT: Duration = Duration::from_millis(5);
        TO_SAY_IT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_of_a_clock_is_added_before() {
        for millis in [0, 1, 30, 60, 500, 799, 3_000, 4_750, 4_800, 60_000] {
            let usable = Duration::from_millis(millis);
            let Clock::Time(time) = Clock::with_time_to_think(usable) else { panic!("it is time") };
            let left = usable.saturating_sub(time - margin(time));
            assert!(left <= Duration::from_micros(1), "{millis}: {left:?}");
        }
    }
}
