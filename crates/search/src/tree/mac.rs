//! MAC-UCB: stages are solved as a whole, best first, and sampled below.
//!
//! A stage is what may be done in a state, and all that may follow; to solve it is to find all solutions of
//! the µSCSP of that state (Koriche, Lagrue, Piette & Tabary 2016). Here hundreds of stages are solved at once
//! on the machine: every joint move that is legal, the state after it, and what it is worth if it is final. The
//! next stage is found by descending with confidence bounds (UCB1) through those that are solved. Below it
//! random plays go on with its moves in turn, so that from then on all of them can be compared. Values that
//! are known for sure go up and end the search below them, as in the other trees.

use std::time::Instant;

use base::{Id as _, RoleId};
use game::{Game, MoveId, Playouts, PlaysFrom, Stages};
use rand::RngExt as _;

use super::graph::{Graph, Seen};
use super::node::{Arm, Choice, Path, Places, TreeNodeId};
use super::pace::Pace;
use super::report::{Report, Search, SearchLimits};
use super::uct::{BETWEEN_TRIES, MovePlays, TIE, USUAL_LENGTH, best_arm, report_by_visits};

/// How MAC-UCB searches.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MacOptions {
    /// How much is explored: the factor of the square root in the bound, where values are from 0 to 1.
    pub exploration: f64,
    /// How many stages are solved at once, at most.
    pub batch: usize,
    /// How many random plays go on from a stage that was solved, at most.
    pub plays_per_stage: usize,
    /// As many plays as this a move seems to have had, with what is usual in its stage.
    pub prior: f64,
    /// Whether moves that win at once are preferred in plays. The machine has to do it.
    pub looks_ahead: bool,
    /// Of the plays of the root one in so many may be under way at once.
    pub part: u64,
    /// How many moves all stages may have together.
    pub max_moves: usize,
    /// Random plays that are longer are given up.
    pub max_steps: usize,
}

impl MacOptions {
    /// The strongest known.
    pub const STRONGEST: MacOptions = MacOptions {
        exploration: 0.3,
        batch: 64,
        plays_per_stage: 12,
        prior: 1.0,
        looks_ahead: true,
        part: 32,
        max_moves: 20_000_000,
        max_steps: 10_000,
    };
}

/// What is known of a stage.
#[derive(Clone, Copy, Debug, Default)]
struct StagePlays {
    /// How many plays went through it, with those that are under way.
    n_visits: u64,
}

impl Seen for StagePlays {
    fn size(&self) -> usize {
        0
    }
}

/// A search over stages.
///
/// ```
/// use base::{Deadline, RoleId};
/// use game::Game as _;
/// use search::{MacOptions, MacUcb, Search as _, SearchLimits};
///
/// let rules = games::find("tic-tac-toe").unwrap().rules;
/// let program = program::check(&gdl::parse_kif(rules)).program.expect("no errors");
/// let limits = ground::Limits { deadline: Deadline::NEVER, max_literals: 1_000_000 };
/// let ground = ground::ground(&program, &limits).expect("it is small");
/// let game = machine::OneState::new(ground.clone());
/// let mut many = machine::ManyStates::new(ground);
/// many.look_ahead();
/// let initial = game.initial();
/// let mut search = MacUcb::new(game, many, initial, MacOptions::STRONGEST, 1);
/// let is_solved = search.grow(&SearchLimits::plays(1_000_000));
/// let x = RoleId::first(2).next().unwrap();
/// assert!(is_solved && search.report(x).moves[0].value == 50.0);
/// ```
#[derive(Debug)]
pub struct MacUcb<G: Game, P> {
    graph: Graph<G, StagePlays, MovePlays>,
    machine: P,
    options: MacOptions,
    pace: Pace,
    n_plays: u64,
    n_stages: u64,
    n_known: u64,
}

/// Where a descent has ended.
enum Frontier {
    /// At a stage that is to be solved, after the last moves of the path.
    Open,
    /// At a state whose value is known.
    Known(TreeNodeId),
    /// At a stage that was chosen before.
    Chosen,
    /// Nowhere: states come again and again.
    Endless,
}

/// Plays that belong together: those below a stage.
struct Sampled<S> {
    path: Path,
    /// The stage. None if there is no room for it.
    stage: Option<TreeNodeId>,
    /// By play: the moves of the stage that it goes on with, and the state after them.
    plays: Vec<(Places, S)>,
}

impl<G: Game, P: Playouts<G> + Stages<G>> Search for MacUcb<G, P> {
    type Game = G;

