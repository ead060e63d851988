//! Formulas that follow the changes of their inputs.
//!
//! Every gate counts those of its parts that decide it: a disjunction the true ones, a conjunction
//! the false ones. It is raised while its count is above zero. When an input changes, the counts of
//! the gates that it is a part of change by one, and only a gate that is raised or lowered by that
//! passes the change on.

use ground::{Kind, Lit, Network};

/// Gates, what their changes lead to, and the outputs. Does not change in play.
#[derive(Debug)]
pub(super) struct Circuit {
    /// Where the links of each node begin; one more at the end.
    starts: Vec<u32>,
    links: Vec<Link>,
    recursions: Vec<Recursion>,
    /// The values where no input holds.
    initial: Values,
}

/// To what the change of a node is passed on: a gate and the sign with which the node counts there,
/// a recursion, or an output.
#[derive(Clone, Copy, Debug)]
struct Link(u32);

/// Where a link leads, in its lowest bits.
const TO_GATE_RAISED: u32 = 0;
const TO_GATE_LOWERED: u32 = 1;
const TO_RECURSION: u32 = 2;
const TO_OUTPUT: u32 = 3;

impl Link {
    fn new(target: usize, kind: u32) -> Link {
        let target = u32::try_from(target).ok().filter(|&target| target < 1 << 30);
        Link(target.expect("fewer than 2^30 gates and outputs") << 2 | kind)
    }

    fn target(self) -> usize {
        (self.0 >> 2) as usize
    }
}

/// Nodes that depend on each other. They are evaluated anew when something changes that they depend
/// on.
#[derive(Debug)]
struct Recursion {
    nodes: Vec<u32>,
    /// By node of these: its count where it is false.
    false_counts: Vec<u32>,
    /// By node of these: its parts, as nodes and whether they count when raised.
    parts: Vec<Vec<(u32, bool)>>,
}

/// The values of the nodes and outputs of a circuit.
#[derive(Clone, Debug)]
pub(super) struct Values {
    /// By node: how many of its parts decide it; of an input, whether it holds.
    counts: Vec<u32>,
    /// By output, as bits.
    outputs: Vec<u64>,
    /// By node: whether it has changed and this is to be passed on.
    is_waiting: Vec<bool>,
    queue: Vec<u32>,
    /// The recursions that are to be evaluated anew.
    stale: Vec<u32>,
}

impl Circuit {
    /// The circuit of `network` with the given outputs.
    pub(super) fn new(network: &Network, outputs: &[Lit]) -> Circuit {
        let is_needed = needed(network, outputs);
        let recursion_of = recursion_numbers(network);
        let mut links: Vec<(usize, Link)> = Vec::new();
        for node in (0..network.n_nodes()).filter(|&node| is_needed[node]) {
            for &part in network.parts(node) {
                let link = match recursion_of[node] {
                    None if counts_raised(network, node, part) => Link::new(node, TO_GATE_RAISED),
                    None => Link::new(node, TO_GATE_LOWERED),
                    Some(number) if recursion_of[part.node()] != Some(number) => {
                        Link::new(number, TO_RECURSION)
                    }
                    Some(_) => continue,
                };
                links.push((part.node(), link));
            }
        }
        for (number, lit) in outputs.iter().enumerate() {
            links.push((lit.node(), Link::new(number, TO_OUTPUT)));
        }
        // Those of one node to one recursion are the same.
        links.sort_by_key(|(node, link)| (*node, link.0));
        links.dedup_by_key(|(node, link)| (*node, link.0));
        let starts = (0..=network.n_nodes()).map(|node| {
            u32::try_from(links.partition_point(|(from, _)| *from < node)).expect("32 bits")
        });
        let mut circuit = Circuit {
            starts: starts.collect(),
            links: links.iter().map(|(_, link)| *link).collect(),
            recursions: recursions(network, &is_needed),
            initial: Values {
                counts: vec![0; network.n_nodes()],
                outputs: vec![0; outputs.len().div_ceil(64)],
                is_waiting: vec![false; network.n_nodes()],
                queue: Vec::new(),
                stale: Vec::new(),
            },
        };
        circuit.set_initial(network, outputs, &is_needed);
        circuit
    }

    /// The values where no input holds.
    pub(super) fn initial(&self) -> Values {
        self.initial.clone()
    }

    fn set_initial(&mut self, network: &Network, outputs: &[Lit], is_needed: &[bool]) {
        let mut values = self.initial.clone();
        let recursion_of = recursion_numbers(network);
        let mut n_evaluated = 0;
        values.counts[0] = 1;
        for node in (0..network.n_nodes()).filter(|&node| is_needed[node]) {
            match recursion_of[node] {
                Some(number) if number >= n_evaluated => {
                    n_evaluated = number + 1;
                    self.recursions[number].evaluate(&mut values, |_, _| {});
                }
                Some(_) => {}
                None => {
                    let counts = |part: &&Lit| {
                        let is_raised = values.counts[part.node()] > 0;
                        is_raised == counts_raised(network, node, **part)
                    };
                    let n_parts = network.parts(node).iter().filter(counts).count();
                    if !network.parts(node).is_empty() {
                        values.counts[node] = u32::try_from(n_parts).expect("32 bits");
                    }
                }
            }
        }
        for (number, &lit) in outputs.iter().enumerate() {
            let is_raised = values.counts[lit.node()] > 0;
            let holds = is_raised != (is_and(network, lit.node()) != lit.is_negative());
            values.outputs[number / 64] |= u64::from(holds) << (number % 64);
        }
        self.initial = values;
    }

    /// How many gates and outputs an input is passed on to.
    pub(super) fn n_links(&self, number: usize) -> usize {
        (self.starts[number + 2] - self.starts[number + 1]) as usize
    }

