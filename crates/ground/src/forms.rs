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
use crate::instantiate::{GroundError, Instances, Limits, Stopped, instantiate};
use crate::prepared::Prepared;
use crate::split::split;
use crate::unfold::unfold;
use crate::unique::about_the_unique;

/// A form is tried with no more rows looked at in joins than this, which takes about a second.
const MAX_ROWS: usize = 10_000_000;
/// As long as rules are still to be narrowed, a quarter is enough to see which.
const MAX_ROWS_TO_NARROW: usize = MAX_ROWS / 4;
/// If none succeeds, the limit grows by this factor.
const GROWTH_OF_LIMIT: usize = 16;
/// Where the rules in parts are too wide, the others are tried with no more conditions than this.
const MAX_LITERALS: usize = 1_000_000;

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
    let in_parts = split(&Prepared::plain(&merge_alternatives(program)));
    let stopped = match Form::new(in_parts.clone(), limits) {
        Ok(first) => {
            let others = Limits { max_literals: first.max_literals(limits), ..limits.clone() };
            let forms = [Some(first), whole(program, &others), unfolded(program, &others)];
            return Ok(smallest(forms, limits));
        }
        Err(stopped) => stopped,
    };
    let others = Limits { max_literals: limits.max_literals.min(MAX_LITERALS), ..limits.clone() };
    match [whole(program, &others), unfolded(program, &others)] {
        [None, None] => Wide::new(program, in_parts, &stopped, may).ground(limits),
        forms => Ok(smallest(forms, limits)),
    }
}

/// The rules as they stand.
fn whole(program: &Program, limits: &Limits) -> Option<Form> {
    Form::new(Prepared::plain(program), limits).ok()
}

/// The rules in parts, after their static conditions were written out.
fn unfolded(program: &Program, limits: &Limits) -> Option<Form> {
    Form::new(split(&Prepared::plain(&unfold(program)?)), limits).ok()
}

/// A form of the rules, instantiated.
struct Form {
    prepared: Prepared,
    instances: Instances,
}

impl Form {
    fn new(prepared: Prepared, limits: &Limits) -> Result<Form, Stopped> {
        let instances = instantiate(&prepared, limits, MAX_ROWS)?;
        Ok(Form { prepared, instances })
    }

    /// A form with more conditions than this will not become a smaller network.
    fn max_literals(&self, limits: &Limits) -> usize {
        limits.max_literals.min(4 * self.instances.literals.len() + 1_000)
    }
}

/// The form that becomes the smallest network; there is one.
fn smallest<const N: usize>(forms: [Option<Form>; N], limits: &Limits) -> GroundProgram {
    let mut forms: Vec<Form> = forms.into_iter().flatten().collect();
    let max_literals = forms.iter().map(|form| form.max_literals(limits)).min().unwrap_or(0);
    forms.retain(|form| form.instances.literals.len() <= max_literals);
    let grounds = forms.into_iter().map(|form| assemble(&form.prepared, &form.instances));
    let smallest = grounds.min_by_key(|ground| ground.formulas.network.n_parts());
    smallest.expect("the form with the fewest conditions is among them")
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
    /// Whether it is fluents or moves that are so many: there is no other form then.
    is_large: bool,
}

impl Wide {
    /// The program whose form `in_parts` was stopped.
    fn new(program: &Program, in_parts: Prepared, stopped: &Stopped, may: May) -> Wide {
        let mut relations = widest_relations(program, &in_parts, stopped);
        let n_most = stopped.n_rows.iter().copied().max().unwrap_or(0);
        let mut rows = stopped.n_rows.iter_with_ids();
        let is_large = rows.any(|(id, &n_rows)| id.is_keyword() && 2 * n_rows > n_most);
        let unique = about_the_unique(program, &relations).filter(|_| may == May::Assume);
        let plain = (Prepared::plain(program), FxHashSet::default());
        let (prepared, instead) = unique.unwrap_or(plain);
        relations.extend(instead);
        let program = merge_alternatives(&prepared.program);
        Wide { rules: Prepared { program, ..prepared }, in_parts, relations, is_large }
    }