    fn state_and_game(&mut self) -> (&G::State, &mut G) {
        self.graph.state_and_game()
    }

    fn grow(&mut self, limits: &SearchLimits) -> bool {
        // Going to what is known is no play, but there has to be an end to it.
        const KNOWN_A_PLAY: u64 = 16;
        self.solve_root();
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

    fn n_plays(&self) -> u64 {
        self.n_plays
    }

    fn report(&self, role: RoleId) -> Report {
        report_by_visits(&self.graph, role, self.n_plays)
    }
}

impl<G: Game, P: Playouts<G> + Stages<G>> MacUcb<G, P> {
    /// A search that knows only its root yet.
    pub fn new(game: G, machine: P, state: G::State, options: MacOptions, seed: u64) -> Self {
        let graph = Graph::new(game, state, options.max_moves, seed);
        let pace = Pace::new(machine.n_free());
        MacUcb { graph, machine, options, pace, n_plays: 0, n_stages: 0, n_known: 0 }
    }

    /// How many stages were solved.
    pub fn n_stages(&self) -> u64 {
        self.n_stages
    }

    /// Solves the stage of the root if that was not done. What the root is worth may be known before which of
    /// its moves is.
    fn solve_root(&mut self) {
        let root = self.graph.root;
        if self.graph.is_open(root) {
            self.graph.nodes[root].exact = None;
            let sampled = self.solve(vec![Path::new()], 1);
            self.sample(sampled, 1);
        }
    }

    /// Chooses stages, solves them, plays below them, and tells what came of it to the stages on the way.
    fn grow_by_batch(&mut self, limits: &SearchLimits, n_left: u64) {
        let start = Instant::now();
        let n_before = self.n_plays;
        let (n_stages, n_each) = self.batch(limits, n_left);
        let paths = self.choose_stages(n_stages, n_each);
        let sampled = self.solve(paths, n_each);
        self.sample(sampled, n_each);
        self.pace.note((self.n_plays - n_before) as usize, start);
    }

    /// The ways to stages that are to be solved next.
    fn choose_stages(&mut self, n_stages: usize, n_each: usize) -> Vec<Path> {
        let mut paths = Vec::new();
        for _ in 0..n_stages {
            let mut path = Path::with_capacity(USUAL_LENGTH);
            match self.descend(&mut path, n_each) {
                Frontier::Open => {
                    let is_root = path.is_empty();
                    paths.push(path);
                    if is_root {
                        break;
                    }
                }
                Frontier::Known(id) => {
                    self.go_up_exact(&path, id, n_each);
                    if self.graph.is_explored() {
                        break;
                    }
                }
                Frontier::Chosen => {
                    self.go_up(&path, &[], 0, n_each);
                    break;
                }
                Frontier::Endless => {
                    self.n_known += n_each as u64;
                    let nothing = vec![0.0; self.graph.game.roles().len()];
                    self.go_up(&path, &nothing, n_each, n_each);
                }
            }
        }
        paths
    }

    /// Solves the stages at the ends of paths, and tells where plays below them begin.
    fn solve(&mut self, paths: Vec<Path>, n_each: usize) -> Vec<Sampled<G::State>> {
        let ends = paths.iter().filter_map(|path| path.last());
        let ends = ends.map(|(id, places)| (*id, places));
        let after = self.graph.after(ends, &mut self.machine, |_| true);
        let mut after = after.into_iter();
        let mut open: Vec<TreeNodeId> = Vec::new();
        let mut sampled: Vec<Sampled<G::State>> = Vec::new();
        for path in paths {
            let mut plays = Vec::new();
            let stage = match path.last() {
                None => Some(self.graph.root),
                Some((id, places)) => {
                    let after = after.next().expect("there is one for each path");
                    if self.graph.is_full() {
                        let state =
                            after.state.unwrap_or_else(|| self.graph.state_after(*id, places));
                        plays = vec![(Places::new(), state); n_each];
                        None
                    } else {
                        let child = self.graph.node_after(*id, places, after);
                        self.graph.set_child(*id, places, child);
                        Some(child)
                    }
                }
            };
            let is_new = |id: &TreeNodeId| self.graph.is_open(*id) && !open.contains(id);
            open.extend(stage.filter(is_new));
            sampled.push(Sampled { path, stage, plays });
        }
        let told = self.graph.solve(&open, &mut self.machine, n_each);
        self.n_stages += open.len() as u64;
        for (id, plays) in open.into_iter().zip(told) {
            if let Some(first) = sampled.iter_mut().find(|one| one.stage == Some(id)) {
                first.plays = plays;
            }
        }
        sampled
    }

