//! In which order the conditions of a rule are looked at.

use program::{Atom, Literal, Rule, Term, VariableId};
use rustc_hash::FxHashSet;

use super::table::Place;

/// A rule with its conditions in an order in which each can be decided.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) head: Atom,
    pub(super) steps: Vec<Step>,
    pub(super) n_variables: usize,
}

/// A condition.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// Some row of the relation fits; the terms at `places` are known by then.
    Some(Atom, Vec<Place>),
    /// The atom, which is ground by then, does not hold.
    None(Atom),
    /// The terms, which are ground by then, differ.
    Differ(Term, Term),
}

impl Plan {
    pub(super) fn new(rule: &Rule) -> Plan {
        let mut open: Vec<&Literal> = rule.body.iter().collect();
        let mut bound = FxHashSet::default();
        let mut steps = Vec::with_capacity(open.len());
        while !open.is_empty() {
            let place = next_literal(&open, &bound);
            steps.push(step(open.remove(place), &mut bound));
        }
        Plan { head: rule.head.clone(), steps, n_variables: rule.variables.len() }
    }
}

/// Tests as soon as they can be decided, else the condition of which most is known.
fn next_literal(open: &[&Literal], bound: &FxHashSet<VariableId>) -> usize {
    let is_known = |term: &Term| is_bound(term, bound);
    let is_test = |literal: &&Literal| match literal {
        Literal::Positive(_) => false,
        Literal::Negative(atom) => atom.args.iter().all(is_known),
        Literal::Distinct(left, right) => is_known(left) && is_known(right),
    };
    if let Some(place) = open.iter().position(is_test) {
        return place;
    }
    let n_known = |literal: &Literal| match literal {
        Literal::Positive(atom) => {
            let n_known = known_places(atom, bound).len();
            Some((n_known == n_places(atom), n_known))
        }
        _ => None,
    };
    let best = (0..open.len()).rev().max_by_key(|&place| n_known(open[place]));
    best.expect("a safe rule has a positive condition left")
}

fn step(literal: &Literal, bound: &mut FxHashSet<VariableId>) -> Step {
    match literal {
        Literal::Positive(atom) => {
            let places = known_places(atom, bound);
            for arg in &atom.args {
                arg.for_each_variable(&mut |id| _ = bound.insert(id));
            }
            Step::Some(atom.clone(), places)
        }
        Literal::Negative(atom) => Step::None(atom.clone()),
        Literal::Distinct(left, right) => Step::Differ(left.clone(), right.clone()),
    }
}

/// The places of `atom` whose terms are known, down to the arguments of arguments.
fn known_places(atom: &Atom, bound: &FxHashSet<VariableId>) -> Vec<Place> {
    let mut places = Vec::new();
    for (argument, term) in atom.args.iter().enumerate() {
        if is_bound(term, bound) {
            places.push((argument, None));
        } else if let Term::Compound(_, parts) = term {
            let known = parts.iter().enumerate().filter(|(_, part)| is_bound(part, bound));
            places.extend(known.map(|(part, _)| (argument, Some(part))));
        }
    }
    places
}

fn n_places(atom: &Atom) -> usize {
    let of_term = |term: &Term| match term {
        Term::Compound(_, parts) => parts.len(),
        _ => 1,
    };
    atom.args.iter().map(of_term).sum()
}

fn is_bound(term: &Term, bound: &FxHashSet<VariableId>) -> bool {
    let mut is_bound = true;
    term.for_each_variable(&mut |id| is_bound &= bound.contains(&id));
    is_bound
}
