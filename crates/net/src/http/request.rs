//! What comes to a player.

use super::body::Framing;
use super::reader::{HttpError, Reader};

/// The head of a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Request {
    pub(crate) method: String,
    /// What stands after the method, as `/`.
    pub(crate) target: String,
    /// Whether the sender waits to be told to go on.
    pub(crate) waits: bool,
    /// What it would like to read.
    pub(crate) accept: String,
    /// Who it says that it is.
    pub(crate) authorization: String,
    /// Of a match: which step it is, as some managers say.
    pub(crate) step: Option<u64>,
}

/// As many header lines are read.
const MAX_HEADERS: usize = 100;

/// A reader of requests of at most so many bytes.
pub(crate) fn request_reader(limit: usize) -> Reader<Request> {
    Reader::new(parse, limit)
}

fn parse(bytes: &[u8]) -> Result<(Request, Framing), HttpError> {
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut parsed = httparse::Request::new(&mut headers);
    match parsed.parse(bytes) {
        Ok(httparse::Status::Complete(_)) => {}
        Ok(httparse::Status::Partial) | Err(_) => return Err(HttpError::Malformed),
    }
    let value = |name: &str| value_of(parsed.headers, name);
    let method = parsed.method.unwrap_or_default().to_owned();
    let framing = match framing_of(parsed.headers)? {
        Some(framing) => framing,
        None if method == "POST" => Framing::UntilClosed,
        None => Framing::Empty,
    };
    let request = Request {
        target: parsed.path.unwrap_or_default().to_owned(),
        waits: value("expect").is_some_and(|text| text.eq_ignore_ascii_case("100-continue")),
        accept: value("accept").unwrap_or_default(),
        authorization: value("authorization").unwrap_or_default(),
        step: value("ggp-match-step").and_then(|text| text.parse().ok()),
        method,
    };
    Ok((request, framing))
}

