//! Constraint networks: propagation from scratch, the way back, and all solutions.

use std::cell::RefCell;

use base::seeded_rng;
use divan::Bencher;
use rand::RngExt as _;
use scsp::{Engine, Network, NetworkBuilder, Solutions, VarId};

fn main() {
    divan::main();
}

/// Twenty variables with ten values, and twenty tables over five of them with so many random tuples.
fn tables_of(n_tuples: usize) -> Network {
    let mut rng = seeded_rng(1);
    let mut builder = NetworkBuilder::new(1);
    let vars: Vec<VarId> =
        (0..20).map(|n| builder.decision(format!("x{n}"), 0..=9).expect("well formed")).collect();
    for first in 0..vars.len() {
        let scope: Vec<VarId> = (0..5).map(|n| vars[(first + 3 * n) % vars.len()]).collect();
        let tuples: Vec<[i64; 5]> =
            (0..n_tuples).map(|_| [(); 5].map(|()| rng.random_range(0..=9))).collect();
        builder.table(&scope, tuples).expect("well formed");
    }
    builder.build()
}

/// All constraints are looked at for the first time.
#[divan::bench(args = [1_000, 10_000, 50_000])]
fn propagate_from_scratch(bencher: Bencher<'_, '_>, n_tuples: usize) {
    let network = tables_of(n_tuples);
    let engine = Engine::new(&network);
    bencher.with_inputs(|| engine.clone()).bench_local_refs(|engine| {
        divan::black_box(engine.propagate()).expect("there are many tuples");
    });
}

/// A level is left on which one variable was fixed, which changed five tables and more.
#[divan::bench(args = [1_000, 10_000, 50_000], sample_size = 1, sample_count = 3_000)]
fn go_back(bencher: Bencher<'_, '_>, n_tuples: usize) {
    let network = tables_of(n_tuples);
    let mut engine = Engine::new(&network);
    engine.propagate().expect("there are many tuples");
    let first = network.variables().ids().next().expect("there are twenty");
    let engine = RefCell::new(engine);
    let enter = || {
        let mut engine = engine.borrow_mut();
        engine.push_level();
        _ = engine.fix(first, 0).and_then(|()| engine.propagate());
    };
    bencher.with_inputs(enter).bench_local_values(|()| engine.borrow_mut().pop_level());
}

/// The solutions of n queens.
#[divan::bench(args = [8, 10], sample_count = 10)]
fn all_queens(bencher: Bencher<'_, '_>, n: i64) {
    let mut builder = NetworkBuilder::new(1);
    let columns: Vec<VarId> =
        (0..n).map(|c| builder.decision(format!("q{c}"), 1..=n).expect("well formed")).collect();
    for (i, &left) in columns.iter().enumerate() {
        for (distance, &right) in (1..).zip(&columns[i + 1..]) {
            let allows = |v: &[i64]| v[0] != v[1] && (v[0] - v[1]).abs() != distance;
            builder.hard(&[left, right], allows).expect("well formed");
        }
    }
    let network = builder.build();
    bencher.bench(|| Solutions::of(&network).count());
}
