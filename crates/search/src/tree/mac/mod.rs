//! MAC-UCB: stages are solved as a whole, best first, and sampled below.
//!
//! A stage is what may be done in a state, and all that may follow; to solve it is to find all solutions of
//! the µSCSP of that state (Koriche, Lagrue, Piette & Tabary 2016). Here hundreds of stages are solved at once
//! on the machine: every move that is legal, and, by propagation or by making all of them, what those are worth that
//! decide the game. The next stage is found by descending with confidence bounds (UCB1) through those that are solved. Below it
//! random plays go on with its moves in turn, so that from then on all of them can be compared. Values that
//! are known for sure go up and end the search below them, as in the other trees.

mod agreement;
mod expected;
mod options;
#[cfg(test)]
mod tests;

use std::ops::Range;
use std::time::{Duration, Instant};

use base::{Id as _, RoleId};
use game::{Game, MoveId, MovesMade, Notes, Outcomes, Playouts, PlaysFrom, Stages, StatesPassed};
use rand::RngExt as _;

use self::agreement::Agreement;
use self::expected::{AllMoves, Counting, Expected};
pub use self::options::{HabitsWhen, MacOptions};
use super::graph::{Graph, Seen};
use super::habits::Experience;
use super::lasting::Lasting;
use super::learning::{Kind, Learning};
use super::node::{Arm, Choice, Path, Places, TreeNodeId};
use super::pace::{Pace, Split};
use super::recurring::Recurring;
use super::report::{Report, Search, SearchLimits, Work};
use super::stages::ToSolve;
use super::tallies::{GoalDigits, MoveTallies, PlaySet, Tally};
use super::uct::{BETWEEN_TRIES, MovePlays, TIE, USUAL_LENGTH, best_arm, report_by_visits};

/// What is known of a stage.
#[derive(Clone, Debug, Default)]
struct StagePlays {
    /// How many plays went through it, with those that are under way.
    n_visits: u64,
    /// What plays from here on say about all moves, if they are many.
    all_moves: Option<Box<AllMoves>>,
}

impl Seen for StagePlays {
    fn size(&self) -> usize {
        self.all_moves.as_ref().map_or(0, |all_moves| all_moves.size())
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
/// many.look_ahead(2);
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
    split: Split,
    work: Work,
    n_known: u64,
    experience: Experience,
    habits: Habitual,
    recurring: Recurring,
    lasting: Lasting<G::State>,
    learning: Learning,
    made: MovesMade,
    passed: StatesPassed,
}

/// Whether moves that were good so far are made more often.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Habitual {
    No,
    Yes,
    /// It is open, and looked at after so many plays.
    Open {
        next_look: u64,
    },
}

/// When to look again, after so many plays.
fn next_look_after(n_plays: u64) -> u64 {
    /// The tree changes with the match.
    const MOST_BETWEEN: u64 = 64_000;
    n_plays + n_plays.min(MOST_BETWEEN)
}

impl Habitual {
    fn of(when: HabitsWhen) -> Habitual {
        /// Before that nothing is known of moves.
        const FIRST_LOOK: u64 = 16_000;
        match when {
            HabitsWhen::Never => Habitual::No,
            HabitsWhen::TheyPay => Habitual::Open { next_look: FIRST_LOOK },
            HabitsWhen::Always => Habitual::Yes,
        }
    }
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

/// A stage that is to be solved: the way to it, and how many plays go on below it.
struct Chosen {
    path: Path,
    /// The stage that knows what all moves are worth there.
    reference: TreeNodeId,
    n_plays: usize,
}

/// Plays that belong together: those below a stage.
struct Sampled<S> {
    path: Path,
    /// So many plays are counted as under way.
    n_planned: usize,
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
        let end = self.work.n_plays.saturating_add(limits.max_plays);
        let known_end = self.n_known.saturating_add(limits.max_plays.saturating_mul(KNOWN_A_PLAY));
        while self.work.n_plays < end
            && self.n_known < known_end
            && !limits.is_time_up()
            && !self.graph.is_explored()
        {
            self.grow_by_batch(limits, end - self.work.n_plays);
        }
        self.graph.is_explored()
    }

    fn advance(&mut self, joint_move: &[MoveId]) {
        self.experience.fade();
        self.graph.advance(joint_move);
        if !self.options.reuses {
            self.graph.forget_all();
        }
    }

    fn forget_the_past(&mut self) {
        self.graph.forget_the_past();
    }

