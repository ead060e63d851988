//! `woodstock fmt`

use anstream::{eprintln, print, println};
use gdl::{Colour, Form};
use serde::Serialize;

use crate::sheet::{FormArgument, Sheet};
use crate::status::{Failure, Status};

/// Print a rule sheet in canonical form
///
/// Facts stand on one line, each condition of a rule on its own; comments and single blank lines
/// are kept. What is written in a roundabout way, such as (p) for p, is written plainly. A text
/// that cannot be read is not printed, so that nothing is lost.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: woodstock fmt my-game.kif > tidy.kif\n         \
                        woodstock fmt --to infix tic-tac-toe")]
pub(crate) struct Arguments {
    /// The rule sheet: an embedded game, a path, or - for standard input
    game: String,
    /// Read the sheet in this form [default: by its name or its text]
    #[arg(long, value_name = "FORM")]
    from: Option<FormArgument>,
    /// Print the sheet in this form [default: as it was read]
    #[arg(long, value_name = "FORM")]
    to: Option<FormArgument>,
    /// Print one JSON object: file, form and text
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Output<'a> {
    file: &'a str,
    form: &'static str,
    text: String,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Status, Failure> {
    let sheet = Sheet::read(&arguments.game, arguments.from)?;
    if sheet.parse.has_errors() {
        for problem in sheet.parse.diagnostics.iter().filter(|problem| problem.is_error()) {
            eprintln!("{}\n", gdl::render(&sheet.source, problem, Colour::Always));
        }
        return Ok(Status::WrongInput);
    }
    let form = arguments.to.map_or(sheet.form, Form::from);
    let text = gdl::format(sheet.source.text(), &sheet.parse.ast, form);
    if arguments.json {
        let form = if form == Form::Kif { "kif" } else { "infix" };
        let output = Output { file: &arguments.game, form, text };
        println!("{}", serde_json::to_string(&output).expect("strings are JSON"));
    } else {
        print!("{text}");
    }
    Ok(Status::Done)
}
