//! Trees that are grown by confidence bounds (UCT), or by what all plays with a move came to (GRAVE).

use std::time::Instant;

use base::{Id as _, Rng, RoleId};
use game::{Game, MoveId, MovesMade, Notes, Playouts, PlaysFrom};
use rand::RngExt as _;

use super::graph::{Graph, Next, Seen, Tried};
use super::grave::{AllMoves, grave};
use super::node::{Arm, Choice, Path, Places, TreeNodeId};
use super::pace::Pace;
use super::report::{Report, Search, SearchLimits, Work};
use super::tallies::{GoalDigits, MoveTally, PlaySet, Tally};

/// How a tree is grown.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TreeOptions {
    /// How the move is chosen that is tried next.
    pub selection: Selection,
    /// How many leaves are gathered, at most, before plays from them go on at once.
    pub batch: usize,
    /// How many random plays go on from each leaf, at most.
    pub plays_per_leaf: usize,
    /// Of the plays of the root one in so many may be under way at once.
    pub part: u64,
    /// How many moves all nodes of the tree may have together.
    pub max_moves: usize,
    /// Random plays that are longer are given up.
    pub max_steps: usize,
}

/// How the move is chosen that is tried next.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Selection {
    /// By the highest confidence bound (UCB1).
    Bound {
        /// How much is explored: the factor of the square root in the bound, where values are from 0 to 1.
        exploration: f64,
    },
    /// By the highest mean of the plays that went on with it and of all that it was made in (GRAVE).
    AllMoves {
        /// A node with so many plays or fewer borrows what all moves are worth from one above it.
        ref_plays: u64,
        /// How soon the plays that went on with a move outweigh all others.
        bias: f64,
        /// As for a bound. Without it a move that seems bad in all plays is never tried, and stays so.
        exploration: f64,
    },
}

impl TreeOptions {
    /// UCT with its usual parameters.
    pub const UCT: TreeOptions = TreeOptions {
        selection: Selection::Bound { exploration: 0.3 },
        batch: 64,
        plays_per_leaf: 8,
        part: 32,
        max_moves: 5_000_000,
        max_steps: 10_000,
    };

    /// GRAVE with its usual parameters.
    pub const GRAVE: TreeOptions = TreeOptions {
        selection: Selection::AllMoves { ref_plays: 50, bias: 1e-10, exploration: 0.03 },
        ..TreeOptions::UCT
    };
}

/// What is known of a node.
#[derive(Clone, Debug, Default)]
struct NodePlays {
    /// How many plays went through it, with those that are under way.
    n_visits: u64,
    /// The moves of the plays from here on, if they are counted.
    all_moves: Option<Box<AllMoves>>,
}

impl Seen for NodePlays {
    fn size(&self) -> usize {
        self.all_moves.as_ref().map_or(0, |all_moves| all_moves.len())
    }
}

/// What is known of a move.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MovePlays {
    /// How many plays went on with it, with those that are under way.
    pub(super) n_visits: u32,
    /// How many are under way.
    pub(super) n_under_way: u32,
    /// What the role got in those that have ended.
    pub(super) sum: f64,
}

impl Tried for MovePlays {
    fn n_visits(&self) -> u64 {
        u64::from(self.n_visits)
    }

    fn weight(&self) -> f64 {
        f64::from(self.n_visits)
    }

    /// From 0 to 100; a play that is under way counts as lost.
    fn mean(&self) -> f64 {
        self.sum / f64::from(self.n_visits.max(1))
    }
}

impl MovePlays {
    /// Plays go on with it. Where they become too many to be counted, all before count half: that changes no mean.
    pub(super) fn set_off(&mut self, n_plays: usize) {
        const TOO_MANY: u32 = 1 << 31;
        if self.n_visits >= TOO_MANY {
            self.n_visits = (self.n_visits - self.n_under_way) / 2 + self.n_under_way;
            self.sum /= 2.0;
        }
        self.n_visits += n_plays as u32;
        self.n_under_way += n_plays as u32;
    }

    /// How many plays have ended.
    fn n_ended(&self) -> f64 {
        f64::from(self.n_visits - self.n_under_way)
    }
}

