//! Games for one, solved, beside a look at all states.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use base::{Deadline, RoleId};
use game::{Game, Unplayable};
use machine::OneState;
use program::Program;
use rustc_hash::FxBuildHasher;
use search::{Concept, Information, Limits, Question, solve};

use crate::measurement::grounded;

/// What was found out about a puzzle.
#[derive(Clone, Copy, Debug)]
pub struct PuzzleRow {
    /// How many states there are, and what the best end that can be reached is worth; `None` if there
    /// are too many.
    pub all: Option<(usize, u8)>,
    /// What the solver says.
    pub value: search::Interval,
    /// The moves that it tried.
    pub n_nodes: u64,
    /// How long it took, without grounding.
    pub seconds: f64,
}

/// Whether a game is one for a single player without chance.
pub fn is_puzzle(program: &Program) -> bool {
    program.roles().len() == 1 && program.random().is_none()
}

/// Grounds a puzzle, looks at all states, up to `max_states` and for `seconds`, and solves it, for as
/// long.
pub fn puzzle(
    program: &Program,
    ground_seconds: u64,
    seconds: f64,
    max_states: usize,
) -> Result<PuzzleRow, String> {
    let ground = grounded(program, ground_seconds)?;
    let mut game = OneState::new(ground);
    let role = RoleId::first(1).next().expect("there is one");
    let deadline = Deadline::after(Duration::from_secs_f64(seconds));
    let all =
        best_end(&mut game, role, max_states, &deadline).map_err(|error| error.to_string())?;
    let start = Instant::now();
    let deadline = Deadline::after(Duration::from_secs_f64(seconds));
    let question = Question { role, concept: Concept::MAXIMIN, information: Information::Full };
    let solved = solve(&mut game, question, &Limits { deadline, max_states });
    let solved = solved.map_err(|error| error.to_string())?;
    let seconds = start.elapsed().as_secs_f64();
    Ok(PuzzleRow { all, value: solved.value, n_nodes: solved.n_nodes, seconds })
}

/// The number of states, and the best end among them.
fn best_end(
    game: &mut OneState,
    role: RoleId,
    max_states: usize,
    deadline: &Deadline,
) -> Result<Option<(usize, u8)>, Unplayable> {
    let initial = game.initial();
    let mut seen: HashSet<_, FxBuildHasher> = HashSet::default();
    seen.insert(initial.clone());
    let mut open = vec![initial];
    let mut best = 0;
    let mut moves = Vec::new();
    while let Some(state) = open.pop() {
        if game.is_terminal(&state) {
            best = best.max(game.goal(&state, role)?.value());
            continue;
        }
        if seen.len() > max_states || deadline.has_passed() {
            return Ok(None);
        }
        game.legal_moves(&state, role, &mut moves);
        for &next in &moves {
            let next = game.next(&state, &[next]);
            if seen.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    Ok(Some((seen.len(), best)))
}
