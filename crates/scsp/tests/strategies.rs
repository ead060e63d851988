//! What networks are worth for players, beside a plain evaluation of the game that they were made from.

use base::{Rng, seeded_rng};
use rand::RngExt as _;
use scsp::{
    Budget, BuildError, Concept, Network, NetworkBuilder, NotRounds, Operator, PlayersRound,
    ValueConstraints, VarId, strategic_value,
};

/// A game in tables: rounds of two players and chance.
struct Game {
    n_rounds: usize,
    n_states: usize,
    n_actions: usize,
    n_chance: usize,
    /// By state, by player: the actions that are legal.
    legal: Vec<[Vec<usize>; 2]>,
    /// By state: the probabilities of chance.
    probabilities: Vec<Vec<f64>>,
    /// By state, actions and chance: the next state.
    next: Vec<usize>,
    /// By state at the end, by player: what it is worth.
    worth: Vec<[f64; 2]>,
}

impl Game {
    fn random(rng: &mut Rng) -> Game {
        let n_rounds = rng.random_range(1..=3);
        let n_states = rng.random_range(1..=5);
        let n_actions = rng.random_range(1..=3);
        let n_chance = rng.random_range(1..=3);
        let mut some_actions = || {
            let some: Vec<usize> = (0..n_actions).filter(|_| rng.random_bool(0.7)).collect();
            if some.is_empty() { vec![0] } else { some }
        };
        let legal = (0..n_states).map(|_| [some_actions(), some_actions()]).collect();
        let mut probabilities_of_state = || {
            let weights: Vec<f64> =
                (0..n_chance).map(|n| f64::from(rng.random_range(u8::from(n == 0)..4))).collect();
            let sum: f64 = weights.iter().sum();
            weights.iter().map(|weight| weight / sum).collect()
        };
        let probabilities = (0..n_states).map(|_| probabilities_of_state()).collect();
        let n_cases = n_states * n_actions * n_actions * n_chance;
        let next = (0..n_cases).map(|_| rng.random_range(0..n_states)).collect();
        let mut worth = || f64::from(rng.random_range(0..=4)) / 4.0;
        let worth = (0..n_states).map(|_| [worth(), worth()]).collect();
        Game { n_rounds, n_states, n_actions, n_chance, legal, probabilities, next, worth }
    }

    fn next(&self, state: usize, actions: [usize; 2], chance: usize) -> usize {
        let n = (state * self.n_actions + actions[0]) * self.n_actions + actions[1];
        self.next[n * self.n_chance + chance]
    }

    fn network(&self) -> Result<(Network, Vec<PlayersRound>), BuildError> {
        let mut builder = NetworkBuilder::new(2);
        let last = |n: usize| n as i64 - 1;
        let mut rounds = Vec::new();
        let mut state = builder.decision("state 0", 0..=last(self.n_states))?;
        builder.table(&[state], [[0]])?;
        for round in 0..self.n_rounds {
            let mut action = |name: &str| {
                let name = format!("{name} {round}");
                builder.decision(name, 0..=last(self.n_actions))
            };
            let actions = [action("one")?, action("other")?];
            for (player, &action) in actions.iter().enumerate() {
                let is_legal =
                    |v: &[i64]| self.legal[v[0] as usize][player].contains(&(v[1] as usize));
                builder.hard(&[state, action], is_legal)?;
            }
            let given =
                builder.probabilities(&[state], |v| self.probabilities[v[0] as usize].clone());
            let given = given?;
            let name = format!("chance {round}");
            let chance = builder.chance(name, 0..=last(self.n_chance), given)?;
            let name = format!("state {}", round + 1);
            let next = builder.decision(name, 0..=last(self.n_states))?;
            let scope = [state, actions[0], actions[1], chance, next];
            let follows = |v: &[i64]| {
                let v: Vec<usize> = v.iter().map(|&value| value as usize).collect();
                self.next(v[0], [v[1], v[2]], v[3]) == v[4]
            };
            builder.hard(&scope, follows)?;
            rounds.push(PlayersRound { actions: actions.to_vec(), state: vec![state] });
            state = next;
        }
        builder.utility(&[state], |v| self.worth[v[0] as usize].to_vec())?;
        Ok((builder.build(), rounds))
    }

