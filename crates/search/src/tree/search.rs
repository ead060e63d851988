//! Growing a tree, and what it says.

use base::{Deadline, Id as _, IdVec, Rng, RoleId, seeded_rng};
use game::{Game, MoveId, Outcome, Playouts, Unplayable, legal_of_all};
use rand::RngExt as _;
use rand::seq::SliceRandom as _;
use rustc_hash::FxHashMap;

use super::exact::Exact;
use super::node::{Arm, TreeNode, TreeNodeId};

/// How a tree is grown.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TreeOptions {
    /// How much is explored: the factor of the square root in the confidence bound, where values are from 0
    /// to 1.
    pub exploration: f64,
    /// How many leaves are gathered before plays from them go on at once.
    pub batch: usize,
    /// How many random plays go on from each leaf.
    pub plays_per_leaf: usize,
    /// How many moves all nodes of the tree may have together.
    pub max_moves: usize,
    /// Random plays that are longer are given up.
    pub max_steps: usize,
}

impl Default for TreeOptions {
    fn default() -> TreeOptions {
        TreeOptions {
            exploration: 0.4,
            batch: 64,
            plays_per_leaf: 4,
            max_moves: 5_000_000,
            max_steps: 100_000,
        }
    }
}

/// When a search ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchLimits {
    /// At this time.
    pub deadline: Deadline,
    /// After so many random plays.
    pub max_plays: u64,
}

/// What a search thinks.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// The moves of the role, the best first.
    pub moves: Vec<MoveReport>,
    /// Random plays.
    pub n_plays: u64,
    /// Nodes of the tree.
    pub n_nodes: usize,
    /// Whether the value of the state is known.
    pub is_exact: bool,
}

/// What a search thinks of a move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MoveReport {
    /// The move.
    pub id: MoveId,
    /// What it is worth for the role, from 0 to 100.
    pub value: f64,
    /// Whether that is known for sure.
    pub is_exact: bool,
    /// How many plays went on with it.
    pub n_visits: u64,
}

/// A tree that grows from a state, and goes with it from move to move.
///
/// ```
/// use base::{Deadline, RoleId};
/// use game::Game as _;
/// use search::{SearchLimits, Tree, TreeOptions};
///
/// let rules = games::find("tic-tac-toe").unwrap().rules;
/// let program = program::check(&gdl::parse_kif(rules)).program.expect("no errors");
/// let limits = ground::Limits { deadline: Deadline::NEVER, max_literals: 1_000_000 };
/// let ground = ground::ground(&program, &limits).expect("it is small");
/// let game = machine::OneState::new(ground.clone());
/// let many = machine::ManyStates::new(ground);
/// let initial = game.initial();
/// let mut tree = Tree::new(game, many, initial, TreeOptions::default(), 1)?;
/// let limits = SearchLimits { deadline: Deadline::NEVER, max_plays: 50_000 };
/// tree.grow(&limits)?;
/// let x = RoleId::first(2).next().unwrap();
/// let report = tree.report(x);
/// assert!((45.0..60.0).contains(&report.moves[0].value));
/// # Ok::<(), game::Unplayable>(())
/// ```
#[derive(Debug)]
pub struct Tree<G: Game, P> {
    game: G,
    playouts: P,
    options: TreeOptions,
    rng: Rng,
    nodes: IdVec<TreeNodeId, TreeNode<G::State>>,
    known: FxHashMap<G::State, TreeNodeId>,
    root: TreeNodeId,
    /// How many moves all nodes have together.
    n_moves: usize,
    n_plays: u64,
}

/// A way from the root to a leaf: the nodes, and the places of the moves that were made in them.
type Path = Vec<(TreeNodeId, Vec<usize>)>;

/// Where a descent has ended.
enum Leaf<S> {
    /// At a state from which random plays go on.
    State(S),
    /// At one whose value is known.
    Known(Exact),
}

impl<G: Game, P: Playouts<G>> Tree<G, P> {
    /// A tree that has only its root yet.
    pub fn new(
        game: G,
        playouts: P,
        state: G::State,
        options: TreeOptions,
        seed: u64,
    ) -> Result<Tree<G, P>, Unplayable> {
        let mut tree = Tree {
            game,
            playouts,
            options,
            rng: seeded_rng(seed),
            nodes: IdVec::new(),
            known: FxHashMap::default(),
            root: TreeNodeId::from_index(0),
            n_moves: 0,
            n_plays: 0,
        };
        tree.root = tree.node_of(state)?;
        Ok(tree)
    }

