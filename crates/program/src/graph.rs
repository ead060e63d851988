//! Which relation depends on which: components, strata, and what depends on the state.

use base::{Id, IdVec};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use crate::program::{Dependence, RelationId};

/// Relations that depend on each other, or a single one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Component {
    /// The relations, ascending.
    pub relations: Vec<RelationId>,
    /// Whether a relation in it depends on itself, directly or through others.
    pub is_recursive: bool,
}

/// A rule for `head` has a condition on `body`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Edge {
    pub(crate) head: RelationId,
    pub(crate) body: RelationId,
    pub(crate) is_negative: bool,
}

/// The dependency graph of the relations of a game.
pub(crate) struct Graph {
    condensation: Condensation,
    dependences: IdVec<RelationId, Dependence>,
}

impl Graph {
    pub(crate) fn new(n_relations: usize, edges: &[Edge]) -> Graph {
        let links = edges.iter().map(|edge| Link {
            from: edge.head.index(),
            to: edge.body.index(),
            is_negative: edge.is_negative,
        });
        let condensation = Condensation::new(n_relations, links.collect());
        let dependences = dependences(n_relations, &condensation);
        Graph { condensation, dependences }
    }

    pub(crate) fn are_in_one_component(&self, a: RelationId, b: RelationId) -> bool {
        self.condensation.are_in_one_component(a.index(), b.index())
    }

    /// The place of the component that `relation` is in.
    pub(crate) fn component(&self, relation: RelationId) -> usize {
        self.condensation.component_of[relation.index()]
    }

    pub(crate) fn dependence(&self, relation: RelationId) -> Dependence {
        self.dependences[relation]
    }

    pub(crate) fn stratum(&self, relation: RelationId) -> usize {
        self.condensation.strata[relation.index()]
    }

    /// The components in an order of evaluation: each depends only on itself and those before.
    pub(crate) fn components(&self) -> Vec<Component> {
        let component = |nodes: &Vec<usize>| Component {
            relations: nodes.iter().map(|&node| RelationId::from_index(node)).collect(),
            is_recursive: self.condensation.is_recursive(nodes),
        };
        self.condensation.components.iter().map(component).collect()
    }
}

fn dependences(n_relations: usize, condensation: &Condensation) -> IdVec<RelationId, Dependence> {
    let mut dependences: IdVec<RelationId, Dependence> =
        (0..n_relations).map(|_| Dependence::Nothing).collect();
    dependences[RelationId::TRUE] = Dependence::State;
    dependences[RelationId::DOES] = Dependence::Moves;
    for component in &condensation.components {
        let links = component.iter().flat_map(|&node| condensation.links_of(node));
        let nodes = links.map(|link| link.to).chain(component.iter().copied());
        let relations = nodes.map(RelationId::from_index);
        let dependence = relations.map(|relation| dependences[relation]).max();
        let mut dependence = dependence.expect("a component is not empty");
        if component == &[RelationId::TERMINAL.index()] {
            // Where `terminal` asks for moves, it asks before there are any.
            dependence = dependence.min(Dependence::State);
        }
        for &node in component {
            dependences[RelationId::from_index(node)] = dependence;
        }
    }
    dependences
}

/// `from` depends on `to`, or on its negation. The nodes are relations, or rules.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Link {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) is_negative: bool,
}

/// A dependency graph divided into its strongly connected components.
pub(crate) struct Condensation {
    /// Sorted.
    links: Vec<Link>,
    /// Each after those that it depends on; ascending within.
    pub(crate) components: Vec<Vec<usize>>,
    component_of: Vec<usize>,
    /// By node: how many negations it stands above. A negation within a component, which no
    /// stratum can stand above, does not count.
    pub(crate) strata: Vec<usize>,
}

impl Condensation {
    pub(crate) fn new(n_nodes: usize, mut links: Vec<Link>) -> Condensation {
        links.sort_unstable();
        links.dedup();
        let components = strong_components(n_nodes, &links);
        let mut component_of = vec![0; n_nodes];
        for (place, component) in components.iter().enumerate() {
            for &node in component {
                component_of[node] = place;
            }
        }
        let strata = vec![0; n_nodes];
        let mut condensation = Condensation { links, components, component_of, strata };
        condensation.set_strata();
        condensation
    }

    pub(crate) fn are_in_one_component(&self, a: usize, b: usize) -> bool {
        self.component_of[a] == self.component_of[b]
    }

    /// The links within components that negate: what makes a program unstratified.
    pub(crate) fn negative_cycles(&self) -> impl Iterator<Item = &Link> {
        let is_inner = |link: &&Link| self.are_in_one_component(link.from, link.to);
        self.links.iter().filter(|link| link.is_negative).filter(is_inner)
    }

    fn is_recursive(&self, component: &[usize]) -> bool {
        component.len() > 1 || self.links_of(component[0]).iter().any(|link| link.to == link.from)
    }

    fn links_of(&self, node: usize) -> &[Link] {
        let start = self.links.partition_point(|link| link.from < node);
        let end = self.links.partition_point(|link| link.from <= node);
        &self.links[start..end]
    }

    fn set_strata(&mut self) {
        for component in &self.components {
            let links = component.iter().flat_map(|&node| self.links_of(node));
            let step = |link: &Link| {
                let is_inner = self.are_in_one_component(link.from, link.to);
                self.strata[link.to] + usize::from(link.is_negative && !is_inner)
            };
            let stratum = links.map(step).max().unwrap_or(0);
            for &node in component {
                self.strata[node] = stratum;
            }
        }
    }
}

/// The strongly connected components, each after those that its links lead to.
fn strong_components(n_nodes: usize, links: &[Link]) -> Vec<Vec<usize>> {
    let mut graph = DiGraph::<(), (), u32>::with_capacity(n_nodes, links.len());
    let nodes: Vec<NodeIndex> = (0..n_nodes).map(|_| graph.add_node(())).collect();
    for link in links {
        graph.add_edge(nodes[link.from], nodes[link.to], ());
    }
    // Kosaraju's algorithm as petgraph has it keeps its own stack.
    let mut components = kosaraju_scc(&graph);
    let sorted = components.iter_mut().map(|component| {
        component.sort_unstable();
        component.iter().map(|node| node.index()).collect()
    });
    sorted.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(head: usize, body: usize, is_negative: bool) -> Edge {
        let id = |index: usize| RelationId::from_index(11 + index);
        Edge { head: id(head), body: id(body), is_negative }
    }

    #[test]
    fn strata_count_negations_and_components_come_after_what_they_need() {
        // a :- not b. b :- c. c :- b. b :- not d.
        let edges = [edge(0, 1, true), edge(1, 2, false), edge(2, 1, false), edge(1, 3, true)];
        let graph = Graph::new(15, &edges);
        let id = |index: usize| RelationId::from_index(11 + index);
        let strata: Vec<usize> = (0..4).map(|index| graph.stratum(id(index))).collect();
        assert_eq!(strata, [2, 1, 1, 0]);
        let components = graph.components();
        let place = |index: usize| {
            let holds = |component: &Component| component.relations.contains(&id(index));
            components.iter().position(holds).unwrap()
        };
        assert!(place(3) < place(1) && place(1) == place(2) && place(2) < place(0));
        assert!(components[place(1)].is_recursive && !components[place(0)].is_recursive);
    }

    #[test]
    fn a_long_chain_needs_no_stack() {
        let edges: Vec<Edge> = (0..300_000).map(|n| edge(n, n + 1, false)).collect();
        assert_eq!(Graph::new(300_020, &edges).components().len(), 300_020);
    }
}