    /// How many stages are chosen, and how many plays go on below each.
    fn batch(&self, limits: &SearchLimits, n_left: u64) -> (usize, usize) {
        let n_visits = self.graph.nodes[self.graph.root].seen.n_visits;
        let n_at_once = self.pace.n_at_once(n_visits, self.options.part, limits, n_left).max(1);
        let n_each = n_at_once.min(self.options.plays_per_stage);
        ((n_at_once / n_each).min(self.options.batch), n_each)
    }

    /// Goes down to a stage that is not solved yet. Every stage on the way counts `n_plays` plays, as long as
    /// they are under way such that nobody won.
    fn descend(&mut self, path: &mut Path, n_plays: usize) -> Frontier {
        /// Only in longer paths it is worth looking for states that come again.
        const LONG: usize = 32;
        let mut at = self.graph.root;
        loop {
            if self.graph.nodes[at].exact.is_some() {
                return Frontier::Known(at);
            }
            if self.graph.is_open(at) {
                return Frontier::Open;
            }
            if path.len() >= LONG && path.iter().any(|(before, _)| *before == at) {
                return Frontier::Endless;
            }
            let places = self.select(at);
            let child = self.graph.child(at, &places);
            let is_chosen = child.is_none() && self.is_under_way(at, &places);
            self.set_off(at, &places, n_plays);
            path.push((at, places));
            match child {
                Some(child) => at = child,
                None if is_chosen => return Frontier::Chosen,
                None => return Frontier::Open,
            }
        }
    }

    /// Whether plays go on with all of these moves now.
    fn is_under_way(&self, id: TreeNodeId, places: &[usize]) -> bool {
        let mut places = places.iter().enumerate();
        places.all(|(role, &place)| self.graph.arms(id, role)[place].seen.n_under_way > 0)
    }

    /// Plays below the stages that were solved. Each counts as `n_each` plays until it is known what came of it.
    fn sample(&mut self, mut sampled: Vec<Sampled<G::State>>, n_each: usize) {
        for one in &mut sampled {
            let Some(id) = one.stage else { continue };
            // What all comes to is known now, or it was solved before, on another way.
            if one.plays.is_empty() && self.graph.nodes[id].exact.is_none() {
                let places = self.any_places(id);
                let state = self.graph.state_after(id, &places);
                one.plays.push((places, state));
            }
            repeat(&mut one.plays, n_each);
        }
        let is_open = |one: &Sampled<G::State>| {
            one.stage.is_none_or(|id| self.graph.nodes[id].exact.is_none())
        };
        let (open, known): (Vec<_>, Vec<_>) = sampled.into_iter().partition(is_open);
        for one in known {
            let id = one.stage.expect("it has a value");
            self.go_up_exact(&one.path, id, n_each);
        }
        let MacUcb { machine, graph: Graph { game, rng, .. }, options, .. } = self;
        let states: Vec<&G::State> =
            open.iter().flat_map(|one| one.plays.iter().map(|(_, state)| state)).collect();
        let plays = PlaysFrom { states: &states, n_each: 1, max_steps: options.max_steps };
        let outcomes = machine.play_out_all(game, &plays, rng, None);
        self.n_plays += outcomes.n_plays() as u64;
        let mut first = 0;
        for one in &open {
            let plays = first..first + one.plays.len();
            first = plays.end;
            if let Some(id) = one.stage {
                for (play, (places, _)) in plays.clone().zip(&one.plays) {
                    self.set_off(id, places, 1);
                    self.add(id, places, &outcomes.sums(play..play + 1), 1, 1);
                }
            }
            self.go_up(&one.path, &outcomes.sums(plays.clone()), plays.len(), n_each);
        }
    }

    /// Any moves of a stage that is solved.
    fn any_places(&mut self, id: TreeNodeId) -> Places {
        let Graph { nodes, rng, game, .. } = &mut self.graph;
        let n_moves = |role: usize| nodes[id].moves_of(role).len();
        (0..game.roles().len()).map(|role| rng.random_range(0..n_moves(role))).collect()
    }

    /// Plays go on with the moves at these places.
    fn set_off(&mut self, id: TreeNodeId, places: &[usize], n_plays: usize) {
        let node = &mut self.graph.nodes[id];
        node.seen.n_visits += n_plays as u64;
        for (role, &place) in places.iter().enumerate() {
            let seen = &mut self.graph.moves[node.moves_of(role)][place].seen;
            seen.n_visits += n_plays as u64;
            seen.n_under_way += n_plays as u32;
        }
    }

