//! Sums of values, by the bounds of their terms.

use crate::network::{Linear, Relation, VarId};
use crate::store::{Failed, Store};

/// Takes away the values with which the sum would be too large or too small even if all others were as
/// small or as large as they can be.
pub(super) fn propagate(linear: &Linear, store: &mut Store) -> Result<(), Failed> {
    let Linear { relation, constant, .. } = linear;
    let mut least = 0;
    let mut most = 0;
    for (position, &var) in linear.scope().iter().enumerate() {
        let (low, high) = bounds(linear, position, store, var);
        least += low;
        most += high;
    }
    let (needs_small, needs_large) =
        (*relation != Relation::AtLeast, *relation != Relation::AtMost);
    if needs_small && least > *constant || needs_large && most < *constant {
        return Err(Failed);
    }
    for (position, &var) in linear.scope().iter().enumerate() {
        let (low, high) = bounds(linear, position, store, var);
        let (least_of_others, most_of_others) = (least - low, most - high);
        let fits = |value: usize| {
            let term = linear.term(position, value);
            (!needs_small || least_of_others + term <= *constant)
                && (!needs_large || most_of_others + term >= *constant)
        };
        store.retain(var, fits)?;
        let (new_low, new_high) = bounds(linear, position, store, var);
        least += new_low - low;
        most += new_high - high;
    }
    Ok(())
}

/// The least and the greatest term of a variable with a value that is left. Values ascend, so they are
/// at the ends.
fn bounds(linear: &Linear, position: usize, store: &Store, var: VarId) -> (i64, i64) {
    let one = linear.term(position, store.first(var));
    let other = linear.term(position, store.last(var));
    (one.min(other), one.max(other))
}
