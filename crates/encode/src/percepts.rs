//! What players see of a round, where all see the same.

use base::{IdVec, RoleId};
use ground::{GroundProgram, Lit};
use rustc_hash::FxHashMap;
use scsp::{Domain, Network, NetworkBuilder};

use crate::cone::{StageVar, Subject, Values};
use crate::names;
use crate::options::EncodeError;
use crate::positions::PositionId;

/// What can be seen of a round: sets of percepts.
#[derive(Clone, Debug)]
pub(crate) struct Percepts {
    /// The percepts, and when they are seen.
    pub(crate) all: Vec<(String, Lit)>,
    /// By value of the variable for what is seen: whether each percept is. Nothing seen comes first.
    pub(crate) sets: Vec<Vec<bool>>,
}

impl Percepts {
    /// What can be seen if formulas that depend on no more than `max_tuples` combinations of values say
    /// it.
    pub(crate) fn new(
        subject: &Subject<'_>,
        n_actions: &IdVec<RoleId, usize>,
        max_tuples: usize,
    ) -> Result<Percepts, EncodeError> {
        let ground = subject.ground;
        if !ground.all_see_the_same() {
            return Err(EncodeError::NotShared);
        }
        let player = ground.roles.ids().find(|role| Some(*role) != ground.random);
        let all: Vec<(String, Lit)> = player
            .into_iter()
            .flat_map(|role| &ground.formulas.percepts[role])
            .filter(|(_, lit)| *lit != Lit::FALSE)
            .cloned()
            .collect();
        let lits = all.iter().map(|(_, lit)| *lit);
        let cone = subject.cone(lits, n_actions, max_tuples).ok_or(EncodeError::ManyPercepts)?;
        let sizes: Vec<usize> = cone.vars.iter().map(|&v| subject.n_values(v, n_actions)).collect();
        let mut sets = vec![vec![false; all.len()]];
        subject.for_all(&cone, &cone.vars, &sizes, |_, truths| {
            let set: Vec<bool> = all.iter().map(|(_, lit)| truths.holds(*lit)).collect();
            if !sets.contains(&set) {
                sets.push(set);
            }
        });
        Ok(Percepts { all, sets })
    }

    /// The place of what is seen.
    pub(crate) fn place_of(&self, holds: impl Fn(Lit) -> bool) -> u32 {
        let is_seen = |set: &Vec<bool>| {
            self.all.iter().zip(set).all(|((_, lit), is_seen)| holds(*lit) == *is_seen)
        };
        self.sets.iter().position(is_seen).expect("all sets are known") as u32
    }

    /// The names of the values.
    pub(crate) fn names(&self) -> Vec<String> {
        let name = |set: &Vec<bool>| {
            let seen = self.all.iter().zip(set).filter(|(_, is_seen)| **is_seen);
            seen.map(|((text, _), _)| names::infix(text)).collect::<Vec<String>>().join(" ")
        };
        let mut names: Vec<String> = self.sets.iter().map(name).collect();
        let none = names::none_of(&names);
        names.iter_mut().filter(|name| name.is_empty()).for_each(|name| name.clone_from(&none));
        names
    }

    /// What is seen tells how likely the values of a position are, whatever else is the case: networks of
    /// two variables, one for each position of which that is so.
    pub(crate) fn beliefs(
        &self,
        subject: &Subject<'_>,
        n_actions: &IdVec<RoleId, usize>,
        max_tuples: usize,
    ) -> Vec<Network> {
        let Some(random) = subject.ground.random else { return Vec::new() };
        let ids = subject.positions.all().ids();
        let rows = ids.filter_map(|id| {
            let rows = self.rows(subject, (id, random), n_actions, max_tuples)?;
            Some(self.network(subject, id, &rows))
        });
        rows.collect()
    }

