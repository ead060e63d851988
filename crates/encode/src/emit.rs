//! Networks of games.

mod information;

use base::{IdVec, RoleId};
use ground::{GroundProgram, Kind, Lit};
use rustc_hash::FxHashMap;
use scsp::{
    BuildError, Concept, Distribution, Domain, Literal, Network, NetworkBuilder, PlayersRound,
    ValueConstraints, VarId,
};

use crate::auxiliary::Auxiliaries;
use crate::cone::StageVar;
use crate::names;
use crate::options::{EncodeError, Extent, Information, Options};
use crate::percepts::Percepts;
use crate::plan::{Chance, Definition, Legal, Plan, Score, uniform};
use crate::positions::{PositionId, Positions};

/// A network of a game, and what its variables stand for.
#[derive(Clone, Debug)]
pub struct Encoded {
    /// The network.
    pub network: Network,
    /// How states are described.
    pub positions: Positions,
    /// The rounds.
    pub rounds: Vec<Round>,
    /// Whether the game has ended in the last state, or in the only one that is not said to follow.
    pub terminal: VarId,
    /// What the players get in that state.
    pub scores: Vec<(RoleId, VarId)>,
    /// What percepts of a round tell of positions after it, whatever else is the case: networks of two
    /// variables. Only of one stage, and if players know what they see.
    pub beliefs: Vec<Network>,
    /// By player: the role.
    players: Vec<RoleId>,
    information: Information,
}

impl Encoded {
    /// What players make of their moves and of those of others (section 4.2 of Koriche, Lagrue, Piette &
    /// Tabary 2016), for a network of rounds.
    ///
    /// ```
    /// # let parse = gdl::parse_kif(
    /// #     "(role x) (init (lamp off))
    /// #      (<= (legal x press) (true (lamp off))) (legal x wait)
    /// #      (<= (next (lamp on)) (does x press))
    /// #      (<= (next (lamp off)) (true (lamp off)) (does x wait))
    /// #      (<= terminal (true (lamp on)))
    /// #      (<= (goal x 100) (true (lamp on)))",
    /// # );
    /// # let program = program::check(&parse).program.expect("no errors");
    /// # let limits = ground::Limits { deadline: base::Deadline::NEVER, max_literals: 1_000 };
    /// # let ground = ground::ground(&program, &limits).expect("it is small");
    /// use encode::{Encoding, Extent, Options, encode};
    /// use scsp::{Budget, Concept, strategic_value};
    ///
    /// let encoded = encode(&ground, &Options::new(Encoding::Atoms, Extent::Rounds(2)))?;
    /// let constraints = encoded.value_constraints(Concept::MAXIMIN);
    /// let found = strategic_value(&encoded.network, &constraints, 0, Budget::UNLIMITED);
    /// assert_eq!(found.value.unwrap().low, 1.0);
    /// # Ok::<(), encode::EncodeError>(())
    /// ```
    pub fn value_constraints(&self, concept: Concept) -> ValueConstraints {
        let rounds = self.rounds.iter().map(|round| PlayersRound {
            actions: self.players.iter().map(|&role| round.actions[role]).collect(),
            state: match self.information {
                Information::Full => round.state.iter().copied().collect(),
                Information::Percepts => Vec::new(),
            },
        });
        ValueConstraints::new(&self.network, concept, rounds.collect())
            .expect("the state is all that rounds share")
    }
}

/// A round of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Round {
    /// The state before it.
    pub state: IdVec<PositionId, VarId>,
    /// By role: its move.
    pub actions: IdVec<RoleId, VarId>,
    /// What players see of it, if they know what they see.
    pub percept: Option<VarId>,
    /// The state after it.
    pub next: IdVec<PositionId, VarId>,
}

