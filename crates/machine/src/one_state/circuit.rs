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
    /// By node: where its links begin.
    spans: Vec<Span>,
    /// What the change of a node is passed on to: gates, then outputs, then recursions.
    links: Vec<u32>,
    recursions: Vec<Recursion>,
    /// The values where no input holds.
    initial: Values,
}

/// The links of a node: to gates that it decides when it is raised, to gates that it decides when
/// it is lowered, to outputs, and to recursions; each begins where the one before ends.
#[derive(Clone, Copy, Debug)]
struct Span {
    raised: u32,
    lowered: u32,
    outputs: u32,
    recursions: u32,
    end: u32,
}

/// Where a link leads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Target {
    Raised(u32),
    Lowered(u32),
    Output(u32),
    Recursion(u32),
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
    /// By node: how many of its parts decide it, or of an input, whether it holds; and in the
    /// highest bit, whether it has changed and this is to be passed on.
    counts: Vec<u32>,
    /// By output, as bits.
    outputs: Vec<u64>,
    queue: Vec<u32>,
    /// The recursions that are to be evaluated anew.
    stale: Vec<u32>,
}

/// The bit of a count that says that its node is in the queue.
const WAITS: u32 = 1 << 31;

impl Circuit {
    /// The circuit of `network` with the given outputs.
    pub(super) fn new(network: &Network, outputs: &[Lit]) -> Circuit {
        let is_needed = needed(network, outputs);
        let number = |n: usize| u32::try_from(n).expect("fewer than 2^32 nodes and outputs");
        let mut links: Vec<(usize, Target)> = Vec::new();
        for node in (0..network.n_nodes()).filter(|&node| is_needed[node]) {
            for &part in network.parts(node) {
                let target = match network.recursion_of(node) {
                    None if counts_raised(network, node, part) => Target::Raised(number(node)),
                    None => Target::Lowered(number(node)),
                    Some(recursion) if network.recursion_of(part.node()) != Some(recursion) => {
                        Target::Recursion(number(recursion))
                    }
                    Some(_) => continue,
                };
                links.push((part.node(), target));
            }
        }
        for (output, lit) in outputs.iter().enumerate() {
            links.push((lit.node(), Target::Output(number(output))));
        }
        // Those of one node to one recursion are the same.
        links.sort_unstable();
        links.dedup();
        let mut circuit = Circuit {
            spans: spans(network.n_nodes(), &links),
            links: links.iter().map(|(_, target)| target.number()).collect(),
            recursions: recursions(network, &is_needed),
            initial: Values {
                counts: vec![0; network.n_nodes()],
                outputs: vec![0; outputs.len().div_ceil(64)],
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
        let mut n_evaluated = 0;
        values.counts[0] = 1;
        for node in (0..network.n_nodes()).filter(|&node| is_needed[node]) {
            match network.recursion_of(node) {
                Some(number) if number >= n_evaluated => {
                    n_evaluated = number + 1;
                    self.recursions[number].evaluate(&mut values, |_, _| {});
                }
                Some(_) => {}
                None => {
                    let counts = |part: &&Lit| {
                        let is_raised = values.is_raised(part.node());
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
            let is_raised = values.is_raised(lit.node());
            let holds = is_raised != (is_and(network, lit.node()) != lit.is_negative());
            values.outputs[number / 64] |= u64::from(holds) << (number % 64);
        }
        self.initial = values;
    }

    /// How many gates and outputs an input is passed on to, directly and by the gate among these that
    /// has most: common factors of many formulas stand between.
    pub(super) fn n_links(&self, number: usize) -> usize {
        let span = self.spans[1 + number];
        let n_links = |span: Span| (span.end - span.raised) as usize;
        let gates = self.links[span.raised as usize..span.outputs as usize].iter();
        let by_gate = gates.map(|&gate| n_links(self.spans[gate as usize])).max();
        n_links(span) + by_gate.unwrap_or(0)
    }

    /// Changes an input; [`Circuit::settle`] passes that on.
    pub(super) fn set_input(&self, values: &mut Values, number: usize, holds: bool) {
        let node = 1 + number;
        if values.is_raised(node) != holds {
            values.counts[node] ^= 1;
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
                if values.counts[node] & WAITS != 0 {
                    values.counts[node] &= !WAITS;
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
        let Span { raised, lowered, outputs, recursions, end } = self.spans[node];
        let links = |start: u32, end: u32| &self.links[start as usize..end as usize];
        let (mut more, mut less) = (links(raised, lowered), links(lowered, outputs));
        if values.counts[node] == 0 {
            std::mem::swap(&mut more, &mut less);
        }
        for &gate in more {
            let count = &mut values.counts[gate as usize];
            *count += 1;
            if *count & !WAITS == 1 {
                values.toggle(gate as usize);
            }
        }
        for &gate in less {
            let count = &mut values.counts[gate as usize];
            *count -= 1;
            if *count & !WAITS == 0 {
                values.toggle(gate as usize);
            }
        }
        for &output in links(outputs, recursions) {
            values.outputs[output as usize / 64] ^= 1 << (output % 64);
        }
        values.stale.extend_from_slice(links(recursions, end));
    }
}

impl Target {
    fn number(self) -> u32 {
        let (Target::Raised(number)
        | Target::Lowered(number)
        | Target::Output(number)
        | Target::Recursion(number)) = self;
        number
    }
}

/// Where the links of each node begin; `links` are sorted.
fn spans(n_nodes: usize, links: &[(usize, Target)]) -> Vec<Span> {
    let mut place = 0;
    let mut count = |node: usize, is_kind: fn(&Target) -> bool| {
        let start = u32::try_from(place).expect("fewer than 2^32 links");
        while links.get(place).is_some_and(|(from, target)| *from == node && is_kind(target)) {
            place += 1;
        }
        start
    };
    let mut spans = Vec::with_capacity(n_nodes);
    for node in 0..n_nodes {
        spans.push(Span {
            raised: count(node, |target| matches!(target, Target::Raised(_))),
            lowered: count(node, |target| matches!(target, Target::Lowered(_))),
            outputs: count(node, |target| matches!(target, Target::Output(_))),
            recursions: count(node, |target| matches!(target, Target::Recursion(_))),
            end: count(node, |_| false),
        });
    }
    spans
}

impl Values {
    fn is_raised(&self, node: usize) -> bool {
        self.counts[node] & !WAITS != 0
    }

    /// The outputs, as bits.
    pub(super) fn outputs(&self) -> &[u64] {
        &self.outputs
    }

    /// A node was raised or lowered. If it was waiting to pass the opposite on, nothing is left.
    #[inline]
    fn toggle(&mut self, node: usize) {
        self.counts[node] ^= WAITS;
        if self.counts[node] & WAITS != 0 {
            self.queue.push(node as u32);
        }
    }
}

impl Recursion {
    /// The smallest values that fit; calls `on_change` for each node that has another than before.
    fn evaluate(&self, values: &mut Values, on_change: impl Fn(&mut Values, usize)) {
        let count_of = |values: &Values, parts: &[(u32, bool)]| {
            let counts = |&&(part, when): &&(u32, bool)| values.is_raised(part as usize) == when;
            u32::try_from(parts.iter().filter(counts).count()).expect("32 bits")
        };
        let before: Vec<bool> =
            self.nodes.iter().map(|&node| values.is_raised(node as usize)).collect();
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
            if values.is_raised(node as usize) != before {
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
    let mut is_needed = vec![false; network.n_nodes()];
    let mut open: Vec<usize> = outputs.iter().map(|lit| lit.node()).collect();
    while let Some(node) = open.pop() {
        if !std::mem::replace(&mut is_needed[node], true) {
            open.extend(network.parts(node).iter().map(|part| part.node()));
            open.extend(
                network
                    .recursion_of(node)
                    .into_iter()
                    .flat_map(|n| network.recursions()[n].clone()),
            );
        }
    }
    is_needed
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
