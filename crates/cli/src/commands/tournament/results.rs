//! The matches of a tournament that were played, in a file to which each is added when it is over.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::plan::Clocks;
use crate::status::Failure;

/// A match, as a line of the file.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub(super) struct Row {
    pub(super) game: String,
    /// As they are named in the tournament, the one that the table is about first.
    pub(super) players: Vec<String>,
    pub(super) start_clock: f64,
    pub(super) play_clock: f64,
    pub(super) nodes: Option<u64>,
    pub(super) seed: u64,
    /// Which match of its cell it is, from 0 on.
    pub(super) number: usize,
    /// By player: what it got of 1.
    pub(super) points: Vec<f64>,
    /// How many joint moves there were, how long it took, and what went wrong.
    pub(super) moves: usize,
    pub(super) seconds: f64,
    pub(super) errors: Vec<String>,
    pub(super) version: String,
}

/// Which cell of the table a match belongs to.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Cell<'a> {
    pub(super) game: &'a str,
    pub(super) players: Vec<String>,
    pub(super) clocks: Clocks,
    pub(super) seed: u64,
}

impl Cell<'_> {
    fn has(&self, row: &Row) -> bool {
        let Clocks { start, play, nodes } = self.clocks;
        let is_same_time = nodes.is_some() || row.start_clock == start && row.play_clock == play;
        row.game == self.game
            && row.players == self.players
            && row.nodes == nodes
            && is_same_time
            && row.seed == self.seed
    }

    /// A match of the cell of which nothing is known yet.
    pub(super) fn row(&self, number: usize) -> Row {
        Row {
            game: self.game.to_owned(),
            players: self.players.clone(),
            start_clock: self.clocks.start,
            play_clock: self.clocks.play,
            nodes: self.clocks.nodes,
            seed: self.seed,
            number,
            points: Vec::new(),
            moves: 0,
            seconds: 0.0,
            errors: Vec::new(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }
}

/// All matches so far.
pub(super) struct Results {
    path: PathBuf,
    rows: Vec<Row>,
}

impl Results {
    /// Those of a file, if it is there. A last line that was cut off counts as not written.
    pub(super) fn read(path: &Path) -> Result<Results, Failure> {
        let failure = |message: String| Failure {
            message: format!("{}: {message}", path.display()),
            help: "name another file with --results".to_owned(),
        };
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(failure(error.to_string())),
        };
        let n_lines = text.lines().count();
        let mut rows = Vec::new();
        for (number, line) in text.lines().enumerate() {
            match serde_json::from_str(line) {
                Ok(row) => rows.push(row),
                Err(_) if number + 1 == n_lines && !text.ends_with('\n') => {}
                Err(error) => return Err(failure(format!("line {}: {error}", number + 1))),
            }
        }
        let results = Results { path: path.to_owned(), rows };
        if !text.is_empty() && !text.ends_with('\n') {
            results.write_anew().map_err(|error| failure(error.to_string()))?;
        }
        Ok(results)
    }

    /// The matches of a cell, by their numbers, up to `n_matches`.
    pub(super) fn of(&self, cell: &Cell<'_>, n_matches: usize) -> BTreeMap<usize, &Row> {
        let rows = self.rows.iter().filter(|row| row.number < n_matches && cell.has(row));
        rows.map(|row| (row.number, row)).collect()
    }

    /// Adds a match, and writes it down.
    pub(super) fn add(&mut self, row: Row) -> Result<(), Failure> {
        let line = serde_json::to_string(&row).expect("rows are JSON");
        let file = OpenOptions::new().create(true).append(true).open(&self.path);
        let written = file.and_then(|mut file| file.write_all(format!("{line}\n").as_bytes()));
        written.map_err(|error| Failure {
            message: format!("{}: {error}", self.path.display()),
            help: "name a file that can be written with --results".to_owned(),
        })?;
        self.rows.push(row);
        Ok(())
    }

    fn write_anew(&self) -> std::io::Result<()> {
        let lines = self.rows.iter().map(|row| serde_json::to_string(row).expect("rows are JSON"));
        let text: String = lines.map(|line| line + "\n").collect();
        std::fs::write(&self.path, text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_cut_off_is_played_again() {
        let name = format!("woodstock-results-{}.jsonl", std::process::id());
        let path = std::env::temp_dir().join(name);
        let clocks = Clocks { start: 1.0, play: 0.25, nodes: None };
        let players = vec!["uct".to_owned(), "random".to_owned()];
        let cell = Cell { game: "hex", players, clocks, seed: 1 };
        let mut results = Results::read(&path).expect("there is nothing yet");
        for number in [0, 1, 2] {
            results.add(cell.row(number)).expect("it can be written");
        }
        let text = std::fs::read_to_string(&path).expect("it was written");
        std::fs::write(&path, &text[..text.len() - 20]).expect("it can be written");
        let again = Results::read(&path).expect("only the last line is not whole");
        assert_eq!(again.of(&cell, 10).keys().copied().collect::<Vec<_>>(), [0, 1]);
        assert_eq!(again.of(&cell, 1).len(), 1);
        let slower = Cell { clocks: Clocks { play: 1.0, ..clocks }, ..cell };
        assert!(again.of(&slower, 10).is_empty());
        assert_eq!(std::fs::read_to_string(&path).expect("it is there").lines().count(), 2);
        std::fs::remove_file(&path).expect("it was written");
    }
}