/// The network of a game.
///
/// ```
/// use encode::{Encoding, Extent, Options, encode};
///
/// let parse = gdl::parse_kif(
///     "(role x) (init (lamp off))
///      (<= (legal x press) (true (lamp off))) (legal x wait)
///      (<= (next (lamp on)) (does x press))
///      (<= (next (lamp off)) (true (lamp off)) (does x wait))
///      (<= terminal (true (lamp on)))
///      (<= (goal x 100) (true (lamp on)))",
/// );
/// let program = program::check(&parse).program.expect("no errors");
/// let limits = ground::Limits { deadline: base::Deadline::NEVER, max_literals: 1_000 };
/// let ground = ground::ground(&program, &limits).expect("it is small");
/// let options = Options::new(Encoding::Atoms, Extent::Rounds(2));
/// let encoded = encode(&ground, &options)?;
/// let best = scsp::best_policy(&encoded.network, scsp::Budget::UNLIMITED);
/// assert_eq!(best.policy.unwrap().value(), [1.0]);
/// # Ok::<(), encode::EncodeError>(())
/// ```
pub fn encode(ground: &GroundProgram, options: &Options) -> Result<Encoded, EncodeError> {
    let has_move = |role: &RoleId| !ground.moves_of(*role).is_empty() || options.is_idle_at_end;
    if let Some(role) = ground.roles.ids().find(|role| !has_move(role)) {
        return Err(EncodeError::NoMove { role: ground.roles[role].clone() });
    }
    let positions = Positions::new(ground, options.encoding);
    let initial = positions.values_of(|fluent| ground.initial.contains(&fluent));
    let initial = initial.ok_or(EncodeError::InitialState)?;
    let plan = Plan::new(ground, &positions, *options);
    // The moves of players are taken as seen by all, so without chance nothing is hidden.
    let information = match ground.random {
        Some(_) => options.information,
        None => Information::Full,
    };
    let percepts = match information {
        Information::Full => None,
        Information::Percepts => {
            Some(Percepts::new(&plan.subject, &plan.n_actions, options.max_tuples)?)
        }
    };
    let beliefs = percepts
        .as_ref()
        .filter(|_| options.extent == Extent::OneStage)
        .map(|percepts| percepts.beliefs(&plan.subject, &plan.n_actions, options.max_tuples));
    let players: Vec<RoleId> =
        ground.roles.ids().filter(|role| Some(*role) != ground.random).collect();
    let emitter = Emitter {
        plan: &plan,
        builder: NetworkBuilder::new(players.len()),
        is_random: gates_with_random(ground),
        percepts,
    };
    let parts = emitter.emit(&initial).expect("the constraints of a game are well formed");
    let (network, rounds, (terminal, scores)) = parts;
    let beliefs = beliefs.unwrap_or_default();
    Ok(Encoded { network, positions, rounds, terminal, scores, beliefs, players, information })
}

/// By gate: whether it depends on what chance does.
fn gates_with_random(ground: &GroundProgram) -> Vec<bool> {
    let network = &ground.formulas.network;
    let mut depends = vec![false; network.n_nodes()];
    let moves = ground.random.map_or(0..0, |role| ground.moves_of(role));
    for number in moves {
        depends[network.input(ground.fluents.len() + number).node()] = true;
    }
    for unit in network.units() {
        let any =
            unit.clone().any(|node| network.parts(node).iter().any(|part| depends[part.node()]));
        // An input has no parts.
        unit.filter(|&node| network.kind(node) != Kind::Input).for_each(|node| depends[node] = any);
    }
    depends
}

type Built<T> = Result<T, BuildError>;
/// Whether the game has ended, and what the players get.
type End = (VarId, Vec<(RoleId, VarId)>);

struct Emitter<'a> {
    plan: &'a Plan<'a>,
    builder: NetworkBuilder,
    /// By gate: whether it depends on what chance does.
    is_random: Vec<bool>,
    /// What can be seen, if players know what they see.
    percepts: Option<Percepts>,
}

/// Variables of a round that come before those of its state, as players decide without knowing it.
struct Given {
    actions: IdVec<RoleId, Option<VarId>>,
    percept: VarId,
}

/// The variables of a stage.
struct Stage<'a> {
    /// What names of variables end with.
    suffix: String,
    state: IdVec<PositionId, VarId>,
    terminal: VarId,
    actions: IdVec<RoleId, Option<VarId>>,
    percept: Option<VarId>,
    auxiliaries: &'a Auxiliaries<'a>,
    /// By gate: its variable.
    gates: FxHashMap<usize, VarId>,
}

