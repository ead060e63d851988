//! Rules in other words, so that no player profits from the names (Genesereth & Love 2005).

use std::collections::HashMap;

use base::Rng;
use rand::seq::{IndexedRandom, SliceRandom};

use crate::Symbols;
use crate::kif::is_word_char;

/// Replaces the names of a game by invented ones and back, in text of the prefix form: rules,
/// moves, percepts.
///
/// Kept are the words of the language, and whatever does not begin with a letter: numbers, `+`.
///
/// ```
/// let text = "(<= (legal ?player (mark 1)) (role ?player))";
/// let parse = gdl::parse_kif(text);
/// let scrambler = gdl::Scrambler::new(&parse.ast.symbols, &mut base::seeded_rng(7));
/// let scrambled = scrambler.scramble(text);
/// assert!(scrambled.starts_with("(<= (legal ?") && !scrambled.contains("mark"));
/// assert_eq!(scrambler.unscramble(&scrambled), text);
/// ```
#[derive(Clone, Debug)]
pub struct Scrambler {
    scrambled: HashMap<String, String>,
    original: HashMap<String, String>,
}

impl Scrambler {
    /// A scrambler for the names in `symbols`.
    pub fn new(symbols: &Symbols, rng: &mut Rng) -> Scrambler {
        let names = symbols.ids().filter(|symbol| !symbol.is_reserved());
        let names: Vec<&str> = names.map(|symbol| symbols.name(symbol)).collect();
        let names: Vec<&str> = names.into_iter().filter(|name| is_scrambled(name)).collect();
        let words = invented_words(names.len(), symbols, rng);
        let mut scrambler = Scrambler { scrambled: HashMap::new(), original: HashMap::new() };
        for (name, word) in names.into_iter().zip(words) {
            let word = if name.starts_with('?') { format!("?{word}") } else { word };
            scrambler.scrambled.insert(name.to_ascii_lowercase(), word.clone());
            scrambler.original.insert(word, name.to_owned());
        }
        scrambler
    }

    /// `text` with invented names; names that the game does not have are left as they are.
    pub fn scramble(&self, text: &str) -> String {
        replace_words(text, &self.scrambled)
    }

    /// `text` with the names of the game for the invented ones, which are read without case.
    pub fn unscramble(&self, text: &str) -> String {
        replace_words(text, &self.original)
    }
}

fn is_scrambled(name: &str) -> bool {
    name.strip_prefix('?').unwrap_or(name).starts_with(char::is_alphabetic)
}

fn replace_words(text: &str, names: &HashMap<String, String>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        if rest.starts_with('%') {
            // As in reading, a `%` where a word would begin starts a comment.
            rest = split_at(rest, rest.find(['\n', '\r'])).1;
            continue;
        }
        let (word, after) = split_at(rest, rest.find(|c| !is_word_char(c)));
        match names.get(&word.to_ascii_lowercase()) {
            Some(name) => out.push_str(name),
            None => out.push_str(word),
        }
        let (between, after) = split_at(after, after.find(is_word_char));
        match between.find(';') {
            // A comment would tell the names; it is left out.
            Some(start) => {
                let (before, comment) = between.split_at(start);
                out.push_str(before);
                let comment = &rest[rest.len() - after.len() - comment.len()..];
                rest = split_at(comment, comment.find(['\n', '\r'])).1;
            }
            None => {
                out.push_str(between);
                rest = after;
            }
        }
    }
    out
}

fn split_at(text: &str, place: Option<usize>) -> (&str, &str) {
    text.split_at(place.unwrap_or(text.len()))
}

/// `n_words` different words that can be spoken, none of them in `symbols`.
fn invented_words(n_words: usize, symbols: &Symbols, rng: &mut Rng) -> Vec<String> {
    const CONSONANTS: &[&str] = &[
        "b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "z", "br", "dr", "kl",
        "pl", "st", "tr",
    ];
    const VOWELS: &[&str] = &["a", "e", "i", "o", "u"];
    let choose = |from: &[&'static str], rng: &mut Rng| *from.choose(rng).expect("not empty");
    let mut words: Vec<String> = Vec::with_capacity(n_words);
    let mut taken = std::collections::HashSet::new();
    let mut n_syllables = 2;
    while words.len() < n_words {
        let syllable = |rng: &mut Rng| choose(CONSONANTS, rng).to_owned() + choose(VOWELS, rng);
        let word: String = (0..n_syllables).map(|_| syllable(rng)).collect();
        let is_known = symbols.get(&word).is_some() || symbols.get(&format!("?{word}")).is_some();
        if !is_known && taken.insert(word.clone()) {
            words.push(word);
        } else {
            // Words become rare: make longer ones.
            n_syllables = (n_syllables + 1).min(12);
        }
    }
    words.shuffle(rng);
    words
}

#[cfg(test)]
mod tests {
    use base::seeded_rng;

    use super::*;

    #[test]
    fn keywords_numbers_and_signs_are_kept() {
        let text =
            "(<= (goal white 100) (sees ?x +) (input ?x _) (knows 007 random)) ; secret\n% hidden";
        let symbols = crate::parse_kif(text).ast.symbols;
        let scrambled = Scrambler::new(&symbols, &mut seeded_rng(1)).scramble(text);
        let words: Vec<&str> = scrambled.split([' ', '(', ')', '\n']).collect();
        for kept in ["<=", "goal", "100", "sees", "+", "input", "_", "knows", "007", "random"] {
            assert!(words.contains(&kept), "{kept} is missing in {scrambled}");
        }
        for gone in ["white", "?x", "secret", "hidden"] {
            assert!(!words.contains(&gone), "{gone} is left in {scrambled}");
        }
    }

    #[test]
    fn replies_are_unscrambled_without_case_and_unknown_words_pass() {
        let symbols = crate::parse_kif("(move Rook)").ast.symbols;
        let scrambler = Scrambler::new(&symbols, &mut seeded_rng(1));
        let reply = scrambler.scramble("(move rook)").to_uppercase();
        assert_eq!(scrambler.unscramble(&reply), "(move Rook)");
        assert_eq!(scrambler.unscramble("nil"), "nil");
    }

    #[test]
    fn the_seed_decides_the_words() {
        let symbols = crate::parse_kif("(a b c d e f)").ast.symbols;
        let words = |seed| Scrambler::new(&symbols, &mut seeded_rng(seed)).scramble("(a b c)");
        assert_eq!(words(3), words(3));
        assert_ne!(words(3), words(4));
    }
}