    fn want_all(&mut self) {
        self.graph.wants_all = true;
    }

    fn work(&self) -> Work {
        self.work
    }

    fn report(&self, role: RoleId) -> Report {
        report_by_visits(&self.graph, role, self.work)
    }
}

impl<G: Game, P: Playouts<G> + Stages<G>> MacUcb<G, P> {
    /// A search that knows only its root yet.
    pub fn new(game: G, machine: P, state: G::State, options: MacOptions, seed: u64) -> Self {
        let mut graph = Graph::new(game, state, options.max_moves, seed);
        graph.knows = options.knows;
        let pace = Pace::new(machine.n_free());
        let player = usize::from(graph.random() == Some(0));
        let n_roles = graph.game.roles().len();
        let lasting = Lasting::new(graph.state_and_game().0, n_roles);
        MacUcb {
            graph,
            machine,
            options,
            pace,
            split: Split::default(),
            work: Work::default(),
            n_known: 0,
            experience: Experience::default(),
            habits: Habitual::of(options.habits),
            recurring: Recurring::default(),
            lasting,
            learning: Learning::new(options.cut, player),
            made: MovesMade::new(),
            passed: StatesPassed::default(),
        }
    }

    /// Solves the stage of the root if that was not done. What the root is worth may be known before which of
    /// its moves is.
    fn solve_root(&mut self) {
        let root = self.graph.root;
        if self.graph.is_open(root) {
            self.graph.nodes[root].exact = None;
            let chosen = Chosen { path: Path::new(), reference: root, n_plays: 1 };
            let sampled = self.solve(vec![chosen]);
            self.sample(sampled, Kind::Whole);
        }
    }

    /// Chooses stages, solves them, plays below them, and tells what came of it to the stages on the way.
    fn grow_by_batch(&mut self, limits: &SearchLimits, n_left: u64) {
        let start = Instant::now();
        self.watch_moves();
        let n_before = self.work.n_plays;
        let (n_stages, n_each) = self.batch(limits, n_left);
        let chosen = self.choose_stages(n_stages, n_each);
        let n_stages = chosen.len();
        let sampled = self.solve(chosen);
        let kind = self.next_kind(limits);
        let playing = self.sample(sampled, kind);
        let n_plays = (self.work.n_plays - n_before) as usize;
        let solving = start.elapsed().saturating_sub(playing);
        self.split.note((n_stages, solving), (n_plays, playing));
        self.pace.note(n_plays, start);
    }

    /// Goes on with finding out whether habits pay: where moves come once, but do not last, and are worth here what they
    /// are anywhere.
    fn watch_moves(&mut self) {
        /// So few cost nothing beside plays.
        const N_STEPS: usize = 8;
        let Habitual::Open { next_look } = self.habits else { return };
        let MacUcb { lasting, graph: Graph { game, rng, .. }, .. } = self;
        if lasting.verdict().is_none() {
            (0..N_STEPS).for_each(|_| lasting.step(game, rng));
        }
        if lasting.verdict() == Some(true) || !self.recurring.pays() {
            self.habits = Habitual::No;
        } else if lasting.verdict() == Some(false) && self.work.n_plays >= next_look {
            let agreement = Agreement::of(&self.graph, &self.experience);
            self.habits = match agreement.verdict() {
                None => Habitual::Open { next_look: next_look_after(self.work.n_plays) },
                Some(true) => Habitual::Yes,
                Some(false) => Habitual::No,
            };
        }
    }

    /// The ways to stages that are to be solved next, with `n_each` plays below each.
    fn choose_stages(&mut self, n_stages: usize, n_each: usize) -> Vec<Chosen> {
        let mut chosen: Vec<Chosen> = Vec::new();
        for _ in 0..n_stages {
            let mut path = Path::with_capacity(USUAL_LENGTH);
            match self.descend(&mut path, n_each) {
                (Frontier::Open, reference) => {
                    let is_root = path.is_empty();
                    chosen.push(Chosen { path, reference, n_plays: n_each });
                    if is_root {
                        break;
                    }
                }
                (Frontier::Known(id), _) => {
                    self.go_up_exact(&path, id, n_each);
                    if self.graph.is_explored() {
                        break;
                    }
                }
                // Nothing is learnt from going there again before it is known what came of it.
                (Frontier::Chosen, _) => {
                    self.go_up(&path, &[], 0, n_each);
                    break;
                }
                (Frontier::Endless, _) => {
                    self.n_known += n_each as u64;
                    let nothing = vec![0.0; self.graph.game.roles().len()];
                    self.go_up(&path, &nothing, n_each, n_each);
                }
            }
        }
        chosen
    }

