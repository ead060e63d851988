//! A match as those follow it who take part.
//!
//! Who is told all moves knows the state. Who is told only what it sees knows which states are possible, and how
//! likely they are if the others choose any of their moves: exactly, as long as they are few, and otherwise by a sample
//! of what may have happened (HyperPlay: Schofield, Cerexhe & Thielscher 2012).

use std::collections::HashMap;

use base::{Deadline, Id as _, Rng, RoleId, seeded_rng};
use game::{Game, MoveId, joint_move_of, legal_of_all, percept_texts};
use rand::RngExt as _;
use rand::distr::Distribution as _;
use rand::distr::weighted::WeightedIndex;

use crate::agent::Told;

/// A state that is possible, and how likely it is; those of all possible states sum to 1.
pub(crate) type World<S> = (S, f64);

/// What a match may be like, for one role.
pub(crate) struct Follower<G: Game> {
    game: G,
    role: RoleId,
    /// The likeliest first, of equals the one that was found first.
    worlds: Vec<World<G::State>>,
    /// All that was told.
    told: Vec<Told>,
    /// Whether some of it was not the moves of all.
    is_hidden: bool,
    rng: Rng,
}

/// More states are not kept.
const MAX_WORLDS: usize = 2_000;

/// More joint moves of a step are not looked at one by one.
const MAX_JOINT_MOVES: usize = 20_000;

impl<G: Game> Follower<G> {
    pub(crate) fn new(game: G, role: RoleId, seed: u64) -> Follower<G> {
        let worlds = vec![(game.initial(), 1.0)];
        let rng = seeded_rng(seed);
        Follower { game, role, worlds, told: Vec::new(), is_hidden: false, rng }
    }

    /// The states that are possible, the likeliest first.
    #[cfg(test)]
    fn worlds(&self) -> &[World<G::State>] {
        &self.worlds
    }

    /// Whether the role was told only what it sees.
    pub(crate) fn is_hidden(&self) -> bool {
        self.is_hidden
    }

    /// The rules, as they know the states that are possible.
    pub(crate) fn game(&self) -> &G {
        &self.game
    }

    /// Goes on to what is possible after what is told; where that is much, by the deadline. What the rules do not
    /// allow is passed over.
    pub(crate) fn follow(&mut self, told: &[Told], deadline: &Deadline) {
        for one in told {
            self.told.push(one.clone());
            self.is_hidden |= matches!(one, Told::Seen { .. });
            let found = match one {
                Told::JointMove(texts) => self.after(texts),
                Told::Seen { own_move, percepts } => {
                    let mut found = self.after_seeing(own_move, percepts, deadline);
                    if found.is_empty() {
                        found = self.find_again(deadline);
                    }
                    if found.is_empty() {
                        found = self.after_any(own_move);
                    }
                    found
                }
            };
            if !found.is_empty() {
                self.worlds = found;
            }
        }
    }

    /// The legal moves of the role that is followed, as texts: those of all states that are possible, which are the
    /// same in games that keep their promises. There is one at least if the rules do.
    pub(crate) fn legal(&mut self) -> Vec<String> {
        /// What holds in so many states holds in all.
        const ENOUGH: usize = 16;
        let (mut legal, mut other) = (Vec::new(), Vec::new());
        self.game.legal_moves(&self.worlds[0].0, self.role, &mut legal);
        let likeliest = legal.clone();
        for (state, _) in self.worlds.iter().skip(1).take(ENOUGH) {
            self.game.legal_moves(state, self.role, &mut other);
            legal.retain(|id| other.contains(id));
        }
        let legal = if legal.is_empty() { likeliest } else { legal };
        legal.into_iter().map(|id| self.game.move_text(id)).collect()
    }

    /// So many of the possible states at most, each as often as it is likely, with the weights that they have then.
    pub(crate) fn some_worlds(&mut self, n: usize) -> Vec<World<G::State>> {
        sample(&self.worlds, n, &mut self.rng)
    }

    /// The states after a joint move.
    fn after(&mut self, texts: &[String]) -> Vec<World<G::State>> {
        let mut found = Found::new();
        for (state, weight) in &self.worlds {
            if let Some(made) = joint_move_of(&mut self.game, state, texts) {
                found.add(self.game.next(state, &made), *weight);
            }
        }
        found.into_worlds()
    }

    /// The states after a step of which the role knows its own move and what it saw.
    fn after_seeing(
        &mut self,
        own_move: &str,
        percepts: &[String],
        deadline: &Deadline,
    ) -> Vec<World<G::State>> {
        let percepts = sorted(percepts.to_vec());
        let mut choices = Vec::new();
        for (state, weight) in &self.worlds {
            if let Some(legal) = choices_of(&mut self.game, state, self.role, own_move) {
                choices.push((state.clone(), *weight, legal));
            }
        }
        let counts = choices.iter().map(|(_, _, legal)| legal.n_joint_moves());
        let found = match counts.fold(0_usize, usize::saturating_add) {
            0 => Found::new(),
            1..=MAX_JOINT_MOVES => self.look_at_all(&choices, &percepts, deadline),
            _ => self.look_at_some(&choices, &percepts, deadline),
        };
        sample(&found.into_worlds(), MAX_WORLDS, &mut self.rng)
    }

