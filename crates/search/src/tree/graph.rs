//! The states that a search has seen, and what follows what.

use std::hash::{BuildHasher as _, Hash};

use base::{Id as _, IdVec, Rng, RoleId, seeded_rng};
use game::{Game, MoveId};
use hashbrown::HashTable;
use rand::seq::SliceRandom as _;
use rustc_hash::FxBuildHasher;
use smallvec::{SmallVec, smallvec};

use super::exact::Exact;
use super::node::{Arm, Choice, Path, Places, TreeNode, TreeNodeId};
use super::report::{MoveReport, Report, Work, best_first, take_the_first, width};

/// The states that a search has seen, each once unless that is not wanted, with what it learnt of them.
#[derive(Debug)]
pub(super) struct Graph<G: Game, N, A> {
    pub(super) game: G,
    pub(super) rng: Rng,
    pub(super) nodes: IdVec<TreeNodeId, TreeNode<G::State, N>>,
    /// The moves of all nodes, in their order.
    pub(super) moves: Vec<Arm<A>>,
    pub(super) root: TreeNodeId,
    /// The nodes by their states.
    known: HashTable<TreeNodeId>,
    /// How much room all takes, in moves, and may take.
    size: usize,
    max_size: usize,
    pub(super) knows: Knows,
    /// Whether the state that is thought about counts as explored only when all of its moves are.
    pub(super) wants_all: bool,
    legal: Vec<MoveId>,
    pub(super) legal_of_stages: Vec<Vec<MoveId>>,
}

/// What a graph makes of what it has seen. It can be left out to measure what it brings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Knows {
    /// Whether a state that is reached in different ways has one node.
    pub transpositions: bool,
    /// Whether values that are known for sure go up.
    pub proofs: bool,
}

impl Knows {
    /// All of it.
    pub const ALL: Knows = Knows { transpositions: true, proofs: true };
}

/// Nothing is worth more.
const MOST: f64 = 100.0;

/// What a search keeps in a node.
pub(super) trait Seen: Default {
    /// How much room it takes, as a number of moves.
    fn size(&self) -> usize;
}

/// What a search keeps of a move.
pub(super) trait Tried: Default {
    /// How many plays went on with it.
    fn n_visits(&self) -> u64;

    /// How much it was tried.
    fn weight(&self) -> f64;

    /// What it brought on average.
    fn mean(&self) -> f64;
}

/// What follows a joint move.
pub(super) enum Next<S> {
    /// A state that was seen before.
    Old(TreeNodeId),
    /// One that was not.
    New(TreeNodeId),
    /// One for which there is no room.
    Outside(S),
}

impl<G: Game, N: Seen, A: Tried> Graph<G, N, A> {
    /// A graph that has only its root yet.
    pub(super) fn new(game: G, state: G::State, max_moves: usize, seed: u64) -> Graph<G, N, A> {
        let mut graph = Graph {
            game,
            rng: seeded_rng(seed),
            nodes: IdVec::new(),
            moves: Vec::new(),
            root: TreeNodeId::from_index(0),
            known: HashTable::new(),
            size: 0,
            max_size: max_moves,
            knows: Knows::ALL,
            wants_all: false,
            legal: Vec::new(),
            legal_of_stages: Vec::new(),
        };
        graph.root = graph.node_of(state);
        graph
    }

    pub(super) fn random(&self) -> Option<usize> {
        self.game.random().map(|role| role.index())
    }

    /// Goes on to the state after a joint move. What is known of it and of what may follow is kept; the rest
    /// is until [`Graph::forget_the_past`].
    pub(super) fn advance(&mut self, joint_move: &[MoveId]) {
        let place = |(role, id): (usize, &MoveId)| {
            self.arms(self.root, role).iter().position(|arm| arm.id == *id)
        };
        let places: Option<Places> = joint_move.iter().enumerate().map(place).collect();
        let child = places.and_then(|places| self.child(self.root, &places));
        self.root = child.unwrap_or_else(|| {
            let next = self.game.next(&self.nodes[self.root].state, joint_move);
            self.node_of(next)
        });
    }

    /// Forgets everything but the state that is thought about.
    pub(super) fn forget_all(&mut self) {
        let nodes = std::mem::take(&mut self.nodes);
        self.moves.clear();
        self.known.clear();
        self.size = 0;
        let root = nodes.into_iter().nth(self.root.index()).expect("it is one of them");
        self.root = self.node_of(root.state);
    }