/// A tree that grows from a state, and goes with it from move to move.
///
/// ```
/// use base::{Deadline, RoleId};
/// use game::Game as _;
/// use search::{Search as _, SearchLimits, Tree, TreeOptions};
///
/// let rules = games::find("tic-tac-toe").unwrap().rules;
/// let program = program::check(&gdl::parse_kif(rules)).program.expect("no errors");
/// let limits = ground::Limits { deadline: Deadline::NEVER, max_literals: 1_000_000 };
/// let ground = ground::ground(&program, &limits).expect("it is small");
/// let game = machine::OneState::new(ground.clone());
/// let many = machine::ManyStates::new(ground);
/// let initial = game.initial();
/// let mut tree = Tree::new(game, many, initial, TreeOptions::UCT, 1);
/// tree.grow(&SearchLimits::plays(50_000));
/// let x = RoleId::first(2).next().unwrap();
/// let report = tree.report(x);
/// assert!((45.0..60.0).contains(&report.moves[0].value));
/// ```
#[derive(Debug)]
pub struct Tree<G: Game, P> {
    graph: Graph<G, NodePlays, MovePlays>,
    playouts: P,
    options: TreeOptions,
    pace: Pace,
    n_plays: u64,
    /// How often it came to what is known, in the place of plays.
    n_known: u64,
    made: MovesMade,
}

/// Where a descent has ended.
enum Leaf<S> {
    /// At a state from which random plays go on.
    Start(Start<S>),
    /// At one whose value is known.
    Known(TreeNodeId),
    /// Nowhere: states come again and again.
    Endless,
}

/// Where random plays begin.
enum Start<S> {
    /// In a node.
    Node(TreeNodeId),
    /// In a state for which there is no room.
    Outside(S),
}

impl<G: Game, P: Playouts<G>> Search for Tree<G, P> {
    type Game = G;

    fn state_and_game(&mut self) -> (&G::State, &mut G) {
        self.graph.state_and_game()
    }

    fn grow(&mut self, limits: &SearchLimits) -> bool {
        // Going to what is known is no play, but there has to be an end to it.
        const KNOWN_A_PLAY: u64 = 16;
        let end = self.n_plays.saturating_add(limits.max_plays);
        let known_end = self.n_known.saturating_add(limits.max_plays.saturating_mul(KNOWN_A_PLAY));
        while self.n_plays < end
            && self.n_known < known_end
            && !limits.is_time_up()
            && !self.graph.is_explored()
        {
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
        report_by_visits(&self.graph, role, self.work())
    }
}

impl<G: Game, P: Playouts<G>> Tree<G, P> {
    /// A tree that has only its root yet.
    pub fn new(
        game: G,
        playouts: P,
        state: G::State,
        options: TreeOptions,
        seed: u64,
    ) -> Tree<G, P> {
        let graph = Graph::new(game, state, options.max_moves, seed);
        let pace = Pace::new(playouts.n_free());
        Tree { graph, playouts, options, pace, n_plays: 0, n_known: 0, made: MovesMade::new() }
    }

