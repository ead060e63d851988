//! What systems and people say to programs.

use std::io;

/// Waits until somebody asks the program to end: SIGTERM, or SIGINT as by Ctrl-C. It does not end by itself then, nor
/// later when it is asked again.
pub fn wait_for_signal() -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        #[cfg(unix)]
        {
            use tokio::signal::unix::{SignalKind, signal};
            let mut terminate = signal(SignalKind::terminate())?;
            tokio::select! {
                _ = terminate.recv() => Ok(()),
                interrupted = tokio::signal::ctrl_c() => interrupted,
            }
        }
        #[cfg(not(unix))]
        tokio::signal::ctrl_c().await
    })
}
