//! Where a player or a server is, as people write it.

use std::fmt;
use std::net::{SocketAddr, ToSocketAddrs as _};
use std::str::FromStr;
use std::time::Duration;

/// A host and a port.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Host {
    /// As it was written, without brackets.
    name: String,
    pub(crate) port: u16,
}

impl Host {
    /// Where it may be reached now.
    pub(crate) fn resolve(&self) -> std::io::Result<Vec<SocketAddr>> {
        Ok((self.name.as_str(), self.port).to_socket_addrs()?.collect())
    }

    /// Reads `host`, `host:port`, or an address of IPv6 in brackets with or without a port.
    fn parse(text: &str, usual_port: u16) -> Option<Host> {
        let (name, port) = match text.strip_prefix('[') {
            Some(rest) => {
                let (name, port) = rest.split_once(']')?;
                (name, if port.is_empty() { None } else { Some(port.strip_prefix(':')?) })
            }
            None => match text.rsplit_once(':') {
                Some((name, port)) => (name, Some(port)),
                None => (text, None),
            },
        };
        let port =
            port.map_or(Some(usual_port), |port| port.parse().ok().filter(|port| *port > 0))?;
        let is_name = !name.is_empty() && !name.contains([' ', '/', '@', '?', '#']);
        is_name.then(|| Host { name: name.to_owned(), port })
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name.contains(':') {
            true => write!(f, "[{}]:{}", self.name, self.port),
            false => write!(f, "{}:{}", self.name, self.port),
        }
    }
}

/// Which messages a player understands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// Joint moves, as in games in which all is seen.
    Gdl1,
    /// Turns with the own move and what is seen, as managers of Dresden have sent them since 2013.
    Gdl2,
    /// What is seen alone, as they sent it in 2011.
    Gdl2Of2011,
}

/// A player on the network, as people write it: `http://host:port`, with `;gdl=2` if it understands the messages of
/// GDL-II, and `;grace=S` if its answers may come so many seconds after the clock.
///
/// ```
/// use net::PlayerAddress;
/// let address: PlayerAddress = "http://127.0.0.1:9147;gdl=2".parse()?;
/// assert_eq!(address.to_string(), "http://127.0.0.1:9147;gdl=2");
/// assert!("https://127.0.0.1".parse::<PlayerAddress>().is_err());
/// # Ok::<(), net::AddressError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct PlayerAddress {
    text: String,
    pub(crate) host: Host,
    pub(crate) dialect: Dialect,
    pub(crate) grace: Duration,
}

/// Where players listen if nobody says something else.
pub const USUAL_PORT: u16 = 9147;

/// What is wrong with an address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AddressError {
    text: String,
    problem: &'static str,
}

impl fmt::Display for AddressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is no address: {}", self.text, self.problem)
    }
}

impl std::error::Error for AddressError {}

impl FromStr for PlayerAddress {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<PlayerAddress, AddressError> {
        let error = |problem| AddressError { text: text.to_owned(), problem };
        let mut parts = text.split(';');
        let host = parts.next().unwrap_or_default();
        let host = without_scheme(host).map_err(error)?;
        let host = Host::parse(host.trim_end_matches('/'), USUAL_PORT);
        let mut address = PlayerAddress {
            text: text.to_owned(),
            host: host.ok_or_else(|| error("write http://host:port"))?,
            dialect: Dialect::Gdl1,
            // As ggp-base and Dresden have it.
            grace: Duration::from_secs(1),
        };
        for part in parts {
            match part.split_once('=').unwrap_or((part, "")) {
                ("gdl", "1") => address.dialect = Dialect::Gdl1,
                ("gdl", "2") => address.dialect = Dialect::Gdl2,
                ("gdl", "2011") => address.dialect = Dialect::Gdl2Of2011,
                ("gdl", _) => return Err(error("gdl is 1, 2 or 2011")),
                ("grace", seconds) => {
                    let seconds = seconds.parse().ok().filter(|seconds| *seconds <= 3600.0);
                    let grace =
                        seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
                    address.grace =
                        grace.ok_or_else(|| error("grace is a number of seconds up to 3600"))?;
                }
                _ => return Err(error("after it may stand ;gdl=2 and ;grace=1")),
            }
        }
        Ok(address)
    }
}

impl fmt::Display for PlayerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl PlayerAddress {
    /// Which messages the player understands.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Whether this is where the other is, as it is written.
    pub fn is_same_player(&self, other: &PlayerAddress) -> bool {
        self.host == other.host
    }
}

/// Where records are published, as people write it: `http://host:port/path`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PublishAddress {
    pub(crate) host: Host,
    pub(crate) path: String,
}

impl FromStr for PublishAddress {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<PublishAddress, AddressError> {
        const HTTP_PORT: u16 = 80;
        let error = |problem| AddressError { text: text.to_owned(), problem };
        let rest = without_scheme(text).map_err(error)?;
        let (host, path) = match rest.find('/') {
            Some(place) => rest.split_at(place),
            None => (rest, "/"),
        };
        let host =
            Host::parse(host, HTTP_PORT).ok_or_else(|| error("write http://host:port/path"))?;
        match path.contains(|letter: char| letter.is_whitespace() || letter.is_control()) {
            true => Err(error("blanks in it are written as %20")),
            false => Ok(PublishAddress { host, path: path.to_owned() }),
        }
    }
}

impl fmt::Display for PublishAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "http://{}{}", self.host, self.path)
    }
}

fn without_scheme(text: &str) -> Result<&str, &'static str> {
    match text.split_once("://") {
        Some(("http", rest)) => Ok(rest),
        Some(_) => Err("only http:// is spoken"),
        None => Ok(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_people_write_them() {
        let read = |text: &str| text.parse::<PlayerAddress>().expect("it is one");
        let plain = read("http://localhost:1234/");
        assert_eq!(
            (plain.host.to_string().as_str(), plain.dialect),
            ("localhost:1234", Dialect::Gdl1)
        );
        assert_eq!(read("example.org").host.to_string(), "example.org:9147");
        assert_eq!(read("http://[::1]:80;gdl=2011").host.to_string(), "[::1]:80");
        assert_eq!(read("h;grace=0.5;gdl=2").grace, Duration::from_millis(500));
        for text in
            ["", "http://", "h:0", "h:port", "h;gdl=3", "h;x", "h;grace=-1", "https://h", "[::1"]
        {
            assert!(text.parse::<PlayerAddress>().is_err(), "{text}");
        }
        let publish: PublishAddress = "http://h:81/a?b=c".parse().expect("it is one");
        assert_eq!(publish.to_string(), "http://h:81/a?b=c");
        assert_eq!("h".parse::<PublishAddress>().expect("it is one").to_string(), "http://h:80/");
        assert!("http:///x".parse::<PublishAddress>().is_err());
        assert!("http://h/a b".parse::<PublishAddress>().is_err());
    }
}
