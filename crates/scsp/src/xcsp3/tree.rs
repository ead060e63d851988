//! XML as a tree of elements that know where they stand.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::error::{Wrong, Xcsp3Problem};

/// Elements inside elements go no deeper than this.
const MAX_DEPTH: usize = 32;

/// An element with what it contains.
#[derive(Debug)]
pub(super) struct Element<'a> {
    pub(super) name: String,
    /// Where it begins.
    pub(super) at: usize,
    attributes: Vec<(String, String)>,
    pub(super) children: Vec<Element<'a>>,
    /// The text between its children and comments.
    texts: Vec<Token<'a>>,
}

/// A piece of the text, and where it begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub(super) at: usize,
    pub(super) text: &'a str,
}

impl<'a> Element<'a> {
    /// The root of an XML text. Entities and document types are refused.
    pub(super) fn parse(text: &'a str) -> Result<Element<'a>, Wrong> {
        let mut reader = Reader::from_str(text);
        let mut open: Vec<Element<'a>> = Vec::new();
        let mut root: Option<Element<'a>> = None;
        loop {
            let at = reader.buffer_position() as usize;
            let event = reader.read_event();
            let after = reader.buffer_position() as usize;
            let event = event.map_err(|error| Wrong {
                at: reader.error_position() as usize,
                problem: Xcsp3Problem::Xml(error.to_string()),
            })?;
            let closed = match event {
                Event::Start(_) if open.len() == MAX_DEPTH => {
                    return Err(Wrong::not_read(at, format!("XML deeper than {MAX_DEPTH} levels")));
                }
                Event::Start(tag) => {
                    open.push(Element::new(&tag, at)?);
                    None
                }
                Event::Empty(tag) => Some(Element::new(&tag, at)?),
                // The reader has seen to it that an element of this name is open.
                Event::End(_) => open.pop(),
                Event::Text(_) => {
                    let token = Token { at, text: &text[at..after] };
                    match open.last_mut() {
                        Some(element) => element.texts.push(token),
                        None if token.text.trim().is_empty() => {}
                        None => {
                            return Err(Wrong::unexpected(at, "an element", token.text.trim()));
                        }
                    }
                    None
                }
                Event::CData(_) => return Err(Wrong::not_read(at, "CDATA")),
                Event::DocType(_) => return Err(Wrong::not_read(at, "a document type")),
                Event::GeneralRef(_) => return Err(Wrong::not_read(at, "an entity")),
                Event::Comment(_) | Event::PI(_) | Event::Decl(_) => None,
                Event::Eof => break,
            };
            match (closed, open.last_mut()) {
                (None, _) => {}
                (Some(element), Some(parent)) => parent.children.push(element),
                (Some(element), None) if root.is_some() => {
                    return Err(Wrong::unexpected(
                        element.at,
                        "the end of the text",
                        &element.name,
                    ));
                }
                (Some(element), None) => root = Some(element),
            }
        }
        match (open.pop(), root) {
            (Some(element), _) => Err(Wrong {
                at: text.len(),
                problem: Xcsp3Problem::Xml(format!(
                    "the text ends before </{}>: was it cut off?",
                    element.name
                )),
            }),
            (None, Some(root)) => Ok(root),
            (None, None) => Err(Wrong::unexpected(text.len(), "an element", "")),
        }
    }

    fn new(tag: &BytesStart<'_>, at: usize) -> Result<Element<'a>, Wrong> {
        let wrong = |reason: String| Wrong { at, problem: Xcsp3Problem::Xml(reason) };
        let mut attributes = Vec::new();
        for attribute in tag.attributes() {
            let attribute = attribute.map_err(|error| wrong(error.to_string()))?;
            let value = quick_xml::escape::unescape(&attribute.value)
                .map_err(|error| wrong(error.to_string()))?;
            attributes.push((attribute.key.as_ref().to_owned(), value.into_owned()));
        }
        let name = tag.name().as_ref().to_owned();
        Ok(Element { name, at, attributes, children: Vec::new(), texts: Vec::new() })
    }

    /// The value of an attribute.
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Refuses attributes that are not among `known`, and not for people only.
    pub(super) fn check_attributes(&self, known: &[&str]) -> Result<(), Wrong> {
        let is_known =
            |name: &str| ["id", "class", "note"].contains(&name) || known.contains(&name);
        match self.attributes.iter().find(|(name, _)| !is_known(name)) {
            Some((name, _)) => {
                let what = format!("the attribute `{name}` of <{}>", self.name);
                Err(Wrong::not_read(self.at, what))
            }
            None => Ok(()),
        }
    }

    /// Refuses children that are not among `known`.
    pub(super) fn check_children(&self, known: &[&str]) -> Result<(), Wrong> {
        match self.children.iter().find(|child| !known.contains(&child.name.as_str())) {
            Some(child) => {
                let what = format!("<{}> in <{}>", child.name, self.name);
                Err(Wrong::not_read(child.at, what))
            }
            None => Ok(()),
        }
    }

    /// The child with a name, if there is one. Two are refused.
    pub(super) fn child(&self, name: &str) -> Result<Option<&Element<'a>>, Wrong> {
        let mut found = self.children.iter().filter(|child| child.name == name);
        let first = found.next();
        match found.next() {
            Some(second) => Err(Wrong::not_read(second.at, format!("a second <{name}>"))),
            None => Ok(first),
        }
    }

    /// The child with a name, which must be there.
    pub(super) fn required(&self, name: &'static str) -> Result<&Element<'a>, Wrong> {
        self.child(name)?.ok_or_else(|| {
            let problem = Xcsp3Problem::Xml(format!("<{}> lacks <{name}>", self.name));
            Wrong { at: self.at, problem }
        })
    }

    /// Its text, piece by piece.
    pub(super) fn texts(&self) -> impl Iterator<Item = Token<'a>> {
        self.texts.iter().copied()
    }

    /// What stands between white space in its text.
    pub(super) fn tokens(&self) -> impl Iterator<Item = Token<'a>> {
        self.texts().flat_map(|piece| {
            piece.text.split_ascii_whitespace().map(move |text| {
                let offset = text.as_ptr() as usize - piece.text.as_ptr() as usize;
                Token { at: piece.at + offset, text }
            })
        })
    }

    /// The one thing that its text says.
    pub(super) fn only_token(&self) -> Result<Token<'a>, Wrong> {
        let mut tokens = self.tokens();
        match (tokens.next(), tokens.next()) {
            (Some(token), None) => Ok(token),
            (None, _) => Err(Wrong::unexpected(self.at, "one value", "")),
            (Some(_), Some(second)) => {
                Err(Wrong::unexpected(second.at, "one value only", second.text))
            }
        }
    }
}
