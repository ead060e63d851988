//! The matches of a tournament that were played, in a file to which each is added when it is over.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{ErrorKind, Write as _};
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
    /// Which build of the program played it.
    pub(super) build: String,
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
            build: String::new(),
        }
    }
}

/// All matches so far.
pub(super) struct Results {
    path: PathBuf,
    rows: Vec<Row>,
    /// How much of the file is whole lines.
    n_bytes: u64,
    /// The file, when matches are added.
    file: Option<File>,
    build: String,
}

impl Results {
    /// Those of a file, if it is there. A last line that was cut off counts as not written.
    pub(super) fn read(path: &Path) -> Result<Results, Failure> {
        let bytes = match std::fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(failure(path, &error.to_string())),
        };
        let n_bytes = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        let mut rows = Vec::new();
        for (number, line) in bytes[..n_bytes].split_inclusive(|byte| *byte == b'\n').enumerate() {
            let row = serde_json::from_slice(line).map_err(|error| error.to_string());
            let row = row.and_then(|row: Row| match row.points.len() == row.players.len() {
                true => Ok(row),
                false => Err("there must be points for each player".to_owned()),
            });
            let at_line = |error: String| failure(path, &format!("line {}: {error}", number + 1));
            rows.push(row.map_err(at_line)?);
        }
        let (path, n_bytes) = (path.to_owned(), n_bytes as u64);
        Ok(Results { path, rows, n_bytes, file: None, build: build_id() })
    }

    /// Which build of the program this is.
    pub(super) fn build(&self) -> &str {
        &self.build
    }

    /// The matches of a cell, by their numbers, up to `n_matches`.
    pub(super) fn of(&self, cell: &Cell<'_>, n_matches: usize) -> BTreeMap<usize, &Row> {
        let rows = self.rows.iter().filter(|row| row.number < n_matches && cell.has(row));
        rows.map(|row| (row.number, row)).collect()
    }

    /// Makes the file ready for more matches: what was cut off is left out.
    pub(super) fn begin(&mut self) -> Result<(), Failure> {
        if self.file.is_none() {
            let file = OpenOptions::new().create(true).append(true).open(&self.path);
            let file = file.and_then(|file| file.set_len(self.n_bytes).map(|()| file));
            self.file = Some(file.map_err(|error| failure(&self.path, &error.to_string()))?);
        }
        Ok(())
    }

    /// Adds a match, and writes it down.
    pub(super) fn add(&mut self, row: Row) -> Result<(), Failure> {
        self.begin()?;
        let row = Row { build: self.build.clone(), ..row };
        let line = serde_json::to_string(&row).expect("rows are JSON") + "\n";
        if let Some(file) = &mut self.file {
            let written = file.write_all(line.as_bytes());
            written.map_err(|error| failure(&self.path, &error.to_string()))?;
        }
        self.rows.push(row);
        Ok(())
    }
}

fn failure(path: &Path, message: &str) -> Failure {
    Failure {
        message: format!("{}: {message}", path.display()),
        help: "name another file with --results".to_owned(),
    }
}

/// What tells builds of the program from each other: a hash of the program.
fn build_id() -> String {
    let mut hasher = DefaultHasher::new();
    let program = std::env::current_exe().and_then(std::fs::read).unwrap_or_default();
    program.hash(&mut hasher);
    format!("{}-{:016x}", env!("CARGO_PKG_VERSION"), hasher.finish())
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
            let row = Row { points: vec![1.0, 0.0], ..cell.row(number) };
            results.add(row).expect("it can be written");
        }
        let text = std::fs::read_to_string(&path).expect("it was written");
        std::fs::write(&path, &text[..text.len() - 20]).expect("it can be written");
        let mut again = Results::read(&path).expect("only the last line is not whole");
        assert_eq!(again.of(&cell, 10).keys().copied().collect::<Vec<_>>(), [0, 1]);
        assert_eq!(again.of(&cell, 1).len(), 1);
        let slower = Cell { clocks: Clocks { play: 1.0, ..clocks }, ..cell };
        assert!(again.of(&slower, 10).is_empty());
        again.begin().expect("it can be written");
        assert_eq!(std::fs::read_to_string(&path).expect("it is there").lines().count(), 2);
        std::fs::write(&path, "{}\n").expect("it can be written");
        assert!(Results::read(&path).is_err());
        std::fs::remove_file(&path).expect("it was written");
    }
}
