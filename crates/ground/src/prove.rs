//! Groups of fluents proved by induction: what holds initially, and is kept by every joint move.
//!
//! For each group, the formulas of a step become clauses: a state that is not terminal and in which
//! all groups hold, legal moves, one for each role, and the next values of the fluents of the group.
//! A satisfiability solver looks for such a step that breaks the group. The groups that some step
//! breaks are dropped, and the others proved anew without them, until none is broken.
//!
//! Only what the next values depend on becomes clauses, and the conditions of legal moves only to
//! some depth. What is left out could only rule steps out, so nothing wrong is proved.

use std::cell::{Cell, OnceCell};
use std::collections::BTreeSet;

use base::{Deadline, Id, IdVec, RoleId};
use batsat::{Callbacks, Lit as SatLit, Solver, SolverInterface, lbool};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::cases::{Kept, KeptInCases, Moves, kept_in_all_cases};
use crate::formulas::Formulas;
use crate::ground::GroundProgram;
use crate::groups::{CandidateId, FluentGroup};
use crate::network::{Kind, Lit};
use crate::rewrite::all_that_holds_with;

/// How deep the conditions of legal moves are looked at: first to where whose turn it is stands, and
/// if that is not enough, all.
const LEGAL_DEPTHS: [usize; 2] = [3, usize::MAX];
/// How many clauses a step may have that say what nodes mean.
const MAX_STEP_CLAUSES: usize = 300_000;
/// How many clauses may be made, and how many literals the solver may propagate, in all proofs.
const MAX_CLAUSES: usize = 4_000_000;
const MAX_PROPAGATIONS: u64 = 40_000_000;
/// What is spent in vain counts more: where one proof fails, those of like groups will, too.
const WEIGHT_OF_FAILURE: u64 = 4;
/// How many decisions of the solver, and how many conflicts, a single proof may take.
const MAX_DECISIONS: u64 = 100_000;
const MAX_CONFLICTS: u64 = 2_000;

/// Proves what it can of `groups`, of which at most one fluent, or exactly one, holds initially:
/// returns what is left of the claims, for each group that exactly one holds, or at most one. After the deadline
/// nothing more is proved.
pub(crate) fn prove(
    ground: &GroundProgram,
    groups: &IdVec<CandidateId, FluentGroup>,
    deadline: &Deadline,
) -> IdVec<CandidateId, Option<bool>> {
    let mut groups_of = vec![Vec::new(); ground.fluents.len()];
    for (id, group) in groups.iter_with_ids() {
        group.fluents.iter().for_each(|fluent| groups_of[fluent.index()].push(id));
    }
    let claims = groups.iter().map(|group| Some(group.is_exact)).collect();
    let conditions = ground.roles.iter().map(|_| OnceCell::new()).collect();
    let used = groups.iter().map(|_| Vec::new()).collect();
    let mut proof = Proof {
        ground,
        groups,
        groups_of,
        claims,
        used,
        conditions,
        n_clauses: 0,
        n_propagations: 0,
        deadline,
    };
    match Moves::new(ground) {
        Some(moves) => proof.run_by_cases(&moves),
        None => proof.run(),
    }
    proof.claims
}

struct Proof<'a> {
    ground: &'a GroundProgram,
    groups: &'a IdVec<CandidateId, FluentGroup>,
    /// By fluent: its groups.
    groups_of: Vec<Vec<CandidateId>>,
    /// By group: what is claimed of it still: exactly one, at most one, or nothing.
    claims: IdVec<CandidateId, Option<bool>>,
    /// By group: the groups that its proof relies on.
    used: IdVec<CandidateId, Vec<CandidateId>>,
    /// Found when the solver first asks for them.
    conditions: IdVec<RoleId, OnceCell<Conditions>>,
    n_clauses: usize,
    n_propagations: u64,
    deadline: &'a Deadline,
}

/// What must hold for the moves of a role to be legal, and for how many of them.
type Conditions = FxHashMap<Lit, usize>;

fn conditions(ground: &GroundProgram, role: RoleId) -> Conditions {
    let mut conditions = Conditions::default();
    for number in ground.moves_of(role) {
        for lit in conditions_of(ground, number) {
            *conditions.entry(lit).or_default() += 1;
        }
    }
    conditions
}

fn conditions_of(ground: &GroundProgram, number: usize) -> FxHashSet<Lit> {
    all_that_holds_with(&ground.formulas.network, ground.formulas.legal.as_slice()[number])
}

