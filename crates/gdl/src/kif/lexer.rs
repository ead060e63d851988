//! Text to parentheses and words.

use crate::Span;
use crate::builder::Builder;
use crate::diagnostic::Code;

/// A piece of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token {
    Open(Span),
    Close(Span),
    Word(Span),
}

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
            let start = self.place;
            match rest.chars().next()? {
                '(' => return Some(Token::Open(self.take(1))),
                ')' => return Some(Token::Close(self.take(1))),
                ';' => {
                    let comment = self.take(line_length(rest));
                    builder.comments.push(comment);
                }
                '%' => {
                    let comment = self.take(line_length(rest));
                    builder.comments.push(comment);
                    builder.problem(
                        Code::PercentComment,
                        comment,
                        "`%` begins no comment in this form; the rest of the line is left out",
                        "begin comments with `;`",
                    );
                }
                c if is_blank(c) => self.place += c.len_utf8(),
                c if c.is_control() => {
                    let span = self.take(control_length(rest));
                    builder.control_characters(span);
                }
                _ => {
                    let length = rest.find(|c| !is_word_char(c)).unwrap_or(rest.len());
                    self.place = start + length;
                    return Some(Token::Word(Span::new(start, self.place)));
                }
            }
        }
    }

    fn take(&mut self, length: usize) -> Span {
        let start = self.place;
        self.place += length;
        Span::new(start, self.place)
    }
}

/// Whether `c` can be part of a word. A `;` ends a word, as in ggp-base.
pub(crate) fn is_word_char(c: char) -> bool {
    // The common characters first: this is the inner loop of reading.
    if c.is_ascii_alphanumeric() {
        return true;
    }
    !(is_blank(c) || c.is_control() || matches!(c, '(' | ')' | ';'))
}

/// Whether `c` is white space. A byte order mark is that too, wherever files were joined.
pub(crate) fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{feff}'
}

/// Whether `name` is read as one word. A `%` at its beginning is taken for a comment, and `:-` in
/// it for the other form.
pub(crate) fn is_word(name: &str) -> bool {
    let is_other_form = name.contains(":-");
    !name.is_empty() && name.chars().all(is_word_char) && !name.starts_with('%') && !is_other_form
}

/// The length of the control characters that `rest` begins with.
pub(crate) fn control_length(rest: &str) -> usize {
    let is_stray = |c: char| c.is_control() && !c.is_whitespace();
    rest.find(|c| !is_stray(c)).unwrap_or(rest.len())
}

/// The length of the line that `rest` begins with, without its end.
fn line_length(rest: &str) -> usize {
    rest.bytes().position(|byte| byte == b'\n' || byte == b'\r').unwrap_or(rest.len())
}