    /// The places of the moves that the roles choose.
    fn select(&mut self, id: TreeNodeId) -> Places {
        let Graph { nodes, moves, rng, root, game, .. } = &mut self.graph;
        let random = game.random();
        let node = &nodes[id];
        let is_alone = match &node.choice {
            Choice::Several(joint) => joint.n_choosers <= 1,
            Choice::Open | Choice::Ended | Choice::One { .. } => true,
        };
        let skips_known = id == *root || is_alone && rng.random_ratio(1, BETWEEN_TRIES);
        let n_visits = node.seen.n_visits.max(1) as f64;
        let log = n_visits.ln();
        let MacOptions { exploration, prior, .. } = self.options;
        let of_role = |role: RoleId| match &moves[node.moves_of(role.index())] {
            [_] => 0,
            arms if Some(role) == random => least_visited(arms),
            arms => {
                let sum: f64 = arms.iter().map(|arm| arm.seen.sum).sum();
                let usual = prior * sum / n_visits;
                best_arm(arms, if is_alone { 0.0 } else { TIE }, rng, |arm| match &arm.exact {
                    Some(_) if is_alone && skips_known => f64::NEG_INFINITY,
                    Some(exact) if is_alone => exact.values[role.index()],
                    _ => {
                        let n_plays = arm.seen.n_visits as f64 + prior;
                        let mean = (arm.seen.sum + usual) / n_plays;
                        mean + 100.0 * exploration * (log / n_plays).sqrt()
                    }
                })
            }
        };
        RoleId::first(game.roles().len()).map(of_role).collect()
    }

    /// Adds what is known of a state to the stages on the way to it, as if it were plays.
    fn go_up_exact(&mut self, path: &Path, id: TreeNodeId, n_plays: usize) {
        self.n_known += n_plays as u64;
        let values = self.graph.nodes[id].exact.as_ref().map_or(&[][..], |exact| &exact.values);
        let sums: Vec<f64> = values.iter().map(|value| n_plays as f64 * value).collect();
        self.go_up(path, &sums, n_plays, n_plays);
        self.graph.explore(path);
    }

    /// Adds what `n_plays` plays came to where `n_planned` were under way.
    fn go_up(&mut self, path: &Path, sums: &[f64], n_plays: usize, n_planned: usize) {
        for (id, places) in path.iter().rev() {
            self.add(*id, places, sums, n_plays, n_planned);
        }
    }

    /// Adds what `n_plays` plays came to, where `n_planned` were under way, to the moves at these places.
    fn add(
        &mut self,
        id: TreeNodeId,
        places: &[usize],
        sums: &[f64],
        n_plays: usize,
        n_planned: usize,
    ) {
        let node = &mut self.graph.nodes[id];
        node.seen.n_visits = node.seen.n_visits + n_plays as u64 - n_planned as u64;
        for (role, &place) in places.iter().enumerate() {
            let seen = &mut self.graph.moves[node.moves_of(role)][place].seen;
            seen.n_visits = seen.n_visits + n_plays as u64 - n_planned as u64;
            seen.n_under_way -= n_planned as u32;
            seen.sum += sums.get(role).copied().unwrap_or(0.0);
        }
    }
}

/// Repeats plays in turn up to a number of them, all as often.
fn repeat<T: Clone>(plays: &mut Vec<T>, n_plays: usize) {
    let n_different = plays.len();
    let n_rounds = n_plays.checked_div(n_different).unwrap_or(0);
    for _ in 1..n_rounds {
        plays.extend_from_within(..n_different);
    }
}

/// The place of the move that was made least often: chance is fair.
fn least_visited(arms: &[Arm<MovePlays>]) -> usize {
    let least = arms.iter().enumerate().min_by_key(|(_, arm)| arm.seen.n_visits);
    least.map_or(0, |(place, _)| place)
}

#[cfg(test)]
mod tests {
    use base::Deadline;
    use machine::{ManyStates, OneState};

    use super::*;
    use crate::test_games::{embedded, ground, nim};
    use crate::{Concept, Information, Limits, Question, solve};

    fn search(ground: &ground::GroundProgram, seed: u64) -> MacUcb<OneState, ManyStates> {
        let game = OneState::new(ground.clone());
        let mut many = ManyStates::new(ground.clone());
        many.look_ahead();
        let initial = game.initial();
        MacUcb::new(game, many, initial, MacOptions::STRONGEST, seed)
    }

