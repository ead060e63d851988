//! What plays with a move somewhere in them came to.

use std::ops::Range;

use base::{Id as _, RoleId};
use game::{MoveId, MovesMade, Outcomes};
use smallvec::SmallVec;

/// Plays with a move in them: how many, and what the role that made it got in all of them.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Tally {
    pub(super) n_plays: f32,
    pub(super) sum: f32,
}

impl Tally {
    pub(super) fn add(&mut self, other: Tally) {
        self.n_plays += other.n_plays;
        self.sum += other.sum;
    }

    /// What the role got on average, where `usual` counts as `n_usual` plays more.
    pub(super) fn mean(self, usual: f32, n_usual: f32) -> f32 {
        (self.sum + usual * n_usual) / (self.n_plays + n_usual)
    }
}

/// A move of a role, and plays with it.
pub(super) type MoveTally = (RoleId, MoveId, Tally);

/// What the roles got in plays, in digits whose bits are plays.
#[derive(Clone, Debug)]
pub(super) struct GoalDigits {
    n_words: usize,
    /// By role, digit and word.
    bits: Vec<u64>,
}

/// Goals are below 128.
const N_DIGITS: usize = 7;

impl GoalDigits {
    pub(super) fn new(outcomes: &Outcomes, n_roles: usize) -> GoalDigits {
        let n_words = outcomes.n_plays().div_ceil(64);
        let mut bits = vec![0; n_roles * N_DIGITS * n_words];
        for play in 0..outcomes.n_plays() {
            for (role, goal) in outcomes.goals(play).iter().enumerate() {
                for digit in 0..N_DIGITS {
                    let bit = u64::from(goal.value() >> digit & 1);
                    bits[(role * N_DIGITS + digit) * n_words + play / 64] |= bit << (play % 64);
                }
            }
        }
        GoalDigits { n_words, bits }
    }

    /// Adds to `tallies` the moves that were made in some of the plays.
    pub(super) fn add_tallies(
        &self,
        made: &MovesMade,
        plays: &PlaySet,
        tallies: &mut Vec<MoveTally>,
    ) {
        add_tallies(self, made, plays, tallies);
    }

    /// Plays of a word.
    #[inline(always)]
    fn tally(&self, role: usize, word: usize, plays: u64) -> Tally {
        let digits = self.bits[role * N_DIGITS * self.n_words..].iter().skip(word);
        let digits = digits.step_by(self.n_words).take(N_DIGITS).enumerate();
        let sum = digits.fold(0, |sum, (digit, bits)| sum + ((bits & plays).count_ones() << digit));
        Tally { n_plays: plays.count_ones() as f32, sum: sum as f32 }
    }
}

#[multiversion::multiversion(targets("x86_64+popcnt"))]
fn add_tallies(
    goals: &GoalDigits,
    made: &MovesMade,
    plays: &PlaySet,
    tallies: &mut Vec<MoveTally>,
) {
    for (role, id, of_move) in made.iter() {
        let mut all = Tally::default();
        for &(word, plays) in &plays.words {
            let plays = of_move[word] & plays;
            if plays != 0 {
                all.add(goals.tally(role.index(), word, plays));
            }
        }
        if all.n_plays > 0.0 {
            tallies.push((role, id, all));
        }
    }
}

/// Some of the plays: the words with bits of them, and these bits.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct PlaySet {
    words: SmallVec<[(usize, u64); 2]>,
}

impl PlaySet {
    /// Adds plays; all that were added before have lower numbers.
    pub(super) fn add(&mut self, plays: Range<usize>) {
        if plays.is_empty() {
            return;
        }
        for word in plays.start / 64..plays.end.div_ceil(64) {
            let first = plays.start.saturating_sub(64 * word);
            let n_left = (plays.end - 64 * word).min(64);
            let bits = u64::MAX << first & u64::MAX >> (64 - n_left);
            match self.words.last_mut() {
                Some((last, all)) if *last == word => *all |= bits,
                _ => self.words.push((word, bits)),
            }
        }
    }
}

/// By move: plays with it.
#[derive(Clone, Debug, Default)]
pub(super) struct MoveTallies {
    tallies: Vec<Tally>,
}

impl MoveTallies {
    pub(super) fn of(&self, id: MoveId) -> Tally {
        self.tallies.get(id.index()).copied().unwrap_or_default()
    }

    pub(super) fn add(&mut self, id: MoveId, tally: Tally) {
        if id.index() >= self.tallies.len() {
            self.tallies.resize(id.index() + 1, Tally::default());
        }
        self.tallies[id.index()].add(tally);
    }

    /// How many moves there is room for.
    pub(super) fn len(&self) -> usize {
        self.tallies.len()
    }

    /// What was counted so far counts less from now on.
    pub(super) fn fade(&mut self, factor: f32) {
        for tally in &mut self.tallies {
            tally.n_plays *= factor;
            tally.sum *= factor;
        }
    }
}

#[cfg(test)]
mod tests {
    use game::Goal;

    use super::*;

    /// What is counted in words is what is counted play by play.
    #[test]
    fn moves_are_counted_as_they_would_be_one_by_one() {
        let n_plays = 150;
        let roles: Vec<RoleId> = RoleId::first(2).collect();
        let goal = |play: usize, role: usize| (37 * play + 11 * role) % 101;
        let is_made = |play: usize, number: usize| (play * (number + 3) + number) % 5 < 2;
        let mut outcomes = Outcomes::new(n_plays, 2);
        let mut made = MovesMade::new();
        made.clear(n_plays);
        for play in 0..n_plays {
            for (number, &role) in roles.iter().enumerate() {
                let value = u8::try_from(goal(play, number)).unwrap();
                outcomes.set_goal(play, role, Goal::new(value).unwrap());
                if is_made(play, number) {
                    made.add(role, MoveId::from_index(number), play / 64, &[1 << (play % 64)]);
                }
            }
        }
        let goals = GoalDigits::new(&outcomes, 2);
        let sets = [[0..n_plays, 150..150], [0..12, 63..65], [60..72, 127..150], [5..5, 99..100]];
        for ranges in sets {
            let mut tallies = Vec::new();
            let mut plays = PlaySet::default();
            ranges.iter().for_each(|range| plays.add(range.clone()));
            goals.add_tallies(&made, &plays, &mut tallies);
            let plays = ranges.iter().cloned().flatten();
            let mut counted = MoveTallies::default();
            tallies.iter().for_each(|&(_, id, tally)| counted.add(id, tally));
            for number in 0..2 {
                let with = plays.clone().filter(|&play| is_made(play, number));
                let sum: usize = with.clone().map(|play| goal(play, number)).sum();
                let expected = Tally { n_plays: with.count() as f32, sum: sum as f32 };
                assert_eq!(counted.of(MoveId::from_index(number)), expected, "{ranges:?}");
            }
        }
    }
}
