//! What a network is worth for a player when others decide as well.
//!
//! The value constraints of Koriche, Lagrue, Piette & Tabary 2016, section 4.2: in each round a decision
//! is worth what the decisions of the others make of it (⊕), and the round what the player makes of its
//! own decisions (⊗); chance is expected. They are solved as a branch and bound over the threshold:
//! a decision is left as soon as it cannot reach what another is known to be worth, or cannot be kept from
//! passing what the others will not let happen. What propagation leaves of the soft constraints bounds
//! the value at every moment.

use std::fmt;

use base::{Id as _, with_stack_for};
use rustc_hash::FxHashMap;

use super::bounds::{Choice, Concept, Interval, Mean};
use super::soft::Soft;
use crate::engine::Engine;
use crate::network::{Network, Utility, VarId};
use crate::search::{Budget, Statistics};

/// A round: who decides what.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayersRound {
    /// By player: the variable that it decides.
    pub actions: Vec<VarId>,
    /// The only variables through which what comes before the round says anything about the round and
    /// what comes after. Rounds that are reached in different ways with the same values of them are looked
    /// at once. Empty if there are no such variables.
    pub state: Vec<VarId>,
}

/// What players make of their decisions and of those of others, round for round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValueConstraints {
    concept: Concept,
    rounds: Vec<PlayersRound>,
}

/// Why rounds are none of a network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotRounds {
    /// A round does not have a decision for each player.
    Players {
        /// How many it has.
        found: usize,
        /// How many players there are.
        expected: usize,
    },
    /// A variable that a player should decide is up to chance, or is decided twice.
    NotADecision {
        /// The name of the variable.
        variable: String,
    },
    /// A variable comes before one of an earlier round.
    NotInOrder {
        /// The name of the variable.
        variable: String,
    },
    /// Something joins variables before a round with those after its beginning, past its state, or is worth
    /// something before the round.
    NotASplit {
        /// The name of a variable that is not of the state.
        variable: String,
    },
}

impl fmt::Display for NotRounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotRounds::Players { found, expected } => {
                write!(f, "a round has {found} decisions for {expected} players")
            }
            NotRounds::NotADecision { variable } => {
                write!(f, "{variable} is no decision that is still open")
            }
            NotRounds::NotInOrder { variable } => {
                write!(f, "{variable} comes before variables of an earlier round")
            }
            NotRounds::NotASplit { variable } => {
                write!(f, "{variable} depends on earlier rounds, and is not of the state")
            }
        }
    }
}

impl std::error::Error for NotRounds {}

impl ValueConstraints {
    /// The constraints for rounds in the order of the variables of `network`.
    ///
    /// What is consistent up to a round must be possible to the end, as in games it is: the value of a
    /// decision is not looked at further than bounds need.
    pub fn new(
        network: &Network,
        concept: Concept,
        rounds: Vec<PlayersRound>,
    ) -> Result<ValueConstraints, NotRounds> {
        let name = |var: VarId| network.variables()[var].name.clone();
        let mut is_decided = vec![false; network.variables().len()];
        let mut last = None;
        for round in &rounds {
            let (found, expected) = (round.actions.len(), network.n_players());
            if found != expected {
                return Err(NotRounds::Players { found, expected });
            }
            for &var in &round.actions {
                if network.is_chance(var) || std::mem::replace(&mut is_decided[var.index()], true) {
                    return Err(NotRounds::NotADecision { variable: name(var) });
                }
            }
            let first = round.first_var();
            if let Some(var) = first.filter(|_| first < last) {
                return Err(NotRounds::NotInOrder { variable: name(var) });
            }
            last = round.actions.iter().copied().max().or(last);
            if let Some(var) = past_state(network, round) {
                return Err(NotRounds::NotASplit { variable: name(var) });
            }
        }
        Ok(ValueConstraints { concept, rounds })
    }

    /// The operators.
    pub fn concept(&self) -> Concept {
        self.concept
    }

    /// The rounds.
    pub fn rounds(&self) -> &[PlayersRound] {
        &self.rounds
    }

    /// The variables in the order in which they matter for a player: in a round what is known before its
    /// decisions, its own, those of the others, and what follows.
    fn order(&self, network: &Network, player: usize) -> Vec<Step> {
        let who = |var: VarId| if network.is_chance(var) { Who::Chance } else { Who::Own };
        let step = |var: VarId| Step { var, who: who(var), state: None };
        let n_vars = network.variables().len();
        let starts = self.rounds.iter().filter_map(PlayersRound::first_var).map(|var| var.index());
        let mut ends: Vec<usize> = starts.skip(1).collect();
        ends.push(n_vars);
        let mut order: Vec<Step> = Vec::new();
        let mut start = 0;
        for (number, (round, &end)) in self.rounds.iter().zip(&ends).enumerate() {
            let first_action = round.actions.iter().map(|var| var.index()).min().unwrap_or(start);
            let n_before = order.len();
            order.extend((start..first_action).map(|n| step(VarId::from_index(n))));
            order.push(step(round.actions[player]));
            let others = round.actions.iter().filter(|var| **var != round.actions[player]);
            order.extend(others.map(|&var| Step { who: Who::Others, ..step(var) }));
            let rest = (first_action..end).map(VarId::from_index);
            let rest = rest.filter(|var| !round.actions.contains(var));
            order.extend(rest.map(step));
            if number > 0 && !round.state.is_empty() {
                order[n_before].state = Some(number);
            }
            start = end;
        }
        order.extend((start..n_vars).map(|n| step(VarId::from_index(n))));
        order
    }
}

