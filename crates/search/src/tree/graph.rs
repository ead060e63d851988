//! The states that a search has seen, and what follows what.

use base::{Id as _, IdVec, Rng, RoleId, seeded_rng};
use game::{Game, MoveId, legal_of_all};
use rand::seq::SliceRandom as _;
use rustc_hash::FxHashMap;

use super::exact::Exact;
use super::node::{Arm, Path, Places, TreeNode, TreeNodeId};
use super::report::{MoveReport, Report, best_first, take_the_first};

/// The states that a search has seen, each once, with what it learnt of them.
#[derive(Debug)]
pub(super) struct Graph<G: Game, N, A> {
    pub(super) game: G,
    pub(super) rng: Rng,
    pub(super) nodes: IdVec<TreeNodeId, TreeNode<G::State, N, A>>,
    pub(super) root: TreeNodeId,
    known: FxHashMap<G::State, TreeNodeId>,
    /// How many moves all nodes have together, and may have.
    n_moves: usize,
    max_moves: usize,
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
            root: TreeNodeId::from_index(0),
            known: FxHashMap::default(),
            n_moves: 0,
            max_moves,
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
        let next = self.game.next(&self.nodes[self.root].state, joint_move);
        self.root = self.node_of(next);
    }

    /// The node after the moves at these places, if it has been seen.
    pub(super) fn child(&self, id: TreeNodeId, places: &[usize]) -> Option<TreeNodeId> {
        let node = &self.nodes[id];
        node.children.get(&node.joint_number(places)).copied()
    }

    /// The state after the moves at these places.
    pub(super) fn state_after(&mut self, id: TreeNodeId, places: &[usize]) -> G::State {
        let node = &self.nodes[id];
        let joint_move = node.joint_move(places);
        self.game.next(&node.state, &joint_move)
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
        let number = self.nodes[id].joint_number(places);
        self.nodes[id].children.insert(number, child);
        Next::New(child)
    }

    /// The node of a state, which is added if it is not there.
    fn node_of(&mut self, state: G::State) -> TreeNodeId {
        if let Some(&id) = self.known.get(&state) {
            return id;
        }
        let mut node = TreeNode {
            state: state.clone(),
            roles: Vec::new(),
            children: FxHashMap::default(),
            exact: None,
            seen: N::default(),
        };
        let legal = match self.game.is_terminal(&state) {
            true => None,
            false => legal_of_all(&mut self.game, &state).ok(),
        };
        match legal {
            // Where somebody cannot move although they should, nobody can go on either.
            None => node.exact = Some(self.end(&state)),
            Some(legal) => {
                for mut moves in legal {
                    moves.shuffle(&mut self.rng);
                    let arm = |id| Arm { id, exact: None, seen: A::default() };
                    node.roles.push(moves.into_iter().map(arm).collect());
                }
            }
        }
        self.n_moves += node.n_moves();
        let id = self.nodes.push(node);
        self.known.insert(state, id);
        id
    }

    fn end(&mut self, state: &G::State) -> Exact {
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
    fn look_for_exact(&mut self, id: TreeNodeId, places: &[usize]) -> bool {
        let random = self.random();
        let node = &self.nodes[id];
        if node.exact.is_some() {
            return true;
        }
        let choosers: Vec<usize> = node.choosers(random).collect();
        let exact = match choosers.as_slice() {
            [] => self.exact_of(id, places, random),
            [role] => {
                let role = *role;
                let of_move = self.exact_of(id, places, random);
                let Some(of_move) = of_move else { return false };
                self.nodes[id].roles[role][places[role]].exact = Some(Box::new(of_move));
                best_if_known(&self.nodes[id].roles[role], role)
            }
            _ => self.same_for_all(id),
        };
        let exact = exact.map(|exact| Exact { n_steps: exact.n_steps + 1, ..exact });
        self.nodes[id].exact = exact;
        self.nodes[id].exact.is_some()
    }

    /// The mean over chance after moves of the others, if all is known.
    fn exact_of(&self, id: TreeNodeId, places: &[usize], random: Option<usize>) -> Option<Exact> {
        let node = &self.nodes[id];
        let after = |places: &[usize]| {
            let child = node.children.get(&node.joint_number(places))?;
            self.nodes[*child].exact.as_ref()
        };
        let Some(random) = random else { return after(places).cloned() };
        let mut places = places.to_vec();
        let mut all: Vec<&Exact> = Vec::new();
        for place in 0..node.roles[random].len() {
            places[random] = place;
            all.push(after(&places)?);
        }
        Some(Exact::mean(&all))
    }

    /// The value of a node in which several roles choose: if all that may follow is worth the same.
    fn same_for_all(&self, id: TreeNodeId) -> Option<Exact> {
        let node = &self.nodes[id];
        let sizes = node.roles.iter().map(|arms| arms.len() as u64);
        let n_joint = sizes.fold(1_u64, u64::saturating_mul);
        if node.children.len() as u64 != n_joint {
            return None;
        }
        let mut all = node.children.values().map(|child| self.nodes[*child].exact.as_ref());
        let first = all.next()??;
        let n_steps = node.children.values().map(|child| {
            let exact = self.nodes[*child].exact.as_ref()?;
            (exact.values == first.values).then_some(exact.n_steps)
        });
        let n_steps: Option<Vec<u32>> = n_steps.collect();
        let n_steps = n_steps?.into_iter().max()?;
        Some(Exact { values: first.values.clone(), n_steps })
    }

    /// Whether no other role has a choice in the state that is thought about.
    fn decides_alone(&self, role: usize) -> bool {
        self.nodes[self.root].choosers(self.random()).all(|other| other == role)
    }

    /// The moves of a role in the state that is thought about, and what is known of them for sure, which only
    /// counts where the role decides alone.
    pub(super) fn arms_of_root(&self, role: usize) -> Vec<(&Arm<A>, Option<&Exact>)> {
        let root = &self.nodes[self.root];
        let arms = root.roles.get(role).map_or(&[][..], Vec::as_slice);
        let is_alone = self.decides_alone(role);
        let of_root = root.exact.as_ref().filter(|_| arms.len() == 1);
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

    /// What `n_plays` plays say about the moves of a role, if `share` says how good each of them seems. Only
    /// the best is made, unless moves are mixed because others choose at the same time.
    pub(super) fn report(
        &self,
        role: usize,
        n_plays: u64,
        share: impl Fn(&A) -> f64,
        is_mixed: bool,
    ) -> Report {
        let moves = self.arms_of_root(role).into_iter().map(|(arm, exact)| {
            let report = MoveReport {
                id: arm.id,
                value: exact.map_or(arm.seen.mean(), |exact| exact.values[role]),
                is_exact: exact.is_some(),
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
            n_plays,
            n_nodes: self.nodes.len(),
            is_exact: self.is_explored(),
        }
    }

    /// The joint moves from the root on in which every role makes its most likely move, as far as the states
    /// are known.
    fn variation(&self) -> Vec<Vec<MoveId>> {
        /// Nobody wants to see more, and states may come again.
        const MAX_LENGTH: usize = 12;
        let mut variation = Vec::new();
        let mut at = self.root;
        while variation.len() < MAX_LENGTH {
            let node = &self.nodes[at];
            let roles = node.roles.iter().enumerate();
            let places: Places = roles.map(|(role, arms)| most_likely(arms, role)).collect();
            let Some(child) = self.child(at, &places) else { break };
            variation.push(node.joint_move(&places).to_vec());
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
        self.n_moves = 0;
        let old = std::mem::take(&mut self.nodes);
        for (mut node, is_reached) in old.into_iter().zip(&is_reached) {
            if *is_reached {
                node.children.values_mut().for_each(|child| *child = place_of(*child));
                self.n_moves += node.n_moves() + node.seen.size();
                let state = node.state.clone();
                self.known.insert(state, self.nodes.push(node));
            }
        }
        self.root = place_of(self.root);
    }

    /// By node: whether it can be reached from the root.
    fn reached(&self) -> Vec<bool> {
        let mut is_reached = vec![false; self.nodes.len()];
        let mut open = vec![self.root];
        while let Some(id) = open.pop() {
            if !std::mem::replace(&mut is_reached[id.index()], true) {
                open.extend(self.nodes[id].children.values().copied());
            }
        }
        is_reached
    }

    /// What is kept in some node takes more room, as for so many moves.
    pub(super) fn grow_by(&mut self, n_moves: usize) {
        self.n_moves += n_moves;
    }

    /// Whether no more nodes may be added.
    pub(super) fn is_full(&self) -> bool {
        self.n_moves >= self.max_moves
    }

    /// Whether every state is found by its node, and only by that.
    #[cfg(test)]
    pub(super) fn is_sound(&self) -> bool {
        self.nodes.len() == self.known.len()
            && self.nodes.iter_with_ids().all(|(id, node)| self.known[&node.state] == id)
    }
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