    fn look_at_all(
        &mut self,
        choices: &[(G::State, f64, Choices)],
        percepts: &[String],
        deadline: &Deadline,
    ) -> Found<G::State> {
        let mut found = Found::new();
        for (state, weight, legal) in choices {
            let n_joint_moves = legal.n_joint_moves();
            for number in 0..n_joint_moves {
                if deadline.has_passed() {
                    return found;
                }
                let next = self.next_if_seen(state, &legal.joint_move(number), percepts);
                next.into_iter().for_each(|next| found.add(next, weight / n_joint_moves as f64));
            }
        }
        found
    }

    /// Draws states and joint moves as they are likely, and keeps what fits: each state is kept as often as it is
    /// likely after what was seen.
    fn look_at_some(
        &mut self,
        choices: &[(G::State, f64, Choices)],
        percepts: &[String],
        deadline: &Deadline,
    ) -> Found<G::State> {
        let mut found = Found::new();
        let Ok(lottery) = WeightedIndex::new(choices.iter().map(|(_, weight, _)| *weight)) else {
            return found;
        };
        for _ in 0..MAX_JOINT_MOVES {
            if deadline.has_passed() || found.worlds.len() >= MAX_WORLDS {
                break;
            }
            let (state, _, legal) = &choices[lottery.sample(&mut self.rng)];
            let joint_move = legal.any_joint_move(&mut self.rng);
            let next = self.next_if_seen(state, &joint_move, percepts);
            next.into_iter().for_each(|next| found.add(next, 1.0));
        }
        found
    }

    /// The state after a joint move, if the role sees this of it. The match has not ended there: nobody would be told.
    fn next_if_seen(
        &mut self,
        state: &G::State,
        joint_move: &[MoveId],
        percepts: &[String],
    ) -> Option<G::State> {
        if sorted(percept_texts(&mut self.game, state, joint_move, self.role)) != percepts {
            return None;
        }
        let next = self.game.next(state, joint_move);
        (!self.game.is_terminal(&next)).then_some(next)
    }

    /// States after other matches that fit to all that was told, where none of those that were kept is possible any
    /// more: depth first, with moves of the others by chance.
    fn find_again(&mut self, deadline: &Deadline) -> Vec<World<G::State>> {
        const MAX_TRIES: usize = 50_000;
        const TRIES_A_STATE: usize = 20;
        const ENOUGH: usize = 32;
        let told = std::mem::take(&mut self.told);
        let mut found = Found::new();
        let mut path = vec![(self.game.initial(), 0)];
        for _ in 0..MAX_TRIES {
            if deadline.has_passed() || found.worlds.len() >= ENOUGH {
                break;
            }
            let depth = path.len() - 1;
            if depth == told.len() {
                found.add(path.swap_remove(depth).0, 1.0);
                path.truncate(1);
                continue;
            }
            let (state, n_tries) = &mut path[depth];
            *n_tries += 1;
            if *n_tries > TRIES_A_STATE {
                path.pop();
                if path.is_empty() {
                    path.push((self.game.initial(), 0));
                }
                continue;
            }
            let state = state.clone();
            if let Some(next) = self.any_next(&state, &told[depth]) {
                path.push((next, 0));
            }
        }
        self.told = told;
        found.into_worlds()
    }

    /// A state that may follow, with moves of the others by chance, if that fits to what is told.
    fn any_next(&mut self, state: &G::State, told: &Told) -> Option<G::State> {
        match told {
            Told::JointMove(texts) => {
                let made = joint_move_of(&mut self.game, state, texts)?;
                Some(self.game.next(state, &made))
            }
            Told::Seen { own_move, percepts } => {
                let legal = choices_of(&mut self.game, state, self.role, own_move)?;
                let joint_move = legal.any_joint_move(&mut self.rng);
                self.next_if_seen(state, &joint_move, &sorted(percepts.clone()))
            }
        }
    }

    /// States after the role made a move, whatever the others did: better than none where nothing that was found
    /// fits to what is told.
    fn after_any(&mut self, own_move: &str) -> Vec<World<G::State>> {
        let mut found = Found::new();
        for (state, weight) in &self.worlds {
            let Some(legal) = choices_of(&mut self.game, state, self.role, own_move) else {
                continue;
            };
            let next = self.game.next(state, &legal.any_joint_move(&mut self.rng));
            if !self.game.is_terminal(&next) {
                found.add(next, *weight);
            }
        }
        found.into_worlds()
    }
}