impl PlayersRound {
    /// Where the round begins.
    fn first_var(&self) -> Option<VarId> {
        self.state.iter().chain(&self.actions).copied().min()
    }
}

/// A variable from the beginning of a round on that depends on earlier ones and is not of its state.
fn past_state(network: &Network, round: &PlayersRound) -> Option<VarId> {
    let start = round.first_var()?;
    if round.state.is_empty() {
        return None;
    }
    // What was worth something before is no part of what the state is worth.
    let before = |utility: &&Utility| utility.scope().iter().any(|var| *var < start);
    if let Some(utility) = network.utilities().iter().find(before) {
        return utility.scope().iter().copied().max();
    }
    let constraints = network.constraints().iter().map(|constraint| constraint.scope().to_vec());
    let chances = network.variables().ids().map(|var| {
        let given_by = network.given_by(var);
        if given_by.is_empty() { Vec::new() } else { [given_by, &[var]].concat() }
    });
    let mut scopes = constraints.chain(chances);
    scopes.find_map(|scope| {
        let reaches_back = scope.iter().any(|var| *var < start);
        let is_past = |var: &VarId| *var >= start && !round.state.contains(var);
        scope.into_iter().find(is_past).filter(|_| reaches_back)
    })
}

/// What was found out about a network.
#[derive(Clone, PartialEq, Debug)]
pub struct StrategicValue {
    /// What it is worth for the player; `None` if it has no solution.
    pub value: Option<Interval>,
    /// The place of the value with which the player begins to reach its bound.
    pub best: Option<u32>,
    /// What was done.
    pub statistics: Statistics,
}

/// What a network is worth for a player under value constraints, or bounds of it when the budget is
/// spent. It panics if there is no such player.
///
/// ```
/// use scsp::{Budget, Concept, NetworkBuilder, PlayersRound, ValueConstraints, strategic_value};
///
/// // Two players show one or two fingers; the first wants an even sum.
/// let mut builder = NetworkBuilder::new(2);
/// let one = builder.decision("one", 1..=2)?;
/// let other = builder.decision("other", 1..=2)?;
/// builder.utility(&[one, other], |v| {
///     let is_even = (v[0] + v[1]) % 2 == 0;
///     vec![f64::from(is_even), f64::from(!is_even)]
/// })?;
/// let network = builder.build();
/// let round = PlayersRound { actions: vec![one, other], state: Vec::new() };
/// let values = [Concept::MAXIMIN, Concept::MAXIMAX].map(|concept| {
///     let constraints = ValueConstraints::new(&network, concept, vec![round.clone()]).unwrap();
///     strategic_value(&network, &constraints, 0, Budget::UNLIMITED).value.unwrap().low
/// });
/// // Whatever it shows, the other can prevent it, or help.
/// assert_eq!(values, [0.0, 1.0]);
/// # Ok::<(), scsp::BuildError>(())
/// ```
pub fn strategic_value(
    network: &Network,
    constraints: &ValueConstraints,
    player: usize,
    budget: Budget,
) -> StrategicValue {
    let mut soft = Soft::for_and_against(network, player);
    let engine = Engine::new(network);
    let whole = bounds(&mut soft, &engine);
    let order = constraints.order(network, player);
    let first_own = constraints.rounds.first().map(|round| round.actions[player]);
    let search = Search {
        network,
        constraints,
        engine,
        soft,
        order,
        whole,
        known: FxHashMap::default(),
        values: vec![0; network.variables().len()],
        first_own,
        best: None,
        budget,
        statistics: Statistics::default(),
        is_stopped: false,
    };
    let nothing =
        StrategicValue { value: Some(whole), best: None, statistics: Statistics::default() };
    with_stack_for(3 * network.variables().len(), || search.run()).unwrap_or(nothing)
}

fn bounds(soft: &mut Soft, engine: &Engine) -> Interval {
    let most = soft.most(engine);
    Interval { low: -most[1], high: most[0] }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Who {
    Own,
    Others,
    Chance,
}

#[derive(Clone, Copy, Debug)]
struct Step {
    var: VarId,
    who: Who,
    /// The round that begins here, if it depends on what is before by its state alone.
    state: Option<usize>,
}

struct Search<'a> {
    network: &'a Network,
    constraints: &'a ValueConstraints,
    engine: Engine,
    soft: Soft,
    order: Vec<Step>,
    /// Between which bounds every value lies.
    whole: Interval,
    /// By round and state: what is known of the value.
    known: FxHashMap<(usize, Vec<u32>), Interval>,
    /// The places of the values of fixed variables, for probabilities.
    values: Vec<u32>,
    /// What the player decides first.
    first_own: Option<VarId>,
    best: Option<u32>,
    budget: Budget,
    statistics: Statistics,
    is_stopped: bool,
}

