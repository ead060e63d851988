//! The value of a state by looking at everything that can happen.

use base::{Id as _, RoleId};
use game::{Game, MoveId, Unplayable, legal_of_all};

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
    let legal = legal_of_all(game, state)?;
    let mut values = Vec::new();
    for &own in &legal[role.index()] {
        let mut choices = legal.clone();
        choices[role.index()] = vec![own];
        if let Some(random) = game.random() {
            // Any move stands for all.
            choices[random.index()].truncate(1);
        }
        let mut of_others = Vec::new();
        for mut joint in all_joint(&choices) {
            of_others.push(mean_over_chance(game, state, &legal, &mut joint, role, concept)?);
        }
        values.push(joined(concept.others, &of_others));
    }
    Ok(joined(concept.own, &values))
}

fn mean_over_chance<G: Game>(
    game: &mut G,
    state: &G::State,
    legal: &[Vec<MoveId>],
    joint: &mut [MoveId],
    role: RoleId,
    concept: Concept,
) -> Result<f64, Unplayable> {
    let Some(random) = game.random() else {
        let next = game.next(state, joint);
        return plain_value(game, &next, role, concept);
    };
    let moves = &legal[random.index()];
    let mut sum = 0.0;
    for &chance in moves {
        joint[random.index()] = chance;
        let next = game.next(state, joint);
        sum += plain_value(game, &next, role, concept)?;
    }
    Ok(sum / moves.len() as f64)
}

/// All joint moves with one of the choices of each role.
fn all_joint(choices: &[Vec<MoveId>]) -> Vec<Vec<MoveId>> {
    choices.iter().fold(vec![Vec::new()], |all, moves| {
        let longer = |joint: &Vec<MoveId>| -> Vec<Vec<MoveId>> {
            moves.iter().map(|&next| [joint.as_slice(), &[next]].concat()).collect()
        };
        all.iter().flat_map(longer).collect()
    })
}

fn joined(operator: Operator, values: &[f64]) -> f64 {
    match operator {
        Operator::Min => values.iter().copied().fold(f64::INFINITY, f64::min),
        Operator::Max => values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
    }
}