/// By role: what it may do in a state, where one role has done something.
struct Choices(Vec<Vec<MoveId>>);

/// What the roles may do in a state where `role` makes `own_move`, if it can.
fn choices_of<G: Game>(
    game: &mut G,
    state: &G::State,
    role: RoleId,
    own_move: &str,
) -> Option<Choices> {
    let mut legal = legal_of_all(game, state).ok()?;
    legal[role.index()].retain(|&id| game.move_text(id) == own_move);
    (!legal[role.index()].is_empty()).then_some(Choices(legal))
}

impl Choices {
    fn n_joint_moves(&self) -> usize {
        self.0.iter().fold(1, |product, legal| product.saturating_mul(legal.len()))
    }

    /// The joint move of a number.
    fn joint_move(&self, mut number: usize) -> Vec<MoveId> {
        let digit = |legal: &Vec<MoveId>| {
            let id = legal[number % legal.len()];
            number /= legal.len();
            id
        };
        self.0.iter().map(digit).collect()
    }

    fn any_joint_move(&self, rng: &mut Rng) -> Vec<MoveId> {
        self.0.iter().map(|legal| legal[rng.random_range(0..legal.len())]).collect()
    }
}

/// States that were found, with weights, in the order in which they were found.
struct Found<S> {
    worlds: Vec<World<S>>,
    places: HashMap<S, usize>,
}

impl<S: Clone + Eq + std::hash::Hash> Found<S> {
    fn new() -> Found<S> {
        Found { worlds: Vec::new(), places: HashMap::new() }
    }

    fn add(&mut self, state: S, weight: f64) {
        let place = *self.places.entry(state.clone()).or_insert(self.worlds.len());
        match self.worlds.get_mut(place) {
            Some((_, sum)) => *sum += weight,
            None => self.worlds.push((state, weight)),
        }
    }

    fn into_worlds(mut self) -> Vec<World<S>> {
        let total: f64 = self.worlds.iter().map(|(_, weight)| weight).sum();
        self.worlds.iter_mut().for_each(|(_, weight)| *weight /= total);
        self.worlds.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        self.worlds
    }
}

/// All states if there are at most so many, or else so many draws of them.
fn sample<S: Clone + Eq + std::hash::Hash>(
    worlds: &[World<S>],
    n: usize,
    rng: &mut Rng,
) -> Vec<World<S>> {
    if worlds.len() <= n {
        return worlds.to_vec();
    }
    let lottery = WeightedIndex::new(worlds.iter().map(|(_, weight)| *weight));
    let lottery = lottery.expect("weights are positive");
    let mut found = Found::new();
    for _ in 0..n {
        found.add(worlds[lottery.sample(rng)].0.clone(), 1.0);
    }
    found.into_worlds()
}

fn sorted(mut texts: Vec<String>) -> Vec<String> {
    texts.sort();
    texts.dedup();
    texts
}

#[cfg(test)]
mod tests {
    use machine::Interpreter;

    use super::*;

