//! Players that do not think.

use base::{Deadline, Rng, RoleId, Stop, seeded_rng};
use game::Game;
use rand::seq::IndexedRandom as _;

use crate::agent::{Agent, Choice, Clock, Fault, Told};
use crate::follower::Follower;

/// How to pick a move without thinking.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pick {
    /// Any, each as likely as the others.
    Any,
    /// The first that the rules give.
    First,
}

/// A player that does not think.
pub(crate) struct Simple<G: Game> {
    follower: Follower<G>,
    pick: Pick,
    rng: Rng,
}

impl<G: Game> Simple<G> {
    pub(crate) fn new(game: G, role: RoleId, pick: Pick, seed: u64) -> Simple<G> {
        Simple { follower: Follower::new(game, role, seed), pick, rng: seeded_rng(seed) }
    }
}

impl<G: Game + Send> Agent for Simple<G>
where
    G::State: Send,
{
    fn start(&mut self, _: Clock, _: &Stop) -> Result<(), Fault> {
        Ok(())
    }

    fn choose(&mut self, told: &[Told], clock: Clock, stop: &Stop) -> Result<Choice, Fault> {
        let deadline = match clock {
            Clock::Time(time) => Deadline::after(time / 2),
            Clock::Plays(_) => Deadline::NEVER,
        };
        self.follower.follow(told, &deadline.unless(stop));
        let legal = self.follower.legal();
        let picked = match self.pick {
            Pick::Any => legal.choose(&mut self.rng),
            Pick::First => legal.first(),
        };
        let text = picked.cloned().ok_or(Fault::NoMove)?;
        Ok(Choice { text, thoughts: None })
    }
}
