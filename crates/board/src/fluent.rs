//! Fluents read from their texts.

/// A fluent in parts; arguments are texts, whether constants or compound.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Fluent {
    pub(crate) name: String,
    pub(crate) arguments: Vec<String>,
}

impl Fluent {
    /// Reads a text in prefix form. `None` if it is not one term with a constant as its name.
    pub(crate) fn read(text: &str) -> Option<Fluent> {
        let spaced = text.replace('(', " ( ").replace(')', " ) ");
        let mut tokens: Vec<&str> = spaced.split_whitespace().collect();
        if tokens.first() == Some(&"(") {
            if tokens.pop() != Some(")") {
                return None;
            }
            tokens.remove(0);
        } else if tokens.len() != 1 {
            return None;
        }
        let mut terms = terms(&tokens)?.into_iter();
        let name = terms.next().filter(|name| !name.starts_with('('))?;
        Some(Fluent { name, arguments: terms.collect() })
    }
}

/// The terms of a list of tokens, with single spaces. `None` if parentheses do not match.
fn terms(tokens: &[&str]) -> Option<Vec<String>> {
    let mut terms: Vec<String> = Vec::new();
    let mut depth = 0_usize;
    for &token in tokens {
        if token == ")" {
            depth = depth.checked_sub(1)?;
            terms.last_mut()?.push(')');
            continue;
        }
        match terms.last_mut() {
            Some(term) if depth > 0 => {
                if !term.ends_with('(') {
                    term.push(' ');
                }
                term.push_str(token);
            }
            _ => terms.push(token.to_string()),
        }
        depth += usize::from(token == "(");
    }
    (depth == 0).then_some(terms)
}

#[cfg(test)]
mod tests {
    use super::Fluent;

    #[test]
    fn reads_constants_and_nested_terms() {
        let fluent = Fluent::read("( cell 1 (at  2 (x)) ( piece white king ) )").unwrap();
        assert_eq!(fluent.name, "cell");
        assert_eq!(fluent.arguments, ["1", "(at 2 (x))", "(piece white king)"]);
        assert_eq!(Fluent::read("started").unwrap().arguments, [""; 0]);
    }

    #[test]
    fn refuses_what_is_no_fluent() {
        for text in ["", "()", "(", ")", "a b", "(a", "a)", "(a))", "((a) b)", "(a) (b)"] {
            assert_eq!(Fluent::read(text), None, "{text}");
        }
    }
}
