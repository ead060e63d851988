//! Two implementations of one game, compared along random plays.

use base::{Rng, RoleId};

use crate::contract::{Game, MoveId, Unplayable};
use crate::playout::{percept_texts, random_joint_move};

/// How far a comparison went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Compared {
    /// The number of states at which everything was the same.
    pub n_states: usize,
    /// Whether the play came to its end.
    pub has_ended: bool,
}

/// Plays at random by the rules of `judge` for at most `max_steps` joint moves, and asks `other`
/// the same at every state: the fluents, whether it is terminal, the goals there, the legal moves
/// of each role, and what each role sees. Returns the first difference in words.
pub fn compare<A: Game, B: Game>(
    judge: &mut A,
    other: &mut B,
    max_steps: usize,
    rng: &mut Rng,
) -> Result<Compared, String> {
    let (mut left, mut right) = (judge.initial(), other.initial());
    for n_states in 0..=max_steps {
        let place = |what: &str| format!("{what} differ after {n_states} steps");
        same(&place("fluents"), &judge.state_text(&left), &other.state_text(&right))?;
        let is_terminal = judge.is_terminal(&left);
        same(&place("ends"), &is_terminal, &other.is_terminal(&right))?;
        if is_terminal {
            for role in RoleId::first(judge.roles().len()) {
                let goals = (judge.goal(&left, role), other.goal(&right, role));
                same(&place("goals"), &goals.0, &goals.1)?;
            }
            return Ok(Compared { n_states: n_states + 1, has_ended: true });
        }
        let legal = [texts_of_legal(judge, &left), texts_of_legal(other, &right)];
        same(&place("legal moves"), &legal[0], &legal[1])?;
        if n_states == max_steps {
            break;
        }
        let joint_move = match random_joint_move(judge, &left, rng) {
            Ok(joint_move) => joint_move,
            // Both agree that a role cannot move.
            Err(Unplayable::NoLegalMove { .. }) => break,
            Err(problem) => return Err(problem.to_string()),
        };
        let translated = translate(judge, other, &right, &joint_move);
        let percepts =
            [all_percepts(judge, &left, &joint_move), all_percepts(other, &right, &translated)];
        same(&place("percepts"), &percepts[0], &percepts[1])?;
        left = judge.next(&left, &joint_move);
        right = other.next(&right, &translated);
    }
    Ok(Compared { n_states: max_steps + 1, has_ended: false })
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, left: &T, right: &T) -> Result<(), String> {
    if left == right { Ok(()) } else { Err(format!("{what}: {left:?} and {right:?}")) }
}

/// By role, the legal moves as text, sorted.
fn texts_of_legal<G: Game>(game: &mut G, state: &G::State) -> Vec<Vec<String>> {
    let roles = RoleId::first(game.roles().len());
    let mut moves = Vec::new();
    let of_role = |role| {
        game.legal_moves(state, role, &mut moves);
        let mut texts: Vec<String> = moves.iter().map(|&id| game.move_text(id)).collect();
        texts.sort();
        texts
    };
    roles.map(of_role).collect()
}

/// By role, what it sees as text, sorted.
fn all_percepts<G: Game>(
    game: &mut G,
    state: &G::State,
    joint_move: &[MoveId],
) -> Vec<Vec<String>> {
    let roles = RoleId::first(game.roles().len());
    let of_role = |role| {
        let mut texts = percept_texts(game, state, joint_move, role);
        texts.sort();
        texts
    };
    roles.map(of_role).collect()
}

/// The moves of `other` that have the same text as those of `judge`, and are legal in `state`.
fn translate<A: Game, B: Game>(
    judge: &A,
    other: &mut B,
    state: &B::State,
    joint_move: &[MoveId],
) -> Vec<MoveId> {
    let mut legal = Vec::new();
    let roles = RoleId::first(joint_move.len());
    let of_role = |(role, &move_id): (RoleId, &MoveId)| {
        let text = judge.move_text(move_id);
        other.legal_moves(state, role, &mut legal);
        let same = legal.iter().copied().find(|&id| other.move_text(id) == text);
        same.expect("the legal moves were compared")
    };
    roles.zip(joint_move).map(of_role).collect()
}
