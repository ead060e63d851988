//! Players beside one that never errs.

use std::collections::HashMap;

use base::{Deadline, Id as _, Rng, RoleId, Stop, seeded_rng};
use game::{Game, MoveId, joint_move_of, legal_of_all};
use machine::{BitState, OneState};
use player::{Agent, Clock, PlayerSpec, Rules, Told};
use rand::seq::IndexedRandom as _;

/// A player of a game in which two take turns and what one gets the other does not, by looking at all that
/// may follow.
struct Perfect {
    game: OneState,
    /// What states are worth for the first role.
    known: HashMap<BitState, u8>,
}

impl Perfect {
    fn value(&mut self, state: &BitState) -> u8 {
        if let Some(&value) = self.known.get(state) {
            return value;
        }
        let value = match self.game.is_terminal(state) {
            true => self.game.goal(state, RoleId::from_index(0)).expect("it has one").value(),
            false => {
                let (mover, joint_moves) = self.joint_moves(state);
                let values: Vec<u8> =
                    joint_moves.iter().map(|one| self.after(state, one)).collect();
                let best = if mover == 0 { values.iter().max() } else { values.iter().min() };
                *best.expect("there is a move")
            }
        };
        self.known.insert(state.clone(), value);
        value
    }

    fn after(&mut self, state: &BitState, joint_move: &[MoveId]) -> u8 {
        let next = self.game.next(state, joint_move);
        self.value(&next)
    }

    /// Whose turn it is, and what may be done.
    fn joint_moves(&mut self, state: &BitState) -> (usize, Vec<[MoveId; 2]>) {
        let legal = legal_of_all(&mut self.game, state).expect("playable");
        let mover = usize::from(legal[0].len() == 1 && legal[1].len() > 1);
        let joint = |&id: &MoveId| if mover == 0 { [id, legal[1][0]] } else { [legal[0][0], id] };
        (mover, legal[mover].iter().map(joint).collect())
    }

    /// Any of the best moves.
    fn choose(&mut self, state: &BitState, rng: &mut Rng) -> [MoveId; 2] {
        let value = self.value(state);
        let (_, joint_moves) = self.joint_moves(state);
        let best: Vec<[MoveId; 2]> =
            joint_moves.into_iter().filter(|one| self.after(state, one) == value).collect();
        *best.choose(rng).expect("one of them is the best")
    }
}

/// What the player in `seat` gets against one that never errs.
fn play(perfect: &mut Perfect, agent: &mut dyn Agent, seat: usize, rng: &mut Rng) -> u8 {
    let mut state = perfect.game.initial();
    let mut told: Vec<Told> = Vec::new();
    while !perfect.game.is_terminal(&state) {
        let choice = agent.choose(&told, Clock::Plays(10_000), &Stop::new());
        let chosen = choice.expect("it does not fail").text;
        let best = perfect.choose(&state, rng);
        let mut texts: Vec<String> = best.iter().map(|&id| perfect.game.move_text(id)).collect();
        texts[seat] = chosen;
        let made = joint_move_of(&mut perfect.game, &state, &texts).expect("they are legal");
        state = perfect.game.next(&state, &made);
        told = vec![Told::JointMove(texts)];
    }
    perfect.game.goal(&state, RoleId::from_index(seat)).expect("it has one").value()
}

/// UCT and GRAVE never lose tic-tac-toe, from either side, in 200 games each.
#[test]
fn nobody_loses_tic_tac_toe_to_a_perfect_player() {
    let rules = games::find("tic-tac-toe").expect("it is embedded").rules;
    let program = program::check(&gdl::parse_kif(rules)).program.expect("no errors");
    let limits = ground::Limits { deadline: Deadline::NEVER, max_literals: 1_000_000 };
    let game = OneState::new(ground::ground(&program, &limits).expect("it is small"));
    let mut perfect = Perfect { game, known: HashMap::new() };
    let initial = perfect.game.initial();
    assert_eq!(perfect.value(&initial), 50, "it is a draw");
    let rules = Rules::new(&program, Deadline::NEVER).0;
    let mut rng = seeded_rng(1);
    for name in ["uct", "grave"] {
        let spec: PlayerSpec = name.parse().expect("there is such a player");
        for number in 0..200 {
            let seat = number % 2;
            let mut agent = rules.agent(&spec, RoleId::from_index(seat), number as u64);
            let goal = play(&mut perfect, agent.as_mut(), seat, &mut rng);
            assert_eq!(goal, 50, "{name} in match {number}");
        }
    }
}
