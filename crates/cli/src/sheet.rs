//! From what a person calls a game to its rules.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use clap::ValueEnum;
use gdl::{Diagnostic, Form, Parse, Source, TooLarge};

use crate::status::Failure;

/// A rule sheet that was read.
pub(crate) struct Sheet {
    pub(crate) source: Source,
    pub(crate) form: Form,
    pub(crate) parse: Parse,
}

/// The form of a rule sheet, as an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum FormArgument {
    /// Prefix, as it is sent to players: (<= head condition ...)
    Kif,
    /// As in papers: head :- condition, ...
    Infix,
}

/// The game that a command is about.
#[derive(clap::Args, Debug)]
pub(crate) struct GameArgument {
    /// The game: an embedded one, a path, or - for standard input
    pub(crate) game: String,
    /// Read the sheet in this form [default: by its name or its text]
    #[arg(long, value_name = "FORM")]
    pub(crate) from: Option<FormArgument>,
}

impl Sheet {
    /// The rules of `game`: an embedded one, a file, or `-` for standard input.
    pub(crate) fn read(game: &str, form: Option<FormArgument>) -> Result<Sheet, Failure> {
        let (source, mut problems) = source(game)?;
        let guess = || Form::guess(source.name(), source.text());
        let form = form.map_or_else(guess, Form::from);
        let mut parse = gdl::parse(source.text(), form);
        problems.append(&mut parse.diagnostics);
        parse.diagnostics = problems;
        Ok(Sheet { source, form, parse })
    }
}

fn source(game: &str) -> Result<(Source, Vec<Diagnostic>), Failure> {
    if let Some(embedded) = games::find(game) {
        let name = format!("{game}.kif");
        return Ok((Source::new(name, embedded.rules), Vec::new()));
    }
    let (name, bytes) = read_named(game);
    let bytes = bytes.map_err(|error| Failure {
        message: format!("{name} cannot be read: {error}"),
        help: help_for_missing(game),
    })?;
    Source::decode(name, bytes).map_err(|TooLarge| Failure {
        message: format!("{name} has more than {} bytes", Source::MAX_BYTES),
        help: "check that it is a rule sheet".to_owned(),
    })
}

/// What people call an input, and its bytes: a file, or `-` for standard input.
pub(crate) fn read_named(path: &str) -> (&str, std::io::Result<Vec<u8>>) {
    match path {
        "-" => ("standard input", read_limited(std::io::stdin())),
        _ => (path, File::open(path).and_then(read_limited)),
    }
}

/// Writes a file.
pub(crate) fn write_file(path: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text).map_err(|error| Failure {
        message: format!("{}: {error}", path.display()),
        help: "name a file that can be written".to_owned(),
    })
}

/// Puts a text in the place of a file, so that whoever reads it sees either the old one or the new one.
pub(crate) fn replace_file(path: &Path, text: &str) -> Result<(), Failure> {
    let beside = path.with_extension("part");
    write_file(&beside, text)?;
    std::fs::rename(&beside, path).map_err(|error| Failure {
        message: format!("{}: {error}", path.display()),
        help: "name a file that can be written".to_owned(),
    })
}

/// Reads up to one byte more than a sheet may have, so that an endless file ends.
fn read_limited(file: impl Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(Source::MAX_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Most likely a slip in the name of an embedded game, or a path from another folder.
pub(crate) fn help_for_missing(game: &str) -> String {
    let likeness = |name: &str| strsim::jaro_winkler(name, game);
    let nearest = games::all()
        .iter()
        .map(|embedded| embedded.name.as_str())
        .max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    match nearest {
        Some(name) if likeness(name) > 0.8 && !Path::new(game).exists() => {
            format!("did you mean `{name}`?")
        }
        _ => "give the path of a rule sheet, or a name that `woodstock games` lists".to_owned(),
    }
}

impl From<FormArgument> for Form {
    fn from(form: FormArgument) -> Form {
        match form {
            FormArgument::Kif => Form::Kif,
            FormArgument::Infix => Form::Infix,
        }
    }
}
