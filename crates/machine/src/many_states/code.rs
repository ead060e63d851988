//! Nodes as straight-line code over words.

use ground::{Kind, Lit, Network};
use rustc_hash::FxHashMap;

use super::legal::{Adding, Legal};
use super::word::Word;
use crate::schedule::Schedule;

/// Batches of operations in their order.
#[derive(Clone, Debug)]
pub(super) struct Code {
    blocks: Vec<Block>,
    /// By operation of all batches: the node that it computes.
    targets: Vec<u32>,
    /// The operands of all operations.
    operands: Vec<u32>,
}

/// Batches that are run in turn; those of a recursion until nothing changes.
#[derive(Clone, Debug)]
struct Block {
    batches: Vec<Batch>,
    is_recursive: bool,
}

/// Operations that do not depend on each other and look the same, so that the processor foresees
/// what comes.
#[derive(Clone, Copy, Debug)]
struct Batch {
    shape: Shape,
    first_target: usize,
    n_operations: usize,
    first_operand: usize,
}

/// A node from others: `n_positive` of these as they are, then `n_negative` negated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Shape {
    is_and: bool,
    n_positive: usize,
    n_negative: usize,
}

/// Only so many nodes are put in a new order at a time: neighbours use the same words.
const WINDOW: usize = 8_192;

impl Code {
    pub(super) fn new(network: &Network, schedule: &Schedule) -> Code {
        let mut code = Code { blocks: Vec::new(), targets: Vec::new(), operands: Vec::new() };
        for (nodes, is_recursive) in schedule.blocks() {
            let batches = match is_recursive {
                true => nodes.iter().map(|&node| code.batch(network, &[node])).collect(),
                false => nodes
                    .chunks(WINDOW)
                    .flat_map(|nodes| batches_of(network, nodes))
                    .map(|nodes| code.batch(network, &nodes))
                    .collect(),
            };
            code.blocks.push(Block { batches, is_recursive });
        }
        code
    }

    /// The operations that say when moves are legal, none of which is a part of another, for
    /// [`Code::gather`]. Their targets are the inputs of the moves.
    pub(super) fn of_moves(network: &Network, moves: &[(u32, Lit)]) -> Code {
        let mut code = Code { blocks: Vec::new(), targets: Vec::new(), operands: Vec::new() };
        let input_of: FxHashMap<u32, u32> =
            moves.iter().map(|(input, legal)| (number(legal.node()), *input)).collect();
        let nodes: Vec<u32> = moves.iter().map(|(_, legal)| number(legal.node())).collect();
        let batches =
            batches_of(network, &nodes).map(|nodes| code.batch(network, &nodes)).collect();
        code.blocks.push(Block { batches, is_recursive: false });
        code.targets.iter_mut().for_each(|target| *target = input_of[target]);
        code
    }

    /// Puts an operation before all others: `node` becomes true where one of `parts` is, too.
    pub(super) fn begin_with_or(&mut self, node: usize, parts: Vec<Lit>) {
        let (negative, positive): (Vec<Lit>, Vec<Lit>) =
            parts.into_iter().partition(|lit| lit.is_negative());
        let shape =
            Shape { is_and: false, n_positive: 1 + positive.len(), n_negative: negative.len() };
        let batch = Batch {
            shape,
            first_target: self.targets.len(),
            n_operations: 1,
            first_operand: self.operands.len(),
        };
        self.targets.push(number(node));
        self.operands.push(number(node));
        self.operands.extend(positive.iter().chain(&negative).map(|lit| number(lit.node())));
        self.blocks.insert(0, Block { batches: vec![batch], is_recursive: false });
    }

    /// Adds operations of the same shape.
    fn batch(&mut self, network: &Network, nodes: &[u32]) -> Batch {
        let batch = Batch {
            shape: shape_of(network, nodes[0]),
            first_target: self.targets.len(),
            n_operations: nodes.len(),
            first_operand: self.operands.len(),
        };
        for &node in nodes {
            self.targets.push(node);
            // Positive parts stand first in a node.
            let parts = network.parts(node as usize).iter();
            self.operands.extend(parts.map(|part| number(part.node())));
        }
        batch
    }

