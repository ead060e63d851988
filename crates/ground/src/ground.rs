//! The propositional program.

use std::ops::Range;

use base::{Id, IdVec, RoleId, define_id};
use program::{Program, RelationId};

use crate::components::components;
use crate::formulas::Formulas;
use crate::groups::{FluentGroups, Shape, fluent_groups};
use crate::instantiate::{GroundError, Instances, Limits, instantiate};
use crate::network::{Group, Lit, Network};
use crate::phases::{Phase, phases};
use crate::split::split;
use crate::terms::TermId;
use crate::unfold::unfold;

define_id! {
    /// A fluent: something that may hold in a state.
    pub struct FluentId;
}

define_id! {
    /// A move of a role. The moves of a role stand together.
    pub struct GroundMoveId;
}

/// A game as formulas over its fluents and moves.
#[derive(Clone, Debug)]
pub struct GroundProgram {
    /// The names of the roles.
    pub roles: IdVec<RoleId, String>,
    /// The role of chance.
    pub random: Option<RoleId>,
    /// Every fluent that may ever hold, in prefix form.
    pub fluents: IdVec<FluentId, String>,
    /// Every move that may ever be legal, with its role and in prefix form.
    pub moves: IdVec<GroundMoveId, (RoleId, String)>,
    /// The fluents that hold at first.
    pub initial: Vec<FluentId>,
    /// When moves are legal, what follows from them, and when the game ends.
    pub formulas: Formulas,
    /// What is known of the inputs of the formulas after so many joint moves, in turn: at the
    /// start, after one, and so on, and from the last again to the first.
    pub phases: Vec<Phase>,
    /// Fluents that exclude each other.
    pub groups: FluentGroups,
    pub(crate) shapes: IdVec<FluentId, Shape>,
    /// The number of instances of rules, before anything was simplified.
    pub n_instances: usize,
}

impl GroundProgram {
    /// The places of the moves of `role` among all moves, in which they stand together.
    pub fn moves_of(&self, role: RoleId) -> Range<usize> {
        let moves = self.moves.as_slice();
        let start = moves.partition_point(|(other, _)| *other < role);
        let end = moves.partition_point(|(other, _)| *other <= role);
        start..end
    }

    /// The fluents that hold, by their numbers, as a sorted list of texts.
    pub fn state_text(&self, holds: impl Fn(usize) -> bool) -> Vec<String> {
        let fluents = self.fluents.iter().enumerate();
        let mut texts: Vec<String> =
            fluents.filter(|(n, _)| holds(*n)).map(|(_, text)| text.clone()).collect();
        texts.sort();
        texts
    }

    /// Whether the formulas show that all players see the same after every joint move.
    pub fn all_see_the_same(&self) -> bool {
        let players = self.roles.ids().filter(|role| Some(*role) != self.random);
        let percepts_of = |role: RoleId| {
            let percepts = self.formulas.percepts[role].iter();
            let mut percepts: Vec<&(String, Lit)> =
                percepts.filter(|(_, lit)| *lit != Lit::FALSE).collect();
            percepts.sort();
            percepts
        };
        let mut percepts = players.map(percepts_of);
        let first = percepts.next();
        percepts.all(|other| Some(other) == first)
    }

    /// The formulas of a phase, in which what is known is left out.
    pub fn in_phase(&self, phase: &Phase) -> Formulas {
        self.formulas.given(&phase.known, self.formulas.network.groups()).shared()
    }
}

/// Rules as they stand are tried with no more conditions than this.
const MAX_UNSPLIT_LITERALS: usize = 1_000_000;
/// And with no more rows looked at in joins than this, which takes a fraction of a second: wide
/// rules can look at many and find little.
const MAX_UNSPLIT_ROWS: usize = 10_000_000;

/// Grounds `program`: everything that can ever hold, and when it does.
///
/// Splitting wide rules is what makes large games possible, but it costs a node for each part, and
/// rules that are not wide in practice are better left whole. Some rules can only be split after
/// their static conditions were written out. So all of this is tried, whole rules within a small
/// limit, and the smallest network is taken.
pub fn ground(program: &Program, limits: &Limits) -> Result<GroundProgram, GroundError> {
    let mut best = assemble(&split(program), limits, usize::MAX);
    let max_literals = limits.max_literals.min(MAX_UNSPLIT_LITERALS);
    let whole = assemble(program, &Limits { max_literals, ..*limits }, MAX_UNSPLIT_ROWS);
    best = smaller(best, whole);
    if let Some(unfolded) = unfold(program) {
        best = smaller(best, assemble(&split(&unfolded), limits, MAX_UNSPLIT_ROWS));
    }
    let mut ground = best?;
    ground.groups = fluent_groups(&ground, &ground.shapes);
    let of_moves = ground.formulas.network.groups().iter().cloned();
    let groups: Vec<Group> = of_moves.chain(ground.groups.inputs()).collect();
    ground.formulas = ground.formulas.grouped(&groups);
    ground.phases = phases(&ground);
    Ok(ground)
}

