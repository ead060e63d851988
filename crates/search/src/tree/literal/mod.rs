//! MAC-UCB to the letter of the papers, to measure against.
//!
//! Stages are solved one after the other. Each of the solutions of a stage is an arm that random plays go on with, chosen
//! by UCB1; what they come to goes up by (⊗, ⊕) and expectation. Where the papers differ, or leave something open, this is
//! how they are read:
//!
//! - 2015 (Koriche, Lagrue, Piette & Tabary, IAF): the next stage is the one after the solution with the greatest
//!   utility.
//! - 2016 (the same, Constraints): after the one with the greatest confidence bound.
//! - 2017 (the same, IJCAI): all stages up to a depth are solved before any that is deeper.
//!
//! Subtrees that are completely explored are not entered again. θ is the least that a role gets by what is best so far;
//! at a stage where one role decides, solutions that are worth less to it for sure, or with probability 1 - δ, are neither
//! sampled nor followed.

mod operators;
mod stage_plays;

use std::time::{Duration, Instant};

use base::{Id as _, RoleId};
use game::{After, Game, MoveId, Notes, Playouts, PlaysFrom, Stages};
use rustc_hash::FxHashSet;

use self::operators::GoalsSeen;
pub use self::operators::Operators;
use self::stage_plays::{Decisions, Estimate, Solution, StagePlays};
use super::graph::Graph;
use super::node::{Choice, Path, Places, TreeNodeId};
use super::pace::Split;
use super::report::{Report, Search, SearchLimits, Work};
use super::stages::{Solving, ToSolve};

/// Which stage is solved next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// The one after the solution with the greatest utility.
    GreatestUtility,
    /// The one after the solution with the greatest confidence bound.
    GreatestBound,
    /// All up to a depth before those below.
    LevelByLevel,
}

/// How MAC-UCB is read.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LiteralOptions {
    /// Which stage is solved next.
    pub order: Order,
    /// Where the clock counts: which part of the time solving stages takes.
    pub share: f64,
    /// How many plays go on from a stage. If it is not said, as many as `share` leaves time for, or where there is no
    /// clock, 10,000, as in the papers.
    pub plays_per_stage: Option<usize>,
    /// How values go up. If it is not said, as the goals in plays tell: maximin if there are two players of whom one
    /// gets what the other loses, cooperative if all get the same, and otherwise maxⁿ.
    pub operators: Option<Operators>,
    /// How many moves all stages may have together.
    pub max_moves: usize,
    /// Random plays that are longer are given up.
    pub max_steps: usize,
}

impl LiteralOptions {
    /// As the paper of 2015 has it.
    pub const OF_2015: LiteralOptions = LiteralOptions {
        order: Order::GreatestUtility,
        share: 0.9,
        plays_per_stage: None,
        operators: None,
        max_moves: 20_000_000,
        max_steps: 10_000,
    };

    /// As the paper of 2016 has it.
    pub const OF_2016: LiteralOptions =
        LiteralOptions { order: Order::GreatestBound, ..LiteralOptions::OF_2015 };

    /// As the paper of 2017 has it, without symmetries: they took 25 parts of 100, beside 45 and 30.
    pub const OF_2017: LiteralOptions =
        LiteralOptions { order: Order::LevelByLevel, share: 0.6, ..LiteralOptions::OF_2015 };
}

/// The papers have as many plays from a stage.
const PLAYS_OF_PAPERS: usize = 10_000;

/// The horizon of the paper of 2017: no line of stages is longer.
const HORIZON: usize = 200;

/// A search over stages, one after the other.
#[derive(Debug)]
pub struct LiteralMacUcb<G: Game, P> {
    graph: Graph<G, StagePlays, Estimate>,
    machine: P,
    options: LiteralOptions,
    split: Split,
    goals: GoalsSeen,
    /// The way to the stage that was solved last, where it goes on from.
    line: Path,
    /// The ways to stages of the level that is solved, the best last.
    level: Vec<Path>,
    work: Work,
}

impl<G: Game, P: Playouts<G> + Stages<G>> Search for LiteralMacUcb<G, P> {
    type Game = G;

