//! Stages of a graph: what may be done in a state, and all that may follow.

use base::RoleId;
use game::{After, Game, MoveId, Stages};
use rand::seq::SliceRandom as _;
use smallvec::SmallVec;

use super::exact::Exact;
use super::graph::{Graph, Seen, Tried};
use super::node::{Arm, Choice, Places, TreeNodeId};

/// A stage with more joint moves is not solved as a whole: what follows is found when it is asked for.
const MAX_JOINT_MOVES: usize = 4_096;

impl<G: Game, N: Seen, A: Tried> Graph<G, N, A> {
    /// Whether the stage of a node is not solved yet.
    pub(super) fn is_open(&self, id: TreeNodeId) -> bool {
        matches!(self.nodes[id].choice, Choice::Open)
    }

    /// Solves the stages of open nodes: finds the legal moves, all that may follow, and which of it is the end.
    pub(super) fn solve(&mut self, open: &[TreeNodeId], stages: &mut impl Stages<G>) {
        let mut legal = std::mem::take(&mut self.legal_of_stages);
        let Graph { nodes, game, .. } = self;
        let states: Vec<&G::State> = open.iter().map(|id| &nodes[*id].state).collect();
        stages.legal_in(game, &states, &mut legal);
        let n_roles = self.game.roles().len();
        let mut pairs: Vec<(TreeNodeId, Places)> = Vec::new();
        for (&id, legal) in open.iter().zip(legal.chunks_mut(n_roles)) {
            self.set_moves(id, legal);
            self.add_joint_moves(id, &mut pairs);
        }
        self.legal_of_stages = legal;
        let mut joint_moves: Vec<MoveId> = Vec::with_capacity(pairs.len() * n_roles);
        for (id, places) in &pairs {
            let places = places.iter().enumerate();
            joint_moves.extend(places.map(|(role, &place)| self.arms(*id, role)[place].id));
        }
        let Graph { nodes, game, .. } = self;
        let states: Vec<&G::State> = pairs.iter().map(|(id, _)| &nodes[*id].state).collect();
        let after = stages.after(game, &states, &joint_moves);
        for ((id, places), after) in pairs.iter().zip(after) {
            let child = self.node_after(after);
            self.set_child(*id, places, child);
        }
        for (id, places) in &pairs {
            let child = self.child(*id, places);
            if child.is_some_and(|child| self.nodes[child].exact.is_some()) {
                self.look_for_exact(*id, places);
            }
        }
    }

    /// Gives an open node its moves. Where somebody has none the game cannot go on, and has ended.
    fn set_moves(&mut self, id: TreeNodeId, legal: &mut [Vec<MoveId>]) {
        if legal.iter().any(Vec::is_empty) {
            let state = self.nodes[id].state.clone();
            let exact = self.end(&state);
            (self.nodes[id].choice, self.nodes[id].exact) = (Choice::Ended, Some(Box::new(exact)));
            return;
        }
        let first_move = self.moves.len();
        let mut n_moves: SmallVec<[usize; 4]> = SmallVec::new();
        for legal in legal {
            legal.shuffle(&mut self.rng);
            n_moves.push(legal.len());
            let arm = |&id: &MoveId| Arm { id, child: None, exact: None, seen: A::default() };
            self.moves.extend(legal.iter().map(arm));
        }
        self.grow_by(self.moves.len() - first_move);
        let choice = Choice::new(&n_moves, self.random());
        let node = &mut self.nodes[id];
        (node.first_move, node.choice) = (first_move, choice);
    }

    /// Adds the joint moves of a node, unless they are too many or there is no room for what follows.
    fn add_joint_moves(&self, id: TreeNodeId, pairs: &mut Vec<(TreeNodeId, Places)>) {
        if matches!(self.nodes[id].choice, Choice::Ended) || self.is_full() {
            return;
        }
        let roles = 0..self.game.roles().len();
        let n_moves: Places = roles.map(|role| self.arms(id, role).len()).collect();
        let n_joint = n_moves.iter().fold(1, |product: usize, n| product.saturating_mul(*n));
        if n_joint > MAX_JOINT_MOVES {
            return;
        }
        for number in 0..n_joint {
            let mut rest = number;
            let place = |n: &usize| {
                let place = rest % n;
                rest /= n;
                place
            };
            let places = n_moves.iter().map(place).collect();
            pairs.push((id, places));
        }
    }

    /// The node of a state that follows another, which is open if it is new.
    pub(super) fn node_after(&mut self, after: After<G::State>) -> TreeNodeId {
        let After { state, goals } = after;
        let (choice, exact) = match goals {
            None => (Choice::Open, None),
            Some(goals) => {
                let values = goals.iter().map(|goal| f64::from(goal.value())).collect();
                (Choice::Ended, Some(Box::new(Exact { values, n_steps: 0 })))
            }
        };
        self.find_or_add(state, |_, _| (choice, exact))
    }

    /// The node after the moves at these places, where the stage was too large to be solved as a whole.
    pub(super) fn open_after(&mut self, id: TreeNodeId, places: &[usize]) -> Option<TreeNodeId> {
        if self.is_full() {
            return None;
        }
        let state = self.state_after(id, places);
        let goals = self.game.is_terminal(&state).then(|| {
            let roles = RoleId::first(self.game.roles().len());
            let goal = |role| self.game.goal(&state, role).unwrap_or(game::Goal::ZERO);
            roles.map(goal).collect()
        });
        let child = self.node_after(After { state, goals });
        self.set_child(id, places, child);
        Some(child)
    }
}
