//! A phase of a game: the code that takes plays through one joint move.

use base::{Id, IdVec, RoleId};
use ground::{Formulas, GroundProgram, Lit, Network, Phase};

use super::code::Code;
use super::gathering::{Gathering, OfRole};
use super::legal::Legal;
use super::word::Word;
use crate::schedule::Schedule;

/// The code of a phase and what it computes.
#[derive(Clone, Debug)]
pub(super) struct PhaseCode {
    /// What the moves that are gathered depend on.
    early: Code,
    /// Whether the play has ended, and what else is left of the state.
    late: Code,
    /// The next fluents.
    pub(super) successor: Code,
    /// The goals, after the state.
    pub(super) goals: Code,
    terminal: Lit,
    pub(super) moves: IdVec<RoleId, Moves>,
    pub(super) goal_lits: IdVec<RoleId, Vec<Lit>>,
    /// By fluent: when it holds next, and whether it does at first.
    next: Vec<(Lit, bool)>,
    /// The fluents whose next value is that of an input: read before any is written.
    from_inputs: Vec<u32>,
    n_nodes: usize,
}

/// The moves that a role may have in a phase.
#[derive(Clone, Debug)]
pub(super) enum Moves {
    /// No other than that of this input, and when it is legal. What follows from it is in the code.
    One(u32, Lit),
    Several(Several),
}

/// The moves of a role that has a choice.
#[derive(Clone, Debug)]
pub(super) struct Several {
    /// Those that are gathered as they are evaluated.
    gathered: Code,
    /// The node that holds where one of these is legal, or something else is true.
    any: Option<usize>,
    /// The input of each other, and when it is legal.
    others: Vec<(u32, Lit)>,
    n_moves: usize,
}

impl PhaseCode {
    pub(super) fn new(ground: &GroundProgram, phase: &Phase) -> PhaseCode {
        let Formulas { network, legal, next, terminal, goals, .. } = ground.in_phase(phase);
        let moves: IdVec<RoleId, Vec<(u32, Lit)>> =
            ground.roles.ids().map(|role| moves_of(ground, phase, &legal, role)).collect();
        let goal_lits: IdVec<RoleId, Vec<Lit>> =
            goals.iter().map(|goals| goals.iter().map(|(_, lit)| *lit).collect()).collect();
        let others: Vec<Lit> =
            next.iter().chain(goal_lits.iter().flatten()).chain([&terminal]).copied().collect();
        let gathering = Gathering::new(&network, &moves, &others);
        let before = gathering.early.with(gathering.nodes());
        let legal = gathering.roles.iter().flat_map(|role| &role.others).map(|(_, legal)| *legal);
        let late = Schedule::new(&network, legal.chain([terminal]), Some(&before));
        let mut late_code = Code::new(&network, &late);
        for role in &gathering.roles {
            if let Some(any) = role.any {
                late_code.begin_with_or(any, role.other_parts(&network));
            }
        }
        let successor = Schedule::new(&network, next.iter().copied(), Some(&late));
        let of_goals = Schedule::new(&network, goal_lits.iter().flatten().copied(), Some(&late));
        let is_made = |&(input, _): &(u32, Lit)| phase.known[input as usize - 1] == Some(true);
        let moves = gathering.roles.iter().map(|role| match role.others.as_slice() {
            [only] if role.gathered.is_empty() && is_made(only) => Moves::One(only.0, only.1),
            _ => Moves::Several(Several::new(&network, role)),
        });
        let moves = moves.collect();
        let mut next: Vec<(Lit, bool)> = next.iter().map(|&lit| (lit, false)).collect();
        ground.initial.iter().for_each(|fluent| next[fluent.index()].1 = true);
        let is_input = |lit: Lit| (1..=network.n_inputs()).contains(&lit.node());
        let from_inputs = (0..next.len()).filter(|&fluent| is_input(next[fluent].0));
        PhaseCode {
            early: Code::new(&network, &gathering.early),
            late: late_code,
            successor: Code::new(&network, &successor),
            goals: Code::new(&network, &of_goals),
            from_inputs: from_inputs.map(|n| u32::try_from(n).expect("32 bits")).collect(),
            n_nodes: network.n_nodes(),
            terminal,
            moves,
            goal_lits,
            next,
        }
    }

    /// How many words the code works on.
    pub(super) fn n_nodes(&self) -> usize {
        self.n_nodes
    }