    /// Gathers leaves, plays from them, and tells what came of it to the nodes on the way; no more than
    /// `n_left` plays.
    fn grow_by_batch(&mut self, limits: &SearchLimits, n_left: u64) {
        let start = Instant::now();
        let (n_leaves, n_each) = self.batch(limits, n_left);
        let mut paths: Vec<Path> = Vec::new();
        let mut starts: Vec<Start<G::State>> = Vec::new();
        for _ in 0..n_leaves {
            let mut path = Path::with_capacity(USUAL_LENGTH);
            match self.descend(&mut path, n_each) {
                Leaf::Known(node) => {
                    self.n_known += n_each as u64;
                    let exact = self.graph.nodes[node].exact.as_ref();
                    let values = exact.map_or(&[][..], |exact| &exact.values);
                    let sums: Vec<f64> = values.iter().map(|value| n_each as f64 * value).collect();
                    self.go_up(&path, &sums, n_each, Vec::new());
                    self.graph.explore(&path);
                    if self.graph.is_explored() {
                        break;
                    }
                }
                Leaf::Endless => {
                    self.n_known += n_each as u64;
                    let nothing = vec![0.0; self.graph.game.roles().len()];
                    self.go_up(&path, &nothing, n_each, Vec::new());
                }
                Leaf::Start(start) => {
                    starts.push(start);
                    paths.push(path);
                }
            }
        }
        let mut made = std::mem::take(&mut self.made);
        let Tree { playouts, graph, options, .. } = self;
        let wanted = matches!(options.selection, Selection::AllMoves { .. }).then_some(&mut made);
        let Graph { game, rng, nodes, .. } = graph;
        let state_of = |start| match start {
            &Start::Node(id) => &nodes[id].state,
            Start::Outside(state) => state,
        };
        let states: Vec<&G::State> = starts.iter().map(state_of).collect();
        let max_steps = options.max_steps;
        let plays = PlaysFrom::to_end(&states, n_each, max_steps);
        let outcomes =
            playouts.play_out_all(game, &plays, rng, Notes { made: wanted, passed: None });
        self.n_plays += outcomes.n_plays() as u64;
        let counts_all = matches!(self.options.selection, Selection::AllMoves { .. });
        let n_roles = self.graph.game.roles().len();
        let goals = counts_all.then(|| GoalDigits::new(&outcomes, n_roles));
        for (number, path) in paths.iter().enumerate() {
            let plays = number * n_each..(number + 1) * n_each;
            let mut tallies = Vec::new();
            if let Some(goals) = &goals {
                let mut set = PlaySet::default();
                set.add(plays.clone());
                goals.add_tallies(&made, &set, &mut tallies);
            }
            self.go_up(path, &outcomes.sums(plays), n_each, tallies);
        }
        self.made = made;
        self.pace.note(outcomes.n_plays(), start);
    }

    /// How many leaves are gathered, and how many plays go on from each.
    fn batch(&self, limits: &SearchLimits, n_left: u64) -> (usize, usize) {
        let n_visits = self.graph.nodes[self.graph.root].seen.n_visits;
        let n_at_once = self.pace.n_at_once(n_visits, self.options.part, limits, n_left).max(1);
        let n_each = n_at_once.min(self.options.plays_per_leaf);
        ((n_at_once / n_each).min(self.options.batch), n_each)
    }

    /// Goes down to a leaf and adds it to the tree. Every node on the way counts `n_plays` plays, as long as
    /// they are under way such that nobody won.
    fn descend(&mut self, path: &mut Path, n_plays: usize) -> Leaf<G::State> {
        /// Only in longer paths it is worth looking for states that come again.
        const LONG: usize = 32;
        let mut at = self.graph.root;
        let mut reference = at;
        loop {
            if self.graph.nodes[at].exact.is_some() {
                return Leaf::Known(at);
            }
            if path.len() >= LONG && path.iter().any(|(before, _)| *before == at) {
                return Leaf::Endless;
            }
            if self.has_own_counts(at) {
                reference = at;
            }
            let places = self.select(at, reference);
            self.set_off(at, &places, n_plays);
            let next = self.graph.follow(at, &places);
            path.push((at, places));
            match next {
                Next::Old(child) => at = child,
                Next::Outside(state) => return Leaf::Start(Start::Outside(state)),
                Next::New(child) => {
                    return match &self.graph.nodes[child].exact {
                        Some(_) => Leaf::Known(child),
                        None => Leaf::Start(Start::Node(child)),
                    };
                }
            }
        }
    }

    /// Whether a node has plays enough not to borrow what all moves are worth.
    fn has_own_counts(&self, id: TreeNodeId) -> bool {
        let Selection::AllMoves { ref_plays, .. } = self.options.selection else { return false };
        let counts = &self.graph.nodes[id].seen.all_moves;
        counts.as_ref().is_some_and(|counts| counts.n_plays > ref_plays)
    }

    /// Plays go on with the moves at these places.
    fn set_off(&mut self, id: TreeNodeId, places: &[usize], n_plays: usize) {
        let has_room = !self.graph.is_full();
        let node = &mut self.graph.nodes[id];
        node.seen.n_visits += n_plays as u64;
        for (role, &place) in places.iter().enumerate() {
            self.graph.moves[node.moves_of(role)][place].seen.set_off(n_plays);
        }
        // Nodes that plays only begin at need no counts of their own; most nodes are such.
        if matches!(self.options.selection, Selection::AllMoves { .. }) && has_room {
            node.seen.all_moves.get_or_insert_default();
        }
    }

