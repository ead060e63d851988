//! Which solutions of a stage random plays go on with.

/// δ, the probability with which a decision is removed that should not be.
const ERROR: f64 = 0.01;

/// How far the mean of so many plays may be off, but for one in 1/δ cases, as the bound of Hoeffding has it.
pub(super) fn width(n_plays: f64) -> f64 {
    100.0 * ((1.0 / ERROR).ln() / (2.0 * n_plays)).sqrt()
}

/// UCB1 over the decisions of a stage. Moves of chance have their turns; so have decisions where not one role decides.
pub(super) struct Bandit {
    /// The role that decides.
    role: Option<usize>,
    arms: Vec<DecisionArm>,
    n_plays: u32,
}

/// A decision of a stage.
#[derive(Clone, Debug, Default)]
pub(super) struct DecisionArm {
    /// The numbers of its solutions that can be sampled.
    open: Vec<usize>,
    /// How many others there are, and what they are worth to the role together.
    n_known: usize,
    known_sum: f64,
    n_plays: u32,
    n_under_way: u32,
    /// What plays came to that have ended.
    sum: f64,
    is_removed: bool,
}

impl DecisionArm {
    /// A decision with solutions that can be sampled, and `n_known` others, worth `known_sum` to the role together.
    pub(super) fn new(open: Vec<usize>, n_known: usize, known_sum: f64) -> DecisionArm {
        DecisionArm { open, n_known, known_sum, ..DecisionArm::default() }
    }

    /// The mean over chance, as far as plays have ended; before, it seems to be worth as much as nothing is known.
    fn mean(&self) -> f64 {
        let n_ended = self.n_plays - self.n_under_way;
        let of_open = if n_ended > 0 { self.sum / f64::from(n_ended) } else { 50.0 };
        let n_open = self.open.len() as f64;
        (n_open * of_open + self.known_sum) / (n_open + self.n_known as f64)
    }
}

impl Bandit {
    pub(super) fn new(role: Option<usize>, arms: Vec<DecisionArm>) -> Bandit {
        Bandit { role, arms, n_plays: 0 }
    }

    pub(super) fn n_decisions(&self) -> usize {
        self.arms.len()
    }

    /// The decision and the number of the solution that the next play goes on with. None if there is none to sample.
    pub(super) fn choose(&mut self) -> Option<(usize, usize)> {
        let log = f64::from(self.n_plays.max(1)).ln();
        let bound = |arm: &DecisionArm| match (arm.n_plays, self.role) {
            (0, _) => f64::INFINITY,
            (n_plays, None) => -f64::from(n_plays),
            (n_plays, Some(_)) => arm.mean() + 100.0 * (2.0 * log / f64::from(n_plays)).sqrt(),
        };
        let left = self.arms.iter().enumerate();
        let left = left.filter(|(_, arm)| !arm.is_removed && !arm.open.is_empty());
        let bounds = left.map(|(decision, arm)| (bound(arm), decision));
        let (_, decision) = bounds.reduce(|best, one| if one.0 > best.0 { one } else { best })?;
        let arm = &mut self.arms[decision];
        let turn = arm.n_plays as usize % arm.open.len();
        arm.n_plays += 1;
        arm.n_under_way += 1;
        self.n_plays += 1;
        Some((decision, arm.open[turn]))
    }

    /// A play that went on with a decision has ended.
    pub(super) fn add(&mut self, decision: usize, goals: &[f64]) {
        let arm = &mut self.arms[decision];
        arm.n_under_way -= 1;
        arm.sum += self.role.map_or(0.0, |role| goals[role]);
    }

    /// Whether the role that decides gets less than `threshold` by a decision, with probability 1 - δ. Before there were
    /// plays it is not known.
    pub(super) fn is_below(&self, decision: usize, threshold: f64) -> bool {
        let arm = &self.arms[decision];
        let n_ended = f64::from(arm.n_plays - arm.n_under_way);
        self.role.is_some() && n_ended > 0.0 && arm.mean() + width(n_ended) < threshold
    }

    /// A decision is not sampled any more.
    pub(super) fn remove(&mut self, decision: usize) {
        self.arms[decision].is_removed = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arm(open: &[usize]) -> DecisionArm {
        DecisionArm::new(open.to_vec(), 0, 0.0)
    }

    /// Every decision is tried once; then the better one more often, and its solutions in turn.
    #[test]
    fn better_decisions_are_chosen_more_often() {
        let mut bandit = Bandit::new(Some(0), vec![arm(&[0]), arm(&[1, 2]), arm(&[])]);
        let mut n_chosen = [0_u32; 3];
        for _ in 0..400 {
            let (decision, solution) = bandit.choose().expect("there are some");
            bandit.add(decision, &[if decision == 1 { 80.0 } else { 20.0 }]);
            n_chosen[solution] += 1;
        }
        assert!(n_chosen[0] > 5 && n_chosen[1] + n_chosen[2] > 5 * n_chosen[0], "{n_chosen:?}");
        assert!(n_chosen[1].abs_diff(n_chosen[2]) <= 1, "{n_chosen:?}");
    }

    /// Where nobody decides alone, all have their turns.
    #[test]
    fn without_a_decider_all_have_their_turns() {
        let mut bandit = Bandit::new(None, vec![arm(&[0]), arm(&[1]), arm(&[2])]);
        let mut n_chosen = [0; 3];
        for _ in 0..30 {
            let (decision, solution) = bandit.choose().expect("there are some");
            bandit.add(decision, &[solution as f64]);
            n_chosen[solution] += 1;
        }
        assert_eq!(n_chosen, [10; 3]);
    }

    /// Outcomes that are known count as much as those that are sampled.
    #[test]
    fn what_is_below_is_told_by_all_outcomes() {
        let mut bandit = Bandit::new(Some(0), vec![arm(&[0]), DecisionArm::new(vec![1], 1, 100.0)]);
        for _ in 0..200 {
            let (decision, _) = bandit.choose().expect("there are some");
            bandit.add(decision, &[0.0]);
        }
        assert!(bandit.is_below(0, 60.0) && !bandit.is_below(1, 50.0));
        bandit.remove(0);
        assert!((0..20).all(|_| bandit.choose().is_some_and(|(decision, _)| decision == 1)));
        bandit.remove(1);
        assert_eq!(bandit.choose(), None);
    }
}
