//! In which order the nodes of a network are evaluated.

use ground::{Kind, Lit, Network};

/// The nodes that some formulas need, in an order of evaluation.
#[derive(Clone, Debug)]
pub(crate) struct Schedule {
    blocks: Vec<Block>,
    is_scheduled: Vec<bool>,
}

/// Nodes that are evaluated in turn; those of a recursion until nothing changes.
#[derive(Clone, Debug)]
struct Block {
    nodes: Vec<u32>,
    is_recursive: bool,
}

impl Schedule {
    /// The nodes that `wanted` needs, but for those of `before`, which were evaluated already.
    pub(crate) fn new(
        network: &Network,
        wanted: impl Iterator<Item = Lit>,
        before: Option<&Schedule>,
    ) -> Schedule {
        let mut is_needed = vec![false; network.n_nodes()];
        let mut open: Vec<usize> = wanted.map(Lit::node).collect();
        while let Some(node) = open.pop() {
            let is_known = before.is_some_and(|before| before.is_scheduled[node]);
            if !is_known && !std::mem::replace(&mut is_needed[node], true) {
                open.extend(network.parts(node).iter().map(|part| part.node()));
            }
        }
        let is_gate = |&node: &usize| matches!(network.kind(node), Kind::And | Kind::Or);
        let nodes: Vec<usize> =
            (0..network.n_nodes()).filter(|&n| is_needed[n]).filter(is_gate).collect();
        let blocks = blocks(network, &nodes);
        let mut is_scheduled =
            before.map_or(vec![false; is_needed.len()], |b| b.is_scheduled.clone());
        nodes.iter().for_each(|&node| is_scheduled[node] = true);
        Schedule { blocks, is_scheduled }
    }

    /// The same nodes, and others that will have been evaluated as well.
    pub(crate) fn with(&self, others: impl Iterator<Item = usize>) -> Schedule {
        let mut with = self.clone();
        others.for_each(|node| with.is_scheduled[node] = true);
        with
    }

    /// The nodes in their order, and whether they are those of a recursion.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = (&[u32], bool)> {
        self.blocks.iter().map(|block| (block.nodes.as_slice(), block.is_recursive))
    }

    /// The nodes in their order.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = usize> {
        self.blocks.iter().flat_map(|block| &block.nodes).map(|&node| node as usize)
    }

    /// Whether a node is evaluated, here or before.
    pub(crate) fn has(&self, node: usize) -> bool {
        self.is_scheduled[node]
    }

    /// How many parts the nodes have: what evaluation costs.
    pub(crate) fn n_parts(&self, network: &Network) -> usize {
        self.nodes().map(|node| network.parts(node).len()).sum()
    }

    /// Evaluates the nodes for one state; `values` has those of the inputs.
    pub(crate) fn run(&self, network: &Network, values: &mut [bool]) {
        for block in &self.blocks {
            if block.is_recursive {
                block.nodes.iter().for_each(|&node| values[node as usize] = false);
            }
            loop {
                let mut has_changed = false;
                for &node in &block.nodes {
                    let value = evaluate(network, node as usize, values);
                    has_changed |= value != values[node as usize];
                    values[node as usize] = value;
                }
                if !block.is_recursive || !has_changed {
                    break;
                }
            }
        }
    }
}

fn evaluate(network: &Network, node: usize, values: &[bool]) -> bool {
    let holds = |part: &Lit| values[part.node()] != part.is_negative();
    match network.kind(node) {
        Kind::And => network.parts(node).iter().all(holds),
        _ => network.parts(node).iter().any(holds),
    }
}

/// Nodes come after their parts but for those of a recursion, which stand together.
fn blocks(network: &Network, nodes: &[usize]) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut last_recursion = None;
    for &node in nodes {
        let recursion = network.recursion_of(node);
        let number = u32::try_from(node).expect("fewer than 2^31 nodes");
        match blocks.last_mut() {
            Some(block) if recursion == last_recursion => block.nodes.push(number),
            _ => blocks.push(Block { nodes: vec![number], is_recursive: recursion.is_some() }),
        }
        last_recursion = recursion;
    }
    blocks
}