    /// The places of the moves that the roles choose; `reference` is the node that knows what all moves are
    /// worth.
    fn select(&mut self, id: TreeNodeId, reference: TreeNodeId) -> Places {
        let Graph { nodes, moves, rng, root, game, .. } = &mut self.graph;
        let random = game.random();
        let node = &nodes[id];
        let is_alone = match &node.choice {
            Choice::Several(joint) => joint.n_choosers <= 1,
            Choice::Open | Choice::Ended | Choice::One { .. } => true,
        };
        // At the root nothing is learnt from what is known for sure; elsewhere now and then the others are
        // tried all the same, because one of them may be better, and then all below is known sooner.
        let skips_known = id == *root || is_alone && rng.random_ratio(1, BETWEEN_TRIES);
        let log = (node.seen.n_visits.max(1) as f64).ln();
        let all_moves = nodes[reference].seen.all_moves.as_deref();
        let selection = self.options.selection;
        let bound = |role: RoleId, arm: &Arm<MovePlays>| match selection {
            Selection::Bound { exploration } => upper_bound(&arm.seen, log, exploration),
            Selection::AllMoves { bias, exploration, .. } => {
                let tally = all_moves.map(|all| all.of(role, arm.id));
                let width = 100.0 * exploration * (log / f64::from(arm.seen.n_visits + 1)).sqrt();
                value_by_all_moves(&arm.seen, tally.unwrap_or_default(), bias) + width
            }
        };
        let of_role = |role: RoleId| match &moves[node.moves_of(role.index())] {
            [_] => 0,
            arms if Some(role) == random => rng.random_range(0..arms.len()),
            arms => best_arm(arms, if is_alone { 0.0 } else { TIE }, rng, |arm| match &arm.exact {
                Some(_) if is_alone && skips_known => f64::NEG_INFINITY,
                Some(exact) if is_alone => exact.values[role.index()],
                _ => bound(role, arm),
            }),
        };
        RoleId::first(game.roles().len()).map(of_role).collect()
    }

