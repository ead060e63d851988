//! Clark completions, without writing them out as tables.

use crate::network::{Formula, Literal, VarId};
use crate::store::{Failed, Store};

/// A head that holds if and only if one of its bodies does.
///
/// It remembers which bodies are false, and looks again only at those with a variable that has
/// changed, so that a rule with many causes costs no more than what happens to it.
#[derive(Clone, Debug)]
pub(crate) struct Completion {
    formula: Formula,
    /// By variable of the scope: the bodies that it is in.
    bodies_of: Vec<Vec<u32>>,
    head_position: u32,
    has_empty_body: bool,
    /// By body: whether it is known to be false; and how many are not.
    is_false: Vec<bool>,
    n_possible: usize,
    /// The variables, by their positions in the scope, that have changed since the last look; all at
    /// first.
    changed: Vec<u32>,
    /// The bodies that became false, one level behind the other; and for each level its number and
    /// how many there were before.
    trail: Vec<u32>,
    levels: Vec<(usize, usize)>,
}

/// What is known of a literal, or of a body.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Truth {
    False,
    True,
    Open,
}

impl Completion {
    pub(crate) fn new(formula: &Formula) -> Completion {
        let scope = formula.scope();
        let position = |var: VarId| scope.binary_search(&var).expect("the scope has all variables");
        let mut bodies_of: Vec<Vec<u32>> = vec![Vec::new(); scope.len()];
        for (number, body) in (0..).zip(&formula.bodies) {
            for literal in body {
                let bodies = &mut bodies_of[position(literal.var)];
                if bodies.last() != Some(&number) {
                    bodies.push(number);
                }
            }
        }
        Completion {
            bodies_of,
            head_position: position(formula.head.var) as u32,
            has_empty_body: formula.bodies.iter().any(Vec::is_empty),
            is_false: vec![false; formula.bodies.len()],
            n_possible: formula.bodies.len(),
            changed: (0..scope.len() as u32).collect(),
            trail: Vec::new(),
            levels: vec![(0, 0)],
            formula: formula.clone(),
        }
    }

    pub(crate) fn scope(&self) -> &[VarId] {
        self.formula.scope()
    }

    /// Notes that the variable at a position of the scope has changed.
    pub(crate) fn note(&mut self, position: u32) {
        self.changed.push(position);
    }

    pub(crate) fn forget_notes(&mut self) {
        self.changed.clear();
    }

    /// What becomes false from now on is forgotten with the level. Whether it was not so already.
    pub(crate) fn enter_level(&mut self, level: usize) -> bool {
        let &(last, _) = self.levels.last().expect("the first level stays");
        if last == level {
            return false;
        }
        self.levels.push((level, self.trail.len()));
        true
    }

    pub(crate) fn leave_level(&mut self) {
        let (_, start) = self.levels.pop().expect("a level that was left was entered");
        self.n_possible += self.trail.len() - start;
        for body in self.trail.drain(start..) {
            self.is_false[body as usize] = false;
        }
    }

    /// Takes away the values with which the head and the bodies would disagree, as far as single
    /// bodies show it.
    pub(crate) fn propagate(&mut self, store: &mut Store) -> Result<(), Failed> {
        let is_head_changed = self.changed.contains(&self.head_position);
        while let Some(position) = self.changed.pop() {
            for n in 0..self.bodies_of[position as usize].len() {
                self.look_at(self.bodies_of[position as usize][n], store)?;
            }
        }
        let head = self.formula.head;
        match truth(head, store) {
            _ if self.n_possible == 0 => assert(!head, store),
            // A body without literals is true.
            Truth::Open | Truth::False if self.has_empty_body => assert(head, store),
            Truth::Open => Ok(()),
            Truth::False if is_head_changed => self.refute_all(store),
            Truth::False => Ok(()),
            Truth::True if self.n_possible == 1 => self.assert_only_body(store),
            Truth::True => Ok(()),
        }
    }

    /// Looks again at a body of which a variable has changed.
    fn look_at(&mut self, number: u32, store: &mut Store) -> Result<(), Failed> {
        if self.is_false[number as usize] {
            return Ok(());
        }
        let body = &self.formula.bodies[number as usize];
        match truth_of_body(body, store) {
            Truth::True => assert(self.formula.head, store),
            Truth::Open if truth(self.formula.head, store) == Truth::False => refute(body, store),
            Truth::Open => Ok(()),
            Truth::False => {
                self.is_false[number as usize] = true;
                self.n_possible -= 1;
                self.trail.push(number);
                Ok(())
            }
        }
    }

    fn refute_all(&self, store: &mut Store) -> Result<(), Failed> {
        let bodies = self.formula.bodies.iter().zip(&self.is_false);
        let mut possible = bodies.filter(|(_, is_false)| !**is_false);
        possible.try_for_each(|(body, _)| match truth_of_body(body, store) {
            Truth::Open => refute(body, store),
            Truth::True => Err(Failed),
            Truth::False => Ok(()),
        })
    }

    fn assert_only_body(&self, store: &mut Store) -> Result<(), Failed> {
        let only = self.is_false.iter().position(|is_false| !is_false);
        let body = &self.formula.bodies[only.expect("one is possible")];
        body.iter().try_for_each(|&literal| assert(literal, store))
    }
}

pub(super) fn truth(literal: Literal, store: &Store) -> Truth {
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

fn truth_of_body(body: &[Literal], store: &Store) -> Truth {
    let mut is_open = false;
    for &literal in body {
        match truth(literal, store) {
            Truth::False => return Truth::False,
            Truth::Open => is_open = true,
            Truth::True => {}
        }
    }
    if is_open { Truth::Open } else { Truth::True }
}

/// Makes a body false that is open, if only one of its literals can still be.
fn refute(body: &[Literal], store: &mut Store) -> Result<(), Failed> {
    let mut open = body.iter().copied().filter(|&literal| truth(literal, store) == Truth::Open);
    match (open.next(), open.next()) {
        (Some(only), None) => assert(!only, store),
        _ => Ok(()),
    }
}

pub(super) fn assert(literal: Literal, store: &mut Store) -> Result<(), Failed> {
    match literal.is_equal {
        true => store.fix(literal.var, literal.value as usize),
        false => store.remove(literal.var, literal.value as usize),
    }
}