    /// The moves of a role in a state.
    pub(super) fn arms(&self, id: TreeNodeId, role: usize) -> &[Arm<A>] {
        &self.moves[self.nodes[id].moves_of(role)]
    }

    /// The moves of a role in a state, to change what is known of them.
    pub(super) fn arms_mut(&mut self, id: TreeNodeId, role: usize) -> &mut [Arm<A>] {
        &mut self.moves[self.nodes[id].moves_of(role)]
    }

    /// The joint move at these places.
    fn joint_move(&self, id: TreeNodeId, places: &[usize]) -> SmallVec<[MoveId; 4]> {
        let places = places.iter().enumerate();
        places.map(|(role, &place)| self.arms(id, role)[place].id).collect()
    }

    /// The roles that have a choice, but for chance.
    pub(super) fn choosers(&self, id: TreeNodeId) -> Vec<usize> {
        let (random, roles) = (self.random(), 0..self.game.roles().len());
        roles.filter(|&role| self.arms(id, role).len() > 1 && Some(role) != random).collect()
    }

    /// The node after the moves at these places, if it has been seen.
    pub(super) fn child(&self, id: TreeNodeId, places: &[usize]) -> Option<TreeNodeId> {
        match &self.nodes[id].choice {
            Choice::Open | Choice::Ended => None,
            Choice::One { role, .. } => {
                let role = *role as usize;
                self.arms(id, role)[places[role]].child
            }
            Choice::Several(joint) => joint.children.get(&joint.number(places)).copied(),
        }
    }

    /// The places where one role makes the move at `place`, and the others have no choice.
    pub(super) fn places_with(&self, role: usize, place: usize) -> Places {
        let mut places: Places = smallvec![0; self.game.roles().len()];
        places[role] = place;
        places
    }

    /// The places of the joint moves after which nodes have been seen.
    pub(super) fn followed_places(&self, id: TreeNodeId) -> Vec<Places> {
        match &self.nodes[id].choice {
            Choice::Open | Choice::Ended => Vec::new(),
            Choice::One { role, .. } => {
                let role = *role as usize;
                let arms = self.arms(id, role).iter().enumerate();
                let followed = arms.filter(|(_, arm)| arm.child.is_some());
                followed.map(|(place, _)| self.places_with(role, place)).collect()
            }
            Choice::Several(joint) => {
                let mut numbers: Vec<u128> = joint.children.keys().copied().collect();
                numbers.sort_unstable();
                numbers.into_iter().map(|number| joint.places(number)).collect()
            }
        }
    }

    /// Notes the node after the moves at these places.
    pub(super) fn set_child(&mut self, id: TreeNodeId, places: &[usize], child: TreeNodeId) {
        match &mut self.nodes[id].choice {
            Choice::Open | Choice::Ended => {}
            Choice::One { role, .. } => {
                let role = *role as usize;
                self.arms_mut(id, role)[places[role]].child = Some(child);
            }
            Choice::Several(joint) => {
                let number = joint.number(places);
                joint.children.insert(number, child);
            }
        }
    }

    /// The state after the moves at these places.
    pub(super) fn state_after(&mut self, id: TreeNodeId, places: &[usize]) -> G::State {
        let joint_move = self.joint_move(id, places);
        self.game.next(&self.nodes[id].state, &joint_move)
    }

    /// The node after the moves at these places, which is added if it has not been seen and there is room.
    pub(super) fn follow(&mut self, id: TreeNodeId, places: &[usize]) -> Next<G::State> {
        if let Some(child) = self.child(id, places) {
            return Next::Old(child);
        }
        let next = self.state_after(id, places);
        if self.is_full() {
            return Next::Outside(next);
        }
        let child = self.node_of(next);
        self.set_child(id, places, child);
        Next::New(child)
    }

    /// The node of a state, which is added if it is not there.
    fn node_of(&mut self, state: G::State) -> TreeNodeId {
        self.find_or_add(state, |graph, state| {
            let choice = graph.add_moves(state);
            let is_ended = matches!(choice, Choice::Ended);
            (choice, is_ended.then(|| Box::new(graph.end(state))))
        })
    }

    /// The node of a state, if there is one that all ways to it share.
    pub(super) fn find(&self, state: &G::State) -> Option<TreeNodeId> {
        self.find_by(hash_of(state), state)
    }

    fn find_by(&self, hash: u64, state: &G::State) -> Option<TreeNodeId> {
        if !self.knows.transpositions {
            return None;
        }
        self.known.find(hash, |id| self.nodes[*id].state == *state).copied()
    }

