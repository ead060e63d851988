//! Programs made from programs.

use crate::graph::{Edge, Graph};
use crate::program::{Dependence, Literal, Program, Relation, RelationId, Rule};

/// A program whose rules are being replaced by others that mean the same.
///
/// Whoever edits keeps the promises of [`Program`]: rules are safe and stratified.
#[derive(Clone, Debug)]
pub struct Editor {
    program: Program,
}

impl Program {
    /// Starts to edit a copy of the program.
    pub fn edit(&self) -> Editor {
        Editor { program: self.clone() }
    }
}

impl Editor {
    /// A new relation, called `name` or nearly so.
    pub fn new_relation(&mut self, name: &str, arity: usize) -> RelationId {
        let name = self.program.symbols.fresh(name);
        let dependence = Dependence::Nothing;
        self.program.relations.push(Relation { name, arity, dependence, stratum: 0 })
    }

    /// The rules so far.
    pub fn rules(&mut self) -> &mut Vec<Rule> {
        &mut self.program.rules
    }

    /// The program with its new rules.
    pub fn finish(self) -> Program {
        let mut program = self.program;
        set_graph(&mut program);
        program
    }
}

/// Sets what follows from the rules: components, strata and dependences.
pub(crate) fn set_graph(program: &mut Program) {
    let graph = Graph::new(program.relations.len(), &edges(&program.rules));
    for id in program.relations.ids() {
        program.relations[id].dependence = graph.dependence(id);
        program.relations[id].stratum = graph.stratum(id);
    }
    program.components = graph.components();
}

/// Which relation of `rules` has conditions on which.
pub(crate) fn edges(rules: &[Rule]) -> Vec<Edge> {
    let of_rule = |rule: &Rule| {
        let head = rule.head.relation;
        let edge = |literal: &Literal| {
            let is_negative = matches!(literal, Literal::Negative(_));
            literal.relation().map(|body| Edge { head, body, is_negative })
        };
        rule.body.iter().filter_map(edge).collect::<Vec<_>>()
    };
    rules.iter().flat_map(of_rule).collect()
}
