//! What the rules say of a state and the moves made in it.

use base::{Id, IdVec, RoleId};

use crate::ground::{FluentId, GroundMoveId};
use crate::network::{Group, Lit, Network};
use crate::rewrite::Rewriting;
use crate::share::share;

/// The rules as formulas over the fluents of a state and the moves made in it.
#[derive(Clone, Debug)]
pub struct Formulas {
    /// The formulas. Its inputs are the fluents, then the moves.
    pub network: Network,
    /// When each move is legal.
    pub legal: IdVec<GroundMoveId, Lit>,
    /// When each fluent holds next.
    pub next: IdVec<FluentId, Lit>,
    /// When the game has ended.
    pub terminal: Lit,
    /// By role: the goal values, and when they hold.
    pub goals: IdVec<RoleId, Vec<(String, Lit)>>,
    /// By role: what it may see, and when.
    pub percepts: IdVec<RoleId, Vec<(String, Lit)>>,
}

impl Formulas {
    /// The formulas where some inputs are known, by their numbers, and others come in `groups`.
    pub(crate) fn given(&self, known: &[Option<bool>], groups: &[Group]) -> Formulas {
        let open_part = |group: &Group| {
            let values = group.inputs.iter().map(|&input| known[input as usize]);
            let is_decided = values.clone().any(|value| value == Some(true));
            let inputs = group.inputs.iter().zip(values).filter(|(_, value)| value.is_none());
            let inputs = inputs.map(|(&input, _)| input).collect();
            Group { inputs, is_exact: group.is_exact && !is_decided }
        };
        let groups = groups.iter().map(open_part).collect();
        self.given_in(Network::new(known.len(), groups), known)
    }

    /// The formulas where nothing is known but that inputs come in `groups`.
    pub(crate) fn grouped(&self, groups: &[Group]) -> Formulas {
        self.given(&vec![None; self.network.n_inputs()], groups)
    }

    /// The formulas where some inputs are known, in `network`, which is over the same inputs and may
    /// have other formulas already.
    pub(crate) fn given_in(&self, network: Network, known: &[Option<bool>]) -> Formulas {
        let mut rewriting = Rewriting::new(&self.network, network, self.lits());
        for (input, value) in known.iter().enumerate() {
            if let Some(value) = value {
                rewriting.set_input(input, *value);
            }
        }
        rewriting.copy(self.legal.iter().copied());
        for (id, &legal) in self.legal.iter_with_ids() {
            let input = self.next.len() + id.index();
            if known[input].is_none() {
                rewriting.set_legal(input, rewriting.lit(legal));
            }
        }
        rewriting.copy(self.lits());
        let formulas = self.map(|lit| rewriting.lit(lit));
        Formulas { network: rewriting.new, ..formulas }
    }

    /// The formulas with their common parts taken out: they mean the same and are smaller.
    pub(crate) fn shared(&self) -> Formulas {
        let sharing = share(&self.network, self.lits());
        let formulas = self.map(|lit| sharing.lit(lit));
        Formulas { network: sharing.new, ..formulas }
    }

    /// The formulas by what they have become in another network, which is still to be given.
    fn map(&self, map: impl Fn(Lit) -> Lit + Copy) -> Formulas {
        let (legal, terminal) = (self.legal.iter().copied().map(map).collect(), map(self.terminal));
        let next = self.next.iter().copied().map(map).collect();
        let (goals, percepts) = (by_role(&self.goals, map), by_role(&self.percepts, map));
        Formulas { legal, next, terminal, goals, percepts, network: Network::default() }
    }

    /// Everything that is asked of the network.
    fn lits(&self) -> impl Iterator<Item = Lit> {
        let of_roles = self.goals.iter().chain(self.percepts.iter()).flatten().map(|(_, lit)| *lit);
        let of_state = self.legal.iter().chain(self.next.iter()).copied();
        of_state.chain([self.terminal]).chain(of_roles)
    }
}

type ByRole = IdVec<RoleId, Vec<(String, Lit)>>;

fn by_role(values: &ByRole, map: impl Fn(Lit) -> Lit) -> ByRole {
    let of_role = |of_role: &Vec<(String, Lit)>| {
        of_role.iter().map(|(text, lit)| (text.clone(), map(*lit))).collect()
    };
    values.iter().map(of_role).collect()
}