    /// From now on the node is found by its state, which has this hash.
    fn note_state(&mut self, hash: u64, id: TreeNodeId) {
        if self.knows.transpositions {
            self.known.insert_unique(hash, id, |id| hash_of(&self.nodes[*id].state));
        }
    }

    /// The node of a state, which is added with what `look_at` finds if it is not there.
    pub(super) fn find_or_add(
        &mut self,
        state: G::State,
        look_at: impl FnOnce(&mut Self, &G::State) -> (Choice, Option<Box<Exact>>),
    ) -> TreeNodeId {
        let hash = hash_of(&state);
        if let Some(id) = self.find_by(hash, &state) {
            return id;
        }
        let first_move = self.moves.len();
        let (choice, exact) = look_at(self, &state);
        self.size += 1 + self.moves.len() - first_move;
        let id = self.nodes.push(TreeNode { state, first_move, choice, exact, seen: N::default() });
        self.note_state(hash, id);
        id
    }

    /// Adds the legal moves in a state, in the order in which they are tried. Where somebody cannot move
    /// although they should, nobody can go on, and the game has ended.
    fn add_moves(&mut self, state: &G::State) -> Choice {
        let first_move = self.moves.len();
        let mut n_moves: SmallVec<[usize; 4]> = SmallVec::new();
        if self.game.is_terminal(state) {
            return Choice::Ended;
        }
        for role in RoleId::first(self.game.roles().len()) {
            self.game.legal_moves(state, role, &mut self.legal);
            if self.legal.is_empty() {
                self.moves.truncate(first_move);
                return Choice::Ended;
            }
            let mut legal = std::mem::take(&mut self.legal);
            n_moves.push(legal.len());
            self.add_moves_of_role(&mut legal);
            self.legal = legal;
        }
        Choice::new(&n_moves, self.random())
    }

    /// Adds the moves of a role, in the order in which they are tried.
    pub(super) fn add_moves_of_role(&mut self, legal: &mut [MoveId]) {
        legal.shuffle(&mut self.rng);
        let arm = |&id: &MoveId| Arm { id, child: None, exact: None, seen: A::default() };
        self.moves.extend(legal.iter().map(arm));
    }

    pub(super) fn end(&mut self, state: &G::State) -> Exact {
        let mut values = Vec::new();
        for role in RoleId::first(self.game.roles().len()) {
            // Where rules are not quite right, the play is worth nothing, as random plays are.
            values.push(self.game.goal(state, role).map_or(0.0, |goal| f64::from(goal.value())));
        }
        Exact { values, n_steps: 0 }
    }

    /// Finds out which nodes on a path are completely explored, from its end up, now that the node after it
    /// is.
    pub(super) fn explore(&mut self, path: &Path) {
        for (id, places) in path.iter().rev() {
            if !self.look_for_exact(*id, places) {
                break;
            }
        }
    }

    /// Whether the value of a node is known, now that the one after these moves is.
    pub(super) fn look_for_exact(&mut self, id: TreeNodeId, places: &[usize]) -> bool {
        if self.nodes[id].exact.is_some() {
            return true;
        }
        if !self.knows.proofs {
            return false;
        }
        let exact = match self.choosers(id).as_slice() {
            [] => self.exact_of(id, places),
            [role] => {
                let role = *role;
                let Some(of_move) = self.exact_of(id, places) else { return false };
                let needs_all = self.wants_all && id == self.root;
                let arms = self.arms_mut(id, role);
                arms[places[role]].exact = Some(Box::new(of_move));
                let is_enough = !needs_all || arms.iter().all(|arm| arm.exact.is_some());
                best_if_known(arms, role).filter(|_| is_enough)
            }
            _ => self.same_for_all(id),
        };
        let exact = exact.map(|exact| Exact { n_steps: exact.n_steps + 1, ..exact });
        self.nodes[id].exact = exact.map(Box::new);
        self.nodes[id].exact.is_some()
    }

    /// The mean over chance after moves of the others, if all is known.
    fn exact_of(&self, id: TreeNodeId, places: &[usize]) -> Option<Exact> {
        let after = |places: &[usize]| self.nodes[self.child(id, places)?].exact.as_deref();
        let Some(random) = self.random() else { return after(places).cloned() };
        let mut places = places.to_vec();
        let mut all: Vec<&Exact> = Vec::new();
        for place in 0..self.arms(id, random).len() {
            places[random] = place;
            all.push(after(&places)?);
        }
        Some(Exact::mean(&all))
    }

