//! Coordinates: values in an order.

use std::collections::BTreeSet;

/// What the values of a coordinate have in common.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Numbers, all after the same text: `1`, `c1`, `row01`.
    Numbers { stem: String },
    /// Single letters without gaps: `a`, `b`, `c`.
    Letters,
    /// Any other constants.
    Names,
}

/// The values of a coordinate, first to last.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Axis {
    pub(crate) kind: Kind,
    pub(crate) values: Vec<String>,
}

impl Axis {
    /// The axis of all these values.
    pub(crate) fn of<'a>(values: impl IntoIterator<Item = &'a str>) -> Axis {
        let mut values: Vec<&str> =
            values.into_iter().collect::<BTreeSet<&str>>().into_iter().collect();
        let kind = kind(&values);
        values.sort_by_cached_key(|value| natural_key(value));
        Axis { kind, values: values.into_iter().map(str::to_string).collect() }
    }

    /// Whether the values have an order that everybody knows.
    pub(crate) fn is_ordered(&self) -> bool {
        match &self.kind {
            Kind::Numbers { stem } => !stem.eq_ignore_ascii_case("player"),
            Kind::Letters => true,
            Kind::Names => false,
        }
    }

    /// Whether the values are numbers.
    pub(crate) fn is_numbers(&self) -> bool {
        matches!(self.kind, Kind::Numbers { .. })
    }

    /// The values with those between them that are missing, if they are not many.
    pub(crate) fn without_gaps(&self) -> Vec<String> {
        let Kind::Numbers { stem } = &self.kind else { return self.values.clone() };
        let ends = [self.values.first(), self.values.last()];
        let [Some(first), Some(last)] = ends.map(|end| Some(number_at_end(end?)?.1)) else {
            return self.values.clone();
        };
        if last - first >= 2 * self.values.len() as u64 {
            return self.values.clone();
        }
        let all: Vec<String> = (first..=last).map(|number| format!("{stem}{number}")).collect();
        let is_among = |value: &String| all.contains(value);
        // Zeros in front would be lost.
        if self.values.iter().all(is_among) { all } else { self.values.clone() }
    }

    /// The number of the first value.
    pub(crate) fn first_number(&self) -> Option<u64> {
        number_at_end(self.values.first()?).map(|(_, number)| number)
    }
}

/// A text in front of a number, and the number.
pub(crate) fn number_at_end(text: &str) -> Option<(&str, u64)> {
    let stem = text.trim_end_matches(|letter: char| letter.is_ascii_digit());
    Some((stem, text[stem.len()..].parse().ok()?))
}

/// Orders texts so that `c2` comes before `c10`.
fn natural_key(text: &str) -> (String, u64, String) {
    let (stem, number) = number_at_end(text).unwrap_or((text, 0));
    (stem.to_string(), number, text.to_string())
}

/// The kind of sorted values without doubles.
fn kind(values: &[&str]) -> Kind {
    let stem = values.first().and_then(|value| Some(number_at_end(value)?.0));
    if let Some(stem) = stem
        && stem.chars().all(|letter| letter.is_alphabetic() || "_-".contains(letter))
        && values.iter().all(|value| number_at_end(value).is_some_and(|(own, _)| own == stem))
    {
        return Kind::Numbers { stem: stem.to_string() };
    }
    if are_letters(values) { Kind::Letters } else { Kind::Names }
}

/// Whether sorted values are letters without gaps, from `a` or at least three.
fn are_letters(values: &[&str]) -> bool {
    let letters: Option<Vec<u8>> = values
        .iter()
        .map(|value| match value.as_bytes() {
            [letter] if letter.is_ascii_alphabetic() => Some(*letter),
            _ => None,
        })
        .collect();
    letters.is_some_and(|letters| {
        letters.windows(2).all(|pair| pair[0] + 1 == pair[1])
            && letters.first().is_some_and(|first| b"aA".contains(first) || letters.len() > 2)
    })
}

#[cfg(test)]
mod tests {
    use super::{Axis, Kind};

    #[test]
    fn numbers_are_in_the_order_of_numbers() {
        let axis = Axis::of(["c10", "c2", "c1", "c2"]);
        assert_eq!(axis.kind, Kind::Numbers { stem: "c".to_string() });
        assert_eq!(axis.values, ["c1", "c2", "c10"]);
        assert_eq!(Axis::of(["02", "10", "01"]).values, ["01", "02", "10"]);
    }

    #[test]
    fn missing_numbers_are_filled_in() {
        assert_eq!(Axis::of(["c1", "c4", "c2"]).without_gaps(), ["c1", "c2", "c3", "c4"]);
        assert_eq!(Axis::of(["1", "100"]).without_gaps(), ["1", "100"]);
        assert_eq!(Axis::of(["01", "03"]).without_gaps(), ["01", "03"]);
    }

    #[test]
    fn letters_have_no_gaps() {
        assert_eq!(Axis::of(["b", "a", "c"]).kind, Kind::Letters);
        assert_eq!(Axis::of(["b", "o", "x"]).kind, Kind::Names);
        assert_eq!(Axis::of(["1", "a"]).kind, Kind::Names);
    }

    #[test]
    fn odd_values_are_names() {
        for values in [["", "é"], ["99999999999999999999999", "1"], ["(a 1)", "(b 2)"]] {
            assert_eq!(Axis::of(values).kind, Kind::Names);
        }
        assert_eq!(Axis::of([]).kind, Kind::Names);
    }
}
