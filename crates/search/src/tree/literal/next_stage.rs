//! Which stage is solved next.

use std::cmp::Ordering;

use game::{Game, Playouts, Stages};
use rustc_hash::FxHashSet;

use super::solutions::{Solution, decisions};
use super::{LiteralMacUcb, Order};
use crate::tree::node::{Path, Places, TreeNodeId};

/// The horizon of the paper of 2017: no line of stages is longer.
const HORIZON: usize = 200;

/// Stages in the order of their depth, each by how it is reached from one before.
#[derive(Debug, Default)]
pub(super) struct Levels {
    steps: Vec<Step>,
    /// Steps that were removed. They come last.
    removed: Vec<Step>,
    /// So many stages have been looked at: the root, and those after the first steps.
    n_done: usize,
    is_reached: FxHashSet<TreeNodeId>,
}

/// A step from a stage to one that follows.
#[derive(Clone, Debug)]
struct Step {
    /// The number of the step that leads to the stage. None at the root.
    before: Option<usize>,
    id: TreeNodeId,
    places: Places,
}

impl Levels {
    /// The way to the stage with this number: the root, then those after the steps.
    fn path(&self, stage: usize) -> Path {
        let mut path = Path::new();
        let mut step = stage.checked_sub(1);
        while let Some(number) = step {
            let Step { before, id, places } = &self.steps[number];
            path.push((*id, places.clone()));
            step = *before;
        }
        path.reverse();
        path
    }

    /// Goes on with what was removed, if all else has been looked at.
    fn take_removed(&mut self) {
        if self.n_done > self.steps.len() {
            self.steps.append(&mut self.removed);
        }
    }
}

impl<G: Game, P: Playouts<G> + Stages<G>> LiteralMacUcb<G, P> {
    /// The way to the stage that is solved next. None if there is nothing to solve, or no room for it.
    pub(super) fn next_stage(&mut self) -> Option<Path> {
        if self.is_unsolved(self.graph.root) {
            return Some(Path::new());
        }
        if self.graph.is_full() {
            return None;
        }
        match self.options.order {
            Order::GreatestUtility | Order::GreatestBound => self.next_of_line(),
            Order::LevelByLevel => self.next_of_levels(),
        }
    }

    /// Lines and levels begin anew, as the root has changed.
    pub(super) fn begin_anew(&mut self) {
        self.line.clear();
        self.levels = Levels::default();
        self.graph.nodes.iter_mut().for_each(|node| node.seen.is_closed = false);
    }

    fn is_unsolved(&self, id: TreeNodeId) -> bool {
        let node = &self.graph.nodes[id];
        node.exact.is_none() && node.seen.solutions.is_empty()
    }

    /// Goes on with the line to the first stage that is not solved. Where there is none the stage is closed, and a new
    /// line begins.
    fn next_of_line(&mut self) -> Option<Path> {
        loop {
            let at = self.end_of(&self.line);
            if self.is_unsolved(at) {
                return Some(self.line.clone());
            }
            self.notice_known(&self.line.clone());
            let goes_on = self.graph.nodes[at].exact.is_none() && self.line.len() < HORIZON;
            match self.best_solution(at).filter(|_| goes_on) {
                Some(places) => {
                    self.node_after(at, &places);
                    self.line.push((at, places));
                }
                None if self.line.is_empty() => return None,
                None => {
                    self.graph.nodes[at].seen.is_closed = true;
                    self.line.clear();
                }
            }
        }
    }

    /// The solution of a stage that is followed: the best by those who decide, of those below which something is left to
    /// solve. Of moves of chance, the one with the fewest plays.
    fn best_solution(&self, id: TreeNodeId) -> Option<Places> {
        let solutions = &self.graph.nodes[id].seen.solutions;
        let n_samples = solutions.iter().map(|solution| solution.n_samples).sum::<u64>();
        let bonus = match self.options.order {
            Order::GreatestBound => 2.0 * (n_samples.max(1) as f64).ln(),
            Order::GreatestUtility | Order::LevelByLevel => 0.0,
        };
        let choosers = self.graph.choosers(id);
        let score = |solution: &Solution| -> f64 {
            let of_role = |&role: &usize| {
                let seen = self.graph.arms(id, role)[solution.places[role]].seen;
                seen.value + 100.0 * (bonus / seen.n_samples.max(1) as f64).sqrt()
            };
            choosers.iter().map(of_role).sum()
        };
        let open = solutions.iter().filter(|solution| {
            let child = self.graph.child(id, &solution.places);
            let child = child.map(|child| &self.graph.nodes[child]);
            child.is_none_or(|child| child.exact.is_none() && !child.seen.is_closed)
        });
        let scored = open.map(|solution| (score(solution), solution));
        let best = scored.reduce(|best, one| match one.0.total_cmp(&best.0) {
            Ordering::Greater => one,
            Ordering::Equal if one.1.n_samples < best.1.n_samples => one,
            _ => best,
        });
        best.map(|(_, solution)| solution.places.clone())
    }

    /// The next stage that is not solved, of those that are the nearest to the root.
    fn next_of_levels(&mut self) -> Option<Path> {
        self.levels.take_removed();
        while self.levels.n_done <= self.levels.steps.len() {
            let path = self.levels.path(self.levels.n_done);
            let id = self.end_of(&path);
            if self.is_unsolved(id) {
                return Some(path);
            }
            if self.graph.nodes[id].exact.is_none() && path.len() < HORIZON {
                self.add_steps(id);
            }
            self.levels.n_done += 1;
            self.levels.take_removed();
        }
        self.notice_all_known();
        None
    }

    /// Adds the steps to what follows a stage that is solved, the best for the role that decides first.
    fn add_steps(&mut self, id: TreeNodeId) {
        let before = self.levels.n_done.checked_sub(1);
        let seen = &self.graph.nodes[id].seen;
        let decider = self.decider(id);
        let mut followed: Vec<(bool, f64, Places)> = Vec::new();
        for numbers in decisions(&seen.solutions, self.graph.random()) {
            let value = decider.map_or(0.0, |role| self.value_of_decision(id, &numbers, role));
            let is_removed = self.is_removed(id, &numbers);
            let places = numbers.iter().map(|&number| seen.solutions[number].places.clone());
            followed.extend(places.map(|places| (is_removed, value, places)));
        }
        followed.sort_by(|one, other| other.1.total_cmp(&one.1));
        for (is_removed, _, places) in followed {
            let child = self.node_after(id, &places);
            if self.graph.nodes[child].exact.is_none() && self.levels.is_reached.insert(child) {
                let step = Step { before, id, places };
                let Levels { steps, removed, .. } = &mut self.levels;
                if is_removed { removed.push(step) } else { steps.push(step) }
            }
        }
    }

    /// All is solved: what is known goes up, until there is no more news.
    fn notice_all_known(&mut self) {
        loop {
            let n_known = self.n_known();
            for stage in (0..=self.levels.steps.len()).rev() {
                self.notice_known(&self.levels.path(stage));
            }
            if self.n_known() == n_known {
                break;
            }
        }
    }

    fn n_known(&self) -> usize {
        self.graph.nodes.iter().filter(|node| node.exact.is_some()).count()
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
}
