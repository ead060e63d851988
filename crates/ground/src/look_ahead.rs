//! Which moves win at once, and after which the next to move does: what the end of the game asks for, carried
//! back through one stage, and through two.
//!
//! In a phase in which one role has a choice, a move wins at once if the state after it is final and the role
//! gets the most that there is. Both are formulas of the next state, and so, with what the move makes of each
//! fluent in the place of the fluent, formulas of this one. That some move wins in the next phase is a formula
//! of the next state, too, and is carried back in the same way: with it, this move loses. Formulas are
//! simplified by what is known: the move is legal, and the game has not ended yet.

use base::{Id as _, RoleId};
use rustc_hash::FxHashSet;

use crate::formulas::Formulas;
use crate::ground::{GroundMoveId, GroundProgram};
use crate::network::{Kind, Lit, Network};
use crate::phases::Phase;
use crate::rewrite::all_that_holds_with;
use crate::share::share;

/// What is seen of the moves of a phase.
#[derive(Clone, Debug)]
pub struct LookAhead {
    /// The formulas, over the same inputs as those of the game. Only fluents are in them.
    pub network: Network,
    /// The role that has a choice.
    pub role: RoleId,
    /// Moves that may win at once, ascending, and when each of them does, provided that it is legal and the game
    /// has not ended.
    pub wins: Vec<(GroundMoveId, Lit)>,
    /// Moves after which another role may win at once, and when it can.
    pub losses: Vec<(GroundMoveId, Lit)>,
}

/// What a role must get to have won: there is nothing more.
const MOST: &str = "100";

/// So many nodes may be looked at for a phase, which takes some tenths of a second.
const MAX_LOOKS: usize = 4_000_000;

impl GroundProgram {
    /// What is seen of the moves of the phase `number` by looking `n_stages` stages ahead: with one, moves that
    /// win; with two, moves that lose, too. `None` where several roles have a choice, nothing is to be seen, or
    /// the formulas would cost much more than those of the game. If only losses do, these are left out.
    pub fn look_ahead(&self, number: usize, n_stages: usize) -> Option<LookAhead> {
        /// What the formulas may cost beside those of the game, which are evaluated in each step, too; and before
        /// equal parts were made one.
        const MAX_COST: usize = 2;
        const MAX_COST_WITH_LOSSES: usize = 24;
        const BEFORE: usize = 4;
        let n_parts = self.formulas.network.n_parts();
        let max_cost = if n_stages > 1 { MAX_COST_WITH_LOSSES } else { MAX_COST };
        let max_parts = BEFORE * max_cost * n_parts;
        let mut seeing = Seeing::new(self, number, max_parts).filter(|_| n_stages > 0)?;
        let wins = seeing.wins()?;
        let role = seeing.role;
        let reply = (n_stages > 1).then(|| self.some_win_after(number, role, max_parts));
        let losses = reply.flatten().and_then(|reply| seeing.losses(&reply));
        let is_small = |seen: &LookAhead, cost| seen.network.n_parts() <= cost * n_parts;
        let with_losses = losses.and_then(|losses| seeing.shared(&wins, &losses));
        with_losses
            .filter(|seen| is_small(seen, MAX_COST_WITH_LOSSES))
            .or_else(|| seeing.shared(&wins, &[]).filter(|seen| is_small(seen, MAX_COST)))
    }

    /// When the role of the next phase wins at once, if that is not `role`.
    fn some_win_after(&self, number: usize, role: RoleId, max_parts: usize) -> Option<Reply> {
        let next = (number + 1) % self.phases.len();
        let mut seeing = Seeing::new(self, next, max_parts).filter(|next| next.role != role)?;
        let wins = seeing.wins()?;
        let Composing { formulas, inputs, .. } = &seeing.composing;
        let (inputs, formulas) = (inputs.clone(), *formulas);
        let legal = wins.iter().map(|(id, _)| formulas.legal[*id]).collect();
        let legal = Wanted::new(&formulas.network, legal)?;
        let nothing = FxHashSet::default();
        let legal = seeing.composing.copy(&formulas.network, &inputs, &legal, &nothing)?;
        let network = &mut seeing.composing.new;
        let mut some: Vec<Lit> = wins
            .iter()
            .zip(legal)
            .map(|(&(_, wins), legal)| network.and(&mut vec![wins, legal]))
            .collect();
        let lit = network.or(&mut some);
        (lit != Lit::FALSE).then_some(Reply { network: seeing.composing.new, lit })
    }

    /// The role that has a choice in a phase, if no other has, and it is not chance.
    fn only_chooser(&self, phase: &Phase) -> Option<RoleId> {
        let has_choice = |role: &RoleId| {
            let moves = self.moves_of(*role).map(|number| phase.known[self.fluents.len() + number]);
            moves.filter(|known| *known != Some(false)).count() > 1
        };
        let mut choosers = self.roles.ids().filter(has_choice);
        let only = choosers.next().filter(|role| Some(*role) != self.random)?;
        choosers.next().is_none().then_some(only)
    }
}