impl Search<'_> {
    fn run(mut self) -> StrategicValue {
        let value = match self.engine.propagate() {
            Ok(()) => self.value(0, self.whole),
            Err(_) => None,
        };
        // Where nothing had to be tried, all is the same.
        let any = self.first_own.map(|var| self.engine.store.first(var) as u32);
        self.statistics.n_propagations = self.engine.n_propagations;
        StrategicValue { value, best: self.best.or(any), statistics: self.statistics }
    }

    /// The value from a step on, as far as it matters for `window`. `None` if nothing is possible.
    fn value(&mut self, start: usize, window: Interval) -> Option<Interval> {
        self.value_from(start, window, false)
    }

    /// The same; `is_in_round` if the round that begins with the step is being looked at.
    fn value_from(
        &mut self,
        start: usize,
        window: Interval,
        is_in_round: bool,
    ) -> Option<Interval> {
        let bounds = bounds(&mut self.soft, &self.engine);
        if bounds.is_enough(window) || self.is_stopped {
            return Some(bounds);
        }
        for at in start..self.order.len() {
            let step = self.order[at];
            if let Some(round) = step.state
                && !(at == start && is_in_round)
                && let Some(state) = self.state(round)
            {
                return self.value_of_round(at, (round, state), window);
            }
            if step.who == Who::Chance {
                return self.after_chance(at, window);
            }
            if !self.engine.store.is_fixed(step.var) {
                return self.after_choice(at, window);
            }
        }
        self.statistics.n_solutions += 1;
        Some(bounds)
    }

    /// The values of the state of a round, if they are known.
    fn state(&self, round: usize) -> Option<Vec<u32>> {
        let vars = self.constraints.rounds[round].state.iter();
        let store = &self.engine.store;
        vars.map(|&var| store.is_fixed(var).then(|| store.first(var) as u32)).collect()
    }

    fn value_of_round(
        &mut self,
        at: usize,
        key: (usize, Vec<u32>),
        window: Interval,
    ) -> Option<Interval> {
        let known = self.known.get(&key).copied().unwrap_or(self.whole);
        if known.is_enough(window) {
            return Some(known);
        }
        let found = self.value_from(at, window.and(known), true)?.and(known);
        self.known.insert(key, found);
        Some(found)
    }

    fn after_choice(&mut self, at: usize, window: Interval) -> Option<Interval> {
        let Step { var, who, .. } = self.order[at];
        let Concept { own, others } = self.constraints.concept;
        let operator = if who == Who::Own { own } else { others };
        let mut choice = Choice::new(operator, self.whole);
        let values: Vec<usize> = self.engine.store.values(var).collect();
        let mut is_possible = false;
        for value in values {
            let narrowed = choice.window(window);
            let Some(found) = self.with_value(var, value, |search| search.value(at, narrowed))
            else {
                continue;
            };
            is_possible = true;
            if choice.add(found) && self.first_own == Some(var) {
                self.best = Some(value as u32);
            }
            if choice.is_decided(window) || self.is_stopped {
                return Some(choice.of_some());
            }
        }
        is_possible.then(|| choice.of_all())
    }

    fn after_chance(&mut self, at: usize, window: Interval) -> Option<Interval> {
        let Step { var, .. } = self.order[at];
        for &given in self.network.given_by(var) {
            self.values[given.index()] = self.engine.store.first(given) as u32;
        }
        let probabilities = self.network.probabilities(var, &self.values)?;
        let mut mean = Mean::new(1.0, self.whole);
        for (value, probability) in probabilities.into_iter().enumerate() {
            if probability <= 0.0 {
                continue;
            }
            let needed = mean.window(probability, window);
            let found = self.with_value(var, value, |search| search.value(at + 1, needed))?;
            mean.add(probability, found);
            let so_far = mean.of_some();
            if so_far.high <= window.low || so_far.low >= window.high || self.is_stopped {
                return Some(so_far);
            }
        }
        Some(mean.of_all())
    }

    /// Looks at what comes after a variable gets a value, unless it cannot have it.
    fn with_value(
        &mut self,
        var: VarId,
        value: usize,
        look: impl FnOnce(&mut Self) -> Option<Interval>,
    ) -> Option<Interval> {
        self.is_stopped |= self.budget.is_spent(self.statistics.n_nodes);
        self.statistics.n_nodes += 1;
        let mark = self.soft.mark();
        let found = match self.engine.try_value(var, value) {
            Ok(()) => look(self),
            Err(_) => {
                self.statistics.n_failures += 1;
                None
            }
        };
        self.engine.pop_level();
        self.soft.go_back(mark);
        found
    }
}
