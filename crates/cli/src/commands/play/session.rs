//! A match between people and players, in which moves can be taken back.

use base::{Id as _, Rng, RoleId, Stop, seeded_rng};
use game::{Game, Unplayable, joint_move_of, legal_of_all, percept_texts};
use player::{Agent, Clock, PlayerSpec, Rules, Thoughts, Told};
use rand::seq::IndexedRandom as _;

/// A match that goes on.
pub(super) struct Session<'a, G: Game> {
    game: G,
    rules: &'a Rules,
    /// By role: whether a person plays it.
    people: &'a [bool],
    against: &'a PlayerSpec,
    clock: Clock,
    seed: u64,
    /// The states so far, the first one first, with whether a person had a choice there.
    states: Vec<(G::State, bool)>,
    /// The joint moves so far, and by role what it saw of each.
    joint_moves: Vec<Vec<String>>,
    percepts: Vec<Vec<Vec<String>>>,
    seats: Vec<Seat>,
    rng: Rng,
}

/// A player, and how many joint moves it was told.
struct Seat {
    agent: Option<Box<dyn Agent>>,
    n_told: usize,
}

/// What there is before a person moves.
pub(super) struct Before {
    /// By role: the legal moves.
    pub(super) legal: Vec<Vec<String>>,
    /// By role: the move that it makes; none yet for people who have a choice.
    pub(super) moves: Vec<Option<String>>,
    /// By role: what it thought.
    pub(super) thoughts: Vec<Option<Thoughts>>,
}

impl<'a, G: Game> Session<'a, G> {
    pub(super) fn new(
        game: G,
        rules: &'a Rules,
        people: &'a [bool],
        against: &'a PlayerSpec,
        clock: Clock,
        seed: u64,
    ) -> Session<'a, G> {
        let initial = game.initial();
        let mut session = Session {
            game,
            rules,
            people,
            against,
            clock,
            seed,
            states: vec![(initial, false)],
            joint_moves: Vec::new(),
            percepts: vec![Vec::new(); people.len()],
            seats: Vec::new(),
            rng: seeded_rng(seed),
        };
        session.seat_players();
        session
    }

    /// Seats new players, who know nothing yet.
    fn seat_players(&mut self) {
        let is_player =
            |role: RoleId| !self.people[role.index()] && Some(role) != self.rules.random();
        let seat = |role: RoleId| Seat {
            agent: is_player(role).then(|| {
                let seed = self.seed.wrapping_add(role.index() as u64);
                self.rules.agent(self.against, role, seed)
            }),
            n_told: 0,
        };
        self.seats = RoleId::first(self.people.len()).map(seat).collect();
    }

    fn state(&self) -> G::State {
        self.states.last().expect("there is the first").0.clone()
    }

    pub(super) fn is_over(&mut self) -> bool {
        let state = self.state();
        self.game.is_terminal(&state)
    }

    pub(super) fn state_text(&self) -> Vec<String> {
        self.game.state_text(&self.state())
    }

    /// What people saw last, if not everything is seen: where the rules say what is.
    pub(super) fn seen(&self) -> Option<Vec<String>> {
        if !self.rules.has_percepts() {
            return None;
        }
        let people = self.people.iter().zip(&self.percepts).filter(|(is_person, _)| **is_person);
        let last = people.filter_map(|(_, percepts)| percepts.last());
        Some(last.flatten().cloned().collect())
    }

    pub(super) fn goals(&mut self) -> Result<Vec<u8>, Unplayable> {
        let state = self.state();
        let roles = RoleId::first(self.people.len());
        roles.map(|role| self.game.goal(&state, role).map(|goal| goal.value())).collect()
    }

    /// Whether no move has been made.
    pub(super) fn is_at_start(&self) -> bool {
        self.joint_moves.is_empty()
    }

    /// Whether a person has a choice.
    pub(super) fn asks_a_person(&mut self) -> Result<bool, Unplayable> {
        let state = self.state();
        let legal = legal_of_all(&mut self.game, &state)?;
        Ok(legal.iter().zip(self.people).any(|(legal, is_person)| *is_person && legal.len() > 1))
    }

    /// Asks all but the people who have a choice. Players are asked first, so that they may think while a
    /// person does.
    pub(super) fn ask_players(&mut self) -> Result<Before, Unplayable> {
        let state = self.state();
        let mut before = Before { legal: Vec::new(), moves: Vec::new(), thoughts: Vec::new() };
        for (role, legal) in legal_of_all(&mut self.game, &state)?.into_iter().enumerate() {
            let legal: Vec<String> = legal.iter().map(|&id| self.game.move_text(id)).collect();
            let told = self.told_since(RoleId::from_index(role), self.seats[role].n_told);
            let Seat { agent, n_told } = &mut self.seats[role];
            let (text, thoughts) = match (agent, legal.as_slice()) {
                (Some(agent), _) => {
                    *n_told = self.joint_moves.len();
                    let choice = agent.choose(&told, self.clock, &Stop::new());
                    let choice = choice.expect("players of our own do not fail");
                    (Some(choice.text), choice.thoughts)
                }
                (None, [only]) => (Some(only.clone()), None),
                (None, _) if self.people[role] => (None, None),
                (None, several) => (several.choose(&mut self.rng).cloned(), None),
            };
            before.legal.push(legal);
            before.moves.push(text);
            before.thoughts.push(thoughts);
        }
        let last = self.states.last_mut().expect("there is the first");
        last.1 = before.moves.iter().any(Option::is_none);
        Ok(before)
    }

    /// Makes a joint move of legal moves.
    pub(super) fn make(&mut self, joint_move: Vec<String>) {
        let state = self.state();
        let made = joint_move_of(&mut self.game, &state, &joint_move).expect("they are legal");
        for role in RoleId::first(self.people.len()) {
            let percepts = percept_texts(&mut self.game, &state, &made, role);
            self.percepts[role.index()].push(percepts);
        }
        self.states.push((self.game.next(&state, &made), false));
        self.joint_moves.push(joint_move);
    }

    /// Goes back to where a person decided last. Tells whether there was such a state.
    pub(super) fn take_back(&mut self) -> bool {
        let before = &self.states[..self.states.len() - 1];
        let Some(place) = before.iter().rposition(|(_, is_decision)| *is_decision) else {
            return false;
        };
        self.states.truncate(place + 1);
        self.joint_moves.truncate(place);
        self.percepts.iter_mut().for_each(|percepts| percepts.truncate(place));
        self.seat_players();
        true
    }

    /// What a player would think in the place of a person.
    pub(super) fn hint(&mut self, role: RoleId) -> Option<Thoughts> {
        let mut agent = self.rules.agent(self.against, role, self.seed);
        let told = self.told_since(role, 0);
        agent.choose(&told, self.clock, &Stop::new()).ok()?.thoughts
    }

    /// What a role is told of the joint moves from one of them on.
    fn told_since(&self, role: RoleId, first: usize) -> Vec<Told> {
        let steps = self.joint_moves.iter().zip(&self.percepts[role.index()]).skip(first);
        steps.map(|(made, percepts)| self.rules.told(made, role, percepts)).collect()
    }
}
