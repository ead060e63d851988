//! A match as those follow it who take part.
//!
//! Who is told all moves knows the state. Who is told only what it sees knows which states are possible, and how
//! likely they are if the others choose any of their moves: exactly, as long as they are few, and otherwise by a sample
//! of what may have happened (HyperPlay: Schofield, Cerexhe & Thielscher 2012).

mod choices;
mod worlds;

use base::{Deadline, Rng, RoleId, seeded_rng};
use game::{Game, MoveId, joint_move_of, percept_texts};
use rand::RngExt as _;
use rand::distr::Distribution as _;
use rand::distr::weighted::WeightedIndex;
use rand::seq::SliceRandom as _;

use crate::agent::Told;
use choices::Choices;
pub(crate) use worlds::World;
use worlds::{Found, sample};

/// What a match may be like, for one role.
pub(crate) struct Follower<G: Game> {
    game: G,
    role: RoleId,
    /// What was told, but for what the rules do not allow.
    steps: Vec<Step>,
    /// How many of these were looked at.
    n_known: usize,
    /// What is possible after those, the likeliest first.
    known: Vec<World<G::State>>,
    /// What may be possible after all of them, where there was no time to look; else nothing.
    guessed: Vec<World<G::State>>,
    /// Whether some of it was not the moves of all.
    is_hidden: bool,
    rng: Rng,
}

/// What is known of a step.
#[derive(Clone, Debug)]
enum Step {
    JointMove(Vec<String>),
    /// The own move, and what was seen, sorted; each of them as far as it is known.
    Seen {
        own_move: Option<String>,
        percepts: Option<Vec<String>>,
    },
}

impl Step {
    fn of(told: &Told) -> Step {
        match told {
            Told::JointMove(texts) => Step::JointMove(texts.clone()),
            Told::Seen { own_move, percepts } => {
                Step::Seen { own_move: own_move.clone(), percepts: Some(sorted(percepts.clone())) }
            }
        }
    }
}

/// More states are not kept.
const MAX_WORLDS: usize = 2_000;

/// More joint moves of a step are not looked at one by one.
const MAX_JOINT_MOVES: usize = 20_000;

/// No more moves are kept to look at a step.
const MAX_MOVES: usize = 4_000_000;

impl<G: Game> Follower<G> {
    pub(crate) fn new(game: G, role: RoleId, seed: u64) -> Follower<G> {
        let known = vec![(game.initial(), 1.0)];
        Follower {
            game,
            role,
            steps: Vec::new(),
            n_known: 0,
            known,
            guessed: Vec::new(),
            is_hidden: false,
            rng: seeded_rng(seed),
        }
    }

    /// The states that are possible, the likeliest first.
    fn worlds(&self) -> &[World<G::State>] {
        if self.guessed.is_empty() { &self.known } else { &self.guessed }
    }

    /// Whether the role was told only what it sees.
    pub(crate) fn is_hidden(&self) -> bool {
        self.is_hidden
    }

    /// The rules, as they know the states that are possible.
    pub(crate) fn game(&self) -> &G {
        &self.game
    }

    /// Goes on to what is possible after what is told; where that is much, by the deadline: what was not looked at by
    /// then is guessed, and looked at when more is told. What the rules do not allow is passed over. Returns the joint
    /// moves that they allow.
    pub(crate) fn follow(&mut self, told: &[Told], deadline: &Deadline) -> Vec<Vec<String>> {
        self.guessed.clear();
        self.is_hidden |= told.iter().any(|one| matches!(one, Told::Seen { .. }));
        self.steps.extend(told.iter().map(Step::of));
        let mut made = Vec::new();
        while self.n_known < self.steps.len() {
            match self.steps[self.n_known].clone() {
                Step::JointMove(texts) => {
                    let found = self.after(&texts);
                    if self.go_on_to(found) {
                        made.push(texts);
                    } else {
                        self.steps.remove(self.n_known);
                    }
                }
                Step::Seen { own_move, percepts } => {
                    let found = self.after_seeing(own_move.as_deref(), percepts.as_ref(), deadline);
                    if !self.go_on_to(found) {
                        if deadline.has_passed() {
                            break;
                        }
                        self.find_another_way(own_move.as_deref(), percepts.as_ref(), deadline);
                    }
                }
            }
        }
        self.guess();
        made
    }

