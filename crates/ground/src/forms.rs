//! The form of the rules that grounds to the smallest network.
//!
//! Splitting wide rules is what makes large games possible, but it costs a node for each part, and
//! rules that are not wide in practice are better left whole. Some rules can only be split after
//! their static conditions were written out. So all of this is tried within a small limit. If none of
//! it succeeds, the rules of relations that have become wide are narrowed to what is asked of them.

use program::{Program, RelationId};
use rustc_hash::FxHashSet;

use crate::alternatives::merge_alternatives;
use crate::assemble::assemble;
use crate::demand::demand;
use crate::ground::GroundProgram;
use crate::instantiate::{GroundError, Limits, Stopped, instantiate};
use crate::prepared::Prepared;
use crate::split::split;
use crate::unfold::unfold;
use crate::unique::about_the_unique;

/// A form is tried with no more rows looked at in joins than this, which takes about a second.
const MAX_ROWS: usize = 10_000_000;
/// Rules as they stand are tried with no more conditions than this.
const MAX_UNSPLIT_LITERALS: usize = 1_000_000;

/// Whether the formulas may rely on something that is still to be proved.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum May {
    Assume,
    NotAssume,
}

/// The program with its formulas, in the smallest of several forms.
pub(crate) fn smallest_form(
    program: &Program,
    limits: &Limits,
    may: May,
) -> Result<GroundProgram, GroundError> {
    let plain = Prepared::plain(program);
    let max_literals = limits.max_literals.min(MAX_UNSPLIT_LITERALS);
    let unsplit_limits = Limits { max_literals, ..*limits };
    let merged = Prepared::plain(&merge_alternatives(program));
    let in_parts = split(&merged);
    let first = in_form(&in_parts, limits);
    let whole = in_form(&plain, &unsplit_limits);
    let unfolded = unfold(program).map(|program| split(&Prepared::plain(&program)));
    let unfolded = unfolded.and_then(|prepared| in_form(&prepared, limits).ok());
    let n_parts = |ground: &GroundProgram| ground.formulas.network.n_parts();
    let (first, stopped) = match first {
        Ok(ground) => (Some(ground), None),
        Err(stopped) => (None, Some(stopped)),
    };
    let forms = [first, whole.ok(), unfolded].into_iter().flatten();
    match (forms.min_by_key(n_parts), stopped) {
        (Some(ground), _) => Ok(ground),
        (None, stopped) => {
            let stopped = stopped.expect("the first form is not there, so it was stopped");
            let mut wide = wide_relations(program, &in_parts, &stopped);
            let unique = about_the_unique(program, &wide).filter(|_| may == May::Assume);
            let (prepared, instead) = unique.unwrap_or((plain, FxHashSet::default()));
            wide.extend(instead);
            narrowed(&prepared, wide, limits)
        }
    }
}

fn in_form(prepared: &Prepared, limits: &Limits) -> Result<GroundProgram, Stopped> {
    let instances = instantiate(prepared, limits, MAX_ROWS)?;
    Ok(assemble(prepared, &instances))
}

/// The program with the rules of its wide relations narrowed to what is asked, until no others are
/// found to be wide.
fn narrowed(
    original: &Prepared,
    mut wide: FxHashSet<RelationId>,
    limits: &Limits,
) -> Result<GroundProgram, GroundError> {
    let merged = Prepared { program: merge_alternatives(&original.program), ..original.clone() };
    loop {
        let prepared = split(&demand(&merged, &wide));
        let stopped = match in_form(&prepared, limits) {
            Ok(ground) => return Ok(ground),
            Err(stopped) => stopped,
        };
        let n_before = wide.len();
        wide.extend(wide_relations(&original.program, &prepared, &stopped));
        if wide.len() == n_before {
            let instances = instantiate(&prepared, limits, usize::MAX);
            let instances = instances.map_err(|stopped| stopped.error)?;
            return Ok(assemble(&prepared, &instances));
        }
    }
}

/// The relations of `program` that have become wide, or a part of a rule of theirs has: those with
/// most rows, and the one that was instantiated last.
fn wide_relations(
    program: &Program,
    prepared: &Prepared,
    stopped: &Stopped,
) -> FxHashSet<RelationId> {
    let n_most = stopped.n_rows.iter().copied().max().unwrap_or(0);
    let is_wide = |relation: RelationId| 2 * stopped.n_rows[relation] > n_most;
    let rules = prepared.program.rules().iter();
    let mut spans: FxHashSet<gdl::Span> =
        rules.filter(|rule| is_wide(rule.head.relation)).map(|rule| rule.span).collect();
    spans.insert(stopped.span);
    let origins = program.rules().iter().filter(|rule| spans.contains(&rule.span));
    origins.map(|rule| rule.head.relation).collect()
}
