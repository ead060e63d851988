//! Random networks beside plain enumeration.

use base::{Id as _, Rng, seeded_rng};
use rand::RngExt as _;
use scsp::{
    Budget, Distribution, ForwardSolutions, Network, NetworkBuilder, OneStage, Order, Relation,
    Solutions, ValueOrder, VarId, best_policy, enumeration,
};

/// A network of a few variables with random tables, which allow from `percent` of all tuples on. The
/// variables of each stage are decisions, and then chance.
fn random_network(rng: &mut Rng, stages: &[(usize, usize)], percent: u32) -> Network {
    random_network_of(1, rng, stages, percent)
}

fn random_network_of(
    n_players: usize,
    rng: &mut Rng,
    stages: &[(usize, usize)],
    percent: u32,
) -> Network {
    let mut builder = NetworkBuilder::new(n_players);
    let mut vars: Vec<VarId> = Vec::new();
    for &(n_decisions, n_chance) in stages {
        for n in 0..n_decisions + n_chance {
            let name = format!("v{}", vars.len());
            let last = rng.random_range(0..=3 - i64::from(stages.len() > 1));
            let var = match n < n_decisions {
                true => builder.decision(name, 0..=last),
                false => {
                    let chances = random_chances(rng, &builder, &vars, last as usize + 1);
                    builder.chance(name, 0..=last, chances)
                }
            };
            vars.push(var.expect("well formed"));
        }
    }
    for _ in 0..rng.random_range(0..=4) {
        let scope = random_scope(rng, &vars);
        let percent = rng.random_range(percent..=98);
        let chosen = std::cell::RefCell::new(&mut *rng);
        let allows = |_: &[i64]| chosen.borrow_mut().random_range(0..100) < percent;
        builder.hard(&scope, allows).expect("well formed");
    }
    for _ in 0..rng.random_range(0..=2) {
        add_random_constraint(rng, &mut builder, &vars);
    }
    for _ in 0..rng.random_range(0..=2) {
        let scope = random_scope(rng, &vars);
        let chosen = std::cell::RefCell::new(&mut *rng);
        let worth = || f64::from(chosen.borrow_mut().random_range(0..=4)) / 4.0;
        let worth = |_: &[i64]| (0..n_players).map(|_| worth()).collect();
        builder.utility(&scope, worth).expect("well formed");
    }
    builder.build()
}

/// Adds a formula, a sum, an equality or a choice.
fn add_random_constraint(rng: &mut Rng, builder: &mut NetworkBuilder, vars: &[VarId]) {
    let any = |rng: &mut Rng| vars[rng.random_range(0..vars.len())];
    let literal = |rng: &mut Rng, builder: &NetworkBuilder| {
        let var = any(rng);
        let literal =
            (0..=rng.random_range(0..=3)).rev().find_map(|n| builder.literal(var, n).ok());
        let literal = literal.expect("all domains have 0");
        if rng.random_range(0..2) == 0 { literal } else { !literal }
    };
    let added = match rng.random_range(0..5) {
        4 => {
            let var = any(rng);
            let needs = [0, 1].map(|value| (value, vec![literal(rng, builder); 2]));
            let n_values = builder.literal(var, 1).map_or(1, |_| 2);
            builder.needs(var, needs.into_iter().take(n_values))
        }
        0 => {
            let n_bodies = rng.random_range(0..=3);
            let bodies: Vec<_> = (0..n_bodies)
                .map(|_| (0..rng.random_range(1..=3)).map(|_| literal(rng, builder)).collect())
                .collect();
            let head = literal(rng, builder);
            builder.formula(head, bodies)
        }
        1 => {
            let scope = random_scope(rng, vars);
            let factors: Vec<(i64, VarId)> =
                scope.iter().map(|&var| (rng.random_range(-2..=2), var)).collect();
            let relations = [Relation::AtMost, Relation::Equal, Relation::AtLeast];
            let relation = relations[rng.random_range(0..relations.len())];
            builder.linear(&factors, relation, rng.random_range(-2..=3))
        }
        2 => match random_scope(rng, vars).as_slice() {
            [one, other, ..] => builder.equal(*one, *other),
            _ => Ok(()),
        },
        _ => {
            let array: Vec<VarId> = (0..rng.random_range(1..=3)).map(|_| any(rng)).collect();
            builder.element(&array, any(rng), any(rng))
        }
    };
    added.expect("well formed");
}

fn random_scope(rng: &mut Rng, vars: &[VarId]) -> Vec<VarId> {
    let mut scope = vars.to_vec();
    while scope.len() > 3 || scope.len() > 1 && rng.random_range(0..3) == 0 {
        scope.remove(rng.random_range(0..scope.len()));
    }
    scope
}