type Outcome = Result<GroundProgram, GroundError>;

fn smaller(one: Outcome, other: Outcome) -> Outcome {
    let n_parts = |ground: &GroundProgram| ground.formulas.network.n_parts();
    match (one, other) {
        (Ok(one), Ok(other)) => Ok(if n_parts(&other) < n_parts(&one) { other } else { one }),
        (Err(_), Ok(other)) => Ok(other),
        (one, Err(_)) => one,
    }
}

fn assemble(program: &Program, limits: &Limits, max_rows: usize) -> Outcome {
    let instances = instantiate(program, limits, max_rows)?;
    let mut ground = Assembly::new(program, &instances).finish();
    ground.formulas = ground.formulas.grouped(ground.formulas.network.groups());
    Ok(ground)
}

/// The formulas of a ground program, as they are put together.
struct Assembly<'a> {
    program: &'a Program,
    instances: &'a Instances,
    network: Network,
    /// By relation: the number of its first atom.
    offsets: IdVec<RelationId, usize>,
    n_atoms: usize,
    /// By atom: when it holds.
    lits: Vec<Option<Lit>>,
    /// The rows of `does`, by move.
    move_rows: IdVec<GroundMoveId, u32>,
}

impl<'a> Assembly<'a> {
    fn new(program: &'a Program, instances: &'a Instances) -> Assembly<'a> {
        let mut n_atoms = 0;
        let offset = |id| {
            let offset = n_atoms;
            n_atoms += instances.tables[id].n_rows();
            offset
        };
        let offsets = program.relations().ids().map(offset).collect();
        let mut assembly = Assembly {
            program,
            instances,
            network: Network::default(),
            offsets,
            n_atoms,
            lits: vec![None; n_atoms],
            move_rows: IdVec::new(),
        };
        assembly.set_inputs();
        assembly
    }

    /// The fluents, then the moves, role by role. The moves of a role are a group of which exactly
    /// one is made.
    fn set_inputs(&mut self) {
        let n_fluents = self.instances.tables[RelationId::TRUE].n_rows();
        let does = &self.instances.tables[RelationId::DOES];
        let mut moves: Vec<(RoleId, u32)> = (0..does.n_rows())
            .map(|row| u32::try_from(row).expect("32 bits"))
            .filter_map(|row| Some((self.role_of(does.row(row)[0])?, row)))
            .collect();
        moves.sort_unstable();
        let group_of = |role: RoleId| {
            let number = |n: usize| u32::try_from(n_fluents + n).expect("32 bits");
            let numbers = moves.iter().enumerate().filter(|(_, of)| of.0 == role);
            Group { inputs: numbers.map(|(n, _)| number(n)).collect(), is_exact: true }
        };
        let groups = self.program.roles().ids().map(group_of).collect();
        self.network = Network::new(n_fluents + moves.len(), groups);
        for row in 0..n_fluents {
            let atom = self.offsets[RelationId::TRUE] + row;
            self.lits[atom] = Some(self.network.input(row));
        }
        for (number, (_, row)) in moves.iter().enumerate() {
            let atom = self.offsets[RelationId::DOES] + *row as usize;
            self.lits[atom] = Some(self.network.input(n_fluents + number));
        }
        self.move_rows = moves.into_iter().map(|(_, row)| row).collect();
    }

    fn role_of(&self, term: TermId) -> Option<RoleId> {
        let terms = &self.instances.terms;
        let name = terms.functor(term);
        let roles = self.program.roles().iter_with_ids();
        let is_role = |(_, role): &(RoleId, &gdl::Symbol)| **role == name;
        roles.into_iter().find(is_role).map(|(id, _)| id).filter(|_| terms.args(term).is_empty())
    }

    /// The atom of each condition, `None` for a negated one that can never hold.
    fn atoms_of(&self, instance: usize) -> impl Iterator<Item = (Option<usize>, bool)> {
        let start = if instance == 0 { 0 } else { self.instances.ends[instance - 1] as usize };
        let end = self.instances.ends[instance] as usize;
        self.instances.literals[start..end].iter().map(|condition| {
            let row = match condition.is_negative {
                true => self.instances.negated_row(*condition),
                false => Some(condition.row),
            };
            let offset = self.offsets[condition.relation];
            (row.map(|row| offset + row as usize), condition.is_negative)
        })
    }

    fn finish(mut self) -> GroundProgram {
        self.build_formulas();
        let symbols = self.program.symbols();
        let terms = &self.instances.terms;
        let tables = &self.instances.tables;
        let n_rows = |relation: RelationId| {
            (0..tables[relation].n_rows()).map(|row| u32::try_from(row).expect("32 bits"))
        };
        let text = |term| terms.text(term, symbols);
        let fluents: IdVec<FluentId, String> = n_rows(RelationId::TRUE)
            .map(|row| text(tables[RelationId::TRUE].row(row)[0]))
            .collect();
        let shape_of = |row: u32| {
            let fluent = tables[RelationId::TRUE].row(row)[0];
            let number = |index: usize| u32::try_from(index).expect("32 bits");
            let args = terms.args(fluent).iter().map(|arg| number(arg.index()));
            [number(terms.functor(fluent).index())].into_iter().chain(args).collect()
        };
        let move_of = |&row: &u32| {
            let row = tables[RelationId::DOES].row(row);
            (self.role_of(row[0]).expect("moves are of roles"), text(row[1]))
        };
        let initial = n_rows(RelationId::INIT).map(|row| {
            let row = tables[RelationId::INIT].row(row);
            let fluent = tables[RelationId::TRUE].find(row).expect("what is initial can hold");
            FluentId::from_index(fluent as usize)
        });
        let lit_of = |relation: RelationId, row: &[TermId]| {
            let found = tables[relation].find(row);
            let lit = found.and_then(|row| self.lits[self.offsets[relation] + row as usize]);
            lit.unwrap_or(Lit::FALSE)
        };
        let by_role = |relation: RelationId| {
            let mut of_roles: IdVec<RoleId, Vec<(String, Lit)>> =
                self.program.roles().iter().map(|_| Vec::new()).collect();
            for row in n_rows(relation) {
                let row = tables[relation].row(row);
                if let Some(role) = self.role_of(row[0]) {
                    of_roles[role].push((text(row[1]), lit_of(relation, row)));
                }
            }
            of_roles
        };
        let next = n_rows(RelationId::TRUE)
            .map(|row| lit_of(RelationId::NEXT, tables[RelationId::TRUE].row(row)));
        let legal = self
            .move_rows
            .iter()
            .map(|&row| lit_of(RelationId::LEGAL, tables[RelationId::DOES].row(row)));
        let moves = self.move_rows.iter().map(move_of).collect();
        let formulas = Formulas {
            legal: legal.collect(),
            next: next.collect(),
            terminal: lit_of(RelationId::TERMINAL, &[]),
            goals: by_role(RelationId::GOAL),
            percepts: by_role(RelationId::SEES),
            network: self.network,
        };
        GroundProgram {
            roles: self.program.roles().iter().map(|&r| symbols.name(r).to_owned()).collect(),
            random: self.program.random(),
            moves,
            initial: initial.collect(),
            phases: Vec::new(),
            groups: FluentGroups::default(),
            shapes: n_rows(RelationId::TRUE).map(shape_of).collect(),
            n_instances: self.instances.heads.len(),
            fluents,
            formulas,
        }
    }

    /// When each atom holds, in an order in which those that it depends on come first.
    fn build_formulas(&mut self) {
        let by_head = self.instances_by_head();
        let mut needed: Vec<Vec<u32>> = vec![Vec::new(); self.n_atoms];
        for (atom, instances) in by_head.iter().enumerate() {
            let atoms = instances.iter().flat_map(|&instance| self.atoms_of(instance as usize));
            let atoms = atoms.filter_map(|(atom, _)| atom).filter(|&a| self.lits[a].is_none());
            needed[atom] = atoms.map(|a| u32::try_from(a).expect("32 bits")).collect();
        }
        for component in components(&needed) {
            let is_recursive =
                component.len() > 1 || needed[component[0] as usize].contains(&component[0]);
            let atoms: Vec<usize> = component.iter().map(|&atom| atom as usize).collect();
            let atoms: Vec<usize> = atoms.into_iter().filter(|&a| self.lits[a].is_none()).collect();
            if is_recursive {
                let nodes = self.network.begin_recursion(atoms.len());
                for (&atom, node) in atoms.iter().zip(nodes) {
                    self.lits[atom] = Some(node);
                }
            }
            for atom in atoms {
                let mut alternatives: Vec<Lit> =
                    by_head[atom].iter().map(|&i| self.instance_lit(i as usize)).collect();
                match self.lits[atom] {
                    Some(lit) => self.network.set_parts(lit, &mut alternatives),
                    None => self.lits[atom] = Some(self.network.or(&mut alternatives)),
                }
            }
            if is_recursive {
                self.network.end_recursion();
            }
        }
    }

    fn instance_lit(&mut self, instance: usize) -> Lit {
        let lit_of = |(atom, is_negative): (Option<usize>, bool)| {
            let lit = atom.and_then(|atom| self.lits[atom]).unwrap_or(Lit::FALSE);
            if is_negative { !lit } else { lit }
        };
        let mut lits: Vec<Lit> = self.atoms_of(instance).map(lit_of).collect();
        self.network.and(&mut lits)
    }

    fn instances_by_head(&self) -> Vec<Vec<u32>> {
        let mut by_head = vec![Vec::new(); self.n_atoms];
        for (instance, (relation, row)) in self.instances.heads.iter().enumerate() {
            let atom = self.offsets[*relation] + *row as usize;
            by_head[atom].push(u32::try_from(instance).expect("32 bits"));
        }
        by_head
    }
}
