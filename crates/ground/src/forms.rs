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
/// If none succeeds, the limit grows by this factor.
const GROWTH_OF_LIMIT: usize = 16;
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
    let merged = Prepared::plain(&merge_alternatives(program));
    let in_parts = split(&merged);
    let max_literals = limits.max_literals.min(MAX_UNSPLIT_LITERALS);
    let first = in_form(&in_parts, limits, MAX_ROWS);
    let whole = in_form(&plain, &Limits { max_literals, ..*limits }, MAX_ROWS);
    let unfolded = unfold(program).map(|program| split(&Prepared::plain(&program)));
    let unfolded = unfolded.and_then(|prepared| in_form(&prepared, limits, MAX_ROWS).ok());
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
            Wide::new(program, in_parts, &stopped, may).ground(limits)
        }
    }
}

fn in_form(
    prepared: &Prepared,
    limits: &Limits,
    max_rows: usize,
) -> Result<GroundProgram, Stopped> {
    let instances = instantiate(prepared, limits, max_rows)?;
    Ok(assemble(prepared, &instances))
}

/// A program that is wide in all forms.
struct Wide {
    /// Its rules, about what is unique.
    rules: Prepared,
    /// Its rules in parts.
    in_parts: Prepared,
    /// The relations that were found to be wide.
    relations: FxHashSet<RelationId>,
}

impl Wide {
    /// The program whose form `in_parts` was stopped.
    fn new(program: &Program, in_parts: Prepared, stopped: &Stopped, may: May) -> Wide {
        let mut relations = widest_relations(program, &in_parts, stopped);
        let unique = about_the_unique(program, &relations).filter(|_| may == May::Assume);
        let plain = (Prepared::plain(program), FxHashSet::default());
        let (prepared, instead) = unique.unwrap_or(plain);
        relations.extend(instead);
        let program = merge_alternatives(&prepared.program);
        Wide { rules: Prepared { program, ..prepared }, in_parts, relations }
    }

    /// Tries the rules narrowed to what is asked, and in parts, with larger and larger limits.
    fn ground(mut self, limits: &Limits) -> Result<GroundProgram, GroundError> {
        let mut prepared = match self.narrow(limits) {
            Ok(ground) => return Ok(ground),
            Err(prepared) => *prepared,
        };
        let mut max_rows = MAX_ROWS;
        loop {
            max_rows = max_rows.saturating_mul(GROWTH_OF_LIMIT);
            let stopped = match in_form(&prepared, limits, max_rows) {
                Ok(ground) => return Ok(ground),
                Err(stopped) => stopped,
            };
            let in_parts = in_form(&self.in_parts, limits, max_rows);
            if in_parts.is_ok() || limits.deadline.has_passed() || !stopped.is_by_rows {
                return in_parts.map_err(|_| stopped.error);
            }
            self.add_widest(&prepared, &stopped);
            prepared = split(&demand(&self.rules, &self.relations));
        }
    }

    /// Narrows the rules of wide relations until no others are found to be wide.
    fn narrow(&mut self, limits: &Limits) -> Result<GroundProgram, Box<Prepared>> {
        loop {
            let prepared = split(&demand(&self.rules, &self.relations));
            let stopped = match in_form(&prepared, limits, MAX_ROWS) {
                Ok(ground) => return Ok(ground),
                Err(stopped) => stopped,
            };
            if !self.add_widest(&prepared, &stopped) || limits.deadline.has_passed() {
                return Err(Box::new(prepared));
            }
        }
    }

    /// Whether there are new ones.
    fn add_widest(&mut self, prepared: &Prepared, stopped: &Stopped) -> bool {
        let n_before = self.relations.len();
        let found = widest_relations(&self.rules.program, prepared, stopped);
        self.relations.extend(found);
        self.relations.len() > n_before
    }
}

/// The relations of `program` of which a rule, or a part of one, has more than half as many rows as the
/// widest has; and the one that was instantiated last.
fn widest_relations(
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
