//! Players by name.

use std::fmt;
use std::str::FromStr;

use search::TreeOptions;

/// A player and its parameters, as people write them: `uct`, `uct:c=0.4,batch=64`.
///
/// ```
/// use player::PlayerSpec;
///
/// let spec: PlayerSpec = "uct:c=0.7".parse()?;
/// assert_eq!(spec.to_string(), "uct:c=0.7");
/// assert!("uct:x=1".parse::<PlayerSpec>().is_err());
/// # Ok::<(), player::SpecError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct PlayerSpec {
    text: String,
    pub(crate) kind: Kind,
}

/// What a player is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Kind {
    Random,
    Legal,
    Uct(TreeOptions),
}

/// What is wrong with the name of a player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SpecError {
    /// There is no such player.
    NoSuchPlayer {
        /// What was asked for.
        name: String,
        /// One that has a name like it.
        similar: Option<&'static str>,
    },
    /// A player has no such parameter.
    NoSuchParameter {
        /// The player.
        player: String,
        /// What was asked for.
        key: String,
        /// Those that it has.
        known: &'static [&'static str],
    },
    /// A parameter has no such value.
    NoSuchValue {
        /// The parameter.
        key: String,
        /// What it should have been.
        value: String,
        /// What it may be.
        expected: &'static str,
    },
}

const PLAYERS: [&str; 3] = ["uct", "random", "legal"];
const UCT_KEYS: [&str; 4] = ["c", "batch", "plays", "moves"];

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SpecError::NoSuchPlayer { name, similar: Some(similar) } => {
                write!(f, "there is no player `{name}`, but one named `{similar}`")
            }
            SpecError::NoSuchPlayer { name, similar: None } => {
                write!(f, "there is no player `{name}`; there are {}", PLAYERS.join(", "))
            }
            SpecError::NoSuchParameter { player, key, known: [] } => {
                write!(f, "`{player}` has no parameters, not `{key}` either")
            }
            SpecError::NoSuchParameter { player, key, known } => {
                write!(f, "`{player}` has no parameter `{key}`; it has {}", known.join(", "))
            }
            SpecError::NoSuchValue { key, value, expected } => {
                write!(f, "`{key}` is {expected}, not `{value}`")
            }
        }
    }
}

impl std::error::Error for SpecError {}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for PlayerSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<PlayerSpec, SpecError> {
        let (name, parameters) = text.split_once(':').unwrap_or((text, ""));
        let parameters = parameters.split(',').filter(|part| !part.is_empty());
        let parameters: Vec<(&str, &str)> =
            parameters.map(|part| part.split_once('=').unwrap_or((part, ""))).collect();
        let without = |kind| match parameters.first() {
            None => Ok(kind),
            Some((key, _)) => Err(no_such_parameter(name, key, &[])),
        };
        let kind = match name {
            "random" => without(Kind::Random)?,
            "legal" => without(Kind::Legal)?,
            "uct" => Kind::Uct(uct_options(&parameters)?),
            _ => return Err(no_such_player(name)),
        };
        Ok(PlayerSpec { text: text.to_owned(), kind })
    }
}

fn no_such_player(name: &str) -> SpecError {
    /// Names with more slips are not meant.
    const MAX_SLIPS: usize = 2;
    let slips = |other: &&str| strsim::osa_distance(name, other);
    let similar = PLAYERS.into_iter().min_by_key(slips).filter(|one| slips(one) <= MAX_SLIPS);
    SpecError::NoSuchPlayer { name: name.to_owned(), similar }
}

fn no_such_parameter(player: &str, key: &str, known: &'static [&'static str]) -> SpecError {
    SpecError::NoSuchParameter { player: player.to_owned(), key: key.to_owned(), known }
}

fn uct_options(parameters: &[(&str, &str)]) -> Result<TreeOptions, SpecError> {
    let mut options = TreeOptions::default();
    for &(key, value) in parameters {
        match key {
            "c" => {
                let is_fit = |c: &f64| c.is_finite() && *c >= 0.0;
                options.exploration = parsed(key, value, "a number from 0 on", is_fit)?;
            }
            "batch" => options.batch = up_to_many(key, value)?,
            "plays" => options.plays_per_leaf = up_to_many(key, value)?,
            "moves" => options.max_moves = at_least_one(key, value)?,
            _ => return Err(no_such_parameter("uct", key, &UCT_KEYS)),
        }
    }
    Ok(options)
}

fn up_to_many(key: &str, value: &str) -> Result<usize, SpecError> {
    parsed(key, value, "a whole number from 1 to 10000", |&n: &usize| (1..=10_000).contains(&n))
}

fn at_least_one(key: &str, value: &str) -> Result<usize, SpecError> {
    parsed(key, value, "a whole number from 1 on", |&n: &usize| n > 0)
}

fn parsed<T: FromStr>(
    key: &str,
    value: &str,
    expected: &'static str,
    is_fit: impl Fn(&T) -> bool,
) -> Result<T, SpecError> {
    let found = value.parse().ok().filter(is_fit);
    found.ok_or_else(|| SpecError::NoSuchValue {
        key: key.to_owned(),
        value: value.to_owned(),
        expected,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_named_with_their_cure() {
        let cases = [
            ("utc", "there is no player `utc`, but one named `uct`"),
            ("deep blue", "there is no player `deep blue`; there are uct, random, legal"),
            ("random:c=1", "`random` has no parameters, not `c` either"),
            ("uct:depth=3", "`uct` has no parameter `depth`; it has c, batch, plays, moves"),
            ("uct:c=-1", "`c` is a number from 0 on, not `-1`"),
            ("uct:batch", "`batch` is a whole number from 1 to 10000, not ``"),
        ];
        for (text, message) in cases {
            assert_eq!(text.parse::<PlayerSpec>().unwrap_err().to_string(), message);
        }
    }
}
