//! The corpus of public rule sheets, for tests and measurements. It is not part of the project:
//! `WOODSTOCK_CORPUS` names its folder, or it stands beside the project as `shared/games`.
//! Without it, what needs it says so and does nothing.

mod conformity;
mod stages;

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use gdl::{Form, Source};

pub use conformity::{
    assert_forgets_what_was_asked, assert_formulas_of_phases, assert_like_single_plays,
    assert_look_ahead, assert_plays_cut_off, assert_plays_from_states, assert_replies,
    assert_stages, states_of_a_play,
};
pub use stages::{Compared, compare_stage};

/// The corpus.
#[derive(Clone, Debug)]
pub struct Corpus {
    folder: PathBuf,
    /// The sheets in the order of the index.
    pub sheets: Vec<Sheet>,
}

/// A rule sheet and its row of the index.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// The path in the corpus.
    pub file: String,
    /// `kif`, `prolog` or `hrf`.
    pub syntax: String,
    /// `ok`, or what an independent reasoner found.
    pub status: String,
    /// The text as bytes.
    pub bytes: Vec<u8>,
}

impl Corpus {
    /// The corpus, or `None`, after saying so, when there is none.
    ///
    /// # Panics
    /// When `WOODSTOCK_CORPUS` names a folder that is no corpus.
    pub fn find() -> Option<Corpus> {
        let named = std::env::var_os("WOODSTOCK_CORPUS").map(PathBuf::from);
        let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/games");
        match named {
            Some(folder) => Some(Corpus::read(folder)),
            None if beside.is_dir() => Some(Corpus::read(beside)),
            None => {
                // Not by a macro: the test harness swallows what those write.
                let message = "skipped: there is no corpus; name its folder by WOODSTOCK_CORPUS\n";
                let written = std::io::stderr().write_all(message.as_bytes());
                written.expect("standard error can be written");
                None
            }
        }
    }

    /// The text of a file of the corpus that is no rule sheet.
    ///
    /// # Panics
    /// When it cannot be read.
    pub fn text(&self, file: &str) -> String {
        String::from_utf8(read(&self.folder.join(file))).expect("the corpus's own files are UTF-8")
    }

    fn read(folder: PathBuf) -> Corpus {
        let index = String::from_utf8(read(&folder.join("index.tsv"))).expect("the index is UTF-8");
        let mut lines = index.lines().map(|line| line.split('\t').collect::<Vec<&str>>());
        let header = lines.next().expect("the index has a header");
        let sheets = lines.map(|row| {
            let row: HashMap<&str, &str> = header.iter().copied().zip(row).collect();
            Sheet {
                file: row["file"].to_owned(),
                syntax: row["syntax"].to_owned(),
                status: row["status"].to_owned(),
                bytes: read(&folder.join(row["file"])),
            }
        });
        Corpus { sheets: sheets.collect(), folder }
    }
}

impl Sheet {
    /// Whether this is a small input for parsers rather than a game.
    pub fn is_test_case(&self) -> bool {
        self.file.starts_with("testcases/")
    }

    /// Whether the sheet must load: evaluated without problem, or infix.
    pub fn must_load(&self) -> bool {
        !self.is_test_case() && (self.status == "ok" || self.syntax != "kif")
    }

    /// The sheet as text.
    ///
    /// # Panics
    /// When the sheet is too large, which none of the corpus is.
    pub fn source(&self) -> Source {
        Source::decode(&self.file, self.bytes.clone()).expect("small enough").0
    }

    /// The form in which the program reads the sheet.
    pub fn form(&self) -> Form {
        Form::guess(&self.file, self.source().text())
    }
}

fn read(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
