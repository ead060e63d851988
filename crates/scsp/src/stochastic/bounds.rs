//! Bounds of values, and how those of choices and of chance come together.

/// Sums of products are this exact.
pub(super) const TOLERANCE: f64 = 1e-9;

/// How the values of several choices become one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operator {
    /// The least.
    Min,
    /// The greatest.
    Max,
}

/// What a player makes of its own moves (⊗ of Koriche, Lagrue, Piette & Tabary 2016, section 4.2), and
/// of those of the others (⊕). Chance is always expected.
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

/// Bounds of a value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// It is at least this.
    pub low: f64,
    /// It is at most this.
    pub high: f64,
}

impl Interval {
    /// Of a value that is known.
    pub fn exactly(value: f64) -> Interval {
        Interval { low: value, high: value }
    }

    /// Whether the value is known, but for what rounding does to means.
    pub fn is_exact(self) -> bool {
        self.high - self.low <= TOLERANCE
    }

    /// What both say.
    #[must_use]
    pub fn and(self, other: Interval) -> Interval {
        Interval { low: self.low.max(other.low), high: self.high.min(other.high) }
    }

    /// Whether nothing more needs to be known where only values inside of `window` matter.
    pub fn is_enough(self, window: Interval) -> bool {
        self.is_exact() || self.high <= window.low || self.low >= window.high
    }
}

/// What the values of choices that were looked at come to (alpha-beta).
///
/// ```
/// use scsp::{Choice, Interval, Operator};
///
/// let whole = Interval { low: 0.0, high: 1.0 };
/// let mut choice = Choice::new(Operator::Max, whole);
/// choice.add(Interval::exactly(0.5));
/// // Another choice matters only above one half.
/// assert_eq!(choice.window(whole).low, 0.5);
/// choice.add(Interval { low: 0.0, high: 0.25 });
/// assert_eq!(choice.of_all(), Interval::exactly(0.5));
/// // As long as others were not looked at, it may be more.
/// assert_eq!(choice.of_some(), Interval { low: 0.5, high: 1.0 });
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Choice {
    operator: Operator,
    /// Between which bounds every value lies.
    whole: Interval,
    value: Interval,
}

impl Choice {
    /// No choice yet, of values that lie in `whole`.
    pub fn new(operator: Operator, whole: Interval) -> Choice {
        let value = match operator {
            Operator::Max => f64::NEG_INFINITY,
            Operator::Min => f64::INFINITY,
        };
        Choice { operator, whole, value: Interval::exactly(value) }
    }

    /// Adds a choice. Whether it is better than all before.
    pub fn add(&mut self, choice: Interval) -> bool {
        let before = self.value;
        let Interval { low, high } = &mut self.value;
        (*low, *high) = match self.operator {
            Operator::Max => (low.max(choice.low), high.max(choice.high)),
            Operator::Min => (low.min(choice.low), high.min(choice.high)),
        };
        match self.operator {
            Operator::Max => self.value.low > before.low,
            Operator::Min => self.value.high < before.high,
        }
    }

    /// The window in which the value of another choice matters.
    pub fn window(&self, window: Interval) -> Interval {
        match self.operator {
            Operator::Max => Interval { low: window.low.max(self.value.low), ..window },
            Operator::Min => Interval { high: window.high.min(self.value.high), ..window },
        }
    }

    /// Whether other choices do not matter.
    pub fn is_decided(&self, window: Interval) -> bool {
        match self.operator {
            Operator::Max => self.value.low >= window.high,
            Operator::Min => self.value.high <= window.low,
        }
    }

    /// The value if there are no others.
    pub fn of_all(&self) -> Interval {
        self.value
    }

    /// The value if others were not looked at.
    pub fn of_some(&self) -> Interval {
        match self.operator {
            Operator::Max => Interval { high: self.whole.high, ..self.value },
            Operator::Min => Interval { low: self.whole.low, ..self.value },
        }
    }
}

/// What the values after chance come to, as far as they were looked at (Star1 of Ballard 1983).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Mean {
    whole: Interval,
    total: f64,
    /// The weight of what was not looked at.
    rest: f64,
    sum: Interval,
}

impl Mean {
    /// Nothing yet, of values that lie in `whole` and whose weights sum to `total`.
    pub fn new(total: f64, whole: Interval) -> Mean {
        Mean { whole, total, rest: total, sum: Interval::exactly(0.0) }
    }

    /// The window in which the next value matters, if it has this weight.
    pub fn window(&self, weight: f64, window: Interval) -> Interval {
        let rest = self.rest - weight;
        Interval {
            low: (self.total * window.low - self.sum.high - rest * self.whole.high) / weight,
            high: (self.total * window.high - self.sum.low - rest * self.whole.low) / weight,
        }
    }

    /// Adds a value.
    pub fn add(&mut self, weight: f64, value: Interval) {
        self.rest -= weight;
        self.sum.low += weight * value.low;
        self.sum.high += weight * value.high;
    }

    /// The mean if all was looked at.
    pub fn of_all(&self) -> Interval {
        Interval { low: self.sum.low / self.total, high: self.sum.high / self.total }
    }

    /// The mean if the rest was not looked at.
    pub fn of_some(&self) -> Interval {
        Interval {
            low: (self.sum.low + self.rest * self.whole.low) / self.total,
            high: (self.sum.high + self.rest * self.whole.high) / self.total,
        }
    }
}