    /// The formulas of the paper, one after the other.
    fn value(&self, round: usize, state: usize, player: usize, concept: Concept) -> f64 {
        if round == self.n_rounds {
            return self.worth[state][player];
        }
        let of_own = self.legal[state][player].iter().map(|&own| {
            let of_other = self.legal[state][1 - player].iter().map(|&other| {
                let actions = if player == 0 { [own, other] } else { [other, own] };
                let of_chance = self.probabilities[state].iter().enumerate().map(|(n, p)| {
                    p * self.value(round + 1, self.next(state, actions, n), player, concept)
                });
                of_chance.sum()
            });
            joined(concept.others, of_other)
        });
        joined(concept.own, of_own)
    }
}

fn joined(operator: Operator, values: impl Iterator<Item = f64>) -> f64 {
    match operator {
        Operator::Min => values.fold(f64::INFINITY, f64::min),
        Operator::Max => values.fold(f64::NEG_INFINITY, f64::max),
    }
}

const CONCEPTS: [Concept; 3] = [
    Concept::MAXIMIN,
    Concept::MAXIMAX,
    // Whoever wants to lose, and is kept from it.
    Concept { own: Operator::Min, others: Operator::Max },
];

#[test]
fn values_are_those_of_the_formulas() {
    let mut rng = seeded_rng(11);
    for number in 0..300 {
        let game = Game::random(&mut rng);
        let (network, rounds) = game.network().unwrap();
        let stateless: Vec<PlayersRound> = rounds
            .iter()
            .map(|round| PlayersRound { state: Vec::new(), ..round.clone() })
            .collect();
        for concept in CONCEPTS {
            for rounds in [&rounds, &stateless] {
                let constraints = ValueConstraints::new(&network, concept, rounds.clone()).unwrap();
                for player in 0..2 {
                    let found = strategic_value(&network, &constraints, player, Budget::UNLIMITED);
                    let expected = game.value(0, 0, player, concept);
                    let value = found.value.expect("there is always a legal action");
                    assert!(value.is_exact(), "{number}: {value:?}");
                    assert!((value.low - expected).abs() < 1e-9, "{number}: {value:?}, {expected}");
                    let best = found.best.expect("there is a first decision") as usize;
                    assert!(game.legal[0][player].contains(&best), "{number}");
                }
            }
        }
    }
}

#[test]
fn bounds_hold_the_value_when_the_budget_is_spent() {
    let mut rng = seeded_rng(12);
    let mut n_open = 0;
    for _ in 0..100 {
        let game = Game::random(&mut rng);
        let (network, rounds) = game.network().unwrap();
        let constraints = ValueConstraints::new(&network, Concept::MAXIMIN, rounds).unwrap();
        let expected = game.value(0, 0, 0, Concept::MAXIMIN);
        for max_nodes in [0, 1, 3, 10, 30] {
            let budget = Budget { max_nodes, ..Budget::UNLIMITED };
            let value = strategic_value(&network, &constraints, 0, budget).value.unwrap();
            assert!(value.low - 1e-9 <= expected && expected <= value.high + 1e-9);
            n_open += usize::from(!value.is_exact());
        }
    }
    assert!(n_open > 50, "{n_open}");
}

#[test]
fn what_are_no_rounds_is_refused() {
    let game = Game::random(&mut seeded_rng(1));
    let (network, rounds) = game.network().unwrap();
    let refused = |rounds: Vec<PlayersRound>| {
        ValueConstraints::new(&network, Concept::MAXIMIN, rounds).unwrap_err()
    };
    let mut one = rounds.clone();
    one[0].actions.pop();
    assert_eq!(refused(one), NotRounds::Players { found: 1, expected: 2 });
    let chance = network.variables().ids().find(|&var| network.is_chance(var)).unwrap();
    let mut of_chance = rounds.clone();
    of_chance[0].actions[0] = chance;
    assert!(matches!(refused(of_chance), NotRounds::NotADecision { .. }));
    let mut twice = rounds.clone();
    twice[0].actions[1] = twice[0].actions[0];
    assert!(matches!(refused(twice), NotRounds::NotADecision { .. }));
    // What follows from a round is no state of the round itself.
    let last: VarId = network.variables().ids().last().unwrap();
    let mut late = rounds;
    late[0].state = vec![late[0].actions[0], last];
    assert!(matches!(refused(late), NotRounds::NotASplit { .. }));
}
