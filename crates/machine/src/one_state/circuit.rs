//! Formulas that follow the changes of their inputs.
//!
//! Every gate counts those of its parts that decide it: a disjunction the true ones, a conjunction
//! the false ones. It is raised while its count is above zero. When an input changes, the counts of
//! the gates that it is a part of change by one, and only a gate that is raised or lowered by that
//! passes the change on.
//!
//! Few gates change from state to state, but other ones every time: a processor guesses wrong whether
//! the next one will, and that costs more than the work itself. Therefore links are followed without
//! a branch for it.

use ground::{Kind, Lit, Network};

use crate::schedule::Schedule;

/// Gates, what their changes lead to, and the outputs. Does not change in play.
///
/// A node of the network has its number there. Behind the nodes stand the outputs, which are gates
/// too.
#[derive(Debug)]
pub(super) struct Circuit {
    /// By node: where its links begin.
    spans: Vec<Span>,
    /// What the change of a node is passed on to: gates, then recursions.
    links: Vec<u32>,
    recursions: Vec<Recursion>,
    /// The gate of the first output; the others follow. A multiple of 64.
    first_output: u32,
    /// The values where no input holds.
    initial: Values,
}

/// The links of a node: to gates that it decides when it is raised, to gates that it decides when it
/// is lowered, and to recursions; each begins where the one before ends.
#[derive(Clone, Copy, Debug)]
struct Span {
    raised: u32,
    lowered: u32,
    recursions: u32,
    end: u32,
}

/// Where a link leads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Target {
    Raised(u32),
    Lowered(u32),
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
    /// How many parts they have.
    n_parts: u64,
}

/// The values of the gates of a circuit.
#[derive(Clone, Debug)]
pub(super) struct Values {
    /// By gate: twice how many of its parts decide it, or of an input, whether it holds; and in the
    /// lowest bit, whether it was raised when it was last passed on.
    counts: Vec<u32>,
    /// By gate, as bits: of an output, whether it holds.
    bits: Vec<u64>,
    /// Gates that may have changes to pass on, and how many; what stands behind is of no meaning.
    queue: Vec<u32>,
    n_queued: usize,
    /// The recursions that are to be evaluated anew.
    stale: Vec<u32>,
}

/// What a count is raised by: the lowest bit is another's.
const ONE: u32 = 2;

impl Circuit {
    /// The circuit of `network` with the given outputs.
    pub(super) fn new(network: &Network, outputs: &[Lit]) -> Circuit {
        let schedule = Schedule::new(network, outputs.iter().copied(), None);
        let gates = Gates::new(network, outputs);
        let mut links: Vec<(usize, Target)> = Vec::new();
        for node in schedule.nodes() {
            let recursion = network.recursion_of(node);
            for &part in network.parts(node) {
                let target = match recursion {
                    None if counts_raised(network, node, part) => {
                        Target::Raised(index(gates.of_node[node]))
                    }
                    None => Target::Lowered(index(gates.of_node[node])),
                    Some(number) if network.recursion_of(part.node()) != recursion => {
                        Target::Recursion(index(number))
                    }
                    Some(_) => continue,
                };
                links.push((part.node(), target));
            }
        }
        let outputs_of = gates.more_outputs.iter();
        links.extend(outputs_of.map(|&(node, output)| (node, Target::Raised(index(output)))));
        // Those of one node to one recursion are the same.
        links.sort_unstable();
        links.dedup();
        Circuit {
            spans: spans(network.n_nodes(), &links),
            links: links.iter().map(|(_, target)| target.number()).collect(),
            recursions: recursions(network, &schedule),
            first_output: index(gates.first_output),
            initial: initial_values(network, outputs, &schedule, &gates),
        }
    }

    /// The values where no input holds.
    pub(super) fn initial(&self) -> Values {
        self.initial.clone()
    }

