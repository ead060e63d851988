//! What constraints take away from the domains of their variables.

mod binary_table;
mod compact_table;
mod element;
mod formula;
mod founded;
mod linear;
mod needs;
pub(crate) mod soft_table;
mod sparse_table;

use crate::network::{Constraint, Element, Founded, Linear, VarId};
use crate::store::{Failed, Store};
use binary_table::BinaryTable;
use compact_table::CompactTable;
use formula::Completion;
use needs::NeedsPropagator;
use sparse_table::SparseTable;

/// What a hard constraint does to domains.
#[derive(Clone, Debug)]
pub(crate) enum Propagator {
    Binary(BinaryTable),
    Table(CompactTable),
    Sparse(SparseTable),
    Formula(Completion),
    Needs(NeedsPropagator),
    Founded(Founded),
    Linear(Linear),
    Element(Element),
}

impl Propagator {
    pub(crate) fn new(constraint: &Constraint, store: &Store) -> Propagator {
        match constraint {
            Constraint::Table(table) => {
                let binary = BinaryTable::new(table, store).map(Propagator::Binary);
                let compact = || CompactTable::new(table, store).map(Propagator::Table);
                let sparse = || Propagator::Sparse(SparseTable::new(table));
                binary.or_else(compact).unwrap_or_else(sparse)
            }
            Constraint::Formula(formula) => Propagator::Formula(Completion::new(formula)),
            Constraint::Needs(needs) => Propagator::Needs(NeedsPropagator::new(needs)),
            Constraint::Founded(founded) => Propagator::Founded(founded.clone()),
            Constraint::Linear(linear) => Propagator::Linear(linear.clone()),
            Constraint::Element(element) => Propagator::Element(element.clone()),
        }
    }

    pub(crate) fn scope(&self) -> &[VarId] {
        match self {
            Propagator::Binary(table) => table.scope(),
            Propagator::Table(table) => table.scope(),
            Propagator::Sparse(table) => table.scope(),
            Propagator::Formula(completion) => completion.scope(),
            Propagator::Needs(needs) => needs.scope(),
            Propagator::Founded(founded) => founded.scope(),
            Propagator::Linear(linear) => linear.scope(),
            Propagator::Element(element) => element.scope(),
        }
    }

    /// Takes values away that no solution of the constraint has.
    pub(crate) fn propagate(&mut self, store: &mut Store) -> Result<(), Failed> {
        match self {
            Propagator::Binary(table) => table.propagate(store),
            Propagator::Table(table) => table.propagate(store),
            Propagator::Sparse(table) => table.propagate(store),
            Propagator::Formula(completion) => completion.propagate(store),
            Propagator::Needs(needs) => needs.propagate(store),
            Propagator::Founded(founded) => founded::propagate(founded, store),
            Propagator::Linear(linear) => linear::propagate(linear, store),
            Propagator::Element(element) => element::propagate(element, store),
        }
    }

    /// Whether every value that it leaves has a solution of the constraint, so that a second look
    /// takes nothing more away.
    pub(crate) fn is_exact(&self) -> bool {
        matches!(self, Propagator::Binary(_) | Propagator::Table(_) | Propagator::Sparse(_))
    }

    /// Notes that the variable at a position of the scope has changed, for the next look.
    #[inline]
    pub(crate) fn note(&mut self, position: u32) {
        match self {
            Propagator::Binary(table) => table.note(position),
            Propagator::Table(table) => table.note(position),
            Propagator::Formula(completion) => completion.note(position),
            Propagator::Needs(needs) => needs.note(position),
            _ => {}
        }
    }

    /// Forgets what was noted: it is undone.
    pub(crate) fn forget_notes(&mut self) {
        match self {
            Propagator::Binary(table) => table.forget_notes(),
            Propagator::Table(table) => table.forget_notes(),
            Propagator::Formula(completion) => completion.forget_notes(),
            Propagator::Needs(needs) => needs.forget_notes(),
            _ => {}
        }
    }

    /// Prepares for a level of search. Whether [`Propagator::leave_level`] must be called when it is
    /// left.
    pub(crate) fn enter_level(&mut self, level: usize) -> bool {
        match self {
            Propagator::Table(table) => table.begin_list(level),
            Propagator::Sparse(table) => table.enter_level(level),
            Propagator::Formula(completion) => completion.enter_level(level),
            _ => false,
        }
    }

