//! Counting the tree of moves: a number that any two implementations must agree on.

use base::{Id, RoleId};

use crate::contract::{Game, MoveId, Unplayable};

/// The sequences of joint moves of one length.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Perft {
    /// How many there are; one that has ended is not continued.
    pub nodes: u64,
    /// How many of these end the game.
    pub terminals: u64,
}

/// Counts the sequences of `depth` joint moves from the initial state.
pub fn perft<G: Game>(game: &mut G, depth: u32) -> Result<Perft, Unplayable> {
    let mut count = Perft::default();
    let initial = game.initial();
    visit(game, &initial, depth, &mut count)?;
    Ok(count)
}

fn visit<G: Game>(
    game: &mut G,
    state: &G::State,
    depth: u32,
    count: &mut Perft,
) -> Result<(), Unplayable> {
    let is_terminal = game.is_terminal(state);
    if depth == 0 {
        count.nodes += 1;
        count.terminals += u64::from(is_terminal);
        return Ok(());
    }
    if is_terminal {
        return Ok(());
    }
    let legal = legal_of_all(game, state)?;
    let mut choice = vec![0; legal.len()];
    let mut joint_move: Vec<MoveId> = legal.iter().map(|moves| moves[0]).collect();
    loop {
        let next = game.next(state, &joint_move);
        visit(game, &next, depth - 1, count)?;
        // The next joint move: count up, the last role fastest.
        let Some(role) = (0..legal.len()).rev().find(|&r| choice[r] + 1 < legal[r].len()) else {
            return Ok(());
        };
        choice[role] += 1;
        choice[role + 1..].fill(0);
        for later in role..legal.len() {
            joint_move[later] = legal[later][choice[later]];
        }
    }
}

/// The legal moves of every role, of which there is at least one each.
pub fn legal_of_all<G: Game>(
    game: &mut G,
    state: &G::State,
) -> Result<Vec<Vec<MoveId>>, Unplayable> {
    let mut legal = Vec::with_capacity(game.roles().len());
    for role in RoleId::first(game.roles().len()) {
        let mut moves = Vec::new();
        game.legal_moves(state, role, &mut moves);
        if moves.is_empty() {
            return Err(no_legal_move(game, state, role));
        }
        legal.push(moves);
    }
    Ok(legal)
}

pub(crate) fn no_legal_move<G: Game>(game: &G, state: &G::State, role: RoleId) -> Unplayable {
    let role = game.roles()[role.index()].clone();
    Unplayable::NoLegalMove { role, state: game.state_text(state) }
}