impl Proof<'_> {
    /// Weakens claims that are broken in one of the cases where it is not plain that they are kept,
    /// until there are none.
    fn run_by_cases(&mut self, moves: &Moves) {
        let Some(mut cases) = self.cases(moves) else { return self.run() };
        let mut open: Vec<CandidateId> = self.groups.ids().collect();
        while !open.is_empty() {
            let before = self.claims.clone();
            for &id in &open {
                self.claims[id] = self.claims[id].and_then(|is_exact| {
                    self.proved_in_cases(id, is_exact, &cases.kept[id], cases.n_cases)
                });
            }
            let is_weakened = |id: &CandidateId| self.claims[*id] != before[*id];
            let weakened: Vec<CandidateId> = self.groups.ids().filter(is_weakened).collect();
            // Whatever was proved with these claims must be proved without them.
            let is_open = |id: &CandidateId| weakened.iter().any(|w| self.used[*id].contains(w));
            open = self.groups.ids().filter(is_open).collect();
            // The cases rely on at most one of a group holding, and no more.
            let is_lost = |id: &CandidateId| self.claims[*id].is_none() && cases.used.contains(id);
            if weakened.iter().any(is_lost) {
                let Some(new) = self.cases(moves) else { return self.run() };
                let is_new = |id: &CandidateId| !new.kept[*id].is_within(&cases.kept[*id]);
                open.extend(self.groups.ids().filter(is_new));
                open.sort_unstable();
                open.dedup();
                cases = new;
            }
        }
    }

    fn cases(&self, moves: &Moves) -> Option<KeptInCases> {
        kept_in_all_cases(self.ground, moves, self.groups, &self.claims)
    }

    /// What of a claim is kept in the cases where that is not plain.
    fn proved_in_cases(
        &mut self,
        id: CandidateId,
        is_exact: bool,
        kept: &Kept,
        n_cases: usize,
    ) -> Option<bool> {
        let all = [Vec::new()];
        let few = |open: &'_ Vec<Vec<Lit>>| 4 * open.len() < n_cases;
        let two = if few(&kept.two) { &kept.two } else { &all[..] };
        let none = if few(&kept.none) { &kept.none } else { &all[..] };
        match two.is_empty() && (none.is_empty() || !is_exact) {
            true => Some(is_exact),
            false => self.proved(id, is_exact, two, none),
        }
    }

    /// Weakens claims until no step breaks one that is left.
    fn run(&mut self) {
        let mut open: BTreeSet<CandidateId> = self.groups.ids().collect();
        while let Some(id) = open.pop_first() {
            let claim = self.claims[id];
            self.claims[id] = claim.and_then(|is_exact| {
                let all = [Vec::new()];
                self.proved(id, is_exact, &all, &all)
            });
            if self.claims[id] != claim {
                // Whatever was proved with the claim must be proved without it.
                let uses_it = |other: &CandidateId| self.used[*other].contains(&id);
                open.extend(self.groups.ids().filter(uses_it));
            }
        }
    }

    /// What of a claim is kept by every step with one of the joint moves `two`, after which it is not
    /// plain that no two hold, or `none`, after which it is not plain that one does.
    fn proved(
        &mut self,
        id: CandidateId,
        is_exact: bool,
        two: &[Vec<Lit>],
        none: &[Vec<Lit>],
    ) -> Option<bool> {
        let mut best = None;
        for legal_depth in LEGAL_DEPTHS {
            let is_spent = self.n_clauses > MAX_CLAUSES
                || self.n_propagations > MAX_PROPAGATIONS
                || self.deadline.has_passed();
            if is_spent || best == Some(is_exact) {
                break;
            }
            let mut step = Step::new(self, id, legal_depth);
            let is_kept = step.two_is_impossible(two);
            let is_exact = is_exact && is_kept && step.none_is_impossible(none);
            self.n_clauses += step.n_clauses;
            let weight = if is_kept { 1 } else { WEIGHT_OF_FAILURE };
            self.n_propagations += weight * step.solver.num_propagations();
            self.used[id] = step.used;
            best = best.max(is_kept.then_some(is_exact));
        }
        best
    }
}

/// A step of the game as clauses, as far as the next values of a group depend on it.
struct Step<'a> {
    ground: &'a GroundProgram,
    solver: Solver<Budget>,
    n_clauses: usize,
    /// By node: its literal.
    lits: FxHashMap<usize, SatLit>,
    /// The nodes whose meaning was said.
    defined: FxHashSet<usize>,
    /// The fluents of the group in the next state.
    next: Vec<SatLit>,
    /// The groups that are said to hold before.
    used: Vec<CandidateId>,
}

/// Stops the solver after so many decisions and conflicts.
#[derive(Default)]
pub(crate) struct Budget {
    n_decisions: Cell<u64>,
    n_conflicts: u64,
}

impl Callbacks for Budget {
    fn on_new_clause(&mut self, _: &[SatLit], source: batsat::ClauseKind) {
        self.n_conflicts += u64::from(source == batsat::ClauseKind::Learnt);
    }

