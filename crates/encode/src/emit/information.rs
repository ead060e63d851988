//! Variables for what players see, and rounds in the order in which players come to know things.

use std::sync::Arc;

use base::{IdVec, RoleId};
use scsp::{Distribution, Domain, Literal, VarId};

use super::{Built, Emitter, Given, Stage};
use crate::filter::{Filter, History};
use crate::names;
use crate::percepts::Percepts;

/// The variables that come before all others: what players do and see.
struct Known {
    /// By round: the moves of the players.
    actions: Vec<Vec<VarId>>,
    /// By round: what is seen.
    seen: Vec<VarId>,
}

impl Known {
    /// What is known when `n_actions` rounds were decided and `n_seen` seen.
    fn scope(&self, n_actions: usize, n_seen: usize) -> Vec<VarId> {
        let actions = self.actions[..n_actions].iter().flatten();
        actions.chain(&self.seen[..n_seen]).copied().collect()
    }
}

/// The moves of the players by round, and the rest of the values.
fn by_round(values: &[i64], n_rounds: usize, n_players: usize) -> (Vec<Vec<i64>>, &[i64]) {
    let (actions, rest) = values.split_at(n_rounds * n_players);
    (actions.chunks(n_players.max(1)).map(<[i64]>::to_vec).collect(), rest)
}

impl Emitter<'_> {
    /// What players do and see in all rounds, and then what chance did: with the probabilities that what
    /// was seen leaves, and after all decisions, so that none depends on it.
    pub(super) fn decided_first(
        &mut self,
        n_rounds: usize,
        suffix: &dyn Fn(usize) -> String,
    ) -> Built<Vec<Given>> {
        let ground = self.plan.subject.ground;
        let (Some(random), Some(percepts)) = (ground.random, self.percepts.clone()) else {
            return Ok(Vec::new());
        };
        let players: Vec<RoleId> = ground.roles.ids().filter(|role| *role != random).collect();
        let filter = Arc::new(Filter::new(ground, random, &percepts));
        let mut known = Known { actions: Vec::new(), seen: Vec::new() };
        for n in 0..n_rounds {
            let actions: Built<Vec<VarId>> = players
                .iter()
                .map(|&role| {
                    let (name, domain) = self.action(role, &suffix(n));
                    self.builder.decision(name, domain)
                })
                .collect();
            known.actions.push(actions?);
            let percept = self.seen_in_round(n, &suffix(n), &known, (&filter, &percepts))?;
            known.seen.push(percept);
        }
        let mut chances: Vec<VarId> = Vec::new();
        for n in 0..n_rounds {
            let n_players = players.len();
            let mut scope = known.scope(n_rounds, n_rounds);
            scope.extend(&chances);
            let filter = Arc::clone(&filter);
            let probabilities = self.probabilities(&scope, move |values| {
                let (actions, rest) = by_round(values, n_rounds, n_players);
                let (seen, chances) = rest.split_at(n_rounds);
                filter.chance_probabilities(&History { actions: &actions, seen }, chances)
            })?;
            let (name, domain) = self.action(random, &suffix(n));
            chances.push(self.builder.chance(name, domain, probabilities)?);
        }
        let given = |n: usize| {
            let mut actions: IdVec<RoleId, Option<VarId>> =
                ground.roles.iter().map(|_| None).collect();
            for (&role, &var) in players.iter().zip(&known.actions[n]) {
                actions[role] = Some(var);
            }
            actions[random] = Some(chances[n]);
            Given { actions, percept: known.seen[n] }
        };
        Ok((0..n_rounds).map(given).collect())
    }

    /// Probabilities as a table if it is small.
    fn probabilities(
        &self,
        scope: &[VarId],
        probabilities: impl Fn(&[i64]) -> Vec<f64> + Send + Sync + 'static,
    ) -> Built<Distribution> {
        let sizes = scope.iter().map(|&var| self.builder.domain(var).len());
        let n_rows = sizes.fold(1_usize, usize::saturating_mul);
        match n_rows <= self.plan.options.max_tuples {
            true => self.builder.probabilities(scope, probabilities),
            false => self.builder.probability_function(scope, probabilities),
        }
    }

    /// What is seen of a round, with its probabilities.
    fn seen_in_round(
        &mut self,
        n: usize,
        suffix: &str,
        known: &Known,
        (filter, percepts): (&Arc<Filter>, &Percepts),
    ) -> Built<VarId> {
        let n_players = known.actions[n].len();
        let filter = Arc::clone(filter);
        let scope = known.scope(n + 1, n);
        let probabilities = self.probabilities(&scope, move |values| {
            let (actions, seen) = by_round(values, n + 1, n_players);
            filter.seen_probabilities(&History { actions: &actions, seen })
        })?;
        let mut values = percepts.names();
        values.push("end".to_owned());
        let name = self.free_name("percept", suffix);
        self.builder.chance(name, Domain::named(values), probabilities)
    }

    /// What is seen in one stage.
    pub(super) fn percept_of_stage(&mut self, stage: &Stage<'_>) -> Built<Option<VarId>> {
        let Some(percepts) = self.percepts.clone() else { return Ok(None) };
        let name = self.free_name("percept", &stage.suffix);
        let percept = self.builder.decision(name, Domain::named(percepts.names()))?;
        match self.plan.percept_table(&percepts) {
            Some((vars, tuples)) => self.table(stage, &vars, percept, &tuples)?,
            None => {
                let sees = self.sees(stage)?;
                self.percept_values(percept, &sees, None)?;
            }
        }
        Ok(Some(percept))
    }

    /// By percept: whether it is seen.
    pub(super) fn sees(&mut self, stage: &Stage<'_>) -> Built<Vec<VarId>> {
        let percepts = self.percepts.clone().map_or(Vec::new(), |percepts| percepts.all);
        let mut sees = Vec::new();
        for (text, lit) in percepts {
            let name = self.free_name(&format!("sees({})", names::infix(&text)), &stage.suffix);
            let var = self.builder.decision(name, Domain::named(["false", "true"]))?;
            self.define(stage, (var, 1), lit, None, Vec::new())?;
            sees.push(var);
        }
        Ok(sees)
    }

    /// Says what is seen by what each percept says, or that the game has ended, if that is told.
    pub(super) fn percept_values(
        &mut self,
        percept: VarId,
        sees: &[VarId],
        terminal: Option<VarId>,
    ) -> Built<()> {
        let sets = self.percepts.clone().map_or(Vec::new(), |percepts| percepts.sets);
        let is_over = terminal.map(|var| self.builder.literal(var, 1)).transpose()?;
        for (place, set) in (0..).zip(&sets) {
            let head = self.builder.literal(percept, place)?;
            let body: Built<Vec<Literal>> = sees
                .iter()
                .zip(set)
                .map(|(&var, &is_seen)| self.builder.literal(var, i64::from(is_seen)))
                .collect();
            let mut body = body?;
            body.extend(is_over.map(|literal| !literal));
            self.builder.formula(head, vec![body])?;
        }
        if let Some(is_over) = is_over {
            let head = self.builder.literal(percept, sets.len() as i64)?;
            self.builder.formula(head, vec![vec![is_over]])?;
        }
        Ok(())
    }
}
