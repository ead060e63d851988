//! What formulas depend on, and all that they can say.

use base::{Id as _, IdVec, RoleId};
use ground::{FluentId, GroundProgram, Kind, Lit};

use crate::positions::{PositionId, Positions};

/// A variable of a stage.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum StageVar {
    Position(PositionId),
    /// Whether the game has ended.
    Terminal,
    Action(RoleId),
}

/// The formulas that others are made of, and the variables that they depend on.
#[derive(Debug)]
pub(crate) struct Cone {
    /// The gates, each after its parts.
    gates: Vec<usize>,
    /// The inputs by node, with their variables and the places of their values.
    inputs: Vec<(usize, StageVar, u32)>,
    /// The variables, ascending.
    pub(crate) vars: Vec<StageVar>,
}

/// What formulas are about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subject<'a> {
    pub(crate) ground: &'a GroundProgram,
    pub(crate) positions: &'a Positions,
}

impl Subject<'_> {
    /// The variable of an input, and the place of the value that says that it holds.
    pub(crate) fn input(&self, node: usize) -> (StageVar, u32) {
        let number = node - 1;
        let n_fluents = self.ground.fluents.len();
        if number < n_fluents {
            let (position, place) = self.positions.of_fluent(FluentId::from_index(number));
            return (StageVar::Position(position), place);
        }
        let number = number - n_fluents;
        let role = self.ground.moves.as_slice()[number].0;
        (StageVar::Action(role), (number - self.ground.moves_of(role).start) as u32)
    }

    /// Everything that `lits` are made of. `None` if they depend on each other, or on variables with more
    /// than `max_tuples` combinations of values.
    pub(crate) fn cone(
        &self,
        lits: impl IntoIterator<Item = Lit>,
        n_actions: &IdVec<RoleId, usize>,
        max_tuples: usize,
    ) -> Option<Cone> {
        let network = &self.ground.formulas.network;
        let mut is_seen = vec![false; network.n_nodes()];
        let mut open: Vec<usize> = lits.into_iter().map(Lit::node).collect();
        let (mut gates, mut inputs, mut vars) = (Vec::new(), Vec::new(), Vec::new());
        let mut n_tuples = 1_usize;
        while let Some(node) = open.pop() {
            if std::mem::replace(&mut is_seen[node], true) {
                continue;
            }
            match network.kind(node) {
                Kind::True => {}
                Kind::Input => {
                    let (var, place) = self.input(node);
                    inputs.push((node, var, place));
                    if !vars.contains(&var) {
                        vars.push(var);
                        n_tuples = n_tuples.saturating_mul(self.n_values(var, n_actions));
                    }
                    if n_tuples > max_tuples {
                        return None;
                    }
                }
                _ if network.recursion_of(node).is_some() => return None,
                Kind::And | Kind::Or => {
                    gates.push(node);
                    open.extend(network.parts(node).iter().map(|part| part.node()));
                }
            }
        }
        gates.sort_unstable();
        vars.sort_unstable();
        Some(Cone { gates, inputs, vars })
    }

    /// How many values a variable of a stage has, where `n_actions` says that of actions.
    pub(crate) fn n_values(&self, var: StageVar, n_actions: &IdVec<RoleId, usize>) -> usize {
        match var {
            StageVar::Position(id) => self.positions.all()[id].values.len(),
            StageVar::Terminal => 2,
            StageVar::Action(role) => n_actions[role],
        }
    }

    /// Calls `visit` with all combinations of values of `vars`, the last changing fastest, and what is
    /// true of the formulas of `cone` then, by node.
    pub(crate) fn for_all(
        &self,
        cone: &Cone,
        vars: &[StageVar],
        sizes: &[usize],
        mut visit: impl FnMut(&[u32], &Values<'_>),
    ) {
        let network = &self.ground.formulas.network;
        let mut truths = vec![false; network.n_nodes()];
        truths[0] = true;
        let position = |var: StageVar| vars.iter().position(|other| *other == var);
        let inputs: Vec<(usize, usize, u32)> = cone
            .inputs
            .iter()
            .filter_map(|&(node, var, place)| Some((node, position(var)?, place)))
            .collect();
        let mut values = vec![0_u32; vars.len()];
        loop {
            for &(node, position, place) in &inputs {
                truths[node] = values[position] == place;
            }
            for &node in &cone.gates {
                let holds = |part: &Lit| truths[part.node()] != part.is_negative();
                truths[node] = match network.kind(node) {
                    Kind::And => network.parts(node).iter().all(holds),
                    _ => network.parts(node).iter().any(holds),
                };
            }
            visit(&values, &Values { truths: &truths });
            // The next combination.
            let Some(last) = (0..vars.len()).rfind(|&n| (values[n] as usize) + 1 < sizes[n]) else {
                return;
            };
            values[last] += 1;
            values[last + 1..].fill(0);
        }
    }
}

/// What is true of formulas.
#[derive(Debug)]
pub(crate) struct Values<'a> {
    truths: &'a [bool],
}

impl Values<'_> {
    pub(crate) fn holds(&self, lit: Lit) -> bool {
        self.truths[lit.node()] != lit.is_negative()
    }
}

impl Cone {
    /// How many formulas are evaluated for each combination of values.
    pub(crate) fn size(&self) -> usize {
        self.gates.len() + self.inputs.len() + 1
    }
}
