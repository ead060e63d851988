//! How a rule is joined: in which order its conditions are looked at, and by which index.

use program::{Atom, Dependence, Literal, Program, Rule, Term, VariableId};
use rustc_hash::FxHashSet;

use crate::table::Place;

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

impl Plan {
    /// A join that begins with the condition at `first`, or where it likes.
    pub(crate) fn new(rule: &Rule, first: Option<usize>, program: &Program) -> Plan {
        let mut open: Vec<usize> = (0..rule.body.len()).collect();
        let mut bound = FxHashSet::default();
        let mut steps = Vec::with_capacity(open.len());
        if let Some(first) = first {
            open.retain(|&place| place != first);
            steps.push(step(rule, first, &mut bound, program));
        }
        while !open.is_empty() {
            let best = next_condition(rule, &open, &bound, program);
            steps.push(step(rule, open.remove(best), &mut bound, program));
        }
        Plan { steps }
    }
}

/// Tests as soon as they can be decided, then the condition of which most is known.
fn next_condition(
    rule: &Rule,
    open: &[usize],
    bound: &FxHashSet<VariableId>,
    program: &Program,
) -> usize {
    let rank = |&place: &usize| match &rule.body[place] {
        Literal::Positive(atom) => {
            let (n_known, n_unknown) = known_and_unknown(atom, bound);
            let is_static = program.relation(atom.relation).dependence == Dependence::Nothing;
            // A condition that nothing is known of multiplies; static ones are smaller.
            Some((1, n_unknown == 0, n_known > 0, -n_unknown, is_static))
        }
        Literal::Negative(atom) => {
            let is_ready = atom.args.iter().all(|arg| is_bound(arg, bound));
            is_ready.then_some((2, true, true, 0, true))
        }
        Literal::Distinct(left, right) => {
            let is_ready = is_bound(left, bound) && is_bound(right, bound);
            is_ready.then_some((2, true, true, 0, true))
        }
    };
    let best = (0..open.len()).rev().max_by_key(|&n| rank(&open[n]));
    best.expect("a safe rule has a condition that can be looked at")
}

fn step(rule: &Rule, place: usize, bound: &mut FxHashSet<VariableId>, program: &Program) -> Step {
    match &rule.body[place] {
        Literal::Positive(atom) => {
            let places = known_places(atom, bound);
            for arg in &atom.args {
                arg.for_each_variable(&mut |id| _ = bound.insert(id));
            }
            Step::Join { literal: place, atom: atom.clone(), places, index: 0 }
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

/// How many arguments, or parts of arguments, are known and unknown.
fn known_and_unknown(atom: &Atom, bound: &FxHashSet<VariableId>) -> (i32, i32) {
    let (mut n_known, mut n_unknown) = (0, 0);
    let mut count = |term: &Term| match is_bound(term, bound) {
        true => n_known += 1,
        false => n_unknown += 1,
    };
    for arg in &atom.args {
        match arg {
            Term::Compound(_, parts) => parts.iter().for_each(&mut count),
            _ => count(arg),
        }
    }
    (n_known, n_unknown)
}

fn is_bound(term: &Term, bound: &FxHashSet<VariableId>) -> bool {
    let mut is_bound = true;
    term.for_each_variable(&mut |id| is_bound &= bound.contains(&id));
    is_bound
}
