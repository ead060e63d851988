//! Terms: moves and percepts.

use gdl::Symbols;

use crate::elements::{Depth, MAX_DEPTH, Tokens};
use crate::error::MessageError;

/// The one term of `text`, with single blanks between its parts and none inside parentheses. A list of one word is
/// the word. Every list begins with a word, and no word stands for something else, as `?x` does.
///
/// ```
/// assert_eq!(protocol::plain_term("( move\n 1 ( to 2 ) )").unwrap(), "(move 1 (to 2))");
/// assert_eq!(protocol::plain_term("(noop)").unwrap(), "noop");
/// assert!(protocol::plain_term("noop noop").is_err());
/// ```
pub fn plain_term(text: &str) -> Result<String, MessageError> {
    written(text, |word| word)
}

/// The same, with the words as `symbols` have them, which are compared without case; others stay as they are.
///
/// ```
/// let rules = gdl::parse_kif("(legal x (markCell 1))").ast;
/// assert_eq!(protocol::spelt_as(&rules.symbols, "( MARKCELL 1 )").unwrap(), "(markCell 1)");
/// ```
pub fn spelt_as(symbols: &Symbols, text: &str) -> Result<String, MessageError> {
    written(text, |word| symbols.get(word).map_or(word, |symbol| symbols.name(symbol)))
}

/// A list that is being written.
#[derive(Clone, Copy)]
struct OpenList {
    /// Where its parenthesis was written.
    start: usize,
    n_elements: usize,
}

/// The one term of a text, with its words as `spell` has them. It goes through the text once, however deep lists are.
fn written<'a>(text: &'a str, spell: impl Fn(&'a str) -> &'a str) -> Result<String, MessageError> {
    let mut out = String::with_capacity(text.len());
    let mut depth = Depth::up_to(MAX_DEPTH);
    let mut open: Vec<OpenList> = Vec::new();
    for (_, token) in Tokens::of(text) {
        if depth.is_outside() && !out.is_empty() {
            return Err(MessageError::NoTerm);
        }
        depth.note(token)?;
        if token == ")" {
            close(&mut out, open.pop())?;
            continue;
        }
        if let Some(list) = open.last_mut() {
            match (list.n_elements, token) {
                (0, "(") => return Err(MessageError::NoTerm),
                (0, _) => {}
                _ => out.push(' '),
            }
            list.n_elements += 1;
        }
        if token == "(" {
            open.push(OpenList { start: out.len(), n_elements: 0 });
            out.push('(');
        } else if token.starts_with('?') {
            return Err(MessageError::NoTerm);
        } else {
            out.push_str(spell(token));
        }
    }
    match out.is_empty() {
        true => Err(MessageError::Empty),
        false if !depth.is_outside() => Err(MessageError::Unclosed),
        false => Ok(out),
    }
}

/// Ends a list. One of a single word is that word; the list begins with it, so it is moved once.
fn close(out: &mut String, list: Option<OpenList>) -> Result<(), MessageError> {
    match list {
        None | Some(OpenList { n_elements: 0, .. }) => return Err(MessageError::NoTerm),
        Some(OpenList { start, n_elements: 1 }) => drop(out.remove(start)),
        Some(_) => out.push(')'),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_written_in_one_way() {
        for (text, plain) in [
            (" noop ", "noop"),
            ("( noop )", "noop"),
            ("(move\t1(to 2)3)", "(move 1 (to 2) 3)"),
            ("(move (to 2))", "(move (to 2))"),
            ("(move (here))", "(move here)"),
        ] {
            assert_eq!(plain_term(text).as_deref(), Ok(plain), "{text}");
        }
        for text in ["", "a b", "(a", "a)", "(a) b", "()", "(f ())", "((noop))", "?x", "(f ?x)"] {
            assert!(plain_term(text).is_err(), "{text}");
        }
    }

    #[test]
    fn deep_terms_are_written_or_refused() {
        let deep = |n: usize| format!("{}a{}", "(f ".repeat(n), ")".repeat(n));
        assert_eq!(plain_term(&deep(1_000)), Ok(deep(1_000)));
        assert!(plain_term(&deep(1_001)).is_err());
    }
}