    /// The outputs, as bits.
    pub(super) fn outputs<'v>(&self, values: &'v Values) -> &'v [u64] {
        &values.bits[self.first_output as usize / 64..]
    }

    /// The number of gates, outputs included.
    pub(super) fn n_gates(&self) -> usize {
        self.initial.counts.len()
    }

    /// Changes an input; [`Circuit::settle`] passes that on.
    pub(super) fn set_input(&self, values: &mut Values, number: usize, holds: bool) {
        let node = 1 + number;
        if values.is_raised(node) != holds {
            values.counts[node] ^= ONE;
            values.push(node);
        }
    }

    /// Passes changes on until there are none. Returns how many links were followed.
    pub(super) fn settle(&self, values: &mut Values) -> u64 {
        let mut n_links = 0;
        loop {
            let mut n_done = 0;
            while n_done < values.n_queued {
                let node = values.queue[n_done] as usize;
                n_done += 1;
                if node >= self.first_output as usize {
                    values.bits[node / 64] ^= 1 << (node % 64);
                    continue;
                }
                let count = values.counts[node];
                let is_raised = count >= ONE;
                // It may have changed and changed back.
                if is_raised != (count & 1 == 1) {
                    values.counts[node] ^= 1;
                    n_links += self.pass_on(values, node, is_raised);
                }
            }
            values.n_queued = 0;
            // The earliest first: later ones may depend on it.
            let Some(&number) = values.stale.iter().min() else { return n_links };
            values.stale.retain(|&other| other != number);
            let recursion = &self.recursions[number as usize];
            recursion.evaluate(values, Values::push);
            n_links += recursion.n_parts;
        }
    }

    #[inline]
    fn pass_on(&self, values: &mut Values, node: usize, is_raised: bool) -> u64 {
        let Span { raised, lowered, recursions, end } = self.spans[node];
        let gates = &self.links[raised as usize..recursions as usize];
        if values.queue.len() < values.n_queued + gates.len() {
            values.queue.resize(2 * (values.n_queued + gates.len()), 0);
        }
        let (mut more, mut less) = gates.split_at((lowered - raised) as usize);
        if !is_raised {
            std::mem::swap(&mut more, &mut less);
        }
        let mut n_queued = values.n_queued;
        let Values { counts, queue, .. } = values;
        let (counts, queue) = (&mut counts[..], &mut queue[..]);
        for &gate in more {
            let count = &mut counts[gate as usize];
            let is_changed = *count < ONE;
            *count += ONE;
            queue[n_queued] = gate;
            n_queued += usize::from(is_changed);
        }
        for &gate in less {
            let count = &mut counts[gate as usize];
            *count -= ONE;
            let is_changed = *count < ONE;
            queue[n_queued] = gate;
            n_queued += usize::from(is_changed);
        }
        values.n_queued = n_queued;
        if recursions != end {
            values.stale.extend_from_slice(&self.links[recursions as usize..end as usize]);
        }
        u64::from(end - raised)
    }
}

impl Target {
    fn number(self) -> u32 {
        let (Target::Raised(number) | Target::Lowered(number) | Target::Recursion(number)) = self;
        number
    }
}

/// A number of a node, a gate, a link or a recursion.
fn index(number: usize) -> u32 {
    u32::try_from(number).expect("fewer than 2^32 nodes, links and outputs")
}

/// Which gates stand for the nodes and outputs of a network.
struct Gates {
    first_output: usize,
    /// By node: its own, or where it is nothing but one output, that of the output.
    of_node: Vec<usize>,
    /// Nodes and the gates of outputs that follow them.
    more_outputs: Vec<(usize, usize)>,
}

impl Gates {
    fn new(network: &Network, outputs: &[Lit]) -> Gates {
        let first_output = network.n_nodes().next_multiple_of(64);
        let mut n_uses = vec![0; network.n_nodes()];
        let parts = (0..network.n_nodes()).flat_map(|node| network.parts(node));
        parts.chain(outputs).for_each(|lit| n_uses[lit.node()] += 1);
        let of_node = (0..network.n_nodes()).collect();
        let mut gates = Gates { first_output, of_node, more_outputs: Vec::new() };
        for (number, lit) in outputs.iter().enumerate() {
            let (node, output) = (lit.node(), first_output + number);
            let is_gate = !network.parts(node).is_empty() && network.recursion_of(node).is_none();
            if is_gate && n_uses[node] == 1 {
                gates.of_node[node] = output;
            } else {
                gates.more_outputs.push((node, output));
            }
        }
        gates
    }
}

