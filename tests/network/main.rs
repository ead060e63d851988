//! The network player and the manager, over real sockets on this machine.

mod framing;
mod fuzzing;
mod hidden;
mod manager;
mod matches;
mod rules;
mod stand_in;
mod wire;
