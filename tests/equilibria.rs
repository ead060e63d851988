//! What players do who move at the same time, beside the equilibria that linear programs find.

use base::{Deadline, Id as _, RoleId, Stop};
use game::{Game, MoveId, legal_of_all};
use machine::{ManyStates, OneState};
use microlp::{ComparisonOp, OptimizationDirection, Problem, SolveOutcome};
use player::{Clock, PlayerSpec, Rules};
use search::{RegretOptions, RegretTree, Search, SearchLimits};

const SHEETS: [&str; 3] = ["pennies", "biased-rock-paper-scissors", "two-throws"];

fn program(name: &str) -> program::Program {
    let path = format!("{}/games/{name}.kif", env!("CARGO_MANIFEST_DIR"));
    let rules = std::fs::read_to_string(path).expect("it is there");
    let checked = program::check(&gdl::parse_kif(&rules));
    assert!(checked.diagnostics.is_empty(), "{name}: {:?}", checked.diagnostics);
    checked.program.expect("no errors")
}

fn one_state(name: &str) -> OneState {
    let limits = ground::Limits { deadline: Deadline::NEVER, max_literals: 1_000_000 };
    OneState::new(ground::ground(&program(name), &limits).expect("it is small"))
}

/// The best mix of the rows of a matrix, whatever column is chosen, and what it is worth.
fn best_mix(matrix: &[Vec<f64>]) -> (Vec<f64>, f64) {
    let mut problem = Problem::new(OptimizationDirection::Maximize);
    let value = problem.add_var(1.0, (0.0, 100.0));
    let rows: Vec<_> = matrix.iter().map(|_| problem.add_var(0.0, (0.0, 1.0))).collect();
    let all = rows.iter().map(|&row| (row, 1.0));
    problem.add_constraint(all, ComparisonOp::Eq, 1.0);
    for column in 0..matrix[0].len() {
        let paid = rows.iter().zip(matrix).map(|(&row, pays)| (row, pays[column]));
        problem.add_constraint(paid.chain([(value, -1.0)]), ComparisonOp::Ge, 0.0);
    }
    let Ok(SolveOutcome::Solution(solution)) = problem.solve() else { panic!("there is a mix") };
    (rows.iter().map(|&row| solution.var_value(row)).collect(), solution.objective())
}

/// What a state of a game for two against each other is worth for the first role, and how often each of the
/// legal moves of both is made; all that may follow is solved first.
fn equilibrium(game: &mut OneState, state: &<OneState as Game>::State) -> (f64, [Vec<f64>; 2]) {
    if game.is_terminal(state) {
        let goal = game.goal(state, RoleId::from_index(0)).expect("it has one");
        return (f64::from(goal.value()), [Vec::new(), Vec::new()]);
    }
    let legal = legal_of_all(game, state).expect("playable");
    let mut after = |row: MoveId, column: MoveId| {
        let next = game.next(state, &[row, column]);
        equilibrium(game, &next).0
    };
    let matrix: Vec<Vec<f64>> = legal[0]
        .iter()
        .map(|&row| legal[1].iter().map(|&column| after(row, column)).collect())
        .collect();
    let transposed: Vec<Vec<f64>> = (0..legal[1].len())
        .map(|column| matrix.iter().map(|row| 100.0 - row[column]).collect())
        .collect();
    let ((rows, value), (columns, other_value)) = (best_mix(&matrix), best_mix(&transposed));
    assert!((value + other_value - 100.0).abs() < 1e-6, "{value} and {other_value}");
    (value, [rows, columns])
}

/// How often each of the legal moves of a role should be made, as a search says.
fn shares(tree: &mut RegretTree<OneState, ManyStates>, role: RoleId) -> Vec<f64> {
    let report = tree.report(role);
    let (state, game) = tree.state_and_game();
    let state = state.clone();
    let mut legal = Vec::new();
    game.legal_moves(&state, role, &mut legal);
    let share = |id: &MoveId| report.moves.iter().find(|one| one.id == *id).map(|one| one.share);
    legal.iter().map(|id| share(id).expect("every legal move is in the report")).collect()
}

/// The states after each joint move, and the one at the beginning.
fn first_states(game: &mut OneState) -> Vec<Option<Vec<MoveId>>> {
    let initial = game.initial();
    let legal = legal_of_all(game, &initial).expect("playable");
    let mut joint_moves = vec![None];
    for &row in &legal[0] {
        joint_moves.extend(legal[1].iter().map(|&column| Some(vec![row, column])));
    }
    joint_moves
}

/// In every state of every sheet each move has the share that the linear program says, to within 2 %.
#[test]
fn regrets_lead_to_the_equilibrium() {
    for name in SHEETS {
        let mut game = one_state(name);
        for before in first_states(&mut game) {
            let many = ManyStates::new(game.ground().clone());
            let initial = game.initial();
            let options = RegretOptions::default();
            let mut tree = RegretTree::new(game.clone(), many, initial.clone(), options, 1);
            let state = match &before {
                Some(joint_move) => game.next(&initial, joint_move),
                None => initial,
            };
            if game.is_terminal(&state) {
                continue;
            }
            before.iter().for_each(|joint_move| tree.advance(joint_move));
            let limits = SearchLimits::plays(200_000);
            tree.grow(&limits);
            let (_, expected) = equilibrium(&mut game, &state);
            for (role, expected) in RoleId::first(2).zip(&expected) {
                let found = shares(&mut tree, role);
                let is_near = |(one, other): (&f64, &f64)| (one - other).abs() < 0.02;
                assert!(
                    found.iter().zip(expected).all(is_near),
                    "{name} after {before:?}, role {role:?}: {found:?}, not {expected:?}"
                );
            }
        }
    }
}

/// A player makes its first moves as often as the equilibrium says.
#[test]
fn moves_are_made_as_often_as_they_should_be() {
    const N_MATCHES: u64 = 1_000;
    let rules = Rules::new(&program("biased-rock-paper-scissors"), Deadline::NEVER).0;
    let spec: PlayerSpec = "cfr".parse().unwrap();
    let mut n_rock = 0;
    for seed in 0..N_MATCHES {
        let mut agent = rules.agent(&spec, RoleId::from_index(0), seed);
        let choice = agent.choose(&[], Clock::Plays(5_000), &Stop::new()).unwrap();
        n_rock += u64::from(choice.text == "(show rock)");
    }
    // 1/5, and five standard errors.
    let share = n_rock as f64 / N_MATCHES as f64;
    assert!((share - 0.2).abs() < 0.063, "{share}");
}
