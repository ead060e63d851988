//! What can be told from the names that rules give to things.

/// Whose a content is, as far as its name tells.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// White, red, light, x: who moves first in most games.
    First,
    /// Black, blue, dark, o.
    Second,
}

const FIRST: [&str; 6] = ["white", "red", "light", "x", "w", "r"];
const SECOND: [&str; 5] = ["black", "blue", "dark", "o", "b"];
const COLOURS: [&str; 6] = ["white", "black", "light", "dark", "red", "blue"];
const BLANK: [&str; 15] = [
    "blank",
    "empty",
    "nil",
    "none",
    "space",
    "dirt",
    "free",
    "nothing",
    "vacant",
    "clear",
    "floor",
    "unoccupied",
    "off",
    "nolight",
    "_",
];
const NO_PLACES: [&str; 18] = [
    "heap", "pile", "stack", "pit", "hand", "count", "counter", "score", "points", "step", "coins",
    "money", "size", "value", "number", "left", "blocked", "wall",
];

/// The words of a name: parts between signs, at digits and at capitals, without a final `player`.
///
/// Thus `whitePawn` and `(piece white pawn)` have both words, and `xplayer` is `x`.
pub(crate) fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![String::new()];
    let mut before = ' ';
    for letter in name.chars() {
        let begins = (letter.is_uppercase() && before.is_lowercase())
            || (letter.is_alphanumeric() && letter.is_numeric() != before.is_numeric());
        if begins || !letter.is_alphanumeric() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| letter.is_alphanumeric()) {
            word.extend(letter.to_lowercase());
        }
        before = letter;
    }
    for word in &mut words {
        if let Some(shorter) = word.strip_suffix("player") {
            *word = shorter.to_string();
        }
    }
    words.retain(|word| !word.is_empty());
    words.iter().flat_map(|word| after_colour(word)).map(str::to_string).collect()
}

/// A word in two if it is a colour and a longer word, as `whitepawn`.
fn after_colour(word: &str) -> Vec<&str> {
    let rest = COLOURS.iter().find_map(|colour| word.strip_prefix(colour));
    match rest.filter(|rest| rest.len() > 2) {
        Some(rest) => vec![word.strip_suffix(rest).unwrap_or(word), rest],
        None => vec![word],
    }
}

/// Whose a content of this name is. `wp` and `bk` are of white and black.
pub(crate) fn side(content: &str) -> Option<Side> {
    let mut words = words(content);
    if let [word] = words.as_slice()
        && word.len() == 2
    {
        words = vec![word.chars().take(1).collect()];
    }
    words.iter().find_map(|word| {
        let word = word.as_str();
        let first = FIRST.contains(&word).then_some(Side::First);
        first.or_else(|| SECOND.contains(&word).then_some(Side::Second))
    })
}

/// Whether fluents of this name with two coordinates and no more say something else than that a
/// thing is there: how many there are of it, or where one cannot go.
pub(crate) fn is_no_place(name: &str) -> bool {
    words(name).iter().any(|word| {
        let word = word.strip_suffix('s').unwrap_or(word);
        NO_PLACES.iter().any(|name| name.strip_suffix('s').unwrap_or(name) == word)
    })
}

/// Which of the contents of a board says that there is nothing.
///
/// `is_common` says whether a content can be on most of the places. `b` and `e` are blank only if
/// they can. `b` is blank beside `x` and `o`, but black beside `w`, `r` or another word for blank.
pub(crate) fn blank<'a>(contents: &[&'a str], is_common: impl Fn(&str) -> bool) -> Option<&'a str> {
    let find =
        |name: &str| contents.iter().copied().find(|content| content.eq_ignore_ascii_case(name));
    let find_common = |name: &str| find(name).filter(|content| is_common(content));
    let plain = BLANK.iter().find_map(|name| find(name)).or_else(|| find_common("e"));
    let has_rival = find("w").or_else(|| find("r")).is_some();
    plain.or_else(|| if has_rival { None } else { find_common("b") })
}

#[cfg(test)]
mod tests {
    use super::{Side, blank, is_no_place, side, words};

    #[test]
    fn words_of_names() {
        assert_eq!(words("white_pawn"), ["white", "pawn"]);
        assert_eq!(words("(piece whitePawn 3)"), ["piece", "white", "pawn", "3"]);
        assert_eq!(words("blackknight"), ["black", "knight"]);
        assert_eq!(words("xPlayer"), ["x"]);
        assert_eq!(words("oplayer"), ["o"]);
        assert_eq!(words("?!"), [""; 0]);
    }

    #[test]
    fn sides_of_contents() {
        assert_eq!(side("wp"), Some(Side::First));
        assert_eq!(side("(king black)"), Some(Side::Second));
        assert_eq!(side("arrow"), None);
        assert_eq!(side("oplayer"), Some(Side::Second));
    }

    #[test]
    fn b_is_blank_or_black() {
        assert_eq!(blank(&["b", "o", "x"], |_| true), Some("b"));
        assert_eq!(blank(&["b", "w", "x"], |_| true), None);
        assert_eq!(blank(&["b", "blank", "w"], |_| true), Some("blank"));
        assert_eq!(blank(&["b", "o", "x"], |_| false), None);
    }

    #[test]
    fn what_is_no_place_is_known_by_name() {
        assert!(
            is_no_place("heap")
                && is_no_place("blockedEast")
                && is_no_place("piece_count")
                && is_no_place("coins")
        );
        assert!(!is_no_place("mark") && !is_no_place("cell"));
    }
}
