//! Stages of a graph: what may be done in a state, and all that may follow.

use game::{After, Game, MoveId, Stages};
use smallvec::SmallVec;

use super::exact::Exact;
use super::graph::{Graph, Seen, Tried};
use super::node::{Choice, Places, TreeNodeId};
use super::tallies::MoveTallies;

/// Of a stage with more joint moves only so many are looked at; what follows others is found when they are made.
const MAX_JOINT_MOVES: usize = 4_096;

/// A stage that is to be solved.
pub(super) struct ToSolve {
    pub(super) id: TreeNodeId,
    /// The node that knows what all moves are worth there.
    pub(super) reference: TreeNodeId,
    /// How many joint moves are told.
    pub(super) n_told: usize,
}

/// How stages are solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Solving {
    /// What decides the game is found by propagation: by formulas that say when it does. Nothing else is looked
    /// at before it is played.
    Propagation,
    /// All joint moves are made.
    Enumeration,
}

impl<G: Game, N: Seen, A: Tried> Graph<G, N, A> {
    /// Whether the stage of a node is not solved yet.
    pub(super) fn is_open(&self, id: TreeNodeId) -> bool {
        matches!(self.nodes[id].choice, Choice::Open)
    }

    /// Solves the stages of open nodes: finds the legal moves, and what all that decides the game comes to, if it
    /// is seen without making the moves, or else by making all of them. Tells for each stage `n_told` other joint
    /// moves, or as many as there are, and the states after them: those first that all plays say the most of, where that is
    /// known.
    pub(super) fn solve(
        &mut self,
        open: &[ToSolve],
        stages: &mut impl Stages<G>,
        solving: Solving,
        all_moves: impl Fn(&N) -> Option<&MoveTallies>,
    ) -> Vec<Vec<(Places, G::State)>> {
        let mut legal = std::mem::take(&mut self.legal_of_stages);
        let Graph { nodes, game, .. } = self;
        let states: Vec<&G::State> = open.iter().map(|stage| &nodes[stage.id].state).collect();
        let mut decisive = vec![Vec::new(); open.len()];
        for (stage, id) in stages.legal_in(game, &states, &mut legal) {
            decisive[stage].push(id);
        }
        let n_roles = self.game.roles().len();
        let mut pairs: Vec<Pair> = Vec::new();
        for (stage, (open, legal)) in open.iter().zip(legal.chunks_mut(n_roles)).enumerate() {
            let &ToSolve { id, n_told, .. } = open;
            self.set_moves(open, legal, &all_moves);
            match solving {
                Solving::Propagation => {
                    self.add_decisive(stage, id, &decisive[stage], &mut pairs);
                    self.add_joint_moves(stage, id, n_told, &decisive[stage], &mut pairs);
                }
                Solving::Enumeration => {
                    self.add_joint_moves(stage, id, MAX_JOINT_MOVES, &[], &mut pairs);
                }
            }
        }
        self.legal_of_stages = legal;
        let mut n_left: Vec<usize> = open.iter().map(|stage| stage.n_told).collect();
        let is_wanted = |number: usize| {
            let n_left = &mut n_left[pairs[number].stage];
            let is_wanted = *n_left > 0;
            *n_left = n_left.saturating_sub(1);
            is_wanted
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
    /// Moves that all plays say the most of stand first, as many as are told.
    fn set_moves(
        &mut self,
        open: &ToSolve,
        legal: &mut [Vec<MoveId>],
        all_moves: impl Fn(&N) -> Option<&MoveTallies>,
    ) {
        let &ToSolve { id, reference, n_told } = open;
        if legal.iter().any(Vec::is_empty) {
            let state = self.nodes[id].state.clone();
            let exact = self.end(&state);
            (self.nodes[id].choice, self.nodes[id].exact) = (Choice::Ended, Some(Box::new(exact)));
            return;
        }
        let first_move = self.moves.len();
        let mut n_moves: SmallVec<[usize; 4]> = SmallVec::new();
        let random = self.random();
        for (role, legal) in legal.iter_mut().enumerate() {
            n_moves.push(legal.len());
            let first = self.moves.len();
            self.add_moves_of_role(legal);
            // Chance is fair.
            let tallies = all_moves(&self.nodes[reference].seen);
            if let Some(tallies) = tallies.filter(|_| legal.len() > n_told && Some(role) != random)
            {
                let mean = |id: MoveId| tallies.of(id).mean(50.0, 1.0);
                self.moves[first..].select_nth_unstable_by(n_told, |one, other| {
                    mean(other.id).total_cmp(&mean(one.id))
                });
            }
        }
        self.grow_by(self.moves.len() - first_move);
        let choice = Choice::new(&n_moves, random);
        let node = &mut self.nodes[id];
        (node.first_move, node.choice) = (first_move, choice);
    }

    /// Adds the moves of a node that decide the game.
    fn add_decisive(
        &self,
        stage: usize,
        id: TreeNodeId,
        decisive: &[MoveId],
        pairs: &mut Vec<Pair>,
    ) {
        let Choice::One { role, .. } = self.nodes[id].choice else { return };
        let role = role as usize;
        for (place, arm) in self.arms(id, role).iter().enumerate() {
            if decisive.contains(&arm.id) {
                pairs.push(Pair { stage, id, places: self.places_with(role, place) });
            }
        }
    }

    /// Adds `n_pairs` joint moves of a node, in any order, or as many as there are without the moves of `but`.
    fn add_joint_moves(
        &self,
        stage: usize,
        id: TreeNodeId,
        n_pairs: usize,
        but: &[MoveId],
        pairs: &mut Vec<Pair>,
    ) {
        let all_are_decisive = match self.nodes[id].choice {
            Choice::Open | Choice::Ended => true,
            Choice::One { n_moves, .. } => n_moves as usize == but.len(),
            Choice::Several(_) => false,
        };
        if all_are_decisive {
            return;
        }
        let roles = 0..self.game.roles().len();
        let n_moves: Places = roles.map(|role| self.arms(id, role).len()).collect();
        let n_joint = n_moves.iter().fold(1, |product: usize, n| product.saturating_mul(*n));
        let step = match self.nodes[id].choice {
            Choice::Several(_) => step_through(n_joint),
            _ => 1,
        };
        let is_left = |(role, &place): (usize, &usize)| {
            but.is_empty() || !but.contains(&self.arms(id, role)[place].id)
        };
        let end = pairs.len() + n_pairs;
        let mut number = 0;
        for _ in 0..n_joint {
            if pairs.len() == end {
                break;
            }
            let mut rest = number;
            let place = |n: &usize| {
                let place = rest % n;
                rest /= n;
                place
            };
            let places: Places = n_moves.iter().map(place).collect();
            if places.iter().enumerate().all(is_left) {
                pairs.push(Pair { stage, id, places });
            }
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
        let reply = reply.filter(|_| self.knows.proofs);
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
