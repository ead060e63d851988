//! A limit to how large a network becomes by reading a small text.

use super::error::{Wrong, Xcsp3Problem};

/// So many values of variables, parts of tuples and combinations that are looked at there may be, and
/// one more for each byte of the text: what is written out is never too much.
const MOST: u64 = 20_000_000;

/// The product of sizes, or as large a number as there is.
pub(super) fn product(sizes: impl IntoIterator<Item = usize>) -> u128 {
    sizes.into_iter().fold(1, |product, size| product.saturating_mul(size as u128))
}

/// How much may still be read.
#[derive(Debug)]
pub(super) struct Work {
    most: u64,
    left: u64,
}

impl Work {
    /// For a text of so many bytes.
    pub(super) fn for_text(n_bytes: usize) -> Work {
        let most = MOST + n_bytes as u64;
        Work { most, left: most }
    }

    /// Refuses what is too much.
    pub(super) fn spend(&mut self, amount: u128, at: usize) -> Result<(), Wrong> {
        match u64::try_from(amount).ok().and_then(|amount| self.left.checked_sub(amount)) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(Wrong { at, problem: Xcsp3Problem::TooLarge { most: self.most } }),
        }
    }
}
