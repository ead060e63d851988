//! Reasons that do not go in a circle: unfounded heads are false.

use super::formula::{Truth, assert, truth};
use crate::network::Founded;
use crate::store::{Failed, Store};

/// Makes the heads false that follow from nothing that is still possible.
pub(super) fn propagate(founded: &Founded, store: &mut Store) -> Result<(), Failed> {
    let is_derived = founded.derived(|literal| truth(literal, store) != Truth::False);
    let heads = founded.heads().iter().zip(is_derived);
    for (&head, is_derived) in heads {
        if !is_derived {
            assert(!head, store)?;
        }
    }
    Ok(())
}
