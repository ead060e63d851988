//! Policies: what to decide, whatever chance does.

use std::fmt::{self, Write as _};

use base::{Id as _, IdVec};

use crate::network::{Network, VarId};

base::define_id! {
    /// A node of a policy.
    pub struct NodeId;
}

/// A node of a policy.
#[derive(Clone, PartialEq, Debug)]
pub enum Node {
    /// A variable gets a value.
    Decision {
        /// The variable.
        var: VarId,
        /// The place of the value.
        value: u32,
        /// What comes then.
        next: NodeId,
    },
    /// Chance gives a variable one of its values.
    Chance {
        /// The variable.
        var: VarId,
        /// By value that is possible: its place, its probability, and what comes then.
        branches: Vec<(u32, f64, NodeId)>,
    },
    /// All variables have values.
    End {
        /// By player: what they are worth.
        utility: Vec<f64>,
    },
}

/// A tree with one child at a decision, and one for each possible value at chance.
#[derive(Clone, PartialEq, Debug)]
pub struct Policy {
    nodes: IdVec<NodeId, Node>,
    root: NodeId,
}

impl Policy {
    /// The part of `nodes` that `root` leads to.
    pub(crate) fn from_nodes(nodes: &IdVec<NodeId, Node>, root: NodeId) -> Policy {
        let mut policy = Policy { nodes: IdVec::new(), root };
        policy.root = policy.copy(nodes, root);
        policy
    }

    fn copy(&mut self, from: &IdVec<NodeId, Node>, id: NodeId) -> NodeId {
        // Chains of decisions are long, so they are copied without recursion, the last one first.
        let mut chain = Vec::new();
        let mut at = id;
        while let Node::Decision { var, value, next } = &from[at] {
            chain.push((*var, *value));
            at = *next;
        }
        let end = match &from[at] {
            Node::Chance { var, branches } => {
                let copied =
                    branches.iter().map(|&(value, p, next)| (value, p, self.copy(from, next)));
                let branches = copied.collect();
                Node::Chance { var: *var, branches }
            }
            other => other.clone(),
        };
        let mut next = self.nodes.push(end);
        for (var, value) in chain.into_iter().rev() {
            next = self.nodes.push(Node::Decision { var, value, next });
        }
        next
    }

    /// The node with which it begins.
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// A node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id]
    }

    /// How many nodes there are.
    pub fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// By player: what it is worth, the leaves weighed with their probabilities.
    pub fn value(&self) -> Vec<f64> {
        // Nodes come after those that they lead to.
        let mut values: IdVec<NodeId, Vec<f64>> = IdVec::new();
        for node in &self.nodes {
            let value = match node {
                Node::Decision { next, .. } => values[*next].clone(),
                Node::End { utility } => utility.clone(),
                Node::Chance { branches, .. } => {
                    let mut sums: Vec<f64> = Vec::new();
                    for (_, probability, next) in branches {
                        sums.resize(values[*next].len(), 0.0);
                        let gains = values[*next].iter();
                        sums.iter_mut()
                            .zip(gains)
                            .for_each(|(sum, gain)| *sum += probability * gain);
                    }
                    sums
                }
            };
            values.push(value);
        }
        values[self.root].clone()
    }

    /// The policy as indented lines with the names of `network`.
    pub fn text(&self, network: &Network) -> String {
        let mut text = String::new();
        // What is still to be written, the next one last: a line, and the node behind it.
        let mut open = vec![(0, String::new(), self.root)];
        while let Some((depth, line, mut id)) = open.pop() {
            text.push_str(&line);
            let indent = "  ".repeat(depth);
            while let Node::Decision { var, value, next } = &self.nodes[id] {
                let variable = &network.variables()[*var];
                let value = variable.domain.text(*value as usize);
                text.push_str(&format!("{indent}{} = {value}\n", variable.name));
                id = *next;
            }
            match &self.nodes[id] {
                Node::Chance { var, branches } => {
                    let variable = &network.variables()[*var];
                    for (value, probability, next) in branches.iter().rev() {
                        let value = variable.domain.text(*value as usize);
                        let name = &variable.name;
                        let line = format!("{indent}if {name} is {value} ({probability:.3}):\n");
                        open.push((depth + 1, line, *next));
                    }
                }
                Node::End { utility } => text.push_str(&format!("{indent}worth {utility:?}\n")),
                Node::Decision { .. } => {}
            }
        }
        text
    }

    /// The policy as a graph in the language of Graphviz, with the names of `network`.
    pub fn dot(&self, network: &Network) -> String {
        let mut out = String::from("digraph policy {\n");
        let mut write = || -> fmt::Result {
            for (id, node) in self.nodes.iter_with_ids() {
                let from = id.index();
                match node {
                    Node::Decision { var, value, next } => {
                        let variable = &network.variables()[*var];
                        let value = variable.domain.text(*value as usize);
                        writeln!(out, "  n{from} [shape=box, label={:?}];", variable.name)?;
                        writeln!(out, "  n{from} -> n{} [label={value:?}];", next.index())?;
                    }
                    Node::Chance { var, branches } => {
                        let variable = &network.variables()[*var];
                        writeln!(out, "  n{from} [shape=ellipse, label={:?}];", variable.name)?;
                        for (value, probability, next) in branches {
                            let value = variable.domain.text(*value as usize);
                            let label = format!("{value} ({probability:.3})");
                            writeln!(out, "  n{from} -> n{} [label={label:?}];", next.index())?;
                        }
                    }
                    Node::End { utility } => {
                        let label = format!("{utility:?}");
                        writeln!(out, "  n{from} [shape=plaintext, label={label:?}];")?;
                    }
                }
            }
            Ok(())
        };
        write().expect("a string takes everything");
        out.push_str("}\n");
        out
    }
}
