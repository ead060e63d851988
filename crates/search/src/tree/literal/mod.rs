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
//! Subtrees that are completely explored are not entered again; their values are what the role that decides makes of
//! them, whatever the operators. θ is the least that a role gets by what is best so far; at a stage where one role
//! decides, decisions that are worth less to it with probability 1 - δ are not sampled any more, and where all stages up to
//! a depth are solved, followed last.

mod bandit;
mod next_stage;
mod operators;
mod solutions;

use std::time::{Duration, Instant};

use base::{Id as _, RoleId};
use game::{After, Game, MoveId, Notes, Playouts, PlaysFrom, Stages};

use self::bandit::{Bandit, DecisionArm, width};
use self::next_stage::Levels;
use self::operators::GoalsSeen;
pub use self::operators::Operators;
use self::solutions::{Estimate, Solution, Solved, decisions, values_of_decisions};
use super::graph::{Graph, Seen as _};
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

/// A search over stages, one after the other.
#[derive(Debug)]
pub struct LiteralMacUcb<G: Game, P> {
    graph: Graph<G, Solved, Estimate>,
    machine: P,
    options: LiteralOptions,
    split: Split,
    goals: GoalsSeen,
    /// The way to the stage that was solved last, where it goes on from.
    line: Path,
    levels: Levels,
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
            let start = Instant::now();
            let Some(path) = self.next_stage() else { break };
            self.solve(&path, limits, end - self.work.n_plays, start);
        }
        self.graph.is_explored()
    }

    fn advance(&mut self, joint_move: &[MoveId]) {
        self.graph.advance(joint_move);
        self.begin_anew();
    }

    fn forget_the_past(&mut self) {
        self.graph.forget_the_past();
        self.begin_anew();
    }

    fn want_all(&mut self) {
        self.graph.wants_all = true;
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
            levels: Levels::default(),
            work: Work::default(),
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

    /// The role that decides alone in a stage.
    fn decider(&self, id: TreeNodeId) -> Option<usize> {
        match self.graph.choosers(id).as_slice() {
            [role] => Some(*role),
            _ => None,
        }
    }

    /// Whether a decision, of which these are the solutions, is below θ for the role that decides: for sure, or with
    /// probability 1 - δ, if values that went up were means of plays.
    fn is_removed(&self, id: TreeNodeId, numbers: &[usize]) -> bool {
        let Some(role) = self.decider(id) else { return false };
        let solutions = &self.graph.nodes[id].seen.solutions;
        let n_samples: u64 = numbers.iter().map(|&number| solutions[number].n_samples).sum();
        let is_exact = |&number: &usize| self.is_known(id, &solutions[number].places);
        let width = match numbers.iter().all(is_exact) {
            true => 0.0,
            false => width(n_samples as f64),
        };
        n_samples > 0 && self.value_of_decision(id, numbers, role) + width < self.threshold()
    }

    /// What a decision is worth to a role: the mean of its solutions, as far as they are known.
    fn value_of_decision(&self, id: TreeNodeId, numbers: &[usize], role: usize) -> f64 {
        let solutions = &self.graph.nodes[id].seen.solutions;
        let known = numbers.iter().filter_map(|&number| self.value_after(id, &solutions[number]));
        let (sum, n_known) = known.fold((0.0, 0), |(sum, n), values| (sum + values[role], n + 1));
        sum / f64::from(n_known.max(1))
    }

    /// Whether what follows a solution is known for sure.
    fn is_known(&self, id: TreeNodeId, places: &[usize]) -> bool {
        let child = self.graph.child(id, places);
        child.is_some_and(|child| self.graph.nodes[child].exact.is_some())
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

    /// Solves the stage at the end of a way, samples its solutions, and tells the stages on the way. The way has been
    /// looked for since `start`.
    fn solve(&mut self, path: &Path, limits: &SearchLimits, n_left: u64, start: Instant) {
        let id = self.end_of(path);
        // The root has moves before its stage is solved.
        self.graph.nodes[id].choice = Choice::Open;
        let open = [ToSolve { id, reference: id, n_told: usize::MAX }];
        let LiteralMacUcb { graph, machine, .. } = self;
        let told = graph.solve(&open, machine, Solving::Enumeration, |_| None).pop();
        let told = told.unwrap_or_default();
        self.work.n_stages += 1;
        let states = self.note_solutions(id, told);
        let n_plays = self.n_plays(limits, states.len()).min(n_left as usize);
        let n_before = self.work.n_plays;
        let playing = match self.graph.nodes[id].exact {
            Some(_) => Duration::ZERO,
            None => self.sample(id, &states, n_plays, limits),
        };
        if self.graph.nodes[id].exact.is_some() {
            self.graph.explore(path);
        }
        self.set_values(id);
        let n_played = self.work.n_plays - n_before;
        self.go_up(path, n_played);
        let solving = start.elapsed().saturating_sub(playing);
        self.split.note((1, solving), (n_played as usize, playing));
    }

    /// Notes the solutions of a stage: first those after which plays can go on, whose states are returned, and then those
    /// after which all is known, because the game has ended or by other ways.
    fn note_solutions(&mut self, id: TreeNodeId, told: Vec<(Places, G::State)>) -> Vec<G::State> {
        let n_roles = self.graph.game.roles().len();
        for (places, state) in &told {
            if let Some(child) = self.graph.find(state) {
                self.graph.set_child(id, places, child);
                if self.graph.nodes[child].exact.is_some() {
                    self.graph.look_for_exact(id, places);
                }
            }
        }
        let (mut solutions, mut states) = (Vec::new(), Vec::new());
        for (places, state) in told {
            if !self.is_known(id, &places) {
                solutions.push(Solution::new(places, n_roles));
                states.push(state);
            }
        }
        for places in self.graph.followed_places(id) {
            let child = self.graph.child(id, &places).map(|child| &self.graph.nodes[child]);
            let Some((child, exact)) = child.and_then(|child| Some((child, child.exact.as_ref()?)))
            else {
                continue;
            };
            if matches!(child.choice, Choice::Ended) {
                self.goals.add(&exact.values);
            }
            solutions.push(Solution::known(places, n_roles));
        }
        self.graph.nodes[id].seen.solutions = solutions;
        let size = self.graph.nodes[id].seen.size();
        self.graph.grow_by(size);
        states
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

    /// Random plays go on from the first solutions of a stage, `states` being those after them. Tells how long that
    /// took.
    fn sample(
        &mut self,
        id: TreeNodeId,
        states: &[G::State],
        n_plays: usize,
        limits: &SearchLimits,
    ) -> Duration {
        let start = Instant::now();
        let mut bandit = self.bandit(id, states.len());
        let mut n_left = n_plays;
        while n_left > 0 && !limits.deadline.has_passed() {
            let n_now = n_left.min(self.machine.n_free());
            let chosen: Vec<(usize, usize)> = (0..n_now).map_while(|_| bandit.choose()).collect();
            if chosen.is_empty() {
                break;
            }
            let from: Vec<&G::State> = chosen.iter().map(|&(_, number)| &states[number]).collect();
            let plays = PlaysFrom::to_end(&from, 1, self.options.max_steps);
            let Graph { game, rng, nodes, .. } = &mut self.graph;
            let outcomes = self.machine.play_out_all(game, &plays, rng, Notes::default());
            for (play, &(decision, number)) in chosen.iter().enumerate() {
                let goals = outcomes.sums(play..play + 1);
                // A play that was given up says nothing about who gets what.
                if (outcomes.n_steps(play) as usize) < self.options.max_steps {
                    self.goals.add(&goals);
                }
                nodes[id].seen.solutions[number].add_play(&goals);
                bandit.add(decision, &goals);
            }
            self.work.n_plays += chosen.len() as u64;
            n_left -= chosen.len();
            let threshold = self.threshold();
            let below = (0..bandit.n_decisions()).filter(|&n| bandit.is_below(n, threshold));
            let below: Vec<usize> = below.collect();
            below.into_iter().for_each(|decision| bandit.remove(decision));
        }
        start.elapsed()
    }

    /// The decisions of a stage, of whose solutions the first `n_open` can be sampled.
    fn bandit(&self, id: TreeNodeId, n_open: usize) -> Bandit {
        let decider = self.decider(id);
        let solutions = &self.graph.nodes[id].seen.solutions;
        let mut arms = Vec::new();
        for numbers in decisions(solutions, self.graph.random()) {
            let (open, known): (Vec<usize>, Vec<usize>) =
                numbers.into_iter().partition(|&number| number < n_open);
            let values =
                known.iter().filter_map(|&number| self.value_after(id, &solutions[number]));
            let known_sum = values.map(|values| decider.map_or(0.0, |role| values[role])).sum();
            arms.push(DecisionArm::new(open, known.len(), known_sum));
        }
        Bandit::new(decider, arms)
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
        let joint = values_of_decisions(solutions, self.graph.random(), |solution| {
            self.value_after(id, solution)
        });
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

#[cfg(test)]
mod tests {
    use machine::{ManyStates, OneState};

    use super::*;
    use crate::test_games::{embedded, ground, maximin_value, nim};

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
            let value = maximin_value(&mut search.graph.game, role);
            assert_eq!(search.report(role).moves[0].value, value, "{options:?}");
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
                    let [best, ..] = report.moves[..] else { panic!("{name} goes on") };
                    assert!(best.n_visits > 0 || best.is_exact, "{name}: {best:?}");
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
                let path = search.next_stage().expect("there are more");
                deepest = deepest.max(path.len());
                search.solve(&path, &SearchLimits::plays(20), 20, Instant::now());
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