/// Where the links of each node begin; `links` are sorted.
fn spans(n_nodes: usize, links: &[(usize, Target)]) -> Vec<Span> {
    let mut place = 0;
    let mut count = |node: usize, is_kind: fn(&Target) -> bool| {
        let start = index(place);
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
            recursions: count(node, |target| matches!(target, Target::Recursion(_))),
            end: count(node, |_| false),
        });
    }
    spans
}

/// The values where no input holds.
fn initial_values(
    network: &Network,
    outputs: &[Lit],
    schedule: &Schedule,
    gates: &Gates,
) -> Values {
    let mut holds = vec![false; network.n_nodes()];
    holds[0] = true;
    schedule.run(network, &mut holds);
    let is_raised = |node: usize| holds[node] != is_and(network, node);
    let first_output = gates.first_output;
    let mut values = Values {
        counts: vec![0; first_output + outputs.len()],
        bits: vec![0; (first_output + outputs.len()).div_ceil(64)],
        queue: Vec::new(),
        n_queued: 0,
        stale: Vec::new(),
    };
    values.set_count(0, 1);
    for node in schedule.nodes() {
        let counts = |part: &&Lit| is_raised(part.node()) == counts_raised(network, node, **part);
        let n_parts = network.parts(node).iter().filter(counts).count();
        values.set_count(gates.of_node[node], index(n_parts));
    }
    for &(node, output) in &gates.more_outputs {
        values.set_count(output, u32::from(is_raised(node)));
    }
    for count in &mut values.counts {
        *count |= u32::from(*count >= ONE);
    }
    for (number, lit) in outputs.iter().enumerate() {
        let output = first_output + number;
        let value = holds[lit.node()] != lit.is_negative();
        values.bits[output / 64] |= u64::from(value) << (output % 64);
    }
    values
}

impl Values {
    /// Takes over the values of `other`, both without changes to pass on.
    pub(super) fn copy_from(&mut self, other: &Values) {
        self.counts.clone_from(&other.counts);
        self.bits.clone_from(&other.bits);
    }

    fn is_raised(&self, gate: usize) -> bool {
        self.counts[gate] >= ONE
    }

    /// Sets how many parts decide a gate, but not whether that was passed on.
    fn set_count(&mut self, gate: usize, count: u32) {
        self.counts[gate] = (ONE * count) | (self.counts[gate] & 1);
    }

    /// The node has a change to pass on.
    fn push(&mut self, node: usize) {
        if self.queue.len() == self.n_queued {
            self.queue.push(0);
        }
        self.queue[self.n_queued] = index(node);
        self.n_queued += 1;
    }
}

impl Recursion {
    /// The smallest values that fit; calls `on_change` for each node that has another than before.
    fn evaluate(&self, values: &mut Values, on_change: impl Fn(&mut Values, usize)) {
        let count_of = |values: &Values, parts: &[(u32, bool)]| {
            let counts = |&&(part, when): &&(u32, bool)| values.is_raised(part as usize) == when;
            index(parts.iter().filter(counts).count())
        };
        let before: Vec<bool> =
            self.nodes.iter().map(|&node| values.is_raised(node as usize)).collect();
        for (&node, &count) in self.nodes.iter().zip(&self.false_counts) {
            values.set_count(node as usize, count);
        }
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            for (&node, parts) in self.nodes.iter().zip(&self.parts) {
                let count = count_of(values, parts);
                has_changed |= values.is_raised(node as usize) != (count > 0);
                values.set_count(node as usize, count);
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

fn recursions(network: &Network, schedule: &Schedule) -> Vec<Recursion> {
    let of_range = |range: &std::ops::Range<usize>| {
        let nodes = range.clone().filter(|&node| schedule.has(node));
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
            n_parts: nodes.clone().map(|node| network.parts(node).len() as u64).sum(),
            parts: nodes.clone().map(parts_of).collect(),
            nodes: nodes.map(|node| u32::try_from(node).expect("32 bits")).collect(),
        }
    };
    network.recursions().iter().map(of_range).collect()
}