    /// The rules.
    pub fn game(&mut self) -> &mut G {
        &mut self.game
    }

    /// How many random plays go on from each leaf.
    pub fn plays_per_leaf(&self) -> usize {
        self.options.plays_per_leaf
    }

    /// How many leaves are gathered at once.
    pub fn batch(&self) -> usize {
        self.options.batch
    }

    /// How many random plays there were.
    pub fn n_plays(&self) -> u64 {
        self.n_plays
    }

    /// Grows the tree until the limits are reached, or its value is known.
    pub fn grow(&mut self, limits: &SearchLimits) -> Result<(), Unplayable> {
        let end = self.n_plays.saturating_add(limits.max_plays);
        while self.n_plays < end && !limits.deadline.has_passed() {
            if self.nodes[self.root].exact.is_some() {
                break;
            }
            let left = usize::try_from(end - self.n_plays).unwrap_or(usize::MAX);
            let batch = self.options.batch.min(left.div_ceil(self.options.plays_per_leaf));
            self.grow_by(batch.max(1))?;
        }
        Ok(())
    }

    /// Goes on to the state after a joint move. What is known of it and of what may follow is kept; the rest
    /// is until [`Tree::forget_the_past`].
    pub fn advance(&mut self, joint_move: &[MoveId]) -> Result<(), Unplayable> {
        let next = self.game.next(&self.nodes[self.root].state, joint_move);
        self.root = self.node_of(next)?;
        Ok(())
    }

    /// The state that it grows from, and the rules.
    pub fn state_and_game(&mut self) -> (&G::State, &mut G) {
        (&self.nodes[self.root].state, &mut self.game)
    }

    /// What the tree says about the moves of a role.
    pub fn report(&self, role: RoleId) -> Report {
        let root = &self.nodes[self.root];
        let is_alone = root.choosers(self.random()).all(|other| other == role.index());
        let mut arms: Vec<&Arm> = match root.roles.get(role.index()) {
            Some(arms) => arms.iter().collect(),
            None => Vec::new(),
        };
        // Exact values decide where only this role chooses.
        let of_root = root.exact.as_ref().filter(|_| arms.len() == 1);
        let exact = |arm: &Arm| arm.exact.as_ref().filter(|_| is_alone).or(of_root).cloned();
        arms.sort_by_key(|arm| std::cmp::Reverse(arm.n_visits));
        let (mut known, others): (Vec<&Arm>, Vec<&Arm>) =
            arms.into_iter().partition(|arm| exact(arm).is_some());
        known.sort_by(|one, other| match (exact(one), exact(other)) {
            (Some(one), Some(other)) => one.compare(&other, role.index()).reverse(),
            _ => std::cmp::Ordering::Equal,
        });
        // What is known is better than the best guess, or it is not.
        let guess = others.first().map_or(f64::NEG_INFINITY, |arm| arm.mean());
        let is_better = |arm: &&Arm| exact(arm).is_some_and(|e| e.values[role.index()] >= guess);
        let n_better = known.iter().take_while(|arm| is_better(arm)).count();
        let worse = known.split_off(n_better);
        let arms: Vec<&Arm> = known.into_iter().chain(others).chain(worse).collect();
        let moves = arms.iter().map(|arm| MoveReport {
            id: arm.id,
            value: exact(arm).map_or(arm.mean(), |exact| exact.values[role.index()]),
            is_exact: exact(arm).is_some(),
            n_visits: arm.n_visits,
        });
        Report {
            moves: moves.collect(),
            n_plays: self.n_plays,
            n_nodes: self.nodes.len(),
            is_exact: root.exact.is_some(),
        }
    }

    fn random(&self) -> Option<usize> {
        self.game.random().map(|role| role.index())
    }

    /// The node of a state, which is added if it is not there.
    fn node_of(&mut self, state: G::State) -> Result<TreeNodeId, Unplayable> {
        if let Some(&id) = self.known.get(&state) {
            return Ok(id);
        }
        let mut node = TreeNode {
            state: state.clone(),
            roles: Vec::new(),
            n_visits: 0,
            children: FxHashMap::default(),
            exact: None,
        };
        match self.game.is_terminal(&state) {
            true => node.exact = Some(self.end(&state)),
            false => {
                for mut moves in legal_of_all(&mut self.game, &state)? {
                    moves.shuffle(&mut self.rng);
                    node.roles.push(moves.into_iter().map(Arm::new).collect());
                }
            }
        }
        self.n_moves += node.n_moves();
        let id = self.nodes.push(node);
        self.known.insert(state, id);
        Ok(id)
    }

