//! Clark completions, without writing them out as tables.

use crate::network::{Formula, Literal, VarId};
use crate::store::{Failed, Store};

/// A head that holds if and only if one of its bodies does.
///
/// Each body remembers a literal that was false. As long as it is, the body needs no second look.
#[derive(Clone, Debug)]
pub(crate) struct Completion {
    formula: Formula,
    /// By body: the literal that was false last.
    witnesses: Vec<u32>,
}

/// What is known of a literal, or of a body.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Truth {
    False,
    True,
    Open,
}

impl Completion {
    pub(crate) fn new(formula: &Formula) -> Completion {
        Completion { formula: formula.clone(), witnesses: vec![0; formula.bodies.len()] }
    }

    pub(crate) fn scope(&self) -> &[VarId] {
        self.formula.scope()
    }

    /// Takes away the values with which the head and the bodies would disagree, as far as single
    /// bodies show it.
    pub(crate) fn propagate(&mut self, store: &mut Store) -> Result<(), Failed> {
        let head = truth(self.formula.head, store);
        let mut open: Option<usize> = None;
        let mut n_open = 0;
        for (number, body) in self.formula.bodies.iter().enumerate() {
            match truth_of_body(body, &mut self.witnesses[number], store) {
                Truth::False => {}
                Truth::True => return assert(self.formula.head, store),
                Truth::Open if head == Truth::False => refute(body, store)?,
                Truth::Open => {
                    n_open += 1;
                    open = Some(number);
                    if n_open > 1 && head == Truth::Open {
                        return Ok(());
                    }
                }
            }
        }
        match (head, open) {
            (Truth::False, _) => Ok(()),
            (_, None) => assert(!self.formula.head, store),
            (Truth::True, Some(number)) if n_open == 1 => {
                let mut body = self.formula.bodies[number].iter();
                body.try_for_each(|&literal| assert(literal, store))
            }
            _ => Ok(()),
        }
    }
}

fn truth(literal: Literal, store: &Store) -> Truth {
    let has_value = store.has(literal.var, literal.value as usize);
    let is_equal = match has_value {
        false => Truth::False,
        true if store.is_fixed(literal.var) => Truth::True,
        true => Truth::Open,
    };
    match (is_equal, literal.is_equal) {
        (Truth::Open, _) => Truth::Open,
        (truth, true) => truth,
        (Truth::True, false) => Truth::False,
        (Truth::False, false) => Truth::True,
    }
}

fn truth_of_body(body: &[Literal], witness: &mut u32, store: &Store) -> Truth {
    let is_false = |literal: &Literal| truth(*literal, store) == Truth::False;
    if body.get(*witness as usize).is_some_and(is_false) {
        return Truth::False;
    }
    if let Some(found) = body.iter().position(is_false) {
        *witness = found as u32;
        return Truth::False;
    }
    let is_true = |literal: &Literal| truth(*literal, store) == Truth::True;
    if body.iter().all(is_true) { Truth::True } else { Truth::Open }
}

/// Makes a body false that is open, if only one of its literals can still be.
fn refute(body: &[Literal], store: &mut Store) -> Result<(), Failed> {
    let mut open = body.iter().copied().filter(|&literal| truth(literal, store) == Truth::Open);
    match (open.next(), open.next()) {
        (Some(only), None) => assert(!only, store),
        _ => Ok(()),
    }
}

fn assert(literal: Literal, store: &mut Store) -> Result<(), Failed> {
    match literal.is_equal {
        true => store.fix(literal.var, literal.value as usize),
        false => store.remove(literal.var, literal.value as usize),
    }
}
