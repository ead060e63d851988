//! Trees in which every role keeps regrets: a sound choice where players move at the same time.
//!
//! Monte Carlo counterfactual regret minimisation (Lanctot et al. 2009) as players of general games use it
//! (Shafiei, Sturtevant & Schaeffer 2009): the tree grows as the search goes on, and random plays take the
//! place of what is below it. In each iteration one role looks at all of its moves, while the others and
//! chance are sampled; it goes on with one of them, and probes the others by a play of their own (Gibson et
//! al. 2012). As all know the state, every node is a game of its own, so that what is learnt in it need not be
//! weighed by how likely it is to be reached. What converges to an equilibrium is the mean of the strategies.

use std::time::Instant;

use base::{Id as _, Rng, RoleId};
use game::{Game, MoveId, Notes, Outcomes, Playouts, PlaysFrom};
use rand::RngExt as _;

use super::graph::{Graph, Next, Seen, Tried};
use super::node::{Arm, Path, Places, TreeNodeId};
use super::pace::Pace;
use super::report::{Report, Search, SearchLimits, Work};

/// How a tree of regrets is grown.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RegretOptions {
    /// How often a role goes on with any move instead of one that it would make, from 0 to 1.
    pub exploration: f64,
    /// How many joint moves from the state that is thought about regrets are kept; below are random plays.
    pub depth: usize,
    /// How many random plays go on at once, at most, if an iteration does not need more.
    pub batch: usize,
    /// How many moves all nodes of the tree may have together.
    pub max_moves: usize,
    /// Random plays that are longer are given up.
    pub max_steps: usize,
}

impl Default for RegretOptions {
    fn default() -> RegretOptions {
        RegretOptions {
            exploration: 0.2,
            depth: 200,
            batch: 256,
            max_moves: 5_000_000,
            max_steps: 10_000,
        }
    }
}

/// How often a node was visited.
#[derive(Clone, Copy, Debug, Default)]
struct Visits(u64);

impl Seen for Visits {
    fn size(&self) -> usize {
        0
    }
}

/// What is known of a move.
#[derive(Clone, Copy, Debug, Default)]
struct Regret {
    /// How much more it would have brought than what was done, in all iterations; never below zero.
    regret: f64,
    /// The sum of the shares that it had in the strategies.
    strategy: f64,
    /// How often its role looked at it, and the sum of what it found.
    n_values: u64,
    sum: f64,
}

impl Tried for Regret {
    fn n_visits(&self) -> u64 {
        self.n_values
    }

    fn weight(&self) -> f64 {
        self.strategy
    }

    fn mean(&self) -> f64 {
        self.sum / self.n_values.max(1) as f64
    }
}

/// A tree of regrets that grows from a state, and goes with it from move to move.
#[derive(Debug)]
pub struct RegretTree<G: Game, P> {
    graph: Graph<G, Visits, Regret>,
    playouts: P,
    options: RegretOptions,
    pace: Pace,
    n_plays: u64,
    n_iterations: u64,
}

/// One role's walk from the root to a leaf.
struct Walk {
    role: usize,
    path: Path,
    /// By node of the path: what each other move of the role leads to; nothing where it has no choice.
    probes: Vec<Vec<(usize, Value)>>,
    leaf: Value,
}

/// What the role of a walk gets.
#[derive(Clone, Copy)]
enum Value {
    Known(f64),
    /// What the random play with this number comes to.
    Play(usize),
}

impl Walk {
    /// Whether it needs no random plays.
    fn is_known(&self) -> bool {
        let values = self.probes.iter().flatten().map(|(_, value)| value).chain([&self.leaf]);
        values.into_iter().all(|value| matches!(value, Value::Known(_)))
    }
}

impl<G: Game, P: Playouts<G>> Search for RegretTree<G, P> {
    type Game = G;

    fn state_and_game(&mut self) -> (&G::State, &mut G) {
        self.graph.state_and_game()
    }

    fn grow(&mut self, limits: &SearchLimits) -> bool {
        let end = self.n_plays.saturating_add(limits.max_plays);
        while self.n_plays < end && !limits.is_time_up() && !self.graph.is_explored() {
            self.grow_by_batch(limits, end - self.n_plays);
        }
        self.graph.is_explored()
    }

    fn advance(&mut self, joint_move: &[MoveId]) {
        self.graph.advance(joint_move);
    }

    fn forget_the_past(&mut self) {
        self.graph.forget_the_past();
    }

    fn want_all(&mut self) {
        self.graph.wants_all = true;
    }

    fn work(&self) -> Work {
        Work::plays(self.n_plays)
    }

