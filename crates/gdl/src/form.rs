//! The two ways to write rules.

use std::path::Path;

use crate::kif::is_blank;

/// How a rule sheet is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Form {
    /// Prefix: `(<= (legal ?p noop) (role ?p))`.
    Kif,
    /// Infix: `legal(P, noop) :- role(P).`
    Infix,
}

impl Form {
    /// The form of a sheet, by the ending of its file name if that says it, else by its text.
    ///
    /// ```
    /// use gdl::Form;
    /// assert_eq!(Form::guess("game.kif", "terminal"), Form::Kif);
    /// assert_eq!(Form::guess("game.txt", "% nim\nrole(x)."), Form::Infix);
    /// assert_eq!(Form::guess("game.txt", "; nim\n(role x)"), Form::Kif);
    /// ```
    pub fn guess(name: &str, text: &str) -> Form {
        let ending = Path::new(name).extension().and_then(|ending| ending.to_str());
        match ending.map(str::to_ascii_lowercase).as_deref() {
            Some("kif") => Form::Kif,
            Some("hrf" | "pl" | "prolog") => Form::Infix,
            _ => Form::of_text(text),
        }
    }

    /// The form that the first rule of `text` has.
    fn of_text(text: &str) -> Form {
        let mut rest = text.trim_start_matches(is_blank);
        // Comments of either form, and of C's manner.
        while rest.starts_with([';', '%']) || rest.starts_with("/*") {
            let end = match rest.strip_prefix("/*") {
                Some(comment) => comment.find("*/").map(|end| end + 4),
                None => rest.find(['\n', '\r']),
            };
            rest = rest[end.unwrap_or(rest.len())..].trim_start_matches(is_blank);
        }
        let first = rest.split(['\n', '\r']).next();
        // In prefix form a sheet begins with a list, or, rarely, with a proposition.
        match first {
            Some(line) if line.starts_with('(') => Form::Kif,
            Some(line) if line.contains('(') || line.contains(":-") || line.ends_with('.') => {
                Form::Infix
            }
            _ => Form::Kif,
        }
    }
}