    /// What a step costs, but for the goals.
    pub(super) fn cost(&self) -> usize {
        let gathered: usize = self.several().map(|(_, several)| several.gathered.cost()).sum();
        self.early.cost() + gathered + self.late.cost() + self.successor.cost() + self.next.len()
    }

    /// How many moves a role may have.
    pub(super) fn n_moves(&self, role: RoleId) -> usize {
        match &self.moves[role] {
            Moves::One(..) => 1,
            Moves::Several(several) => several.n_moves,
        }
    }

    /// Evaluates the states and finds the legal moves of the roles that have a choice. Returns the
    /// plays that have ended.
    pub(super) fn evaluate(&self, values: &mut [Word], legal: &mut IdVec<RoleId, Legal>) -> Word {
        self.early.run(values);
        for (role, several) in self.several() {
            several.gathered.gather(values, &mut legal[role]);
            if let Some(any) = several.any {
                values[any] = legal[role].any;
            }
        }
        self.late.run(values);
        for (role, several) in self.several() {
            add_legal(values, &several.others, &mut legal[role]);
        }
        word_of(values, self.terminal)
    }

    /// The roles that have a choice.
    pub(super) fn choosers(&self) -> impl Iterator<Item = RoleId> {
        self.several().map(|(role, _)| role)
    }

    fn several(&self) -> impl Iterator<Item = (RoleId, &Several)> {
        self.moves.iter_with_ids().filter_map(|(role, moves)| match moves {
            Moves::One(..) => None,
            Moves::Several(several) => Some((role, several)),
        })
    }

    /// The next fluents become the fluents; those of the plays in `fresh` the initial ones.
    pub(super) fn move_on(&self, values: &mut [Word], fresh: Word, buffer: &mut Vec<Word>) {
        buffer.clear();
        let from_inputs = self.from_inputs.iter().map(|&fluent| self.next[fluent as usize]);
        buffer.extend(from_inputs.map(|next| next_word(values, next, fresh)));
        write_next(values, &self.next, fresh);
        for (&fluent, word) in self.from_inputs.iter().zip(&*buffer) {
            values[1 + fluent as usize] = *word;
        }
    }

    /// Puts the initial state into all plays.
    pub(super) fn start(&self, values: &mut [Word]) {
        for (value, &(_, is_initial)) in values[1..].iter_mut().zip(&self.next) {
            *value = if is_initial { Word::ALL } else { Word::NONE };
        }
    }
}

#[multiversion::multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn write_next(values: &mut [Word], next: &[(Lit, bool)], fresh: Word) {
    for (fluent, &next) in next.iter().enumerate() {
        values[1 + fluent] = next_word(values, next, fresh);
    }
}

/// The plays in which a fluent holds next, where those in `fresh` begin anew.
#[inline(always)]
fn next_word(values: &[Word], (lit, is_initial): (Lit, bool), fresh: Word) -> Word {
    let begins = if is_initial { fresh } else { Word::NONE };
    (word_of(values, lit) & !fresh) | begins
}

#[multiversion::multiversion(targets("x86_64+avx512f", "x86_64+avx2"))]
fn add_legal(values: &[Word], moves: &[(u32, Lit)], legal: &mut Legal) {
    legal.extend(|adding| {
        moves.iter().for_each(|&(input, lit)| adding.add(input, word_of(values, lit)));
    });
}

impl Several {
    fn new(network: &Network, role: &OfRole) -> Several {
        Several {
            gathered: Code::of_moves(network, &role.gathered),
            any: role.any,
            others: role.others.clone(),
            n_moves: role.gathered.len() + role.others.len(),
        }
    }
}

/// The inputs of the moves that a role may have in a phase, and when they are legal.
fn moves_of(
    ground: &GroundProgram,
    phase: &Phase,
    legal: &IdVec<ground::GroundMoveId, Lit>,
    role: RoleId,
) -> Vec<(u32, Lit)> {
    let input_of = |number: usize| ground.fluents.len() + number;
    let is_possible = |&number: &usize| phase.known[input_of(number)] != Some(false);
    let node = |number: usize| u32::try_from(1 + input_of(number)).expect("32 bits");
    let possible = ground.moves_of(role).filter(is_possible);
    possible.map(|number| (node(number), legal.as_slice()[number])).collect()
}

/// The plays in which `lit` holds.
#[inline(always)]
pub(super) fn word_of(values: &[Word], lit: Lit) -> Word {
    let value = values[lit.node()];
    if lit.is_negative() { !value } else { value }
}
