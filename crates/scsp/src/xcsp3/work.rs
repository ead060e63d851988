//! A limit to how large a network becomes by reading a small text.

use super::error::{Wrong, Xcsp3Problem};

/// So many values of variables, parts of tuples and combinations that are looked at there may be.
const MOST: u64 = 100_000_000;

/// The product of sizes, or as large a number as there is.
pub(super) fn product(sizes: impl IntoIterator<Item = usize>) -> u128 {
    sizes.into_iter().fold(1, |product, size| product.saturating_mul(size as u128))
}

/// How much may still be read.
#[derive(Debug)]
pub(super) struct Work {
    left: u64,
}

impl Work {
    pub(super) fn new() -> Work {
        Work { left: MOST }
    }

    /// Refuses what is too much.
    pub(super) fn spend(&mut self, amount: u128, at: usize) -> Result<(), Wrong> {
        match u64::try_from(amount).ok().and_then(|amount| self.left.checked_sub(amount)) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(Wrong { at, problem: Xcsp3Problem::TooLarge { most: MOST } }),
        }
    }
}