    /// Adds what `n_plays` plays came to, and the moves that were made in them after the leaf.
    fn go_up(&mut self, path: &Path, sums: &[f64], n_plays: usize, mut made: Vec<MoveTally>) {
        let has_room = !self.graph.is_full();
        for (id, places) in path.iter().rev() {
            let node = &mut self.graph.nodes[*id];
            let roles = RoleId::first(places.len());
            for (role, (&place, &sum)) in roles.zip(places.iter().zip(sums)) {
                let arms = &mut self.graph.moves[node.moves_of(role.index())];
                let has_choice = arms.len() > 1;
                let arm = &mut arms[place];
                arm.seen.sum += sum;
                arm.seen.n_under_way -= n_plays as u32;
                if has_choice && node.seen.all_moves.is_some() {
                    let tally = Tally { n_plays: n_plays as f32, sum: sum as f32 };
                    made.push((role, arm.id, tally));
                }
            }
            if let Some(all_moves) = &mut node.seen.all_moves {
                let n_before = all_moves.len();
                all_moves.add(n_plays as u64, &made, has_room);
                let n_new = all_moves.len() - n_before;
                self.graph.grow_by(n_new);
            }
        }
    }
}

/// What plays say about the moves of a role: of those that were tried most the one with the best mean, then the
/// others.
pub(super) fn report_by_visits<G: Game, N: Seen>(
    graph: &Graph<G, N, MovePlays>,
    role: RoleId,
    work: Work,
) -> Report {
    let arms = graph.arms_of_root(role.index());
    let most = arms.iter().map(|(arm, _)| arm.seen.n_visits).max().unwrap_or(0);
    let share = |seen: &MovePlays| match 2 * u64::from(seen.n_visits) >= u64::from(most) {
        true => f64::from(most) + seen.mean(),
        false => f64::from(seen.n_visits),
    };
    graph.report(role.index(), work, share, false)
}

/// UCB1 of Auer et al. (2002): `mean + c · sqrt(ln(parent_visits) / visits)`. A move that was never tried is
/// tried first.
fn upper_bound(seen: &MovePlays, log_of_parent: f64, exploration: f64) -> f64 {
    if seen.n_visits == 0 {
        return f64::INFINITY;
    }
    seen.mean() + 100.0 * exploration * (log_of_parent / f64::from(seen.n_visits)).sqrt()
}

/// The value of GRAVE, less what is under way: as if that share of the plays so far was lost. A move that
/// nothing is known of is tried first.
fn value_by_all_moves(seen: &MovePlays, all: Tally, bias: f64) -> f64 {
    let n_ended = seen.n_ended();
    if seen.n_visits == 0 && all.n_plays == 0.0 {
        return f64::INFINITY;
    }
    let value = grave(seen.sum / n_ended.max(1.0), n_ended, all, bias);
    value * (n_ended + 1.0) / (f64::from(seen.n_visits) + 1.0)
}

/// Of players who move at the same time, each takes any of the moves whose bounds are as near to the highest:
/// otherwise they go round in circles, each always one step behind the other (Tak, Lanctot & Winands 2014).
pub(super) const TIE: f64 = 1.0;

/// Most paths have fewer nodes.
pub(super) const USUAL_LENGTH: usize = 32;

/// Where the best move is known, one in so many plays tries another.
pub(super) const BETWEEN_TRIES: u32 = 4;

/// The place of the move with the highest bound, or of any that is no further below than `tie`.
pub(super) fn best_arm(
    arms: &[Arm<MovePlays>],
    tie: f64,
    rng: &mut Rng,
    bound: impl Fn(&Arm<MovePlays>) -> f64,
) -> usize {
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

#[cfg(test)]
mod tests {
    use game::OneByOne;
    use machine::{ManyStates, OneState};

    use super::*;
    use crate::MoveReport;
    use crate::test_games::{embedded, ground, maximin_value, nim};

    fn tree(ground: &ground::GroundProgram, seed: u64) -> Tree<OneState, ManyStates> {
        tree_with(ground, TreeOptions { batch: 16, plays_per_leaf: 1, ..TreeOptions::UCT }, seed)
    }

    fn tree_with(
        ground: &ground::GroundProgram,
        options: TreeOptions,
        seed: u64,
    ) -> Tree<OneState, ManyStates> {
        let game = OneState::new(ground.clone());
        let initial = game.initial();
        Tree::new(game, ManyStates::new(ground.clone()), initial, options, seed)
    }

    /// With enough plays a tree is explored to its end, and is worth what the solver says.
    #[test]
    fn explored_trees_have_the_value_of_the_game() {
        let mut games = vec![ground(embedded("hidden-matching-pennies"))];
        let heaps: [&[u32]; 4] = [&[1, 2], &[2, 2], &[3, 4], &[1, 2, 3]];
        games.extend(heaps.iter().map(|heaps| ground(&nim(heaps))));
        let both = [TreeOptions::UCT, TreeOptions::GRAVE];
        for (ground, options) in games.iter().flat_map(|game| both.map(|options| (game, options))) {
            let mut tree = tree_with(ground, options, 1);
            tree.grow(&SearchLimits::plays(1_000_000));
            let root = tree.graph.nodes[tree.graph.root].exact.clone().expect("it is explored");
            for role in
                RoleId::first(ground.roles.len()).filter(|role| Some(*role) != ground.random)
            {
                let value = maximin_value(&mut tree.graph.game, role);
                assert_eq!(root.values[role.index()], value, "{:?}", ground.roles);
                assert_eq!(tree.report(role).moves[0].value, value);
            }
        }
    }

    #[test]
    fn a_win_in_one_move_is_found_and_the_shortest_is_taken() {
        // Taking the whole heap wins at once; other ways to win are longer.
        let ground = ground(&nim(&[3]));
        let mut tree = tree(&ground, 3);
        tree.grow(&SearchLimits::plays(10_000));
        let role = RoleId::first(2).next().expect("there are two");
        let best = tree.report(role).moves[0];
        assert!(best.is_exact && best.value == 100.0, "{best:?}");
        assert_eq!(&mut tree.graph.game.move_text(best.id), "(take 0 0)");
    }

    #[test]
    fn equal_seeds_grow_equal_trees() {
        let ground = ground(embedded("connect-four"));
        let role = RoleId::first(2).next().expect("there are two");
        let report = |seed| {
            let mut tree = tree(&ground, seed);
            tree.grow(&SearchLimits::plays(5_000));
            tree.report(role)
        };
        assert_eq!(report(7), report(7));
        assert_ne!(report(7), report(8));
        assert_eq!(report(7).work.n_plays, 5_000);
    }

    /// The tree goes with the match: what is known of the state after a move is kept, the rest forgotten.
    #[test]
    fn what_is_known_of_the_next_state_is_kept() {
        let ground = ground(embedded("connect-four"));
        let mut tree = tree(&ground, 1);
        tree.grow(&SearchLimits::plays(20_000));
        let n_before = tree.graph.nodes.len();
        let worst = |role: RoleId| *tree.report(role).moves.last().expect("there is a move");
        let worst: Vec<MoveReport> = RoleId::first(2).map(worst).collect();
        let joint: Vec<MoveId> = worst.iter().map(|report| report.id).collect();
        let n_visits = worst[0].n_visits;
        tree.advance(&joint);
        tree.forget_the_past();
        let root = &tree.graph.nodes[tree.graph.root];
        assert!(root.seen.n_visits > 0 && root.seen.n_visits < n_visits, "{}", root.seen.n_visits);
        assert!(tree.graph.nodes.len() < n_before);
        assert!(tree.graph.is_sound());
        tree.grow(&SearchLimits::plays(1_000));
    }

    /// What all moves are worth at the root is what the plays through it say: counted again, one by one.
    #[test]
    fn all_moves_of_all_plays_are_counted() {
        let ground = ground(embedded("connect-four"));
        let mut tree = tree_with(&ground, TreeOptions::GRAVE, 5);
        tree.grow(&SearchLimits::plays(3_000));
        let root = &tree.graph.nodes[tree.graph.root];
        let all_moves = root.seen.all_moves.as_ref().expect("it has plays");
        assert_eq!(all_moves.n_plays, root.seen.n_visits);
        for arm in tree.graph.arms(tree.graph.root, 0) {
            let role = RoleId::first(2).next().expect("there are two");
            let tally = all_moves.of(role, arm.id);
            // A column is chosen more than once in a play, and first in those that went on with it.
            assert!(tally.n_plays >= arm.seen.n_visits as f32, "{tally:?}");
            assert!(tally.sum >= arm.seen.sum as f32 && tally.sum <= 100.0 * tally.n_plays);
        }
        assert!(tree.graph.moves.iter().all(|arm| arm.seen.n_under_way == 0));
    }

    /// Players who move at the same time learn to match when that is good for both.
    #[test]
    fn simultaneous_moves_are_chosen_on_their_own() {
        let ground = ground(embedded("matching-pennies"));
        let mut tree = tree(&ground, 2);
        tree.grow(&SearchLimits::plays(20_000));
        let texts: Vec<String> = RoleId::first(2)
            .map(|role| tree.report(role).moves[0].id)
            .map(|id| tree.graph.game.move_text(id))
            .collect();
        assert_eq!(texts[0], texts[1]);
    }

    /// A state in which nobody can move although the game is not over is worth nothing, and so is going round
    /// in circles: the search goes on, and finds the way out.
    #[test]
    fn where_the_rules_do_not_go_on_nothing_is_won() {
        let ground = ground(
            "(role x) (init (at 0)) (<= (legal x (go ?n)) (true (at 0)) (step ?n))
             (<= (legal x (go 0)) (true (at 2))) (<= (legal x (go 4)) (true (at 3)))
             (step 1) (step 2) (step 3) (<= (next (at ?n)) (does x (go ?n)))
             (<= terminal (true (at 4))) (<= (goal x 60) (true (at 4)))",
        );
        for options in [TreeOptions::UCT, TreeOptions::GRAVE] {
            let mut tree = tree_with(&ground, options, 1);
            tree.grow(&SearchLimits::plays(1_000));
            let best = tree.report(RoleId::first(1).next().expect("there is one")).moves[0];
            assert_eq!((tree.graph.game.move_text(best.id).as_str(), best.value), ("(go 3)", 60.0));
        }
    }

    /// Any game can be searched, one random play after the other.
    #[test]
    fn plays_may_go_on_one_by_one() {
        let ground = ground(embedded("tic-tac-toe"));
        let game = OneState::new(ground);
        let initial = game.initial();
        let mut tree = Tree::new(game, OneByOne, initial, TreeOptions::UCT, 1);
        tree.grow(&SearchLimits::plays(100_000));
        let best = tree.report(RoleId::first(2).next().unwrap()).moves[0];
        assert!((45.0..60.0).contains(&best.value), "{best:?}");
    }
}
