//! The nodes of a tree.

use base::define_id;
use game::MoveId;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::exact::Exact;

define_id! {
    /// A node of the tree.
    pub struct TreeNodeId;
}

/// By role: the place of its move among its legal ones.
pub(super) type Places = SmallVec<[usize; 4]>;

/// The nodes that a walk has gone through, and the moves that were made in them.
pub(super) type Path = Vec<(TreeNodeId, Places)>;

/// A state, and what is known of the plays through it: `N` of the node, `A` of each of its moves.
#[derive(Clone, Debug)]
pub(super) struct TreeNode<S, N, A> {
    pub(super) state: S,
    /// By role: its legal moves, in the order in which they are tried. None if the game has ended.
    pub(super) roles: Vec<Vec<Arm<A>>>,
    /// By the number of the joint move: what follows.
    pub(super) children: FxHashMap<u128, TreeNodeId>,
    pub(super) exact: Option<Exact>,
    pub(super) seen: N,
}

/// A move of a role in a state.
#[derive(Clone, Debug)]
pub(super) struct Arm<A> {
    pub(super) id: MoveId,
    /// What it is worth for all, if that is known.
    pub(super) exact: Option<Box<Exact>>,
    pub(super) seen: A,
}

impl<S, N, A> TreeNode<S, N, A> {
    /// The number of a joint move, by the places of its moves.
    pub(super) fn joint_number(&self, places: &[usize]) -> u128 {
        let digits = self.roles.iter().zip(places);
        let next = |number: u128, (arms, &place): (&Vec<Arm<A>>, &usize)| {
            number.wrapping_mul(arms.len() as u128).wrapping_add(place as u128)
        };
        digits.fold(0, next)
    }

    /// The joint move at these places.
    pub(super) fn joint_move(&self, places: &[usize]) -> SmallVec<[MoveId; 4]> {
        self.roles.iter().zip(places).map(|(arms, &place)| arms[place].id).collect()
    }

    /// How many moves it has, of all roles, and one for itself.
    pub(super) fn n_moves(&self) -> usize {
        1 + self.roles.iter().map(Vec::len).sum::<usize>()
    }

    /// The roles that have a choice, but for chance.
    pub(super) fn choosers(
        &self,
        random: Option<usize>,
    ) -> impl Iterator<Item = usize> + use<'_, S, N, A> {
        let roles = self.roles.iter().enumerate();
        roles
            .filter(move |(role, arms)| arms.len() > 1 && Some(*role) != random)
            .map(|(role, _)| role)
    }
}
