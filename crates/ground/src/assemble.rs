//! The formulas of a game, put together from the instances of its rules.

use std::collections::BTreeMap;

use base::{Id, IdVec, RoleId};
use program::{Program, RelationId};

use crate::components::visit_components;
use crate::formulas::Formulas;
use crate::ground::{FluentId, GroundMoveId, GroundProgram};
use crate::groups::FluentGroups;
use crate::instantiate::{Condition, Instances};
use crate::lists::Lists;
use crate::network::{Group, Lit, Network};
use crate::prepared::Prepared;
use crate::terms::TermId;

/// A ground program, of which groups of fluents and phases are not known yet.
pub(crate) fn assemble(prepared: &Prepared, instances: &Instances) -> GroundProgram {
    let mut ground = Assembly::new(&prepared.program, instances).finish();
    let assumed = prepared.assumed.iter();
    ground.assumed = assumed.flat_map(|&relation| assumed_sets(relation, instances)).collect();
    ground.formulas = ground.formulas.grouped(ground.formulas.network.groups());
    ground
}

/// The fluents of the rows of `relation` that have all but the last term in common.
fn assumed_sets(relation: RelationId, instances: &Instances) -> Vec<Vec<FluentId>> {
    let table = &instances.tables[relation];
    let mut sets: BTreeMap<&[TermId], Vec<FluentId>> = BTreeMap::new();
    for row in (0..table.n_rows()).map(number) {
        let row = table.row(row);
        let (fluent, key) = row.split_last().expect("the last term is a fluent");
        let fluent = instances.tables[RelationId::TRUE].find(&[*fluent]);
        let fluent = FluentId::from_index(fluent.expect("it can hold") as usize);
        sets.entry(key).or_default().push(fluent);
    }
    sets.into_values().filter(|fluents| fluents.len() > 1).collect()
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
            .map(number)
            .filter_map(|row| Some((self.role_of(does.row(row)[0])?, row)))
            .collect();
        moves.sort_unstable();
        let group_of = |role: RoleId| {
            let numbers = moves.iter().enumerate().filter(|(_, of)| of.0 == role);
            let inputs = numbers.map(|(n, _)| number(n_fluents + n)).collect();
            Group { inputs, is_exact: true }
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

    fn finish(mut self) -> GroundProgram {
        self.build_formulas();
        let symbols = self.program.symbols();
        let terms = &self.instances.terms;
        let tables = &self.instances.tables;
        let n_rows = |relation: RelationId| (0..tables[relation].n_rows()).map(number);
        let text = |term| terms.text(term, symbols);
        let fluents: IdVec<FluentId, String> = n_rows(RelationId::TRUE)
            .map(|row| text(tables[RelationId::TRUE].row(row)[0]))
            .collect();
        let shape_of = |row: u32| {
            let fluent = tables[RelationId::TRUE].row(row)[0];
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
            assumed: Vec::new(),
            shapes: n_rows(RelationId::TRUE).map(shape_of).collect(),
            n_instances: self.instances.heads.len(),
            fluents,
            formulas,
        }
    }

    /// When each atom holds, in an order in which those that it depends on come first.
    fn build_formulas(&mut self) {
        let conditions = self.conditions();
        let by_head = Lists::new(self.n_atoms, || {
            let heads = self.instances.heads.iter().enumerate();
            heads.map(|(instance, &(relation, row))| {
                (number(self.offsets[relation] + row as usize), number(instance))
            })
        });
        let needed = Lists::new(self.n_atoms, || {
            let heads = self.instances.heads.iter().enumerate();
            heads.flat_map(|(instance, &(relation, row))| {
                let head = number(self.offsets[relation] + row as usize);
                let conditions = conditions[self.instances.range_of(instance)].iter();
                let atoms = conditions.filter_map(|condition| condition.atom);
                let open = atoms.filter(|&atom| self.lits[atom as usize].is_none());
                open.map(move |atom| (head, atom))
            })
        });
        let (mut alternatives, mut lits) = (Vec::new(), Vec::new());
        visit_components(&needed, self.wanted_atoms().into_iter(), |component| {
            let first = component[0];
            let is_recursive = component.len() > 1 || needed.get(first as usize).contains(&first);
            let atoms = component.iter().map(|&atom| atom as usize);
            let atoms: Vec<usize> = atoms.filter(|&atom| self.lits[atom].is_none()).collect();
            if is_recursive {
                let nodes = self.network.begin_recursion(atoms.len());
                for (&atom, node) in atoms.iter().zip(nodes) {
                    self.lits[atom] = Some(node);
                }
            }
            for atom in atoms {
                alternatives.clear();
                for &instance in by_head.get(atom) {
                    let range = self.instances.range_of(instance as usize);
                    alternatives.push(self.instance_lit(&conditions[range], &mut lits));
                }
                match self.lits[atom] {
                    Some(lit) => self.network.set_parts(lit, &mut alternatives),
                    None => self.lits[atom] = Some(self.network.or(&mut alternatives)),
                }
            }
            if is_recursive {
                self.network.end_recursion();
            }
        });
    }

    /// The atoms that players ask about.
    fn wanted_atoms(&self) -> Vec<u32> {
        use RelationId as Id;
        let relations = [Id::LEGAL, Id::NEXT, Id::TERMINAL, Id::GOAL, Id::SEES];
        let atoms_of = |relation: RelationId| {
            let first = self.offsets[relation];
            first..first + self.instances.tables[relation].n_rows()
        };
        relations.into_iter().flat_map(atoms_of).map(number).collect()
    }

    /// The conditions of all instances, as those of atoms.
    fn conditions(&self) -> Vec<AtomCondition> {
        let of_atom = |condition: &Condition| {
            let row = match condition.is_negative {
                true => self.instances.negated_row(*condition),
                false => Some(condition.row),
            };
            let offset = self.offsets[condition.relation];
            let atom = row.map(|row| number(offset + row as usize));
            AtomCondition { atom, is_negative: condition.is_negative }
        };
        self.instances.literals.iter().map(of_atom).collect()
    }

    /// When all conditions of an instance hold; `lits` is working space.
    fn instance_lit(&mut self, conditions: &[AtomCondition], lits: &mut Vec<Lit>) -> Lit {
        let lit_of = |condition: &AtomCondition| {
            let atom = condition.atom;
            let lit = atom.and_then(|atom| self.lits[atom as usize]).unwrap_or(Lit::FALSE);
            if condition.is_negative { !lit } else { lit }
        };
        lits.clear();
        lits.extend(conditions.iter().map(lit_of));
        self.network.and(lits)
    }
}

/// A condition of an instance.
#[derive(Clone, Copy)]
struct AtomCondition {
    /// `None` for a negated one that can never hold.
    atom: Option<u32>,
    is_negative: bool,
}

fn number(index: usize) -> u32 {
    u32::try_from(index).expect("32 bits")
}