    pub(crate) fn leave_level(&mut self) {
        match self {
            Propagator::Table(table) => table.pop_list(),
            Propagator::Sparse(table) => table.leave_level(),
            Propagator::Formula(completion) => completion.leave_level(),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use base::{Rng, seeded_rng};
    use rand::RngExt as _;

    use super::*;
    use crate::network::{Network, NetworkBuilder, Relation};

    /// Networks with one constraint of each kind, drawn at random.
    fn random_networks(rng: &mut Rng) -> Vec<Network> {
        let mut builder = NetworkBuilder::new(1);
        let mut decide =
            |name: &str| builder.decision(name, 0..=rng.random_range(0..=4)).expect("well formed");
        let vars = [decide("a"), decide("b"), decide("c"), decide("d")];
        let literal = |rng: &mut Rng| {
            let var = vars[rng.random_range(0..vars.len())];
            let literal = builder.literal(var, 0).expect("all have 0");
            if rng.random_range(0..2) == 0 { literal } else { !literal }
        };
        let head = literal(rng);
        let bodies: Vec<Vec<_>> = (0..3).map(|_| (0..2).map(|_| literal(rng)).collect()).collect();
        let relations = [Relation::AtMost, Relation::Equal, Relation::AtLeast];
        let relation = relations[rng.random_range(0..relations.len())];
        let factors = vars.map(|var| (rng.random_range(-3..=3), var));
        let constant = rng.random_range(-4..=6);
        let percent = rng.random_range(5..=60);
        let allowed: Vec<bool> = (0..625).map(|_| rng.random_range(0..100) < percent).collect();
        let allows = |v: &[i64]| allowed[v.iter().fold(0, |n, &value| n * 5 + value as usize)];
        let needs: Vec<(i64, Vec<_>)> = builder
            .values(vars[0])
            .iter()
            .map(|&value| (value, (0..2).map(|_| literal(rng)).collect()))
            .collect();
        let rules: Vec<(_, Vec<_>)> =
            (0..5).map(|_| (literal(rng), (0..2).map(|_| literal(rng)).collect())).collect();
        let [mut table, mut binary, mut formula, mut linear, mut element] =
            [(); 5].map(|()| builder.clone());
        let [mut needing, mut founded] = [(); 2].map(|()| builder.clone());
        needing.needs(vars[0], needs).expect("well formed");
        founded.founded(rules).expect("well formed");
        table.hard(&vars, allows).expect("well formed");
        binary.hard(&vars[1..3], allows).expect("well formed");
        formula.formula(head, bodies).expect("well formed");
        linear.linear(&factors, relation, constant).expect("well formed");
        element.element(&vars[..2], vars[2], vars[3]).expect("well formed");
        [table, binary, formula, linear, element, needing, founded]
            .map(NetworkBuilder::build)
            .to_vec()
    }

    /// By variable and value: whether a solution of the constraint within the domains has it.
    fn supported(network: &Network, store: &Store) -> Vec<Vec<bool>> {
        let vars: Vec<VarId> = network.variables().ids().collect();
        let size = |var: VarId| network.variables()[var].domain.len();
        let mut found: Vec<Vec<bool>> = vars.iter().map(|&var| vec![false; size(var)]).collect();
        for solution in crate::enumeration::all_solutions(network) {
            let mut values = vars.iter().zip(&solution);
            if values.all(|(&var, &value)| store.has(var, value as usize)) {
                for (var, &value) in solution.iter().enumerate() {
                    found[var][value as usize] = true;
                }
            }
        }
        found
    }

    /// What is taken away has no solution, and what is left has one where that is promised; once all
    /// variables are fixed, a constraint that is violated fails.
    #[test]
    fn propagators_take_away_what_has_no_solution() {
        let mut rng = seeded_rng(4);
        for round in 0..3_000 {
            for network in random_networks(&mut rng) {
                let sizes = network.variables().iter().map(|variable| variable.domain.len());
                let mut store = Store::new(sizes);
                let constraint = &network.constraints()[0];
                let mut propagator = match constraint {
                    // Tables that are small are never looked at tuple by tuple otherwise.
                    Constraint::Table(table) if round % 2 == 0 => {
                        Propagator::Sparse(SparseTable::new(table))
                    }
                    _ => Propagator::new(constraint, &store),
                };
                let vars: Vec<VarId> = network.variables().ids().collect();
                for level in 0..4 {
                    let expected = supported(&network, &store);
                    let is_fixed = vars.iter().all(|&var| store.is_fixed(var));
                    propagator.enter_level(store.n_levels());
                    if propagator.propagate(&mut store).is_err() {
                        assert!(!expected[0].contains(&true), "round {round}, level {level}");
                        break;
                    }
                    assert!(!is_fixed || expected[0].contains(&true), "round {round}");
                    for (&var, expected) in vars.iter().zip(&expected) {
                        for (value, &is_supported) in expected.iter().enumerate() {
                            let is_left = store.has(var, value);
                            assert!(is_left || !is_supported, "round {round}, level {level}");
                            assert!(!is_left || is_supported || !propagator.is_exact());
                        }
                    }
                    store.push_level();
                    let var = vars[rng.random_range(0..vars.len())];
                    let value = store.values(var).nth(rng.random_range(0..store.size(var)));
                    let _ = store.fix(var, value.expect("it has as many"));
                    while let Some(changed) = store.pop_changed() {
                        let mut scope = propagator.scope().iter();
                        if let Some(position) = scope.position(|var| *var == changed) {
                            propagator.note(position as u32);
                        }
                    }
                }
            }
        }
    }
}
