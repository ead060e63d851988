//! What players want, and what they expect of others (Koriche, Lagrue, Piette & Tabary 2016, section
//! 4.2).

/// How the values of several choices become one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operator {
    /// The least.
    Min,
    /// The greatest.
    Max,
}

/// What a player makes of its own moves (⊗ of the paper), and of those of the others (⊕). Chance is
/// always expected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Concept {
    /// Of its own moves.
    pub own: Operator,
    /// Of the joint moves of the other players.
    pub others: Operator,
}

impl Concept {
    /// The best that cannot be prevented.
    pub const MAXIMIN: Concept = Concept { own: Operator::Max, others: Operator::Min };
    /// The best if all others help.
    pub const MAXIMAX: Concept = Concept { own: Operator::Max, others: Operator::Max };
}