    fn state_and_game(&mut self) -> (&G::State, &mut G) {
        self.graph.state_and_game()
    }

    fn grow(&mut self, limits: &SearchLimits) -> bool {
        let end = self.work.n_plays.saturating_add(limits.max_plays);
        while self.work.n_plays < end && !limits.is_time_up() && !self.graph.is_explored() {
            let Some(path) = self.next_stage() else { break };
            self.solve(&path, limits, end - self.work.n_plays);
        }
        self.graph.is_explored()
    }

    fn advance(&mut self, joint_move: &[MoveId]) {
        self.graph.advance(joint_move);
        self.line.clear();
        self.level.clear();
    }

    fn forget_the_past(&mut self) {
        self.graph.forget_the_past();
        self.line.clear();
        self.level.clear();
    }

    fn work(&self) -> Work {
        self.work
    }

    fn report(&self, role: RoleId) -> Report {
        self.graph.report(role.index(), self.work, |seen| seen.value, false)
    }
}

impl<G: Game, P: Playouts<G> + Stages<G>> LiteralMacUcb<G, P> {
    /// A search that has solved no stage yet.
    pub fn new(
        game: G,
        machine: P,
        state: G::State,
        options: LiteralOptions,
        seed: u64,
    ) -> LiteralMacUcb<G, P> {
        let graph: Graph<G, _, _> = Graph::new(game, state, options.max_moves, seed);
        let goals = GoalsSeen::new(graph.game.roles().len(), graph.random());
        LiteralMacUcb {
            graph,
            machine,
            options,
            split: Split::default(),
            goals,
            line: Path::new(),
            level: Vec::new(),
            work: Work::default(),
        }
    }

    /// The way to the stage that is solved next. None if there is nothing to solve, or no room for it.
    fn next_stage(&mut self) -> Option<Path> {
        if self.is_unsolved(self.graph.root) {
            return Some(Path::new());
        }
        if self.graph.is_full() {
            return None;
        }
        match self.options.order {
            Order::GreatestUtility | Order::GreatestBound => self.next_of_line(),
            Order::LevelByLevel => self.next_of_level(),
        }
    }

    fn is_unsolved(&self, id: TreeNodeId) -> bool {
        let node = &self.graph.nodes[id];
        node.exact.is_none() && node.seen.solutions.is_empty()
    }

    /// Goes on with the line to the first stage that is not solved. Where it ends, the next line begins, unless it has
    /// come from the root and nothing has become known by it.
    fn next_of_line(&mut self) -> Option<Path> {
        let mut is_from_root = self.line.is_empty();
        loop {
            let at = self.end_of(&self.line);
            if self.is_unsolved(at) {
                return Some(self.line.clone());
            }
            self.notice_known(&self.line.clone());
            // A state that is known is not entered again.
            let is_news = self.graph.nodes[at].exact.is_some();
            let is_ended = is_news || self.line.len() == HORIZON;
            match self.best_solution(at).filter(|_| !is_ended) {
                Some(places) => {
                    self.node_after(at, &places);
                    self.line.push((at, places));
                }
                None if is_from_root && !is_news || self.graph.is_explored() => return None,
                None => {
                    self.line.clear();
                    is_from_root = true;
                }
            }
        }
    }

    /// What follows a stage may have become known on other ways: finds out whether the stage at the end of a way is
    /// known by that, and if so, tells those on the way.
    fn notice_known(&mut self, path: &Path) {
        let id = self.end_of(path);
        let solutions = std::mem::take(&mut self.graph.nodes[id].seen.solutions);
        for Solution { places, .. } in &solutions {
            let child = self.graph.child(id, places);
            if child.is_some_and(|child| self.graph.nodes[child].exact.is_some()) {
                self.graph.look_for_exact(id, places);
            }
        }
        self.graph.nodes[id].seen.solutions = solutions;
        if self.graph.nodes[id].exact.is_some() {
            self.graph.explore(path);
            self.go_up(path, 0);
        }
    }

    /// The node at the end of a way from the root.
    fn end_of(&self, path: &Path) -> TreeNodeId {
        let end = path.last().map(|(id, places)| self.graph.child(*id, places));
        end.map_or(self.graph.root, |end| end.expect("it was added with the way"))
    }

