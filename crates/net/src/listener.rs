//! Where managers connect.
//!
//! A thread waits for connections and for what comes over them; none of them can hold up another. Whoever takes too
//! long, sends too much, or keeps too many connections open is closed.

use std::collections::BTreeMap;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use ipnet::IpNet;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::watch;
use tokio::task::AbortHandle;
use tracing::{error, info};

use crate::connection::Connection;
use crate::network_player::NetworkPlayer;
use crate::preparation::locked;

/// Where a player listens, and to whom.
#[derive(Clone, Debug)]
pub struct Listening {
    /// The address and port; port 0 is any that is free.
    pub address: SocketAddr,
    /// Who may connect; empty for all.
    pub allowed: Vec<IpNet>,
    /// What must be said to see the status; without it only this machine may.
    pub token: Option<String>,
}

impl Listening {
    /// On this machine alone.
    pub fn on_loopback(port: u16) -> Listening {
        let address = SocketAddr::from(([127, 0, 0, 1], port));
        Listening { address, allowed: Vec::new(), token: None }
    }

    fn allows(&self, peer: IpAddr) -> bool {
        // An address of IPv4 may come as one of IPv6.
        let peer = peer.to_canonical();
        self.allowed.is_empty() || self.allowed.iter().any(|net| net.contains(&peer))
    }
}

/// A network player that listens. It stops when it is dropped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    player: Arc<NetworkPlayer>,
    stop: watch::Sender<bool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Begins to listen.
    pub fn start(player: NetworkPlayer, listening: Listening) -> io::Result<Server> {
        // What is long is read beside, a few at the same time.
        let runtime = tokio::runtime::Builder::new_current_thread()
            .max_blocking_threads(2)
            .enable_all()
            .build()?;
        let listener = runtime.block_on(async { listen(listening.address) })?;
        let address = listener.local_addr()?;
        let player = Arc::new(player);
        let (stop, is_stopped) = watch::channel(false);
        let hall = Arc::new(Hall {
            listening,
            player: player.clone(),
            idle: Mutex::default(),
            n_open: AtomicUsize::new(0),
            n_bytes: AtomicUsize::new(0),
        });
        let thread = std::thread::Builder::new().name("listening".to_owned()).spawn(move || {
            runtime.block_on(hall.listen(listener, is_stopped));
            // Whoever still has to hear an answer gets a moment for it.
            runtime.shutdown_timeout(Duration::from_millis(100));
        })?;
        Ok(Server { address, player, stop, thread: Some(thread) })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The player.
    pub fn player(&self) -> &NetworkPlayer {
        &self.player
    }
}

impl Drop for Server {
    /// Ends all matches, gives the answers that are owed, and closes.
    fn drop(&mut self) {
        self.player.close();
        let _ = self.stop.send(true);
        self.thread.take().into_iter().for_each(|thread| drop(thread.join()));
    }
}

/// A listener at an address, also if there was another one a moment ago.
fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    /// Who comes when so many wait to be let in has to come again a second later.
    const MAX_WAITING: u32 = 4_096;
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(MAX_WAITING)
}

/// What connections have in common.
#[derive(Debug)]
pub(crate) struct Hall {
    pub(crate) listening: Listening,
    pub(crate) player: Arc<NetworkPlayer>,
    /// Connections that may be closed to have room for others, those first that miss least, and since when.
    idle: Mutex<BTreeMap<(Idle, u64), (AbortHandle, Instant)>>,
    n_open: AtomicUsize,
    /// What all of them keep of what has come.
    n_bytes: AtomicUsize,
}

/// What a connection waits for that nobody thinks about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Idle {
    /// That the other side, which was answered, closes.
    Answered,
    /// That all comes that is to come.
    Reading,
}

/// More connections are not open at the same time: systems usually allow 1,024 files.
const MAX_OPEN: usize = 800;

/// All connections together keep no more bytes of what has come, but for what is short.
const MAX_BYTES: usize = 128 << 20;

/// Messages that are not longer are short: they are read in no time.
pub(crate) const MAX_SHORT: usize = 64 << 10;

