//! What may have happened, as far as players saw it.

use std::collections::BTreeMap;

use base::RoleId;
use ground::{GroundProgram, Lit};

use crate::percepts::Percepts;
use crate::plan::uniform;

/// The probabilities of what players see, and of what chance did then.
#[derive(Clone, Debug)]
pub(crate) struct Filter {
    ground: GroundProgram,
    random: RoleId,
    percepts: Percepts,
}

/// The fluents of a state, by number.
type State = Vec<bool>;

/// What players do and see in some rounds, by the places of the values.
#[derive(Clone, Debug)]
pub(crate) struct History<'a> {
    /// By round: the moves of the players, in the order of the roles without chance.
    pub(crate) actions: &'a [Vec<i64>],
    /// By round: what is seen. There may be fewer than rounds.
    pub(crate) seen: &'a [i64],
}

impl Filter {
    pub(crate) fn new(ground: &GroundProgram, random: RoleId, percepts: &Percepts) -> Filter {
        Filter { ground: ground.clone(), random, percepts: percepts.clone() }
    }

    /// The place of the value that says that the game has ended.
    fn end(&self) -> i64 {
        self.percepts.sets.len() as i64
    }

    /// How likely it is to see each thing in the last round of `history`, of which nothing was seen yet.
    pub(crate) fn seen_probabilities(&self, history: &History<'_>) -> Vec<f64> {
        let mut worlds = BTreeMap::from([(self.initial(), 1.0)]);
        for (actions, &seen) in history.actions.iter().zip(history.seen) {
            let mut next: BTreeMap<State, f64> = BTreeMap::new();
            for (state, weight) in &worlds {
                for step in self.steps(state, actions) {
                    if step.seen == seen {
                        *next.entry(step.next).or_default() += weight * step.probability;
                    }
                }
            }
            worlds = next;
        }
        let mut sums = vec![0.0; self.percepts.sets.len() + 1];
        let actions = history.actions.last().map_or(&[][..], Vec::as_slice);
        for (state, weight) in &worlds {
            for step in self.steps(state, actions) {
                sums[step.seen as usize] += weight * step.probability;
            }
        }
        normalised(&sums)
    }

    /// How likely each move of chance is in the round after those of `chances`, when all of `history` is
    /// known.
    pub(crate) fn chance_probabilities(&self, history: &History<'_>, chances: &[i64]) -> Vec<f64> {
        let mut state = self.initial();
        let n_moves = self.ground.moves_of(self.random).len();
        let mut sums = vec![0.0; n_moves + 1];
        for (round, &chance) in chances.iter().enumerate() {
            let mut steps = self.steps(&state, &history.actions[round]).into_iter();
            let Some(step) = steps.find(|step| step.chance == chance) else {
                return normalised(&sums);
            };
            state = step.next;
        }
        let round = chances.len();
        let mut known = BTreeMap::new();
        for step in self.steps(&state, &history.actions[round]) {
            if step.seen == history.seen[round] {
                let after = self.likelihood(&step.next, round + 1, history, &mut known);
                sums[step.chance as usize] += step.probability * after;
            }
        }
        normalised(&sums)
    }

    /// How likely it is to see what was seen from a round on; `known` is what was found before.
    fn likelihood(
        &self,
        state: &State,
        round: usize,
        history: &History<'_>,
        known: &mut BTreeMap<(usize, State), f64>,
    ) -> f64 {
        if round == history.seen.len() {
            return 1.0;
        }
        if let Some(&likelihood) = known.get(&(round, state.clone())) {
            return likelihood;
        }
        let mut sum = 0.0;
        for step in self.steps(state, &history.actions[round]) {
            if step.seen == history.seen[round] {
                sum += step.probability * self.likelihood(&step.next, round + 1, history, known);
            }
        }
        known.insert((round, state.clone()), sum);
        sum
    }

    fn initial(&self) -> State {
        self.ground.fluents.ids().map(|fluent| self.ground.initial.contains(&fluent)).collect()
    }

    /// All that may follow when players make their moves. If the game has ended, nothing happens.
    fn steps(&self, state: &State, actions: &[i64]) -> Vec<Step> {
        let ground = &self.ground;
        let nothing = Truths::new(ground, state, &[]);
        let moves = ground.moves_of(self.random);
        if nothing.holds(ground.formulas.terminal) {
            let (chance, next) = (moves.len() as i64, state.clone());
            return vec![Step { chance, probability: 1.0, seen: self.end(), next }];
        }
        let players = ground.roles.ids().filter(|role| *role != self.random);
        // A player that does nothing although the game goes on is not allowed to; no matter what follows.
        let numbers: Vec<usize> = players
            .zip(actions)
            .map(|(role, &place)| (ground.moves_of(role), place as usize))
            .filter_map(|(mut moves, place)| moves.nth(place))
            .collect();
        let legal: Vec<usize> =
            moves.clone().filter(|&n| nothing.holds(ground.formulas.legal.as_slice()[n])).collect();
        let step = |&number: &usize| {
            let joint: Vec<usize> = numbers.iter().copied().chain([number]).collect();
            let truths = Truths::new(ground, state, &joint);
            let next: State = ground.formulas.next.iter().map(|&lit| truths.holds(lit)).collect();
            let is_end = Truths::new(ground, &next, &[]).holds(ground.formulas.terminal);
            let seen = match is_end {
                true => self.end(),
                false => i64::from(self.percepts.place_of(|lit| truths.holds(lit))),
            };
            let chance = (number - moves.start) as i64;
            Step { chance, probability: 1.0 / legal.len() as f64, seen, next }
        };
        legal.iter().map(step).collect()
    }
}

/// What may happen in a round.
struct Step {
    /// The place of the move of chance.
    chance: i64,
    probability: f64,
    /// The place of what is seen.
    seen: i64,
    next: State,
}

/// What holds in a state, with moves.
struct Truths {
    values: Vec<bool>,
}

impl Truths {
    fn new(ground: &GroundProgram, state: &State, moves: &[usize]) -> Truths {
        let network = &ground.formulas.network;
        let mut values = vec![false; network.n_nodes()];
        values[0] = true;
        for (number, _) in state.iter().enumerate().filter(|(_, holds)| **holds) {
            values[network.input(number).node()] = true;
        }
        for &number in moves {
            values[network.input(state.len() + number).node()] = true;
        }
        network.evaluate_one(&mut values);
        Truths { values }
    }

    fn holds(&self, lit: Lit) -> bool {
        self.values[lit.node()] != lit.is_negative()
    }
}

/// Weights that sum to 1; all the same if nothing is possible, which no policy reaches.
fn normalised(sums: &[f64]) -> Vec<f64> {
    let total: f64 = sums.iter().sum();
    match total > 0.0 {
        true => sums.iter().map(|sum| sum / total).collect(),
        false => uniform(sums.len(), |_| true),
    }
}
