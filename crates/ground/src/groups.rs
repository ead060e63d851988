//! Fluents that exclude each other: found by their shape, refuted by random play, proved by
//! induction.

use base::{Deadline, Id, IdVec, define_id, seeded_rng};
use rustc_hash::FxHashMap;

use crate::ground::{FluentId, GroundProgram};
use crate::network::Group;
use crate::prove::prove;
use crate::simulate::Plays;

define_id! {
    /// A candidate for a group.
    pub(crate) struct CandidateId;
}

/// Fluents of which exactly one, or at most one, holds in every state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FluentGroup {
    /// The fluents.
    pub fluents: Vec<FluentId>,
    /// Whether one of them holds always.
    pub is_exact: bool,
}

/// The groups of a game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FluentGroups {
    /// Those that are proved. A fluent is in one of them at most.
    pub proved: Vec<FluentGroup>,
    /// Those that no random play has refuted, and that could not be proved. Not to be relied on.
    pub unproved: Vec<FluentGroup>,
}

/// The name of a fluent and its arguments, as numbers.
pub(crate) type Shape = Vec<u32>;

/// Finds the groups of `ground`, whose fluents have these shapes. `None` if it is not proved that of
/// each of the sets `assumed` at most one holds. After the deadline nothing more is proved.
pub(crate) fn fluent_groups(
    ground: &GroundProgram,
    shapes: &IdVec<FluentId, Shape>,
    assumed: &[Vec<FluentId>],
    deadline: &Deadline,
) -> Option<FluentGroups> {
    let mut candidates = candidates(shapes);
    refute(ground, &mut candidates);
    let assumed =
        assumed.iter().map(|fluents| FluentGroup { fluents: fluents.clone(), is_exact: false });
    let chosen = partition(shapes, candidates).into_iter();
    let chosen = chosen
        .map(|candidate| FluentGroup { fluents: candidate.fluents, is_exact: candidate.is_exact });
    let n_chosen = chosen.len();
    let groups: IdVec<CandidateId, FluentGroup> = chosen.chain(assumed).collect();
    let claims = prove(ground, &groups, deadline);
    let mut found = FluentGroups::default();
    for (id, group) in groups.iter_with_ids() {
        match claims[id] {
            None if id.index() >= n_chosen => return None,
            None => found.unproved.push(group.clone()),
            Some(_) if id.index() >= n_chosen => {}
            Some(is_exact) => {
                found.proved.push(FluentGroup { fluents: group.fluents.clone(), is_exact });
            }
        }
    }
    Some(found)
}

/// Fluents of the same name that differ in some arguments only.
struct Candidate {
    fluents: Vec<FluentId>,
    /// The arguments in which they differ, as bits.
    varying: u32,
    is_exact: bool,
}

/// All sets of fluents that have the same name and, but for some places, the same arguments.
fn candidates(shapes: &IdVec<FluentId, Shape>) -> Vec<Candidate> {
    /// Fluents with more arguments are left alone.
    const MAX_ARGS: usize = 6;
    let mut by_key: FxHashMap<(u32, Shape), Vec<FluentId>> = FxHashMap::default();
    for (id, shape) in shapes.iter_with_ids() {
        let n_args = shape.len() - 1;
        if n_args > MAX_ARGS {
            continue;
        }
        for varying in 1..1_u32 << n_args {
            let is_fixed = |place: &usize| *place == 0 || varying >> (place - 1) & 1 == 0;
            let mut key: Shape = vec![u32::try_from(n_args).expect("few arguments")];
            key.extend((0..shape.len()).filter(is_fixed).map(|place| shape[place]));
            by_key.entry((varying, key)).or_default().push(id);
        }
    }
    let mut candidates: Vec<Candidate> = by_key
        .into_iter()
        .filter(|(_, fluents)| fluents.len() > 1)
        .map(|((varying, _), fluents)| Candidate { fluents, varying, is_exact: true })
        .collect();
    candidates.sort_by(|a, b| (a.varying, &a.fluents).cmp(&(b.varying, &b.fluents)));
    candidates
}

/// Drops what random play refutes.
fn refute(ground: &GroundProgram, candidates: &mut Vec<Candidate>) {
    /// How many parts of nodes are evaluated, and the bounds of the number of steps.
    const MAX_PARTS: usize = 200_000_000;
    const N_STEPS: std::ops::RangeInclusive<usize> = 4..=100;
    let n_parts = 2 * ground.formulas.network.n_parts().max(1);
    let n_steps = (MAX_PARTS / n_parts).clamp(*N_STEPS.start(), *N_STEPS.end());
    let mut plays = Plays::new(ground, seeded_rng(1));
    for _ in 0..=n_steps {
        let fluents = plays.fluents();
        candidates.retain_mut(|candidate| {
            let (mut one, mut two) = (0, 0);
            for fluent in &candidate.fluents {
                let word = fluents[fluent.index()];
                two |= one & word;
                one |= word;
            }
            candidate.is_exact &= one == u64::MAX;
            two == 0
        });
        plays.step();
    }
}

