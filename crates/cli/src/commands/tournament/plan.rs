//! What a tournament is: a file in TOML.

use std::collections::BTreeMap;

use net::Contestant;
use serde::Deserialize;

use crate::sheet::read_named;
use crate::status::Failure;

/// A tournament, as it stands in its file.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct Plan {
    /// What it is about.
    pub(super) title: String,
    /// The games, embedded ones or paths: the rows of the table.
    pub(super) games: Vec<String>,
    /// How many matches a cell has.
    pub(super) matches: usize,
    /// Seconds before a match, and for each move.
    #[serde(default = "one_second")]
    start_clock: f64,
    #[serde(default = "one_second")]
    play_clock: f64,
    /// In the place of clocks: random plays for each move.
    nodes: Option<u64>,
    #[serde(default)]
    pub(super) seed: u64,
    /// Whether players on the network are told invented names.
    #[serde(default)]
    pub(super) scramble: bool,
    #[serde(rename = "column")]
    pub(super) columns: Vec<Column>,
}

/// Players against each other: a column of the table.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct Column {
    /// The players. The table is about the first.
    players: Vec<String>,
    /// How many matches a cell has, and seconds for each move, if they are others than those of the tournament.
    pub(super) matches: Option<usize>,
    play_clock: Option<f64>,
    /// By game: what somebody else has published for the first player, in percent. Without it the column is about all
    /// games, otherwise about these.
    #[serde(default)]
    pub(super) published: BTreeMap<String, f64>,
}

fn one_second() -> f64 {
    1.0
}

/// How long players may think, where that is not as the file has it.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(super) struct Scale {
    /// How many matches a cell has
    #[arg(long, value_name = "N")]
    pub(super) matches: Option<usize>,
    /// Seconds before a match
    #[arg(long, value_name = "S")]
    start_clock: Option<f64>,
    /// Seconds for each move, in all columns
    #[arg(long, value_name = "S")]
    play_clock: Option<f64>,
    /// So many random plays for each move in the place of clocks
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
}

/// The clocks of a column.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Clocks {
    pub(super) start: f64,
    pub(super) play: f64,
    pub(super) nodes: Option<u64>,
}

impl Plan {
    /// Reads a tournament.
    pub(super) fn read(path: &str) -> Result<Plan, Failure> {
        let (name, bytes) = read_named(path);
        let help = "see experiments/constraints2016-table3/config.toml for one that works";
        let failure = |message: String| Failure { message, help: help.to_owned() };
        let bytes = bytes.map_err(|error| failure(format!("{name} cannot be read: {error}")))?;
        let text = String::from_utf8(bytes);
        let text = text.map_err(|_| failure(format!("{name} is no text in UTF-8")))?;
        let plan: Plan =
            toml::from_str(&text).map_err(|error| failure(format!("{name}: {error}")))?;
        let published = plan.columns.iter().flat_map(|column| column.published.keys());
        match published.into_iter().find(|game| !plan.games.contains(game)) {
            Some(game) => Err(failure(format!("{name}: {game} is published, but no game here"))),
            None => Ok(plan),
        }
    }

    /// The clocks of a column, or what is wrong with them.
    pub(super) fn clocks(&self, column: &Column, scale: Scale) -> Result<Clocks, Failure> {
        let named = scale.play_clock.or(column.play_clock);
        let clocks = Clocks {
            start: scale.start_clock.unwrap_or(self.start_clock),
            play: named.unwrap_or(self.play_clock),
            // Who names a clock does not want plays to be counted.
            nodes: scale.nodes.or(self.nodes.filter(|_| named.is_none())),
        };
        let is_time = |seconds: f64| seconds.is_finite() && seconds >= 0.0;
        if is_time(clocks.start) && is_time(clocks.play) {
            return Ok(clocks);
        }
        Err(Failure {
            message: format!("{} s and {} s are no clocks", clocks.start, clocks.play),
            help: "clocks are seconds from 0 on".to_owned(),
        })
    }
}

impl Column {
    /// The players, or what is wrong with their names.
    pub(super) fn players(&self) -> Result<Vec<Contestant>, Failure> {
        let parsed = self.players.iter().map(|name| name.parse::<Contestant>());
        parsed.collect::<Result<_, _>>().map_err(|message| Failure {
            message,
            help: "docs/players.md has all players and their parameters".to_owned(),
        })
    }

    /// Whether the column is about a game.
    pub(super) fn has(&self, game: &str) -> bool {
        self.published.is_empty() || self.published.contains_key(game)
    }

    /// What it is called in tables: its players, and the clock if columns have clocks of their own.
    pub(super) fn title(&self, clocks: Clocks) -> String {
        let (first, others) = self.players.split_first().map_or(("", &[][..]), |(f, o)| (f, o));
        let own = self.play_clock.filter(|_| clocks.nodes.is_none());
        let clock = own.map(|_| format!(", {} s", clocks.play)).unwrap_or_default();
        match others {
            [] => format!("{first}{clock}"),
            _ => format!("{first} against {}{clock}", others.join(" and ")),
        }
    }
}
