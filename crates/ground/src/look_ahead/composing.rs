//! Formulas of this state for what holds in the next one.

use rustc_hash::FxHashSet;

use crate::formulas::Formulas;
use crate::network::{Kind, Lit, Network};
use crate::phases::Phase;
use crate::rewrite::all_that_holds_with;

/// So many nodes may be looked at for a phase, which takes some tenths of a second.
const MAX_LOOKS: usize = 4_000_000;

/// A move that is made, of all moves of its role.
pub(super) struct Made {
    pub(super) number: usize,
    pub(super) all: std::ops::Range<usize>,
}

/// Fluents that matter, and what they are in the next state.
pub(super) struct Next<'a> {
    pub(super) used: &'a [usize],
    pub(super) after: Wanted,
}

/// Formulas of this state for what holds in the next one.
pub(super) struct Composing<'a> {
    pub(super) formulas: &'a Formulas,
    pub(super) new: Network,
    /// By input: its value in this phase, or itself.
    pub(super) inputs: Vec<Lit>,
    /// That the game has not ended yet, and what holds because of that.
    pub(super) goes_on: Lit,
    pub(super) given: FxHashSet<Lit>,
    max_parts: usize,
    /// How many more nodes may be looked at: it must not take long.
    n_looks_left: usize,
    /// By node of the network that is copied: what becomes of it.
    pub(super) lits: Vec<Lit>,
}

/// The next state: by input, when it holds; and what is given if the move is legal.
pub(super) type After = (Vec<Lit>, FxHashSet<Lit>);

impl<'a> Composing<'a> {
    pub(super) fn new(
        formulas: &'a Formulas,
        phase: &Phase,
        max_parts: usize,
    ) -> Option<Composing<'a>> {
        let old = &formulas.network;
        let new = Network::new(old.n_inputs(), old.groups().to_vec());
        let known = phase.known.iter().enumerate();
        let inputs = known.map(|(number, known)| match known {
            Some(true) => Lit::TRUE,
            Some(false) => Lit::FALSE,
            None => new.input(number),
        });
        let inputs: Vec<Lit> = inputs.collect();
        let given = FxHashSet::default();
        let mut composing = Composing {
            formulas,
            new,
            inputs: inputs.clone(),
            goes_on: Lit::TRUE,
            given: given.clone(),
            max_parts,
            n_looks_left: MAX_LOOKS,
            lits: Vec::new(),
        };
        let terminal = Wanted::new(old, vec![formulas.terminal])?;
        let terminal = composing.copy(old, &inputs, &terminal, &given)?[0];
        composing.goes_on = !terminal;
        composing.given = all_that_holds_with(&composing.new, composing.goes_on);
        Some(composing)
    }

    /// What fluents are after a move; nothing if it is never legal. `None` if that takes too many parts.
    pub(super) fn after(&mut self, made: Made, next: &Next) -> Option<Option<After>> {
        let Formulas { network, legal, next: fluents, .. } = self.formulas;
        let n_fluents = fluents.len();
        let mut inputs = self.inputs.clone();
        for other in made.all {
            inputs[n_fluents + other] = if other == made.number { Lit::TRUE } else { Lit::FALSE };
        }
        let legal = Wanted::new(network, vec![legal.as_slice()[made.number]])?;
        let legal = self.copy(network, &inputs, &legal, &FxHashSet::default())?[0];
        if legal == Lit::FALSE {
            return Some(None);
        }
        let mut given = all_that_holds_with(&self.new, legal);
        given.extend(self.given.iter().copied());
        let after = self.copy(network, &inputs, &next.after, &given)?;
        for (&fluent, lit) in next.used.iter().zip(after) {
            inputs[fluent] = lit;
        }
        Some(Some((inputs, given)))
    }

    /// The formulas `wanted` of another network where the inputs have become others, and `given` holds. `None` if
    /// there are too many parts, or it takes too long.
    pub(super) fn copy(
        &mut self,
        old: &Network,
        inputs: &[Lit],
        wanted: &Wanted,
        given: &FxHashSet<Lit>,
    ) -> Option<Vec<Lit>> {
        self.look_at(wanted.nodes.len())?;
        self.lits.resize(self.lits.len().max(old.n_nodes()), Lit::TRUE);
        for &node in &wanted.nodes {
            let new = compose(&mut self.new, old, node, &self.lits, inputs);
            self.lits[node] = where_given(new, given);
        }
        Some(wanted.lits.iter().map(|&lit| lit_in(&self.lits, lit)).collect())
    }

    /// Notes that some nodes are looked at. `None` if that takes too long, or there are too many parts already.
    pub(super) fn look_at(&mut self, n_nodes: usize) -> Option<()> {
        self.n_looks_left = self.n_looks_left.checked_sub(n_nodes)?;
        (self.new.n_parts_now() <= self.max_parts).then_some(())
    }
}

/// Formulas of a network, and the nodes that they need, in an order of evaluation.
pub(super) struct Wanted {
    pub(super) lits: Vec<Lit>,
    pub(super) nodes: Vec<usize>,
}

impl Wanted {
    /// `None` if formulas depend on each other.
    pub(super) fn new(network: &Network, lits: Vec<Lit>) -> Option<Wanted> {
        let mut is_needed = FxHashSet::default();
        let mut open: Vec<usize> = lits.iter().map(|lit| lit.node()).collect();
        while let Some(node) = open.pop() {
            if node > 0 && is_needed.insert(node) {
                open.extend(network.parts(node).iter().map(|part| part.node()));
            }
        }
        let mut nodes: Vec<usize> = is_needed.into_iter().collect();
        nodes.sort_unstable();
        let is_recursive = nodes.iter().any(|&node| network.recursion_of(node).is_some());
        (!is_recursive).then_some(Wanted { lits, nodes })
    }

    /// The fluents among `n_fluents` that they depend on.
    pub(super) fn fluents(&self, n_fluents: usize) -> Vec<usize> {
        let inputs = self.nodes.iter().take_while(|&&node| node <= n_fluents);
        inputs.map(|node| node - 1).collect()
    }
}

/// What a node of another network becomes, by what its parts, or the inputs, have become.
pub(super) fn compose(
    new: &mut Network,
    old: &Network,
    node: usize,
    lits: &[Lit],
    inputs: &[Lit],
) -> Lit {
    let mut parts: Vec<Lit> = old.parts(node).iter().map(|&part| lit_in(lits, part)).collect();
    match old.kind(node) {
        Kind::True => Lit::TRUE,
        Kind::Input => inputs[node - 1],
        Kind::And => new.and(&mut parts),
        Kind::Or => new.or(&mut parts),
    }
}

/// What a literal has become, if nodes have become `lits`.
pub(super) fn lit_in(lits: &[Lit], lit: Lit) -> Lit {
    let new = lits[lit.node()];
    if lit.is_negative() { !new } else { new }
}

/// A formula where others are given.
pub(super) fn where_given(lit: Lit, given: &FxHashSet<Lit>) -> Lit {
    if given.contains(&lit) {
        Lit::TRUE
    } else if given.contains(&!lit) {
        Lit::FALSE
    } else {
        lit
    }
}
