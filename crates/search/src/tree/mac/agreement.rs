//! Whether what moves came to anywhere says what they are worth here.
//!
//! Habits presume that. So it is looked at in the stages that have plays enough to know what their moves are worth: of
//! a move that came to a point more than usual in all plays, how much more does it come to in a stage where it is
//! legal, beside the others there? That is the slope of a line through all of them (least squares within stages). It is
//! 0 where moves are good or bad only in their place, and 1 where they are so everywhere.

use base::RoleId;
use game::Game;

use crate::tree::habits::Experience;
use crate::tree::node::Arm;
use crate::tree::uct::MovePlays;

use super::{Graph, StagePlays};

/// Sums over the moves of many stages.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Agreement {
    n_moves: u64,
    /// Of how far a move is from what is usual in its stage: what it came to anywhere, squared, and times what it came
    /// to here.
    squares: f64,
    products: f64,
}

impl Agreement {
    /// Looks at all stages with plays enough.
    pub(super) fn of<G: Game>(
        graph: &Graph<G, StagePlays, MovePlays>,
        experience: &Experience,
    ) -> Agreement {
        /// A stage with fewer plays knows little of its moves.
        const ENOUGH_OF_STAGE: u64 = 200;
        let mut agreement = Agreement::default();
        let random = graph.game.random();
        let roles = RoleId::first(graph.game.roles().len()).filter(|role| Some(*role) != random);
        let roles: Vec<usize> = roles.map(base::Id::index).collect();
        let is_known = |id: &_| graph.nodes[*id].seen.n_visits >= ENOUGH_OF_STAGE;
        for id in graph.nodes.ids().filter(is_known) {
            for role in &roles {
                agreement.add(graph.arms(id, *role), experience);
            }
        }
        agreement
    }

    /// Adds the moves of a role in a stage.
    fn add(&mut self, arms: &[Arm<MovePlays>], experience: &Experience) {
        /// Fewer plays with a move say little of it, here or anywhere; and more do not make it count more.
        const ENOUGH: u32 = 10;
        const MOST: u32 = 50;
        let of_arm = |arm: &Arm<MovePlays>| {
            let n_plays = arm.seen.n_visits;
            let anywhere = experience.mean(arm.id).filter(|_| n_plays >= ENOUGH)?;
            let weight = f64::from(n_plays.min(MOST)) / f64::from(MOST);
            Some((weight, anywhere, arm.seen.sum / f64::from(n_plays)))
        };
        let known: Vec<(f64, f64, f64)> = arms.iter().filter_map(of_arm).collect();
        if known.len() < 2 {
            return;
        }
        let all = known.iter().map(|(weight, _, _)| weight).sum::<f64>();
        let usual_anywhere =
            known.iter().map(|(weight, value, _)| weight * value).sum::<f64>() / all;
        let usual_here = known.iter().map(|(weight, _, value)| weight * value).sum::<f64>() / all;
        self.n_moves += known.len() as u64;
        for (weight, anywhere, here) in known {
            let difference = anywhere - usual_anywhere;
            self.squares += weight * difference * difference;
            self.products += weight * difference * (here - usual_here);
        }
    }

    /// Whether it is so; `None` if too few moves are known.
    pub(super) fn verdict(&self) -> Option<bool> {
        const ENOUGH: u64 = 2_500;
        const LEAST_SLOPE: f64 = 0.4;
        (self.n_moves >= ENOUGH).then_some(self.products > LEAST_SLOPE * self.squares)
    }
}

#[cfg(test)]
mod tests {
    use base::Id as _;
    use game::MoveId;

    use super::*;

    /// What is found where moves come to `slope` points more for each point that they come to anywhere, in stages that
    /// differ, with `n_stages` stages of ten moves each.
    fn found(slope: f64, n_stages: usize) -> Option<bool> {
        let anywhere = |number: usize| 45.0 + number as f64;
        let role = RoleId::first(1).next().expect("there is one");
        let tallies: Vec<_> = (0..10)
            .map(|number| {
                let (n_plays, id) = (1_000.0_f32, MoveId::from_index(number));
                let sum = n_plays * anywhere(number) as f32;
                (role, id, crate::tree::tallies::Tally { n_plays, sum })
            })
            .collect();
        let mut experience = Experience::default();
        experience.add(10_000, &tallies);
        let mut agreement = Agreement::default();
        for stage in 0..n_stages {
            let arm = |number: usize| {
                let here = (stage % 30) as f64 + slope * anywhere(number);
                let n_visits = 20 + 10 * (number as u32 % 3);
                let seen = MovePlays { n_visits, sum: f64::from(n_visits) * here, n_under_way: 0 };
                Arm { id: MoveId::from_index(number), exact: None, child: None, seen }
            };
            let arms: Vec<_> = (0..10).map(arm).collect();
            agreement.add(&arms, &experience);
        }
        agreement.verdict()
    }

    #[test]
    fn moves_agree_where_they_are_as_good_here_as_anywhere() {
        assert_eq!(found(1.0, 600), Some(true));
        assert_eq!(found(0.5, 600), Some(true));
        assert_eq!(found(0.3, 600), Some(false));
        assert_eq!(found(-1.0, 600), Some(false));
        assert_eq!(found(1.0, 200), None);
    }
}
