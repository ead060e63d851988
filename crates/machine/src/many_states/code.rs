//! Nodes as straight-line code over words.

use ground::{Kind, Network};

use super::{N_WORDS, Word, is_none};
use crate::schedule::Schedule;

/// Operations in their order. Those of a recursion are repeated until nothing changes.
#[derive(Clone, Debug)]
pub(super) struct Code {
    operations: Vec<Operation>,
    operands: Vec<u32>,
    /// Where the operations of each block end, and whether it is a recursion.
    blocks: Vec<(usize, bool)>,
}

/// A node from others: `n_positive` of these as they are, then `n_negative` negated.
#[derive(Clone, Copy, Debug)]
struct Operation {
    target: u32,
    first_operand: u32,
    n_positive: u32,
    n_negative: u32,
    is_and: bool,
}

impl Code {
    pub(super) fn new(network: &Network, schedule: &Schedule) -> Code {
        let mut code = Code { operations: Vec::new(), operands: Vec::new(), blocks: Vec::new() };
        for (nodes, is_recursive) in schedule.blocks() {
            for &node in nodes {
                code.add(network, node);
            }
            code.blocks.push((code.operations.len(), is_recursive));
        }
        code
    }

    fn add(&mut self, network: &Network, node: u32) {
        let parts = network.parts(node as usize);
        let number = |n: usize| u32::try_from(n).expect("fewer than 2^32 operands");
        let n_negative = parts.iter().filter(|part| part.is_negative()).count();
        self.operations.push(Operation {
            target: node,
            first_operand: number(self.operands.len()),
            n_positive: number(parts.len() - n_negative),
            n_negative: number(n_negative),
            is_and: network.kind(node as usize) == Kind::And,
        });
        // Positive parts stand first in a node.
        self.operands.extend(parts.iter().map(|part| number(part.node())));
    }

    /// What a run costs.
    pub(super) fn n_operands(&self) -> usize {
        self.operands.len()
    }

    /// Evaluates the operations; `values` has the words of the inputs.
    pub(super) fn run(&self, values: &mut [Word]) {
        let mut start = 0;
        for &(end, is_recursive) in &self.blocks {
            let block = &self.operations[start..end];
            if is_recursive {
                block.iter().for_each(|o| values[o.target as usize] = [0; N_WORDS]);
                while run_block(block, &self.operands, values) {}
            } else {
                run_block(block, &self.operands, values);
            }
            start = end;
        }
    }
}

/// Evaluates each operation once; whether a word has changed.
#[multiversion::multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn run_block(operations: &[Operation], operands: &[u32], values: &mut [Word]) -> bool {
    let mut changes = [0; N_WORDS];
    for operation in operations {
        let start = operation.first_operand as usize;
        let middle = start + operation.n_positive as usize;
        let end = middle + operation.n_negative as usize;
        let (positive, negative) = (&operands[start..middle], &operands[middle..end]);
        let mut word;
        if operation.is_and {
            word = [u64::MAX; N_WORDS];
            for &operand in positive {
                let value = &values[operand as usize];
                (0..N_WORDS).for_each(|w| word[w] &= value[w]);
            }
            for &operand in negative {
                let value = &values[operand as usize];
                (0..N_WORDS).for_each(|w| word[w] &= !value[w]);
            }
        } else {
            word = [0; N_WORDS];
            for &operand in positive {
                let value = &values[operand as usize];
                (0..N_WORDS).for_each(|w| word[w] |= value[w]);
            }
            for &operand in negative {
                let value = &values[operand as usize];
                (0..N_WORDS).for_each(|w| word[w] |= !value[w]);
            }
        }
        let target = &mut values[operation.target as usize];
        (0..N_WORDS).for_each(|w| changes[w] |= word[w] ^ target[w]);
        *target = word;
    }
    !is_none(&changes)
}