    /// The node after a solution.
    fn node_after(&mut self, id: TreeNodeId, places: &Places) -> TreeNodeId {
        if let Some(child) = self.graph.child(id, places) {
            return child;
        }
        let after = After { state: None, goals: None, reply: None };
        let child = self.graph.node_after(id, places, after);
        self.graph.set_child(id, places, child);
        child
    }

    /// The solution of a stage that is followed: the best by those who decide, of those that are not explored. Of moves
    /// of chance, the one with the fewest plays.
    fn best_solution(&self, id: TreeNodeId) -> Option<Places> {
        let solutions = &self.graph.nodes[id].seen.solutions;
        let n_samples = solutions.iter().map(|solution| solution.n_samples).sum::<u64>();
        let bonus = match self.options.order {
            Order::GreatestBound => 2.0 * (n_samples.max(1) as f64).ln(),
            Order::GreatestUtility | Order::LevelByLevel => 0.0,
        };
        let random = self.graph.random();
        let score = |solution: &Solution| -> f64 {
            let of_role = |(role, &place): (usize, &usize)| {
                let seen = self.graph.arms(id, role)[place].seen;
                seen.value + 100.0 * (bonus / seen.n_samples.max(1) as f64).sqrt()
            };
            let places = solution.places.iter().enumerate();
            let decided = places
                .filter(|(role, _)| Some(*role) != random && self.graph.arms(id, *role).len() > 1);
            decided.map(of_role).sum()
        };
        let open = solutions.iter().filter(|solution| {
            let child = self.graph.child(id, &solution.places);
            child.is_none_or(|child| self.graph.nodes[child].exact.is_none())
        });
        let scored = open.map(|solution| (score(solution), solution));
        let best = scored.reduce(|best, one| match one.0.total_cmp(&best.0) {
            std::cmp::Ordering::Greater => one,
            std::cmp::Ordering::Equal if one.1.n_samples < best.1.n_samples => one,
            _ => best,
        });
        best.map(|(_, solution)| solution.places.clone())
    }

    /// The next stage of the level, or of the one below when all of it is solved.
    fn next_of_level(&mut self) -> Option<Path> {
        loop {
            while let Some(path) = self.level.pop() {
                if self.is_unsolved(self.end_of(&path)) {
                    return Some(path);
                }
            }
            // What was removed may be worth more all the same, if rarely: it comes last.
            self.level = self.next_level(|search, id, solution| !search.is_removed(id, solution));
            if self.level.is_empty() {
                self.level = self.next_level(|_, _, _| true);
            }
            if self.level.is_empty() {
                return None;
            }
        }
    }

    /// The ways to the stages nearest to the root that are not solved, the best last, if solutions on the way are
    /// followed that `is_followed`.
    fn next_level(
        &mut self,
        is_followed: impl Fn(&Self, TreeNodeId, &Solution) -> bool,
    ) -> Vec<Path> {
        let mut is_reached = FxHashSet::default();
        let mut solved = vec![Path::new()];
        let mut first = 0;
        while first < solved.len() && solved[first].len() < HORIZON {
            let mut unsolved = Vec::new();
            let level = first..solved.len();
            first = level.end;
            for path in level {
                let path = solved[path].clone();
                let id = self.end_of(&path);
                for places in self.best_first(id, &is_followed) {
                    let child = self.node_after(id, &places);
                    if self.graph.nodes[child].exact.is_none() && is_reached.insert(child) {
                        let mut path = path.clone();
                        path.push((id, places));
                        let paths =
                            if self.is_unsolved(child) { &mut unsolved } else { &mut solved };
                        paths.push(path);
                    }
                }
            }
            if !unsolved.is_empty() {
                unsolved.reverse();
                return unsolved;
            }
        }
        // Nothing is left to solve: what is known goes up, from the deepest on.
        for path in solved.iter().rev() {
            self.notice_known(path);
        }
        Vec::new()
    }

