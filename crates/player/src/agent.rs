//! What a player is to those who let it play.

use std::time::Duration;

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
    /// The moves that all roles have made since the player moved last, in the order of the roles; `None`
    /// before the first.
    pub joint_move: Option<&'a [String]>,
}

/// What a player decided.
#[derive(Clone, PartialEq, Debug)]
pub struct Choice {
    /// The move, as the rules write it.
    pub text: String,
    /// What it thought, if it did.
    pub thoughts: Option<Thoughts>,
}

/// What a player thinks of the move that it makes.
#[derive(Clone, PartialEq, Debug)]
pub struct Thoughts {
    /// What the move is worth for its role, from 0 to 100.
    pub value: f64,
    /// Whether that is known for sure.
    pub is_exact: bool,
    /// The random plays in this match so far.
    pub n_plays: u64,
    /// The positions that it keeps.
    pub n_nodes: usize,
}

/// A player of one role in one match.
pub trait Agent: Send {
    /// Gets ready: the match begins when the clock has run out, or sooner.
    fn start(&mut self, clock: Clock);

    /// The move that it makes.
    fn choose(&mut self, turn: Turn<'_>, clock: Clock) -> Choice;
}
