//! Which moves are gathered as they are evaluated.
//!
//! Where a role has thousands of moves, few of them are legal in any play. When a move is legal is
//! mostly asked for by the choice of a move alone, and perhaps by one disjunction that says whether
//! there is any. Such moves are gathered as soon as they are evaluated, and nothing is written for
//! those that are legal in no play.

use base::{IdVec, RoleId};
use ground::{Kind, Lit, Network};

use crate::schedule::Schedule;

/// The moves of the roles, as their inputs and when they are legal, by what becomes of them.
pub(super) struct Gathering {
    pub(super) roles: IdVec<RoleId, OfRole>,
    /// What must be known before moves are gathered.
    pub(super) early: Schedule,
}

#[derive(Clone, Default)]
pub(super) struct OfRole {
    pub(super) gathered: Vec<(u32, Lit)>,
    /// The disjunction that all of these are parts of, if there is one.
    pub(super) any: Option<usize>,
    pub(super) others: Vec<(u32, Lit)>,
}

impl Gathering {
    /// What becomes of `moves`, where the formulas `others` are asked for too.
    pub(super) fn new(
        network: &Network,
        moves: &IdVec<RoleId, Vec<(u32, Lit)>>,
        others: &[Lit],
    ) -> Gathering {
        let uses = Uses::new(network, moves, others);
        let roles = moves.iter().map(|moves| OfRole::new(network, moves, &uses)).collect();
        let gathering = Gathering::of_roles(network, roles);
        // What is gathered must not depend on what is gathered before.
        if gathering.nodes().any(|node| gathering.early.has(node)) {
            let none = |moves: &Vec<_>| OfRole { others: moves.clone(), ..OfRole::default() };
            return Gathering::of_roles(network, moves.iter().map(none).collect());
        }
        gathering
    }

    fn of_roles(network: &Network, roles: IdVec<RoleId, OfRole>) -> Gathering {
        let needed = roles.iter().flat_map(|role| {
            let parts = role.gathered.iter().flat_map(|(_, legal)| network.parts(legal.node()));
            parts.copied().chain(role.other_parts(network))
        });
        let early = Schedule::new(network, needed, None);
        Gathering { roles, early }
    }

    /// The nodes that are known when moves were gathered.
    pub(super) fn nodes(&self) -> impl Iterator<Item = usize> {
        self.roles
            .iter()
            .flat_map(|role| role.gathered.iter().map(|(_, legal)| legal.node()).chain(role.any))
    }
}

impl OfRole {
    fn new(network: &Network, moves: &[(u32, Lit)], uses: &Uses) -> OfRole {
        let group_of = |legal: Lit| uses.group_of(network, legal);
        let mut groups: Vec<Option<usize>> =
            moves.iter().filter_map(|(_, legal)| group_of(*legal)).collect();
        groups.sort_unstable();
        let largest = groups.chunk_by(|one, other| one == other).max_by_key(|group| group.len());
        let Some(&[any, ..]) = largest else {
            return OfRole { others: moves.to_vec(), ..OfRole::default() };
        };
        let is_gathered = |(_, legal): &(u32, Lit)| group_of(*legal) == Some(any);
        let (gathered, others) = moves.iter().copied().partition(is_gathered);
        OfRole { gathered, any, others }
    }

    /// The parts of the disjunction that are not moves that are gathered.
    pub(super) fn other_parts(&self, network: &Network) -> Vec<Lit> {
        let mut gathered: Vec<Lit> = self.gathered.iter().map(|(_, legal)| *legal).collect();
        gathered.sort_unstable();
        let parts = self.any.map_or(&[][..], |any| network.parts(any));
        parts.iter().copied().filter(|part| gathered.binary_search(part).is_err()).collect()
    }
}

/// Where nodes are used.
struct Uses {
    /// By node: how often it is asked for.
    n_asked: Vec<usize>,
    /// By node: how many nodes that are needed have it as a part, and of one of these which it is,
    /// and whether as it is, rather than negated.
    users: Vec<(usize, usize, bool)>,
}

impl Uses {
    fn new(network: &Network, moves: &IdVec<RoleId, Vec<(u32, Lit)>>, others: &[Lit]) -> Uses {
        let legal = moves.iter().flatten().map(|(_, legal)| *legal);
        let asked: Vec<Lit> = legal.chain(others.iter().copied()).collect();
        let mut n_asked = vec![0; network.n_nodes()];
        asked.iter().for_each(|lit| n_asked[lit.node()] += 1);
        let mut users = vec![(0, 0, false); network.n_nodes()];
        for node in Schedule::new(network, asked.into_iter(), None).nodes() {
            for part in network.parts(node) {
                users[part.node()] = (users[part.node()].0 + 1, node, !part.is_negative());
            }
        }
        Uses { n_asked, users }
    }

    /// The disjunction that `legal` is a part of, or `None`, if it is a part of nothing; nothing at
    /// all if it cannot be gathered.
    fn group_of(&self, network: &Network, legal: Lit) -> Option<Option<usize>> {
        let node = legal.node();
        let is_gate =
            |node: usize| !network.parts(node).is_empty() && network.recursion_of(node).is_none();
        if legal.is_negative() || self.n_asked[node] > 1 || !is_gate(node) {
            return None;
        }
        let is_any = |user: usize| network.kind(user) == Kind::Or && is_gate(user);
        match self.users[node] {
            (0, ..) => Some(None),
            (1, user, true) if is_any(user) => Some(Some(user)),
            _ => None,
        }
    }
}
