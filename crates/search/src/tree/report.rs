//! What a search is asked for, and what it says.

use std::ops::{AddAssign, Sub};

use base::{Deadline, RoleId};
use game::{Game, MoveId};

use super::exact::Exact;

/// When a search ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchLimits {
    /// At this time.
    pub deadline: Deadline,
    /// At this time it may tell what it thinks so far, and go on.
    pub pause: Deadline,
    /// After so many random plays, or, where several belong together, a few more.
    pub max_plays: u64,
}

impl SearchLimits {
    /// After so many random plays.
    pub fn plays(max_plays: u64) -> SearchLimits {
        SearchLimits { deadline: Deadline::NEVER, pause: Deadline::NEVER, max_plays }
    }

    /// When the time is up.
    pub fn time(deadline: Deadline) -> SearchLimits {
        SearchLimits { deadline, pause: Deadline::NEVER, max_plays: u64::MAX }
    }

    /// Whether it should come back.
    pub(super) fn is_time_up(&self) -> bool {
        self.pause.has_passed() || self.deadline.has_passed()
    }
}

/// A search that goes with a match from move to move.
pub trait Search {
    /// The rules.
    type Game: Game;

    /// The state that it thinks about, and the rules.
    fn state_and_game(&mut self) -> (&<Self::Game as Game>::State, &mut Self::Game);

    /// Thinks until the limits are reached, or all is known. Tells whether it is.
    fn grow(&mut self, limits: &SearchLimits) -> bool;

    /// Goes on to the state after a joint move. What is known of it and of what may follow is kept; the rest
    /// is until [`Search::forget_the_past`].
    fn advance(&mut self, joint_move: &[MoveId]);

    /// Forgets what cannot happen any more, if it is much.
    fn forget_the_past(&mut self);

    /// Goes on until it knows what all moves of this state are worth, also when the best is known: the state may be
    /// another one for all that is known.
    fn want_all(&mut self);

    /// What it has done.
    fn work(&self) -> Work;

    /// What it says about the moves of a role.
    fn report(&self, role: RoleId) -> Report;
}

/// What a search has done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Work {
    /// Random plays.
    pub n_plays: u64,
    /// Of these, plays that were cut off before the end.
    pub n_cut: u64,
    /// Stages that were solved, by searches that solve stages.
    pub n_stages: u64,
}

impl Work {
    /// So many random plays to the end.
    pub fn plays(n_plays: u64) -> Work {
        Work { n_plays, ..Work::default() }
    }
}

impl Sub for Work {
    type Output = Work;

    fn sub(self, before: Work) -> Work {
        Work {
            n_plays: self.n_plays - before.n_plays,
            n_cut: self.n_cut - before.n_cut,
            n_stages: self.n_stages - before.n_stages,
        }
    }
}

impl AddAssign for Work {
    fn add_assign(&mut self, more: Work) {
        self.n_plays += more.n_plays;
        self.n_cut += more.n_cut;
        self.n_stages += more.n_stages;
    }
}

/// What a search thinks.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// The moves of the role, the best first.
    pub moves: Vec<MoveReport>,
    /// The joint moves that it expects.
    pub variation: Vec<Vec<MoveId>>,
    /// What it has done.
    pub work: Work,
    /// Nodes of the tree.
    pub n_nodes: usize,
    /// The least and the most that the state can be worth to the role, as far as that is proved.
    pub bounds: [f64; 2],
    /// Whether the value of the state is known.
    pub is_exact: bool,
}

/// What a search thinks of a move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MoveReport {
    /// The move.
    pub id: MoveId,
    /// What it is worth for the role, from 0 to 100.
    pub value: f64,
    /// Whether that is known for sure.
    pub is_exact: bool,
    /// How far the value may be off: half of an interval that has it in 95 of 100 cases.
    pub width: f64,
    /// How many plays went on with it.
    pub n_visits: u64,
    /// How often it should be made, from 0 to 1.
    pub share: f64,
}

/// How far the mean of so many plays may be off, in 95 of 100 cases, if they came to 0 or 100, which is the worst case:
/// half of Wilson's interval.
pub(super) fn width(mean: f64, n_plays: u64) -> f64 {
    const DEVIATIONS: f64 = 1.96;
    if n_plays == 0 {
        return 50.0;
    }
    let (mean, n_plays) = (mean.clamp(0.0, 100.0) / 100.0, n_plays as f64);
    let squared = DEVIATIONS * DEVIATIONS / n_plays;
    let half = (mean * (1.0 - mean) * squared + squared * squared / 4.0).sqrt();
    100.0 * half / (1.0 + squared)
}

/// The moves of a role, the best first: what is known for sure, if it is as good as the best guess, then the
/// others by their shares, and last what is known to be worse, or to be worth nothing: nothing is worse.
pub(super) fn best_first(
    mut moves: Vec<(MoveReport, Option<&Exact>)>,
    role: usize,
) -> Vec<MoveReport> {
    moves.sort_by(|(one, _), (other, _)| other.share.total_cmp(&one.share));
    let guess = moves.iter().find(|(report, _)| !report.is_exact).map(|(report, _)| report.value);
    let guess = guess.unwrap_or(f64::NEG_INFINITY);
    let rank = |report: &MoveReport| match report.is_exact {
        true if report.value >= guess && report.value > 0.0 => 0,
        false => 1,
        true => 2,
    };
    moves.sort_by(|(one, one_exact), (other, other_exact)| {
        let by_exact = match (one_exact, other_exact) {
            (Some(one), Some(other)) => one.compare(other, role).reverse(),
            _ => std::cmp::Ordering::Equal,
        };
        rank(one).cmp(&rank(other)).then(by_exact)
    });
    moves.into_iter().map(|(report, _)| report).collect()
}

/// The first move is always made, the others never.
pub(super) fn take_the_first(moves: &mut [MoveReport]) {
    let shares = std::iter::once(1.0).chain(std::iter::repeat(0.0));
    moves.iter_mut().zip(shares).for_each(|(report, share)| report.share = share);
}
