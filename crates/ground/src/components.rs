//! Strongly connected components of large sparse graphs (Tarjan 1972), without recursion.

use crate::lists::Lists;

/// The components of the graph in which node `n` has links to those in list `n`, each after those
/// that its links lead to.
pub(crate) fn components(links: &Lists) -> Vec<Vec<u32>> {
    const UNSEEN: u32 = u32::MAX;
    let mut order = vec![UNSEEN; links.len()];
    let mut low = vec![0; links.len()];
    let mut is_open = vec![false; links.len()];
    let mut stack: Vec<u32> = Vec::new();
    let mut path: Vec<(u32, usize)> = Vec::new();
    let mut n_seen = 0;
    let mut found = Vec::new();
    for root in 0..links.len() {
        if order[root] != UNSEEN {
            continue;
        }
        path.push((u32::try_from(root).expect("32 bits"), 0));
        while let Some((node, next_link)) = path.pop() {
            let at = node as usize;
            if next_link == 0 {
                order[at] = n_seen;
                low[at] = n_seen;
                n_seen += 1;
                stack.push(node);
                is_open[at] = true;
            } else {
                let child = links.get(at)[next_link - 1] as usize;
                low[at] = low[at].min(low[child]);
            }
            let mut next_link = next_link;
            let mut descends = false;
            while let Some(&child) = links.get(at).get(next_link) {
                next_link += 1;
                let child = child as usize;
                if order[child] == UNSEEN {
                    path.push((node, next_link));
                    path.push((u32::try_from(child).expect("32 bits"), 0));
                    descends = true;
                    break;
                }
                if is_open[child] {
                    low[at] = low[at].min(order[child]);
                }
            }
            if !descends && low[at] == order[at] {
                let start = stack.iter().rposition(|&other| other == node).expect("it is open");
                let component = stack.split_off(start);
                component.iter().for_each(|&member| is_open[member as usize] = false);
                found.push(component);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_come_after_what_they_lead_to() {
        // 0 → 1 ⇄ 2 → 3, and 4 → 4.
        let pairs = [(0, 1), (1, 2), (2, 1), (2, 3), (4, 4)];
        let links = Lists::new(5, || pairs.into_iter());
        let mut found = components(&links);
        found.iter_mut().for_each(|component| component.sort_unstable());
        assert_eq!(found, [vec![3], vec![1, 2], vec![0], vec![4]]);
    }

    #[test]
    fn a_long_chain_needs_no_stack() {
        let links = Lists::new(200_001, || (0..200_000).map(|n| (n, n + 1)));
        assert_eq!(components(&links).len(), 200_001);
    }
}