/// Probabilities that depend on up to two variables before, some of them 0.
fn random_chances(
    rng: &mut Rng,
    builder: &NetworkBuilder,
    before: &[VarId],
    n_values: usize,
) -> Distribution {
    if rng.random_range(0..2) == 0 {
        return Distribution::uniform();
    }
    let mut scope = before.to_vec();
    while scope.len() > 2 || !scope.is_empty() && rng.random_range(0..2) == 0 {
        scope.remove(rng.random_range(0..scope.len()));
    }
    let rng = std::cell::RefCell::new(rng);
    let chances = |_: &[i64]| {
        let mut weights: Vec<f64> =
            (0..n_values).map(|_| f64::from(rng.borrow_mut().random_range(0..=3))).collect();
        weights[0] += 1.0;
        let sum: f64 = weights.iter().sum();
        weights.iter().map(|weight| weight / sum).collect()
    };
    builder.probabilities(&scope, chances).expect("well formed")
}

#[test]
fn search_finds_the_solutions_that_enumeration_finds() {
    let mut rng = seeded_rng(1);
    let mut n_unsatisfiable = 0;
    for number in 0..10_000 {
        let n_vars = rng.random_range(1..=5);
        let network = random_network(&mut rng, &[(n_vars, 0)], 20);
        let expected = enumeration::all_solutions(&network);
        n_unsatisfiable += u32::from(expected.is_empty());
        for (n, order) in [Order::AsGiven, Order::FewestValues, Order::Failures].iter().enumerate()
        {
            let values = [ValueOrder::Ascending, ValueOrder::Descending][(n + number) % 2];
            let mut solutions =
                Solutions::checked(&network).with_order(*order).with_value_order(values);
            let mut found: Vec<Vec<u32>> = solutions.by_ref().collect();
            found.sort();
            assert_eq!(found, expected, "network {number}, {order:?}");
            assert!(solutions.is_complete());
            assert_eq!(solutions.statistics().n_solutions, expected.len() as u64);
        }
    }
    assert!((500..9_500).contains(&n_unsatisfiable), "{n_unsatisfiable} without a solution");
}

/// Forward checking finds the same, and also if the value of a variable is assumed.
#[test]
fn forward_checking_finds_the_solutions_that_enumeration_finds() {
    let mut rng = seeded_rng(7);
    let mut n_assumed = 0;
    for number in 0..10_000 {
        let n_vars = rng.random_range(1..=5);
        let network = random_network(&mut rng, &[(n_vars, 0)], 20);
        let expected = enumeration::all_solutions(&network);
        let mut solutions = ForwardSolutions::of(&network);
        let mut found: Vec<Vec<u32>> = solutions.by_ref().collect();
        found.sort();
        assert_eq!(found, expected, "network {number}");
        for var in network.variables().ids() {
            for value in 0..network.variables()[var].domain.len() as u32 {
                let with_value = expected.iter().filter(|values| values[var.index()] == value);
                let is_possible = solutions.assume([(var, value)]);
                let mut found: Vec<Vec<u32>> = solutions.by_ref().collect();
                found.sort();
                assert!(with_value.eq(&found), "network {number}, {var:?} = {value}");
                assert!(is_possible || found.is_empty());
                n_assumed += usize::from(!found.is_empty());
            }
        }
    }
    assert!(n_assumed > 10_000, "{n_assumed}");
}

#[test]
fn the_best_policy_is_worth_what_enumeration_says() {
    let mut rng = seeded_rng(2);
    let mut n_infeasible = 0;
    for number in 0..10_000 {
        let stages = match number % 2 {
            0 => vec![(rng.random_range(1..=3), rng.random_range(1..=2))],
            _ => vec![
                (rng.random_range(1..=2), rng.random_range(1..=2)),
                (rng.random_range(1..=2), rng.random_range(0..=1)),
            ],
        };
        let network = random_network(&mut rng, &stages, 60);
        let expected = enumeration::best_value(&network);
        n_infeasible += u32::from(expected.is_none());
        let found = best_policy(&network, Budget::UNLIMITED);
        assert!(found.is_proved);
        let value = found.policy.map(|policy| policy.value()[0]);
        match (expected, value) {
            (None, None) => {}
            (Some(expected), Some(value)) => {
                assert!(
                    (expected - value).abs() < 1e-9,
                    "network {number}: {value}, not {expected}"
                );
                let above = network.with_thresholds(&[expected + 1e-6]).expect("finite");
                let above = best_policy(&above, Budget::UNLIMITED);
                assert!(above.policy.is_none(), "network {number}");
            }
            _ => panic!("network {number}: {value:?}, not {expected:?}"),
        }
    }
    assert!((500..9_500).contains(&n_infeasible), "{n_infeasible} without a feasible policy");
}

