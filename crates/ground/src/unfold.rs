//! Conditions on derived static relations replaced by what they stand for.
//!
//! A condition such as "these four pieces have a property in common" ties its variables together,
//! so that the rule cannot be split. Written out, "there is a property that this piece has, and this
//! one, ...", it can.

use base::IdVec;
use program::{Atom, Dependence, Literal, Program, RelationId, Rule, Term, VariableId};

/// Conditions on fewer terms are better looked up.
const MIN_ARITY: usize = 3;
/// A rule does not grow beyond so many conditions.
const MAX_CONDITIONS: usize = 40;

/// The program with such conditions written out, if there are any; it means the same.
pub(crate) fn unfold(program: &Program) -> Option<Program> {
    let definitions: IdVec<RelationId, Option<&Rule>> =
        program.relations().ids().map(|id| definition(program, id)).collect();
    let mut editor = program.edit();
    let mut has_unfolded = false;
    for rule in editor.rules() {
        let is_static = program.relation(rule.head.relation).dependence == Dependence::Nothing;
        while !is_static && rule.body.len() < MAX_CONDITIONS {
            let definition_of = |literal: &Literal| match literal {
                Literal::Positive(atom) => definitions[atom.relation],
                _ => None,
            };
            let place = rule.body.iter().position(|literal| definition_of(literal).is_some());
            let Some(place) = place else { break };
            let definition = definition_of(&rule.body[place]).expect("it has one");
            write_out(rule, place, definition);
            has_unfolded = true;
        }
    }
    has_unfolded.then(|| editor.finish())
}

/// The only rule of a static relation, if it is not recursive and its head has nothing but different
/// variables.
fn definition(program: &Program, id: RelationId) -> Option<&Rule> {
    let relation = program.relation(id);
    let component = program.components().iter().find(|c| c.relations.contains(&id));
    let is_static = relation.dependence == Dependence::Nothing && relation.arity >= MIN_ARITY;
    if !is_static || component.is_none_or(|component| component.is_recursive) {
        return None;
    }
    let mut rules = program.rules().iter().filter(|rule| rule.head.relation == id);
    let (rule, others) = (rules.next()?, rules.next());
    let is_derived = others.is_none() && rule.body.len() > 1;
    (is_derived && has_only_variables(&rule.head)).then_some(rule)
}

/// Whether the arguments are variables that are all different.
pub(crate) fn has_only_variables(atom: &Atom) -> bool {
    let variables: Vec<Option<VariableId>> = atom.args.iter().map(variable_of).collect();
    (0..variables.len()).all(|n| variables[n].is_some() && !variables[..n].contains(&variables[n]))
}

fn variable_of(term: &Term) -> Option<VariableId> {
    match term {
        Term::Variable(id) => Some(*id),
        _ => None,
    }
}

/// Replaces the condition at `place` by the body of its definition, whose head has only variables.
pub(crate) fn write_out(rule: &mut Rule, place: usize, definition: &Rule) {
    let Literal::Positive(condition) = rule.body.remove(place) else {
        unreachable!("only positive conditions have definitions")
    };
    let mut terms: IdVec<VariableId, Option<Term>> =
        definition.variables.iter().map(|_| None).collect();
    for (parameter, arg) in definition.head.args.iter().zip(condition.args) {
        let variable = variable_of(parameter).expect("the head has only variables");
        terms[variable] = Some(arg);
    }
    for (id, &name) in definition.variables.iter_with_ids() {
        if terms[id].is_none() {
            terms[id] = Some(Term::Variable(rule.variables.push(name)));
        }
    }
    let replaced = |term: &Term| replace(term, &terms);
    let in_atom = |atom: &Atom| Atom {
        relation: atom.relation,
        args: atom.args.iter().map(replaced).collect(),
    };
    rule.body.extend(definition.body.iter().map(|literal| match literal {
        Literal::Positive(atom) => Literal::Positive(in_atom(atom)),
        Literal::Negative(atom) => Literal::Negative(in_atom(atom)),
        Literal::Distinct(left, right) => Literal::Distinct(replaced(left), replaced(right)),
    }));
}

fn replace(term: &Term, terms: &IdVec<VariableId, Option<Term>>) -> Term {
    match term {
        Term::Variable(id) => terms[*id].clone().expect("every variable has a term"),
        Term::Constant(symbol) => Term::Constant(*symbol),
        Term::Compound(functor, args) => {
            Term::Compound(*functor, args.iter().map(|arg| replace(arg, terms)).collect())
        }
    }
}