    /// With enough plays all is known, and worth what the solver says.
    #[test]
    fn explored_games_have_their_value() {
        let mut games = vec![ground(embedded("tic-tac-toe"))];
        games.push(ground(embedded("hidden-matching-pennies")));
        let heaps: [&[u32]; 4] = [&[1, 2], &[2, 2], &[3, 4], &[1, 2, 3]];
        games.extend(heaps.iter().map(|heaps| ground(&nim(heaps))));
        for ground in &games {
            let mut search = search(ground, 1);
            assert!(search.grow(&SearchLimits::plays(1_000_000)), "{:?}", ground.roles);
            for role in
                RoleId::first(ground.roles.len()).filter(|role| Some(*role) != ground.random)
            {
                let question =
                    Question { role, concept: Concept::MAXIMIN, information: Information::Full };
                let limits = Limits { deadline: Deadline::NEVER, max_states: usize::MAX };
                let solved = solve(&mut search.graph.game, question, &limits).expect("playable");
                assert_eq!(search.report(role).moves[0].value, solved.value.low);
            }
        }
    }

    /// What a state is worth may be known before its stage is solved: the move that wins is found all the same.
    #[test]
    fn a_win_that_was_seen_before_is_made() {
        let ground = ground(embedded("connect-four"));
        let mut search = search(&ground, 1);
        // Red drops into the first column three times, yellow into the second: red wins with a fourth.
        for drop in ["(drop 1)", "(drop 2)", "(drop 1)", "(drop 2)", "(drop 1)", "(drop 2)"] {
            search.grow(&SearchLimits::plays(500));
            let (state, game) = search.state_and_game();
            let state = state.clone();
            let mut joint_move = Vec::new();
            for role in RoleId::first(2) {
                let mut legal = Vec::new();
                game.legal_moves(&state, role, &mut legal);
                let made = legal.iter().find(|&&id| game.move_text(id) == drop);
                joint_move.push(*made.unwrap_or(&legal[0]));
            }
            search.advance(&joint_move);
        }
        search.grow(&SearchLimits::plays(10));
        let red = RoleId::first(2).next().expect("there are two");
        let best = search.report(red).moves[0];
        assert_eq!((best.value, best.is_exact), (100.0, true));
        assert_eq!(search.graph.game.move_text(best.id), "(drop 1)");
    }

    #[test]
    fn equal_seeds_search_alike() {
        let ground = ground(embedded("connect-four"));
        let role = RoleId::first(2).next().expect("there are two");
        let report = |seed| {
            let mut search = search(&ground, seed);
            search.grow(&SearchLimits::plays(5_000));
            search.report(role)
        };
        assert_eq!(report(7), report(7));
        assert_ne!(report(7), report(8));
    }

    /// What is under way is taken back, and every play is counted once at the root.
    #[test]
    fn plays_are_counted_once() {
        for name in ["connect-four", "matching-pennies", "cant-stop"] {
            let mut search = search(&ground(embedded(name)), 3);
            search.grow(&SearchLimits::plays(3_000));
            let graph = &search.graph;
            assert!(graph.moves.iter().all(|arm| arm.seen.n_under_way == 0), "{name}");
            let root = graph.nodes[graph.root].seen.n_visits;
            assert_eq!(root, search.n_plays + search.n_known, "{name}");
            let of_moves: u64 = graph.arms(graph.root, 0).iter().map(|arm| arm.seen.n_visits).sum();
            assert_eq!(of_moves, root, "{name}");
        }
    }

    /// It goes with the match, and knows afterwards what it knew of the state before.
    #[test]
    fn what_is_known_of_the_next_state_is_kept() {
        let ground = ground(embedded("connect-four"));
        let mut search = search(&ground, 1);
        search.grow(&SearchLimits::plays(20_000));
        let worst = |role: RoleId| *search.report(role).moves.last().expect("there is a move");
        let worst: Vec<_> = RoleId::first(2).map(worst).collect();
        let joint_move: Vec<MoveId> = worst.iter().map(|report| report.id).collect();
        let n_before = search.graph.nodes.len();
        search.advance(&joint_move);
        search.forget_the_past();
        assert!(search.graph.is_sound() && search.graph.nodes.len() < n_before);
        let n_kept = search.graph.nodes[search.graph.root].seen.n_visits;
        assert!(n_kept > 0 && n_kept <= worst[0].n_visits, "{n_kept}");
        search.grow(&SearchLimits::plays(1_000));
    }
}
