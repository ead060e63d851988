//! Ctrl-C while much is done: it ends in good order, and what is done is not lost.

use anstream::eprintln;
use base::Stop;

use crate::status::Status;

/// A wish that is made when somebody asks the program to end. Who asks again does not wait any longer.
pub(crate) fn stop_on_signal() -> Stop {
    let stop = Stop::new();
    let wish = stop.clone();
    let wait = move || {
        if net::wait_for_signal().is_ok() {
            wish.wish();
            eprintln!("breaking off; Ctrl-C again ends at once");
        }
        if net::wait_for_signal().is_ok() {
            Status::Interrupted.exit();
        }
    };
    // Without a thread, the program ends as programs do.
    let _ = std::thread::Builder::new().name("signals".to_owned()).spawn(wait);
    stop
}
