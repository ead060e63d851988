//! All combinations of values of some variables.

use base::Id as _;

use super::VarId;

/// All combinations of values of some variables by number, the last variable changing fastest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Combinations {
    /// By variable: how many values it has.
    sizes: Vec<usize>,
}

impl Combinations {
    /// Those of variables with so many values.
    pub(crate) fn new(sizes: Vec<usize>) -> Combinations {
        Combinations { sizes }
    }

    /// By variable: how many values it has.
    pub(crate) fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.sizes.iter().product()
    }

    /// The number of the one that a complete instantiation has for the variables of `scope`.
    pub(crate) fn number_of(&self, scope: &[VarId], values: &[u32]) -> usize {
        let places = scope.iter().zip(&self.sizes);
        places.fold(0, |number, (var, size)| number * size + values[var.index()] as usize)
    }

    /// All, as places of values, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Vec<u32>> {
        (0..self.len()).map(|number| {
            let mut rest = number;
            let mut tuple = vec![0; self.sizes.len()];
            for (place, size) in tuple.iter_mut().zip(&self.sizes).rev() {
                *place = (rest % size) as u32;
                rest /= size;
            }
            tuple
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations_are_found_by_their_numbers() {
        let combinations = Combinations::new(vec![2, 3]);
        let all: Vec<Vec<u32>> = combinations.iter().collect();
        assert_eq!(all, [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]);
        let scope = [VarId::from_index(0), VarId::from_index(1)];
        for (number, tuple) in all.iter().enumerate() {
            assert_eq!(combinations.number_of(&scope, tuple), number);
        }
    }
}