/// The value of a header; names are compared without case.
fn value_of(headers: &[httparse::Header<'_>], name: &str) -> Option<String> {
    let header = headers.iter().find(|header| header.name.eq_ignore_ascii_case(name))?;
    Some(String::from_utf8_lossy(header.value).trim().to_owned())
}

/// Where headers say that the body ends, if they do.
pub(super) fn framing_of(headers: &[httparse::Header<'_>]) -> Result<Option<Framing>, HttpError> {
    let is_chunked = value_of(headers, "transfer-encoding")
        .is_some_and(|text| text.to_ascii_lowercase().ends_with("chunked"));
    if is_chunked {
        return Ok(Some(Framing::Chunked));
    }
    let length = value_of(headers, "content-length");
    let parsed = length.map(|text| text.parse().map(Framing::Length));
    parsed.transpose().map_err(|_| HttpError::Malformed)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const LIMIT: usize = 1_000;

    /// A request that comes in pieces of so many bytes, until its end or until the sender closes.
    fn read(text: &str, piece: usize, is_closed: bool) -> Result<(Request, String), HttpError> {
        let mut reader = request_reader(LIMIT);
        for bytes in text.as_bytes().chunks(piece) {
            if reader.take(bytes)? {
                return reader.finish().ok_or(HttpError::Cut);
            }
        }
        assert!(is_closed, "it waits for more: {text}");
        reader.end()
    }

    /// The same however it is cut.
    fn body_of(text: &str, is_closed: bool) -> Result<String, HttpError> {
        let whole = read(text, text.len(), is_closed);
        for piece in [1, 2, 3, 7, 50] {
            assert_eq!(read(text, piece, is_closed), whole, "{piece} bytes at once");
        }
        whole.map(|(_, body)| body)
    }

    #[test]
    fn requests_are_read_as_managers_write_them() {
        let ggp_base = "POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: h\r\nSender: GAMESERVER\r\n\
            Receiver: \r\nContent-Type: text/acl\r\nContent-Length: 8\r\n\r\n( INFO )";
        assert_eq!(body_of(ggp_base, false).as_deref(), Ok("( INFO )"));
        let lower = "POST / HTTP/1.1\ncontent-length:8\n\n( INFO ) and more";
        assert_eq!(body_of(lower, false).as_deref(), Ok("( INFO )"));
        let no_length = "POST / HTTP/1.0\r\n\r\n(PLAY m (a (b)) ; :-)\r\n)";
        assert_eq!(body_of(no_length, false).as_deref(), Ok("(PLAY m (a (b)) ; :-)\r\n)"));
        let no_list = "POST / HTTP/1.0\r\n\r\nhello";
        assert_eq!(body_of(no_list, true).as_deref(), Ok("hello"));
        let chunked = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n\
            5\r\n( INF\r\n3;x=y\r\nO )\r\n0\r\n\r\n";
        assert_eq!(body_of(chunked, false).as_deref(), Ok("( INFO )"));
    }

    #[test]
    fn a_length_may_count_characters() {
        let list = "( PLAY m ( höchst ) )";
        let with = |n: usize| format!("POST / HTTP/1.0\r\nContent-Length: {n}\r\n\r\n{list}");
        assert_eq!(body_of(&with(list.len()), false).as_deref(), Ok(list));
        assert_eq!(body_of(&with(list.chars().count()), false).as_deref(), Ok(list));
    }

    #[test]
    fn the_head_is_told() {
        let text = "GET /%28INFO%29 HTTP/1.1\r\nACCEPT: text/html\r\nExpect: 100-Continue\r\n\
            Authorization: Bearer x\r\nGGP-Match-Step: 12\r\n\r\n";
        let (request, body) = read(text, 5, false).expect("it is one");
        assert_eq!((request.method.as_str(), request.target.as_str()), ("GET", "/%28INFO%29"));
        assert_eq!(
            (request.accept.as_str(), request.authorization.as_str()),
            ("text/html", "Bearer x")
        );
        assert!(request.waits && request.step == Some(12) && body.is_empty());
    }

    #[test]
    fn what_is_wrong_is_told() {
        let long = format!("POST / HTTP/1.0\r\n\r\n({}", "x".repeat(LIMIT));
        let cases = [
            ("hello\r\n\r\n", HttpError::Malformed),
            ("POST / HTTP/1.0\r\nContent-Length: many\r\n\r\n", HttpError::Malformed),
            ("POST / HTTP/1.0\r\nContent-Length: 99999999\r\n\r\n", HttpError::TooLarge),
            (
                "POST / HTTP/1.0\r\nContent-Length: 99999999999999999999\r\n\r\n",
                HttpError::Malformed,
            ),
            (&long, HttpError::TooLarge),
            ("POST / HTTP/1.0\r\nContent-Length: 9\r\n\r\n( INFO )", HttpError::Cut),
            ("POST / HT", HttpError::Cut),
            ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", HttpError::Malformed),
            (
                "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffff\r\n",
                HttpError::Cut,
            ),
        ];
        for (text, error) in cases {
            assert_eq!(body_of(text, true), Err(error), "{text}");
        }
    }

    /// What comes of a request that comes in pieces that end at these places, after which the sender closes.
    fn outcome(bytes: &[u8], mut ends: Vec<usize>) -> Result<(Request, String), HttpError> {
        ends.push(bytes.len());
        ends.sort_unstable();
        let mut reader = request_reader(LIMIT);
        let mut start = 0;
        for end in ends {
            let end = end.min(bytes.len());
            if reader.take(&bytes[start..end])? {
                return reader.finish().ok_or(HttpError::Cut);
            }
            start = end;
        }
        reader.end()
    }

    /// Texts that are nearly requests.
    fn near_request() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop::sample::select(vec![
            "POST / HTTP/1.0",
            "GET /(INFO) HTTP/1.1",
            "\r\n",
            "\n",
            "\r\n\r\n",
            "Content-Length: 8",
            "content-length:99",
            "Transfer-Encoding: chunked",
            "( INFO )",
            "(",
            ")",
            "8\r\n",
            "0\r\n\r\n",
            "3;x\r\n",
            "é",
            "\0",
            ":",
            " ",
            "Expect: 100-continue",
            "; (\n",
        ]);
        prop::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat().into_bytes())
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            failure_persistence: None,
            cases: 5_000,
            ..ProptestConfig::default()
        })]

        /// What a request is does not depend on how it is cut into packets.
        #[test]
        fn packets_make_no_difference(
            bytes in near_request(),
            ends in prop::collection::vec(0..200_usize, 0..6),
        ) {
            let whole = outcome(&bytes, Vec::new());
            prop_assert_eq!(outcome(&bytes, ends), whole.clone());
            let bytewise = outcome(&bytes, (0..bytes.len()).collect());
            prop_assert_eq!(bytewise, whole);
        }
    }
}
