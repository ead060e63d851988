//! Which constraints define the variables of a stage: tables where these are small, formulas otherwise.

use base::{IdVec, RoleId};
use ground::{GroundProgram, Lit};

use crate::cone::{Cone, StageVar, Subject};
use crate::options::{Encoding, Options};
use crate::percepts::{Percepts, legal_lits};
use crate::positions::{PositionId, Positions};

/// Tables are written out only if it takes fewer evaluations of formulas than this for each tuple that
/// may be written: large formulas say nothing that a reader could see in a table.
const MAX_EVALUATIONS_PER_TUPLE: usize = 30;

/// What a variable is, by others.
#[derive(Debug)]
pub(crate) enum Definition {
    /// The tuples of these variables and, at last, the variable itself.
    Table { vars: Vec<StageVar>, tuples: Vec<Vec<u32>> },
    /// It has the value at a place if and only if the formula holds; otherwise its other value.
    Formulas(Vec<(u32, Lit)>),
}

/// When the moves of a role are legal.
#[derive(Debug)]
pub(crate) enum Legal {
    /// The tuples of these variables and, at last, the action.
    Table { vars: Vec<StageVar>, tuples: Vec<Vec<u32>> },
    /// By move: the formula that it needs.
    Needs(Vec<Lit>),
}

/// With which probability chance makes its moves: each that is legal with the same.
#[derive(Debug)]
pub(crate) enum Chance {
    /// A row for each combination of values of these variables.
    Rows { vars: Vec<StageVar>, rows: Vec<Vec<f64>> },
    /// By the formulas that moves need.
    Computed,
}

/// The scores that a role can reach, and when.
#[derive(Debug)]
pub(crate) struct Score {
    pub(crate) role: RoleId,
    /// Ascending; 0 is among them.
    pub(crate) values: Vec<i64>,
    pub(crate) definition: Definition,
}

/// The constraints of a stage.
#[derive(Debug)]
pub(crate) struct Plan<'a> {
    pub(crate) subject: Subject<'a>,
    pub(crate) options: Options,
    /// By role: how many values its action has, with the one for nothing.
    pub(crate) n_actions: IdVec<RoleId, usize>,
    /// By role: the variables that the legality of its moves depends on, if they are few.
    legality: IdVec<RoleId, Option<Vec<StageVar>>>,
    pub(crate) terminal: Definition,
    pub(crate) scores: Vec<Score>,
    pub(crate) legal: IdVec<RoleId, Legal>,
    pub(crate) chance: Option<(RoleId, Chance)>,
    pub(crate) next: IdVec<PositionId, Definition>,
}