    /// The legal moves of the role that is followed, as texts: those of all states that are possible, which are the
    /// same in games that keep their promises. There is one at least if the rules do.
    pub(crate) fn legal(&mut self) -> Vec<String> {
        /// What holds in so many states holds in all.
        const ENOUGH: usize = 16;
        let (mut legal, mut other) = (Vec::new(), Vec::new());
        let worlds: Vec<_> = self.worlds().iter().take(ENOUGH).cloned().collect();
        self.game.legal_moves(&worlds[0].0, self.role, &mut legal);
        let likeliest = legal.clone();
        for (state, _) in &worlds[1..] {
            self.game.legal_moves(state, self.role, &mut other);
            legal.retain(|id| other.contains(id));
        }
        let legal = if legal.is_empty() { likeliest } else { legal };
        legal.into_iter().map(|id| self.game.move_text(id)).collect()
    }

    /// So many of the possible states at most, each as often as it is likely, with the weights that they have then.
    pub(crate) fn some_worlds(&mut self, n: usize) -> Vec<World<G::State>> {
        let mut rng = seeded_rng(self.rng.random());
        sample(self.worlds(), n, &mut rng)
    }

    /// Takes what is possible after the next step, if anything is. Tells whether it is.
    fn go_on_to(&mut self, found: Vec<World<G::State>>) -> bool {
        if found.is_empty() {
            return false;
        }
        self.known = found;
        self.n_known += 1;
        true
    }

    /// The states after a joint move.
    fn after(&mut self, texts: &[String]) -> Vec<World<G::State>> {
        let mut found = Found::new();
        for (state, weight) in &self.known {
            if let Some(made) = joint_move_of(&mut self.game, state, texts) {
                found.add(self.game.next(state, &made), *weight);
            }
        }
        found.into_worlds()
    }

    /// The states after a step of which the role knows its own move and what it saw. Each of the steps that are left
    /// has the same part of the time; where nothing was found in it, the search goes on until the deadline.
    fn after_seeing(
        &mut self,
        own_move: Option<&str>,
        percepts: Option<&Vec<String>>,
        deadline: &Deadline,
    ) -> Vec<World<G::State>> {
        let n_left = self.steps.len() - self.n_known;
        let time = Time { enough: deadline.part(n_left as u32), deadline: deadline.clone() };
        let choices = self.choices(own_move, &time);
        let counts = choices.iter().map(|(_, _, legal)| legal.n_joint_moves());
        let found = match counts.fold(0_usize, usize::saturating_add) {
            0 => Found::new(),
            n @ 1..=MAX_JOINT_MOVES => self.look_at_all(n, &choices, percepts, &time),
            _ => self.look_at_some(&choices, percepts, &time),
        };
        sample(&found.into_worlds(), MAX_WORLDS, &mut self.rng)
    }

    /// What may be done in the states that are possible, the likeliest first: in all of them, if there is time and room
    /// for that.
    fn choices(&mut self, own_move: Option<&str>, time: &Time) -> Vec<(G::State, f64, Choices)> {
        let enough = time.enough.part(2);
        let mut choices = Vec::new();
        let mut n_moves = 0;
        for (state, weight) in &self.known {
            let is_enough = n_moves > MAX_MOVES || enough.has_passed();
            if !choices.is_empty() && is_enough || time.deadline.has_passed() {
                break;
            }
            if let Some(legal) = Choices::of(&mut self.game, state, self.role, own_move) {
                n_moves += legal.n_moves();
                choices.push((state.clone(), *weight, legal));
            }
        }
        choices
    }

    /// Looks at all joint moves, in any order: if the time ends before, what was found is a sample of them.
    fn look_at_all(
        &mut self,
        n_joint_moves: usize,
        choices: &[(G::State, f64, Choices)],
        percepts: Option<&Vec<String>>,
        time: &Time,
    ) -> Found<G::State> {
        let mut all = Vec::with_capacity(n_joint_moves);
        for one in choices {
            all.extend((0..one.2.n_joint_moves()).map(|number| (one, number)));
        }
        all.shuffle(&mut self.rng);
        let mut found = Found::new();
        for ((state, weight, legal), number) in all {
            if time.is_up(found.len()) {
                break;
            }
            let next = self.next_if_seen(state, &legal.joint_move(number), percepts);
            let weight = weight / legal.n_joint_moves() as f64;
            next.into_iter().for_each(|next| found.add(next, weight));
        }
        found
    }