    /// The solutions of a stage that are followed, the best for the role that decides first.
    fn best_first(
        &self,
        id: TreeNodeId,
        is_followed: impl Fn(&Self, TreeNodeId, &Solution) -> bool,
    ) -> Vec<Places> {
        let value = |solution: &Solution| {
            let values = self.decider(id).zip(self.value_after(id, solution));
            values.map_or(0.0, |(role, values)| values[role])
        };
        let solutions = self.graph.nodes[id].seen.solutions.iter();
        let followed = solutions.filter(|solution| is_followed(self, id, solution));
        let mut followed: Vec<(f64, &Solution)> =
            followed.map(|solution| (value(solution), solution)).collect();
        followed.sort_by(|one, other| other.0.total_cmp(&one.0));
        followed.into_iter().map(|(_, solution)| solution.places.clone()).collect()
    }

    /// The role that decides alone in a stage.
    fn decider(&self, id: TreeNodeId) -> Option<usize> {
        match self.graph.choosers(id).as_slice() {
            [role] => Some(*role),
            _ => None,
        }
    }

    /// Whether a solution is below θ for the role that decides, for sure or with probability 1 - δ.
    fn is_removed(&self, id: TreeNodeId, solution: &Solution) -> bool {
        /// δ.
        const ERROR: f64 = 0.01;
        let Some(role) = self.decider(id) else { return false };
        let Some(values) = self.value_after(id, solution) else { return false };
        let child = self.graph.child(id, &solution.places);
        let is_exact = child.is_some_and(|child| self.graph.nodes[child].exact.is_some());
        let width = match is_exact {
            true => 0.0,
            false => 100.0 * ((1.0 / ERROR).ln() / (2.0 * solution.n_samples.max(1) as f64)).sqrt(),
        };
        values[role] + width < self.threshold()
    }

    /// θ: the least that a role gets by what is best so far.
    fn threshold(&self) -> f64 {
        let random = self.graph.random();
        let values = self.graph.nodes[self.graph.root].seen.values.iter().enumerate();
        let players = values.filter(|(role, _)| Some(*role) != random);
        players.map(|(_, value)| *value).reduce(f64::min).unwrap_or(0.0)
    }

    /// By role: what a solution is worth, if anything is known of it.
    fn value_after(&self, id: TreeNodeId, solution: &Solution) -> Option<Vec<f64>> {
        let child = self.graph.child(id, &solution.places).map(|child| &self.graph.nodes[child]);
        if let Some(exact) = child.and_then(|child| child.exact.as_ref()) {
            return Some(exact.values.clone());
        }
        let values = child.map(|child| &child.seen.values).filter(|values| !values.is_empty());
        values.cloned().or_else(|| solution.means())
    }

    /// Solves the stage at the end of a way, samples its solutions, and tells the stages on the way.
    fn solve(&mut self, path: &Path, limits: &SearchLimits, n_left: u64) {
        let start = Instant::now();
        let id = self.end_of(path);
        // The root has moves before its stage is solved.
        self.graph.nodes[id].choice = Choice::Open;
        let open = [ToSolve { id, reference: id, n_told: usize::MAX }];
        let LiteralMacUcb { graph, machine, .. } = self;
        let told = graph.solve(&open, machine, Solving::Enumeration, |_| None).pop();
        let told = told.unwrap_or_default();
        self.work.n_stages += 1;
        self.note_solutions(id, &told);
        let solving = start.elapsed();
        let n_plays = self.n_plays(limits, told.len()).min(n_left as usize);
        let states: Vec<&G::State> = told.iter().map(|(_, state)| state).collect();
        let n_before = self.work.n_plays;
        let playing = match self.graph.nodes[id].exact {
            Some(_) => Duration::ZERO,
            None => self.sample(id, &states, n_plays, limits),
        };
        let n_played = self.work.n_plays - n_before;
        self.split.note((1, solving), (n_played as usize, playing));
        if self.graph.nodes[id].exact.is_some() {
            self.graph.explore(path);
        }
        self.set_values(id);
        self.go_up(path, n_played);
    }

