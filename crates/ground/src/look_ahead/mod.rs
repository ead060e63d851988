//! Which moves win at once, and after which the next to move does: what the end of the game asks for, carried
//! back through one stage, and through two.
//!
//! In a phase in which one role has a choice, a move wins at once if the state after it is final and the role
//! gets the most that there is. Both are formulas of the next state, and so, with what the move makes of each
//! fluent in the place of the fluent, formulas of this one. That some move wins in the next phase is a formula
//! of the next state, too, and is carried back in the same way: with it, this move loses, or, if it is the same
//! role's turn again, leads to a win. Formulas are simplified by what is known: the move is legal, and the game has
//! not ended yet.

mod changing;
mod composing;
mod reply;

use base::{Id as _, RoleId};
use rustc_hash::FxHashSet;

use crate::formulas::Formulas;
use crate::ground::{GroundMoveId, GroundProgram};
use crate::implies::implies;
use crate::network::{Lit, Network};
use crate::phases::Phase;
use crate::share::share;
use changing::Changing;
use composing::{Composing, Made, Next, Wanted};
use reply::Reply;

/// What is seen of the moves of a phase.
#[derive(Clone, Debug)]
pub struct LookAhead {
    /// The formulas, over the same inputs as those of the game. Only fluents are in them.
    pub network: Network,
    /// The role that has a choice.
    pub role: RoleId,
    /// Moves that may win at once, ascending, and when each of them does, provided that it is legal and the game
    /// has not ended.
    pub wins: Vec<(GroundMoveId, Lit)>,
    /// Moves after which `replier` may win at once, and when it can, provided that the move does not win.
    pub replies: Vec<(GroundMoveId, Lit)>,
    /// The role that has a choice then: the same, or another.
    pub replier: RoleId,
    /// Whether ways to win that hardly ever come about are left out of the replies.
    pub leaves_out: bool,
}

/// What a role must get to have won: there is nothing more.
const MOST: &str = "100";

impl GroundProgram {
    /// What is seen of the moves of the phase `number` by looking `n_stages` stages ahead: with one, moves that
    /// win; with two, moves after which somebody does, too. `None` where several roles have a choice, nothing is to be
    /// seen, or the formulas would cost much more than those of the game. If only those of replies do, these are left
    /// out.
    pub fn look_ahead(&self, number: usize, n_stages: usize) -> Option<LookAhead> {
        /// What the formulas may cost beside those of the game, which are evaluated in each step, too; and before
        /// equal parts were made one.
        const MAX_COST: usize = 2;
        const MAX_COST_WITH_REPLIES: usize = 10;
        const BEFORE: usize = 4;
        let n_parts = self.formulas.network.n_parts();
        let max_cost = if n_stages > 1 { MAX_COST_WITH_REPLIES } else { MAX_COST };
        let max_parts = BEFORE * max_cost * n_parts;
        let mut seeing = Seeing::new(self, number, max_parts).filter(|_| n_stages > 0)?;
        let wins = seeing.wins()?;
        let reply = (n_stages > 1).then(|| self.some_win_after(number, max_parts)).flatten();
        let usual = reply.as_ref().and_then(|reply| reply.usual(self));
        let replies = usual.as_ref().and_then(|usual| seeing.replies(usual));
        let is_small = |seen: &LookAhead, cost| seen.network.n_parts() <= cost * n_parts;
        let with_replies = replies.and_then(|replies| seeing.shared(&wins, &replies));
        let with_replies = with_replies.zip(reply.zip(usual)).map(|(seen, (all, usual))| {
            LookAhead { leaves_out: usual.n_ways() < all.n_ways(), replier: all.role(), ..seen }
        });
        with_replies
            .filter(|seen| is_small(seen, MAX_COST_WITH_REPLIES))
            .or_else(|| seeing.shared(&wins, &[]).filter(|seen| is_small(seen, MAX_COST)))
    }

    /// When the role of the next phase wins at once.
    fn some_win_after(&self, number: usize, max_parts: usize) -> Option<Reply> {
        let next = (number + 1) % self.phases.len();
        let mut seeing = Seeing::new(self, next, max_parts)?;
        let wins = seeing.wins()?;
        let Composing { formulas, inputs, .. } = &seeing.composing;
        let (inputs, formulas) = (inputs.clone(), *formulas);
        let legal = wins.iter().map(|(id, _)| formulas.legal[*id]).collect();
        let legal = Wanted::new(&formulas.network, legal)?;
        let nothing = FxHashSet::default();
        let legal = seeing.composing.copy(&formulas.network, &inputs, &legal, &nothing)?;
        let network = &mut seeing.composing.new;
        let wins_with =
            |(&(_, wins), legal): (&(GroundMoveId, Lit), Lit)| network.and(&mut vec![wins, legal]);
        let ways: Vec<Lit> = wins.iter().zip(legal).map(wins_with).collect();
        Reply::new(seeing.composing.new, seeing.role, ways)
    }

    /// The role that has a choice in a phase, if no other has, and it is not chance.
    fn only_chooser(&self, phase: &Phase) -> Option<RoleId> {
        let has_choice = |role: &RoleId| {
            let moves = self.moves_of(*role).map(|number| phase.known[self.fluents.len() + number]);
            moves.filter(|known| *known != Some(false)).count() > 1
        };
        let mut choosers = self.roles.ids().filter(has_choice);
        let only = choosers.next().filter(|role| Some(*role) != self.random)?;
        choosers.next().is_none().then_some(only)
    }
}

