//! Whether a condition follows from another, whatever the state.

use batsat::{Lit as SatLit, Solver, SolverInterface as _, lbool};
use rustc_hash::FxHashMap;

use crate::network::{Kind, Lit, Network};
use crate::prove::{Budget, options};

/// Conditions that depend on more nodes are not looked at.
const MAX_NODES: usize = 50_000;

/// Whether `conclusion` holds wherever all of `premises` do, as far as that can be proved with little work.
pub(crate) fn implies(network: &Network, premises: &[Lit], conclusion: Lit) -> bool {
    let mut clauses = Clauses {
        network,
        solver: Solver::new(options(), Budget::default()),
        lits: FxHashMap::default(),
        open: Vec::new(),
    };
    let mut assumed: Vec<SatLit> = premises.iter().map(|&lit| clauses.lit(lit)).collect();
    assumed.push(!clauses.lit(conclusion));
    clauses.define_all() && clauses.solver.solve_limited(&assumed) == lbool::FALSE
}

/// Conditions as clauses.
struct Clauses<'a> {
    network: &'a Network,
    solver: Solver<Budget>,
    /// By node: its literal.
    lits: FxHashMap<usize, SatLit>,
    /// The nodes whose meaning was not said yet.
    open: Vec<usize>,
}

impl Clauses<'_> {
    fn lit(&mut self, lit: Lit) -> SatLit {
        let node = *self.lits.entry(lit.node()).or_insert_with(|| {
            self.open.push(lit.node());
            SatLit::new(self.solver.new_var_default(), true)
        });
        if lit.is_negative() { !node } else { node }
    }

    /// Says what all nodes mean. Recursions are allowed more than their smallest values, so less is proved, and
    /// nothing wrong. Whether there are few enough.
    fn define_all(&mut self) -> bool {
        while let Some(node) = self.open.pop() {
            if self.lits.len() > MAX_NODES {
                return false;
            }
            let target = self.lit(Lit::of_node(node));
            let is_and = match self.network.kind(node) {
                Kind::Input => continue,
                Kind::True | Kind::And => true,
                Kind::Or => false,
            };
            // A conjunction is the negation of the disjunction of the negations.
            let sign = |lit: SatLit| if is_and { !lit } else { lit };
            let parts = self.network.parts(node);
            let parts: Vec<SatLit> = parts.iter().map(|&part| sign(self.lit(part))).collect();
            for &part in &parts {
                self.solver.add_clause_reuse(&mut vec![!part, sign(target)]);
            }
            self.solver.add_clause_reuse(&mut parts.into_iter().chain([!sign(target)]).collect());
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_implies_the_whole_but_not_the_other_way_round() {
        let mut network = Network::new(4, Vec::new());
        let [a, b, c, d] = [0, 1, 2, 3].map(|n| network.input(n));
        let ab = network.and(&mut vec![a, b]);
        let any = network.or(&mut vec![ab, c]);
        let more = network.or(&mut vec![a, c, d]);
        assert!(implies(&network, &[ab], any) && !implies(&network, &[any], ab));
        assert!(implies(&network, &[any], more) && !implies(&network, &[more], any));
        assert!(implies(&network, &[!more], !any) && implies(&network, &[Lit::FALSE], a));
        assert!(implies(&network, &[a], Lit::TRUE) && !implies(&network, &[Lit::TRUE], a));
        assert!(implies(&network, &[more, !c, !d], a) && !implies(&network, &[more, !c], a));
    }
}