    /// The value of a node in which several roles choose: if all that may follow is worth the same.
    fn same_for_all(&self, id: TreeNodeId) -> Option<Exact> {
        let Choice::Several(joint) = &self.nodes[id].choice else { return None };
        let n_joint = joint.n_moves.iter().map(|n| *n as u64).fold(1, u64::saturating_mul);
        if joint.children.len() as u64 != n_joint {
            return None;
        }
        let mut all = joint.children.values().map(|child| self.nodes[*child].exact.as_deref());
        let first = all.next()??;
        let mut n_steps = first.n_steps;
        for exact in all {
            let exact = exact.filter(|exact| exact.values == first.values)?;
            n_steps = n_steps.max(exact.n_steps);
        }
        Some(Exact { values: first.values.clone(), n_steps })
    }

    /// Whether no other role has a choice in the state that is thought about.
    fn decides_alone(&self, role: usize) -> bool {
        self.choosers(self.root).iter().all(|other| *other == role)
    }

    /// The moves of a role in the state that is thought about, and what is known of them for sure, which only
    /// counts where the role decides alone.
    pub(super) fn arms_of_root(&self, role: usize) -> Vec<(&Arm<A>, Option<&Exact>)> {
        let arms = self.arms(self.root, role);
        let is_alone = self.decides_alone(role);
        let of_root = self.nodes[self.root].exact.as_deref().filter(|_| arms.len() == 1);
        let known = arms.iter().map(|arm| arm.exact.as_deref().filter(|_| is_alone).or(of_root));
        arms.iter().zip(known).collect()
    }

    /// The state that is thought about, and the rules.
    pub(super) fn state_and_game(&mut self) -> (&G::State, &mut G) {
        (&self.nodes[self.root].state, &mut self.game)
    }

    /// Whether the value of the state that is thought about is known.
    pub(super) fn is_explored(&self) -> bool {
        self.nodes[self.root].exact.is_some()
    }

    /// What the plays so far say about the moves of a role, if `share` says how good each of them seems. Only
    /// the best is made, unless moves are mixed because others choose at the same time.
    pub(super) fn report(
        &self,
        role: usize,
        work: Work,
        share: impl Fn(&A) -> f64,
        is_mixed: bool,
    ) -> Report {
        let moves = self.arms_of_root(role).into_iter().map(|(arm, exact)| {
            let value = exact.map_or(arm.seen.mean(), |exact| exact.values[role]);
            let report = MoveReport {
                id: arm.id,
                value,
                is_exact: exact.is_some(),
                width: exact.map_or(width(value, arm.seen.n_visits()), |_| 0.0),
                n_visits: arm.seen.n_visits(),
                share: share(&arm.seen),
            };
            (report, exact)
        });
        let mut moves = best_first(moves.collect(), role);
        // Who decides alone need not be unforeseeable.
        if !is_mixed || self.decides_alone(role) {
            take_the_first(&mut moves);
        }
        Report {
            moves,
            variation: self.variation(),
            work,
            n_nodes: self.nodes.len(),
            bounds: self.bounds_of_root(role),
            is_exact: self.is_explored(),
        }
    }

    /// The least and the most that the root can be worth to a role: a role that decides alone gets at least what a
    /// move is proved to bring.
    fn bounds_of_root(&self, role: usize) -> [f64; 2] {
        if let Some(exact) = &self.nodes[self.root].exact {
            return [exact.values[role]; 2];
        }
        let known = self.arms_of_root(role).into_iter().filter_map(|(_, exact)| exact);
        [known.map(|exact| exact.values[role]).fold(0.0, f64::max), MOST]
    }

    /// The joint moves from the root on in which every role makes its most likely move, as far as the states
    /// are known.
    fn variation(&self) -> Vec<Vec<MoveId>> {
        /// Nobody wants to see more, and states may come again.
        const MAX_LENGTH: usize = 12;
        let mut variation = Vec::new();
        let mut at = self.root;
        while variation.len() < MAX_LENGTH {
            let roles = 0..self.game.roles().len();
            let places: Places = roles.map(|role| most_likely(self.arms(at, role), role)).collect();
            let Some(child) = self.child(at, &places) else { break };
            variation.push(self.joint_move(at, &places).to_vec());
            at = child;
        }
        variation
    }

