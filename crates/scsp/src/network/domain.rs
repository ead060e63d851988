//! The values that a variable may take.

use std::ops::RangeInclusive;
use std::sync::Arc;

use rustc_hash::FxHashSet;

/// The values of a variable, ascending. Where they stand for something, they have names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Domain {
    values: Arc<[i64]>,
    names: Option<Arc<[String]>>,
}

impl Domain {
    /// The values `0`, `1`, … with these names.
    ///
    /// ```
    /// let coin = scsp::Domain::named(["heads", "tails"]);
    /// assert_eq!(coin.text(1), "tails");
    /// ```
    pub fn named<N: Into<String>>(names: impl IntoIterator<Item = N>) -> Domain {
        let names: Arc<[String]> = names.into_iter().map(Into::into).collect();
        Domain { values: (0..).take(names.len()).collect(), names: Some(names) }
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are none, which no variable of a network may have.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The values, ascending.
    pub fn values(&self) -> &[i64] {
        &self.values
    }

    /// The values, shared.
    pub(crate) fn shared_values(&self) -> Arc<[i64]> {
        self.values.clone()
    }

    /// The place of a value.
    pub fn index_of(&self, value: i64) -> Option<usize> {
        self.values.binary_search(&value).ok()
    }

    /// The names of the values, if they have any.
    pub fn names(&self) -> Option<&[String]> {
        self.names.as_deref()
    }

    /// A name that two values have.
    pub(crate) fn name_twice(&self) -> Option<&str> {
        let mut seen = FxHashSet::default();
        let names = self.names.as_deref().unwrap_or(&[]);
        names.iter().find(|name| !seen.insert(name.as_str())).map(String::as_str)
    }

    /// The value with a name.
    pub fn value_named(&self, name: &str) -> Option<i64> {
        let place = self.names.as_ref()?.iter().position(|other| other == name)?;
        Some(self.values[place])
    }

    /// The name of the value at a place, or the value itself.
    pub fn text(&self, index: usize) -> String {
        match &self.names {
            Some(names) => names[index].clone(),
            None => self.values[index].to_string(),
        }
    }
}

impl From<RangeInclusive<i64>> for Domain {
    fn from(range: RangeInclusive<i64>) -> Domain {
        Domain { values: range.collect(), names: None }
    }
}

impl FromIterator<i64> for Domain {
    fn from_iter<I: IntoIterator<Item = i64>>(values: I) -> Domain {
        let mut values: Vec<i64> = values.into_iter().collect();
        values.sort_unstable();
        values.dedup();
        Domain { values: values.into(), names: None }
    }
}

impl<const N: usize> From<[i64; N]> for Domain {
    fn from(values: [i64; N]) -> Domain {
        values.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_sorted_and_found() {
        let domain = Domain::from([7, -2, 7, 3]);
        assert_eq!(domain.values(), [-2, 3, 7]);
        assert_eq!((domain.index_of(7), domain.index_of(4)), (Some(2), None));
    }
}