#[test]
fn decisions_of_one_stage_are_those_that_chance_cannot_spoil() {
    let mut rng = seeded_rng(3);
    for number in 0..10_000 {
        let stage = (rng.random_range(1..=3), rng.random_range(0..=2));
        let network = random_network(&mut rng, &[stage], 60);
        let mut found: Vec<Vec<u32>> =
            OneStage::new(&network).expect("well formed").solutions(Budget::UNLIMITED).collect();
        found.iter_mut().for_each(|solution| solution.truncate(stage.0));
        found.sort();
        assert_eq!(found, enumeration::feasible_decisions(&network), "network {number}");
    }
}

/// Preprocessing changes neither solutions nor what policies are worth.
#[test]
fn preprocessed_networks_have_the_same_solutions() {
    let mut rng = seeded_rng(5);
    let mut n_changed = 0;
    for number in 0..10_000 {
        let stage = (rng.random_range(1..=3), rng.random_range(0..=2));
        let network = random_network(&mut rng, &[stage], 40);
        let (smaller, done) = network.preprocessed();
        n_changed += u32::from(done != scsp::Preprocessed::default());
        let before = enumeration::best_value(&network);
        let after = best_policy(&smaller, Budget::UNLIMITED);
        let after = after.policy.map(|policy| policy.value()[0]);
        assert!(!done.is_inconsistent || before.is_none(), "network {number}");
        assert_eq!(before.is_some(), after.is_some(), "network {number}");
        let difference = before.zip(after).map_or(0.0, |(before, after)| (before - after).abs());
        assert!(difference < 1e-9, "network {number}");
        if stage.1 == 0 {
            let expected = enumeration::all_solutions(&network);
            let mut found: Vec<Vec<u32>> = Solutions::of(&smaller).collect();
            found.sort();
            assert_eq!(found, expected, "network {number}");
        }
    }
    assert!(n_changed > 5_000, "{n_changed} changed");
}

/// A network that was written and read again is the same.
#[test]
fn json_keeps_everything() {
    let mut rng = seeded_rng(6);
    for number in 0..2_000 {
        let stages = [(rng.random_range(1..=2), 1), (1, rng.random_range(0..=1))];
        let network = random_network(&mut rng, &stages, 40);
        let text = network.to_json().expect("nothing is computed");
        assert_eq!(Network::from_json(&text).expect("it was written"), network, "network {number}");
    }
}

/// So is one that was written as XCSP3. Rules without a cause become tables there.
#[test]
fn xcsp3_keeps_what_networks_mean() {
    let mut rng = seeded_rng(8);
    let mut n_same = 0;
    for number in 0..2_000 {
        let stages = [(rng.random_range(1..=2), rng.random_range(0..=1)), (1, number % 2)];
        let network = random_network(&mut rng, &stages, 40);
        let (network, _) = if number % 4 == 3 {
            network.preprocessed()
        } else {
            (network, scsp::Preprocessed::default())
        };
        let text = network.to_xcsp3().expect("nothing is computed");
        let read = Network::from_xcsp3(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        n_same += u32::from(read == network);
        assert_eq!(read.stages(), network.stages(), "network {number}");
        let expected = enumeration::all_solutions(&network);
        assert_eq!(enumeration::all_solutions(&read), expected, "network {number}");
        let values = enumeration::all_values(&network);
        assert_eq!(enumeration::all_values(&read), values, "network {number}");
    }
    assert!(n_same > 1_000, "{n_same} are the same in all parts");
}

/// With two players there is a policy at the thresholds if and only if enumeration finds one.
#[test]
fn thresholds_of_two_players_are_met_together() {
    let mut rng = seeded_rng(7);
    let mut n_met = 0;
    for number in 0..2_000 {
        let stages = [(rng.random_range(1..=2), 1), (1, rng.random_range(0..=1))];
        let network = random_network_of(2, &mut rng, &stages, 70);
        let thresholds = [0, 0].map(|_: i32| f64::from(rng.random_range(0..=4)) / 4.0);
        let network = network.with_thresholds(&thresholds).expect("finite");
        let meets = |worth: &Vec<f64>| worth.iter().zip(thresholds).all(|(w, t)| w + 1e-9 >= t);
        let values = enumeration::all_values(&network);
        let sums =
            values.iter().filter(|worth| meets(worth)).map(|worth| worth.iter().sum::<f64>());
        let expected = sums.max_by(f64::total_cmp);
        n_met += u32::from(expected.is_some());
        let found = best_policy(&network, Budget::UNLIMITED).policy.map(|policy| policy.value());
        assert_eq!(found.is_some(), expected.is_some(), "network {number}");
        if let Some((found, expected)) = found.zip(expected) {
            assert!(meets(&found), "network {number}");
            assert!((found.iter().sum::<f64>() - expected).abs() < 1e-7, "network {number}");
        }
    }
    assert!((200..1_800).contains(&n_met), "{n_met} met");
}