    /// Solves the stages that were chosen, and tells where plays below them begin.
    fn solve(&mut self, chosen: Vec<Chosen>) -> Vec<Sampled<G::State>> {
        let ends = chosen.iter().filter_map(|chosen| chosen.path.last());
        let ends = ends.map(|(id, places)| (*id, places));
        let after = self.graph.after(ends, &mut self.machine, |_| true);
        let mut after = after.into_iter();
        let mut open: Vec<ToSolve> = Vec::new();
        // By open stage: its number among those that were chosen.
        let mut first: Vec<usize> = Vec::new();
        let mut sampled: Vec<Sampled<G::State>> = Vec::new();
        for Chosen { path, reference, n_plays } in chosen {
            let mut plays = Vec::new();
            let stage = match path.last() {
                None => Some(self.graph.root),
                Some((id, places)) => {
                    let after = after.next().expect("there is one for each path");
                    if self.graph.is_full() {
                        let state =
                            after.state.unwrap_or_else(|| self.graph.state_after(*id, places));
                        plays = vec![(Places::new(), state); n_plays];
                        None
                    } else {
                        let child = self.graph.node_after(*id, places, after);
                        self.graph.set_child(*id, places, child);
                        Some(child)
                    }
                }
            };
            let is_new = |id: TreeNodeId| open.iter().all(|stage| stage.id != id);
            if let Some(id) = stage.filter(|id| self.graph.is_open(*id) && is_new(*id)) {
                open.push(ToSolve { id, reference, n_told: n_plays });
                first.push(sampled.len());
            }
            sampled.push(Sampled { path, stage, plays, n_planned: n_plays });
        }
        let counts_all = self.counts_all();
        let MacUcb { graph, machine, options, .. } = self;
        let told = graph
            .solve(&open, machine, options.solving, |seen| tallies_of(seen).filter(|_| counts_all));
        self.work.n_stages += open.len() as u64;
        for (number, plays) in first.into_iter().zip(told) {
            sampled[number].plays = plays;
        }
        sampled
    }

    /// How many stages are chosen, and how many plays go on below each.
    fn batch(&self, limits: &SearchLimits, n_left: u64) -> (usize, usize) {
        let n_visits = self.graph.nodes[self.graph.root].seen.n_visits;
        let n_at_once = self.pace.n_at_once(n_visits, self.options.part, limits, n_left).max(1);
        /// More plays from one place say little more.
        const MOST_PLAYS: usize = 64;
        let MacOptions { plays_per_stage, share, batch, .. } = self.options;
        let n_each = match limits.deadline.left().filter(|_| share > 0.0) {
            Some(_) => self.split.plays_a_stage(share, plays_per_stage, MOST_PLAYS),
            None => plays_per_stage,
        };
        let n_each = n_each.min(n_at_once);
        ((n_at_once / n_each).min(batch), n_each)
    }

    /// Goes down to a stage that is not solved yet. Every stage on the way counts `n_plays` plays, as long as
    /// they are under way such that nobody won. Tells the last stage on the way that knows what all moves are worth, too.
    fn descend(&mut self, path: &mut Path, n_plays: usize) -> (Frontier, TreeNodeId) {
        /// Only in longer paths it is worth looking for states that come again.
        const LONG: usize = 32;
        let mut at = self.graph.root;
        let mut reference = at;
        loop {
            if self.graph.nodes[at].exact.is_some() {
                return (Frontier::Known(at), reference);
            }
            if self.graph.is_open(at) {
                return (Frontier::Open, reference);
            }
            if path.len() >= LONG && path.iter().any(|(before, _)| *before == at) {
                return (Frontier::Endless, reference);
            }
            if self.has_own_counts(at) {
                reference = at;
            }
            let places = self.select(at, reference);
            let child = self.graph.child(at, &places);
            let is_chosen = child.is_none() && self.is_under_way(at, &places);
            self.set_off(at, &places, n_plays);
            path.push((at, places));
            match child {
                Some(child) => at = child,
                None if is_chosen => return (Frontier::Chosen, reference),
                None => return (Frontier::Open, reference),
            }
        }
    }

    /// Whether a stage has plays enough not to borrow what all moves are worth.
    fn has_own_counts(&self, id: TreeNodeId) -> bool {
        let counts = &self.graph.nodes[id].seen.all_moves;
        counts.as_ref().is_some_and(|counts| counts.n_plays > self.options.ref_plays)
    }

