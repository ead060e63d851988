//! Sums of values, by the bounds of their terms.

use crate::network::{Linear, Relation, VarId};
use crate::store::{Failed, Store};

/// Takes away the values with which the sum would be too large or too small even if all others were as
/// small or as large as they can be.
pub(super) fn propagate(linear: &Linear, store: &mut Store) -> Result<(), Failed> {
    let Linear { terms, relation, constant, .. } = linear;
    let mut least = 0;
    let mut most = 0;
    for (&var, term) in linear.scope().iter().zip(terms) {
        let (low, high) = bounds(store, var, term);
        least += low;
        most += high;
    }
    for (&var, term) in linear.scope().iter().zip(terms) {
        let (low, high) = bounds(store, var, term);
        let (least_of_others, most_of_others) = (least - low, most - high);
        let fits = |value: usize| {
            let is_small = least_of_others + term[value] <= *constant;
            let is_large = most_of_others + term[value] >= *constant;
            match relation {
                Relation::AtMost => is_small,
                Relation::AtLeast => is_large,
                Relation::Equal => is_small && is_large,
            }
        };
        store.retain(var, fits)?;
        let (new_low, new_high) = bounds(store, var, term);
        least += new_low - low;
        most += new_high - high;
    }
    Ok(())
}

/// The least and the greatest term with a value that is left.
fn bounds(store: &Store, var: VarId, term: &[i64]) -> (i64, i64) {
    let terms = store.values(var).map(|value| term[value]);
    terms.fold((i64::MAX, i64::MIN), |(low, high), term| (low.min(term), high.max(term)))
}