    /// Notes the solutions of a stage: those after which the game goes on, and then those that end it.
    fn note_solutions(&mut self, id: TreeNodeId, told: &[(Places, G::State)]) {
        let n_roles = self.graph.game.roles().len();
        let ended = self.graph.followed_places(id);
        for child in ended.iter().filter_map(|places| self.graph.child(id, places)) {
            self.graph.nodes[child].exact.iter().for_each(|exact| self.goals.add(&exact.values));
        }
        let places = told.iter().map(|(places, _)| places.clone()).chain(ended);
        let solutions: Vec<Solution> =
            places.map(|places| Solution::new(places, n_roles)).collect();
        self.graph.nodes[id].seen.solutions = solutions;
        let size = super::graph::Seen::size(&self.graph.nodes[id].seen);
        self.graph.grow_by(size);
    }

    /// How many plays go on from a stage with so many solutions.
    fn n_plays(&self, limits: &SearchLimits, n_solutions: usize) -> usize {
        let LiteralOptions { plays_per_stage, share, .. } = self.options;
        plays_per_stage.unwrap_or_else(|| match limits.deadline.left() {
            None => PLAYS_OF_PAPERS,
            // UCB1 begins with each arm once.
            Some(_) => {
                self.split.plays_a_stage(share, n_solutions, PLAYS_OF_PAPERS).max(n_solutions)
            }
        })
    }

    /// Random plays go on from the solutions of a stage, `states` being those after them. Tells how long that took.
    fn sample(
        &mut self,
        id: TreeNodeId,
        states: &[&G::State],
        n_plays: usize,
        limits: &SearchLimits,
    ) -> Duration {
        let start = Instant::now();
        let mut bandit = Bandit::new(self, id, states.len());
        let mut n_left = n_plays;
        while n_left > 0 && !limits.deadline.has_passed() {
            let n_now = n_left.min(self.machine.n_free());
            let chosen: Vec<usize> = (0..n_now).map_while(|_| bandit.choose()).collect();
            if chosen.is_empty() {
                break;
            }
            let from: Vec<&G::State> = chosen.iter().map(|&number| states[number]).collect();
            let plays = PlaysFrom::to_end(&from, 1, self.options.max_steps);
            let Graph { game, rng, nodes, .. } = &mut self.graph;
            let outcomes = self.machine.play_out_all(game, &plays, rng, Notes::default());
            let solutions = &mut nodes[id].seen.solutions;
            for (play, &number) in chosen.iter().enumerate() {
                let goals = outcomes.sums(play..play + 1);
                self.goals.add(&goals);
                solutions[number].add_play(&goals);
                bandit.add(number, &goals);
            }
            self.work.n_plays += chosen.len() as u64;
            n_left -= chosen.len();
            for number in 0..states.len() {
                let solution = &self.graph.nodes[id].seen.solutions[number];
                if solution.n_samples > 0 && self.is_removed(id, solution) {
                    bandit.remove(number);
                }
            }
        }
        start.elapsed()
    }

    /// Tells the stages on a way that what follows has changed, by so many plays.
    fn go_up(&mut self, path: &Path, n_plays: u64) {
        for (id, places) in path.iter().rev() {
            let solutions = &mut self.graph.nodes[*id].seen.solutions;
            let followed = solutions.iter_mut().find(|solution| solution.places == *places);
            followed.into_iter().for_each(|solution| solution.n_samples += n_plays);
            self.set_values(*id);
        }
    }

    /// Finds out what a stage and its moves are worth, by the values of its solutions.
    fn set_values(&mut self, id: TreeNodeId) {
        let operators = self.options.operators.unwrap_or_else(|| self.goals.operators());
        let solutions = &self.graph.nodes[id].seen.solutions;
        let joint = Decisions::of(solutions, self.graph.random())
            .values(solutions, |solution| self.value_after(id, solution));
        let n_roles = self.graph.game.roles().len();
        let of_moves = |role| operators.of_moves(role, self.graph.arms(id, role).len(), &joint);
        let moves: Vec<Vec<Option<f64>>> = (0..n_roles).map(of_moves).collect();
        let values = operators.of_stage(&moves, &joint).unwrap_or_default();
        let mut n_samples: Vec<Vec<u64>> =
            moves.iter().map(|of_role| vec![0; of_role.len()]).collect();
        for solution in solutions {
            for (role, &place) in solution.places.iter().enumerate() {
                n_samples[role][place] += solution.n_samples;
            }
        }
        self.graph.nodes[id].seen.values = values;
        for (role, (values, n_samples)) in moves.into_iter().zip(n_samples).enumerate() {
            let arms = self.graph.arms_mut(id, role).iter_mut();
            for (arm, (value, n_samples)) in arms.zip(values.into_iter().zip(n_samples)) {
                arm.seen = Estimate { n_samples, value: value.unwrap_or(0.0) };
            }
        }
    }
}

