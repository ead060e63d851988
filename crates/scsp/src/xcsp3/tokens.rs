//! Numbers, intervals and tuples as XCSP3 writes them.

use super::error::Wrong;
use super::tree::{Element, Token};

impl<'a> Token<'a> {
    /// The piece from one byte of it to another.
    fn part(self, from: usize, to: usize) -> Token<'a> {
        Token { at: self.at + from, text: &self.text[from..to] }
    }

    /// Without white space at its ends.
    pub(super) fn trimmed(self) -> Token<'a> {
        let start = self.text.len() - self.text.trim_ascii_start().len();
        self.part(start, start + self.text.trim_ascii().len())
    }

    /// What stands before and behind the first `separator`.
    pub(super) fn split_at(self, separator: &str) -> Option<(Token<'a>, Token<'a>)> {
        let end = self.text.find(separator)?;
        Some((self.part(0, end), self.part(end + separator.len(), self.text.len())))
    }

    /// A whole number.
    pub(super) fn integer(self) -> Result<i64, Wrong> {
        let digits = self.text.strip_prefix('+').unwrap_or(self.text);
        digits
            .parse()
            .map_err(|_| Wrong::unexpected(self.at, "a whole number of at most 64 bits", self.text))
    }

    /// A whole number, or the first and the last of an interval: `3`, `0..9`.
    pub(super) fn interval(self) -> Result<(i64, i64), Wrong> {
        let (first, last) = match self.split_at("..") {
            Some((first, last)) => (first.integer()?, last.integer()?),
            None => (self.integer()?, self.integer()?),
        };
        match first <= last {
            true => Ok((first, last)),
            false => Err(Wrong::unexpected(self.at, "an interval that ascends", self.text)),
        }
    }

    /// A decimal or rational number: `0.25`, `1/4`.
    pub(super) fn real(self) -> Result<f64, Wrong> {
        let wrong = || Wrong::unexpected(self.at, "a decimal number or a fraction", self.text);
        let number = |token: Token<'_>| token.text.parse::<f64>().map_err(|_| wrong());
        let value = match self.split_at("/") {
            Some((above, below)) => number(above)? / number(below)?,
            None => number(self)?,
        };
        if value.is_finite() { Ok(value) } else { Err(wrong()) }
    }
}

/// Calls `visit` with the parts of each tuple of the text of `element`: `(1,2)(3,*)`.
pub(super) fn for_each_tuple<'a>(
    element: &Element<'a>,
    mut visit: impl FnMut(usize, &[Token<'a>]) -> Result<(), Wrong>,
) -> Result<(), Wrong> {
    let mut parts = Vec::new();
    for piece in element.texts() {
        let mut rest = piece.trimmed();
        while !rest.text.is_empty() {
            let Some((before, behind)) = rest.split_at(")") else {
                return Err(Wrong::unexpected(rest.at, "a tuple in parentheses", rest.text));
            };
            let Some(inside) = before.text.strip_prefix('(') else {
                return Err(Wrong::unexpected(rest.at, "a tuple in parentheses", rest.text));
            };
            parts.clear();
            let mut inside = Token { at: before.at + 1, text: inside };
            while let Some((part, others)) = inside.split_at(",") {
                parts.push(part.trimmed());
                inside = others;
            }
            parts.push(inside.trimmed());
            visit(before.at, &parts)?;
            rest = behind.trimmed();
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(text: &str) -> Token<'_> {
        Token { at: 0, text }
    }

    #[test]
    fn numbers_are_read() {
        assert_eq!(token("-12").integer().unwrap(), -12);
        assert_eq!(token("+3").interval().unwrap(), (3, 3));
        assert_eq!(token("-2..4").interval().unwrap(), (-2, 4));
        assert_eq!(token("1/4").real().unwrap(), 0.25);
        for wrong in ["", "x", "4..2", "1..", "99999999999999999999", "0x10"] {
            assert!(token(wrong).interval().is_err(), "{wrong}");
        }
        for wrong in ["", "1/0", "NaN", "inf", "1e999", "1/2/3"] {
            assert!(token(wrong).real().is_err(), "{wrong}");
        }
    }
}
