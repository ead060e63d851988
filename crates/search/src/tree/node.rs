//! The nodes of a tree.

use std::num::NonZeroU32;
use std::ops::Range;

use base::Id;
use game::MoveId;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::exact::Exact;

/// A node of the tree. Where there may be none, that takes no more room: there are many moves, and most lead
/// nowhere yet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct TreeNodeId(NonZeroU32);

impl Id for TreeNodeId {
    fn from_index(index: usize) -> TreeNodeId {
        let number = u32::try_from(index + 1).ok().and_then(NonZeroU32::new);
        TreeNodeId(number.expect("a tree has fewer than 2^32 nodes"))
    }

    fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// By role: the place of its move among its legal ones.
pub(super) type Places = SmallVec<[usize; 4]>;

/// The nodes that a walk has gone through, and the moves that were made in them.
pub(super) type Path = Vec<(TreeNodeId, Places)>;

/// A state, and what is known of the plays through it.
#[derive(Clone, Debug)]
pub(super) struct TreeNode<S, N> {
    pub(super) state: S,
    /// Where its moves begin among those of all nodes. They stand there role by role.
    pub(super) first_move: usize,
    pub(super) choice: Choice,
    pub(super) exact: Option<Box<Exact>>,
    pub(super) seen: N,
}

/// Who has a choice in a state.
#[derive(Clone, Debug)]
pub(super) enum Choice {
    /// That has not been looked at: the stage is not solved.
    Open,
    /// Nobody: the game has ended.
    Ended,
    /// At most this role, which may be chance. The others have one move each.
    One { role: u32, n_moves: u32 },
    /// Several roles, with chance.
    Several(Box<Joint>),
}

/// What may follow when several roles have a choice.
#[derive(Clone, Debug)]
pub(super) struct Joint {
    /// By role: how many moves it has.
    pub(super) n_moves: Vec<usize>,
    /// How many roles but chance have a choice.
    pub(super) n_choosers: usize,
    /// By the number of the joint move: what follows.
    pub(super) children: FxHashMap<u128, TreeNodeId>,
}

/// A move of a role in a state.
#[derive(Clone, Debug)]
pub(super) struct Arm<A> {
    pub(super) id: MoveId,
    /// What follows, if no other role has a choice.
    pub(super) child: Option<TreeNodeId>,
    /// What it is worth for all, if that is known.
    pub(super) exact: Option<Box<Exact>>,
    pub(super) seen: A,
}

impl Choice {
    /// The choice where roles have so many moves, none of them 0.
    pub(super) fn new(n_moves: &[usize], random: Option<usize>) -> Choice {
        let with_choice = || n_moves.iter().enumerate().filter(|(_, n_moves)| **n_moves > 1);
        if with_choice().count() <= 1 {
            let (role, n_moves) = with_choice().next().unwrap_or((0, &1));
            return Choice::One { role: role as u32, n_moves: *n_moves as u32 };
        }
        Choice::Several(Box::new(Joint {
            n_moves: n_moves.to_vec(),
            n_choosers: with_choice().filter(|(role, _)| Some(*role) != random).count(),
            children: FxHashMap::default(),
        }))
    }

    /// How many moves all roles have together.
    pub(super) fn n_moves(&self, n_roles: usize) -> usize {
        match self {
            Choice::Open | Choice::Ended => 0,
            Choice::One { n_moves, .. } => n_roles - 1 + *n_moves as usize,
            Choice::Several(joint) => joint.n_moves.iter().sum(),
        }
    }

    /// Where the moves of a role stand among those of the node.
    fn moves_of(&self, role: usize) -> Range<usize> {
        match self {
            Choice::Open | Choice::Ended => 0..0,
            Choice::One { role: chooser, n_moves } => {
                let (chooser, n_moves) = (*chooser as usize, *n_moves as usize);
                let first = if role > chooser { role + n_moves - 1 } else { role };
                first..first + if role == chooser { n_moves } else { 1 }
            }
            Choice::Several(joint) => {
                let first = joint.n_moves[..role].iter().sum();
                first..first + joint.n_moves[role]
            }
        }
    }
}

impl Joint {
    /// The number of a joint move, by the places of its moves.
    pub(super) fn number(&self, places: &[usize]) -> u128 {
        let next = |number: u128, (&n_moves, &place): (&usize, &usize)| {
            number.wrapping_mul(n_moves as u128).wrapping_add(place as u128)
        };
        self.n_moves.iter().zip(places).fold(0, next)
    }

    /// The places of the moves of a joint move, by its number.
    pub(super) fn places(&self, mut number: u128) -> Places {
        let place = |&n_moves: &usize| {
            let place = number % n_moves as u128;
            number /= n_moves as u128;
            place as usize
        };
        let mut places: Places = self.n_moves.iter().rev().map(place).collect();
        places.reverse();
        places
    }
}

impl<S, N> TreeNode<S, N> {
    /// Where the moves of a role stand among those of all nodes.
    pub(super) fn moves_of(&self, role: usize) -> Range<usize> {
        let Range { start, end } = self.choice.moves_of(role);
        self.first_move + start..self.first_move + end
    }
}
