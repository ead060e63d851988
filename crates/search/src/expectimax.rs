//! The value of a state by looking at everything that can happen.

use base::RoleId;
use game::{Game, MoveId, Unplayable};

use crate::concept::{Concept, Operator};

/// The value of a state for a role, from 0 to 100: slow and plain.
pub fn plain_value<G: Game>(
    game: &mut G,
    state: &G::State,
    role: RoleId,
    concept: Concept,
) -> Result<f64, Unplayable> {
    if game.is_terminal(state) {
        return Ok(f64::from(game.goal(state, role)?.value()));
    }
    let mut own = Vec::new();
    game.legal_moves(state, role, &mut own);
    let mut values = Vec::new();
    for own_move in own {
        let mut of_others = Vec::new();
        for mut joint in joint_moves(game, state, Some(role), own_move) {
            of_others.push(mean_over_chance(game, state, &mut joint, role, concept)?);
        }
        values.push(joined(concept.others, &of_others));
    }
    Ok(joined(concept.own, &values))
}

fn mean_over_chance<G: Game>(
    game: &mut G,
    state: &G::State,
    joint: &mut [MoveId],
    role: RoleId,
    concept: Concept,
) -> Result<f64, Unplayable> {
    use base::Id as _;
    let Some(random) = game.random() else {
        let next = game.next(state, joint);
        return plain_value(game, &next, role, concept);
    };
    let mut moves = Vec::new();
    game.legal_moves(state, random, &mut moves);
    let mut sum = 0.0;
    for &chance in &moves {
        joint[random.index()] = chance;
        let next = game.next(state, joint);
        sum += plain_value(game, &next, role, concept)?;
    }
    Ok(sum / moves.len() as f64)
}

/// All joint moves in which `role` makes `own_move`; the move of chance is any.
fn joint_moves<G: Game>(
    game: &mut G,
    state: &G::State,
    role: Option<RoleId>,
    own_move: MoveId,
) -> Vec<Vec<MoveId>> {
    let random = game.random();
    let mut all: Vec<Vec<MoveId>> = vec![Vec::new()];
    for other in RoleId::first(game.roles().len()) {
        let mut moves = Vec::new();
        game.legal_moves(state, other, &mut moves);
        if Some(other) == role {
            moves = vec![own_move];
        }
        if Some(other) == random {
            moves.truncate(1);
        }
        all = all
            .iter()
            .flat_map(|joint| moves.iter().map(|&next| [joint.as_slice(), &[next]].concat()))
            .collect();
    }
    all
}

fn joined(operator: Operator, values: &[f64]) -> f64 {
    match operator {
        Operator::Min => values.iter().copied().fold(f64::INFINITY, f64::min),
        Operator::Max => values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
    }
}