impl Emitter<'_> {
    fn emit(mut self, initial: &[u32]) -> Built<(Network, Vec<Round>, End)> {
        let plan = self.plan;
        let network = &plan.subject.ground.formulas.network;
        let score_lits: Vec<Lit> =
            plan.scores.iter().flat_map(|score| score.definition.lits()).collect();
        let mut defining: Vec<Lit> = plan.terminal.lits().collect();
        let at_end: Vec<Lit> = defining.iter().copied().chain(score_lits.clone()).collect();
        defining.extend(plan.next.iter().flat_map(Definition::lits));
        defining
            .extend(self.percepts.iter().flat_map(|percepts| &percepts.all).map(|(_, lit)| *lit));
        let is_one_stage = plan.options.extent == Extent::OneStage;
        if is_one_stage {
            defining.extend(score_lits);
        }
        let mut needed: Vec<Lit> = plan.legal.iter().flat_map(Legal::lits).collect();
        needed.extend(self.computed_chance());
        let of_round = Auxiliaries::new(network, &defining, &needed);
        let of_end = Auxiliaries::new(network, &at_end, &[]);
        let n_rounds = match plan.options.extent {
            Extent::OneStage => 1,
            Extent::Rounds(n_rounds) => n_rounds,
        };
        let suffix = |n: usize| match (is_one_stage, n) {
            (true, 0) => "_t".to_owned(),
            (true, _) => "_t+1".to_owned(),
            (false, n) => format!("_{}", n + 1),
        };
        let mut state = self.state(&suffix(0))?;
        if !is_one_stage {
            for (&var, &value) in state.iter().zip(initial) {
                self.builder.table(&[var], [[i64::from(value)]])?;
            }
        }
        let mut given = match self.percepts.is_some() && !is_one_stage {
            true => self.decided_first(n_rounds, &suffix)?,
            false => Vec::new(),
        }
        .into_iter();
        let mut rounds = Vec::new();
        let mut end = None;
        // What is seen of the round before, which tells whether the game has ended.
        let mut seen: Option<(VarId, Vec<VarId>)> = None;
        for n in 0..n_rounds {
            let mut stage = self.open_stage(suffix(n), state, &of_round)?;
            if let Some((percept, sees)) = seen.take() {
                self.percept_values(percept, &sees, Some(stage.terminal))?;
            }
            if let Some(Given { actions, percept }) = given.next() {
                (stage.actions, stage.percept) = (actions, Some(percept));
            }
            self.begin_round(&mut stage)?;
            if is_one_stage {
                end = Some((stage.terminal, self.scores(&stage)?));
            }
            let next = self.end_round(&mut stage, &suffix(n + 1))?;
            match stage.percept {
                Some(percept) => seen = Some((percept, self.sees(&stage)?)),
                None => stage.percept = self.percept_of_stage(&stage)?,
            }
            state = next.clone();
            let actions = stage.actions.iter().map(|action| action.expect("all roles have one"));
            rounds.push(Round {
                actions: actions.collect(),
                state: stage.state,
                percept: stage.percept,
                next,
            });
        }
        let end = match end {
            Some(end) => end,
            None => {
                let mut stage = self.open_stage(suffix(n_rounds), state, &of_end)?;
                if let Some((percept, sees)) = seen {
                    self.percept_values(percept, &sees, Some(stage.terminal))?;
                }
                self.gates(&mut stage, |_| true)?;
                self.define_gates(&stage)?;
                self.terminal(&stage)?;
                (stage.terminal, self.scores(&stage)?)
            }
        };
        self.utilities(&end.1)?;
        Ok((self.builder.build(), rounds, end))
    }

    /// The formulas that moves of chance need, if its probabilities are computed.
    fn computed_chance(&self) -> Vec<Lit> {
        match &self.plan.chance {
            Some((role, Chance::Computed)) => self.plan.legal_lits(*role),
            _ => Vec::new(),
        }
    }

    /// A name that is not taken: fluents may be called as our own variables are.
    fn free_name(&self, name: &str, suffix: &str) -> String {
        let mut marks = String::new();
        loop {
            let name = format!("{name}{marks}{suffix}");
            if self.builder.find(&name).is_none() {
                return name;
            }
            marks.push('\'');
        }
    }

    /// The variables of a state.
    fn state(&mut self, suffix: &str) -> Built<IdVec<PositionId, VarId>> {
        let positions = self.plan.subject.positions.all().iter();
        positions
            .map(|position| {
                let domain = Domain::named(position.values.iter().cloned());
                let name = self.free_name(&position.name, suffix);
                self.builder.decision(name, domain)
            })
            .collect()
    }

    fn open_stage<'s>(
        &mut self,
        suffix: String,
        state: IdVec<PositionId, VarId>,
        auxiliaries: &'s Auxiliaries<'s>,
    ) -> Built<Stage<'s>> {
        let name = self.free_name("terminal", &suffix);
        let terminal = self.builder.decision(name, Domain::named(["false", "true"]))?;
        let actions = self.plan.n_actions.iter().map(|_| None).collect();
        let gates = FxHashMap::default();
        Ok(Stage { suffix, state, terminal, actions, percept: None, auxiliaries, gates })
    }

    /// Adds the moves of the players, and what does not depend on chance.
    fn begin_round(&mut self, stage: &mut Stage<'_>) -> Built<()> {
        let ground = self.plan.subject.ground;
        let players = ground.roles.ids().filter(|role| Some(*role) != ground.random);
        for role in players {
            if stage.actions[role].is_some() {
                continue;
            }
            let (name, domain) = self.action(role, &stage.suffix);
            stage.actions[role] = Some(self.builder.decision(name, domain)?);
        }
        self.gates(stage, |is_random| !is_random)
    }

    /// Adds the move of chance and what follows: the next state.
    fn end_round(
        &mut self,
        stage: &mut Stage<'_>,
        next_suffix: &str,
    ) -> Built<IdVec<PositionId, VarId>> {
        let plan = self.plan;
        let ground = plan.subject.ground;
        if let Some((role, chance)) = &plan.chance
            && stage.actions[*role].is_none()
        {
            let (name, domain) = self.action(*role, &stage.suffix);
            let distribution = self.distribution(stage, *role, chance)?;
            stage.actions[*role] = Some(self.builder.chance(name, domain, distribution)?);
        }
        self.gates(stage, |is_random| is_random)?;
        let next = self.state(next_suffix)?;
        self.define_gates(stage)?;
        self.terminal(stage)?;
        for role in ground.roles.ids() {
            self.legal(stage, role)?;
        }
        for (id, definition) in plan.next.iter_with_ids() {
            self.next(stage, id, next[id], definition)?;
        }
        Ok(next)
    }

    /// The name and the domain of the action of a role.
    fn action(&self, role: RoleId, suffix: &str) -> (String, Domain) {
        let ground = self.plan.subject.ground;
        let moves = &ground.moves.as_slice()[ground.moves_of(role)];
        let mut names: Vec<String> = moves.iter().map(|(_, text)| names::infix(text)).collect();
        if self.plan.options.is_idle_at_end {
            names.push(names::none_of(&names));
        }
        let name = self.free_name(&format!("does({})", ground.roles[role]), suffix);
        (name, Domain::named(names))
    }

    /// Adds variables for the gates that `is_wanted`, by whether they depend on chance.
    fn gates(&mut self, stage: &mut Stage<'_>, is_wanted: impl Fn(bool) -> bool) -> Built<()> {
        for &node in &stage.auxiliaries.nodes {
            if !is_wanted(self.is_random[node]) {
                continue;
            }
            let name = self.free_name(&format!("part({node})"), &stage.suffix);
            let var = self.builder.decision(name, Domain::named(["false", "true"]))?;
            stage.gates.insert(node, var);
        }
        Ok(())
    }

    fn define_gates(&mut self, stage: &Stage<'_>) -> Built<()> {
        let network = &self.plan.subject.ground.formulas.network;
        let mut recursions: FxHashMap<usize, Vec<(Literal, Vec<Literal>)>> = FxHashMap::default();
        for &node in &stage.auxiliaries.nodes {
            let head = self.builder.literal(stage.gates[&node], 1)?;
            let bodies = stage.auxiliaries.bodies_of_node(node);
            let bodies = self.literals_of(stage, &bodies)?;
            if let Some(recursion) = network.recursion_of(node) {
                let rules = recursions.entry(recursion).or_default();
                rules.extend(bodies.iter().map(|body| (head, body.clone())));
            }
            self.builder.formula(head, bodies)?;
        }
        let mut recursions: Vec<_> = recursions.into_iter().collect();
        recursions.sort_unstable_by_key(|(number, _)| *number);
        for (_, rules) in recursions {
            self.builder.founded(rules)?;
        }
        Ok(())
    }

    fn terminal(&mut self, stage: &Stage<'_>) -> Built<()> {
        match &self.plan.terminal {
            Definition::Table { vars, tuples } => self.table(stage, vars, stage.terminal, tuples),
            Definition::Formulas(formulas) => {
                for &(place, lit) in formulas {
                    self.define(stage, (stage.terminal, place), lit, None, Vec::new())?;
                }
                Ok(())
            }
        }
    }

    fn scores(&mut self, stage: &Stage<'_>) -> Built<Vec<(RoleId, VarId)>> {
        let mut scores = Vec::new();
        for Score { role, values, definition } in &self.plan.scores {
            let name = &self.plan.subject.ground.roles[*role];
            let name = self.free_name(&format!("score({name})"), &stage.suffix);
            let domain: Domain = values.iter().copied().collect();
            scores.push((*role, self.builder.decision(name, domain)?));
            let (_, score) = scores[scores.len() - 1];
            match definition {
                Definition::Table { vars, tuples } => {
                    let mut scope = self.scope(stage, vars);
                    scope.push(score);
                    let tuples = tuples.iter().map(|tuple| {
                        let (last, others) = tuple.split_last().expect("the score is the last");
                        let others = others.iter().map(|&value| i64::from(value));
                        others.chain([values[*last as usize]]).collect::<Vec<i64>>()
                    });
                    self.builder.table(&scope, tuples)?;
                }
                Definition::Formulas(formulas) => {
                    let is_over = self.builder.literal(stage.terminal, 1)?;
                    for &(place, lit) in formulas {
                        let head = self.builder.literal(score, values[place as usize])?;
                        let mut bodies = self.literals_of(stage, &stage.auxiliaries.bodies(lit))?;
                        bodies.iter_mut().for_each(|body| body.push(is_over));
                        self.builder.formula(head, bodies)?;
                    }
                }
            }
        }
        Ok(scores)
    }

    fn legal(&mut self, stage: &Stage<'_>, role: RoleId) -> Built<()> {
        let action = stage.actions[role].expect("all roles have one");
        let lits = match &self.plan.legal[role] {
            Legal::Table { vars, tuples } => return self.table(stage, vars, action, tuples),
            Legal::Needs(lits) => lits,
        };
        let is_over = self.builder.literal(stage.terminal, 1)?;
        let is_idle = self.plan.options.is_idle_at_end;
        let mut needs = Vec::new();
        for (place, &lit) in (0..).zip(lits) {
            let Some(lits) = stage.auxiliaries.all_of(lit) else { continue };
            let mut literals = self.literals(stage, &lits)?;
            if is_idle {
                literals.push(!is_over);
            }
            needs.push((place, literals));
        }
        if is_idle {
            needs.push((lits.len() as i64, vec![is_over]));
        }
        // Others are never legal.
        let places: Vec<[i64; 1]> = needs.iter().map(|(place, _)| [*place]).collect();
        if places.len() < self.plan.n_actions[role] {
            self.builder.table(&[action], places)?;
        }
        self.builder.needs(action, needs)
    }

    fn next(
        &mut self,
        stage: &Stage<'_>,
        id: PositionId,
        var: VarId,
        definition: &Definition,
    ) -> Built<()> {
        let formulas = match definition {
            Definition::Table { vars, tuples } => return self.table(stage, vars, var, tuples),
            Definition::Formulas(formulas) => formulas,
        };
        let is_over = self.builder.literal(stage.terminal, 1)?;
        for &(place, lit) in formulas {
            let (unless, stays) = match self.plan.options.is_idle_at_end {
                true => {
                    let before = self.builder.literal(stage.state[id], i64::from(place))?;
                    (Some(!is_over), vec![vec![is_over, before]])
                }
                false => (None, Vec::new()),
            };
            self.define(stage, (var, place), lit, unless, stays)?;
        }
        Ok(())
    }

    /// A variable has the value at a place if and only if `lit` and `besides` hold, or one of `others`.
    fn define(
        &mut self,
        stage: &Stage<'_>,
        (var, place): (VarId, u32),
        lit: Lit,
        besides: Option<Literal>,
        others: Vec<Vec<Literal>>,
    ) -> Built<()> {
        let head = self.builder.literal(var, i64::from(place))?;
        let mut bodies = self.literals_of(stage, &stage.auxiliaries.bodies(lit))?;
        bodies.iter_mut().for_each(|body| body.extend(besides));
        bodies.extend(others);
        self.builder.formula(head, bodies)
    }

    /// Allows tuples of variables of a stage and, at last, another one; all have values by their places.
    fn table(
        &mut self,
        stage: &Stage<'_>,
        vars: &[StageVar],
        last: VarId,
        tuples: &[Vec<u32>],
    ) -> Built<()> {
        let mut scope = self.scope(stage, vars);
        scope.push(last);
        let tuples = tuples
            .iter()
            .map(|tuple| tuple.iter().map(|&value| i64::from(value)).collect::<Vec<i64>>());
        self.builder.table(&scope, tuples)
    }

    fn distribution(
        &self,
        stage: &Stage<'_>,
        role: RoleId,
        chance: &Chance,
    ) -> Built<Distribution> {
        if let Chance::Rows { vars, rows } = chance {
            return self.builder.probability_rows(&self.scope(stage, vars), rows.clone());
        }
        // By move: the variables and values that it needs, or does not allow.
        let mut scope: Vec<VarId> = vec![stage.terminal];
        let mut needs: Vec<Option<Vec<(usize, i64, bool)>>> = Vec::new();
        for lit in self.plan.legal_lits(role) {
            let lits = stage.auxiliaries.all_of(lit);
            let need = |lit: Lit, scope: &mut Vec<VarId>| {
                let (var, value) = self.var_and_value(stage, lit);
                let position = scope.iter().position(|other| *other == var);
                let position = position.unwrap_or_else(|| {
                    scope.push(var);
                    scope.len() - 1
                });
                (position, i64::from(value), !lit.is_negative())
            };
            needs.push(lits.map(|lits| lits.iter().map(|&lit| need(lit, &mut scope)).collect()));
        }
        let is_idle = self.plan.options.is_idle_at_end;
        let n_values = self.plan.n_actions[role];
        self.builder.probability_function(&scope, move |values| {
            let is_end = is_idle && values[0] == 1;
            let holds = |&(position, value, is_equal): &(usize, i64, bool)| {
                (values[position] == value) == is_equal
            };
            uniform(n_values, |n| match needs.get(n) {
                Some(needs) => !is_end && needs.as_ref().is_some_and(|all| all.iter().all(holds)),
                None => is_end,
            })
        })
    }

    /// What players get is what they want.
    fn utilities(&mut self, scores: &[(RoleId, VarId)]) -> Built<()> {
        for (n, &(_, score)) in scores.iter().enumerate() {
            let worth = |values: &[i64]| {
                let mut worth = vec![0.0; scores.len()];
                worth[n] = values[0] as f64 / 100.0;
                worth
            };
            self.builder.utility(&[score], worth)?;
        }
        Ok(())
    }

    fn scope(&self, stage: &Stage<'_>, vars: &[StageVar]) -> Vec<VarId> {
        vars.iter().map(|&var| self.var(stage, var)).collect()
    }

    fn var(&self, stage: &Stage<'_>, var: StageVar) -> VarId {
        match var {
            StageVar::Position(id) => stage.state[id],
            StageVar::Terminal => stage.terminal,
            StageVar::Action(role) => {
                stage.actions[role].expect("formulas about moves come after them")
            }
        }
    }

    /// The variable of an input or a gate, and the place of the value that says that it holds.
    fn var_and_value(&self, stage: &Stage<'_>, lit: Lit) -> (VarId, u32) {
        let network = &self.plan.subject.ground.formulas.network;
        match network.kind(lit.node()) {
            Kind::Input => {
                let (var, place) = self.plan.subject.input(lit.node());
                (self.var(stage, var), place)
            }
            _ => (stage.gates[&lit.node()], 1),
        }
    }

    fn literal(&self, stage: &Stage<'_>, lit: Lit) -> Built<Literal> {
        let (var, value) = self.var_and_value(stage, lit);
        let literal = self.builder.literal(var, i64::from(value))?;
        Ok(if lit.is_negative() { !literal } else { literal })
    }

    fn literals(&self, stage: &Stage<'_>, lits: &[Lit]) -> Built<Vec<Literal>> {
        lits.iter().map(|&lit| self.literal(stage, lit)).collect()
    }

    fn literals_of(&self, stage: &Stage<'_>, bodies: &[Vec<Lit>]) -> Built<Vec<Vec<Literal>>> {
        bodies.iter().map(|body| self.literals(stage, body)).collect()
    }
}