/// Of the candidates those with which most fluents of each name are in a group, and these the
/// fewest.
fn partition(shapes: &IdVec<FluentId, Shape>, candidates: Vec<Candidate>) -> Vec<Candidate> {
    let name_of = |candidate: &Candidate| {
        let shape = &shapes[candidate.fluents[0]];
        (shape[0], shape.len())
    };
    let mut scores: FxHashMap<((u32, usize), u32), Score> = FxHashMap::default();
    for candidate in &candidates {
        let score = scores.entry((name_of(candidate), candidate.varying)).or_default();
        score.n_grouped += candidate.fluents.len();
        score.n_saved += candidate.fluents.len() - 1;
        score.n_exact += usize::from(candidate.is_exact);
    }
    let mut best: FxHashMap<(u32, usize), (Score, u32)> = FxHashMap::default();
    for (&(name, varying), &score) in &scores {
        let entry = best.entry(name).or_default();
        *entry = (*entry).max((score, varying));
    }
    let is_best = |candidate: &Candidate| best[&name_of(candidate)].1 == candidate.varying;
    candidates.into_iter().filter(is_best).collect()
}

/// How good it is to group the fluents of a name by some places.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
struct Score {
    n_grouped: usize,
    n_saved: usize,
    n_exact: usize,
}

impl FluentGroups {
    /// The proved groups as groups of inputs of the formulas.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = Group> {
        self.proved.iter().map(|group| Group {
            inputs: group
                .fluents
                .iter()
                .map(|id| u32::try_from(id.index()).expect("32 bits"))
                .collect(),
            is_exact: group.is_exact,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups_of(rules: &str) -> (GroundProgram, FluentGroups) {
        let program = program::check(&gdl::parse_kif(rules)).program.expect("no errors");
        let limits = crate::Limits { deadline: base::Deadline::NEVER, max_literals: 10_000 };
        let ground = crate::ground(&program, &limits).expect("it is small");
        let groups = ground.groups.clone();
        (ground, groups)
    }

    fn texts(ground: &GroundProgram, groups: &[FluentGroup]) -> Vec<String> {
        let text = |group: &FluentGroup| {
            let fluents = group.fluents.iter().map(|&id| ground.fluents[id].as_str());
            let count = if group.is_exact { "exactly one" } else { "at most one" };
            format!("{count} of {}", fluents.collect::<Vec<_>>().join(" "))
        };
        groups.iter().map(text).collect()
    }

    #[test]
    fn groups_are_proved_by_the_moves_that_keep_them() {
        let (ground, groups) = groups_of(
            "(role x) (init (at 1)) (init (lamp 1)) (place 1) (place 2) (place 3)
             (<= (legal x (go ?p)) (place ?p)) (<= (legal x light) (true (at 1)))
             (<= (next (at ?p)) (does x (go ?p))) (<= (next (at ?p)) (does x light) (true (at ?p)))
             (<= (next (lamp ?p)) (does x light) (true (at ?p)))
             (<= (next (seen ?p)) (true (at ?p))) (<= (next (seen ?p)) (true (seen ?p)))
             (<= terminal (true (seen 3))) (goal x 100)",
        );
        assert_eq!(
            texts(&ground, &groups.proved),
            ["exactly one of (at 1) (at 2) (at 3)", "at most one of (lamp 1) (lamp 2) (lamp 3)"]
        );
        assert!(groups.unproved.is_empty());
    }

    /// Nobody waits for a solver any more; what was claimed is not relied on.
    #[test]
    fn nothing_is_proved_after_the_deadline() {
        // A cross gets round when another place is cleared: that both never are is not plain.
        let (ground, groups) = groups_of(
            "(role x) (place 1) (place 2) (init (cell 1 blank)) (init (cell 2 blank))
             (<= (legal x (mark ?p)) (true (cell ?p blank))) (<= (legal x (clear ?p)) (place ?p))
             (<= (next (cell ?p cross)) (does x (mark ?p)))
             (<= (next (cell ?p blank)) (does x (clear ?p)))
             (<= (next (cell ?p ?w)) (true (cell ?p ?w)) (does x (mark ?q)) (distinct ?w blank))
             (<= (next (cell ?p blank)) (true (cell ?p blank)) (does x (mark ?q)) (distinct ?p ?q))
             (<= (next (cell ?p ?w)) (true (cell ?p ?w)) (does x (clear ?q)) (distinct ?p ?q))
             (<= (next (cell ?p round)) (true (cell ?p cross)) (does x (clear ?q)) (not (true (cell ?q cross))))
             (<= terminal (true (cell 1 cross)) (true (cell 2 cross))) (goal x 100)",
        );
        let one = ["at most one of (cell 1 round) (cell 2 round)"];
        assert_eq!(texts(&ground, &groups.proved), one);
        let late = Deadline::after(std::time::Duration::ZERO);
        let groups = fluent_groups(&ground, &ground.shapes, &[], &late).expect("none is assumed");
        assert_eq!(texts(&ground, &groups.proved), Vec::<String>::new());
        assert_eq!(texts(&ground, &groups.unproved), one);
    }

    /// The fluents `m` exclude each other because of `n`, which is not looked at together with them:
    /// no play refutes it, and no proof by induction over the group is found.
    #[test]
    fn what_is_only_never_refuted_is_not_relied_on() {
        let (ground, groups) = groups_of(
            "(role x) (init n) (init (m 1))
             (legal x (set 1)) (legal x (set 2))
             (<= (next n) (true n))
             (<= (next (m ?k)) (does x (set ?k)))
             (<= (next (m 1)) (not (true n)))
             (<= (next (m 2)) (not (true n)))
             (<= terminal (true (m 2))) (goal x 100)",
        );
        assert_eq!(texts(&ground, &groups.proved), Vec::<String>::new());
        assert_eq!(texts(&ground, &groups.unproved), ["exactly one of (m 1) (m 2)"]);
    }
}