    fn end(&mut self, state: &G::State) -> Exact {
        let mut values = Vec::new();
        for role in RoleId::first(self.game.roles().len()) {
            // Where rules are not quite right, the play is worth nothing, as random plays are.
            values.push(self.game.goal(state, role).map_or(0.0, |goal| f64::from(goal.value())));
        }
        Exact { values, n_steps: 0 }
    }

    /// Gathers leaves, plays from them, and tells what came of it to the nodes on the way.
    fn grow_by(&mut self, n_leaves: usize) -> Result<(), Unplayable> {
        let mut paths: Vec<Path> = Vec::new();
        let mut starts: Vec<G::State> = Vec::new();
        for _ in 0..n_leaves {
            let mut path = Path::new();
            match self.descend(&mut path)? {
                Leaf::Known(exact) => {
                    self.n_plays += 1;
                    self.go_up(&path, &exact.values, true);
                    if self.nodes[self.root].exact.is_some() {
                        break;
                    }
                }
                Leaf::State(state) => {
                    self.count_visits(&path, self.options.plays_per_leaf as u64 - 1);
                    starts.extend(std::iter::repeat_n(state, self.options.plays_per_leaf));
                    paths.push(path);
                }
            }
        }
        let Tree { playouts, game, options, rng, .. } = self;
        let outcomes = playouts.play_out_all(game, &starts, options.max_steps, rng)?;
        for (path, outcomes) in paths.iter().zip(outcomes.chunks(self.options.plays_per_leaf)) {
            self.n_plays += outcomes.len() as u64;
            self.go_up(path, &sums(outcomes), false);
        }
        Ok(())
    }

    /// Goes down to a leaf and adds it to the tree. Every node on the way counts a play, as long as it is
    /// under way one that nobody won.
    fn descend(&mut self, path: &mut Path) -> Result<Leaf<G::State>, Unplayable> {
        let mut at = self.root;
        loop {
            if let Some(exact) = &self.nodes[at].exact {
                return Ok(Leaf::Known(exact.clone()));
            }
            if path.len() >= self.options.max_steps {
                return Err(Unplayable::NoEnd { n_steps: path.len() });
            }
            let places = self.select(at);
            let node = &mut self.nodes[at];
            node.count_visits(&places, 1);
            let number = node.joint_number(&places);
            let child = node.children.get(&number).copied();
            path.push((at, places.clone()));
            if let Some(child) = child {
                at = child;
                continue;
            }
            let node = &self.nodes[at];
            let joint: Vec<MoveId> =
                node.roles.iter().zip(&places).map(|(arms, &place)| arms[place].id).collect();
            let next = self.game.next(&node.state, &joint);
            if self.is_full() {
                return Ok(Leaf::State(next));
            }
            let child = self.node_of(next)?;
            self.nodes[at].children.insert(number, child);
            return Ok(match &self.nodes[child].exact {
                Some(exact) => Leaf::Known(exact.clone()),
                None => Leaf::State(self.nodes[child].state.clone()),
            });
        }
    }

    fn count_visits(&mut self, path: &Path, n_visits: u64) {
        for (id, places) in path {
            self.nodes[*id].count_visits(places, n_visits);
        }
    }

    /// The places of the moves that the roles choose.
    fn select(&mut self, id: TreeNodeId) -> Vec<usize> {
        let random = self.random();
        let node = &self.nodes[id];
        let is_alone = node.choosers(random).count() <= 1;
        let is_root = id == self.root;
        let log = (node.n_visits.max(1) as f64).ln();
        let exploration = self.options.exploration;
        let rng = &mut self.rng;
        let of_role = |(role, arms): (usize, &Vec<Arm>)| match arms.len() {
            1 => 0,
            n_arms if Some(role) == random => rng.random_range(0..n_arms),
            _ => best_arm(arms, if is_alone { 0.0 } else { TIE }, rng, |arm| match &arm.exact {
                // What is known for sure needs no trying, and at the root nothing is learnt from it.
                Some(_) if is_alone && is_root => f64::NEG_INFINITY,
                Some(exact) if is_alone => exact.values[role],
                _ if arm.n_visits == 0 => f64::INFINITY,
                _ => arm.mean() + 100.0 * exploration * (log / arm.n_visits as f64).sqrt(),
            }),
        };
        node.roles.iter().enumerate().map(of_role).collect()
    }

