//! Strongly connected components of large sparse graphs (Tarjan 1972), without recursion.

use crate::lists::Lists;

/// Calls `visit` with the components that `roots` lead to in the graph in which node `n` has links to
/// those in list `n`, each after those that its own links lead to.
pub(crate) fn visit_components(
    links: &Lists,
    roots: impl Iterator<Item = u32>,
    mut visit: impl FnMut(&[u32]),
) {
    const UNSEEN: u32 = u32::MAX;
    let mut order = vec![UNSEEN; links.len()];
    let mut low = vec![0; links.len()];
    let mut is_open = vec![false; links.len()];
    let mut stack: Vec<u32> = Vec::new();
    let mut path: Vec<(u32, usize)> = Vec::new();
    let mut n_seen = 0;
    for root in roots {
        if order[root as usize] != UNSEEN {
            continue;
        }
        path.push((root, 0));
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
                stack[start..].iter().for_each(|&member| is_open[member as usize] = false);
                visit(&stack[start..]);
                stack.truncate(start);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn components(links: &Lists, roots: &[u32]) -> Vec<Vec<u32>> {
        let mut found = Vec::new();
        visit_components(links, roots.iter().copied(), |component| {
            let mut component = component.to_vec();
            component.sort_unstable();
            found.push(component);
        });
        found
    }

    #[test]
    fn components_come_after_what_they_lead_to() {
        // 0 → 1 ⇄ 2 → 3, and 4 → 4.
        let pairs = [(0, 1), (1, 2), (2, 1), (2, 3), (4, 4)];
        let links = Lists::new(5, || pairs.into_iter());
        assert_eq!(components(&links, &[0, 4]), [vec![3], vec![1, 2], vec![0], vec![4]]);
        assert_eq!(components(&links, &[2]), [vec![3], vec![1, 2]]);
    }

    #[test]
    fn a_long_chain_needs_no_stack() {
        let links = Lists::new(200_001, || (0..200_000).map(|n| (n, n + 1)));
        assert_eq!(components(&links, &[0]).len(), 200_001);
    }
}
