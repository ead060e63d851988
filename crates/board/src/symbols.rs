//! Short texts for the contents of a board.

use std::collections::{BTreeMap, BTreeSet};

use crate::names;

/// A cell without a piece.
pub(crate) const EMPTY: &str = ".";
/// A name with a number in it is drawn as it is if it has no more characters.
const MAX_NUMBERED: usize = 5;

/// How the contents of a board are drawn, each in its own way.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Symbols {
    blank: Option<String>,
    by_content: BTreeMap<String, String>,
}

impl Symbols {
    /// Symbols for all contents, of which `blank` says that there is nothing; those in `given` are
    /// taken as they are.
    pub(crate) fn choose(
        contents: &BTreeSet<String>,
        blank: Option<&str>,
        given: &BTreeMap<String, String>,
    ) -> Symbols {
        let mut symbols = Symbols { blank: blank.map(str::to_string), by_content: BTreeMap::new() };
        // What is blank is drawn as a point, and its name says nothing else.
        let mut used = BTreeSet::from([EMPTY, "*", blank.unwrap_or(EMPTY)].map(str::to_string));
        for content in contents {
            let fixed = given.get(content).cloned();
            let empty = || (blank == Some(content.as_str())).then(|| EMPTY.to_string());
            if let Some(symbol) = fixed.or_else(empty).or_else(|| plain(content)) {
                used.insert(symbol.clone());
                symbols.by_content.insert(content.clone(), symbol);
            }
        }
        for content in contents {
            if !symbols.by_content.contains_key(content) {
                let symbol = abbreviate(content, contents, &used);
                used.insert(symbol.clone());
                symbols.by_content.insert(content.clone(), symbol);
            }
        }
        symbols
    }

    /// The symbol of a content; the content itself if it was not known.
    pub(crate) fn of<'a>(&'a self, content: &'a str) -> &'a str {
        self.by_content.get(content).map_or(content, String::as_str)
    }

    /// Whether a content says that there is nothing.
    pub(crate) fn is_blank(&self, content: &str) -> bool {
        self.blank.as_deref() == Some(content)
    }

    /// The content that says that there is nothing.
    pub(crate) fn blank(&self) -> Option<&str> {
        self.blank.as_deref()
    }

    /// The width of the widest symbol.
    pub(crate) fn width(&self) -> usize {
        self.by_content.values().map(|symbol| symbol.chars().count()).max().unwrap_or(1)
    }
}

/// The content itself, if it is short enough to be drawn.
fn plain(content: &str) -> Option<String> {
    let n_characters = content.chars().count();
    let is_number = content.chars().all(|letter| letter.is_ascii_digit());
    let has_number = content.ends_with(|letter: char| letter.is_ascii_digit());
    let is_word = content.chars().all(char::is_alphanumeric);
    let fits = n_characters <= 2 || is_number || (has_number && is_word);
    let is_drawn_otherwise = content == EMPTY || content == "*";
    (fits && n_characters <= MAX_NUMBERED && !is_drawn_otherwise).then(|| content.to_string())
}

/// The shortest abbreviation that is not used: initials, then the first letter with a later one.
fn abbreviate(content: &str, all: &BTreeSet<String>, used: &BTreeSet<String>) -> String {
    let words = telling_words(content, all);
    let letters: Vec<char> = words.concat().chars().collect();
    let mut candidates = Vec::new();
    if let Some(&first) = letters.first() {
        let initials = words.iter().skip(1).filter_map(|word| word.chars().next());
        let later_words = words.iter().skip(1).flat_map(|word| word.chars());
        let later = initials.chain(later_words).chain(letters.iter().copied().skip(1));
        candidates.extend(later.map(|second| format!("{first}{second}")));
        let place = if words.len() == 1 || !begin_alike(all) { 0 } else { candidates.len() };
        candidates.insert(place, first.to_string());
        candidates.push(first.to_uppercase().to_string());
    }
    let is_free = |symbol: &String| !used.contains(symbol);
    candidates
        .into_iter()
        .find(is_free)
        .or_else(|| (1..).map(|number: u64| number.to_string()).find(is_free))
        .unwrap_or_else(|| content.to_string())
}

/// The words of a content but for those that are in all contents of several words.
fn telling_words(content: &str, all: &BTreeSet<String>) -> Vec<String> {
    let others: Vec<Vec<String>> = several_words(all).collect();
    let is_everywhere = |word: &String| others.iter().all(|words| words.contains(word));
    let mut words = names::words(content);
    if words.len() > 1 && others.len() > 1 {
        words.retain(|word| !is_everywhere(word));
    }
    words
}

/// Whether contents of several words have the same first letter, as the pieces of one player: then
/// one letter would say too little.
fn begin_alike(contents: &BTreeSet<String>) -> bool {
    let firsts: Vec<Option<char>> =
        several_words(contents).map(|words| words[0].chars().next()).collect();
    firsts.iter().collect::<BTreeSet<_>>().len() < firsts.len()
}

/// The words of those contents that have several.
fn several_words(contents: &BTreeSet<String>) -> impl Iterator<Item = Vec<String>> {
    contents.iter().map(|content| names::words(content)).filter(|words| words.len() > 1)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::Symbols;

    fn symbols(contents: &[&str], blank: Option<&str>) -> Vec<String> {
        let set = contents.iter().map(|content| content.to_string()).collect();
        let symbols = Symbols::choose(&set, blank, &BTreeMap::new());
        contents.iter().map(|content| symbols.of(content).to_string()).collect()
    }

    #[test]
    fn symbols_are_short_and_different() {
        assert_eq!(symbols(&["white", "black", "blank"], Some("blank")), ["w", "b", "."]);
        assert_eq!(
            symbols(&["white_pawn", "white_prince", "black_pawn"], None),
            ["wp", "wr", "bp"]
        );
        assert_eq!(symbols(&["b", "blk"], Some("b")), [".", "bl"]);
        assert_eq!(symbols(&["black", "blue", "b"], None), ["bl", "bu", "b"]);
        assert_eq!(symbols(&["xplayer", "oplayer"], None), ["x", "o"]);
        assert_eq!(symbols(&["black king", "black knight", "red king"], None), ["bk", "bn", "rk"]);
        assert_eq!(symbols(&["justMoved", "black"], None), ["j", "b"]);
        assert_eq!(symbols(&["(piece white king)", "(piece black king)"], None), ["w", "b"]);
        assert_eq!(symbols(&["p0101", "12"], None), ["p0101", "12"]);
    }

    #[test]
    fn odd_contents_have_symbols() {
        assert_eq!(symbols(&[".", "???", ""], None), ["1", "2", ""]);
    }
}
