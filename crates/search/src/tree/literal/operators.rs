//! How values go up from what may follow a stage to the stage itself.

use crate::tree::node::Places;

/// What roles make of their moves and of those of others: ⊗ over own moves, and ⊕ over those of others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operators {
    /// Every role does its best against the worst that others may do: ⊗ is the greatest, ⊕ the least. For two players
    /// of whom one gets what the other loses.
    Maximin,
    /// Every role makes the move that is best for itself, and expects that others do. Those who choose at the same time
    /// do not know what others choose: they take any of their moves to be as likely as another. For all other games.
    MaxN,
    /// All make the joint move that is best for all together: both are the greatest. For those who win and lose
    /// together.
    Cooperative,
}

/// What a joint move is worth.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct JointValue {
    /// By role: the place of its move; 0 for chance.
    pub(super) places: Places,
    /// By role.
    pub(super) values: Vec<f64>,
}

impl Operators {
    /// ⊕: what a move of a role is worth, by what it is worth to the role with each of the moves of others. None if
    /// there is nothing.
    fn over_others(self, values: impl Iterator<Item = f64>) -> Option<f64> {
        match self {
            Operators::Maximin => values.reduce(f64::min),
            Operators::Cooperative => values.reduce(f64::max),
            Operators::MaxN => {
                let (sum, n_values) = values.fold((0.0, 0), |(sum, n), value| (sum + value, n + 1));
                (n_values > 0).then(|| sum / f64::from(n_values))
            }
        }
    }

    /// By move of a role: what it is worth to it. None of which nothing is known.
    pub(super) fn of_moves(
        self,
        role: usize,
        n_moves: usize,
        joint: &[JointValue],
    ) -> Vec<Option<f64>> {
        let mut by_move = vec![Vec::new(); n_moves];
        for one in joint {
            by_move[one.places[role]].push(one.values[role]);
        }
        by_move.into_iter().map(|values| self.over_others(values.into_iter())).collect()
    }

    /// ⊗: by role, what the stage is worth; `moves` has by role what its moves are worth. None if nothing is known of
    /// any joint move.
    pub(super) fn of_stage(
        self,
        moves: &[Vec<Option<f64>>],
        joint: &[JointValue],
    ) -> Option<Vec<f64>> {
        let best = |moves: &Vec<Option<f64>>| {
            let known =
                moves.iter().enumerate().filter_map(|(place, value)| Some((place, (*value)?)));
            known.reduce(|best, one| if one.1 > best.1 { one } else { best })
        };
        match self {
            Operators::Maximin => moves.iter().map(|moves| Some(best(moves)?.1)).collect(),
            Operators::MaxN => {
                let picks: Option<Vec<usize>> =
                    moves.iter().map(|moves| Some(best(moves)?.0)).collect();
                let picks = picks?;
                let n_as_picked = |one: &&JointValue| {
                    one.places.iter().zip(&picks).filter(|(place, pick)| place == pick).count()
                };
                joint.iter().max_by_key(n_as_picked).map(|one| one.values.clone())
            }
            Operators::Cooperative => {
                let total = |one: &JointValue| one.values.iter().sum::<f64>();
                let best = joint.iter().max_by(|one, other| total(one).total_cmp(&total(other)));
                best.map(|one| one.values.clone())
            }
        }
    }
}

/// What is seen of the goals of a game in plays, by which the operators are chosen.
#[derive(Clone, Copy, Debug)]
pub(super) struct GoalsSeen {
    /// The role of chance, which gets nothing.
    random: Option<usize>,
    n_players: usize,
    /// What all got together in the first play.
    total: Option<f64>,
    is_total_constant: bool,
    are_all_equal: bool,
}

impl GoalsSeen {
    pub(super) fn new(n_roles: usize, random: Option<usize>) -> GoalsSeen {
        let n_players = n_roles - usize::from(random.is_some());
        GoalsSeen { random, n_players, total: None, is_total_constant: true, are_all_equal: true }
    }

    /// A play has ended with these goals.
    pub(super) fn add(&mut self, goals: &[f64]) {
        let goals = goals.iter().enumerate().filter(|(role, _)| Some(*role) != self.random);
        let mut goals = goals.map(|(_, goal)| *goal);
        let Some(first) = goals.next() else { return };
        let (mut total, mut are_equal) = (first, true);
        for goal in goals {
            total += goal;
            are_equal &= goal == first;
        }
        self.is_total_constant &= *self.total.get_or_insert(total) == total;
        self.are_all_equal &= are_equal;
    }

    /// The operators for such a game.
    pub(super) fn operators(&self) -> Operators {
        match (self.n_players, self.is_total_constant, self.are_all_equal) {
            (2, true, _) => Operators::Maximin,
            (_, _, true) => Operators::Cooperative,
            _ => Operators::MaxN,
        }
    }
}

#[cfg(test)]
mod tests {
    use smallvec::smallvec;

    use super::*;

    /// Two roles with two moves each: values by the moves of the first and of the second.
    fn stage(values: [[[f64; 2]; 2]; 2]) -> Vec<JointValue> {
        let places = [(0, 0), (0, 1), (1, 0), (1, 1)];
        let joint = |(one, other): (usize, usize)| JointValue {
            places: smallvec![one, other],
            values: values[one][other].to_vec(),
        };
        places.map(joint).to_vec()
    }

    fn value(operators: Operators, joint: &[JointValue], n_moves: [usize; 2]) -> Vec<f64> {
        let of_moves = |role| operators.of_moves(role, n_moves[role], joint);
        operators.of_stage(&[of_moves(0), of_moves(1)], joint).expect("all is known")
    }

    /// Matching pennies, and a stag hunt: (stag, stag) is best, but hare is safe.
    #[test]
    fn values_of_simultaneous_moves() {
        let pennies = stage([[[100.0, 0.0], [0.0, 100.0]], [[0.0, 100.0], [100.0, 0.0]]]);
        assert_eq!(value(Operators::Maximin, &pennies, [2, 2]), [0.0, 0.0]);
        let stag_hunt = stage([[[100.0, 100.0], [0.0, 70.0]], [[70.0, 0.0], [70.0, 70.0]]]);
        assert_eq!(value(Operators::Maximin, &stag_hunt, [2, 2]), [70.0, 70.0]);
        assert_eq!(value(Operators::MaxN, &stag_hunt, [2, 2]), [70.0, 70.0]);
        assert_eq!(value(Operators::Cooperative, &stag_hunt, [2, 2]), [100.0, 100.0]);
    }

    /// One role chooses: it does what is best for itself, unless the worst is expected of it.
    #[test]
    fn values_of_moves_in_turn() {
        let of_second = |other: usize, values: [f64; 2]| JointValue {
            places: smallvec![0, other],
            values: values.to_vec(),
        };
        let joint = [of_second(0, [40.0, 30.0]), of_second(1, [10.0, 20.0])];
        assert_eq!(value(Operators::Maximin, &joint, [1, 2]), [10.0, 30.0]);
        assert_eq!(value(Operators::MaxN, &joint, [1, 2]), [40.0, 30.0]);
        assert_eq!(value(Operators::Cooperative, &joint, [1, 2]), [40.0, 30.0]);
    }
}