    /// Tries the rules narrowed to what is asked, and in parts, with larger and larger limits.
    fn ground(mut self, limits: &Limits) -> Result<GroundProgram, GroundError> {
        if self.is_large {
            let ground = in_form(&self.in_parts, limits, usize::MAX);
            return ground.map_err(|stopped| stopped.error);
        }
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
            let stopped = match in_form(&prepared, limits, MAX_ROWS_TO_NARROW) {
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use base::{Id, seeded_rng};
    use rand::Rng as _;

    use super::*;
    use crate::network::Lit;

    /// A king that must not be attacked, and a rook, on a line: it is asked whether the king would be
    /// attacked if a square were empty.
    const KING_AND_ROOK: &str = "
        (role white) (role black)
        (init (cell 1 king)) (init (cell 2 empty)) (init (cell 3 stone)) (init (cell 4 empty))
        (init (cell 5 rook)) (init (control white)) (init (step 1))
        (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8)
        (square 1) (square 2) (square 3) (square 4) (square 5) (opponent white black)
        (piece king white) (piece rook black)
        (<= (beside ?x ?y) (succ ?x ?y) (square ?x) (square ?y))
        (<= (beside ?x ?y) (succ ?y ?x) (square ?x) (square ?y))
        (<= (clear ?x ?y ?z) (succ ?x ?y) (square ?y) (square ?z))
        (<= (clear ?x ?y ?z) (succ ?x ?m) (true (cell ?m empty)) (clear ?m ?y ?z))
        (<= (clear ?x ?y ?z) (succ ?x ?z) (clear ?z ?y ?z))
        (<= (attacked ?p ?k ?z) (opponent ?p ?o) (piece ?r ?o) (true (cell ?x ?r)) (clear ?x ?k ?z))
        (<= (attacked ?p ?k ?z) (opponent ?p ?o) (piece ?r ?o) (true (cell ?x ?r)) (clear ?k ?x ?z))
        (<= (legal white (go ?x ?y)) (true (control white)) (true (cell ?x king)) (beside ?x ?y)
            (true (cell ?y empty)) (not (attacked white ?y ?x)))
        (<= (legal white (take ?z)) (true (control white)) (true (cell ?z stone))
            (piece ?king white) (true (cell ?k ?king)) (not (attacked white ?k ?z)))
        (legal white stay)
        (<= (legal black (go ?x ?y)) (true (control black)) (true (cell ?x rook)) (beside ?x ?y)
            (true (cell ?y empty)))
        (legal black stay)
        (<= (next (cell ?x empty)) (does ?p (go ?x ?y)))
        (<= (next (cell ?y ?c)) (does ?p (go ?x ?y)) (true (cell ?x ?c)))
        (<= (next (cell ?z empty)) (does white (take ?z)))
        (<= (next (cell ?x ?c)) (true (cell ?x ?c)) (not (touched ?x)))
        (<= (touched ?x) (does ?p (go ?x ?y)))
        (<= (touched ?y) (does ?p (go ?x ?y)))
        (<= (touched ?z) (does white (take ?z)))
        (<= (next (control white)) (true (control black)))
        (<= (next (control black)) (true (control white)))
        (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
        (<= terminal (true (step 8))) (goal white 50) (goal black 50)";

    /// The game, with more rules.
    fn program(more: &str) -> Program {
        let parse = gdl::parse_kif(&format!("{KING_AND_ROOK} {more}"));
        program::check(&parse).program.expect("no errors")
    }

    /// All relations with rules of their own.
    fn all_relations(program: &Program) -> FxHashSet<RelationId> {
        let derived = program.rules().iter().filter(|rule| !rule.body.is_empty());
        derived.map(|rule| rule.head.relation).filter(|id| !id.is_keyword()).collect()
    }

    fn forms(program: &Program) -> Vec<Prepared> {
        let plain = Prepared::plain(program);
        let merged = Prepared::plain(&merge_alternatives(program));
        let all = all_relations(program);
        let (unique, instead) = about_the_unique(program, &all).expect("there is one king");
        let wide = all_relations(&unique.program).union(&instead).copied().collect();
        vec![
            split(&plain),
            split(&merged),
            demand(&plain, &all),
            split(&demand(&plain, &all)),
            split(&unique),
            split(&demand(&unique, &wide)),
            plain,
        ]
    }

    fn ground_in(prepared: &Prepared) -> GroundProgram {
        let limits = Limits { deadline: base::Deadline::NEVER, max_literals: 1_000_000 };
        let ground = in_form(prepared, &limits, usize::MAX);
        ground.unwrap_or_else(|stopped| panic!("{}", stopped.error))
    }

    /// Which formulas hold in a state where moves are made, all by their texts.
    struct Holds<'a> {
        ground: &'a GroundProgram,
        values: Vec<bool>,
    }

    impl<'a> Holds<'a> {
        fn new(ground: &'a GroundProgram, state: &BTreeSet<String>, made: &[String]) -> Holds<'a> {
            let network = &ground.formulas.network;
            let fluents = ground.fluents.iter().map(|text| state.contains(text));
            let moves = ground
                .moves
                .iter()
                .map(|(role, text)| made.get(role.index()).is_some_and(|made| made == text));
            let mut values: Vec<bool> = [true].into_iter().chain(fluents).chain(moves).collect();
            values.resize(network.n_nodes(), false);
            network.evaluate_one(&mut values);
            Holds { ground, values }
        }

        fn has(&self, lit: Lit) -> bool {
            self.values[lit.node()] != lit.is_negative()
        }

        fn legal(&self, role: usize) -> BTreeSet<String> {
            let moves = self.ground.moves.iter().zip(self.ground.formulas.legal.iter());
            let legal = moves.filter(|((of, _), lit)| of.index() == role && self.has(**lit));
            legal.map(|((_, text), _)| text.clone()).collect()
        }

        fn next(&self) -> BTreeSet<String> {
            let fluents = self.ground.fluents.iter().zip(self.ground.formulas.next.iter());
            fluents.filter(|(_, lit)| self.has(**lit)).map(|(text, _)| text.clone()).collect()
        }
    }

    #[test]
    fn all_forms_mean_the_same() {
        let program = program("");
        let grounds: Vec<GroundProgram> = forms(&program).iter().map(ground_in).collect();
        let plain = grounds.last().expect("the plain form is there");
        let initial = plain.initial.iter().map(|&fluent| plain.fluents[fluent].clone());
        let initial: BTreeSet<String> = initial.collect();
        let mut rng = seeded_rng(1);
        for _ in 0..200 {
            let mut state = initial.clone();
            while !state.contains("(step 8)") {
                let mut made = Vec::new();
                for role in 0..2 {
                    let legal = Holds::new(plain, &state, &[]).legal(role);
                    for (number, ground) in grounds.iter().enumerate() {
                        let found = Holds::new(ground, &state, &[]).legal(role);
                        assert_eq!(found, legal, "form {number} in {state:?}");
                    }
                    let choice = rng.next_u64() as usize % legal.len();
                    made.extend(legal.into_iter().nth(choice));
                }
                let next = Holds::new(plain, &state, &made).next();
                for (number, ground) in grounds.iter().enumerate() {
                    let found = Holds::new(ground, &state, &made).next();
                    assert_eq!(found, next, "form {number} after {made:?} in {state:?}");
                }
                state = next;
            }
        }
    }

    /// The game about what is unique, and whether that is proved.
    fn about_the_king(program: &Program) -> (GroundProgram, bool) {
        let unique = about_the_unique(program, &all_relations(program));
        let ground = ground_in(&split(&unique.expect("there is one king at first").0));
        let never = &base::Deadline::NEVER;
        let groups = crate::groups::fluent_groups(&ground, &ground.shapes, &ground.assumed, never);
        let is_proved = groups.is_some();
        (ground, is_proved)
    }

    #[test]
    fn that_there_is_one_king_is_assumed_and_proved() {
        let (ground, is_proved) = about_the_king(&program(""));
        assert!(!ground.assumed.is_empty());
        for &fluent in ground.assumed.iter().flatten() {
            assert!(ground.fluents[fluent].ends_with("king)"), "{}", ground.fluents[fluent]);
        }
        assert!(is_proved);
    }

    #[test]
    fn that_there_is_one_king_is_not_proved_if_there_can_be_two() {
        let second = "(legal white call) (<= (next (cell 2 king)) (does white call))";
        assert!(!about_the_king(&program(second)).1);
    }
}
