//! The value of a game by looking at everything that can happen.

use base::{Id as _, RoleId};
use encode::Information;
use game::{Game, MoveId};
use scsp::{Concept, Operator};

use crate::beliefs::Believed;
use crate::situation::{FullyKnown, Outcome, Question, Situations, Unsolvable};

/// The value of a game from its initial state on, from 0 to 100: slow and plain.
pub fn plain_value<G: Game>(game: &mut G, question: Question) -> Result<f64, Unsolvable> {
    let Question { role, concept, information } = question;
    match information {
        Information::Full => of_initial(&mut FullyKnown { game, role }, role, concept),
        Information::Percepts => of_initial(&mut Believed { game, role }, role, concept),
    }
}

fn of_initial<S: Situations>(
    game: &mut S,
    role: RoleId,
    concept: Concept,
) -> Result<f64, Unsolvable> {
    let initial = game.initial()?;
    of_outcome(game, &initial, role, concept)
}

fn of_outcome<S: Situations>(
    game: &mut S,
    outcome: &Outcome<S::Situation>,
    role: RoleId,
    concept: Concept,
) -> Result<f64, Unsolvable> {
    let situation = match outcome {
        Outcome::End(value) => return Ok(*value),
        Outcome::Situation(situation) => situation,
    };
    let legal = game.legal(situation)?;
    let mut values = Vec::new();
    for &own in &legal[role.index()] {
        let mut choices = legal.clone();
        choices[role.index()] = vec![own];
        let mut of_others = Vec::new();
        for mut joint in all_joint(&choices) {
            let outcomes = game.outcomes(situation, &mut joint)?;
            let (mut sum, mut total) = (0.0, 0.0);
            for (weight, outcome) in outcomes {
                sum += weight * of_outcome(game, &outcome, role, concept)?;
                total += weight;
            }
            of_others.push(sum / total);
        }
        values.push(joined(concept.others, &of_others));
    }
    Ok(joined(concept.own, &values))
}

/// All joint moves with one of the choices of each role.
pub(crate) fn all_joint(choices: &[Vec<MoveId>]) -> Vec<Vec<MoveId>> {
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
