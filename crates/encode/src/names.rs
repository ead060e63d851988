//! Names for variables and values, as papers write terms.

/// A term in infix form: `(cell 1 (s 2))` is `cell(1,s(2))`.
pub(crate) fn infix(term: &str) -> String {
    match parts(term) {
        None => term.to_owned(),
        Some(parts) => {
            let (name, arguments) = parts.split_first().expect("a term has a name");
            let arguments: Vec<String> = arguments.iter().map(|part| infix(part)).collect();
            match arguments.is_empty() {
                true => (*name).to_owned(),
                false => format!("{name}({})", arguments.join(",")),
            }
        }
    }
}

/// The name of a variable for terms of which one holds, and the names of its values: what they have in
/// common, and where they differ.
pub(crate) fn of_group(terms: &[&str]) -> (String, Vec<String>) {
    let all: Option<Vec<Vec<&str>>> = terms.iter().map(|term| parts(term)).collect();
    let plain = || {
        let values = terms.iter().map(|term| infix(term)).collect();
        ("one of several".to_owned(), values)
    };
    let Some(all) = all else { return plain() };
    let first = &all[0];
    if all.iter().any(|parts| parts.len() != first.len() || parts[0] != first[0]) {
        return plain();
    }
    let is_common = |place: usize| all.iter().all(|parts| parts[place] == first[place]);
    let (common, varying): (Vec<usize>, Vec<usize>) =
        (1..first.len()).partition(|&place| is_common(place));
    let joined = |parts: &Vec<&str>, places: &[usize], separator: &str| {
        places.iter().map(|&place| infix(parts[place])).collect::<Vec<String>>().join(separator)
    };
    let name = match common.is_empty() {
        true => first[0].to_owned(),
        false => format!("{}({})", first[0], joined(first, &common, ",")),
    };
    (name, all.iter().map(|parts| joined(parts, &varying, " ")).collect())
}

/// A name for "none of these" that is none of these: rules may have a constant `none` of their own.
pub(crate) fn none_of(names: &[String]) -> String {
    let mut none = "none".to_owned();
    while names.contains(&none) {
        none.push('\'');
    }
    none
}

/// The name and the arguments of a term in prefix form. `None` for a constant.
fn parts(term: &str) -> Option<Vec<&str>> {
    let inside = term.strip_prefix('(')?.strip_suffix(')')?;
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0_usize, 0);
    for (at, sign) in inside.char_indices().chain([(inside.len(), ' ')]) {
        match sign {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ' ' if depth == 0 => {
                if start < at {
                    parts.push(&inside[start..at]);
                }
                start = at + 1;
            }
            _ => {}
        }
    }
    (!parts.is_empty()).then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_named_as_in_papers() {
        assert_eq!(infix("(cell 1 (s 2))"), "cell(1,s(2))");
        assert_eq!(infix("noop"), "noop");
        let (name, values) = of_group(&["(cell 1 1 x)", "(cell 1 1 (p o))"]);
        assert_eq!((name.as_str(), values), ("cell(1,1)", vec!["x".to_owned(), "p(o)".to_owned()]));
        let (name, values) = of_group(&["(coins heads tails)", "(coins tails tails)"]);
        assert_eq!(name, "coins(tails)");
        assert_eq!(values, ["heads", "tails"]);
    }

    #[test]
    fn none_is_not_a_constant_of_the_rules() {
        assert_eq!(none_of(&["some".to_owned()]), "none");
        assert_eq!(none_of(&["none'".to_owned(), "none".to_owned()]), "none''");
    }
}
