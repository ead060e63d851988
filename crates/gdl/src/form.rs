//! The two ways to write rules.

use std::path::Path;

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
        let text = text.trim_start_matches('\u{feff}');
        let first = text.lines().map(str::trim_start).find(|line| !is_comment_or_blank(line));
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

fn is_comment_or_blank(line: &str) -> bool {
    line.is_empty() || line.starts_with([';', '%'])
}
