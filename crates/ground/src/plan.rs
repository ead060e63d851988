//! How a rule is joined: in which order its conditions are looked at, and by which index.

use base::IdVec;
use program::{Atom, Dependence, Literal, Program, RelationId, Rule, Term, VariableId};
use rustc_hash::FxHashSet;

use crate::table::{Place, Table};
use crate::terms::Terms;

/// The conditions of a rule in the order of a join.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) steps: Vec<Step>,
}

#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// Some row of the relation fits.
    Join {
        literal: usize,
        atom: Atom,
        places: Vec<Place>,
        index: usize,
        /// The variables that are bound by the row.
        binds: Vec<VariableId>,
    },
    /// The atom, which is ground by then, is not among those that always hold.
    StaticNot {
        atom: Atom,
    },
    /// The atom, which is ground by then, is a condition of the instance.
    DynamicNot {
        atom: Atom,
    },
    Distinct {
        left: Term,
        right: Term,
    },
}

/// What the order of a join depends on.
#[derive(Clone, Copy)]
pub(crate) struct Known<'a> {
    pub(crate) program: &'a Program,
    pub(crate) tables: &'a IdVec<RelationId, Table>,
    pub(crate) terms: &'a Terms,
}

impl Plan {
    /// A join that begins with the condition at `first`, or where it likes.
    pub(crate) fn new(rule: &Rule, first: Option<usize>, known: Known) -> Plan {
        let mut open: Vec<usize> = (0..rule.body.len()).collect();
        let mut bound = FxHashSet::default();
        let mut steps = Vec::with_capacity(open.len());
        if let Some(first) = first {
            open.retain(|&place| place != first);
            steps.push(step(rule, first, &mut bound, known.program));
        }
        while !open.is_empty() {
            let best = next_condition(rule, &open, &bound, known);
            steps.push(step(rule, open.remove(best), &mut bound, known.program));
        }
        Plan { steps }
    }
}

/// Tests as soon as they can be decided, then the condition with the fewest rows for what is known of
/// it. One that nothing is known of multiplies, and comes last.
fn next_condition(
    rule: &Rule,
    open: &[usize],
    bound: &FxHashSet<VariableId>,
    known: Known,
) -> usize {
    let cost = |place: usize| match &rule.body[place] {
        Literal::Positive(atom) => {
            let places = known_places(atom, bound);
            let n_rows = known.tables[atom.relation].expected_rows(&places, known.terms);
            let is_connected = places.iter().any(|place| !matches!(place, Place::Functor(_)));
            if is_connected { (1, n_rows) } else { (2, n_rows) }
        }
        Literal::Negative(atom) if atom.args.iter().all(|arg| is_bound(arg, bound)) => (0, 0.0),
        Literal::Distinct(left, right) if is_bound(left, bound) && is_bound(right, bound) => {
            (0, 0.0)
        }
        _ => (3, 0.0),
    };
    let costs = open.iter().map(|&place| cost(place));
    let by_cost = |a: &(usize, (i32, f64)), b: &(usize, (i32, f64))| {
        a.1.0.cmp(&b.1.0).then(a.1.1.total_cmp(&b.1.1))
    };
    let best = costs.enumerate().min_by(by_cost).expect("there are open conditions");
    best.0
}

fn step(rule: &Rule, place: usize, bound: &mut FxHashSet<VariableId>, program: &Program) -> Step {
    match &rule.body[place] {
        Literal::Positive(atom) => {
            let places = known_places(atom, bound);
            let mut binds = Vec::new();
            for arg in &atom.args {
                arg.for_each_variable(&mut |id| {
                    if bound.insert(id) {
                        binds.push(id);
                    }
                });
            }
            Step::Join { literal: place, atom: atom.clone(), places, index: 0, binds }
        }
        Literal::Negative(atom) => match program.relation(atom.relation).dependence {
            Dependence::Nothing => Step::StaticNot { atom: atom.clone() },
            _ => Step::DynamicNot { atom: atom.clone() },
        },
        Literal::Distinct(left, right) => {
            Step::Distinct { left: left.clone(), right: right.clone() }
        }
    }
}

fn known_places(atom: &Atom, bound: &FxHashSet<VariableId>) -> Vec<Place> {
    let mut places = Vec::new();
    for (arg, term) in atom.args.iter().enumerate() {
        if is_bound(term, bound) {
            places.push(Place::Arg(arg));
        } else if let Term::Compound(_, parts) = term {
            places.push(Place::Functor(arg));
            let known = (0..parts.len()).filter(|&part| is_bound(&parts[part], bound));
            places.extend(known.map(|part| Place::Part(arg, part)));
        }
    }
    places
}

fn is_bound(term: &Term, bound: &FxHashSet<VariableId>) -> bool {
    let mut is_bound = true;
    term.for_each_variable(&mut |id| is_bound &= bound.contains(&id));
    is_bound
}