    /// Adds what plays came to, and finds out which nodes are completely explored, from the leaf up, if the
    /// leaf is.
    fn go_up(&mut self, path: &Path, sums: &[f64], mut is_explored: bool) {
        for (id, places) in path.iter().rev() {
            let node = &mut self.nodes[*id];
            for (role, (arms, &place)) in node.roles.iter_mut().zip(places).enumerate() {
                arms[place].sum += sums[role];
            }
            is_explored = is_explored && self.look_for_exact(*id, places);
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
                self.nodes[id].roles[role][places[role]].exact = Some(of_move);
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

    /// Forgets the nodes that cannot be reached from the root, if they are many or there is no room for
    /// others.
    pub fn forget_the_past(&mut self) {
        let mut is_reached = vec![false; self.nodes.len()];
        let mut open = vec![self.root];
        let mut n_kept = 0;
        while let Some(id) = open.pop() {
            if !std::mem::replace(&mut is_reached[id.index()], true) {
                n_kept += 1;
                open.extend(self.nodes[id].children.values().copied());
            }
        }
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
                self.n_moves += node.n_moves();
                let state = node.state.clone();
                self.known.insert(state, self.nodes.push(node));
            }
        }
        self.root = place_of(self.root);
    }

    /// Whether no more nodes may be added.
    fn is_full(&self) -> bool {
        self.n_moves >= self.options.max_moves
    }
}

/// By role: the sum of what it got.
fn sums(outcomes: &[Outcome]) -> Vec<f64> {
    let n_roles = outcomes.first().map_or(0, |outcome| outcome.goals.len());
    let sum = |role: usize| outcomes.iter().map(|o| f64::from(o.goals[role].value())).sum();
    (0..n_roles).map(sum).collect()
}

/// Of players who move at the same time, each takes any of the moves whose bounds are as near to the highest:
/// otherwise they go round in circles, each always one step behind the other (Tak, Lanctot & Winands 2014).
const TIE: f64 = 1.0;

/// The place of the move with the highest bound, or of any that is no further below than `tie`.
fn best_arm(arms: &[Arm], tie: f64, rng: &mut Rng, bound: impl Fn(&Arm) -> f64) -> usize {
    let (mut best, mut highest) = (0, f64::NEG_INFINITY);
    for (place, arm) in arms.iter().enumerate() {
        let bound = bound(arm);
        if bound > highest {
            (best, highest) = (place, bound);
        }
    }
    if tie == 0.0 || highest.is_infinite() {
        return best;
    }
    let is_near = |place: &usize| bound(&arms[*place]) >= highest - tie;
    let near: Vec<usize> = (0..arms.len()).filter(is_near).collect();
    near[rng.random_range(0..near.len())]
}

