//! The elements of a list, one after the other, each as the piece of text that it is.
//!
//! No tree is made: a message of many megabytes takes no room beside its text, however it is nested.

use crate::error::MessageError;

/// Lists within the lists of a term are not deeper: what reads the rules afterwards has the same limit.
pub(crate) const MAX_DEPTH: usize = 1_000;

/// In a message, terms stand in a list of rules or of moves, and that in the list that is the message.
const MAX_DEPTH_OF_MESSAGE: usize = MAX_DEPTH + 2;

/// A word, or a list with its parentheses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Element<'a> {
    Word(&'a str),
    /// What stands between its parentheses.
    List(&'a str),
}

/// Walks through the elements of a text.
#[derive(Clone, Debug)]
pub(crate) struct Elements<'a> {
    rest: &'a str,
}

impl<'a> Elements<'a> {
    /// The elements of `text`, which is what stands between the parentheses of a list, or a whole message.
    pub(crate) fn of(text: &'a str) -> Elements<'a> {
        Elements { rest: text }
    }

    /// What was not looked at yet.
    pub(crate) fn rest(&self) -> &'a str {
        self.rest
    }

    /// Whether there is nothing more.
    pub(crate) fn is_at_end(&self) -> bool {
        Tokens::of(self.rest).next().is_none()
    }

    /// Takes the list that comes next from the text.
    fn list(&mut self) -> Result<Element<'a>, MessageError> {
        let text = self.rest;
        let mut depth = Depth::up_to(MAX_DEPTH_OF_MESSAGE);
        for (place, token) in Tokens::of(text) {
            depth.note(token)?;
            if depth.is_outside() {
                self.rest = &text[place + token.len()..];
                return Ok(Element::List(&text[1..place]));
            }
        }
        Err(MessageError::Unclosed)
    }
}

impl<'a> Iterator for Elements<'a> {
    type Item = Result<Element<'a>, MessageError>;

    /// The next element. After an error there are no more.
    fn next(&mut self) -> Option<Self::Item> {
        let (place, token) = Tokens::of(self.rest).next()?;
        self.rest = &self.rest[place..];
        let element = match token {
            "(" => self.list(),
            ")" => Err(MessageError::ClosesNothing),
            word => {
                self.rest = &self.rest[word.len()..];
                Ok(Element::Word(word))
            }
        };
        if element.is_err() {
            self.rest = "";
        }
        Some(element)
    }
}

/// The parentheses and words of a text, and where they are.
#[derive(Clone, Debug)]
pub(crate) struct Tokens<'a> {
    text: &'a str,
    place: usize,
}

impl<'a> Tokens<'a> {
    pub(crate) fn of(text: &'a str) -> Tokens<'a> {
        Tokens { text, place: 0 }
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = (usize, &'a str);

    fn next(&mut self) -> Option<(usize, &'a str)> {
        loop {
            let (place, rest) = (self.place, &self.text[self.place..]);
            let first = rest.chars().next()?;
            let token = match first {
                ';' => {
                    self.place += rest.find(['\n', '\r']).unwrap_or(rest.len());
                    continue;
                }
                _ if is_blank(first) => {
                    self.place += first.len_utf8();
                    continue;
                }
                '(' | ')' => &rest[..1],
                _ => {
                    let ends = |c: char| is_blank(c) || matches!(c, '(' | ')' | ';');
                    &rest[..rest.find(ends).unwrap_or(rest.len())]
                }
            };
            self.place += token.len();
            return Some((place, token));
        }
    }
}

/// How many lists are open.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Depth {
    n_open: usize,
    limit: usize,
}

impl Depth {
    /// None is open, and so many may be.
    pub(crate) fn up_to(limit: usize) -> Depth {
        Depth { n_open: 0, limit }
    }

    /// The next token has come.
    pub(crate) fn note(&mut self, token: &str) -> Result<(), MessageError> {
        match token {
            "(" if self.n_open == self.limit => {
                return Err(MessageError::TooDeep { limit: self.limit });
            }
            "(" => self.n_open += 1,
            ")" => self.n_open = self.n_open.checked_sub(1).ok_or(MessageError::ClosesNothing)?,
            _ => {}
        }
        Ok(())
    }

    /// Whether no list is open.
    pub(crate) fn is_outside(self) -> bool {
        self.n_open == 0
    }
}

/// Whether a character separates words. Control characters do: they mean nothing.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || c.is_control() || c == '\u{feff}'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elements(text: &str) -> Result<Vec<Element<'_>>, MessageError> {
        Elements::of(text).collect()
    }

    #[test]
    fn words_and_lists_are_pieces_of_the_text() {
        let found = elements(" PLAY m\t( (mark 1 3)noop) nil\r\n");
        let expected = [
            Element::Word("PLAY"),
            Element::Word("m"),
            Element::List(" (mark 1 3)noop"),
            Element::Word("nil"),
        ];
        assert_eq!(found.unwrap(), expected);
        assert_eq!(elements("()"), Ok(vec![Element::List("")]));
        assert_eq!(elements(" \u{feff} "), Ok(vec![]));
    }

    #[test]
    fn comments_are_passed_over() {
        let found = elements("a;b (\n(c ;)\n d)").unwrap();
        assert_eq!(found, [Element::Word("a"), Element::List("c ;)\n d")]);
    }

    #[test]
    fn what_is_not_balanced_is_told() {
        assert_eq!(elements("(a (b)"), Err(MessageError::Unclosed));
        assert_eq!(elements("a) b"), Err(MessageError::ClosesNothing));
        let deep = "(".repeat(5_000_000);
        let limit = MAX_DEPTH_OF_MESSAGE;
        assert_eq!(elements(&deep), Err(MessageError::TooDeep { limit }));
        let just_not = format!("{}{}", "(".repeat(limit), ")".repeat(limit));
        assert_eq!(elements(&just_not).map(|found| found.len()), Ok(1));
    }

    #[test]
    fn there_is_nothing_after_an_error() {
        let mut elements = Elements::of("a ) b");
        assert_eq!(elements.next(), Some(Ok(Element::Word("a"))));
        assert_eq!(elements.next(), Some(Err(MessageError::ClosesNothing)));
        assert_eq!(elements.next(), None);
    }
}
