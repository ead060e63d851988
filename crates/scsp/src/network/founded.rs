//! Reasons that do not go in a circle.

use rustc_hash::FxHashMap;

use super::{Literal, VarId};

/// A hard constraint on the heads of rules: one that holds follows by rules from what is no head, and
/// not only from itself. With a [`super::Formula`] for each head it is the least model of the rules,
/// however they depend on each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Founded {
    heads: Vec<Literal>,
    pub(crate) rules: Vec<Rule>,
    /// By head: the rules that have it in their bodies.
    pub(crate) rules_with: Vec<Vec<u32>>,
    scope: Vec<VarId>,
}

/// A rule whose head is one of several.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Rule {
    /// The number of its head.
    pub(crate) head: u32,
    /// The heads in its body, each once.
    pub(crate) heads: Vec<u32>,
    /// The other literals of its body.
    pub(crate) others: Vec<Literal>,
}

impl Founded {
    /// The rules as heads and bodies.
    pub(crate) fn new(rules: &[(Literal, Vec<Literal>)]) -> Founded {
        let mut heads: Vec<Literal> = rules.iter().map(|(head, _)| *head).collect();
        heads.sort_unstable();
        heads.dedup();
        let numbers: FxHashMap<Literal, u32> = heads.iter().copied().zip(0..).collect();
        let mut rules_with = vec![Vec::new(); heads.len()];
        let rule = |(number, (head, body)): (u32, &(Literal, Vec<Literal>))| {
            let mut in_body: Vec<u32> =
                body.iter().filter_map(|literal| numbers.get(literal).copied()).collect();
            in_body.sort_unstable();
            in_body.dedup();
            in_body.iter().for_each(|&other| rules_with[other as usize].push(number));
            let others = body.iter().copied().filter(|literal| !numbers.contains_key(literal));
            Rule { head: numbers[head], heads: in_body, others: others.collect() }
        };
        let numbered = (0..).zip(rules).map(rule).collect();
        let literals = rules.iter().flat_map(|(_, body)| body).chain(&heads);
        let mut scope: Vec<VarId> = literals.map(|literal| literal.var).collect();
        scope.sort_unstable();
        scope.dedup();
        Founded { heads, rules: numbered, rules_with, scope }
    }

    /// The variables that it is about.
    pub fn scope(&self) -> &[VarId] {
        &self.scope
    }

    /// The heads, each once.
    pub(crate) fn heads(&self) -> &[Literal] {
        &self.heads
    }

    /// The rules: heads, and what they follow from.
    pub fn rules(&self) -> impl Iterator<Item = (Literal, Vec<Literal>)> {
        self.rules.iter().map(|rule| {
            let heads = rule.heads.iter().map(|&head| self.heads[head as usize]);
            (self.heads[rule.head as usize], heads.chain(rule.others.iter().copied()).collect())
        })
    }

    /// By head: whether it follows by rules from literals, none of them a head, that `may_hold`.
    pub(crate) fn derived(&self, may_hold: impl Fn(Literal) -> bool) -> Vec<bool> {
        let mut is_derived = vec![false; self.heads.len()];
        let mut n_missing: Vec<usize> = self.rules.iter().map(|rule| rule.heads.len()).collect();
        let can_fire: Vec<bool> =
            self.rules.iter().map(|rule| rule.others.iter().all(|&l| may_hold(l))).collect();
        let mut ready: Vec<u32> = (0..self.rules.len() as u32)
            .filter(|&n| can_fire[n as usize] && n_missing[n as usize] == 0)
            .collect();
        while let Some(number) = ready.pop() {
            let head = self.rules[number as usize].head;
            if std::mem::replace(&mut is_derived[head as usize], true) {
                continue;
            }
            for &next in &self.rules_with[head as usize] {
                n_missing[next as usize] -= 1;
                if n_missing[next as usize] == 0 && can_fire[next as usize] {
                    ready.push(next);
                }
            }
        }
        is_derived
    }

    pub(crate) fn allows(&self, values: &[u32]) -> bool {
        let is_derived = self.derived(|literal| literal.holds(values));
        let mut heads = self.heads.iter().zip(is_derived);
        heads.all(|(head, is_derived)| is_derived || !head.holds(values))
    }
}
