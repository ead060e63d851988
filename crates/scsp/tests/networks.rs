//! Networks at the edges of what is sensible.

use scsp::{
    Budget, Distribution, Engine, Network, NetworkBuilder, OneStage, Relation, Solutions,
    best_policy,
};

#[test]
fn json_values_keep_what_is_listed_for_them() {
    let network = |values: &str| {
        Network::from_json(&format!(
            r#"{{"variables": [{{"name": "guess", "values": {values}}},
                {{"name": "coin", "values": {values}, "chance": {{"probabilities": [0.9, 0.1]}}}}],
                "utilities": [{{"scope": ["guess", "coin"], "tuples": [[[1, 1], [1]]]}}]}}"#
        ))
    };
    let value = |network: &Network| best_policy(network, Budget::UNLIMITED).policy.unwrap().value();
    assert_eq!(value(&network("[1, 2]").unwrap()), [0.9]);
    let error = network("[1, 0]").unwrap_err().to_string();
    assert_eq!(error, "the values of the variable `guess` must ascend, each once");
    let error = network(r#"["a", "a"]"#).unwrap_err().to_string();
    assert_eq!(error, "two values of the variable `guess` are called `a`");
    let error = Network::from_json(r#"{"players": 18446744073709551615, "variables": []}"#);
    assert!(error.unwrap_err().to_string().contains("players are too many"));
}

#[test]
fn sums_at_the_edges_are_compared() {
    for (relation, constant, n_solutions) in [
        (Relation::AtLeast, 5, 0),
        (Relation::Equal, 0, 1),
        (Relation::AtMost, -1, 0),
        (Relation::AtMost, 0, 1),
    ] {
        let mut builder = NetworkBuilder::new(1);
        builder.linear(&[], relation, constant).unwrap();
        assert_eq!(Solutions::of(&builder.build()).count(), n_solutions);
    }
    let mut builder = NetworkBuilder::new(1);
    let [x, y] = ["x", "y"].map(|name| builder.decision(name, [i64::MIN, 0]).unwrap());
    assert!(builder.linear(&[(1, x), (1, y)], Relation::AtMost, -1).is_err());
    assert!(builder.linear(&[(1, x)], Relation::AtMost, i64::MIN).is_err());
}

#[test]
fn preprocessing_twice_changes_nothing() {
    let mut builder = NetworkBuilder::new(1);
    let [x, y] = [builder.decision("x", 0..=2).unwrap(), builder.decision("y", 0..=1).unwrap()];
    builder.hard(&[x], |v| v[0] < 2).unwrap();
    builder.table(&[x, y], [[0, 0], [1, 1], [2, 0], [2, 1]]).unwrap();
    let network = builder.build();
    let (once, _) = network.preprocessed();
    let (twice, _) = once.preprocessed();
    let count = |network: &Network| Solutions::of(network).count();
    assert_eq!([count(&network), count(&once), count(&twice)], [2, 2, 2]);
}

#[test]
fn what_fails_at_the_beginning_fails_ever_after() {
    let mut builder = NetworkBuilder::new(1);
    let x = builder.decision("x", 0..=0).unwrap();
    builder.hard(&[x], |_| false).unwrap();
    let mut engine = Engine::new(&builder.build());
    for _ in 0..3 {
        assert!(engine.propagate().is_err());
        engine.push_level();
        assert!(engine.propagate().is_err());
        engine.pop_level();
    }
}

/// All 2^30 sums of what the players get would not fit into memory; 31 of them differ.
#[test]
fn policies_of_many_branches_are_compared_on_the_way() {
    let mut builder = NetworkBuilder::new(2);
    builder.chance("y", 1..=30, Distribution::uniform()).unwrap();
    let x = builder.decision("x", 0..=1).unwrap();
    builder.utility(&[x], |v| vec![v[0] as f64, 1.0 - v[0] as f64]).unwrap();
    let network = builder.build().with_thresholds(&[0.4, 0.6]).unwrap();
    let value = best_policy(&network, Budget::UNLIMITED).policy.unwrap().value();
    assert!((value[0] - 0.4).abs() < 1e-9 && (value[1] - 0.6).abs() < 1e-9, "{value:?}");
}

#[test]
fn rare_chance_does_not_magnify_rounding() {
    let rows = [vec![0.999_999_99, 0.000_000_01], vec![0.1; 10]];
    for row in rows {
        let mut builder = NetworkBuilder::new(1);
        let last = row.len() as i64 - 1;
        let chances = builder.probability_rows(&[], vec![row]).unwrap();
        let y = builder.chance("y", 0..=last, chances).unwrap();
        builder.utility(&[y], |_| vec![0.6]).unwrap();
        let network = builder.build().with_thresholds(&[0.6]).unwrap();
        assert!(best_policy(&network, Budget::UNLIMITED).policy.is_some());
    }
}

#[test]
fn a_budget_holds_for_what_must_be_known_of_chance() {
    let mut builder = NetworkBuilder::new(1);
    let mut terms: Vec<_> =
        (0..40).map(|n| (1, builder.decision(format!("x{n}"), 0..=1).unwrap())).collect();
    terms.push((1, builder.chance("y", 0..=1, Distribution::uniform()).unwrap()));
    builder.linear(&terms, Relation::AtLeast, 0).unwrap();
    let budget = Budget { max_nodes: 1_000, ..Budget::UNLIMITED };
    let mut solutions = OneStage::new(&builder.build()).unwrap().solutions(budget);
    assert!(solutions.next().is_none() && !solutions.is_complete());
}

/// A bit for each value and tuple would need 250 gigabytes.
#[test]
fn tables_over_large_domains_take_little_memory() {
    let mut builder = NetworkBuilder::new(1);
    let names = ["x", "y", "z"];
    let [x, y, z] = names.map(|name| builder.decision(name, 0..=99_999).unwrap());
    builder.equal(x, y).unwrap();
    builder.table(&[x, y, z], (0..90_000).map(|n| [n, n, 7])).unwrap();
    builder.hard(&[z], |v| v[0] < 10).unwrap();
    let mut solutions = Solutions::of(&builder.build());
    for n in 0..100 {
        assert_eq!(solutions.next(), Some(vec![n, n, 7]));
    }
}

#[test]
fn channels_say_which_value_it_is() {
    let mut builder = NetworkBuilder::new(1);
    let x = builder.decision("x", [3, 5, 8]).unwrap();
    let is = ["3", "5", "8"].map(|name| builder.decision(name, 0..=1).unwrap());
    assert!(builder.channel(x, &is[..2]).is_err());
    builder.channel(x, &is).unwrap();
    let solutions = Solutions::of(&builder.build()).with_order(scsp::Order::AsGiven);
    let solutions: Vec<Vec<u32>> = solutions.collect();
    assert_eq!(solutions, [[0, 1, 0, 0], [1, 0, 1, 0], [2, 0, 0, 1]]);
}
