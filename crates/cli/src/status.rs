//! How a command ended, and what it says on the way.

use std::process::ExitCode;

use anstream::eprintln;

/// The exit status of a command; scripts rely on the numbers. 2, wrong usage, is clap's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Status {
    /// It did what was asked.
    Done,
    /// The input is wrong, and a message said how.
    WrongInput,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        match status {
            Status::Done => ExitCode::SUCCESS,
            Status::WrongInput => ExitCode::from(1),
        }
    }
}

/// Writes a message to standard error, in the manner of the diagnostics.
pub(crate) fn complain(message: &str, help: &str) {
    eprintln!("\x1b[1;31merror\x1b[0m: {message}\n  = help: {help}");
}
