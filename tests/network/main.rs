//! The network player and the manager, over real sockets on this machine.

mod access;
mod framing;
mod fuzzing;
mod hidden;
mod manager;
mod matches;
mod publishing;
mod rules;
mod stand_in;
mod wire;