/// The value of a node in which one role chooses: that of its best move, if all are known or one is as good
/// as any can be.
fn best_if_known(arms: &[Arm], role: usize) -> Option<Exact> {
    /// Nothing is worth more.
    const MOST: f64 = 100.0;
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

#[cfg(test)]
mod tests {
    use game::OneByOne;
    use machine::{ManyStates, OneState};

    use super::*;
    use crate::test_games::{embedded, ground, nim};
    use crate::{Concept, Information, Limits, Question, solve};

    fn tree(ground: &ground::GroundProgram, seed: u64) -> Tree<OneState, ManyStates> {
        let game = OneState::new(ground.clone());
        let initial = game.initial();
        let options = TreeOptions { batch: 16, plays_per_leaf: 1, ..TreeOptions::default() };
        Tree::new(game, ManyStates::new(ground.clone()), initial, options, seed).expect("playable")
    }

    fn plays(max_plays: u64) -> SearchLimits {
        SearchLimits { deadline: Deadline::NEVER, max_plays }
    }

    /// With enough plays a tree is explored to its end, and is worth what the solver says.
    #[test]
    fn explored_trees_have_the_value_of_the_game() {
        let mut games = vec![ground(embedded("hidden-matching-pennies"))];
        let heaps: [&[u32]; 4] = [&[1, 2], &[2, 2], &[3, 4], &[1, 2, 3]];
        games.extend(heaps.iter().map(|heaps| ground(&nim(heaps))));
        for ground in games {
            let mut tree = tree(&ground, 1);
            tree.grow(&plays(1_000_000)).expect("playable");
            let root = tree.nodes[tree.root].exact.clone().expect("it is explored");
            for role in
                RoleId::first(ground.roles.len()).filter(|role| Some(*role) != ground.random)
            {
                let question =
                    Question { role, concept: Concept::MAXIMIN, information: Information::Full };
                let limits = Limits { deadline: Deadline::NEVER, max_states: usize::MAX };
                let solved = solve(tree.game(), question, &limits).expect("playable");
                assert_eq!(root.values[role.index()], solved.value.low, "{:?}", ground.roles);
                assert_eq!(tree.report(role).moves[0].value, solved.value.low);
            }
        }
    }

    #[test]
    fn a_win_in_one_move_is_found_and_the_shortest_is_taken() {
        // Taking the whole heap wins at once; other ways to win are longer.
        let ground = ground(&nim(&[3]));
        let mut tree = tree(&ground, 3);
        tree.grow(&plays(10_000)).expect("playable");
        let role = RoleId::first(2).next().expect("there are two");
        let best = tree.report(role).moves[0];
        assert!(best.is_exact && best.value == 100.0, "{best:?}");
        assert_eq!(tree.game().move_text(best.id), "(take 0 0)");
    }

    #[test]
    fn equal_seeds_grow_equal_trees() {
        let ground = ground(embedded("connect-four"));
        let role = RoleId::first(2).next().expect("there are two");
        let report = |seed| {
            let mut tree = tree(&ground, seed);
            tree.grow(&plays(5_000)).expect("playable");
            tree.report(role)
        };
        assert_eq!(report(7), report(7));
        assert_ne!(report(7), report(8));
        assert_eq!(report(7).n_plays, 5_000);
    }

    /// The tree goes with the match: what is known of the state after a move is kept, the rest forgotten.
    #[test]
    fn what_is_known_of_the_next_state_is_kept() {
        let ground = ground(embedded("connect-four"));
        let mut tree = tree(&ground, 1);
        tree.grow(&plays(20_000)).expect("playable");
        let n_before = tree.nodes.len();
        let worst = |role: RoleId| *tree.report(role).moves.last().expect("there is a move");
        let worst: Vec<MoveReport> = RoleId::first(2).map(worst).collect();
        let joint: Vec<MoveId> = worst.iter().map(|report| report.id).collect();
        let n_visits = worst[0].n_visits;
        tree.advance(&joint).expect("playable");
        tree.forget_the_past();
        let root = &tree.nodes[tree.root];
        assert!(root.n_visits > 0 && root.n_visits < n_visits, "{}", root.n_visits);
        assert!(tree.nodes.len() < n_before);
        assert_eq!(tree.nodes.len(), tree.known.len());
        for (id, node) in tree.nodes.iter_with_ids() {
            assert_eq!(tree.known[&node.state], id);
        }
        tree.grow(&plays(1_000)).expect("playable");
    }

    /// Players who move at the same time learn to match when that is good for both.
    #[test]
    fn simultaneous_moves_are_chosen_on_their_own() {
        let ground = ground(embedded("matching-pennies"));
        let mut tree = tree(&ground, 2);
        tree.grow(&plays(20_000)).expect("playable");
        let texts: Vec<String> = RoleId::first(2)
            .map(|role| tree.report(role).moves[0].id)
            .map(|id| tree.game.move_text(id))
            .collect();
        assert_eq!(texts[0], texts[1]);
    }

    /// Any game can be searched, one random play after the other.
    #[test]
    fn plays_may_go_on_one_by_one() {
        let ground = ground(embedded("tic-tac-toe"));
        let game = OneState::new(ground);
        let initial = game.initial();
        let mut tree = Tree::new(game, OneByOne, initial, TreeOptions::default(), 1).unwrap();
        tree.grow(&plays(100_000)).unwrap();
        let best = tree.report(RoleId::first(2).next().unwrap()).moves[0];
        assert!((45.0..60.0).contains(&best.value), "{best:?}");
    }
}