    /// Whether plays go on with all of these moves now.
    fn is_under_way(&self, id: TreeNodeId, places: &[usize]) -> bool {
        let mut places = places.iter().enumerate();
        places.all(|(role, &place)| self.graph.arms(id, role)[place].seen.n_under_way > 0)
    }

    /// Plays below the stages that were solved, and tells what came of it to the stages on the way. Tells how long the
    /// plays took.
    fn sample(&mut self, sampled: Vec<Sampled<G::State>>, kind: Kind) -> Duration {
        let open = self.still_open(sampled);
        let (outcomes, playing) = self.play(&open, kind);
        let counts_all = self.counts_all();
        let mut counting = Counting::default();
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
            let sums = outcomes.sums(plays.clone());
            self.go_up(&one.path, &sums, plays.len(), one.n_planned);
            if counts_all {
                self.count_path(&one.path, &sums, plays, &mut counting);
            }
        }
        if self.counts_moves() {
            let made = std::mem::take(&mut self.made);
            self.recurring.add(outcomes.n_plays(), &made);
            self.count_made(&made, &outcomes, &counting);
            self.made = made;
        }
        playing
    }

    /// The stages below which plays go on, with all of these; what is known of the others goes up.
    fn still_open(&mut self, mut sampled: Vec<Sampled<G::State>>) -> Vec<Sampled<G::State>> {
        for one in &mut sampled {
            let Some(id) = one.stage else { continue };
            // What all comes to is known now, or it was solved before, on another way.
            if one.plays.is_empty() && self.graph.nodes[id].exact.is_none() {
                let places = self.any_places(id);
                let state = self.graph.state_after(id, &places);
                one.plays.push((places, state));
            }
            repeat(&mut one.plays, one.n_planned);
        }
        let is_open = |one: &Sampled<G::State>| {
            one.stage.is_none_or(|id| self.graph.nodes[id].exact.is_none())
        };
        let (open, known): (Vec<_>, Vec<_>) = sampled.into_iter().partition(is_open);
        for one in known {
            let id = one.stage.expect("it has a value");
            self.go_up_exact(&one.path, id, one.n_planned);
        }
        open
    }

    /// Plays, and learns from it. Tells what came of it, and how long it took.
    fn play(&mut self, open: &[Sampled<G::State>], kind: Kind) -> (Outcomes, Duration) {
        let (counts_moves, has_habits) = (self.counts_moves(), self.habits == Habitual::Yes);
        let MacUcb {
            machine,
            graph: Graph { game, rng, .. },
            experience,
            learning,
            made,
            passed,
            ..
        } = self;
        let is_learnt = kind == Kind::Learnt;
        if is_learnt {
            passed.clear(learning.wanted(rng));
        }
        let states: Vec<&G::State> =
            open.iter().flat_map(|one| one.plays.iter().map(|(_, state)| state)).collect();
        let plays = PlaysFrom {
            states: &states,
            n_each: 1,
            max_steps: self.options.max_steps,
            habits: has_habits.then(|| experience.habits()),
            cut: learning.cut().filter(|_| kind == Kind::Cut),
        };
        let notes = Notes {
            made: counts_moves.then_some(&mut *made),
            passed: is_learnt.then_some(&mut *passed),
        };
        let start = Instant::now();
        let outcomes = machine.play_out_all(game, &plays, rng, notes);
        let playing = start.elapsed();
        if is_learnt {
            let of_stages = open.iter().map(|one| one.plays.len());
            learning.learn(&outcomes, passed, playing, of_stages);
        }
        self.work.n_plays += outcomes.n_plays() as u64;
        self.work.n_cut += outcomes.n_cut() as u64;
        (outcomes, playing)
    }

    /// Whether all plays with a move count: where moves come once, unless habits pay more.
    fn counts_all(&self) -> bool {
        let has_habits_instead =
            self.habits == Habitual::Yes && self.options.habits == HabitsWhen::TheyPay;
        self.options.all_moves && self.recurring.pays() && !has_habits_instead
    }

    /// Whether the moves of plays are noted.
    fn counts_moves(&self) -> bool {
        self.counts_all() || self.habits != Habitual::No
    }

    /// How the next plays are made. Where all of their moves count they go on to the end.
    fn next_kind(&mut self, limits: &SearchLimits) -> Kind {
        match self.options.cut == 0 || self.counts_all() {
            true => Kind::Whole,
            false => self.learning.next(limits),
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
            self.graph.moves[node.moves_of(role)][place].seen.set_off(n_plays);
        }
    }

    /// The places of the moves that the roles choose; `reference` is the stage that knows what all moves are worth.
    fn select(&mut self, id: TreeNodeId, reference: TreeNodeId) -> Places {
        let counts_all = self.counts_all();
        let Graph { nodes, moves, rng, root, game, .. } = &mut self.graph;
        let random = game.random();
        let node = &nodes[id];
        let is_alone = match &node.choice {
            Choice::Several(joint) => joint.n_choosers <= 1,
            Choice::Open | Choice::Ended | Choice::One { .. } => true,
        };
        let skips_known = id == *root || is_alone && rng.random_ratio(1, BETWEEN_TRIES);
        let log = (node.seen.n_visits.max(1) as f64).ln();
        let all_moves = nodes[reference].seen.all_moves.as_deref().filter(|_| counts_all);
        let exploration = self.options.exploration * self.learning.spread();
        let (options, recurring) = (MacOptions { exploration, ..self.options }, &self.recurring);
        let of_role = |role: RoleId| match &moves[node.moves_of(role.index())] {
            [_] => 0,
            arms if Some(role) == random => least_visited(arms),
            arms => {
                let come_once = || arms.iter().all(|arm| !recurring.has(arm.id));
                let all_moves = all_moves.filter(|_| come_once());
                let expected = Expected::of(arms, all_moves, &options);
                best_arm(arms, if is_alone { 0.0 } else { TIE }, rng, |arm| match &arm.exact {
                    Some(_) if is_alone && skips_known => f64::NEG_INFINITY,
                    Some(exact) if is_alone => exact.values[role.index()],
                    _ => expected.upper_bound(arm, log),
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
            seen.n_visits = seen.n_visits + n_plays as u32 - n_planned as u32;
            seen.n_under_way -= n_planned as u32;
            seen.sum += sums.get(role).copied().unwrap_or(0.0);
        }
    }

    /// Counts the moves on a path in those of its stages that have many plays, and notes which plays went through
    /// these.
    fn count_path(
        &mut self,
        path: &Path,
        sums: &[f64],
        plays: Range<usize>,
        counting: &mut Counting,
    ) {
        let ref_plays = self.options.ref_plays;
        let has_room = !self.graph.is_full();
        for (depth, (id, _)) in path.iter().enumerate() {
            let seen = &mut self.graph.nodes[*id].seen;
            if seen.n_visits < ref_plays {
                break;
            }
            if seen.all_moves.is_none() && has_room {
                seen.all_moves = Some(Box::default());
            }
            let Some(mut counts) = seen.all_moves.take() else { continue };
            counting.add(*id, plays.clone());
            counts.n_plays += plays.len() as u64;
            for (id, places) in &path[depth..] {
                for (role, (&place, sum)) in places.iter().zip(sums).enumerate() {
                    let arms = self.graph.arms(*id, role);
                    if arms.len() > 1 {
                        let tally = Tally { n_plays: plays.len() as f32, sum: *sum as f32 };
                        counts.tallies.add(arms[place].id, tally);
                    }
                }
            }
            self.graph.nodes[*id].seen.all_moves = Some(counts);
        }
    }

    /// Counts the moves that were made in plays: in the stages that these went through, and for habits.
    fn count_made(&mut self, made: &MovesMade, outcomes: &Outcomes, counting: &Counting) {
        let goals = GoalDigits::new(outcomes, self.graph.game.roles().len());
        let mut tallies = Vec::new();
        if self.habits != Habitual::No {
            let mut all = PlaySet::default();
            all.add(0..outcomes.n_plays());
            goals.add_tallies(made, &all, &mut tallies);
            self.experience.add(outcomes.n_plays() as u64, &tallies);
        }
        for (id, plays) in &counting.stages {
            tallies.clear();
            goals.add_tallies(made, plays, &mut tallies);
            let Some(counts) = &mut self.graph.nodes[*id].seen.all_moves else { continue };
            let size_before = counts.size();
            tallies.iter().for_each(|&(_, id, tally)| counts.tallies.add(id, tally));
            let n_more = counts.size() - size_before;
            self.graph.grow_by(n_more);
        }
    }
}

/// What all plays say about moves from a stage on, if that is known.
fn tallies_of(seen: &StagePlays) -> Option<&MoveTallies> {
    seen.all_moves.as_ref().map(|all| &all.tallies)
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