/// Looking ahead from a phase.
struct Seeing<'a> {
    ground: &'a GroundProgram,
    role: RoleId,
    /// The moves that may be legal.
    moves: Vec<usize>,
    /// When the role has won.
    won: Lit,
    composing: Composing<'a>,
}

impl<'a> Seeing<'a> {
    fn new(ground: &'a GroundProgram, number: usize, max_parts: usize) -> Option<Seeing<'a>> {
        let phase = &ground.phases[number];
        let role = ground.only_chooser(phase)?;
        let goals = &ground.formulas.goals[role];
        let won = goals.iter().find(|(value, _)| value == MOST)?.1;
        let n_fluents = ground.fluents.len();
        let moves = ground.moves_of(role);
        let moves = moves.filter(|number| phase.known[n_fluents + number] != Some(false)).collect();
        let composing = Composing::new(&ground.formulas, phase, max_parts)?;
        Some(Seeing { ground, role, moves, won, composing })
    }

    /// By move: when it wins. `None` if that takes too many parts.
    fn wins(&mut self) -> Option<Vec<(GroundMoveId, Lit)>> {
        let formulas = self.composing.formulas;
        // Most games end when somebody has won: then the rest of what ends them need not be looked at.
        let is_enough = implies(&formulas.network, &[self.won], formulas.terminal);
        let at_end = if is_enough { vec![self.won] } else { vec![formulas.terminal, self.won] };
        let at_end = Wanted::new(&formulas.network, at_end)?;
        let used = at_end.fluents(formulas.next.len());
        self.of_moves(&used, |composing, inputs, given| {
            let mut at_end = composing.copy(&formulas.network, inputs, &at_end, given)?;
            Some(composing.new.and(&mut at_end))
        })
    }

    /// By move: when somebody wins at once after it, unless the move wins. `None` if that takes too many parts.
    fn replies(&mut self, reply: &Reply) -> Option<Vec<(GroundMoveId, Lit)>> {
        /// Moves are alike: where it could not be proved of so many that nothing else ends the game, it is not tried
        /// any more.
        const MAX_UNPROVED: usize = 4;
        let Formulas { network, terminal, next, .. } = self.composing.formulas;
        let mut n_unproved = 0;
        let goes_on = self.composing.goes_on;
        // Whoever wins with the move needs no reply. So it need not be known whether the game has ended because of
        // that, which mostly is why it has.
        let mut open = Changing::new(&mut self.composing, network, &[!*terminal, self.won])?;
        let mut replied = Changing::new(&mut self.composing, reply.network(), reply.ways())?;
        let mut used = [open.fluents(next.len()), replied.fluents(next.len())].concat();
        used.sort_unstable();
        used.dedup();
        self.of_moves(&used, |composing, inputs, given| {
            let replied = replied.after(composing, inputs, given)?;
            if replied == Lit::FALSE {
                return Some(Lit::FALSE);
            }
            let open = open.after(composing, inputs, given)?;
            if n_unproved < MAX_UNPROVED {
                if implies(&composing.new, &[goes_on, replied], open) {
                    return Some(replied);
                }
                n_unproved += 1;
            }
            Some(composing.new.and(&mut vec![open, replied]))
        })
    }

    /// By move: what `compose` makes of the next state, of which it needs the fluents `used`. Moves of which
    /// nothing can come are left out.
    fn of_moves(
        &mut self,
        used: &[usize],
        mut compose: impl FnMut(&mut Composing<'a>, &[Lit], &FxHashSet<Lit>) -> Option<Lit>,
    ) -> Option<Vec<(GroundMoveId, Lit)>> {
        let Formulas { network, next, .. } = self.composing.formulas;
        let after = used.iter().map(|&fluent| next.as_slice()[fluent]).collect();
        let after = Next { used, after: Wanted::new(network, after)? };
        let mut of_moves = Vec::new();
        for &number in &self.moves {
            let made = Made { number, all: self.ground.moves_of(self.role) };
            let Some((inputs, given)) = self.composing.after(made, &after)? else { continue };
            let lit = compose(&mut self.composing, &inputs, &given)?;
            if lit != Lit::FALSE {
                of_moves.push((GroundMoveId::from_index(number), lit));
            }
        }
        Some(of_moves)
    }

    /// What is seen, with equal parts once. `None` if that is nothing.
    fn shared(
        &self,
        wins: &[(GroundMoveId, Lit)],
        replies: &[(GroundMoveId, Lit)],
    ) -> Option<LookAhead> {
        if wins.is_empty() && replies.is_empty() {
            return None;
        }
        let sharing = share(&self.composing.new, wins.iter().chain(replies).map(|(_, lit)| *lit));
        let shared = |moves: &[(GroundMoveId, Lit)]| {
            moves.iter().map(|&(id, lit)| (id, sharing.lit(lit))).collect()
        };
        let (wins, replies) = (shared(wins), shared(replies));
        let (role, replier) = (self.role, self.role);
        Some(LookAhead { network: sharing.new, role, wins, replies, replier, leaves_out: false })
    }
}