/// When somebody wins at once in the next state, provided that the game has not ended with it.
struct Reply {
    network: Network,
    lit: Lit,
}

/// Looking ahead from a phase.
struct Seeing<'a> {
    ground: &'a GroundProgram,
    role: RoleId,
    /// The moves that may be legal.
    moves: Vec<usize>,
    /// When the role has won.
    won: Lit,
    composing: Composing<'a>,
}

impl<'a> Seeing<'a> {
    fn new(ground: &'a GroundProgram, number: usize, max_parts: usize) -> Option<Seeing<'a>> {
        let phase = &ground.phases[number];
        let role = ground.only_chooser(phase)?;
        let goals = &ground.formulas.goals[role];
        let won = goals.iter().find(|(value, _)| value == MOST)?.1;
        let n_fluents = ground.fluents.len();
        let moves = ground.moves_of(role);
        let moves = moves.filter(|number| phase.known[n_fluents + number] != Some(false)).collect();
        let composing = Composing::new(&ground.formulas, phase, max_parts)?;
        Some(Seeing { ground, role, moves, won, composing })
    }

    /// By move: when it wins. `None` if that takes too many parts.
    fn wins(&mut self) -> Option<Vec<(GroundMoveId, Lit)>> {
        let formulas = self.composing.formulas;
        let at_end = Wanted::new(&formulas.network, vec![formulas.terminal, self.won])?;
        let used = at_end.fluents(formulas.next.len());
        self.of_moves(&used, |composing, inputs, given| {
            let mut at_end = composing.copy(&formulas.network, inputs, &at_end, given)?;
            Some(composing.new.and(&mut at_end))
        })
    }

    /// By move: when another role wins at once after it. `None` if that takes too many parts.
    fn losses(&mut self, reply: &Reply) -> Option<Vec<(GroundMoveId, Lit)>> {
        let formulas = self.composing.formulas;
        let n_fluents = formulas.next.len();
        let terminal = Wanted::new(&formulas.network, vec![formulas.terminal])?;
        let wins = Wanted::new(&reply.network, vec![reply.lit])?;
        let mut used = [terminal.fluents(n_fluents), wins.fluents(n_fluents)].concat();
        used.sort_unstable();
        used.dedup();
        self.of_moves(&used, |composing, inputs, given| {
            let ended = composing.copy(&formulas.network, inputs, &terminal, given)?[0];
            let replied = composing.copy(&reply.network, inputs, &wins, given)?[0];
            Some(composing.new.and(&mut vec![!ended, replied]))
        })
    }

    /// By move: what `compose` makes of the next state, of which it needs the fluents `used`. Moves of which
    /// nothing can come are left out.
    fn of_moves(
        &mut self,
        used: &[usize],
        mut compose: impl FnMut(&mut Composing<'a>, &[Lit], &FxHashSet<Lit>) -> Option<Lit>,
    ) -> Option<Vec<(GroundMoveId, Lit)>> {
        let Formulas { network, next, .. } = self.composing.formulas;
        let after = used.iter().map(|&fluent| next.as_slice()[fluent]).collect();
        let after = Next { used, after: Wanted::new(network, after)? };
        let mut of_moves = Vec::new();
        for &number in &self.moves {
            let made = Made { number, all: self.ground.moves_of(self.role) };
            let Some((inputs, given)) = self.composing.after(made, &after)? else { continue };
            let lit = compose(&mut self.composing, &inputs, &given)?;
            if lit != Lit::FALSE {
                of_moves.push((GroundMoveId::from_index(number), lit));
            }
        }
        Some(of_moves)
    }

    /// What is seen, with equal parts once. `None` if that is nothing.
    fn shared(
        &self,
        wins: &[(GroundMoveId, Lit)],
        losses: &[(GroundMoveId, Lit)],
    ) -> Option<LookAhead> {
        if wins.is_empty() && losses.is_empty() {
            return None;
        }
        let sharing = share(&self.composing.new, wins.iter().chain(losses).map(|(_, lit)| *lit));
        let shared = |moves: &[(GroundMoveId, Lit)]| {
            moves.iter().map(|&(id, lit)| (id, sharing.lit(lit))).collect()
        };
        let (wins, losses) = (shared(wins), shared(losses));
        Some(LookAhead { network: sharing.new, role: self.role, wins, losses })
    }
}

/// A move that is made, of all moves of its role.
struct Made {
    number: usize,
    all: std::ops::Range<usize>,
}

/// Fluents that matter, and what they are in the next state.
struct Next<'a> {
    used: &'a [usize],
    after: Wanted,
}

/// Formulas of this state for what holds in the next one.
struct Composing<'a> {
    formulas: &'a Formulas,
    new: Network,
    /// By input: its value in this phase, or itself.
    inputs: Vec<Lit>,
    /// What holds because the game has not ended yet.
    given: FxHashSet<Lit>,
    max_parts: usize,
    /// How many more nodes may be looked at: it must not take long.
    n_looks_left: usize,
    /// By node of the network that is copied: what becomes of it.
    lits: Vec<Lit>,
}

