//! A step of the game, case by case: what each joint move makes of each fluent.
//!
//! Given the moves, most formulas for the next state become trivial: the fluent holds, or it does not,
//! or it holds if it, or another one, held before. Groups of fluents are then seen to be kept at a
//! glance. Those cases where it takes more than a glance are collected.

use std::collections::BTreeSet;

use base::{Id, IdVec, RoleId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ground::GroundProgram;
use crate::groups::{CandidateId, FluentGroup};
use crate::network::Lit;
use crate::rewrite::all_that_holds_with;
use crate::step::{Step, Value};

/// With more cases than this, they are not looked at one by one.
const MAX_CASES: usize = 30_000;

/// A group that is open in so many cases, and in all, is not looked at case by case any longer.
const MIN_OPEN: usize = 256;

/// What is to be shown of a group that is claimed to have at most one, or exactly one, that holds.
#[derive(Clone, Default)]
pub(crate) struct Kept {
    /// The cases in which it cannot be seen that not two hold, as the moves that are made.
    pub(crate) two: Vec<Vec<Lit>>,
    /// Those in which it cannot be seen that one holds.
    pub(crate) none: Vec<Vec<Lit>>,
}

impl Kept {
    /// All is to be shown of all cases.
    fn nothing() -> Kept {
        Kept { two: vec![Vec::new()], none: vec![Vec::new()] }
    }

    /// Whether no more is to be shown than by `other`.
    pub(crate) fn is_within(&self, other: &Kept) -> bool {
        let is_within = |mine: &[Vec<Lit>], its: &[Vec<Lit>]| mine.is_empty() || mine == its;
        is_within(&self.two, &other.two) && is_within(&self.none, &other.none)
    }
}

/// What all cases show.
pub(crate) struct KeptInCases {
    pub(crate) kept: IdVec<CandidateId, Kept>,
    /// The groups that were relied on.
    pub(crate) used: FxHashSet<CandidateId>,
    pub(crate) n_cases: usize,
}

/// What all cases show of `groups`, where the `claims` hold before; `None` if there are too many.
pub(crate) fn kept_in_all_cases(
    ground: &GroundProgram,
    moves: &Moves,
    groups: &IdVec<CandidateId, FluentGroup>,
    claims: &IdVec<CandidateId, Option<bool>>,
) -> Option<KeptInCases> {
    let claimed = Groups::new(ground, groups, claims);
    let mut cases = Cases {
        ground,
        moves,
        step_by_moves: Step::new(ground, claimed.of_next.keys().copied()),
        step: Step::new(ground, claimed.of_next.keys().copied()),
        groups: claimed,
        kept: groups.iter().map(|_| Kept::default()).collect(),
        used: FxHashSet::default(),
        n_always: 0,
        hopeless: BTreeSet::new(),
        n_cases: 0,
    };
    let holds = vec![None; ground.fluents.len()];
    let mut case = Case { made: Vec::new(), known: Vec::new(), holds };
    // There is no step from a terminal state.
    let is_possible = cases.learn(&mut case, &moves.implied_by_step);
    cases.n_always = case.known.len();
    let is_done = !is_possible || cases.split(&mut case);
    is_done.then_some(KeptInCases { kept: cases.kept, used: cases.used, n_cases: cases.n_cases })
}

/// What is known of moves.
pub(crate) struct Moves {
    /// By move: the fluents that hold or do not hold wherever it is legal.
    implied: Vec<Vec<Lit>>,
    /// Those that hold or do not hold wherever a step is made.
    implied_by_step: Vec<Lit>,
    /// By role: what is implied by many of its moves, such as whose turn it is.
    frequent: IdVec<RoleId, Vec<Lit>>,
}

impl Moves {
    /// `None` if they are too many to look at one by one.
    pub(crate) fn new(ground: &GroundProgram) -> Option<Moves> {
        if ground.moves.len() > MAX_CASES {
            return None;
        }
        let network = &ground.formulas.network;
        let is_fluent = |lit: &Lit| (1..=ground.fluents.len()).contains(&lit.node());
        let implied_by = |lit: Lit| {
            let all = all_that_holds_with(network, lit);
            let mut fluents: Vec<Lit> = all.into_iter().filter(is_fluent).collect();
            fluents.sort_unstable();
            fluents
        };
        let implied: Vec<Vec<Lit>> =
            ground.formulas.legal.iter().map(|&legal| implied_by(legal)).collect();
        let implied_by_step = implied_by(!ground.formulas.terminal);
        let frequent_of = |role: RoleId| {
            let moves = ground.moves_of(role);
            let n_moves = moves.len();
            let mut counts: FxHashMap<Lit, usize> = FxHashMap::default();
            for &lit in moves.flat_map(|number| &implied[number]) {
                *counts.entry(lit).or_default() += 1;
            }
            let is_frequent = |&(_, count): &(Lit, usize)| 4 * count >= n_moves;
            let mut frequent: Vec<Lit> =
                counts.into_iter().filter(is_frequent).map(|(lit, _)| lit).collect();
            frequent.sort_unstable();
            frequent
        };
        let frequent = ground.roles.ids().map(frequent_of).collect();
        Some(Moves { implied, implied_by_step, frequent })
    }
}

/// The groups of fluents, with what is claimed of them.
struct Groups<'a> {
    groups: &'a IdVec<CandidateId, FluentGroup>,
    claims: &'a IdVec<CandidateId, Option<bool>>,
    /// By fluent: the groups that it is in.
    of_fluent: Vec<Vec<CandidateId>>,
    /// By node: the groups with a fluent that holds next if the node says so.
    of_next: FxHashMap<usize, Vec<CandidateId>>,
    /// Those that were not seen to be kept by the moves that were looked at last, in whatever state.
    open: BTreeSet<CandidateId>,
}

