//! What comes after a head.

use super::reader::HttpError;

/// Where a body ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Framing {
    /// There is none.
    Empty,
    /// After so many bytes, or characters where a list is still open then: ggp-base counts these.
    Length(usize),
    /// Where its chunks say so.
    Chunked,
    /// Where the sender closes, or the list that it is ends.
    UntilClosed,
}

/// A body, as far as it has come.
#[derive(Debug)]
pub(super) struct Body {
    framing: Framing,
    /// What has come, without what frames chunks.
    pub(super) bytes: Vec<u8>,
    /// Of chunks: what was not looked at yet.
    raw: Vec<u8>,
    /// Of a chunk: how much is still to come, with the line end after it.
    n_left: usize,
    is_last_chunk: bool,
    list: List,
    n_characters: usize,
}

impl Body {
    pub(super) fn new(framing: Framing) -> Body {
        Body {
            framing,
            bytes: Vec::new(),
            raw: Vec::new(),
            n_left: 0,
            is_last_chunk: false,
            list: List::default(),
            n_characters: 0,
        }
    }

    /// How much it takes.
    pub(super) fn len(&self) -> usize {
        self.bytes.len() + self.raw.len()
    }

    /// Takes what has come. Tells whether that is all.
    pub(super) fn take(&mut self, more: &[u8]) -> Result<bool, HttpError> {
        match self.framing {
            Framing::Empty => Ok(true),
            Framing::Chunked => self.take_chunks(more),
            Framing::UntilClosed => Ok(self.add_until(more, |body| body.list.is_closed())),
            Framing::Length(n) => Ok(self.add_until(more, |body| {
                body.bytes.len() >= n && (!body.list.is_open() || body.n_characters >= n)
            })),
        }
    }

    /// The sender has closed. Tells whether that is an end.
    pub(super) fn end(&self) -> bool {
        match self.framing {
            Framing::Empty | Framing::UntilClosed => true,
            Framing::Length(n) => self.bytes.len() >= n,
            Framing::Chunked => self.is_last_chunk,
        }
    }

    /// Takes what comes before the end, which may be anywhere in it. Tells whether it is there.
    fn add_until(&mut self, more: &[u8], is_end: impl Fn(&Body) -> bool) -> bool {
        for byte in more {
            if is_end(self) {
                break;
            }
            self.bytes.push(*byte);
            self.list.take(*byte);
            // Bytes that go on with a character of UTF-8 begin with 10.
            self.n_characters += usize::from(byte & 0xc0 != 0x80);
        }
        is_end(self)
    }

    fn take_chunks(&mut self, more: &[u8]) -> Result<bool, HttpError> {
        /// A line that says how long a chunk is.
        const MAX_LINE: usize = 1_024;
        self.raw.extend_from_slice(more);
        let mut start = 0;
        while start < self.raw.len() && !self.is_last_chunk {
            let rest = &self.raw[start..];
            if self.n_left > 0 {
                let n = self.n_left.min(rest.len());
                // Two bytes of the line end do not belong to it.
                let n_of_chunk = self.n_left.saturating_sub(2).min(n);
                self.bytes.extend_from_slice(&rest[..n_of_chunk]);
                self.n_left -= n;
                start += n;
                continue;
            }
            match httparse::parse_chunk_size(rest) {
                Ok(httparse::Status::Complete((n_line, 0))) => {
                    start += n_line;
                    self.is_last_chunk = true;
                }
                Ok(httparse::Status::Complete((n_line, size))) => {
                    let size = usize::try_from(size).map_err(|_| HttpError::TooLarge)?;
                    self.n_left = size.checked_add(2).ok_or(HttpError::TooLarge)?;
                    start += n_line;
                }
                Ok(httparse::Status::Partial) if rest.len() < MAX_LINE => break,
                Ok(httparse::Status::Partial) | Err(_) => return Err(HttpError::Malformed),
            }
        }
        self.raw.drain(..start);
        Ok(self.is_last_chunk)
    }
}

/// Whether a text is a list that has ended, looked at piece by piece.
#[derive(Clone, Copy, Debug, Default)]
struct List {
    has_begun: bool,
    n_open: usize,
    is_in_comment: bool,
}

impl List {
    fn take(&mut self, byte: u8) {
        match byte {
            b'\n' | b'\r' => self.is_in_comment = false,
            _ if self.is_in_comment => {}
            b';' => self.is_in_comment = true,
            b'(' => {
                self.has_begun = true;
                self.n_open += 1;
            }
            b')' => self.n_open = self.n_open.saturating_sub(1),
            _ => {}
        }
    }

    fn is_open(self) -> bool {
        self.n_open > 0
    }

    fn is_closed(self) -> bool {
        self.has_begun && self.n_open == 0
    }
}
