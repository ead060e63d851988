//! Chance, always from a seed: the same seed gives the same numbers on every machine.

use rand::SeedableRng;

/// The random number generator of the whole project: fast, small, and the same everywhere.
///
/// Its methods come from the traits of crate `rand`.
pub type Rng = rand_xoshiro::Xoshiro256PlusPlus;

/// A generator that is determined by `seed`.
pub fn seeded_rng(seed: u64) -> Rng {
    Rng::seed_from_u64(seed)
}

#[cfg(test)]
mod tests {
    use rand::Rng as _;

    use super::*;

    #[test]
    fn equal_seeds_give_equal_numbers_and_others_do_not() {
        let draw = |seed| -> Vec<u64> {
            let mut rng = seeded_rng(seed);
            (0..4).map(|_| rng.next_u64()).collect()
        };
        assert_eq!(draw(7), draw(7));
        assert_ne!(draw(7), draw(8));
    }
}
