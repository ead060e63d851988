//! From a game to a machine that plays it.

use std::time::{Duration, Instant};

use anstream::eprintln;
use base::Deadline;
use ground::{GroundProgram, Limits};
use player::Rules;
use program::Program;

use crate::progress::with_progress;
use crate::sheet::{GameArgument, Sheet};
use crate::status::Failure;

/// What grounding may take before the interpreter has to do.
const GROUND_SECONDS: u64 = 60;
const MAX_LITERALS: usize = 100_000_000;

/// The program of a game, or why there is none.
pub(crate) fn program(argument: &GameArgument) -> Result<Program, Failure> {
    program_and_sheet(argument).map(|(program, _)| program)
}

/// The program of a game, and the sheet as it stands.
pub(crate) fn program_and_sheet(argument: &GameArgument) -> Result<(Program, Sheet), Failure> {
    let game = &argument.game;
    let sheet = Sheet::read(game, argument.from)?;
    let checked = program::check(&sheet.parse);
    let program = checked.program.ok_or_else(|| {
        let n_errors = checked.diagnostics.iter().filter(|problem| problem.is_error()).count();
        Failure {
            message: format!("{game} is not playable, {n_errors} errors"),
            help: format!("see what is wrong with: woodstock check {game}"),
        }
    });
    Ok((program?, sheet))
}

/// A program grounded, with the seconds that it took, or why it could not be.
pub(crate) fn ground(program: &Program) -> (Result<GroundProgram, ground::GroundError>, f64) {
    let deadline = Deadline::after(Duration::from_secs(GROUND_SECONDS));
    let start = Instant::now();
    let limits = Limits { deadline, max_literals: MAX_LITERALS };
    let ground = with_progress("grounding", None, || ground::ground(program, &limits));
    (ground, start.elapsed().as_secs_f64())
}

/// The rules of a program, ready for players; says so if they cannot be grounded.
pub(crate) fn rules_for_play(program: &Program) -> Rules {
    let (rules, not_ground) = rules(program);
    if let Some(error) = not_ground {
        eprintln!("not grounded, so the rules are played as they stand: {error}");
    }
    rules
}

/// The rules of a program, ready for players, and why they are not grounded, if they are not.
pub(crate) fn rules(program: &Program) -> (Rules, Option<ground::GroundError>) {
    let deadline = Deadline::after(Duration::from_secs(GROUND_SECONDS));
    with_progress("grounding", None, || Rules::new(program, deadline))
}
