//! Ids with types, and vectors indexed by them.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// A number that names one element of a table. Made by [`define_id!`](crate::define_id).
pub trait Id: Copy + Eq {
    /// The id of the element at `index`.
    ///
    /// # Panics
    /// When `index` needs more than 32 bits.
    fn from_index(index: usize) -> Self;

    /// The place of the element in its table.
    fn index(self) -> usize;
}

/// Defines a new type of id: a 32-bit number that no other id can be confused with.
#[macro_export]
macro_rules! define_id {
    ($(#[$attribute:meta])* $visibility:vis struct $name:ident;) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        $visibility struct $name(u32);

        impl $crate::Id for $name {
            fn from_index(index: usize) -> Self {
                Self(u32::try_from(index).expect("a table has fewer than 2^32 elements"))
            }

            fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

crate::define_id! {
    /// A role, in the order of the `role` facts.
    pub struct RoleId;
}

impl RoleId {
    /// The first `n_roles` roles.
    pub fn first(n_roles: usize) -> impl DoubleEndedIterator<Item = RoleId> + ExactSizeIterator {
        (0..n_roles).map(RoleId::from_index)
    }
}

/// A vector whose elements are named by ids of type `I`.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct IdVec<I, T> {
    elements: Vec<T>,
    id: PhantomData<I>,
}

impl<I: Id, T> IdVec<I, T> {
    /// An empty vector.
    pub fn new() -> Self {
        Self::from_vec(Vec::new())
    }

    /// A vector of the elements of `elements`, in their order.
    pub fn from_vec(elements: Vec<T>) -> Self {
        Self { elements, id: PhantomData }
    }

    /// Appends `element` and returns its id.
    pub fn push(&mut self, element: T) -> I {
        let id = I::from_index(self.elements.len());
        self.elements.push(element);
        id
    }

    /// Keeps the first `len` elements.
    pub fn truncate(&mut self, len: usize) {
        self.elements.truncate(len);
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.elements.len()
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// The element named by `id`, or `None` when this vector has no such element.
    pub fn get(&self, id: I) -> Option<&T> {
        self.elements.get(id.index())
    }

    /// The ids in ascending order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + use<I, T> {
        (0..self.elements.len()).map(I::from_index)
    }

    /// The elements in ascending order of their ids.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.elements.iter()
    }

    /// The elements in ascending order of their ids, to be changed.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.elements.iter_mut()
    }

    /// The elements with their ids, ascending.
    pub fn iter_with_ids(&self) -> impl DoubleEndedIterator<Item = (I, &T)> {
        self.ids().zip(&self.elements)
    }

    /// The elements as a plain slice.
    pub fn as_slice(&self) -> &[T] {
        &self.elements
    }
}

impl<I: Id, T> Default for IdVec<I, T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<I: Id, T> Index<I> for IdVec<I, T> {
    type Output = T;

    fn index(&self, id: I) -> &T {
        &self.elements[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for IdVec<I, T> {
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.elements[id.index()]
    }
}

impl<I: Id, T> FromIterator<T> for IdVec<I, T> {
    fn from_iter<It: IntoIterator<Item = T>>(iter: It) -> Self {
        Self::from_vec(iter.into_iter().collect())
    }
}

impl<I: Id, T> IntoIterator for IdVec<I, T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.elements.into_iter()
    }
}

impl<'a, I: Id, T> IntoIterator for &'a IdVec<I, T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<I, T: fmt::Debug> fmt::Debug for IdVec<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.elements).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    define_id! {
        /// A letter.
        struct LetterId;
    }

    #[test]
    fn pushed_elements_are_found_by_their_ids() {
        let mut letters = IdVec::<LetterId, char>::new();
        let a = letters.push('a');
        let b = letters.push('b');
        letters[b] = 'c';
        assert_eq!((letters[a], letters[b], letters.len()), ('a', 'c', 2));
        assert_eq!(letters.iter_with_ids().collect::<Vec<_>>(), [(a, &'a'), (b, &'c')]);
        assert_eq!(letters.get(LetterId::from_index(2)), None);
    }
}