    /// What a run costs; what is evaluated until nothing changes counts several times.
    pub(super) fn cost(&self) -> usize {
        /// How often recursive operations are evaluated, about.
        const N_REPEATS: usize = 6;
        let of_batch =
            |batch: &Batch| batch.n_operations * (batch.shape.n_positive + batch.shape.n_negative);
        let of_block = |block: &Block| {
            let once: usize = block.batches.iter().map(of_batch).sum();
            if block.is_recursive { N_REPEATS * once } else { once }
        };
        self.blocks.iter().map(of_block).sum()
    }

    /// How many parts its operations have.
    pub(super) fn n_operands(&self) -> usize {
        self.operands.len()
    }

    /// Evaluates the operations; `values` has the words of the inputs.
    pub(super) fn run(&self, values: &mut [Word]) {
        for block in &self.blocks {
            if !block.is_recursive {
                store(&block.batches, &self.targets, &self.operands, values);
                continue;
            }
            for batch in &block.batches {
                values[self.targets[batch.first_target] as usize] = Word::NONE;
            }
            while repeat_batches(&block.batches, &self.targets, &self.operands, values) {}
        }
    }

    /// Evaluates the operations, none of which is part of another, and adds the words that have a
    /// bit to `legal`, with their targets.
    pub(super) fn gather(&self, values: &[Word], legal: &mut Legal) {
        for block in &self.blocks {
            gather(&block.batches, &self.targets, &self.operands, values, legal);
        }
    }
}

fn number(node: usize) -> u32 {
    u32::try_from(node).expect("fewer than 2^32 nodes")
}

fn shape_of(network: &Network, node: u32) -> Shape {
    let parts = network.parts(node as usize);
    let n_negative = parts.iter().filter(|part| part.is_negative()).count();
    let is_and = network.kind(node as usize) == Kind::And;
    Shape { is_and, n_positive: parts.len() - n_negative, n_negative }
}

/// The nodes in groups of the same shape that do not depend on each other, in an order in which a
/// node comes after its parts.
fn batches_of(network: &Network, nodes: &[u32]) -> impl Iterator<Item = Vec<u32>> {
    let mut levels: FxHashMap<usize, u32> = FxHashMap::default();
    let mut ranked: Vec<((u32, Shape), u32)> = Vec::with_capacity(nodes.len());
    for &node in nodes {
        let parts = network.parts(node as usize).iter();
        let below = parts.map(|part| levels.get(&part.node()).map_or(0, |level| level + 1));
        let level = below.max().unwrap_or_default();
        levels.insert(node as usize, level);
        ranked.push(((level, shape_of(network, node)), node));
    }
    ranked.sort_by_key(|(rank, _)| *rank);
    let batches: Vec<Vec<u32>> = ranked
        .chunk_by(|left, right| left.0 == right.0)
        .map(|batch| batch.iter().map(|(_, node)| *node).collect())
        .collect();
    batches.into_iter()
}

/// Evaluates each operation once; whether a word has changed.
#[multiversion::multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn repeat_batches(
    batches: &[Batch],
    targets: &[u32],
    operands: &[u32],
    values: &mut [Word],
) -> bool {
    let mut changes = Word::NONE;
    for batch in batches {
        for (target, operands) in batch.operations(targets, operands) {
            let word = evaluate(batch.shape, operands, values);
            let before = std::mem::replace(&mut values[target as usize], word);
            changes = changes | (word ^ before);
        }
    }
    !changes.is_none()
}

/// Evaluates each operation and stores its word.
#[multiversion::multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn store(batches: &[Batch], targets: &[u32], operands: &[u32], values: &mut [Word]) {
    run_batches(batches, targets, operands, values);
}

