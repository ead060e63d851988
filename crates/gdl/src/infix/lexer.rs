//! Text to words and signs.

use crate::Span;
use crate::builder::Builder;
use crate::diagnostic::Code;
use crate::kif::{control_length, is_blank};

/// A piece of the text, with its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) span: Span,
    pub(super) kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A constant or a name, without quotation marks.
    Word,
    /// A constant or a name in quotation marks.
    Quoted,
    /// A variable that begins with an upper-case letter or `_`.
    Variable,
    /// A variable as in the prefix form: `?x`, or `?'x'` where the name has unusual characters.
    MarkedVariable,
    Open,
    Close,
    Comma,
    Stop,
    Arrow,
    And,
    Or,
    Not,
    Equal,
    Unequal,
    /// `::` after the action of an operation.
    Operation,
    /// `==>` before the effects of an operation.
    Effect,
    /// A sign that has no meaning here.
    Other,
    /// Something that was already reported.
    Reported,
}

/// Signs, longer ones before their beginnings.
const SIGNS: &[(&str, Kind)] = &[
    ("==>", Kind::Effect),
    ("\\==", Kind::Unequal),
    (":-", Kind::Arrow),
    ("<=", Kind::Arrow),
    ("<-", Kind::Arrow),
    ("←", Kind::Arrow),
    ("::", Kind::Operation),
    ("\\=", Kind::Unequal),
    ("!=", Kind::Unequal),
    ("≠", Kind::Unequal),
    ("==", Kind::Equal),
    ("=", Kind::Equal),
    ("\\+", Kind::Not),
    ("~", Kind::Not),
    ("¬", Kind::Not),
    ("&", Kind::And),
    ("∧", Kind::And),
    ("|", Kind::Or),
    (";", Kind::Or),
    ("∨", Kind::Or),
    ("(", Kind::Open),
    (")", Kind::Close),
    (",", Kind::Comma),
    (".", Kind::Stop),
];

/// Walks through the text of a builder, which takes the comments and the problems.
pub(super) struct Lexer {
    place: usize,
}

impl Lexer {
    pub(super) fn new() -> Lexer {
        Lexer { place: 0 }
    }

    /// The next token, or `None` at the end of the text.
    pub(super) fn next(&mut self, builder: &mut Builder<'_>) -> Option<Token> {
        loop {
            let rest = &builder.text[self.place..];
            let first = rest.chars().next()?;
            if is_blank(first) {
                self.place += first.len_utf8();
            } else if first == '%' {
                let length = rest.find(['\n', '\r']).unwrap_or(rest.len());
                let comment = self.take(length);
                builder.comments.push(comment);
            } else if rest.starts_with("/*") {
                self.block_comment(rest, builder);
            } else if first.is_control() {
                let span = self.take(control_length(rest));
                builder.control_characters(span);
            } else {
                return Some(self.token(first, rest, builder));
            }
        }
    }

    fn token(&mut self, first: char, rest: &str, builder: &mut Builder<'_>) -> Token {
        if let Some(name) = rest.strip_prefix('?') {
            let length = match quoted_length(name) {
                Some(length) => length,
                None => name.find(|c| !is_marked_char(c)).unwrap_or(name.len()),
            };
            return self.make(1 + length, Kind::MarkedVariable);
        }
        if first == '\'' {
            return match quoted_length(rest) {
                Some(length) => self.make(length, Kind::Quoted),
                None => self.unclosed_quote(rest, builder),
            };
        }
        if first.is_uppercase() || first == '_' {
            let length = rest.find(|c| !is_name_char(c)).unwrap_or(rest.len());
            return self.make(length, Kind::Variable);
        }
        if let Some(length) = word_length(rest) {
            let kind = match rest[..length].to_ascii_lowercase().as_str() {
                "not" => Kind::Not,
                "and" => Kind::And,
                "or" => Kind::Or,
                _ => Kind::Word,
            };
            return self.make(length, kind);
        }
        match SIGNS.iter().find(|(sign, _)| rest.starts_with(sign)) {
            Some((sign, kind)) => self.make(sign.len(), *kind),
            None => self.make(first.len_utf8(), Kind::Other),
        }
    }

    fn block_comment(&mut self, rest: &str, builder: &mut Builder<'_>) {
        let length = match rest.find("*/") {
            Some(end) => end + 2,
            None => {
                let open = Span::new(self.place, self.place + 2);
                let message = "this comment is never closed";
                builder.problem(Code::Unclosed, open, message, "add `*/` where it ends");
                rest.len()
            }
        };
        let comment = self.take(length);
        builder.comments.push(comment);
    }

    fn unclosed_quote(&mut self, rest: &str, builder: &mut Builder<'_>) -> Token {
        let token = self.make(rest.find(['\n', '\r']).unwrap_or(rest.len()), Kind::Reported);
        let message = "this quotation mark is never closed";
        builder.problem(Code::Unclosed, token.span, message, "add `'` where the name ends");
        token
    }

    fn make(&mut self, length: usize, kind: Kind) -> Token {
        Token { span: self.take(length), kind }
    }

    fn take(&mut self, length: usize) -> Span {
        let start = self.place;
        self.place += length;
        Span::new(start, self.place)
    }
}

/// The name in the text of a quoted constant: without its marks, and with `\'` and `\\` resolved.
pub(super) fn unquote(text: &str) -> String {
    let inner = text.strip_prefix('\'').and_then(|text| text.strip_suffix('\'')).unwrap_or(text);
    let mut name = String::with_capacity(inner.len());
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        name.extend(if c == '\\' { chars.next() } else { Some(c) });
    }
    name
}

/// Whether `name` can be written as a constant without quotation marks.
pub(crate) fn is_plain_constant(name: &str) -> bool {
    word_length(name) == Some(name.len())
        && !["not", "or", "and"].iter().any(|word| name.eq_ignore_ascii_case(word))
}

/// Whether `name`, without its `?`, can be written as a variable once its first letter is large.
pub(crate) fn is_plain_variable(name: &str) -> bool {
    // `_` alone is a new variable wherever it stands.
    name != "_"
        && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(is_name_char)
}

/// The length of the constant that `text` begins with: letters, digits and `_`, not beginning
/// with an upper-case letter or `_`; within it also a hyphen or, between digits, a full stop.
fn word_length(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let start = usize::from(bytes.first() == Some(&b'-'));
    let first = text[start..].chars().next()?;
    if !first.is_alphanumeric() || first.is_uppercase() {
        return None;
    }
    let mut length = start;
    for c in text[start..].chars() {
        let next = length + c.len_utf8();
        let is_followed_by = |test: fn(&u8) -> bool| bytes.get(next).is_some_and(test);
        let is_inside = match c {
            '-' => is_followed_by(u8::is_ascii_alphanumeric),
            '.' => bytes[length - 1].is_ascii_digit() && is_followed_by(u8::is_ascii_digit),
            _ => is_name_char(c),
        };
        if !is_inside {
            break;
        }
        length = next;
    }
    Some(length)
}

/// The length of the quoted name that `text` begins with, on one line.
fn quoted_length(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('\'')?;
    let mut is_escaped = false;
    for (place, c) in inner.char_indices() {
        match c {
            '\n' | '\r' => return None,
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '\'' => return Some(place + 2),
            _ => {}
        }
    }
    None
}

fn is_name_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn is_marked_char(c: char) -> bool {
    is_name_char(c) || matches!(c, '+' | '-' | '<' | '>' | '*' | '/')
}