impl Hall {
    async fn listen(self: Arc<Self>, listener: TcpListener, mut is_stopped: watch::Receiver<bool>) {
        /// Where the system has no room for a connection, it may have later.
        const PAUSE: Duration = Duration::from_millis(20);
        let mut number = 0;
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                _ = is_stopped.changed() => break,
            };
            match accepted {
                Ok((_, peer)) if !self.listening.allows(peer.ip()) => {
                    info!(%peer, "not allowed to connect");
                }
                Ok((stream, peer)) => {
                    number += 1;
                    tokio::select! {
                        () = self.make_room() => self.admit(number, stream, peer),
                        _ = is_stopped.changed() => break,
                    }
                }
                Err(problem) => {
                    error!("no connection: {problem}");
                    self.close_the_oldest(Duration::ZERO);
                    tokio::time::sleep(PAUSE).await;
                }
            }
        }
        self.wait_for_answers().await;
    }

    fn admit(self: &Arc<Self>, number: u64, stream: TcpStream, peer: SocketAddr) {
        self.n_open.fetch_add(1, Ordering::Relaxed);
        let guest = Guest { hall: self.clone(), number, task: None, n_bytes: 0 };
        let connection = Connection::new(guest, stream, peer);
        // It cannot run before this function ends: there is one thread.
        let task = tokio::spawn(connection.run());
        let since = (task.abort_handle(), Instant::now());
        locked(&self.idle).insert((Idle::Reading, number), since);
    }

    /// Waits until there is room for another connection, while others wait to be let in.
    async fn make_room(&self) {
        /// Whoever says something at once has said it by then, also to a busy machine.
        const PATIENCE: Duration = Duration::from_millis(300);
        const BETWEEN: Duration = Duration::from_millis(2);
        while self.n_open.load(Ordering::Relaxed) >= MAX_OPEN {
            match self.close_the_oldest(PATIENCE) {
                true => tokio::task::yield_now().await,
                false => tokio::time::sleep(BETWEEN).await,
            }
        }
    }

    /// Closes one that was answered, or else the one that has been sending for the longest time, if that is so long.
    /// Tells whether there is one.
    fn close_the_oldest(&self, patience: Duration) -> bool {
        let mut idle = locked(&self.idle);
        let oldest = idle.first_entry().filter(|oldest| {
            oldest.key().0 == Idle::Answered || oldest.get().1.elapsed() >= patience
        });
        oldest.map(|oldest| oldest.remove().0.abort()).is_some()
    }

    /// Lets those who wait for an answer have it; there are few, and all matches have ended.
    async fn wait_for_answers(&self) {
        const BETWEEN: Duration = Duration::from_millis(10);
        const N_TIMES: usize = 100;
        while self.close_the_oldest(Duration::ZERO) {}
        for _ in 0..N_TIMES {
            if self.n_open.load(Ordering::Relaxed) == 0 {
                break;
            }
            tokio::time::sleep(BETWEEN).await;
        }
    }
}

/// A connection, as others count it.
#[derive(Debug)]
pub(crate) struct Guest {
    pub(crate) hall: Arc<Hall>,
    number: u64,
    /// What runs it, while it is not idle.
    task: Option<AbortHandle>,
    /// How much it keeps of what has come.
    n_bytes: usize,
}

impl Guest {
    /// All has come that was to come.
    pub(crate) fn has_read(&mut self) {
        let idle = locked(&self.hall.idle).remove(&(Idle::Reading, self.number));
        self.task = idle.map(|(task, _)| task);
    }

    /// The other side has been answered.
    pub(crate) fn has_answered(&mut self) {
        if let Some(task) = self.task.take() {
            let since = (task, Instant::now());
            locked(&self.hall.idle).insert((Idle::Answered, self.number), since);
        }
    }

    /// Takes room for so many bytes more. Tells whether there is any; for short messages there always is.
    pub(crate) fn take_room(&mut self, n_bytes: usize) -> bool {
        let before = self.hall.n_bytes.fetch_add(n_bytes, Ordering::Relaxed);
        self.n_bytes += n_bytes;
        before + n_bytes <= MAX_BYTES || self.n_bytes <= MAX_SHORT
    }

    /// Nothing is kept any more.
    pub(crate) fn leave_room(&mut self) {
        self.hall.n_bytes.fetch_sub(self.n_bytes, Ordering::Relaxed);
        self.n_bytes = 0;
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        let mut idle = locked(&self.hall.idle);
        for what in [Idle::Answered, Idle::Reading] {
            idle.remove(&(what, self.number));
        }
        drop(idle);
        self.leave_room();
        self.hall.n_open.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_those_who_are_allowed_may_connect() {
        let mut listening = Listening::on_loopback(0);
        let ip = |text: &str| text.parse::<IpAddr>().expect("it is one");
        assert!(listening.allows(ip("192.0.2.1")));
        listening.allowed = vec!["10.1.0.0/16".parse().expect("it is one")];
        assert!(listening.allows(ip("10.1.2.3")) && listening.allows(ip("::ffff:10.1.2.3")));
        assert!(!listening.allows(ip("10.2.0.1")) && !listening.allows(ip("::1")));
    }
}
