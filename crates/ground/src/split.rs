//! Wide rules split into narrow ones, before they are instantiated.
//!
//! A rule with many variables has as many instances as its conditions have common values, though
//! its head may speak of few of them. A variable that is not in the head is projected out as soon as
//! the conditions that it stands in are joined: these become a rule of their own. Done for one
//! variable after the other, this is a tree decomposition of the rule's variable graph (as in lpopt,
//! Bichler, Morak and Woltran 2016); the order is that of the smallest cliques first.

use program::{Atom, Dependence, Editor, Literal, Program, Rule, Term, VariableId};
use rustc_hash::FxHashSet;

/// The program with its wide rules split; it means the same.
pub fn split(program: &Program) -> Program {
    let mut editor = program.edit();
    let rules = std::mem::take(editor.rules());
    let mut splitter = Splitter { editor, program, rules: Vec::new() };
    for rule in rules {
        splitter.split_rule(rule);
    }
    let Splitter { mut editor, rules, .. } = splitter;
    *editor.rules() = rules;
    editor.finish()
}

struct Splitter<'a> {
    editor: Editor,
    program: &'a Program,
    rules: Vec<Rule>,
}

/// Variables of a rule.
type Variables = FxHashSet<VariableId>;

impl Splitter<'_> {
    fn split_rule(&mut self, mut rule: Rule) {
        loop {
            let all = variables_of_body(&rule);
            let head = variables_of_atom(&rule.head);
            let Some(part) = self.best_part(&rule, &all, &head) else { break };
            rule = self.cut_out(rule, &part);
        }
        rule.compact_variables();
        self.rules.push(rule);
    }

    /// The conditions that are best made a rule of their own: those of a variable that is not in
    /// the head and has the fewest neighbours, if that leaves a narrower rule.
    fn best_part(&self, rule: &Rule, all: &Variables, head: &Variables) -> Option<Part> {
        let mut candidates: Vec<VariableId> =
            all.iter().copied().filter(|variable| !head.contains(variable)).collect();
        candidates.sort_unstable();
        let parts = candidates.into_iter().filter_map(|v| self.part_of(rule, v, head));
        let is_narrower = |part: &Part| {
            let n_inside = part.interface.len() + part.hidden.len();
            n_inside < all.len() && part.conditions.len() < rule.body.len()
        };
        parts
            .filter(is_narrower)
            .min_by_key(|part| (part.interface.len(), part.hidden.len(), part.conditions.clone()))
    }

    /// The conditions that `variable` stands in. Variables that stand in no others go with it.
    fn part_of(&self, rule: &Rule, variable: VariableId, head: &Variables) -> Option<Part> {
        let holds = |literal: &Literal, v: VariableId| variables_of(literal).contains(&v);
        let mut conditions: Vec<usize> =
            (0..rule.body.len()).filter(|&place| holds(&rule.body[place], variable)).collect();
        // What binds the variables of tests must be there too.
        let mut binders = Vec::new();
        for variable in self.unbound(rule, &conditions) {
            binders.push(self.binder(rule, variable)?);
        }
        let inside: Variables =
            conditions.iter().chain(&binders).flat_map(|&p| variables_of(&rule.body[p])).collect();
        let outside: Variables = (0..rule.body.len())
            .filter(|place| !conditions.contains(place))
            .flat_map(|place| variables_of(&rule.body[place]))
            .collect();
        let (interface, hidden): (Vec<VariableId>, Vec<VariableId>) =
            inside.into_iter().partition(|v| head.contains(v) || outside.contains(v));
        conditions.sort_unstable();
        binders.retain(|binder| !conditions.contains(binder));
        binders.sort_unstable();
        binders.dedup();
        Some(Part { conditions, binders, interface: sorted(interface), hidden: sorted(hidden) })
    }

    /// The variables of tests among `conditions` that no positive one of these binds.
    fn unbound(&self, rule: &Rule, conditions: &[usize]) -> Vec<VariableId> {
        let mut bound = Variables::default();
        let mut needed = Variables::default();
        for &place in conditions {
            let of_literal = variables_of(&rule.body[place]);
            match &rule.body[place] {
                Literal::Positive(_) => bound.extend(of_literal),
                _ => needed.extend(of_literal),
            }
        }
        sorted(needed.into_iter().filter(|variable| !bound.contains(variable)).collect())
    }

    /// A positive condition with `variable`, one that is always the same if there is.
    fn binder(&self, rule: &Rule, variable: VariableId) -> Option<usize> {
        let binds = |place: &usize| {
            let literal = &rule.body[*place];
            matches!(literal, Literal::Positive(_)) && variables_of(literal).contains(&variable)
        };
        let is_dynamic = |place: &usize| {
            let relation = rule.body[*place].relation().expect("it is an atom");
            let known = self.program.relations().get(relation);
            known.is_none_or(|relation| relation.dependence > Dependence::Nothing)
        };
        (0..rule.body.len()).filter(binds).min_by_key(is_dynamic)
    }

    /// Makes `part` of `rule` a rule of its own, and returns the rest.
    fn cut_out(&mut self, rule: Rule, part: &Part) -> Rule {
        let head = self.editor.new_relation("part", part.interface.len());
        let args = part.interface.iter().copied().map(Term::Variable).collect();
        let atom = Atom { relation: head, args };
        let places = part.conditions.iter().chain(&part.binders);
        let body = places.map(|&place| rule.body[place].clone()).collect();
        let mut cut =
            Rule { head: atom.clone(), body, variables: rule.variables.clone(), span: rule.span };
        cut.compact_variables();
        self.rules.push(cut);
        let kept = (0..rule.body.len()).filter(|place| !part.conditions.contains(place));
        let mut body: Vec<Literal> = kept.map(|place| rule.body[place].clone()).collect();
        body.push(Literal::Positive(atom));
        Rule { body, ..rule }
    }
}

/// Some conditions of a rule, by their places.
struct Part {
    conditions: Vec<usize>,
    /// Conditions that stay in the rule too, and are repeated to bind variables of tests.
    binders: Vec<usize>,
    /// The variables that the rest of the rule has too.
    interface: Vec<VariableId>,
    /// Those that it has not.
    hidden: Vec<VariableId>,
}

fn sorted(mut variables: Vec<VariableId>) -> Vec<VariableId> {
    variables.sort_unstable();
    variables
}

fn variables_of(literal: &Literal) -> Variables {
    match literal {
        Literal::Positive(atom) | Literal::Negative(atom) => variables_of_atom(atom),
        Literal::Distinct(left, right) => {
            let mut variables = Variables::default();
            left.for_each_variable(&mut |id| _ = variables.insert(id));
            right.for_each_variable(&mut |id| _ = variables.insert(id));
            variables
        }
    }
}

fn variables_of_atom(atom: &Atom) -> Variables {
    let mut variables = Variables::default();
    for arg in &atom.args {
        arg.for_each_variable(&mut |id| _ = variables.insert(id));
    }
    variables
}

fn variables_of_body(rule: &Rule) -> Variables {
    rule.body.iter().flat_map(variables_of).collect()
}
