//! A head and a body that come in piece by piece.

use std::fmt;

use super::body::{Body, Framing};

/// What is wrong with a request or a reply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum HttpError {
    /// It is no HTTP.
    Malformed,
    /// It is longer than allowed.
    TooLarge,
    /// Its sender closed before its end.
    Cut,
}

impl fmt::Display for HttpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            HttpError::Malformed => "it is no HTTP",
            HttpError::TooLarge => "it is too long",
            HttpError::Cut => "it ends before its end",
        })
    }
}

impl std::error::Error for HttpError {}

/// Reads a head, and says where what comes after it ends.
pub(super) type Parse<H> = fn(&[u8]) -> Result<(H, Framing), HttpError>;

/// Reads a head of a kind and what comes after it.
#[derive(Debug)]
pub(crate) struct Reader<H> {
    parse: Parse<H>,
    /// More bytes are refused.
    limit: usize,
    /// The head, until it is whole.
    bytes: Vec<u8>,
    head: Option<H>,
    body: Body,
}

impl<H> Reader<H> {
    /// A reader of heads as `parse` reads them, of at most `limit` bytes with the body.
    pub(super) fn new(parse: Parse<H>, limit: usize) -> Reader<H> {
        Reader { parse, limit, bytes: Vec::new(), head: None, body: Body::new(Framing::Empty) }
    }

    /// The head, when it is whole.
    pub(crate) fn head(&self) -> Option<&H> {
        self.head.as_ref()
    }

    /// How many bytes it keeps.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len() + self.body.len()
    }

    /// Takes what has come. Tells whether that is all.
    pub(crate) fn take(&mut self, more: &[u8]) -> Result<bool, HttpError> {
        if self.len() + more.len() > self.limit {
            return Err(HttpError::TooLarge);
        }
        if self.head.is_some() {
            return self.body.take(more);
        }
        let n_before = self.bytes.len();
        self.bytes.extend_from_slice(more);
        let Some(end) = end_of_head(&self.bytes, n_before) else { return Ok(false) };
        let (head, framing) = (self.parse)(&self.bytes[..end])?;
        self.head = Some(head);
        if let Framing::Length(n) = framing
            && n > self.limit
        {
            return Err(HttpError::TooLarge);
        }
        self.body = Body::new(framing);
        let rest = std::mem::take(&mut self.bytes).split_off(end);
        match framing {
            Framing::Length(0) => Ok(true),
            _ => self.body.take(&rest),
        }
    }

    /// The sender has closed: what has come if that is all, or what is wrong.
    pub(crate) fn end(self) -> Result<(H, String), HttpError> {
        let is_whole = self.body.end();
        match self.head {
            Some(head) if is_whole => Ok((head, text_of(self.body.bytes))),
            _ => Err(HttpError::Cut),
        }
    }

    /// What has come, when that is all.
    pub(crate) fn finish(self) -> Option<(H, String)> {
        Some((self.head?, text_of(self.body.bytes)))
    }
}

/// Where an empty line ends, if there is one; before `n_before` there was none.
fn end_of_head(bytes: &[u8], n_before: usize) -> Option<usize> {
    let first = n_before.saturating_sub(3);
    let line_ends = (first..bytes.len()).filter(|&place| bytes[place] == b'\n');
    line_ends.into_iter().find_map(|place| match &bytes[place + 1..] {
        [b'\n', ..] => Some(place + 2),
        [b'\r', b'\n', ..] => Some(place + 3),
        _ => None,
    })
}

/// Bytes as text: UTF-8, or else Latin-1.
fn text_of(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect())
}
