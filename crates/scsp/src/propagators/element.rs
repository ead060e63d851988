//! One of several variables, chosen by another.

use base::bits::has;

use crate::network::Element;
use crate::store::{Failed, Store};

/// Takes away the choices of variables that cannot equal the result, and the values of the result that
/// no variable that may be chosen has; when the choice is made, both become the same.
pub(super) fn propagate(element: &Element, store: &mut Store) -> Result<(), Failed> {
    let Element { index, chosen, result, same, .. } = element;
    let choices: Vec<usize> = store.values(*index).collect();
    for choice in choices {
        let can_equal = chosen[choice].is_some_and(|var| {
            let places = store.values(var).filter_map(|value| same[choice][value]);
            places.into_iter().any(|place| store.has(*result, place as usize))
        });
        if !can_equal {
            store.remove(*index, choice)?;
        }
    }
    let mut is_supported = vec![0_u64; store.words(*result).len()];
    for choice in store.values(*index) {
        let var = chosen[choice].expect("others were taken away");
        for place in store.values(var).filter_map(|value| same[choice][value]) {
            is_supported[place as usize / 64] |= 1 << (place % 64);
        }
    }
    store.retain(*result, |value| has(&is_supported, value))?;
    if store.is_fixed(*index) {
        let choice = store.first(*index);
        let var = chosen[choice].expect("others were taken away");
        let left = store.words(*result).to_vec();
        let has_equal =
            |value: usize| same[choice][value].is_some_and(|place| has(&left, place as usize));
        store.retain(var, has_equal)?;
    }
    Ok(())
}
