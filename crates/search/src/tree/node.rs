//! The nodes of a tree.

use base::define_id;
use game::MoveId;
use rustc_hash::FxHashMap;

use super::exact::Exact;

define_id! {
    /// A node of the tree.
    pub struct TreeNodeId;
}

/// A state, and what is known of the plays through it.
#[derive(Clone, Debug)]
pub(super) struct TreeNode<S> {
    pub(super) state: S,
    /// By role: its legal moves, in the order in which they are tried. None if the game has ended.
    pub(super) roles: Vec<Vec<Arm>>,
    /// How many plays went through it, with those that are under way.
    pub(super) n_visits: u64,
    /// By the number of the joint move: what follows.
    pub(super) children: FxHashMap<u128, TreeNodeId>,
    pub(super) exact: Option<Exact>,
}

/// A move of a role in a state.
#[derive(Clone, Debug)]
pub(super) struct Arm {
    pub(super) id: MoveId,
    /// How many plays went on with it, with those that are under way.
    pub(super) n_visits: u64,
    /// What the role got in those that have ended.
    pub(super) sum: f64,
    /// What it is worth for all, if that is known.
    pub(super) exact: Option<Exact>,
}

impl Arm {
    pub(super) fn new(id: MoveId) -> Arm {
        Arm { id, n_visits: 0, sum: 0.0, exact: None }
    }

    /// What the role got on average, from 0 to 100.
    pub(super) fn mean(&self) -> f64 {
        self.sum / (self.n_visits.max(1)) as f64
    }
}

impl<S> TreeNode<S> {
    /// The number of a joint move, by the places of its moves.
    pub(super) fn joint_number(&self, places: &[usize]) -> u128 {
        let digits = self.roles.iter().zip(places);
        let next = |number: u128, (arms, &place): (&Vec<Arm>, &usize)| {
            number.wrapping_mul(arms.len() as u128).wrapping_add(place as u128)
        };
        digits.fold(0, next)
    }

    /// Counts plays that go on with the moves at these places.
    pub(super) fn count_visits(&mut self, places: &[usize], n_visits: u64) {
        self.n_visits += n_visits;
        for (arms, &place) in self.roles.iter_mut().zip(places) {
            arms[place].n_visits += n_visits;
        }
    }

    /// How many moves it has, of all roles, and one for itself.
    pub(super) fn n_moves(&self) -> usize {
        1 + self.roles.iter().map(Vec::len).sum::<usize>()
    }

    /// The roles that have a choice, but for chance.
    pub(super) fn choosers(
        &self,
        random: Option<usize>,
    ) -> impl Iterator<Item = usize> + use<'_, S> {
        let roles = self.roles.iter().enumerate();
        roles
            .filter(move |(role, arms)| arms.len() > 1 && Some(*role) != random)
            .map(|(role, _)| role)
    }
}