/// UCB1 over the decisions of a stage. Moves of chance have their turns; so have decisions where not one role decides.
struct Bandit {
    role: Option<usize>,
    /// By decision: its solutions that can be sampled.
    decisions: Vec<Vec<usize>>,
    /// By solution: its decision.
    decision_of: Vec<usize>,
    /// By decision: its plays so far, of which some are under way, and what those came to that have ended.
    arms: Vec<(u32, u32, f64)>,
    n_plays: u32,
}

impl Bandit {
    fn new<G: Game, P: Playouts<G> + Stages<G>>(
        search: &LiteralMacUcb<G, P>,
        id: TreeNodeId,
        n_sampled: usize,
    ) -> Bandit {
        let solutions = &search.graph.nodes[id].seen.solutions[..n_sampled];
        let decisions = Decisions::of(solutions, search.graph.random()).solutions;
        let mut decision_of = vec![0; n_sampled];
        for (decision, solutions) in decisions.iter().enumerate() {
            solutions.iter().for_each(|&number| decision_of[number] = decision);
        }
        let arms = vec![(0, 0, 0.0); decisions.len()];
        Bandit { role: search.decider(id), decisions, decision_of, arms, n_plays: 0 }
    }

    /// The number of the solution that the next play goes on with. None if there is none to sample.
    fn choose(&mut self) -> Option<usize> {
        let log = f64::from(self.n_plays.max(1)).ln();
        let bound = |decision: usize| {
            let (n_plays, n_under_way, sum) = self.arms[decision];
            let n_ended = f64::from(n_plays - n_under_way);
            match (n_plays, self.role) {
                (0, _) => f64::INFINITY,
                (_, None) => -f64::from(n_plays),
                // Before any play has ended all seem to be worth as much.
                (_, Some(_)) => {
                    let mean = if n_ended > 0.0 { sum / n_ended } else { 50.0 };
                    mean + 100.0 * (2.0 * log / f64::from(n_plays)).sqrt()
                }
            }
        };
        let left = (0..self.decisions.len()).filter(|&one| !self.decisions[one].is_empty());
        let best = left.map(|decision| (bound(decision), decision));
        let (_, decision) = best.reduce(|best, one| if one.0 > best.0 { one } else { best })?;
        let arm = &mut self.arms[decision];
        let turn = arm.0 as usize % self.decisions[decision].len();
        arm.0 += 1;
        arm.1 += 1;
        self.n_plays += 1;
        Some(self.decisions[decision][turn])
    }

    /// A play that went on with a solution has ended.
    fn add(&mut self, solution: usize, goals: &[f64]) {
        let (_, n_under_way, sum) = &mut self.arms[self.decision_of[solution]];
        *n_under_way -= 1;
        *sum += self.role.map_or(0.0, |role| goals[role]);
    }

    /// A solution is not sampled any more.
    fn remove(&mut self, solution: usize) {
        self.decisions[self.decision_of[solution]].retain(|&number| number != solution);
    }
}

#[cfg(test)]
mod tests {
    use base::Deadline;
    use machine::{ManyStates, OneState};

    use super::*;
    use crate::test_games::{embedded, ground, nim};
    use crate::{Concept, Information, Limits, Question, solve};

    const READINGS: [LiteralOptions; 3] =
        [LiteralOptions::OF_2015, LiteralOptions::OF_2016, LiteralOptions::OF_2017];

