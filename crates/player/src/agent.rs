//! What a player is to those who let it play.

use std::time::Duration;

use search::Work;

/// How long a player may think.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Clock {
    /// So long, from now on.
    Time(Duration),
    /// So many random plays, however long they take: the same every time.
    Plays(u64),
}

/// What a player is told before it moves.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// The joint moves since the player was asked last, each in the order of the roles; none before the first.
    /// Players that know only what they see do not look at the moves of others.
    pub joint_moves: &'a [Vec<String>],
    /// By joint move: what the player sees of it, where the rules say what is seen (GDL-II).
    pub percepts: &'a [Vec<String>],
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

/// A player of one role in one match.
pub trait Agent: Send {
    /// Gets ready: the match begins when the clock has run out, or sooner.
    fn start(&mut self, clock: Clock);

    /// The move that it makes.
    fn choose(&mut self, turn: Turn<'_>, clock: Clock) -> Choice;
}
