//! What a player answers.

use super::body::Framing;
use super::reader::{HttpError, Reader};
use super::request::framing_of;

/// The head of a reply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ReplyHead {
    /// Of players it means nothing to managers.
    pub(crate) status: u16,
}

/// A reader of replies of at most so many bytes.
pub(crate) fn reply_reader(limit: usize) -> Reader<ReplyHead> {
    Reader::new(parse, limit)
}

fn parse(bytes: &[u8]) -> Result<(ReplyHead, Framing), HttpError> {
    const MAX_HEADERS: usize = 100;
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut parsed = httparse::Response::new(&mut headers);
    match parsed.parse(bytes) {
        Ok(httparse::Status::Complete(_)) => {}
        Ok(httparse::Status::Partial) | Err(_) => return Err(HttpError::Malformed),
    }
    let head = ReplyHead { status: parsed.code.unwrap_or_default() };
    Ok((head, framing_of(parsed.headers)?.unwrap_or(Framing::UntilClosed)))
}

/// What we answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Response {
    status: &'static str,
    content_type: &'static str,
    body: String,
}

impl Response {
    /// A reply to a message.
    pub(crate) fn reply(body: String) -> Response {
        Response { status: "200 OK", content_type: "text/acl", body }
    }

    /// What is for people, or for programs that are no managers.
    pub(crate) fn other(
        status: &'static str,
        content_type: &'static str,
        body: String,
    ) -> Response {
        Response { status, content_type, body }
    }

    /// As it goes over the wire, in ASCII; the connection is closed after it, for which some managers wait.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let Response { status, content_type, body } = self;
        let body = body.replace(|letter: char| !letter.is_ascii(), "");
        let head = format!(
            "HTTP/1.0 {status}\r\nContent-type: {content_type}\r\nContent-length: {}\r\n\
             Connection: close\r\nAccess-Control-Allow-Origin: *\r\n\
             Access-Control-Allow-Methods: POST, GET, OPTIONS\r\n\
             Access-Control-Allow-Headers: Content-Type\r\nAccess-Control-Allow-Age: 86400\r\n\r\n",
            body.len()
        );
        (head + &body).into_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, is_closed: bool) -> Result<String, HttpError> {
        let mut reader = reply_reader(500);
        for byte in text.as_bytes() {
            if reader.take(&[*byte])? {
                return reader.finish().map(|(_, body)| body).ok_or(HttpError::Cut);
            }
        }
        assert!(is_closed, "it waits for more: {text}");
        reader.end().map(|(_, body)| body)
    }

    #[test]
    fn replies_are_read_as_players_write_them() {
        let ggp_base =
            "HTTP/1.0 200 OK\r\nContent-type: text/acl\r\nContent-length: 5\r\n\r\nready";
        assert_eq!(read(ggp_base, false).as_deref(), Ok("ready"));
        assert_eq!(read("HTTP/1.0 200 OK\n\nnoop", true).as_deref(), Ok("noop"));
        assert_eq!(
            read("HTTP/1.1 500 Oh\r\n\r\n( mark 1 1 )", false).as_deref(),
            Ok("( mark 1 1 )")
        );
        assert_eq!(read("ready", true), Err(HttpError::Cut));
        assert_eq!(read("ready\r\n\r\n", true), Err(HttpError::Malformed));
        let endless = format!("HTTP/1.0 200 OK\r\n\r\n{}", "x".repeat(600));
        assert_eq!(read(&endless, true), Err(HttpError::TooLarge));
    }

    #[test]
    fn what_we_answer_is_read_again() {
        let bytes = Response::reply("( mark 1 ü )".to_owned()).bytes();
        let text = String::from_utf8(bytes).expect("it is ASCII");
        assert!(text.is_ascii());
        assert_eq!(read(&text, false).as_deref(), Ok("( mark 1  )"));
    }
}
