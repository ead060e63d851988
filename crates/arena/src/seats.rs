//! Who plays which role.

/// Players in turn in all roles: in match `n` player `p` has seat `p + n`, counted round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seats {
    n_players: usize,
}

impl Seats {
    /// Seats for so many players, as many as there are roles but for chance.
    pub fn new(n_players: usize) -> Seats {
        Seats { n_players }
    }

    /// By seat: the player who has it in a match.
    ///
    /// ```
    /// let seats = arena::Seats::new(3);
    /// assert_eq!(seats.of_match(0), [0, 1, 2]);
    /// assert_eq!(seats.of_match(1), [2, 0, 1]);
    /// ```
    pub fn of_match(&self, number: usize) -> Vec<usize> {
        let n = self.n_players.max(1);
        (0..self.n_players).map(|seat| (seat + n - number % n) % n).collect()
    }
}