/// The next state: by input, when it holds; and what is given if the move is legal.
type After = (Vec<Lit>, FxHashSet<Lit>);

impl<'a> Composing<'a> {
    fn new(formulas: &'a Formulas, phase: &Phase, max_parts: usize) -> Option<Composing<'a>> {
        let old = &formulas.network;
        let new = Network::new(old.n_inputs(), old.groups().to_vec());
        let known = phase.known.iter().enumerate();
        let inputs = known.map(|(number, known)| match known {
            Some(true) => Lit::TRUE,
            Some(false) => Lit::FALSE,
            None => new.input(number),
        });
        let inputs: Vec<Lit> = inputs.collect();
        let given = FxHashSet::default();
        let mut composing = Composing {
            formulas,
            new,
            inputs: inputs.clone(),
            given: given.clone(),
            max_parts,
            n_looks_left: MAX_LOOKS,
            lits: Vec::new(),
        };
        let terminal = Wanted::new(old, vec![formulas.terminal])?;
        let terminal = composing.copy(old, &inputs, &terminal, &given)?[0];
        composing.given = all_that_holds_with(&composing.new, !terminal);
        Some(composing)
    }

    /// What fluents are after a move; nothing if it is never legal. `None` if that takes too many parts.
    fn after(&mut self, made: Made, next: &Next) -> Option<Option<After>> {
        let Formulas { network, legal, next: fluents, .. } = self.formulas;
        let n_fluents = fluents.len();
        let mut inputs = self.inputs.clone();
        for other in made.all {
            inputs[n_fluents + other] = if other == made.number { Lit::TRUE } else { Lit::FALSE };
        }
        let legal = Wanted::new(network, vec![legal.as_slice()[made.number]])?;
        let legal = self.copy(network, &inputs, &legal, &FxHashSet::default())?[0];
        if legal == Lit::FALSE {
            return Some(None);
        }
        let mut given = all_that_holds_with(&self.new, legal);
        given.extend(self.given.iter().copied());
        let after = self.copy(network, &inputs, &next.after, &given)?;
        for (&fluent, lit) in next.used.iter().zip(after) {
            inputs[fluent] = lit;
        }
        Some(Some((inputs, given)))
    }

    /// The formulas `wanted` of another network where the inputs have become others, and `given` holds. `None` if
    /// there are too many parts, or it takes too long.
    fn copy(
        &mut self,
        old: &Network,
        inputs: &[Lit],
        wanted: &Wanted,
        given: &FxHashSet<Lit>,
    ) -> Option<Vec<Lit>> {
        self.n_looks_left = self.n_looks_left.checked_sub(wanted.nodes.len())?;
        if self.new.n_parts_now() > self.max_parts {
            return None;
        }
        self.lits.resize(self.lits.len().max(old.n_nodes()), Lit::TRUE);
        let lits = &mut self.lits;
        let lit_of = |lits: &[Lit], lit: Lit| {
            let new = lits[lit.node()];
            if lit.is_negative() { !new } else { new }
        };
        let mut parts = Vec::new();
        for &node in &wanted.nodes {
            parts.clear();
            parts.extend(old.parts(node).iter().map(|&part| lit_of(lits, part)));
            let new = match old.kind(node) {
                Kind::True => Lit::TRUE,
                Kind::Input => inputs[node - 1],
                Kind::And => self.new.and(&mut parts),
                Kind::Or => self.new.or(&mut parts),
            };
            lits[node] = where_given(new, given);
        }
        Some(wanted.lits.iter().map(|&lit| lit_of(lits, lit)).collect())
    }
}

/// Formulas of a network, and the nodes that they need, in an order of evaluation.
struct Wanted {
    lits: Vec<Lit>,
    nodes: Vec<usize>,
}

impl Wanted {
    /// `None` if formulas depend on each other.
    fn new(network: &Network, lits: Vec<Lit>) -> Option<Wanted> {
        let mut is_needed = FxHashSet::default();
        let mut open: Vec<usize> = lits.iter().map(|lit| lit.node()).collect();
        while let Some(node) = open.pop() {
            if node > 0 && is_needed.insert(node) {
                open.extend(network.parts(node).iter().map(|part| part.node()));
            }
        }
        let mut nodes: Vec<usize> = is_needed.into_iter().collect();
        nodes.sort_unstable();
        let is_recursive = nodes.iter().any(|&node| network.recursion_of(node).is_some());
        (!is_recursive).then_some(Wanted { lits, nodes })
    }

    /// The fluents among `n_fluents` that they depend on.
    fn fluents(&self, n_fluents: usize) -> Vec<usize> {
        let inputs = self.nodes.iter().take_while(|&&node| node <= n_fluents);
        inputs.map(|node| node - 1).collect()
    }
}

/// A formula where others are given.
fn where_given(lit: Lit, given: &FxHashSet<Lit>) -> Lit {
    if given.contains(&lit) {
        Lit::TRUE
    } else if given.contains(&!lit) {
        Lit::FALSE
    } else {
        lit
    }
}
