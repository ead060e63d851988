//! How messages come over the wire: whatever managers in use write is understood.

use std::io::Write as _;
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use crate::wire::{everything, exchange, parts, post, say, server};

const IDLE: &str = "( ( name Woodstock ) ( status available ) )";

#[test]
fn a_message_is_answered_however_it_is_framed() {
    let server = server("legal", 1);
    let encoded = utf8_percent_encode("( INFO )", NON_ALPHANUMERIC);
    let requests = [
        post("( INFO )"),
        post("( INFO )").replace("HTTP/1.0", "HTTP/1.1"),
        post("( INFO )").to_lowercase().replace("post / http", "POST / HTTP"),
        post("( INFO )").to_uppercase(),
        post("( INFO )").replace("POST /", "POST /any/path"),
        "POST / HTTP/1.0\r\nContent-Length:8\r\nSender: Gamecontroller\r\n\r\n( INFO )".to_owned(),
        "POST / HTTP/1.1\nhost: here\ncontent-length:   8\n\n( INFO )".to_owned(),
        "POST / HTTP/1.0\r\n\r\n( INFO )".to_owned(),
        "POST / HTTP/1.1\r\nGGP-Match-ID: m\r\nGGP-Match-Step: 1\r\n\r\n(INFO)\r\n".to_owned(),
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n(IN\r\n3\r\nFO)\r\n0\r\n\r\n"
            .to_owned(),
        format!("GET /{encoded} HTTP/1.0\r\n\r\n"),
        format!("GET /{encoded} HTTP/1.1\r\nHost: here\r\n\r\n"),
        "GET /(+info+) HTTP/1.1\r\nHost: here\r\n\r\n".to_owned(),
    ];
    for request in requests {
        let response = exchange(server.address(), &request);
        let (head, body) = parts(&response);
        assert_eq!(body, IDLE, "{request}");
        assert!(head.starts_with("HTTP/1.0 200 OK\r\n"), "{request}: {head}");
        for line in [
            "Content-type: text/acl",
            &format!("Content-length: {}", IDLE.len()),
            "Connection: close",
            "Access-Control-Allow-Origin: *",
        ] {
            assert!(head.lines().any(|other| other == line), "{line} is missing in {head}");
        }
    }
}

#[test]
fn a_message_may_come_in_many_packets_and_end_where_its_sender_closes() {
    let server = server("legal", 1);
    let no_length = "POST / HTTP/1.0\r\nSender: GAMESERVER\r\n\r\n( INFO ) ".to_owned();
    let word = "POST / HTTP/1.0\r\n\r\n".to_owned();
    for (request, reply) in [(post("( INFO )"), IDLE), (no_length, IDLE), (word, "")] {
        let mut stream = TcpStream::connect(server.address()).expect("it listens");
        stream.set_nodelay(true).expect("it can be set");
        for bytes in request.as_bytes().chunks(7) {
            stream.write_all(bytes).expect("it reads");
            std::thread::sleep(Duration::from_millis(2));
        }
        let _ = stream.shutdown(Shutdown::Write);
        let response = everything(&stream);
        let body = if reply.is_empty() { response.as_str() } else { parts(&response).1 };
        assert_eq!(body, reply, "{request}");
    }
}

#[test]
fn other_methods_are_answered_without_a_word() {
    let server = server("legal", 1);
    for method in ["OPTIONS", "PUT", "DELETE", "HEAD"] {
        let request = format!("{method} / HTTP/1.1\r\nHost: here\r\n\r\n");
        let response = exchange(server.address(), &request);
        let (head, body) = parts(&response);
        assert!(body.is_empty() && head.contains("200 OK") && head.contains("Content-length: 0"));
        assert!(head.contains("Access-Control-Allow-Methods: POST, GET, OPTIONS"), "{head}");
    }
}

#[test]
fn what_cannot_be_read_is_not_answered() {
    let server = server("legal", 1);
    let texts =
        ["hello", "( INFO", "( INFO ) )", "( DANCE )", "( PLAY m )", "( PLAY m n o )", "()"];
    for text in texts {
        assert_eq!(exchange(server.address(), &post(text)), "", "{text}");
    }
    for request in ["hello\r\n\r\n", "POST / HTTP/1.0\r\nContent-Length: x\r\n\r\n( INFO )"] {
        assert_eq!(exchange(server.address(), request), "", "{request}");
    }
    assert_eq!(say(server.address(), "( INFO )"), IDLE);
}

/// People who write an address by hand are told what is wrong.
#[test]
fn people_are_told_what_is_wrong() {
    let server = server("legal", 1);
    let response = exchange(server.address(), "GET /(DANCE) HTTP/1.1\r\nHost: here\r\n\r\n");
    let (head, body) = parts(&response);
    assert!(head.contains("400 Bad Request") && body.contains("DANCE"), "{response}");
}

#[test]
fn the_status_is_a_page_and_json() {
    let server = server("legal", 3);
    let get = |accept: &str, query: &str| {
        let request =
            format!("GET /status{query} HTTP/1.1\r\nHost: here\r\nAccept: {accept}\r\n\r\n");
        exchange(server.address(), &request)
    };
    say(
        server.address(),
        "(START <i> x ((role x)(init a)(legal x go)(goal x 1)(<= terminal (true b))) 2 2)",
    );
    let json = get("*/*", "");
    let status: serde_json::Value = serde_json::from_str(parts(&json).1).expect("it is JSON");
    assert_eq!(status["status"], "available");
    assert_eq!(status["matches"][0]["id"], "<i>");
    assert_eq!(status["max_matches"], 3);
    let page = get("text/html", "");
    assert!(page.contains("Content-type: text/html") && page.contains("&lt;i&gt;"), "{page}");
    assert!(!page.contains("<i>"));
    assert!(get("text/html", "?format=json").contains("application/json"));
}
