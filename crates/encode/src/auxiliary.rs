//! Formulas as heads and bodies, and the parts of them that need a variable of their own.

use ground::{Kind, Lit, Network};

/// How the formulas that some constraints need are cut into heads and bodies: parts that are used more
/// than once get variables of their own, others are written where they are used.
#[derive(Debug)]
pub(crate) struct Auxiliaries<'a> {
    network: &'a Network,
    /// By node: how often it is used.
    uses: Vec<u32>,
    /// The gates with a variable of their own, each after its parts but for recursions.
    pub(crate) nodes: Vec<usize>,
}

impl<'a> Auxiliaries<'a> {
    /// For formulas that define something, and for others that are needed.
    pub(crate) fn new(network: &'a Network, defining: &[Lit], needed: &[Lit]) -> Auxiliaries<'a> {
        let roots = || defining.iter().chain(needed);
        let uses = uses(network, roots().copied());
        let mut auxiliaries = Auxiliaries { network, uses, nodes: Vec::new() };
        let mut is_own = vec![false; network.n_nodes()];
        let mut open: Vec<Lit> = Vec::new();
        open.extend(defining.iter().flat_map(|&lit| auxiliaries.bodies(lit)).flatten());
        open.extend(needed.iter().filter_map(|&lit| auxiliaries.all_of(lit)).flatten());
        while let Some(lit) = open.pop() {
            let node = lit.node();
            let is_gate = matches!(network.kind(node), Kind::And | Kind::Or);
            if !is_gate || std::mem::replace(&mut is_own[node], true) {
                continue;
            }
            open.extend(auxiliaries.bodies_of_node(node).into_iter().flatten());
        }
        auxiliaries.nodes = (0..network.n_nodes()).filter(|&node| is_own[node]).collect();
        auxiliaries
    }

    /// The bodies of which one holds if and only if `lit` does. What stands in them is an input, or has a
    /// variable of its own.
    pub(crate) fn bodies(&self, lit: Lit) -> Vec<Vec<Lit>> {
        let node = lit.node();
        match self.network.kind(node) {
            Kind::True if lit.is_negative() => Vec::new(),
            Kind::True => vec![Vec::new()],
            Kind::Input => vec![vec![lit]],
            _ if !self.is_written_in_place(node) => vec![vec![lit]],
            kind => {
                let parts = self.network.parts(node).iter();
                match (kind, lit.is_negative()) {
                    (Kind::Or, true) => vec![parts.map(|&part| !part).collect()],
                    (Kind::And, true) => parts.map(|&part| vec![!part]).collect(),
                    _ => self.bodies_of_node(node),
                }
            }
        }
    }

    /// The bodies of which one holds if and only if a gate does.
    pub(crate) fn bodies_of_node(&self, node: usize) -> Vec<Vec<Lit>> {
        let parts = self.network.parts(node);
        if self.network.kind(node) == Kind::And {
            return vec![parts.to_vec()];
        }
        let body = |&part: &Lit| {
            let is_conjunction = self.network.kind(part.node()) == Kind::And
                && !part.is_negative()
                && self.is_written_in_place(part.node());
            match is_conjunction {
                true => self.network.parts(part.node()).to_vec(),
                false => vec![part],
            }
        };
        parts.iter().map(body).collect()
    }

    /// Literals that all hold if and only if `lit` does. `None` if it never does.
    pub(crate) fn all_of(&self, lit: Lit) -> Option<Vec<Lit>> {
        let node = lit.node();
        let parts = || self.network.parts(node).iter().copied();
        match (self.network.kind(node), lit.is_negative()) {
            (Kind::True, is_false) => (!is_false).then(Vec::new),
            (Kind::And, false) if self.is_written_in_place(node) => Some(parts().collect()),
            (Kind::Or, true) if self.is_written_in_place(node) => {
                Some(parts().map(|part| !part).collect())
            }
            _ => Some(vec![lit]),
        }
    }

    /// Whether a gate is written where it is used, which is once.
    fn is_written_in_place(&self, node: usize) -> bool {
        self.uses[node] <= 1 && self.network.recursion_of(node).is_none()
    }
}

/// By node: how often it is part of something that `roots` are made of, or a root itself.
fn uses(network: &Network, roots: impl Iterator<Item = Lit>) -> Vec<u32> {
    let mut uses = vec![0_u32; network.n_nodes()];
    let mut open: Vec<usize> = roots.map(Lit::node).collect();
    while let Some(node) = open.pop() {
        uses[node] += 1;
        if uses[node] == 1 {
            open.extend(network.parts(node).iter().map(|part| part.node()));
        }
    }
    uses
}
