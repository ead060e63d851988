//! What a person types.

use std::io::{BufRead, Write as _};

use anstream::print;

/// What a person wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Order {
    /// To make the move at this place of the list.
    Move(usize),
    Moves,
    Hint,
    Back,
    Think,
    Board,
    Resign,
    Help,
}

/// What was typed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Typed {
    Order(Order),
    /// It cannot be understood; why, and what could be.
    Unclear(String),
    /// There is nothing more.
    End,
}

/// Asks for a line and reads it.
pub(super) fn read_order(input: &mut dyn BufRead, role: &str, legal: &[String]) -> Typed {
    print!("{role}> ");
    // Without the prompt one can still type.
    let _ = std::io::stdout().flush();
    let mut line = Vec::new();
    match input.read_until(b'\n', &mut line) {
        Ok(0) | Err(_) => Typed::End,
        Ok(_) => understand(&String::from_utf8_lossy(&line), legal),
    }
}

/// What a line means where these moves are legal. A move comes before an order of the same name.
fn understand(line: &str, legal: &[String]) -> Typed {
    let words = words(line);
    if words.is_empty() {
        return Typed::Unclear("type a move, or help".to_owned());
    }
    let as_written: Vec<usize> = places(legal, |text| self::words(text) == words);
    if let [place] = as_written.as_slice() {
        return Typed::Order(Order::Move(*place));
    }
    if let Some(order) = order(&words) {
        return Typed::Order(order);
    }
    // Short forms: the last words of a move, or the first. A number alone is that of the list, if no move is
    // as short.
    let ending = places(legal, |text| self::words(text).ends_with(&words));
    let beginning = places(legal, |text| self::words(text).starts_with(&words));
    for found in [&ending, &beginning] {
        match found.as_slice() {
            [] => {}
            [place] => return Typed::Order(Order::Move(*place)),
            _ if number(&words, legal).is_some() => break,
            several => return Typed::Unclear(which(several, legal)),
        }
    }
    match number(&words, legal) {
        Some(place) => Typed::Order(Order::Move(place)),
        None => Typed::Unclear(format!("{} is no legal move; type moves, or help", line.trim())),
    }
}

/// The words of a text without its parentheses, in lower case.
fn words(text: &str) -> Vec<String> {
    let separate = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | ',');
    let words = text.split(separate).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

fn order(words: &[String]) -> Option<Order> {
    let [word] = words else { return None };
    Some(match word.as_str() {
        "moves" | "m" => Order::Moves,
        "hint" | "h" => Order::Hint,
        "back" | "undo" | "b" => Order::Back,
        "think" | "t" => Order::Think,
        "board" => Order::Board,
        "resign" | "quit" | "exit" | "q" => Order::Resign,
        "help" | "?" => Order::Help,
        _ => return None,
    })
}

/// The place in the list that a number names, from 1 on.
fn number(words: &[String], legal: &[String]) -> Option<usize> {
    let [word] = words else { return None };
    let number: usize = word.parse().ok()?;
    (1..=legal.len()).contains(&number).then(|| number - 1)
}

fn places(legal: &[String], is_meant: impl Fn(&str) -> bool) -> Vec<usize> {
    (0..legal.len()).filter(|&place| is_meant(&legal[place])).collect()
}

fn which(places: &[usize], legal: &[String]) -> String {
    const FEW: usize = 6;
    let named: Vec<&str> = places.iter().take(FEW).map(|&place| legal[place].as_str()).collect();
    let more = if places.len() > FEW { " ..." } else { "" };
    format!("that may be {}{more}", named.join(" or "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn understood(line: &str, legal: &[&str]) -> Typed {
        let legal: Vec<String> = legal.iter().map(|text| (*text).to_owned()).collect();
        understand(line, &legal)
    }

    #[test]
    fn moves_may_be_typed_in_full_in_short_or_by_number() {
        let legal = ["(mark 1 1)", "(mark 1 2)", "(mark 2 1)", "(mark 3 3)"];
        let place = |place| Typed::Order(Order::Move(place));
        for line in ["(mark 2 1)", " MARK 2 1 \n", "2 1", "mark(2, 1)"] {
            assert_eq!(understood(line, &legal), place(2), "{line}");
        }
        assert_eq!(understood("3", &legal), place(3), "only one ends with 3");
        assert_eq!(understood("4", &legal), place(3));
        assert_eq!(
            understood("2", &["(drop 5)", "(drop 2)", "(drop 1)"]),
            place(1),
            "not the second"
        );
        assert_eq!(understood("noop", &["noop", "(go 1)"]), place(0));
        assert_eq!(understood("1", &legal), place(0), "several end with 1, so it is the number");
    }

    #[test]
    fn orders_are_understood_and_slips_are_told() {
        let legal = ["(move a 1)", "(move b 1)", "back"];
        assert_eq!(understood("hint", &legal), Typed::Order(Order::Hint));
        assert_eq!(understood("back", &legal), Typed::Order(Order::Move(2)), "it is a move here");
        assert_eq!(understood("undo", &legal), Typed::Order(Order::Back));
        assert_eq!(
            understood("move", &legal),
            Typed::Unclear("that may be (move a 1) or (move b 1)".to_owned())
        );
        assert!(matches!(understood("fly", &legal), Typed::Unclear(_)));
        assert!(matches!(understood("9", &legal), Typed::Unclear(_)));
        assert!(matches!(understood("  ", &legal), Typed::Unclear(_)));
        assert_eq!(read_order(&mut &b""[..], "x", &[]), Typed::End);
        assert!(matches!(read_order(&mut &b"\xff\n"[..], "x", &[]), Typed::Unclear(_)));
    }
}
