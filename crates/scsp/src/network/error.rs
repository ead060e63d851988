//! What is wrong with a network.

use std::fmt;

/// What is wrong with a network that was to be built.
#[derive(Clone, PartialEq, Debug)]
pub enum BuildError {
    /// A variable has no value.
    EmptyDomain {
        /// Its name.
        variable: String,
    },
    /// Two variables have the same name.
    NameTwice {
        /// The name.
        variable: String,
    },
    /// A constraint has a variable twice in its scope.
    VariableTwice {
        /// The name of the variable.
        variable: String,
    },
    /// A tuple has more or fewer values than its constraint has variables.
    TupleLength {
        /// How many values it has.
        found: usize,
        /// How many variables there are.
        expected: usize,
    },
    /// A variable is channelled to more or fewer indicators than it has values.
    IndicatorCount {
        /// How many indicators there are.
        found: usize,
        /// How many values there are.
        expected: usize,
    },
    /// Two values of a variable have the same name.
    ValueTwice {
        /// The name of the variable.
        variable: String,
        /// The name of the values.
        value: String,
    },
    /// All soft constraints and choices together are too large.
    TooMuchHeld {
        /// How many numbers they would hold.
        n_numbers: u128,
    },
    /// A tuple has a value that its variable cannot take.
    NotInDomain {
        /// The name of the variable.
        variable: String,
        /// The value.
        value: i64,
    },
    /// The tuples of a constraint would be too many to hold.
    TooManyTuples {
        /// How many combinations of values the scope has.
        n_tuples: u128,
    },
    /// The numbers of a sum are too large to be added.
    SumTooLarge,
    /// A utility is not a number from 0 to 1.
    NotAUtility {
        /// The number.
        value: f64,
    },
    /// There are more or fewer utilities than players.
    PlayerCount {
        /// How many numbers there are.
        found: usize,
        /// How many players there are.
        expected: usize,
    },
    /// A threshold is not a finite number.
    NotAThreshold {
        /// The number.
        value: f64,
    },
    /// Probabilities do not sum to 1, or one of them is not a number from 0 to 1.
    NotADistribution {
        /// The name of the variable.
        variable: String,
        /// The sum.
        sum: f64,
        /// The values that it is about of the variables that it depends on.
        given: Vec<i64>,
    },
    /// There are more or fewer probabilities than values.
    ProbabilityCount {
        /// The name of the variable.
        variable: String,
        /// How many probabilities there are.
        found: usize,
        /// How many values there are.
        expected: usize,
    },
    /// There are more or fewer rows of probabilities than combinations of values.
    RowCount {
        /// How many rows there are.
        found: usize,
        /// How many combinations there are.
        expected: usize,
    },
    /// Probabilities depend on a variable that does not come before.
    DependsOnLater {
        /// The name of the variable.
        variable: String,
        /// The name of the one that it depends on.
        later: String,
    },
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::EmptyDomain { variable } => {
                write!(f, "the variable `{variable}` has no value that it could take")
            }
            BuildError::NameTwice { variable } => {
                write!(f, "there are two variables `{variable}`; give each a name of its own")
            }
            BuildError::VariableTwice { variable } => {
                write!(f, "the variable `{variable}` stands twice in one scope")
            }
            BuildError::TupleLength { found, expected } => {
                write!(f, "a tuple of {found} values for {expected} variables")
            }
            BuildError::IndicatorCount { found, expected } => {
                write!(f, "{found} indicators for {expected} values")
            }
            BuildError::ValueTwice { variable, value } => {
                write!(f, "two values of the variable `{variable}` are called `{value}`")
            }
            BuildError::TooMuchHeld { n_numbers } => write!(
                f,
                "all soft constraints and choices together would hold {n_numbers} numbers, which is \
                 too many; give them smaller scopes"
            ),
            BuildError::NotInDomain { variable, value } => {
                write!(f, "the variable `{variable}` cannot take the value {value}")
            }
            BuildError::TooManyTuples { n_tuples } => write!(
                f,
                "a scope with {n_tuples} combinations of values is too large to look at one by one; \
                 list the tuples that are allowed, or split the constraint"
            ),
            BuildError::SumTooLarge => {
                write!(f, "the factors, values or constant of a sum are too large to be added")
            }
            BuildError::NotAUtility { value } => {
                write!(f, "{value} is no utility, which is a number from 0 to 1")
            }
            BuildError::PlayerCount { found, expected } => {
                write!(f, "{found} numbers for {expected} players")
            }
            BuildError::NotAThreshold { value } => write!(f, "{value} is no threshold"),
            BuildError::NotADistribution { variable, sum, given } if given.is_empty() => {
                write!(f, "the probabilities of `{variable}` sum to {sum}, not to 1")
            }
            BuildError::NotADistribution { variable, sum, given } => write!(
                f,
                "the probabilities of `{variable}` given {given:?} sum to {sum}, not to 1"
            ),
            BuildError::ProbabilityCount { variable, found, expected } => write!(
                f,
                "{found} probabilities for the {expected} values of the variable `{variable}`"
            ),
            BuildError::RowCount { found, expected } => {
                write!(f, "{found} rows of probabilities for {expected} combinations of values")
            }
            BuildError::DependsOnLater { variable, later } => write!(
                f,
                "the probabilities of `{variable}` depend on `{later}`, which does not come before it"
            ),
        }
    }
}

impl std::error::Error for BuildError {}

/// Why a network cannot be written to a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unwritable {
    /// Probabilities are computed by a function.
    Computed {
        /// The name of the variable.
        variable: String,
    },
    /// Rules that depend on each other have no place in the format.
    Recursive,
}

impl fmt::Display for Unwritable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unwritable::Computed { variable } => write!(
                f,
                "the probabilities of `{variable}` are computed by a function, which cannot be written"
            ),
            Unwritable::Recursive => {
                write!(f, "rules that depend on each other cannot be written as XCSP3")
            }
        }
    }
}

impl std::error::Error for Unwritable {}
