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
    /// A limit was reached before it was done.
    LimitReached,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        match status {
            Status::Done => ExitCode::SUCCESS,
            Status::WrongInput => ExitCode::from(1),
            Status::LimitReached => ExitCode::from(3),
        }
    }
}

/// Why a command could not do what was asked, and what would help.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) message: String,
    pub(crate) help: String,
}

impl Failure {
    /// Writes it to standard error, in the manner of the diagnostics.
    pub(crate) fn print(&self) {
        eprintln!("\x1b[1;31merror\x1b[0m: {}\n  = help: {}", self.message, self.help);
    }
}