/// What was not seen to be impossible.
#[derive(Clone, Copy)]
struct Seen {
    two: bool,
    none: bool,
}

impl Seen {
    /// Whether it is still to be shown that a group is kept.
    fn is_open(self, is_exact: bool) -> bool {
        self.two || (is_exact && self.none)
    }
}

impl<'a> Groups<'a> {
    fn new(
        ground: &GroundProgram,
        groups: &'a IdVec<CandidateId, FluentGroup>,
        claims: &'a IdVec<CandidateId, Option<bool>>,
    ) -> Groups<'a> {
        let mut of_fluent = vec![Vec::new(); ground.fluents.len()];
        let mut of_next: FxHashMap<usize, Vec<CandidateId>> = FxHashMap::default();
        for (id, group) in groups.iter_with_ids().filter(|(id, _)| claims[*id].is_some()) {
            for &fluent in &group.fluents {
                of_fluent[fluent.index()].push(id);
                of_next.entry(ground.formulas.next[fluent].node()).or_default().push(id);
            }
        }
        Groups { groups, claims, of_fluent, of_next, open: BTreeSet::new() }
    }

    fn claimed(&self) -> FxHashSet<CandidateId> {
        self.groups.ids().filter(|&id| self.claims[id].is_some()).collect()
    }

    /// The groups with a fluent of which more or less is known when these nodes have changed.
    fn touched_by(&self, nodes: &[usize]) -> FxHashSet<CandidateId> {
        let before = nodes.iter().filter_map(|&node| self.of_fluent.get(node - 1));
        let next = nodes.iter().filter_map(|node| self.of_next.get(node));
        before.chain(next).flatten().copied().collect()
    }

    /// What of a group is not seen to be kept by a step with these values.
    fn look_at(&self, id: CandidateId, ground: &GroundProgram, step: &Step) -> Seen {
        let fluents = &self.groups[id].fluents;
        let members: FxHashSet<Lit> =
            fluents.iter().map(|fluent| ground.formulas.network.input(fluent.index())).collect();
        let mut n_true = 0;
        let mut same = FxHashSet::default();
        let mut is_clear = true;
        for &fluent in fluents {
            match step.value(ground.formulas.next[fluent]) {
                Value::False => {}
                Value::True => n_true += 1,
                Value::Same(lit) => is_clear &= members.contains(&lit) && same.insert(lit),
                Value::Unknown => is_clear = false,
            }
        }
        let is_possible = |lit: &&Lit| step.value(**lit) != Value::False;
        let two = !(is_clear && if n_true > 0 { n_true == 1 && same.is_empty() } else { true });
        let none =
            !(n_true > 0 || members.iter().filter(is_possible).all(|lit| same.contains(lit)));
        Seen { two, none }
    }
}

/// The moves that are made in a case, and what is known of the state before.
struct Case {
    made: Vec<usize>,
    /// The fluents that hold, and those that do not, in the order in which that was found.
    known: Vec<Lit>,
    /// By fluent: whether it holds, if that is known.
    holds: Vec<Option<bool>>,
}

impl Case {
    /// Forgets what was found since only `n_known` fluents were known.
    fn forget(&mut self, n_known: usize) {
        for lit in self.known.drain(n_known..) {
            self.holds[lit.node() - 1] = None;
        }
    }
}

