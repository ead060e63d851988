//! Families: the fluents of one name and arity.

use std::collections::{HashMap, HashSet};

use crate::axis::Axis;
use crate::fluent::Fluent;
use crate::layout::Part;

/// What the fluents of a family have in common.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Signature {
    pub(crate) name: String,
    pub(crate) arity: usize,
}

impl Signature {
    /// The signature of a fluent.
    pub(crate) fn of(fluent: &Fluent) -> Signature {
        Signature { name: fluent.name.clone(), arity: fluent.arguments.len() }
    }
}

/// The fluents of one name and arity.
#[derive(Clone, Debug)]
pub(crate) struct Family {
    pub(crate) signature: Signature,
    /// The arguments of each fluent.
    pub(crate) members: Vec<Vec<String>>,
}

impl Family {
    /// The values that a part of the arguments takes.
    pub(crate) fn axis(&self, part: Part) -> Axis {
        Axis::of(self.members.iter().map(|arguments| part.of(arguments)))
    }

    /// How many different values the parts take together.
    pub(crate) fn n_combinations(&self, parts: &[Part]) -> usize {
        let combination =
            |arguments| -> Vec<&str> { parts.iter().map(|part| part.of(arguments)).collect() };
        let all: HashSet<Vec<&str>> = self.members.iter().map(|it| combination(it)).collect();
        all.len()
    }
}

/// The families of some fluents, in the order in which they first appear.
pub(crate) fn families<'a>(texts: impl IntoIterator<Item = &'a str>) -> Vec<Family> {
    let mut families: Vec<Family> = Vec::new();
    let mut places: HashMap<Signature, usize> = HashMap::new();
    for fluent in texts.into_iter().filter_map(Fluent::read) {
        let signature = Signature::of(&fluent);
        let place = *places.entry(signature.clone()).or_insert(families.len());
        if place == families.len() {
            families.push(Family { signature, members: Vec::new() });
        }
        families[place].members.push(fluent.arguments);
    }
    families
}

#[cfg(test)]
mod tests {
    use super::families;
    use crate::layout::Part;

    #[test]
    fn families_have_one_name_and_arity() {
        let families = families(["(at 1 2)", "(on 1 1)", "(at 1 3)", "(at 1)", "(at 1 2)", "(("]);
        let sizes: Vec<usize> = families.iter().map(|family| family.members.len()).collect();
        assert_eq!(sizes, [3, 1, 1]);
        assert_eq!(families[0].n_combinations(&[Part::Whole(0), Part::Whole(1)]), 2);
        assert_eq!(families[0].axis(Part::Whole(1)).values, ["2", "3"]);
    }
}
