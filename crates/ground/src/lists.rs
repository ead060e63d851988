//! Many short lists of numbers in one place.

/// Lists of numbers, by number.
#[derive(Clone, Debug)]
pub(crate) struct Lists {
    /// Where each list begins; one more at the end.
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    /// `n_lists` lists: each pair puts an item behind those of its list. The pairs are gone through
    /// twice.
    pub(crate) fn new<I>(n_lists: usize, pairs: impl Fn() -> I) -> Lists
    where
        I: Iterator<Item = (u32, u32)>,
    {
        let mut starts = vec![0_u32; n_lists + 1];
        for (list, _) in pairs() {
            starts[list as usize + 1] += 1;
        }
        for list in 0..n_lists {
            starts[list + 1] += starts[list];
        }
        let mut ends = starts.clone();
        let mut items = vec![0; starts[n_lists] as usize];
        for (list, item) in pairs() {
            let end = &mut ends[list as usize];
            items[*end as usize] = item;
            *end += 1;
        }
        Lists { starts, items }
    }

    /// The number of lists.
    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The items of a list.
    pub(crate) fn get(&self, list: usize) -> &[u32] {
        &self.items[self.starts[list] as usize..self.starts[list + 1] as usize]
    }
}