    /// Changes an input; [`Circuit::settle`] passes that on.
    pub(super) fn set_input(&self, values: &mut Values, number: usize, holds: bool) {
        let node = 1 + number;
        if (values.counts[node] > 0) != holds {
            values.counts[node] = u32::from(holds);
            values.toggle(node);
        }
    }

    /// Passes changes on until there are none.
    pub(super) fn settle(&self, values: &mut Values) {
        loop {
            let mut n_done = 0;
            while let Some(&node) = values.queue.get(n_done) {
                n_done += 1;
                let node = node as usize;
                if std::mem::replace(&mut values.is_waiting[node], false) {
                    self.pass_on(values, node);
                }
            }
            values.queue.clear();
            // The earliest first: later ones may depend on it.
            let Some(&number) = values.stale.iter().min() else { return };
            values.stale.retain(|&other| other != number);
            let recursion = &self.recursions[number as usize];
            recursion.evaluate(values, Values::toggle);
        }
    }

    #[inline]
    fn pass_on(&self, values: &mut Values, node: usize) {
        let is_raised = u32::from(values.counts[node] > 0);
        let range = self.starts[node] as usize..self.starts[node + 1] as usize;
        for link in &self.links[range] {
            let target = link.target();
            match link.0 & 3 {
                TO_OUTPUT => values.outputs[target / 64] ^= 1 << (target % 64),
                TO_RECURSION => values.stale.push(link.0 >> 2),
                sign => {
                    let count = &mut values.counts[target];
                    // It counts when it is raised, or when it is lowered.
                    let has_changed = if is_raised != sign {
                        *count += 1;
                        *count == 1
                    } else {
                        *count -= 1;
                        *count == 0
                    };
                    if has_changed {
                        values.toggle(target);
                    }
                }
            }
        }
    }
}

impl Values {
    /// The outputs, as bits.
    pub(super) fn outputs(&self) -> &[u64] {
        &self.outputs
    }

    /// A node was raised or lowered. If it was waiting to pass the opposite on, nothing is left.
    #[inline]
    fn toggle(&mut self, node: usize) {
        self.is_waiting[node] = !self.is_waiting[node];
        if self.is_waiting[node] {
            self.queue.push(node as u32);
        }
    }
}

impl Recursion {
    /// The smallest values that fit; calls `on_change` for each node that has another than before.
    fn evaluate(&self, values: &mut Values, on_change: impl Fn(&mut Values, usize)) {
        let count_of = |values: &Values, parts: &[(u32, bool)]| {
            let counts = |&&(part, when): &&(u32, bool)| (values.counts[part as usize] > 0) == when;
            u32::try_from(parts.iter().filter(counts).count()).expect("32 bits")
        };
        let before: Vec<bool> =
            self.nodes.iter().map(|&node| values.counts[node as usize] > 0).collect();
        for (&node, &count) in self.nodes.iter().zip(&self.false_counts) {
            values.counts[node as usize] = count;
        }
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            for (&node, parts) in self.nodes.iter().zip(&self.parts) {
                let count = count_of(values, parts);
                let old = std::mem::replace(&mut values.counts[node as usize], count);
                has_changed |= (old > 0) != (count > 0);
            }
        }
        for (&node, before) in self.nodes.iter().zip(before) {
            if (values.counts[node as usize] > 0) != before {
                on_change(values, node as usize);
            }
        }
    }
}

fn is_and(network: &Network, node: usize) -> bool {
    network.kind(node) == Kind::And
}

/// Whether a part of `node` decides it when the part is raised, rather than lowered. A conjunction
/// is raised when it is false.
fn counts_raised(network: &Network, node: usize, part: Lit) -> bool {
    let is_true_when_raised = is_and(network, part.node()) == part.is_negative();
    is_true_when_raised != is_and(network, node)
}

/// By node: whether an output needs it; of a recursion all nodes are needed or none.
fn needed(network: &Network, outputs: &[Lit]) -> Vec<bool> {
    let recursion_of = recursion_numbers(network);
    let mut is_needed = vec![false; network.n_nodes()];
    let mut open: Vec<usize> = outputs.iter().map(|lit| lit.node()).collect();
    while let Some(node) = open.pop() {
        if !std::mem::replace(&mut is_needed[node], true) {
            open.extend(network.parts(node).iter().map(|part| part.node()));
            open.extend(
                recursion_of[node].into_iter().flat_map(|n| network.recursions()[n].clone()),
            );
        }
    }
    is_needed
}

/// By node: the number of its recursion.
fn recursion_numbers(network: &Network) -> Vec<Option<usize>> {
    let mut numbers = vec![None; network.n_nodes()];
    for (number, range) in network.recursions().iter().enumerate() {
        numbers[range.clone()].fill(Some(number));
    }
    numbers
}

fn recursions(network: &Network, is_needed: &[bool]) -> Vec<Recursion> {
    let of_range = |range: &std::ops::Range<usize>| {
        let nodes = range.clone().filter(|&node| is_needed[node]);
        let parts_of = |node: usize| {
            let part = |part: &Lit| {
                let number = u32::try_from(part.node()).expect("32 bits");
                (number, counts_raised(network, node, *part))
            };
            network.parts(node).iter().map(part).collect()
        };
        Recursion {
            // A conjunction is raised when it is false, with which the evaluation begins.
            false_counts: nodes.clone().map(|node| u32::from(is_and(network, node))).collect(),
            parts: nodes.clone().map(parts_of).collect(),
            nodes: nodes.map(|node| u32::try_from(node).expect("32 bits")).collect(),
        }
    };
    network.recursions().iter().map(of_range).collect()
}
