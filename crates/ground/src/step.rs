//! What is known of the next state when some inputs are known, kept up to date as these change.

use crate::ground::GroundProgram;
use crate::network::{Kind, Lit, Network};

/// What is known of a formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Value {
    False,
    True,
    /// It holds if and only if this fluent holds before, or does not.
    Same(Lit),
    Unknown,
}

impl std::ops::Not for Value {
    type Output = Value;

    fn not(self) -> Value {
        match self {
            Value::False => Value::True,
            Value::True => Value::False,
            Value::Same(lit) => Value::Same(!lit),
            Value::Unknown => Value::Unknown,
        }
    }
}

/// The values of the formulas for the next state, kept up to date.
pub(crate) struct Step<'a> {
    network: &'a Network,
    n_fluents: usize,
    values: Vec<Value>,
    is_recursive: Vec<bool>,
    /// By node: those that have it as a part and that matter.
    users: Vec<Vec<u32>>,
    /// The inputs that have a value other than at first, and when they got one.
    inputs: Vec<usize>,
    set_at: Vec<u32>,
    now: u32,
    open: NodeSet,
}

impl<'a> Step<'a> {
    /// A step that is looked at as far as the nodes `wanted` depend on it.
    pub(crate) fn new(ground: &'a GroundProgram, wanted: impl Iterator<Item = usize>) -> Step<'a> {
        let network = &ground.formulas.network;
        let mut users = vec![Vec::new(); network.n_nodes()];
        let mut open: Vec<usize> = wanted.collect();
        let mut is_seen = vec![false; network.n_nodes()];
        while let Some(node) = open.pop() {
            if std::mem::replace(&mut is_seen[node], true) {
                continue;
            }
            for part in network.parts(node) {
                users[part.node()].push(u32::try_from(node).expect("32 bits"));
                open.push(part.node());
            }
        }
        let mut is_recursive = vec![false; network.n_nodes()];
        for recursion in network.recursions() {
            is_recursive[recursion.clone()].fill(true);
        }
        let mut values = vec![Value::Unknown; network.n_nodes()];
        values[0] = Value::True;
        let mut step = Step {
            network,
            n_fluents: ground.fluents.len(),
            values,
            is_recursive,
            users,
            inputs: Vec::new(),
            set_at: vec![0; 1 + network.n_inputs()],
            now: 0,
            open: NodeSet::new(network.n_nodes()),
        };
        for node in 1..=network.n_inputs() {
            step.values[node] = step.first_value(node);
        }
        let gates = 1 + network.n_inputs()..network.n_nodes();
        for node in gates.filter(|&node| is_seen[node]) {
            step.values[node] = step.evaluate(node);
        }
        step
    }

    pub(crate) fn value(&self, lit: Lit) -> Value {
        let value = self.values[lit.node()];
        if lit.is_negative() { !value } else { value }
    }

    /// These inputs hold, or do not hold, and of the others nothing is known. Returns the nodes with
    /// new values.
    pub(crate) fn set_inputs(&mut self, inputs: impl Iterator<Item = Lit>) -> Vec<usize> {
        self.now += 1;
        let mut changed: Vec<usize> = Vec::new();
        let before = std::mem::take(&mut self.inputs);
        for lit in inputs {
            let value = if lit.is_negative() { Value::False } else { Value::True };
            self.set_at[lit.node()] = self.now;
            self.inputs.push(lit.node());
            self.set(lit.node(), value, &mut changed);
        }
        for node in before {
            if self.set_at[node] != self.now {
                self.set(node, self.first_value(node), &mut changed);
            }
        }
        while let Some(node) = self.open.pop_first() {
            let value = self.evaluate(node);
            self.set(node, value, &mut changed);
        }
        changed
    }

    fn set(&mut self, node: usize, value: Value, changed: &mut Vec<usize>) {
        if value != self.values[node] {
            self.values[node] = value;
            changed.push(node);
            self.users[node].iter().for_each(|&user| self.open.insert(user as usize));
        }
    }

    /// The value of an input of which nothing is known: fluents are as they are, moves are not made.
    fn first_value(&self, node: usize) -> Value {
        let is_fluent = node <= self.n_fluents;
        if is_fluent { Value::Same(Lit::of_node(node)) } else { Value::False }
    }

    /// The value of a gate. Those that depend on each other are left open.
    fn evaluate(&self, node: usize) -> Value {
        if self.is_recursive[node] {
            return Value::Unknown;
        }
        let is_and = self.network.kind(node) == Kind::And;
        let mut all = None;
        for &part in self.network.parts(node) {
            // A disjunction is the negation of the conjunction of the negations.
            let value = if is_and { self.value(part) } else { !self.value(part) };
            match (value, all) {
                (Value::False, _) => return if is_and { Value::False } else { Value::True },
                (Value::True, _) => {}
                (Value::Same(lit), Some(Value::Same(other))) if lit == !other => {
                    return if is_and { Value::False } else { Value::True };
                }
                (value, None) => all = Some(value),
                (value, Some(other)) if value == other => {}
                _ => all = Some(Value::Unknown),
            }
        }
        let all = all.unwrap_or(Value::True);
        if is_and { all } else { !all }
    }
}

/// A set of nodes from which the first is taken: bits, and bits that say where there are any.
struct NodeSet {
    bits: Vec<u64>,
    has_bits: Vec<u64>,
}

impl NodeSet {
    fn new(n_nodes: usize) -> NodeSet {
        let n_words = n_nodes.div_ceil(64);
        NodeSet { bits: vec![0; n_words], has_bits: vec![0; n_words.div_ceil(64)] }
    }

    fn insert(&mut self, node: usize) {
        self.bits[node / 64] |= 1 << (node % 64);
        self.has_bits[node / 4_096] |= 1 << (node / 64 % 64);
    }

    fn pop_first(&mut self) -> Option<usize> {
        let block = self.has_bits.iter().position(|&word| word != 0)?;
        let word = block * 64 + self.has_bits[block].trailing_zeros() as usize;
        let node = word * 64 + self.bits[word].trailing_zeros() as usize;
        self.bits[word] &= self.bits[word] - 1;
        if self.bits[word] == 0 {
            self.has_bits[block] &= self.has_bits[block] - 1;
        }
        Some(node)
    }
}
