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
    /// Somebody interrupted it, and it said what was done by then.
    Interrupted,
}

impl Status {
    fn number(self) -> u8 {
        match self {
            Status::Done => 0,
            Status::WrongInput => 1,
            Status::LimitReached => 3,
            // As shells have it: 128, and the number of SIGINT.
            Status::Interrupted => 130,
        }
    }

    /// Ends the program at once.
    pub(crate) fn exit(self) -> ! {
        std::process::exit(i32::from(self.number()))
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(status.number())
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
