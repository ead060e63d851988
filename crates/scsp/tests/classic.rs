//! Classic problems, whose numbers of solutions are known.

use scsp::{NetworkBuilder, Order, Solutions, VarId};

fn count(builder: NetworkBuilder) -> usize {
    let network = builder.build();
    let orders = [Order::AsGiven, Order::FewestValues, Order::Failures];
    let counts = orders.map(|order| Solutions::of(&network).with_order(order).count());
    assert!(counts.iter().all(|count| *count == counts[0]), "{counts:?}");
    counts[0]
}

fn queens(n: i64) -> NetworkBuilder {
    let mut builder = NetworkBuilder::new(1);
    let columns: Vec<VarId> = (0..n)
        .map(|column| builder.decision(format!("q{column}"), 1..=n).expect("well formed"))
        .collect();
    for (i, &left) in columns.iter().enumerate() {
        for (distance, &right) in (1..).zip(&columns[i + 1..]) {
            let allows = |v: &[i64]| v[0] != v[1] && (v[0] - v[1]).abs() != distance;
            builder.hard(&[left, right], allows).expect("well formed");
        }
    }
    builder
}

/// All variables of `scope` have different values.
fn all_different(builder: &mut NetworkBuilder, scope: &[VarId]) {
    for (i, &left) in scope.iter().enumerate() {
        for &right in &scope[i + 1..] {
            builder.hard(&[left, right], |v| v[0] != v[1]).expect("well formed");
        }
    }
}

fn latin_square(n: i64) -> NetworkBuilder {
    let mut builder = NetworkBuilder::new(1);
    let rows: Vec<Vec<VarId>> = (0..n)
        .map(|row| {
            (0..n)
                .map(|c| builder.decision(format!("{row},{c}"), 1..=n).expect("well formed"))
                .collect()
        })
        .collect();
    for (number, row) in rows.iter().enumerate() {
        all_different(&mut builder, row);
        let column: Vec<VarId> = rows.iter().map(|row| row[number]).collect();
        all_different(&mut builder, &column);
    }
    builder
}

#[test]
fn queens_have_the_known_counts() {
    let known = [(1, 1), (2, 0), (3, 0), (4, 2), (5, 10), (6, 4), (7, 40), (8, 92), (9, 352)];
    for (n, n_solutions) in known {
        assert_eq!(count(queens(n)), n_solutions, "{n} queens");
    }
    assert_eq!(Solutions::of(&queens(10).build()).count(), 724);
}

#[test]
fn latin_squares_have_the_known_counts() {
    for (n, n_solutions) in [(1, 1), (2, 2), (3, 12), (4, 576)] {
        assert_eq!(count(latin_square(n)), n_solutions, "order {n}");
    }
    assert_eq!(Solutions::of(&latin_square(5).build()).count(), 161_280);
}

/// Latin squares of order `n` in which each element by itself gives itself are idempotent
/// quasigroups; there is one of order 3, two of order 4 and 48 of order 5.
#[test]
fn idempotent_quasigroups_have_the_known_counts() {
    for (n, n_solutions) in [(1, 1), (2, 0), (3, 1), (4, 2), (5, 48)] {
        let mut builder = latin_square(n);
        for element in 1..=n {
            let place = builder.find(&format!("{0},{0}", element - 1)).expect("well formed");
            builder.table(&[place], [[element]]).expect("well formed");
        }
        assert_eq!(count(builder), n_solutions, "order {n}");
    }
}

/// The numbers 1 to 9 in a square whose rows, columns and diagonals sum to 15: one square and its
/// turns and mirror images.
#[test]
fn there_are_eight_magic_squares_of_order_3() {
    let mut builder = NetworkBuilder::new(1);
    let cells: Vec<VarId> =
        (0..9).map(|n| builder.decision(format!("c{n}"), 1..=9).expect("well formed")).collect();
    all_different(&mut builder, &cells);
    let lines = ["012", "345", "678", "036", "147", "258", "048", "246"];
    for line in lines {
        let line: Vec<VarId> = line.bytes().map(|c| cells[usize::from(c - b'0')]).collect();
        builder.hard(&line, |v| v.iter().sum::<i64>() == 15).expect("well formed");
    }
    assert_eq!(count(builder), 8);
}

/// Recursion is as deep as the network has variables.
#[test]
fn long_networks_are_solved() {
    let mut builder = NetworkBuilder::new(1);
    let mut before = None;
    for n in 0..10_000 {
        let var = match n % 10 {
            9 => builder.chance(format!("v{n}"), 0..=0, scsp::Distribution::uniform()),
            _ => builder.decision(format!("v{n}"), 0..=1),
        };
        let var = var.unwrap();
        if n % 10 == 1 {
            builder.utility(&[before.unwrap(), var], |v| vec![f64::from(v[0] < v[1])]).unwrap();
        }
        before = Some(var);
    }
    let network = builder.build();
    let found = scsp::best_policy(&network, scsp::Budget::UNLIMITED);
    assert!(found.is_proved);
    let policy = found.policy.unwrap();
    assert_eq!(policy.value(), [1000.0]);
    assert_eq!(policy.text(&network).lines().count(), 10_001);
}
