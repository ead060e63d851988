//! Each diagnostic code has a sheet that shows it, and an entry in the documentation.
//!
//! `tests/diagnostics/<code>.kif` (or `.gdl`, in infix form) is a game with that problem, and
//! `<code>.txt` what is said of it. `UPDATE_EXPECT=1 cargo test` writes the latter anew.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use expect_test::expect_file;
use gdl::{Code, Colour, Diagnostic, Form, Source};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("diagnostics")
}

fn problems(source: &Source, form: Form) -> Vec<Diagnostic> {
    program::check(&gdl::parse(source.text(), form)).diagnostics
}

fn sheet_of(code: Code) -> PathBuf {
    let paths = ["kif", "gdl"].map(|ending| folder().join(format!("{code}.{ending}")));
    let found = paths.into_iter().find(|path| path.exists());
    found.unwrap_or_else(|| panic!("tests/diagnostics has no sheet for {code}"))
}

#[test]
fn each_code_has_a_sheet_that_shows_it() {
    for &code in Code::ALL {
        let path = sheet_of(code);
        let name = path.file_name().and_then(|name| name.to_str()).expect("plain names");
        let bytes = std::fs::read(&path).expect("it exists");
        let (source, mut found) = Source::decode(name, bytes).expect("it is small");
        found.extend(problems(&source, Form::guess(name, source.text())));
        assert!(found.iter().any(|problem| problem.code == code), "{name}: {found:?}");
        // Where there are many of a kind, the first and the last tell enough.
        let shown = found.iter().enumerate();
        let shown = shown.filter(|(place, _)| *place < 8 || place + 1 == found.len());
        let drawings = shown.map(|(_, p)| gdl::render(&source, p, Colour::Never) + "\n\n");
        let drawings: String = drawings.collect();
        expect_file![path.with_extension("txt")].assert_eq(&drawings);
    }
}

#[test]
fn each_sheet_is_for_a_code() {
    let known: BTreeSet<&str> = Code::ALL.iter().map(|code| code.name()).collect();
    for entry in std::fs::read_dir(folder()).expect("the folder exists") {
        let path = entry.expect("it can be read").path();
        let stem = path.file_stem().and_then(|stem| stem.to_str()).expect("plain names");
        assert!(known.contains(stem), "{stem} is no code");
    }
}

/// An entry of `docs/diagnostics.md`: its heading, and the code blocks below it.
struct Entry {
    name: String,
    severity: String,
    blocks: Vec<(Form, String)>,
}

fn entries() -> Vec<Entry> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/diagnostics.md");
    let text = std::fs::read_to_string(path).expect("the documentation exists");
    let mut entries: Vec<Entry> = Vec::new();
    let mut block: Option<(Form, String)> = None;
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix("### ") {
            let (name, severity) = heading.split_once(", ").expect("a heading is `code`, severity");
            let (name, severity) = (name.trim_matches('`').to_owned(), severity.to_owned());
            entries.push(Entry { name, severity, blocks: Vec::new() });
        } else if let Some((_, text)) = &mut block {
            if line == "```" {
                let entry = entries.last_mut().expect("blocks are in entries");
                entry.blocks.extend(block.take());
            } else {
                text.push_str(line);
                text.push('\n');
            }
        } else if let Some(form) = line.strip_prefix("```") {
            let form = if form == "prolog" { Form::Infix } else { Form::Kif };
            block = Some((form, String::new()));
        }
    }
    entries
}

#[test]
fn each_code_has_an_entry_in_the_documentation() {
    let entries = entries();
    let documented: Vec<(&str, &str)> =
        entries.iter().map(|entry| (entry.name.as_str(), entry.severity.as_str())).collect();
    let codes: Vec<(&str, String)> =
        Code::ALL.iter().map(|code| (code.name(), code.severity().to_string())).collect();
    let codes: Vec<(&str, &str)> = codes.iter().map(|(name, s)| (*name, s.as_str())).collect();
    assert_eq!(documented, codes);
}

/// The first block of an entry has the problem, and the last has it no more.
#[test]
fn the_examples_in_the_documentation_are_true() {
    for entry in entries() {
        let has = |(form, text): &(Form, String)| {
            let source = Source::new("example", text.as_str());
            problems(&source, *form).iter().any(|problem| problem.code.name() == entry.name)
        };
        let (Some(wrong), Some(right)) = (entry.blocks.first(), entry.blocks.last()) else {
            // Some problems cannot be shown in a text file.
            let unshown = ["control-character", "too-deep", "too-many-problems", "not-utf-8"];
            assert!(unshown.contains(&entry.name.as_str()));
            continue;
        };
        assert!(has(wrong), "{}: the first example does not show it", entry.name);
        assert!(!has(right), "{}: the last example still shows it", entry.name);
    }
}
