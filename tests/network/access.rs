//! Who may connect, and who may see how the player is doing.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};

use net::{IpNet, Listening, NetworkPlayer, Server};

use crate::wire::{exchange, parts, post, settings};

fn server(allowed: &[&str], token: Option<&str>) -> Server {
    let net = |text: &&str| text.parse::<IpNet>().expect("it is one");
    let listening = Listening {
        allowed: allowed.iter().map(net).collect(),
        token: token.map(str::to_owned),
        ..Listening::on_loopback(0)
    };
    Server::start(NetworkPlayer::new(settings("legal", 1)), listening).expect("ports are free")
}

/// Whether a player answers. Whoever is not allowed to connect may find the connection closed at any point.
fn is_heard(address: SocketAddr) -> bool {
    let mut response = String::new();
    let mut stream = TcpStream::connect(address).expect("it listens");
    let _ = stream.write_all(post("( INFO )").as_bytes());
    let _ = stream.read_to_string(&mut response);
    assert!(response.is_empty() || response.contains("available"), "{response}");
    !response.is_empty()
}

#[test]
fn only_those_who_are_allowed_are_heard() {
    for (allowed, expected) in [
        (&[][..], true),
        (&["127.0.0.0/8"], true),
        (&["192.0.2.0/24", "127.0.0.1/32"], true),
        (&["192.0.2.0/24"], false),
        (&["127.0.0.2/32", "::1/128"], false),
    ] {
        let server = server(allowed, None);
        assert_eq!(is_heard(server.address()), expected, "{allowed:?}");
    }
}

#[test]
fn the_status_is_for_those_who_say_its_word() {
    let server = server(&[], Some("secret"));
    let ask = |query: &str, line: &str| {
        let request = format!("GET /status{query} HTTP/1.1\r\nHost: here\r\n{line}\r\n");
        exchange(server.address(), &request)
    };
    for (query, line) in [
        ("", ""),
        ("?token=", ""),
        ("?token=Secret", ""),
        ("?token=secrets", ""),
        ("?x=token=secret", ""),
        ("", "Authorization: Bearer other\r\n"),
        ("", "Authorization: secret\r\n"),
    ] {
        let response = ask(query, line);
        let (head, body) = parts(&response);
        assert!(head.starts_with("HTTP/1.0 403 ") && !body.contains("Woodstock"), "{query} {line}");
    }
    for (query, line) in [
        ("?token=secret", ""),
        ("?format=json&token=secret", ""),
        ("", "Authorization: Bearer secret\r\n"),
    ] {
        let response = ask(query, line);
        let (head, body) = parts(&response);
        assert!(head.starts_with("HTTP/1.0 200 ") && body.contains("Woodstock"), "{query} {line}");
    }
    // The word is for the status alone.
    assert!(is_heard(server.address()));
}
