//! Who takes part in a match: players of our own, or players elsewhere.

use std::fmt;
use std::str::FromStr;

use player::PlayerSpec;

use crate::address::PlayerAddress;

/// A player of a match, as people write it: a name with parameters, or an address that begins with `http://`.
#[derive(Clone, PartialEq, Debug)]
pub enum Contestant {
    /// A player of our own.
    Local(PlayerSpec),
    /// A player on the network.
    Remote(PlayerAddress),
}

impl Contestant {
    /// Where it is, if it is on the network.
    pub fn address(&self) -> Option<&PlayerAddress> {
        match self {
            Contestant::Local(_) => None,
            Contestant::Remote(address) => Some(address),
        }
    }
}

impl FromStr for Contestant {
    /// In words.
    type Err = String;

    fn from_str(text: &str) -> Result<Contestant, String> {
        let text = text.trim();
        match text.contains("://") {
            true => text.parse().map(Contestant::Remote).map_err(|error| format!("{error}")),
            false => text.parse().map(Contestant::Local).map_err(|error| format!("{error}")),
        }
    }
}

impl fmt::Display for Contestant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Contestant::Local(spec) => spec.fmt(f),
            Contestant::Remote(address) => address.fmt(f),
        }
    }
}
