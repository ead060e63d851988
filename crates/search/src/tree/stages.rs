//! Stages of a graph: what may be done in a state, and all that may follow.

use game::{After, Game, MoveId, Stages};
use smallvec::SmallVec;

use super::exact::Exact;
use super::graph::{Graph, Seen, Tried};
use super::node::{Choice, Places, TreeNodeId};

/// Of a stage with more joint moves only so many are looked at; what follows others is found when they are made.
const MAX_JOINT_MOVES: usize = 4_096;

impl<G: Game, N: Seen, A: Tried> Graph<G, N, A> {
    /// Whether the stage of a node is not solved yet.
    pub(super) fn is_open(&self, id: TreeNodeId) -> bool {
        matches!(self.nodes[id].choice, Choice::Open)
    }

    /// Solves the stages of open nodes: finds the legal moves, and after which of all that can be done the game
    /// has ended, or somebody is seen to win. Tells for each stage some other joint moves, and the states after
    /// them.
    pub(super) fn solve(
        &mut self,
        open: &[TreeNodeId],
        stages: &mut impl Stages<G>,
        n_told: usize,
    ) -> Vec<Vec<(Places, G::State)>> {
        let mut legal = std::mem::take(&mut self.legal_of_stages);
        let Graph { nodes, game, .. } = self;
        let states: Vec<&G::State> = open.iter().map(|id| &nodes[*id].state).collect();
        stages.legal_in(game, &states, &mut legal);
        let n_roles = self.game.roles().len();
        let mut pairs: Vec<Pair> = Vec::new();
        for (number, (&id, legal)) in open.iter().zip(legal.chunks_mut(n_roles)).enumerate() {
            self.set_moves(id, legal);
            self.add_joint_moves(number, id, &mut pairs);
        }
        self.legal_of_stages = legal;
        let mut n_wanted = vec![n_told; open.len()];
        let is_wanted = |number: usize| {
            let n_left = &mut n_wanted[pairs[number].stage];
            *n_left = n_left.wrapping_sub(1);
            *n_left < n_told
        };
        let after = self.after(pairs.iter().map(|pair| (pair.id, &pair.places)), stages, is_wanted);
        let mut told = vec![Vec::new(); open.len()];
        for (pair, after) in pairs.into_iter().zip(after) {
            if after.goals.is_none() && after.reply.is_none() {
                told[pair.stage].extend(after.state.map(|state| (pair.places, state)));
                continue;
            }
            let child = self.node_after(pair.id, &pair.places, after);
            self.set_child(pair.id, &pair.places, child);
            self.look_for_exact(pair.id, &pair.places);
        }
        told
    }

    /// What follows the moves at these places.
    pub(super) fn after<'p>(
        &mut self,
        pairs: impl Iterator<Item = (TreeNodeId, &'p Places)> + Clone,
        stages: &mut impl Stages<G>,
        is_wanted: impl FnMut(usize) -> bool,
    ) -> Vec<After<G::State>> {
        let mut joint_moves: Vec<MoveId> = Vec::new();
        for (id, places) in pairs.clone() {
            let places = places.iter().enumerate();
            joint_moves.extend(places.map(|(role, &place)| self.arms(id, role)[place].id));
        }
        let Graph { nodes, game, .. } = self;
        let states: Vec<&G::State> = pairs.map(|(id, _)| &nodes[id].state).collect();
        stages.after(game, &states, &joint_moves, is_wanted)
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
            n_moves.push(legal.len());
            self.add_moves_of_role(legal);
        }
        self.grow_by(self.moves.len() - first_move);
        let choice = Choice::new(&n_moves, self.random());
        let node = &mut self.nodes[id];
        (node.first_move, node.choice) = (first_move, choice);
    }

    /// Adds the joint moves of a node, in any order; only some of them if they are too many.
    fn add_joint_moves(&self, stage: usize, id: TreeNodeId, pairs: &mut Vec<Pair>) {
        if matches!(self.nodes[id].choice, Choice::Ended) {
            return;
        }
        let roles = 0..self.game.roles().len();
        let n_moves: Places = roles.map(|role| self.arms(id, role).len()).collect();
        let n_joint = n_moves.iter().fold(1, |product: usize, n| product.saturating_mul(*n));
        let step = step_through(n_joint);
        let mut number = 0;
        for _ in 0..n_joint.min(MAX_JOINT_MOVES) {
            let mut rest = number;
            let place = |n: &usize| {
                let place = rest % n;
                rest /= n;
                place
            };
            pairs.push(Pair { stage, id, places: n_moves.iter().map(place).collect() });
            number = (number as u128 + step as u128).rem_euclid(n_joint as u128) as usize;
        }
    }

    /// The node after the moves at these places, which is open if it is new. What it is worth is known if it is
    /// an end, or the reply to it wins.
    pub(super) fn node_after(
        &mut self,
        id: TreeNodeId,
        places: &[usize],
        after: After<G::State>,
    ) -> TreeNodeId {
        let After { state, goals, reply } = after;
        let state = state.unwrap_or_else(|| self.state_after(id, places));
        let (choice, n_steps) =
            if goals.is_some() { (Choice::Ended, 0) } else { (Choice::Open, 1) };
        let exact = goals.or(reply).map(|goals| {
            let values = goals.iter().map(|goal| f64::from(goal.value())).collect();
            Box::new(Exact { values, n_steps })
        });
        let child = self.find_or_add(state, |_, _| (choice, exact.clone()));
        if self.nodes[child].exact.is_none() {
            self.nodes[child].exact = exact;
        }
        child
    }
}

/// A joint move of a stage.
struct Pair {
    /// The number of the stage.
    stage: usize,
    id: TreeNodeId,
    places: Places,
}

/// A step with which one comes to each of `n` numbers before any comes again, and which is about as far from
/// small parts of `n` as can be, so that the first numbers are different in all places.
fn step_through(n: usize) -> usize {
    const GOLDEN: f64 = 0.618_033_988_749_895;
    let divisor = |mut a: usize, mut b: usize| {
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    let first = ((n as f64 * GOLDEN) as usize).max(1);
    (first..).find(|&step| divisor(n, step) == 1).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_come_to_each_number_once() {
        for n in 1..200 {
            let step = step_through(n);
            let mut reached: Vec<usize> = (0..n).map(|k| k * step % n).collect();
            reached.sort_unstable();
            assert_eq!(reached, (0..n).collect::<Vec<_>>());
        }
    }
}