    fn report(&self, role: RoleId) -> Report {
        let arms = self.graph.arms_of_root(role.index());
        let total: f64 = arms.iter().map(|(arm, _)| arm.seen.strategy).sum();
        let share = |seen: &Regret| if total > 0.0 { seen.strategy / total } else { 1.0 };
        self.graph.report(role.index(), self.work(), share, true)
    }
}

impl<G: Game, P: Playouts<G>> RegretTree<G, P> {
    /// A tree that has only its root yet.
    pub fn new(
        game: G,
        playouts: P,
        state: G::State,
        options: RegretOptions,
        seed: u64,
    ) -> RegretTree<G, P> {
        let graph = Graph::new(game, state, options.max_moves, seed);
        let pace = Pace::new(playouts.n_free());
        RegretTree { graph, playouts, options, pace, n_plays: 0, n_iterations: 0 }
    }

    /// Some walks, plays from where they lead, and what is learnt from it.
    fn grow_by_batch(&mut self, limits: &SearchLimits, n_left: u64) {
        /// Of all plays, so large a part may be under way at once.
        const UNDER_WAY: u64 = 32;
        let start = Instant::now();
        let n_visits = self.graph.nodes[self.graph.root].seen.0;
        let n_at_once = self.pace.n_at_once(n_visits, UNDER_WAY, limits, n_left);
        let n_at_once = n_at_once.min(self.options.batch);
        let mut starts: Vec<G::State> = Vec::new();
        let mut walks: Vec<Walk> = Vec::new();
        let mut n_known = 0;
        while starts.len() + n_known <= n_at_once && !self.graph.is_explored() {
            let walk = self.walk(&mut starts);
            match walk.is_known() {
                true => {
                    self.learn(&walk, None);
                    n_known += 1;
                }
                false => walks.push(walk),
            }
        }
        let (game, rng) = (&mut self.graph.game, &mut self.graph.rng);
        let states: Vec<&G::State> = starts.iter().collect();
        let max_steps = self.options.max_steps;
        let plays = PlaysFrom::to_end(&states, 1, max_steps);
        let outcomes = self.playouts.play_out_all(game, &plays, rng, Notes::default());
        // A walk that led to what is known counts as a play, so that there is an end to them.
        self.n_plays += (outcomes.n_plays() + n_known) as u64;
        walks.iter().for_each(|walk| self.learn(walk, Some(&outcomes)));
        self.pace.note(outcomes.n_plays(), start);
    }

    /// A walk of the next role; states from which random plays are needed are added to `starts`.
    fn walk(&mut self, starts: &mut Vec<G::State>) -> Walk {
        let role = self.next_role();
        let mut walk = Walk { role, path: Vec::new(), probes: Vec::new(), leaf: Value::Known(0.0) };
        let mut at = self.graph.root;
        walk.leaf = loop {
            let node = &self.graph.nodes[at];
            if let Some(exact) = &node.exact {
                let value = Value::Known(exact.values[role]);
                self.graph.explore(&walk.path);
                break value;
            }
            if walk.path.len() >= self.options.depth {
                break add(starts, node.state.clone());
            }
            let places = self.places(at, Some(role));
            let probes = self.probe_others(at, role, &places, starts);
            let next = self.graph.follow(at, &places);
            walk.path.push((at, places));
            walk.probes.push(probes);
            match next {
                Next::Old(child) => at = child,
                Next::Outside(state) => break add(starts, state),
                Next::New(child) if self.graph.nodes[child].exact.is_some() => at = child,
                Next::New(child) => break add(starts, self.graph.nodes[child].state.clone()),
            }
        };
        walk
    }

    /// The roles but chance take turns.
    fn next_role(&mut self) -> usize {
        let random = self.graph.random();
        let n_roles = self.graph.game.roles().len() as u64;
        loop {
            self.n_iterations += 1;
            let role = (self.n_iterations % n_roles) as usize;
            if Some(role) != random || n_roles == 1 {
                return role;
            }
        }
    }

    /// Moves as the strategies make them; `explorer` now and then makes any.
    fn places(&mut self, id: TreeNodeId, explorer: Option<usize>) -> Places {
        let random = self.graph.random();
        let n_roles = self.graph.game.roles().len();
        let Graph { nodes, moves, rng, .. } = &mut self.graph;
        let of_role = |role: usize| {
            let arms = &moves[nodes[id].moves_of(role)];
            let explores = explorer == Some(role) && rng.random_bool(self.options.exploration);
            match arms.len() {
                1 => 0,
                n_arms if Some(role) == random || explores => rng.random_range(0..n_arms),
                _ => sample(&strategy(arms), rng),
            }
        };
        (0..n_roles).map(of_role).collect()
    }