    fn stop(&self) -> bool {
        self.n_decisions.update(|n| n + 1);
        self.n_decisions.get() > MAX_DECISIONS || self.n_conflicts > MAX_CONFLICTS
    }
}

impl<'a> Step<'a> {
    fn new(proof: &Proof<'a>, id: CandidateId, legal_depth: usize) -> Step<'a> {
        let ground = proof.ground;
        let mut step = Step {
            ground,
            solver: Solver::new(options(), Budget::default()),
            n_clauses: 0,
            lits: FxHashMap::default(),
            defined: FxHashSet::default(),
            next: Vec::new(),
            used: Vec::new(),
        };
        let always = step.new_lit();
        step.lits.insert(0, always);
        step.clause([always]);
        let fluents = &proof.groups[id].fluents;
        // The group itself is looked at in the state before, too.
        for fluent in fluents {
            step.node_lit(ground.formulas.network.input(fluent.index()));
        }
        let next: Vec<Lit> = fluents.iter().map(|&id| ground.formulas.next[id]).collect();
        // What is a move itself is looked at too, so it must be known before the moves are.
        step.next = next.iter().map(|&lit| step.node_lit(lit)).collect();
        step.add_formulas(&next, usize::MAX);
        step.add_moves(proof, legal_depth);
        step.add_not_terminal();
        step.add_groups(proof);
        step
    }

    fn new_lit(&mut self) -> SatLit {
        SatLit::new(self.solver.new_var_default(), true)
    }

    fn clause(&mut self, lits: impl IntoIterator<Item = SatLit>) {
        self.n_clauses += 1;
        self.solver.add_clause_reuse(&mut lits.into_iter().collect());
    }

    fn node_lit(&mut self, lit: Lit) -> SatLit {
        let known = self.lits.get(&lit.node()).copied();
        let node = known.unwrap_or_else(|| {
            let new = self.new_lit();
            self.lits.insert(lit.node(), new);
            new
        });
        if lit.is_negative() { !node } else { node }
    }

    /// Says what `roots` mean: each node down to `max_depth` holds if and only if its parts say so.
    /// For nodes of recursions that allows more than their smallest values.
    fn add_formulas(&mut self, roots: &[Lit], max_depth: usize) {
        let network = &self.ground.formulas.network;
        let mut open: Vec<(usize, usize)> = roots.iter().map(|lit| (lit.node(), 0)).collect();
        while let Some((node, depth)) = open.pop() {
            let is_and = match network.kind(node) {
                Kind::And => true,
                Kind::Or => false,
                Kind::True | Kind::Input => continue,
            };
            // What is not defined may be anything, so less is proved, and nothing wrong.
            let is_too_much = self.n_clauses > MAX_STEP_CLAUSES;
            if depth == max_depth || is_too_much || !self.defined.insert(node) {
                continue;
            }
            // A conjunction is the negation of the disjunction of the negations.
            let sign = |lit: SatLit| if is_and { !lit } else { lit };
            let target = sign(self.node_lit(Lit::of_node(node)));
            let parts: Vec<SatLit> =
                network.parts(node).iter().map(|&part| sign(self.node_lit(part))).collect();
            for &part in &parts {
                self.clause([!part, target]);
            }
            self.clause(parts.into_iter().chain([!target]));
            open.extend(network.parts(node).iter().map(|part| (part.node(), depth + 1)));
        }
    }

    /// Moves are legal, and a role makes one: of those that are looked at, or another.
    fn add_moves(&mut self, proof: &Proof<'_>, legal_depth: usize) {
        let formulas = &self.ground.formulas;
        let always = self.lits[&0];
        for role in self.ground.roles.ids() {
            let input = |number: usize| formulas.network.input(self.ground.fluents.len() + number);
            let moves = self.ground.moves_of(role);
            let n_moves = moves.len();
            let looked_at: Vec<usize> =
                moves.filter(|&number| self.lits.contains_key(&input(number).node())).collect();
            let made: Vec<SatLit> = looked_at.iter().map(|&n| self.node_lit(input(n))).collect();
            for (&number, &made) in looked_at.iter().zip(&made) {
                let legal = formulas.legal.as_slice()[number];
                let is_legal = self.node_lit(legal);
                self.clause([!made, is_legal]);
                self.add_formulas(&[legal], legal_depth);
            }
            let other = self.new_lit();
            let all: Vec<SatLit> = made.into_iter().chain([other]).collect();
            self.at_most_one(always, &all);
            self.clause(all);
            if looked_at.len() == n_moves {
                self.clause([!other]);
            } else {
                let conditions =
                    proof.conditions[role].get_or_init(|| conditions(self.ground, role));
                self.add_conditions_of_others(conditions, &looked_at, n_moves, other);
            }
        }
    }

    /// The move `other` is none of `looked_at`. What must hold for all that are left must hold.
    fn add_conditions_of_others(
        &mut self,
        conditions: &Conditions,
        looked_at: &[usize],
        n_moves: usize,
        other: SatLit,
    ) {
        let mut n_looked_at = Conditions::default();
        for &number in looked_at {
            for lit in conditions_of(self.ground, number) {
                *n_looked_at.entry(lit).or_default() += 1;
            }
        }
        let n_others = n_moves - looked_at.len();
        for (lit, n_all) in conditions {
            let is_common = n_all - n_looked_at.get(lit).unwrap_or(&0) == n_others;
            if is_common {
                let condition = self.node_lit(*lit);
                self.clause([!other, condition]);
            }
        }
    }

    /// The state before is not terminal: nothing holds with which it would be.
    fn add_not_terminal(&mut self) {
        let Formulas { network, terminal, .. } = &self.ground.formulas;
        let mut causes = vec![*terminal];
        if network.kind(terminal.node()) == Kind::Or && !terminal.is_negative() {
            causes.extend_from_slice(network.parts(terminal.node()));
        }
        for cause in causes {
            if self.lits.contains_key(&cause.node()) {
                let lit = self.node_lit(cause);
                self.clause([!lit]);
            }
        }
    }

    /// What is claimed holds before.
    fn add_groups(&mut self, proof: &Proof<'_>) {
        let inputs = self.lits.keys().map(|node| node.wrapping_sub(1));
        let fluents = inputs.filter(|&input| input < self.ground.fluents.len());
        let mut groups: Vec<CandidateId> =
            fluents.flat_map(|fluent| proof.groups_of[fluent].iter().copied()).collect();
        groups.sort_unstable();
        groups.dedup();
        let always = self.lits[&0];
        for id in groups {
            let Some(is_exact) = proof.claims[id] else { continue };
            let network = &self.ground.formulas.network;
            let inputs = proof.groups[id].fluents.iter().map(|id| network.input(id.index()));
            let now: Vec<SatLit> = inputs.map(|input| self.node_lit(input)).collect();
            self.at_most_one(always, &now);
            if is_exact {
                self.clause(now);
            }
            self.used.push(id);
        }
    }

    /// If `condition` holds, at most one of `lits` does: each says to those behind it that it holds.
    fn at_most_one(&mut self, condition: SatLit, lits: &[SatLit]) {
        let mut before: Option<SatLit> = None;
        for &lit in lits {
            let seen = self.new_lit();
            self.clause([!condition, !lit, seen]);
            if let Some(before) = before {
                self.clause([!condition, !before, seen]);
                self.clause([!condition, !before, !lit]);
            }
            before = Some(seen);
        }
    }

    /// Whether no two of the group can hold after the step, if it is made with one of `moves`.
    fn two_is_impossible(&mut self, moves: &[Vec<Lit>]) -> bool {
        let condition = self.new_lit();
        let mut seconds = vec![!condition];
        let mut before: Option<SatLit> = None;
        for lit in self.next.clone() {
            let seen = self.new_lit();
            match before {
                // The second of two, and one before it.
                Some(before) => {
                    let second = self.new_lit();
                    self.clause([!second, lit]);
                    self.clause([!second, before]);
                    seconds.push(second);
                    self.clause([!seen, lit, before]);
                }
                None => self.clause([!seen, lit]),
            }
            before = Some(seen);
        }
        self.clause(seconds);
        self.is_impossible(&[condition], moves)
    }

    /// Whether one of the group must hold after the step, if it is made with one of `moves`.
    fn none_is_impossible(&mut self, moves: &[Vec<Lit>]) -> bool {
        let none: Vec<SatLit> = self.next.iter().map(|&lit| !lit).collect();
        self.is_impossible(&none, moves)
    }

    /// Whether it cannot be that all of `lits` hold and one of `moves` is made. Moves on which nothing
    /// depends do not matter.
    fn is_impossible(&mut self, lits: &[SatLit], moves: &[Vec<Lit>]) -> bool {
        moves.iter().all(|made| {
            let made = made.iter().filter_map(|lit| self.lits.get(&lit.node()).copied());
            let all: Vec<SatLit> = lits.iter().copied().chain(made).collect();
            self.solver.solve_limited(&all) == lbool::FALSE
        })
    }
}

/// Minimising learnt clauses deeply takes most of the time where moves are many.
pub(crate) fn options() -> batsat::SolverOpts {
    batsat::SolverOpts { ccmin_mode: 1, ..batsat::SolverOpts::default() }
}
