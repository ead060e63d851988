//! The examples of the papers on MAC-UCB, with their published solutions and values.

use scsp::{Budget, Distribution, Domain, Network, NetworkBuilder, OneStage, VarId, best_policy};

/// IAF 2015, example 1: a decision, chance, and a second decision that must equal the first. With
/// x₁ = 0 the policy of figure 1 is worth 2/3, a solution at 1/2; the best one is worth 1.
#[test]
fn iaf_2015_example_1() {
    let network = |x1: &[i64]| {
        let mut builder = NetworkBuilder::new(1);
        let [x1, x2] = [
            builder.decision("x1", x1.iter().copied().collect::<Domain>()).unwrap(),
            builder.decision("x2", 0..=2).unwrap(),
        ];
        let y = builder.chance("y", 0..=2, Distribution::uniform()).unwrap();
        builder.hard(&[x1, x2], |v| v[0] == v[1]).unwrap();
        builder.utility(&[x1, y], |v| vec![f64::from(v[0] + v[1] >= 1)]).unwrap();
        builder.thresholds(&[0.5]).unwrap();
        builder.build()
    };
    let value = |x1: &[i64]| {
        let network = network(x1);
        let found = best_policy(&network, Budget::UNLIMITED);
        assert!(found.is_proved);
        found.policy.map(|policy| policy.value()[0])
    };
    assert!((value(&[0]).unwrap() - 2.0 / 3.0).abs() < 1e-12);
    assert_eq!(value(&[0, 1, 2]), Some(1.0));
}

/// The values of two decisions that forward checking finds feasible, and those that MAC then finds.
fn solve(decisions: [VarId; 2], network: &Network) -> (Vec<[i64; 2]>, Vec<[i64; 2]>) {
    let stage = OneStage::new(network).expect("it has one stage");
    let values = |tuple: &[u32]| [0, 1].map(|n| network.value(decisions[n], tuple[n]));
    let solutions = stage.solutions(Budget::UNLIMITED).map(|solution| values(&solution)).collect();
    let feasibility = stage.feasibility(Budget::UNLIMITED).expect("there is time");
    (feasibility.tuples().map(values).collect(), solutions)
}

/// IAF 2015, example 2: forward checking gives (2, 2) and (3, 2), and MAC only (2, 2).
#[test]
fn iaf_2015_example_2() {
    let mut builder = NetworkBuilder::new(1);
    let x = builder.decision("x", 1..=3).unwrap();
    let z = builder.decision("z", 0..=2).unwrap();
    let y = builder.chance("y", 0..=2, Distribution::uniform()).unwrap();
    builder.hard(&[x, y], |v| v[0] + v[1] > 1).unwrap();
    builder.hard(&[y, z], |v| v[0] + v[1] > 1).unwrap();
    builder.hard(&[x, z], |v| v[0] == v[1]).unwrap();
    let network = builder.build();
    assert_eq!(solve([x, z], &network), (vec![[2, 2], [3, 2]], vec![[2, 2]]));
}

/// Constraints 2016, example 2: two players lay coins and cannot change them, chance flips a third; they
/// win if all three are the same. The best policy is worth 1/2.
#[test]
fn constraints_2016_example_2() {
    let mut builder = NetworkBuilder::new(1);
    let coin = || Domain::named(["H", "T"]);
    let [a1, b1] = ["x1a", "x1b"].map(|name| builder.decision(name, coin()).unwrap());
    builder.chance("y1", Domain::named(["U"]), Distribution::uniform()).unwrap();
    let [a2, b2] = ["x2a", "x2b"].map(|name| builder.decision(name, coin()).unwrap());
    let y2 = builder.chance("y2", coin(), Distribution::uniform()).unwrap();
    builder.hard(&[a1, a2], |v| v[0] == v[1]).unwrap();
    builder.hard(&[b1, b2], |v| v[0] == v[1]).unwrap();
    let all_equal = |v: &[i64]| vec![f64::from(v[0] == v[1] && v[1] == v[2])];
    builder.utility(&[a2, b2, y2], all_equal).unwrap();
    let network = builder.build();
    assert_eq!(network.stages().len(), 2);
    let network = network.with_thresholds(&[0.5]).unwrap();
    let policy = best_policy(&network, Budget::UNLIMITED).policy.unwrap();
    assert_eq!(policy.value(), [0.5]);
    let too_high = network.with_thresholds(&[0.51]).unwrap();
    assert!(best_policy(&too_high, Budget::UNLIMITED).policy.is_none());
    expect_test::expect![[r#"
        x1a = H
        x1b = H
        if y1 is U (1.000):
          x2a = H
          x2b = H
          if y2 is H (0.500):
            worth [1.0]
          if y2 is T (0.500):
            worth [0.0]
    "#]]
    .assert_eq(&policy.text(&network));
}

/// Constraints 2016, example 3. Its figure with the constraints is not in the text; these have the
/// published feasibility constraint {(2, 1), (2, 2)} and the unique solution (2, 2).
#[test]
fn constraints_2016_example_3() {
    let mut builder = NetworkBuilder::new(1);
    let x1 = builder.decision("x1", 1..=3).unwrap();
    let x2 = builder.decision("x2", 0..=2).unwrap();
    let y = builder.chance("y", 0..=2, Distribution::uniform()).unwrap();
    builder.hard(&[x1, y], |v| (v[0] - 2) * v[1] == 0).unwrap();
    builder.hard(&[x2, y], |v| v[0] + v[1] >= 1).unwrap();
    builder.hard(&[x1, x2], |v| v[0] == v[1]).unwrap();
    let network = builder.build();
    assert_eq!(solve([x1, x2], &network), (vec![[2, 1], [2, 2]], vec![[2, 2]]));
}