/// Evaluates each operation and keeps its word if it has a bit.
#[multiversion::multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn gather(
    batches: &[Batch],
    targets: &[u32],
    operands: &[u32],
    values: &[Word],
    legal: &mut Legal,
) {
    legal.extend(|adding| run_batches(batches, targets, operands, &mut (values, adding)));
}

/// Where words come from and go to.
trait Words {
    fn values(&self) -> &[Word];
    fn put(&mut self, target: u32, word: Word);
}

impl Words for [Word] {
    #[inline(always)]
    fn values(&self) -> &[Word] {
        self
    }

    #[inline(always)]
    fn put(&mut self, target: u32, word: Word) {
        self[target as usize] = word;
    }
}

impl Words for (&[Word], &mut Adding<'_>) {
    #[inline(always)]
    fn values(&self) -> &[Word] {
        self.0
    }

    #[inline(always)]
    fn put(&mut self, target: u32, word: Word) {
        self.1.add(target, word);
    }
}

#[inline(always)]
fn run_batches<W: Words + ?Sized>(
    batches: &[Batch],
    targets: &[u32],
    operands: &[u32],
    words: &mut W,
) {
    for batch in batches {
        let shape = |n_positive, n_negative| Shape { n_positive, n_negative, ..batch.shape };
        // The commonest shapes have loops of their own, in which all is known.
        match (batch.shape.n_positive, batch.shape.n_negative) {
            (2, 0) => run_batch(shape(2, 0), batch, targets, operands, words),
            (1, 1) => run_batch(shape(1, 1), batch, targets, operands, words),
            (0, 2) => run_batch(shape(0, 2), batch, targets, operands, words),
            (3, 0) => run_batch(shape(3, 0), batch, targets, operands, words),
            (2, 1) => run_batch(shape(2, 1), batch, targets, operands, words),
            (1, 2) => run_batch(shape(1, 2), batch, targets, operands, words),
            (4, 0) => run_batch(shape(4, 0), batch, targets, operands, words),
            _ => run_batch(batch.shape, batch, targets, operands, words),
        }
    }
}

#[inline(always)]
fn run_batch<W: Words + ?Sized>(
    shape: Shape,
    batch: &Batch,
    targets: &[u32],
    operands: &[u32],
    words: &mut W,
) {
    let batch = Batch { shape, ..*batch };
    if shape.is_and {
        for (target, operands) in batch.operations(targets, operands) {
            let shape = Shape { is_and: true, ..shape };
            words.put(target, evaluate(shape, operands, words.values()));
        }
    } else {
        for (target, operands) in batch.operations(targets, operands) {
            let shape = Shape { is_and: false, ..shape };
            words.put(target, evaluate(shape, operands, words.values()));
        }
    }
}

#[inline(always)]
fn evaluate(shape: Shape, operands: &[u32], values: &[Word]) -> Word {
    let (positive, negative) = operands.split_at(shape.n_positive);
    let positive = positive.iter().map(|&operand| values[operand as usize]);
    let negative = negative.iter().map(|&operand| values[operand as usize]);
    match shape.is_and {
        true => {
            let word = positive.fold(Word::ALL, |word, value| word & value);
            negative.fold(word, |word, value| word & !value)
        }
        false => {
            let word = positive.fold(Word::NONE, |word, value| word | value);
            negative.fold(word, |word, value| word | !value)
        }
    }
}

impl Batch {
    /// The target and the operands of each operation.
    #[inline(always)]
    fn operations<'a>(
        &self,
        targets: &'a [u32],
        operands: &'a [u32],
    ) -> impl Iterator<Item = (u32, &'a [u32])> + use<'a> {
        let targets = &targets[self.first_target..self.first_target + self.n_operations];
        let width = self.shape.n_positive + self.shape.n_negative;
        targets.iter().copied().zip(operands[self.first_operand..].chunks_exact(width))
    }
}