struct Cases<'a> {
    ground: &'a GroundProgram,
    moves: &'a Moves,
    groups: Groups<'a>,
    /// The step with the moves of a case, and what is known in all: that shows most, and little changes
    /// from case to case.
    step_by_moves: Step<'a>,
    /// The step with all that is known in a case.
    step: Step<'a>,
    kept: IdVec<CandidateId, Kept>,
    used: FxHashSet<CandidateId>,
    /// How many fluents are known in all cases.
    n_always: usize,
    /// The groups of which all is to be shown of all cases.
    hopeless: BTreeSet<CandidateId>,
    n_cases: usize,
}

impl Cases<'_> {
    /// Looks at `case` with all moves of the roles that have not moved in it. Whether that was not too
    /// much.
    fn split(&mut self, case: &mut Case) -> bool {
        let Some(role) = self.ground.roles.ids().nth(case.made.len()) else {
            self.n_cases += 1;
            self.look_at(case);
            return self.n_cases <= MAX_CASES;
        };
        let n_known = case.known.len();
        for number in self.possible_moves(role, case) {
            case.made.push(number);
            let is_possible = self.learn(case, &self.moves.implied[number]);
            let goes_on = !is_possible || self.split(case);
            case.made.pop();
            case.forget(n_known);
            if !goes_on {
                return false;
            }
        }
        true
    }

    /// The moves of a role of which it is not plain that they cannot be legal.
    fn possible_moves(&self, role: RoleId, case: &Case) -> Vec<usize> {
        let excluded = |lit: &&Lit| case.holds[lit.node() - 1] == Some(lit.is_negative());
        let excluded: Vec<Lit> =
            self.moves.frequent[role].iter().filter(excluded).copied().collect();
        let is_possible = |number: &usize| {
            let implied = &self.moves.implied[*number];
            excluded.iter().all(|lit| implied.binary_search(lit).is_err())
        };
        self.ground.moves_of(role).filter(is_possible).collect()
    }

    /// What follows from what holds, such as the conditions of a move, and from the groups. `false` if
    /// it cannot be.
    fn learn(&mut self, case: &mut Case, holds: &[Lit]) -> bool {
        let mut open = holds.to_vec();
        while let Some(lit) = open.pop() {
            let before = &mut case.holds[lit.node() - 1];
            match before.replace(!lit.is_negative()) {
                Some(value) if value == lit.is_negative() => {
                    *before = Some(value);
                    return false;
                }
                Some(_) => continue,
                None => case.known.push(lit),
            }
            if lit.is_negative() {
                continue;
            }
            for &id in &self.groups.of_fluent[lit.node() - 1] {
                self.used.insert(id);
                let fluents = self.groups.groups[id].fluents.iter();
                let members = fluents.map(|id| self.ground.formulas.network.input(id.index()));
                open.extend(members.filter(|&member| member != lit).map(|member| !member));
            }
        }
        true
    }

    fn look_at(&mut self, case: &Case) {
        let input = |&number: &usize| {
            self.ground.formulas.network.input(self.ground.fluents.len() + number)
        };
        let made: Vec<Lit> = case.made.iter().map(input).collect();
        let always = &case.known[..self.n_always];
        let changed = self.step_by_moves.set_inputs(always.iter().chain(&made).copied());
        let touched = match self.n_cases {
            1 => self.groups.claimed(),
            _ => self.groups.touched_by(&changed),
        };
        for id in touched {
            let seen = self.groups.look_at(id, self.ground, &self.step_by_moves);
            match seen.is_open(self.groups.claims[id] == Some(true)) {
                true => self.groups.open.insert(id),
                false => self.groups.open.remove(&id),
            };
        }
        let open = self.groups.open.difference(&self.hopeless).copied();
        let open: Vec<CandidateId> = open.collect();
        if !open.is_empty() {
            self.step.set_inputs(case.known.iter().chain(&made).copied());
            open.into_iter().for_each(|id| self.look_closer(id, &made));
        }
    }

    /// Looks at a group with all that is known in the case.
    fn look_closer(&mut self, id: CandidateId, made: &[Lit]) {
        let seen = self.groups.look_at(id, self.ground, &self.step);
        let kept = &mut self.kept[id];
        if seen.two {
            kept.two.push(made.to_vec());
        }
        if seen.none && self.groups.claims[id] == Some(true) {
            kept.none.push(made.to_vec());
        }
        let n_open = kept.two.len().max(kept.none.len());
        if n_open >= MIN_OPEN && n_open == self.n_cases {
            *kept = Kept::nothing();
            self.hopeless.insert(id);
        }
    }
}