    /// What the other moves of `role` lead to, if the others do what they do.
    fn probe_others(
        &mut self,
        id: TreeNodeId,
        role: usize,
        places: &[usize],
        starts: &mut Vec<G::State>,
    ) -> Vec<(usize, Value)> {
        let mut probes = Vec::new();
        let mut others = places.to_vec();
        for place in (0..self.graph.arms(id, role).len()).filter(|&one| one != places[role]) {
            others[role] = place;
            let known = self.graph.arms(id, role)[place].exact.as_ref();
            let value = match known.map(|exact| exact.values[role]) {
                Some(value) => Value::Known(value),
                None => self.probe(id, role, &others, starts),
            };
            probes.push((place, value));
        }
        probes
    }

    /// What moves lead to, if all do what they do, and play at random where nothing is known.
    fn probe(
        &mut self,
        id: TreeNodeId,
        role: usize,
        places: &[usize],
        starts: &mut Vec<G::State>,
    ) -> Value {
        let mut at = id;
        let mut places = Places::from_slice(places);
        for _ in 0..=self.options.depth {
            let Some(child) = self.graph.child(at, &places) else {
                let state = self.graph.state_after(at, &places);
                return add(starts, state);
            };
            if let Some(exact) = &self.graph.nodes[child].exact {
                return Value::Known(exact.values[role]);
            }
            at = child;
            places = self.places(at, None);
        }
        add(starts, self.graph.nodes[at].state.clone())
    }

    /// Tells the nodes of a walk what was found out, from the leaf up.
    fn learn(&mut self, walk: &Walk, outcomes: Option<&Outcomes>) {
        let value_of = |value: Value| match value {
            Value::Known(value) => value,
            Value::Play(play) => {
                outcomes.map_or(0.0, |outcomes| f64::from(outcomes.goals(play)[walk.role].value()))
            }
        };
        let mut value = value_of(walk.leaf);
        for ((id, places), probes) in walk.path.iter().zip(&walk.probes).rev() {
            self.graph.nodes[*id].seen.0 += 1;
            self.add_strategies(*id, places.len());
            let arms = self.graph.arms_mut(*id, walk.role);
            let mut values = vec![0.0; arms.len()];
            values[places[walk.role]] = value;
            probes.iter().for_each(|&(place, probe)| values[place] = value_of(probe));
            value = update(arms, &values);
        }
    }

    /// Adds the strategies that all roles have now, later ones with more weight.
    fn add_strategies(&mut self, id: TreeNodeId, n_roles: usize) {
        let weight = self.graph.nodes[id].seen.0 as f64;
        for role in 0..n_roles {
            let arms = self.graph.arms_mut(id, role);
            let strategy = strategy(arms);
            for (arm, share) in arms.iter_mut().zip(strategy) {
                arm.seen.strategy += weight * share;
            }
        }
    }
}

/// A random play from a state.
fn add<S>(starts: &mut Vec<S>, state: S) -> Value {
    starts.push(state);
    Value::Play(starts.len() - 1)
}

/// Regret matching+ (Tammelin 2014): each move as often as its regret. In a game of two rounds it was ten
/// times as near to the equilibrium as with regrets below zero (Hart & Mas-Colell 2000).
fn strategy(arms: &[Arm<Regret>]) -> Vec<f64> {
    let total: f64 = arms.iter().map(|arm| arm.seen.regret).sum();
    let share = |arm: &Arm<Regret>| match total > 0.0 {
        true => arm.seen.regret / total,
        false => 1.0 / arms.len() as f64,
    };
    arms.iter().map(share).collect()
}

/// Adds regrets; returns what the strategy is worth.
fn update(arms: &mut [Arm<Regret>], values: &[f64]) -> f64 {
    let shares = strategy(arms);
    let mean: f64 = shares.iter().zip(values).map(|(share, value)| share * value).sum();
    for (arm, value) in arms.iter_mut().zip(values) {
        arm.seen.regret = (arm.seen.regret + value - mean).max(0.0);
        arm.seen.n_values += 1;
        arm.seen.sum += value;
    }
    mean
}

/// A place, each as often as its share.
fn sample(shares: &[f64], rng: &mut Rng) -> usize {
    let mut left: f64 = rng.random();
    let is_it = |share: &f64| {
        left -= share;
        left <= 0.0
    };
    let place = shares.iter().position(is_it);
    place.unwrap_or(shares.len() - 1)
}