    /// Draws states and joint moves as they are likely, and keeps what fits: each state is kept as often as it is
    /// likely after what was seen.
    fn look_at_some(
        &mut self,
        choices: &[(G::State, f64, Choices)],
        percepts: Option<&Vec<String>>,
        time: &Time,
    ) -> Found<G::State> {
        let mut found = Found::new();
        let Ok(lottery) = WeightedIndex::new(choices.iter().map(|(_, weight, _)| *weight)) else {
            return found;
        };
        for n_draws in 0.. {
            // Where nothing fits, there may be something as long as there is time.
            let is_enough = n_draws >= MAX_JOINT_MOVES
                && (found.len() > 0 || !time.deadline.is_timed())
                || found.len() >= MAX_WORLDS;
            if is_enough || time.is_up(found.len()) {
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
        percepts: Option<&Vec<String>>,
    ) -> Option<G::State> {
        let is_seen = percepts.is_none_or(|percepts| {
            sorted(percept_texts(&mut self.game, state, joint_move, self.role)) == *percepts
        });
        if !is_seen {
            return None;
        }
        let next = self.game.next(state, joint_move);
        (!self.game.is_terminal(&next)).then_some(next)
    }

    /// Goes on after a step that does not fit to any state that was thought possible: these were wrong, or what was
    /// told of the step is.
    fn find_another_way(
        &mut self,
        own_move: Option<&str>,
        percepts: Option<&Vec<String>>,
        deadline: &Deadline,
    ) {
        let half = deadline.part(2);
        let found = self.find_again(&half);
        if !found.is_empty() {
            (self.known, self.n_known) = (found, self.steps.len());
            return;
        }
        let found = self.after_any(own_move);
        if !found.is_empty() {
            // There may be no match at all that fits.
            if !half.has_passed() {
                let own_move = own_move.map(str::to_owned);
                self.steps[self.n_known] = Step::Seen { own_move, percepts: None };
            }
            self.go_on_to(found);
            return;
        }
        // The own move cannot be: perhaps another one was made.
        let found = self.after_seeing(None, percepts, deadline);
        if !found.is_empty() {
            self.steps[self.n_known] = Step::Seen { own_move: None, percepts: percepts.cloned() };
            self.go_on_to(found);
        } else if !deadline.has_passed() {
            self.steps.remove(self.n_known);
        }
    }

    /// States after other matches that fit to all that was told, where none of those that were kept is possible any
    /// more: depth first, with moves of the others by chance.
    fn find_again(&mut self, deadline: &Deadline) -> Vec<World<G::State>> {
        const MAX_TRIES: usize = 50_000;
        const TRIES_A_STATE: usize = 20;
        const ENOUGH: usize = 32;
        let steps = std::mem::take(&mut self.steps);
        let mut found = Found::new();
        let mut path = vec![(self.game.initial(), 0)];
        for _ in 0..MAX_TRIES {
            if deadline.has_passed() || found.len() >= ENOUGH {
                break;
            }
            let depth = path.len() - 1;
            if depth == steps.len() {
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
            if let Some(next) = self.any_next(&state, &steps[depth]) {
                path.push((next, 0));
            }
        }
        self.steps = steps;
        found.into_worlds()
    }

    /// A state that may follow, with moves of the others by chance, if that fits to what is told.
    fn any_next(&mut self, state: &G::State, step: &Step) -> Option<G::State> {
        match step {
            Step::JointMove(texts) => {
                let made = joint_move_of(&mut self.game, state, texts)?;
                Some(self.game.next(state, &made))
            }
            Step::Seen { own_move, percepts } => {
                let own_move = own_move.as_deref();
                let legal = Choices::of(&mut self.game, state, self.role, own_move)?;
                let joint_move = legal.any_joint_move(&mut self.rng);
                self.next_if_seen(state, &joint_move, percepts.as_ref())
            }
        }
    }

    /// What may be possible after the steps that were not looked at, whatever was seen.
    fn guess(&mut self) {
        for place in self.n_known..self.steps.len() {
            let Step::Seen { own_move, .. } = self.steps[place].clone() else { continue };
            let found = self.after_any(own_move.as_deref());
            if !found.is_empty() {
                self.guessed = found;
            }
        }
    }

    /// A few states after the role made a move, whatever the others did and was seen: better than none.
    fn after_any(&mut self, own_move: Option<&str>) -> Vec<World<G::State>> {
        const ENOUGH: usize = 4;
        const MOST: usize = 32;
        let worlds: Vec<_> = self.worlds().iter().take(MOST).cloned().collect();
        let step = Step::Seen { own_move: own_move.map(str::to_owned), percepts: None };
        let mut found = Found::new();
        for (state, weight) in &worlds {
            if found.len() >= ENOUGH {
                break;
            }
            let next = self.any_next(state, &step);
            next.into_iter().for_each(|next| found.add(next, *weight));
        }
        found.into_worlds()
    }
}

/// How long a step is looked at.
struct Time {
    /// If something was found.
    enough: Deadline,
    deadline: Deadline,
}

impl Time {
    fn is_up(&self, n_found: usize) -> bool {
        n_found > 0 && self.enough.has_passed() || self.deadline.has_passed()
    }
}

fn sorted(mut texts: Vec<String>) -> Vec<String> {
    texts.sort();
    texts.dedup();
    texts
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use base::Id as _;
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
                let all = Choices::of(game, &state, role, None).expect("playable");
                for number in 0..all.n_joint_moves() {
                    let joint = all.joint_move(number);
                    let made = game.move_text(joint[role.index()]);
                    let is_own = own_move.as_ref().is_none_or(|own_move| made == *own_move);
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
            let own_move = Some(game.move_text(made[role.index()]));
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

    /// What a follower knows is what every match says.
    fn assert_knows<G: Game>(follower: &Follower<G>, game: &mut G, told: &[Told]) {
        let expected = all_possible(game, follower.role, told);
        let expected = by_text(game, &expected);
        let found = by_text(&follower.game, follower.worlds());
        let is_near = |((one, p), (other, q)): (&(String, f64), &(String, f64))| {
            one == other && (p - q).abs() < 1e-9
        };
        assert!(
            found.len() == expected.len() && found.iter().zip(&expected).all(is_near),
            "{told:?}: {found:?}, not {expected:?}"
        );
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
                    assert_knows(&follower, &mut game, &told);
                }
            }
        }
    }

    /// Where there is no time, a step is guessed, and looked at later. The own move may not be known.
    #[test]
    fn what_there_was_no_time_for_is_looked_at_later() {
        let (mut game, role) = (game(DICE), RoleId::first(2).last().expect("there are two"));
        let mut rng = seeded_rng(6);
        for number in 0..10 {
            let mut told = random_match(&mut game, role, &mut rng);
            if let Told::Seen { own_move, .. } = &mut told[number % 2] {
                *own_move = None;
            }
            let mut follower = Follower::new(game.clone(), role, 1);
            for one in &told {
                follower.follow(std::slice::from_ref(one), &Deadline::after(Duration::ZERO));
            }
            assert_eq!((follower.n_known, follower.steps.len()), (0, told.len()));
            assert_eq!(follower.legal().len(), 4);
            let step = format!("(step {})", told.len() + 1);
            let known = by_text(&follower.game, follower.worlds());
            let is_there = |(text, _): &(String, f64)| text.contains(&step);
            assert!(known.iter().all(is_there));
            follower.follow(&[], &Deadline::NEVER);
            assert_knows(&follower, &mut game, &told);
        }
    }

    #[test]
    fn what_was_lost_is_found_again() {
        let (mut game, role) = (game(DICE), RoleId::first(3).last().expect("there are three"));
        let mut rng = seeded_rng(8);
        for seed in 0..10 {
            let told = random_match(&mut game, role, &mut rng);
            let mut follower = Follower::new(game.clone(), role, seed);
            follower.steps = told.iter().map(Step::of).collect();
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
            own_move: Some(own_move.to_owned()),
            percepts: percepts.iter().map(|text| (*text).to_owned()).collect(),
        };
        follower.follow(&[seen("(guess 9)", &[])], &Deadline::NEVER);
        follower.follow(&[seen("(guess 1)", &["(a dragon)"])], &Deadline::NEVER);
        follower.follow(&[Told::JointMove(vec!["jump".to_owned()])], &Deadline::NEVER);
        assert_eq!(follower.legal().len(), 4);
    }
}
