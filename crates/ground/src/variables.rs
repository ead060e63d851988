//! The variables of conditions.

use program::{Atom, Literal, Rule, Term, VariableId};
use rustc_hash::FxHashSet;

/// Variables of a rule.
pub(crate) type Variables = FxHashSet<VariableId>;

pub(crate) fn variables_of(literal: &Literal) -> Variables {
    match literal {
        Literal::Positive(atom) | Literal::Negative(atom) => variables_of_atom(atom),
        Literal::Distinct(left, right) => {
            let mut variables = variables_of_term(left);
            variables.extend(variables_of_term(right));
            variables
        }
    }
}

pub(crate) fn variables_of_atom(atom: &Atom) -> Variables {
    atom.args.iter().flat_map(variables_of_term).collect()
}

pub(crate) fn variables_of_term(term: &Term) -> Variables {
    let mut variables = Variables::default();
    term.for_each_variable(&mut |id| _ = variables.insert(id));
    variables
}

pub(crate) fn variables_of_body(rule: &Rule) -> Variables {
    rule.body.iter().flat_map(variables_of).collect()
}

pub(crate) fn sorted(mut variables: Vec<VariableId>) -> Vec<VariableId> {
    variables.sort_unstable();
    variables
}
