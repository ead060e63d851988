//! `woodstock check`

use anstream::println;
use gdl::{Colour, Diagnostic, Source};
use serde::Serialize;

use crate::sheet::{FormArgument, Sheet};
use crate::status::{Failure, Status};

/// Say everything that is wrong with a rule sheet
///
/// Errors make a game unplayable; warnings say how something unusual was read. Each has a place,
/// a code that docs/diagnostics.md explains, and a cure.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: woodstock check my-game.kif\n         \
                        woodstock check --json games/*.kif | jq 'select(.ok | not) | .file'")]
pub(crate) struct Arguments {
    /// The rule sheets: embedded games, paths, or - for standard input
    #[arg(required = true)]
    games: Vec<String>,
    /// Read the sheets in this form [default: by their names or texts]
    #[arg(long, value_name = "FORM")]
    from: Option<FormArgument>,
    /// Show errors only
    #[arg(long, short)]
    quiet: bool,
    /// Print one JSON object a file and line
    #[arg(long)]
    json: bool,
}

/// The findings on one file.
struct Report {
    file: String,
    outcome: Result<Findings, Failure>,
}

struct Findings {
    source: Source,
    diagnostics: Vec<Diagnostic>,
    /// What the game is, when it has no errors.
    summary: Option<String>,
}

pub(crate) fn run(arguments: &Arguments) -> Status {
    let mut status = Status::Done;
    for game in &arguments.games {
        let report = examine(game, arguments.from);
        if !report.is_ok() {
            status = Status::WrongInput;
        }
        if arguments.json {
            report.print_json();
        } else {
            report.print(arguments.quiet);
        }
    }
    status
}

fn examine(game: &str, form: Option<FormArgument>) -> Report {
    let findings = |sheet: Sheet| {
        let checked = program::check(&sheet.parse);
        let summary = checked.program.as_ref().map(summary);
        Findings { source: sheet.source, diagnostics: checked.diagnostics, summary }
    };
    Report { file: game.to_owned(), outcome: Sheet::read(game, form).map(findings) }
}

/// What a sound game is, in a few words.
fn summary(program: &program::Program) -> String {
    let symbols = program.symbols();
    let roles: Vec<&str> = program.roles().iter().map(|&role| symbols.name(role)).collect();
    let language = if program.has_percepts() { ", GDL-II" } else { "" };
    let n_rules = program.rules().len();
    format!("{n_rules} rules and facts, roles {}{language}", roles.join(", "))
}

impl Report {
    fn is_ok(&self) -> bool {
        self.outcome.as_ref().is_ok_and(|findings| findings.summary.is_some())
    }

    fn print(&self, is_quiet: bool) {
        let findings = match &self.outcome {
            Ok(findings) => findings,
            Err(failure) => return failure.print(),
        };
        for problem in &findings.diagnostics {
            if problem.is_error() || !is_quiet {
                println!("{}\n", gdl::render(&findings.source, problem, Colour::Always));
            }
        }
        let counts = findings.counts();
        match &findings.summary {
            Some(summary) if counts.is_empty() => {
                println!("{}: \x1b[1;32mok\x1b[0m ({summary})", self.file);
            }
            Some(summary) => {
                println!("{}: \x1b[1;32mok\x1b[0m, with {counts} ({summary})", self.file);
            }
            None => println!("{}: \x1b[1;31mnot playable\x1b[0m, {counts}", self.file),
        }
    }

    fn print_json(&self) {
        let line = Line::of(self);
        println!("{}", serde_json::to_string(&line).expect("strings and numbers are JSON"));
    }
}

impl Findings {
    /// `2 errors, 1 warning`, or nothing.
    fn counts(&self) -> String {
        let n_errors = self.diagnostics.iter().filter(|problem| problem.is_error()).count();
        let n_warnings = self.diagnostics.len() - n_errors;
        let count = |n: usize, word: &str| match n {
            0 => None,
            1 => Some(format!("1 {word}")),
            _ => Some(format!("{n} {word}s")),
        };
        let counts = [count(n_errors, "error"), count(n_warnings, "warning")];
        counts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

/// What `--json` prints of a file; scripts rely on the keys.
#[derive(Serialize)]
struct Line<'a> {
    file: &'a str,
    ok: bool,
    errors: Vec<Problem<'a>>,
    warnings: Vec<Problem<'a>>,
}

#[derive(Serialize)]
struct Problem<'a> {
    code: &'a str,
    line: usize,
    column: usize,
    message: &'a str,
    help: &'a str,
}

impl<'a> Line<'a> {
    fn of(report: &'a Report) -> Line<'a> {
        let (errors, warnings) = match &report.outcome {
            Ok(findings) => {
                let problem = |diagnostic| Problem::of(&findings.source, diagnostic);
                let (errors, warnings): (Vec<&Diagnostic>, Vec<&Diagnostic>) =
                    findings.diagnostics.iter().partition(|problem| problem.is_error());
                let all = |list: Vec<&'a Diagnostic>| list.into_iter().map(problem).collect();
                (all(errors), all(warnings))
            }
            Err(Failure { message, help }) => {
                let code = "cannot-read";
                (vec![Problem { code, line: 1, column: 1, message, help }], Vec::new())
            }
        };
        Line { file: &report.file, ok: report.is_ok(), errors, warnings }
    }
}

impl<'a> Problem<'a> {
    fn of(source: &Source, diagnostic: &'a Diagnostic) -> Problem<'a> {
        let position = source.position(diagnostic.span.start);
        Problem {
            code: diagnostic.code.name(),
            line: position.line,
            column: position.column,
            message: &diagnostic.message,
            help: &diagnostic.help,
        }
    }
}
