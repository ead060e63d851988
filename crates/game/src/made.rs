//! The moves of random plays: those that were made, and those that are made more often than others.

use std::collections::HashMap;

use base::bits::has;
use base::{Id as _, Rng, RoleId};
use rand::RngExt as _;

use crate::contract::MoveId;

/// The moves that were made in some plays: for each of them a bit a play. Roles that never had a choice may be
/// left out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MovesMade {
    n_plays: usize,
    moves: Vec<(RoleId, MoveId)>,
    /// By move: its place among them.
    places: HashMap<(RoleId, MoveId), usize>,
    /// By move, as many words for each as all plays need: whether it was made in a play.
    plays: Vec<u64>,
    /// By move: whether it was made more than once in some play.
    recurs: Vec<bool>,
}

impl MovesMade {
    /// No moves of no plays.
    pub fn new() -> MovesMade {
        MovesMade::default()
    }

    /// Forgets all; from now on there are `n_plays` plays.
    pub fn clear(&mut self, n_plays: usize) {
        self.n_plays = n_plays;
        self.moves.clear();
        self.places.clear();
        self.plays.clear();
        self.recurs.clear();
    }

    /// How many words the plays of a move have.
    fn n_words(&self) -> usize {
        self.n_plays.div_ceil(64)
    }

    /// A role made a move in some of the plays from `64 * first_word` on.
    pub fn add(&mut self, role: RoleId, id: MoveId, first_word: usize, plays: &[u64]) {
        let n_words = self.n_words();
        let place = self.place_of(role, id);
        let of_move = &mut self.plays[place * n_words..][first_word..n_words];
        for (old, new) in of_move.iter_mut().zip(plays) {
            self.recurs[place] |= *old & new != 0;
            *old |= new;
        }
    }

    /// A role made a move more than once in some play.
    pub fn add_recurring(&mut self, role: RoleId, id: MoveId) {
        let place = self.place_of(role, id);
        self.recurs[place] = true;
    }

    /// The place of a move, which is added in no play if it is not there.
    fn place_of(&mut self, role: RoleId, id: MoveId) -> usize {
        let n_words = self.n_words();
        *self.places.entry((role, id)).or_insert_with(|| {
            self.moves.push((role, id));
            self.plays.resize(self.plays.len() + n_words, 0);
            self.recurs.push(false);
            self.moves.len() - 1
        })
    }

    /// The moves, each once, and their plays, a bit each, 64 in a word.
    pub fn iter(&self) -> impl Iterator<Item = (RoleId, MoveId, &[u64])> {
        let plays = self.plays.chunks(self.n_words().max(1));
        self.moves.iter().zip(plays).map(|(&(role, id), plays)| (role, id, plays))
    }

    /// By move, as in [`MovesMade::iter`]: whether it was made more than once in some play.
    pub fn recurring(&self) -> &[bool] {
        &self.recurs
    }

    /// The moves that were made in a play.
    pub fn of_play(&self, play: usize) -> impl Iterator<Item = (RoleId, MoveId)> {
        self.iter().filter(move |(_, _, plays)| has(plays, play)).map(|(role, id, _)| (role, id))
    }
}

/// How good each move seems wherever it is made: in random plays, the better ones are made more often.
///
/// Every time that a role has a choice, chance picks one of the classes, all equally likely, and the role makes any
/// of its moves of this class or a better one, or, if it has none, of the best class that it has.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Habits {
    /// By move: its class, the best first.
    classes: Vec<u8>,
}

impl Habits {
    /// How many classes there are.
    pub const N_CLASSES: u8 = 4;

    /// Habits from the class of each move, by its number; others are of the last class.
    pub fn new(classes: Vec<u8>) -> Habits {
        Habits { classes }
    }

    /// The class of a move; 0 is the best.
    #[inline]
    pub fn class(&self, id: MoveId) -> u8 {
        let class = self.classes.get(id.index()).copied();
        class.unwrap_or(Habits::N_CLASSES - 1).min(Habits::N_CLASSES - 1)
    }

    /// Leaves of the legal moves of a role those among which it picks.
    pub(crate) fn narrow(&self, legal: &mut Vec<MoveId>, rng: &mut Rng) {
        let best = legal.iter().map(|id| self.class(*id)).min().unwrap_or(0);
        let class = rng.random_range(0..Habits::N_CLASSES).max(best);
        legal.retain(|id| self.class(*id) <= class);
    }
}
