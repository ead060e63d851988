//! What goes on beside the work, on standard error.

use std::io::IsTerminal as _;

use tracing::Level;

/// From now on, what is at least so important is said.
pub(crate) fn begin(level: Level) {
    tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .with_target(false)
        .with_max_level(level)
        .init();
}
