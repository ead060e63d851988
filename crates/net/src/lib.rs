//! General game playing over the network.
//!
//! A [`NetworkPlayer`] is what managers talk to: it plays one match or several, and a [`Server`] lets it listen. The
//! messages are those of the crate `protocol`; how they come over the wire is `http` and what is on it.
//!
//! The other way round, a [`RemoteAgent`] is a player elsewhere who takes part in a match that is played here, and a
//! [`Publisher`] tells a server how matches go on.

mod address;
mod connection;
mod contestant;
mod exchange;
mod http;
mod listener;
mod match_thread;
mod network_player;
mod preparation;
mod promise;
mod publisher;
mod remote;
mod signal;
mod status;

pub use address::{AddressError, Dialect, PlayerAddress, PublishAddress, USUAL_PORT};
pub use contestant::Contestant;
pub use ipnet::IpNet;
pub use listener::{Listening, Server};
pub use network_player::{NetworkPlayer, PlayerSettings};
pub use publisher::Publisher;
pub use remote::{RemoteAgent, RemoteGame, RemoteMatch, ask_for_info, is_listening};
pub use signal::wait_for_signal;
pub use status::{Doing, MatchStatus, PlayerStatus};