    /// Forgets the nodes that cannot be reached from the root, if they are many or there is no room for
    /// others.
    pub(super) fn forget_the_past(&mut self) {
        let is_reached = self.reached();
        let n_kept = is_reached.iter().filter(|is_reached| **is_reached).count();
        if n_kept == self.nodes.len() || 2 * n_kept > self.nodes.len() && !self.is_full() {
            return;
        }
        let mut places = vec![None; self.nodes.len()];
        let reached = (0..self.nodes.len()).filter(|&n| is_reached[n]);
        for (place, old) in reached.enumerate() {
            places[old] = Some(TreeNodeId::from_index(place));
        }
        let place_of = |id: TreeNodeId| places[id.index()].expect("it is reached");
        self.known.clear();
        self.size = 0;
        let n_roles = self.game.roles().len();
        let nodes = std::mem::take(&mut self.nodes);
        let mut moves = std::mem::take(&mut self.moves);
        let reached = nodes.into_iter().zip(&is_reached).filter(|(_, is_reached)| **is_reached);
        for (mut node, _) in reached {
            let old = &mut moves[node.first_move..][..node.choice.n_moves(n_roles)];
            node.first_move = self.moves.len();
            self.moves.extend(old.iter_mut().map(|arm| Arm {
                child: arm.child.map(place_of),
                exact: arm.exact.take(),
                seen: std::mem::take(&mut arm.seen),
                id: arm.id,
            }));
            if let Choice::Several(joint) = &mut node.choice {
                joint.children.values_mut().for_each(|child| *child = place_of(*child));
            }
            self.size += 1 + self.moves.len() - node.first_move + node.seen.size();
            let hash = hash_of(&node.state);
            let id = self.nodes.push(node);
            self.note_state(hash, id);
        }
        self.root = place_of(self.root);
    }

    /// By node: whether it can be reached from the root.
    fn reached(&self) -> Vec<bool> {
        let mut is_reached = vec![false; self.nodes.len()];
        let mut open = vec![self.root];
        while let Some(id) = open.pop() {
            if std::mem::replace(&mut is_reached[id.index()], true) {
                continue;
            }
            match &self.nodes[id].choice {
                Choice::Open | Choice::Ended => {}
                Choice::One { role, .. } => {
                    let arms = self.arms(id, *role as usize);
                    open.extend(arms.iter().filter_map(|arm| arm.child));
                }
                Choice::Several(joint) => open.extend(joint.children.values().copied()),
            }
        }
        is_reached
    }

    /// What is kept in some node takes more room, as for so many moves.
    pub(super) fn grow_by(&mut self, n_moves: usize) {
        self.size += n_moves;
    }

    /// Whether no more nodes may be added.
    pub(super) fn is_full(&self) -> bool {
        self.size >= self.max_size
    }

    /// Whether every state is found by its node, and only by that.
    #[cfg(test)]
    pub(super) fn is_sound(&self) -> bool {
        self.nodes.len() == self.known.len()
            && self.nodes.iter_with_ids().all(|(id, node)| self.find(&node.state) == Some(id))
    }
}

fn hash_of(state: &impl Hash) -> u64 {
    FxBuildHasher.hash_one(state)
}

/// The place of the move that a role makes most likely: the best of those that are known for sure, if it is as
/// good as the one that was tried most of the others.
fn most_likely<A: Tried>(arms: &[Arm<A>], role: usize) -> usize {
    let places = 0..arms.len();
    let (known, others): (Vec<usize>, Vec<usize>) =
        places.partition(|&place| arms[place].exact.is_some());
    let value = |place: &usize| arms[*place].exact.as_ref().map_or(0.0, |exact| exact.values[role]);
    let known = known.into_iter().max_by(|one, other| value(one).total_cmp(&value(other)));
    let weight = |place: &usize| arms[*place].seen.weight();
    let other = others.into_iter().max_by(|one, other| weight(one).total_cmp(&weight(other)));
    match (known, other) {
        (Some(known), Some(other)) if value(&known) < arms[other].seen.mean() => other,
        (Some(known), _) => known,
        (None, other) => other.unwrap_or(0),
    }
}

/// The value of a node in which one role chooses: that of its best move, if all are known or one is as good
/// as any can be.
fn best_if_known<A>(arms: &[Arm<A>], role: usize) -> Option<Exact> {
    let mut best: Option<&Exact> = None;
    let mut is_complete = true;
    for arm in arms {
        match &arm.exact {
            None => is_complete = false,
            Some(exact) => {
                if best.is_none_or(|best| exact.compare(best, role).is_gt()) {
                    best = Some(exact);
                }
            }
        }
    }
    best.filter(|best| is_complete || best.values[role] >= MOST).cloned()
}
