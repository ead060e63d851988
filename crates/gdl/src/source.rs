//! Rule text with the places of its lines.

use crate::Span;
use crate::diagnostic::{Code, Diagnostic};

/// A text that is too large to be a rule sheet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

/// A rule sheet as text, and the name by which messages call it.
#[derive(Clone, Debug)]
pub struct Source {
    name: String,
    text: String,
    line_starts: Vec<u32>,
}

/// A place as people count: lines and columns from 1, columns in characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position {
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
}

impl Source {
    /// The source of `text`; `name` is what messages call it.
    ///
    /// ```
    /// let source = gdl::Source::new("game.kif", "(role x)\n(role o)");
    /// let position = source.position(15);
    /// assert_eq!((position.line, position.column), (2, 7));
    /// ```
    ///
    /// # Panics
    /// When `text` has 2^32 bytes or more; [`Source::decode`] refuses such texts.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Source {
        let (name, text) = (name.into(), text.into());
        let line_starts = line_starts(&text);
        Source { name, text, line_starts }
    }

    /// The largest file that is read. The largest public rule sheet has 0.4 MB.
    pub const MAX_BYTES: usize = 1 << 30;

    /// Reads the bytes of a file. What is not UTF-8 is read as UTF-16, if it begins like that, or
    /// else as Latin-1, with a warning: in old rule sheets that is the name of an author in a
    /// comment.
    pub fn decode(
        name: impl Into<String>,
        bytes: Vec<u8>,
    ) -> Result<(Source, Vec<Diagnostic>), TooLarge> {
        if bytes.len() > Source::MAX_BYTES {
            return Err(TooLarge);
        }
        if let Some(text) = decode_utf16(&bytes) {
            return Ok((Source::new(name, text), vec![not_utf8(Span::default(), "UTF-16")]));
        }
        match String::from_utf8(bytes) {
            Ok(text) => Ok((Source::new(name, text), Vec::new())),
            Err(error) => {
                let bytes = error.as_bytes();
                let decoded = |bytes: &[u8]| bytes.iter().copied().map(char::from).collect();
                let before: String = decoded(&bytes[..error.utf8_error().valid_up_to()]);
                let start = before.len();
                let text: String = decoded(bytes);
                let end = start + text[start..].chars().next().map_or(0, char::len_utf8);
                Ok((Source::new(name, text), vec![not_utf8(Span::new(start, end), "Latin-1")]))
            }
        }
    }

    /// The name by which messages call this source.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The line (from 1) and column (from 1, in characters) of a byte of the text.
    pub fn position(&self, byte: u32) -> Position {
        let line = self.line_starts.partition_point(|&start| start <= byte);
        let start = self.line_starts[line - 1] as usize;
        let before = &self.text.as_bytes()[start..(byte as usize).min(self.text.len())];
        let column = before.iter().filter(|&&b| !is_utf8_continuation(b)).count() + 1;
        Position { line, column }
    }

    /// The bytes of line `line` (from 1) with its line end.
    pub fn line_span(&self, line: usize) -> Span {
        let start = self.line_starts[line - 1];
        let end = self.line_starts.get(line).map_or(self.text.len(), |&next| next as usize);
        Span::new(start as usize, end)
    }

    /// The text in `span`.
    pub fn slice(&self, span: Span) -> &str {
        &self.text[span.range()]
    }
}

/// The text of a file that begins with the mark of UTF-16.
fn decode_utf16(bytes: &[u8]) -> Option<String> {
    let to_unit = match bytes {
        [0xff, 0xfe, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] => u16::from_be_bytes,
        _ => return None,
    };
    let units = bytes[2..].chunks_exact(2).map(|pair| to_unit([pair[0], pair[1]]));
    let chars = char::decode_utf16(units);
    Some(chars.map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect())
}

fn not_utf8(span: Span, encoding: &str) -> Diagnostic {
    Diagnostic::new(
        Code::NotUtf8,
        span,
        format!("this file is not UTF-8 from here on; it is read as {encoding}"),
        "save the file as UTF-8",
    )
}

/// Where lines start. A line ends at LF, CR LF, or CR alone, as in two sheets of the Dresden and
/// Stanford servers.
fn line_starts(text: &str) -> Vec<u32> {
    let bytes = text.as_bytes();
    let mut starts = vec![0];
    for (place, &byte) in bytes.iter().enumerate() {
        let ends_line = byte == b'\n' || (byte == b'\r' && bytes.get(place + 1) != Some(&b'\n'));
        if ends_line {
            starts.push(Span::new(place + 1, place + 1).start);
        }
    }
    starts
}

fn is_utf8_continuation(byte: u8) -> bool {
    byte & 0b1100_0000 == 0b1000_0000
}

#[cfg(test)]
mod tests {
    use super::*;

    fn positions(text: &str) -> Vec<(usize, usize)> {
        let source = Source::new("test", text);
        let places = text.char_indices().map(|(byte, _)| byte).chain([text.len()]);
        places
            .map(|byte| source.position(u32::try_from(byte).unwrap()))
            .map(|position| (position.line, position.column))
            .collect()
    }

    #[test]
    fn lines_end_at_lf_crlf_and_cr() {
        let expected = [(1, 1), (1, 2), (2, 1), (2, 2), (2, 3), (3, 1), (3, 2), (4, 1)];
        assert_eq!(positions("a\nb\r\nc\r"), expected);
    }

    #[test]
    fn columns_count_characters() {
        assert_eq!(positions("éa"), [(1, 1), (1, 2), (1, 3)]);
    }

    #[test]
    fn utf_16_is_read_with_a_warning() {
        for bytes in [b"\xff\xfe(\0p\0)\0".to_vec(), b"\xfe\xff\0(\0p\0)".to_vec()] {
            let (source, problems) = Source::decode("test", bytes).unwrap();
            assert_eq!((source.text(), problems[0].code), ("(p)", Code::NotUtf8));
        }
    }

    #[test]
    fn latin_1_is_read_with_a_warning() {
        let bytes = b"; caf\xe9\n(role x)".to_vec();
        let (source, problems) = Source::decode("test", bytes).unwrap();
        assert_eq!(source.text(), "; café\n(role x)");
        assert_eq!(problems.len(), 1);
        assert_eq!((problems[0].code, problems[0].span), (Code::NotUtf8, Span::new(5, 7)));
    }
}