impl<'a> Plan<'a> {
    pub(crate) fn new(
        ground: &'a GroundProgram,
        positions: &'a Positions,
        options: Options,
    ) -> Plan<'a> {
        let subject = Subject { ground, positions };
        let idle = usize::from(options.is_idle_at_end);
        let n_actions: IdVec<RoleId, usize> =
            ground.roles.ids().map(|role| ground.moves_of(role).len() + idle).collect();
        let mut plan = Plan {
            subject,
            options,
            n_actions,
            legality: IdVec::new(),
            terminal: Definition::Formulas(vec![(1, ground.formulas.terminal)]),
            scores: Vec::new(),
            legal: IdVec::new(),
            chance: None,
            next: IdVec::new(),
        };
        let few_vars = |role: RoleId| {
            let lits = plan.legal_lits(role);
            Some(plan.small_cone(lits)?.vars)
        };
        plan.legality = ground.roles.ids().map(few_vars).collect();
        plan.terminal = plan.terminal();
        plan.scores = plan.scores();
        plan.legal = ground.roles.ids().map(|role| plan.legal(role)).collect();
        plan.chance = ground.random.map(|role| (role, plan.chance(role)));
        plan.next = positions.all().ids().map(|id| plan.next(id)).collect();
        plan
    }

    /// The sizes of variables, if all combinations of their values may be written out.
    fn sizes_if_small(&self, vars: &[StageVar], cone_size: usize) -> Option<Vec<usize>> {
        let sizes: Vec<usize> =
            vars.iter().map(|&var| self.subject.n_values(var, &self.n_actions)).collect();
        let n_tuples = sizes.iter().try_fold(1_usize, |n, &size| n.checked_mul(size))?;
        let is_small = n_tuples <= self.options.max_tuples
            && n_tuples.saturating_mul(cone_size)
                <= MAX_EVALUATIONS_PER_TUPLE * self.options.max_tuples;
        is_small.then_some(sizes)
    }

    /// What formulas are made of, if they depend on little enough to be written out.
    fn small_cone(&self, lits: impl IntoIterator<Item = Lit>) -> Option<Cone> {
        self.subject.cone(lits, &self.n_actions, self.options.max_tuples)
    }

    /// A table of what formulas say: `value` finds the value of the variable that is defined from the
    /// values of `more` variables, which come first, and from what is true.
    fn table(
        &self,
        lits: &[Lit],
        more: &[StageVar],
        value: impl Fn(&[u32], &dyn Fn(Lit) -> bool) -> Vec<u32>,
    ) -> Option<(Vec<StageVar>, Vec<Vec<u32>>)> {
        if self.options.encoding == Encoding::Fluents {
            return None;
        }
        let cone = self.small_cone(lits.iter().copied())?;
        let mut vars = more.to_vec();
        vars.extend(cone.vars.iter().copied().filter(|var| !more.contains(var)));
        let known = self.known_legality(&vars);
        let of_legality = known.iter().flat_map(|(_, lits)| lits).copied();
        let cone = self.small_cone(lits.iter().copied().chain(of_legality))?;
        let sizes = self.sizes_if_small(&vars, cone.size())?;
        let mut tuples = Vec::new();
        self.subject.for_all(&cone, &vars, &sizes, |values, truths| {
            let is_legal = |(place, lits): &(usize, Vec<Lit>)| {
                lits.get(values[*place] as usize).is_none_or(|&lit| truths.holds(lit))
            };
            if !known.iter().all(is_legal) {
                return;
            }
            for defined in value(&values[..more.len()], &|lit| truths.holds(lit)) {
                tuples.push(values.iter().copied().chain([defined]).collect());
            }
        });
        (tuples.len() <= self.options.max_tuples).then_some((vars, tuples))
    }

    /// The actions among variables whose legality depends on the others alone: their places, and the
    /// formulas of their moves. What is not legal need not be said.
    fn known_legality(&self, vars: &[StageVar]) -> Vec<(usize, Vec<Lit>)> {
        let action = |(place, var): (usize, &StageVar)| {
            let StageVar::Action(role) = *var else { return None };
            let needed = self.legality[role].as_ref()?;
            let is_known = needed.iter().all(|var| vars.contains(var));
            is_known.then(|| (place, self.legal_lits(role)))
        };
        vars.iter().enumerate().filter_map(action).collect()
    }

    /// When the moves of a role are legal.
    pub(crate) fn legal_lits(&self, role: RoleId) -> Vec<Lit> {
        legal_lits(self.subject.ground, role)
    }

    fn terminal(&self) -> Definition {
        let lit = self.subject.ground.formulas.terminal;
        match self.table(&[lit], &[], |_, holds| vec![u32::from(holds(lit))]) {
            Some((vars, tuples)) => Definition::Table { vars, tuples },
            None => Definition::Formulas(vec![(1, lit)]),
        }
    }

    /// What is seen, by place, as a table if it is small.
    pub(crate) fn percept_table(
        &self,
        percepts: &Percepts,
    ) -> Option<(Vec<StageVar>, Vec<Vec<u32>>)> {
        let lits: Vec<Lit> = percepts.all.iter().map(|(_, lit)| *lit).collect();
        self.table(&lits, &[], |_, holds| vec![percepts.place_of(holds)])
    }

    fn scores(&self) -> Vec<Score> {
        let ground = self.subject.ground;
        let players = ground.roles.ids().filter(|role| Some(*role) != ground.random);
        players.map(|role| self.score(role)).collect()
    }

    fn score(&self, role: RoleId) -> Score {
        let goals: Vec<(i64, Lit)> = self.subject.ground.formulas.goals[role]
            .iter()
            .filter_map(|(text, lit)| Some((text.parse().ok()?, *lit)))
            .filter(|(value, _)| (0..=100).contains(value))
            .collect();
        let mut values: Vec<i64> = goals.iter().map(|(value, _)| *value).chain([0]).collect();
        values.sort_unstable();
        values.dedup();
        let place = |value: i64| values.partition_point(|other| *other < value) as u32;
        let goals: Vec<(u32, Lit)> = goals
            .iter()
            .filter(|(value, _)| *value != 0)
            .map(|&(value, lit)| (place(value), lit))
            .collect();
        let zero = place(0);
        let lits: Vec<Lit> = goals.iter().map(|(_, lit)| *lit).collect();
        let table = self.table(&lits, &[StageVar::Terminal], |values, holds| {
            let is_over = values[0] == 1;
            let found: Vec<u32> =
                goals.iter().filter(|(_, lit)| is_over && holds(*lit)).map(|(p, _)| *p).collect();
            match found.len() {
                0 => vec![zero],
                1 => found,
                // The rules promise one score.
                _ => Vec::new(),
            }
        });
        let definition = match table {
            Some((vars, tuples)) => Definition::Table { vars, tuples },
            None => Definition::Formulas(goals),
        };
        Score { role, values, definition }
    }

    /// What must be known of a stage besides formulas: whether it is the end, if there is something to
    /// do then.
    fn end(&self) -> &'static [StageVar] {
        if self.options.is_idle_at_end { &[StageVar::Terminal] } else { &[] }
    }

    fn legal(&self, role: RoleId) -> Legal {
        let lits = self.legal_lits(role);
        let table = self.table(&lits, self.end(), |values, holds| {
            if values == [1] {
                return vec![lits.len() as u32];
            }
            (0..).zip(&lits).filter(|(_, lit)| holds(**lit)).map(|(place, _)| place).collect()
        });
        match table {
            Some((vars, tuples)) => Legal::Table { vars, tuples },
            None => Legal::Needs(lits),
        }
    }

    fn chance(&self, role: RoleId) -> Chance {
        let lits = self.legal_lits(role);
        let Some(cone) = self.small_cone(lits.iter().copied()) else {
            return Chance::Computed;
        };
        let mut vars = self.end().to_vec();
        vars.extend(cone.vars.iter().copied());
        let Some(sizes) = self.sizes_if_small(&vars, cone.size()) else { return Chance::Computed };
        let n_values = self.n_actions[role];
        let mut rows = Vec::new();
        self.subject.for_all(&cone, &vars, &sizes, |values, truths| {
            let is_end = self.options.is_idle_at_end && values[0] == 1;
            let is_legal = |n: usize| match lits.get(n) {
                Some(&lit) => !is_end && truths.holds(lit),
                None => is_end,
            };
            rows.push(uniform(n_values, is_legal));
        });
        Chance::Rows { vars, rows }
    }

    fn next(&self, id: PositionId) -> Definition {
        let position = &self.subject.positions.all()[id];
        let next = &self.subject.ground.formulas.next;
        let lits: Vec<(u32, Lit)> = (0..)
            .zip(&position.fluents)
            .filter_map(|(place, fluent)| Some((place, next[(*fluent)?])))
            .collect();
        let none = position.none();
        let stays: &[StageVar] = match self.options.is_idle_at_end {
            true => &[StageVar::Terminal, StageVar::Position(id)],
            false => &[],
        };
        let all: Vec<Lit> = lits.iter().map(|(_, lit)| *lit).collect();
        let table = self.table(&all, stays, |values, holds| {
            if let [1, before] = values {
                return vec![*before];
            }
            let found: Vec<u32> =
                lits.iter().filter(|(_, lit)| holds(*lit)).map(|(place, _)| *place).collect();
            match found.len() {
                0 => none.into_iter().collect(),
                1 => found,
                // Such a state is never reached.
                _ => Vec::new(),
            }
        });
        match table {
            Some((vars, tuples)) => Definition::Table { vars, tuples },
            None => Definition::Formulas(lits),
        }
    }
}

/// The same probability for all that are legal; for all if none is, which no stage allows.
pub(crate) fn uniform(n_values: usize, is_legal: impl Fn(usize) -> bool) -> Vec<f64> {
    let n_legal = (0..n_values).filter(|&n| is_legal(n)).count();
    let probability = |n: usize| match n_legal {
        0 => 1.0 / n_values as f64,
        _ if is_legal(n) => 1.0 / n_legal as f64,
        _ => 0.0,
    };
    (0..n_values).map(probability).collect()
}

impl Definition {
    /// The formulas that are needed.
    pub(crate) fn lits(&self) -> impl Iterator<Item = Lit> + use<'_> {
        let formulas: &[(u32, Lit)] = match self {
            Definition::Table { .. } => &[],
            Definition::Formulas(formulas) => formulas,
        };
        formulas.iter().map(|(_, lit)| *lit)
    }
}

impl Legal {
    pub(crate) fn lits(&self) -> impl Iterator<Item = Lit> + use<'_> {
        let lits: &[Lit] = match self {
            Legal::Table { .. } => &[],
            Legal::Needs(lits) => lits,
        };
        lits.iter().copied()
    }
}