    fn search(
        ground: &ground::GroundProgram,
        options: LiteralOptions,
    ) -> LiteralMacUcb<OneState, ManyStates> {
        let game = OneState::new(ground.clone());
        let many = ManyStates::new(ground.clone());
        let initial = game.initial();
        let options = LiteralOptions { plays_per_stage: Some(20), ..options };
        LiteralMacUcb::new(game, many, initial, options, 1)
    }

    /// With enough stages all is known, and worth what the solver says.
    #[test]
    fn explored_games_have_their_value() {
        let heaps: [&[u32]; 3] = [&[1, 2], &[2, 2], &[1, 2, 3]];
        let mut games: Vec<_> = heaps.iter().map(|heaps| ground(&nim(heaps))).collect();
        games.push(ground(embedded("tic-tac-toe")));
        for (ground, options) in
            games.iter().flat_map(|ground| READINGS.map(|options| (ground, options)))
        {
            let mut search = search(ground, options);
            let is_explored = search.grow(&SearchLimits::plays(1_000_000));
            assert!(is_explored, "{options:?}, {:?}", search.work);
            let role = RoleId::first(2).next().expect("there are two");
            let question =
                Question { role, concept: Concept::MAXIMIN, information: Information::Full };
            let limits = Limits { deadline: Deadline::NEVER, max_states: usize::MAX };
            let solved = solve(&mut search.graph.game, question, &limits).expect("playable");
            assert_eq!(search.report(role).moves[0].value, solved.value.low, "{options:?}");
        }
    }

    /// It goes with a match, and finds moves in games of all kinds.
    #[test]
    fn every_kind_of_game_is_searched() {
        let kinds = [
            ("connect-four", Operators::Maximin),
            ("matching-pennies", Operators::Cooperative),
            ("connect-four-simultaneous", Operators::Maximin),
            ("kaseklau", Operators::Maximin),
            ("orchard", Operators::Cooperative),
            ("chinese-checkers", Operators::MaxN),
        ];
        for ((name, operators), options) in
            kinds.iter().flat_map(|kind| READINGS.map(|options| (kind, options)))
        {
            let mut search = search(&ground(embedded(name)), options);
            let n_roles = search.graph.game.roles().len();
            for _ in 0..3 {
                search.grow(&SearchLimits::plays(2_000));
                if search.graph.is_explored() {
                    break;
                }
                let reports: Vec<Report> =
                    RoleId::first(n_roles).map(|role| search.report(role)).collect();
                for report in &reports {
                    assert!(report.moves.iter().all(|one| (0.0..=100.0).contains(&one.value)));
                }
                let joint_move: Vec<MoveId> =
                    reports.iter().map(|report| report.moves[0].id).collect();
                search.advance(&joint_move);
                search.forget_the_past();
                assert!(search.graph.is_sound());
            }
            assert!(search.work.n_stages > 0 && search.work.n_plays > 0, "{name}");
            assert_eq!(search.goals.operators(), *operators, "{name}");
        }
    }

    /// Stages are solved level by level, or along lines: then the deepest is deeper.
    #[test]
    fn readings_differ_in_depth() {
        let ground = ground(embedded("connect-four"));
        let depths = READINGS.map(|options| {
            let mut search = search(&ground, options);
            let mut deepest = 0;
            while search.work.n_stages < 50 {
                let path = search.next_stage();
                deepest = deepest.max(path.as_ref().map_or(0, Path::len));
                path.iter().for_each(|path| search.solve(path, &SearchLimits::plays(20), 20));
            }
            deepest
        });
        // There are 57 stages after up to two moves, of which some may be removed.
        let [of_2015, _, of_2017] = depths;
        assert!((2..=3).contains(&of_2017) && of_2015 > of_2017 + 1, "{depths:?}");
    }

    #[test]
    fn equal_seeds_search_alike() {
        let ground = ground(embedded("breakthrough"));
        let role = RoleId::first(2).next().expect("there are two");
        for options in READINGS {
            let reports = [(); 2].map(|()| {
                let mut search = search(&ground, options);
                search.grow(&SearchLimits::plays(2_000));
                search.report(role)
            });
            assert_eq!(reports[0], reports[1], "{options:?}");
        }
    }
}