    fn network(&self, subject: &Subject<'_>, id: PositionId, rows: &[(u32, Vec<f64>)]) -> Network {
        let names = self.names();
        let position = &subject.positions.all()[id];
        let build = || {
            let mut builder = NetworkBuilder::new(0);
            let seen = Domain::named(rows.iter().map(|(place, _)| names[*place as usize].clone()));
            let percept = builder.decision("percept_t", seen)?;
            let rows = rows.iter().map(|(_, row)| row.clone()).collect();
            let distribution = builder.probability_rows(&[percept], rows)?;
            let domain = Domain::named(position.values.iter().cloned());
            builder.chance(format!("{}_t+1", position.name), domain, distribution)?;
            Ok::<Network, scsp::BuildError>(builder.build())
        };
        build().expect("two variables with different names")
    }

    /// By what is seen, as far as it tells: the probabilities of the values of a position after the
    /// round.
    fn rows(
        &self,
        subject: &Subject<'_>,
        (id, random): (PositionId, RoleId),
        n_actions: &IdVec<RoleId, usize>,
        max_tuples: usize,
    ) -> Option<Vec<(u32, Vec<f64>)>> {
        let ground = subject.ground;
        let position = &subject.positions.all()[id];
        let next =
            |place: usize| position.fluents[place].map(|fluent| ground.formulas.next[fluent]);
        let next: Vec<Option<Lit>> = (0..position.fluents.len()).map(next).collect();
        let of_next = subject.cone(next.iter().copied().flatten(), n_actions, max_tuples)?;
        if !of_next.vars.contains(&StageVar::Action(random)) {
            return None;
        }
        let legal = legal_lits(ground, random);
        let lits = self.all.iter().map(|(_, lit)| *lit).chain(next.iter().copied().flatten());
        let cone = subject.cone(lits.chain(legal.iter().copied()), n_actions, max_tuples)?;
        // Chance changes fastest, so that what it does in one case comes together.
        let mut vars: Vec<StageVar> = cone.vars.clone();
        vars.retain(|var| *var != StageVar::Action(random));
        vars.push(StageVar::Action(random));
        let sizes: Vec<usize> = vars.iter().map(|&var| subject.n_values(var, n_actions)).collect();
        let mut told: FxHashMap<u32, Option<Vec<f64>>> = FxHashMap::default();
        let mut of_case: FxHashMap<u32, Vec<f64>> = FxHashMap::default();
        let value_of = |truths: &Values<'_>| {
            let holds = |lit: &Option<Lit>| lit.is_some_and(|lit| truths.holds(lit));
            let mut places = next.iter().enumerate().filter(|(_, lit)| holds(lit));
            match (places.next(), places.next()) {
                (Some((place, _)), None) => Some(place),
                (None, _) => position.none().map(|place| place as usize),
                (Some(_), Some(_)) => None,
            }
        };
        let n_moves = legal.len();
        subject.for_all(&cone, &vars, &sizes, |values, truths| {
            let chance = values[values.len() - 1] as usize;
            let is_legal = legal.get(chance).is_some_and(|&lit| truths.holds(lit));
            if let Some(value) = value_of(truths).filter(|_| is_legal) {
                let seen = self.place_of(|lit| truths.holds(lit));
                let row = of_case.entry(seen).or_insert_with(|| vec![0.0; next.len()]);
                row[value] += 1.0;
            }
            if chance + 1 == n_moves {
                for (seen, mut row) in of_case.drain() {
                    let sum: f64 = row.iter().sum();
                    row.iter_mut().for_each(|weight| *weight /= sum);
                    let known = told.entry(seen).or_insert_with(|| Some(row.clone()));
                    if known.as_ref() != Some(&row) {
                        *known = None;
                    }
                }
            }
        });
        let mut rows: Vec<(u32, Vec<f64>)> =
            told.into_iter().filter_map(|(seen, row)| Some((seen, row?))).collect();
        rows.sort_by_key(|(seen, _)| *seen);
        (!rows.is_empty()).then_some(rows)
    }
}

/// When the moves of a role are legal.
pub(crate) fn legal_lits(ground: &GroundProgram, role: RoleId) -> Vec<Lit> {
    ground.moves_of(role).map(|n| ground.formulas.legal.as_slice()[n]).collect()
}