    /// Two dice are thrown, one after the other. One player sees the sum, the other nothing, and both guess twice.
    const DICE: &str = "
        (role random) (role looker) (role guesser)
        (die 1) (die 2) (die 3) (die 4)
        (init (step 1)) (succ 1 2) (succ 2 3) (succ 3 4)
        (sum 1 1 2) (sum 1 2 3) (sum 1 3 4) (sum 1 4 5) (sum 2 1 3) (sum 2 2 4) (sum 2 3 5) (sum 2 4 6)
        (sum 3 1 4) (sum 3 2 5) (sum 3 3 6) (sum 3 4 7) (sum 4 1 5) (sum 4 2 6) (sum 4 3 7) (sum 4 4 8)
        (<= (legal random (throw ?d)) (die ?d))
        (<= (legal looker (guess ?d)) (die ?d))
        (<= (legal guesser (guess ?d)) (die ?d))
        (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
        (<= (next (thrown ?n ?d)) (true (step ?n)) (does random (throw ?d)))
        (<= (next (thrown ?n ?d)) (true (thrown ?n ?d)))
        (<= (next (guessed ?n ?d)) (true (step ?n)) (does looker (guess ?d)))
        (<= (next (guessed ?n ?d)) (true (guessed ?n ?d)))
        (<= (sees looker (sum ?s)) (true (thrown 1 ?a)) (true (step 2)) (does random (throw ?b)) (sum ?a ?b ?s))
        (<= (sees guesser same) (does looker (guess ?d)) (does guesser (guess ?d)))
        (<= terminal (true (step 4)))
        (<= (goal ?r 50) (role ?r))";

    fn game(rules: &str) -> Interpreter {
        let program = program::check(&gdl::parse_kif(rules)).program.expect("no errors");
        Interpreter::new(&program)
    }

    /// All that is possible, by looking at every match.
    fn all_possible<G: Game>(game: &mut G, role: RoleId, told: &[Told]) -> Vec<World<G::State>> {
        let mut worlds = vec![(game.initial(), 1.0)];
        for one in told {
            let Told::Seen { own_move, percepts } = one else { panic!("it is hidden") };
            let mut found = Found::new();
            for (state, weight) in worlds {
                let legal = legal_of_all(game, &state).expect("playable");
                let all = Choices(legal);
                for number in 0..all.n_joint_moves() {
                    let joint = all.joint_move(number);
                    let is_own = game.move_text(joint[role.index()]) == *own_move;
                    let seen = percept_texts(game, &state, &joint, role);
                    let next = game.next(&state, &joint);
                    if is_own
                        && sorted(seen) == sorted(percepts.clone())
                        && !game.is_terminal(&next)
                    {
                        found.add(next, weight / all.n_joint_moves() as f64);
                    }
                }
            }
            worlds = found.into_worlds();
        }
        worlds
    }

    /// What a role is told of a random play, without the last step, after which nobody is asked.
    fn random_match<G: Game>(game: &mut G, role: RoleId, rng: &mut Rng) -> Vec<Told> {
        let (mut state, mut told) = (game.initial(), Vec::new());
        loop {
            let made = game::random_joint_move(game, &state, rng).expect("playable");
            let percepts = percept_texts(game, &state, &made, role);
            let own_move = game.move_text(made[role.index()]);
            state = game.next(&state, &made);
            if game.is_terminal(&state) {
                return told;
            }
            told.push(Told::Seen { own_move, percepts });
        }
    }

    fn by_text<G: Game>(game: &G, worlds: &[World<G::State>]) -> Vec<(String, f64)> {
        let text = |(state, weight): &World<G::State>| (game.state_text(state).join(" "), *weight);
        let mut texts: Vec<(String, f64)> = worlds.iter().map(text).collect();
        texts.sort_by(|(one, _), (other, _)| one.cmp(other));
        texts
    }

    #[test]
    fn what_is_possible_is_what_every_match_says_that_fits() {
        let embedded = ["monty-hall", "hidden-matching-pennies"]
            .map(|name| games::find(name).expect("it is embedded").rules);
        let mut rng = seeded_rng(5);
        for rules in embedded.into_iter().chain([DICE]) {
            let mut game = game(rules);
            let random = game.random();
            for role in RoleId::first(game.roles().len()).filter(|role| Some(*role) != random) {
                for seed in 0..10 {
                    let told = random_match(&mut game, role, &mut rng);
                    let mut follower = Follower::new(game.clone(), role, seed);
                    follower.follow(&told, &Deadline::NEVER);
                    let expected = all_possible(&mut game, role, &told);
                    let expected = by_text(&game, &expected);
                    let found = by_text(&follower.game, follower.worlds());
                    let is_near = |((one, p), (other, q)): (&(String, f64), &(String, f64))| {
                        one == other && (p - q).abs() < 1e-9
                    };
                    assert!(
                        found.len() == expected.len() && found.iter().zip(&expected).all(is_near),
                        "{told:?}: {found:?}, not {expected:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn what_was_lost_is_found_again() {
        let (mut game, role) = (game(DICE), RoleId::first(3).last().expect("there are three"));
        let mut rng = seeded_rng(8);
        for seed in 0..10 {
            let told = random_match(&mut game, role, &mut rng);
            let mut follower = Follower::new(game.clone(), role, seed);
            follower.told = told.clone();
            let found = follower.find_again(&Deadline::NEVER);
            let found = by_text(&follower.game, &found);
            let expected = all_possible(&mut game, role, &told);
            let expected = by_text(&game, &expected);
            assert!(!found.is_empty());
            assert!(found.iter().all(|(text, _)| expected.iter().any(|(other, _)| other == text)));
        }
    }

    /// Where the manager says what cannot be, there is a legal move all the same.
    #[test]
    fn what_cannot_be_is_passed_over() {
        let mut follower = Follower::new(game(DICE), RoleId::first(3).last().expect("three"), 1);
        let seen = |own_move: &str, percepts: &[&str]| Told::Seen {
            own_move: own_move.to_owned(),
            percepts: percepts.iter().map(|text| (*text).to_owned()).collect(),
        };
        follower.follow(&[seen("(guess 9)", &[])], &Deadline::NEVER);
        follower.follow(&[seen("(guess 1)", &["(a dragon)"])], &Deadline::NEVER);
        follower.follow(&[Told::JointMove(vec!["jump".to_owned()])], &Deadline::NEVER);
        assert_eq!(follower.legal().len(), 4);
    }
}
