//! Ways to find out whether the fast machines of a game play by its rules.

use base::{Id as _, Rng, RoleId, seeded_rng};
use game::{
    Cut, Game, Goal, MoveId, MovesMade, Notes, OneByOne, Outcome, Passed, PlaysFrom, Stages as _,
    StatesPassed, Worth, legal_of_all, play_out,
};
use ground::{Formulas, GroundMoveId, Kind, Lit, Network};
use machine::{BitState, ManyStates, OneState};
use rand::RngExt as _;

/// Random plays of embedded games are shorter.
const MAX_STEPS: usize = 2_000;

/// The means of many plays at once and of `n_single` single plays differ by less than five standard errors.
pub fn assert_like_single_plays(name: &str, single: &mut OneState, n_single: usize) {
    let mut many = ManyStates::new(single.ground().clone());
    let n_many = 50 * n_single as u64;
    let sample = many.sample(n_many, MAX_STEPS as u32, &mut seeded_rng(1)).expect("playable");
    let initial = single.initial();
    let mut rng = seeded_rng(2);
    let outcomes: Vec<Outcome> = (0..n_single)
        .map(|_| play_out(single, &initial, MAX_STEPS, &mut rng).expect("playable"))
        .collect();
    let lengths: Vec<f64> = outcomes.iter().map(|outcome| outcome.n_steps as f64).collect();
    let n_playouts = sample.n_playouts as f64;
    assert_near(name, &lengths, sample.n_steps as f64 / n_playouts);
    for (role, &sum) in sample.goal_sums.iter().enumerate() {
        let goals = outcomes.iter().map(|outcome| f64::from(outcome.goals[role].value()));
        assert_near(name, &goals.collect::<Vec<_>>(), sum as f64 / n_playouts);
    }
}

/// Plays from states of all depths, more of them than go on at once, end like single plays from the
/// same states.
pub fn assert_plays_from_states(name: &str, single: &mut OneState, n_copies: usize) {
    let mut many = ManyStates::new(single.ground().clone());
    let mut rng = seeded_rng(5);
    let states = states_of_a_play(single, &mut rng);
    // Of long plays only some states, so that there is an end to it.
    let step = states.len().div_ceil(60);
    let starts: Vec<&BitState> = states.iter().step_by(step).collect();
    let plays = PlaysFrom::to_end(&starts, n_copies, MAX_STEPS);
    let mut made = MovesMade::new();
    let outcomes = many
        .play_out_from(&plays, &mut rng, &mut Notes { made: Some(&mut made), passed: None })
        .expect("playable");
    let outcome = |play: usize| {
        let goals = outcomes.goals(play).to_vec();
        Outcome { n_steps: outcomes.n_steps(play) as usize, goals }
    };
    // In which order moves were made is not told, so only short plays can be looked at.
    const SHORT: usize = 5;
    for play in (0..plays.n_plays()).filter(|&play| outcome(play).n_steps <= SHORT) {
        let (start, outcome) = (plays.state_of(play), outcome(play));
        let moves: Vec<(RoleId, MoveId)> = made.of_play(play).collect();
        assert!(may_end_like(single, start, &[], &moves, 0, &outcome), "{name}: {outcome:?}");
    }
    for (number, state) in starts.iter().enumerate() {
        let name = format!("{name} after {} moves", number * step);
        let plays = number * n_copies..(number + 1) * n_copies;
        let from_many: Vec<Outcome> = plays.map(outcome).collect();
        let from_single: Vec<Outcome> = (0..n_copies)
            .map(|_| play_out(single, state, MAX_STEPS, &mut rng).expect("playable"))
            .collect();
        let length = |outcome: &Outcome| outcome.n_steps as f64;
        let goal = |outcome: &Outcome| f64::from(outcome.goals[0].value());
        for value in [length, goal] {
            let single: Vec<f64> = from_single.iter().map(value).collect();
            let many: Vec<f64> = from_many.iter().map(value).collect();
            assert_same_mean(&name, &single, &many);
        }
    }
}

/// Plays that are cut off are worth what their last state is, unless they ended before, and the states that they pass
/// follow each other.
pub fn assert_plays_cut_off(name: &str, single: &mut OneState) {
    const N_STEPS: u32 = 3;
    let mut many = ManyStates::new(single.ground().clone());
    let mut rng = seeded_rng(6);
    let states = states_of_a_play(single, &mut rng);
    let starts: Vec<&BitState> = states.iter().step_by(states.len().div_ceil(60)).collect();
    let n_roles = single.roles().len();
    let worth = learnt_worth(&starts, n_roles);
    let cut = Some(Cut { n_steps: N_STEPS, worth: &worth });
    let plays = PlaysFrom { cut, ..PlaysFrom::to_end(&starts, 12, MAX_STEPS) };
    let mut passed = StatesPassed::default();
    passed.clear(0..=N_STEPS);
    let mut notes = Notes { made: None, passed: Some(&mut passed) };
    let outcomes = many.play_out_from(&plays, &mut rng, &mut notes).expect("playable");
    let mut of_plays: Vec<Vec<Passed<'_>>> = vec![Vec::new(); plays.n_plays()];
    passed.iter().for_each(|one| of_plays[one.play].push(one));
    for (play, passed) in of_plays.iter().enumerate() {
        let steps: Vec<u32> = passed.iter().map(|one| one.n_steps).collect();
        let n_steps = outcomes.n_steps(play);
        let start = plays.state_of(play);
        assert!(n_steps <= N_STEPS, "{name}");
        if single.is_terminal(start) {
            assert!(n_steps == 0 && steps.is_empty(), "{name}");
            continue;
        }
        assert_eq!(passed[0].state, start.words(), "{name}");
        // Either all states were passed, and it was cut off in the last, or the one after the last was the end.
        let mut values = Vec::new();
        worth.estimate(passed[passed.len() - 1].state, &mut values);
        let goals = outcomes.goals(play).iter().map(|goal| i32::from(goal.value()));
        let is_estimate = goals.eq(values.iter().map(|value| value.round() as i32));
        let is_cut = steps.len() == N_STEPS as usize + 1;
        assert!(steps.iter().copied().eq(0..steps.len() as u32), "{name}: {steps:?}");
        assert!(if is_cut { is_estimate } else { n_steps == steps.len() as u32 }, "{name}");
        if let [first, second, ..] = passed.as_slice() {
            assert!(follows(single, start, second.state), "{name}: {first:?} {second:?}");
        }
    }
}

/// Something that is learnt of these states: later ones are better for the first role.
fn learnt_worth(states: &[&BitState], n_roles: usize) -> Worth {
    let mut worth = Worth::new(64 * states[0].words().len(), n_roles);
    for (number, state) in states.iter().enumerate().cycle().take(640) {
        let goal = |role: usize| if role == 0 { number.min(100) } else { 50 };
        let goals = (0..n_roles).map(|role| u8::try_from(goal(role)).ok().and_then(Goal::new));
        let goals: Option<Vec<Goal>> = goals.collect();
        worth.learn(state.words(), &goals.expect("they are goals"));
    }
    worth.settle(1.0);
    worth
}

/// Whether a state may follow another, if there are not too many that may.
fn follows(game: &mut OneState, state: &BitState, next: &[u64]) -> bool {
    const MANY: usize = 2_000;
    let legal = legal_of_all(game, state).expect("playable");
    let n_joint = legal.iter().map(Vec::len).fold(1, usize::saturating_mul);
    let mut is_found = n_joint > MANY;
    for number in 0..n_joint.min(MANY) {
        let mut rest = number;
        let mut pick = |moves: &Vec<MoveId>| {
            let place = rest % moves.len();
            rest /= moves.len();
            moves[place]
        };
        let joint_move: Vec<MoveId> = legal.iter().map(&mut pick).collect();
        is_found |= game.next(state, &joint_move).words() == next;
    }
    is_found
}

/// Whether a play may end like this after `n_steps` in which the roles after those of `joint_move` make some of
/// these moves, in any order but all of them until the end, and the only legal one where they have no choice.
fn may_end_like(
    game: &mut OneState,
    state: &BitState,
    joint_move: &[MoveId],
    moves: &[(RoleId, MoveId)],
    n_steps: usize,
    outcome: &Outcome,
) -> bool {
    may_end_without(game, state, joint_move, moves, &mut Vec::new(), n_steps, outcome)
}

/// The same, where some of the moves were made before.
fn may_end_without(
    game: &mut OneState,
    state: &BitState,
    joint_move: &[MoveId],
    moves: &[(RoleId, MoveId)],
    before: &mut Vec<(RoleId, MoveId)>,
    n_steps: usize,
    outcome: &Outcome,
) -> bool {
    let n_roles = game.roles().len();
    if game.is_terminal(state) {
        let goals = RoleId::first(n_roles).map(|role| game.goal(state, role).expect("it has one"));
        return moves.iter().all(|named| before.contains(named))
            && n_steps == outcome.n_steps
            && goals.eq(outcome.goals.clone());
    }
    if n_steps >= outcome.n_steps {
        return false;
    }
    if joint_move.len() == n_roles {
        let next = game.next(state, joint_move);
        return may_end_without(game, &next, &[], moves, before, n_steps + 1, outcome);
    }
    let role = RoleId::from_index(joint_move.len());
    let mut legal = Vec::new();
    game.legal_moves(state, role, &mut legal);
    let is_only = legal.len() == 1;
    legal.retain(|id| is_only || moves.contains(&(role, *id)));
    legal.into_iter().any(|id| {
        before.push((role, id));
        let with = [joint_move, &[id]].concat();
        let may_end = may_end_without(game, state, &with, moves, before, n_steps, outcome);
        before.pop();
        may_end
    })
}

/// The stages of many states, of all depths, are those that are found one by one.
pub fn assert_stages(name: &str, single: &mut OneState, n_plays: usize) {
    let mut many = ManyStates::new(single.ground().clone());
    let mut rng = seeded_rng(6);
    let states: Vec<BitState> =
        (0..n_plays).flat_map(|_| states_of_a_play(single, &mut rng)).collect();
    let states: Vec<&BitState> = states.iter().collect();
    let [mut found, mut expected] = [Vec::new(), Vec::new()];
    many.legal_in(single, &states, &mut found);
    OneByOne.legal_in(single, &states, &mut expected);
    found.iter_mut().chain(&mut expected).for_each(|moves| moves.sort_unstable());
    assert_eq!(found, expected, "{name}");
    let is_open = |place: &usize| !expected[place * single.roles().len()].is_empty();
    let open: Vec<&BitState> =
        (0..states.len()).filter(is_open).map(|place| states[place]).collect();
    let joint_moves = open
        .iter()
        .flat_map(|state| game::random_joint_move(single, state, &mut rng).expect("playable"));
    let joint_moves: Vec<MoveId> = joint_moves.collect();
    let is_wanted = |number: usize| !number.is_multiple_of(3);
    let found = many.after(single, &open, &joint_moves, is_wanted);
    assert!(found == OneByOne.after(single, &open, &joint_moves, is_wanted), "{name}");
}

/// The formulas for moves that win at once, and for moves after which somebody does, say what making these moves says,
/// and plays that look ahead end with one that wins where there is one, and otherwise begin with one that leads to a
/// win, or with none that loses if there are others. Returns in how many states there were such moves.
pub fn assert_look_ahead(name: &str, single: &mut OneState, n_plays: usize) -> LookedAhead {
    let ground = single.ground().clone();
    let seen: Vec<Option<ground::LookAhead>> =
        (0..ground.phases.len()).map(|phase| ground.look_ahead(phase, 2)).collect();
    let mut many = ManyStates::new(ground.clone());
    let looks_ahead = many.look_ahead(2);
    let mut rng = seeded_rng(8);
    let mut counts = LookedAhead::default();
    for _ in 0..n_plays {
        let states = states_of_a_play(single, &mut rng);
        for (state, number) in states[..states.len() - 1].iter().zip((0..seen.len()).cycle()) {
            let Some(seen) = &seen[number] else { continue };
            let text = single.state_text(state);
            let winning = moves_that_win(single, state, seen.role);
            assert_eq!(moves_of_formulas(single, state, seen, &seen.wins), winning, "{text:?}");
            counts.n_won += usize::from(!winning.is_empty());
            let mut replies = moves_of_formulas(single, state, seen, &seen.replies);
            // Of moves that win they say nothing.
            replies.retain(|id| !winning.contains(id));
            counts.n_missed += assert_replies_seen(single, state, seen, &replies);
            counts.n_replies += replies.len();
            let mut legal = Vec::new();
            single.legal_moves(state, seen.role, &mut legal);
            // Moves that lead to an own win are preferred, so all others are as if they lost.
            let is_own = seen.replier == seen.role;
            counts.n_own += if is_own { replies.len() } else { 0 };
            let losing: Vec<MoveId> =
                legal.iter().copied().filter(|id| replies.contains(id) != is_own).collect();
            if !looks_ahead || winning.is_empty() && losing.is_empty() {
                continue;
            }
            let one = [state];
            let plays = PlaysFrom::to_end(&one, 20, MAX_STEPS);
            let mut made = MovesMade::new();
            let outcomes = many
                .play_out_from(&plays, &mut rng, &mut Notes { made: Some(&mut made), passed: None })
                .expect("playable");
            let all_lose = legal.iter().all(|id| losing.contains(id));
            for play in 0..20 {
                let has_won = outcomes.goals(play)[seen.role.index()].value() == 100;
                let is_won_at_once = outcomes.n_steps(play) == 1 && has_won;
                assert!(winning.is_empty() || is_won_at_once, "{name}: {text:?}");
                let mut firsts = made.of_play(play).filter(|(role, _)| *role == seen.role);
                let loses =
                    outcomes.n_steps(play) <= 2 && firsts.any(|(_, id)| losing.contains(&id));
                assert!(!winning.is_empty() || all_lose || !loses, "{name}: {text:?}");
                let is_led_to_win = outcomes.n_steps(play) == 2 && has_won;
                let must_win = winning.is_empty() && is_own && !replies.is_empty();
                assert!(!must_win || is_led_to_win, "{name}: {text:?}");
            }
        }
    }
    counts
}

/// After moves with a reply that is seen to win there is such a reply. Returns after how many others there is one: none
/// unless rare ways to win are left out.
fn assert_replies_seen(
    game: &mut OneState,
    state: &BitState,
    seen: &ground::LookAhead,
    replies: &[MoveId],
) -> usize {
    if seen.replies.is_empty() {
        return 0;
    }
    let text = game.state_text(state);
    let expected = moves_after_which(game, state, seen.role, |game, next| {
        !game.is_terminal(next) && !moves_that_win(game, next, seen.replier).is_empty()
    });
    assert!(replies.iter().all(|id| expected.contains(id)), "{text:?}");
    let n_missed = expected.len() - replies.len();
    assert!(n_missed == 0 || seen.leaves_out, "{text:?}");
    n_missed
}

/// In how many states there were moves that win at once, how many moves were seen after which somebody does, after how
/// many of these it is the same role, and how many were not seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LookedAhead {
    pub n_won: usize,
    pub n_replies: usize,
    pub n_own: usize,
    pub n_missed: usize,
}

/// A machine that looks ahead sees replies that win where there are such, and no others; what the roles get then is
/// what they get when one of them is made. Returns how many there were.
pub fn assert_replies(name: &str, single: &mut OneState, n_plays: usize) -> usize {
    let mut many = ManyStates::new(single.ground().clone());
    assert!(many.look_ahead(2), "{name}");
    let mut rng = seeded_rng(9);
    let mut n_replies = 0;
    for _ in 0..n_plays {
        let states = states_of_a_play(single, &mut rng);
        let states: Vec<&BitState> = states[..states.len() - 1].iter().collect();
        let joint_moves: Vec<MoveId> = states
            .iter()
            .flat_map(|state| game::random_joint_move(single, state, &mut rng).expect("playable"))
            .collect();
        let after = many.after(single, &states, &joint_moves, |_| true);
        for after in after.iter().filter(|after| after.goals.is_none()) {
            let possible = goals_of_wins(single, after.state.as_ref().expect("it was asked for"));
            match &after.reply {
                Some(goals) => assert!(possible.contains(goals), "{name}: {goals:?}"),
                None => assert!(possible.is_empty(), "{name}: {possible:?}"),
            }
            n_replies += usize::from(after.reply.is_some());
        }
    }
    n_replies
}

/// What all roles get after moves that win at once, of those who have a choice.
fn goals_of_wins(game: &mut OneState, state: &BitState) -> Vec<Vec<game::Goal>> {
    let roles: Vec<RoleId> = RoleId::first(game.roles().len()).collect();
    let mut legal = Vec::new();
    let mut joint_move = Vec::new();
    let mut choosers = Vec::new();
    for &role in &roles {
        game.legal_moves(state, role, &mut legal);
        joint_move.push(legal[0]);
        choosers.extend((legal.len() > 1).then_some(role));
    }
    // Where nobody has a choice, whose turn it is cannot be told from that.
    let choosers = if choosers.is_empty() { roles.clone() } else { choosers };
    let mut goals = Vec::new();
    for role in choosers {
        for id in moves_that_win(game, state, role) {
            let mut joint_move = joint_move.clone();
            joint_move[role.index()] = id;
            let next = game.next(state, &joint_move);
            let of_role = |&role: &RoleId| game.goal(&next, role).expect("it has one");
            goals.push(roles.iter().map(of_role).collect());
        }
    }
    goals
}

/// The legal moves of a role, which alone has a choice, after which it has won; each is made.
fn moves_that_win(game: &mut OneState, state: &BitState, role: RoleId) -> Vec<MoveId> {
    moves_after_which(game, state, role, |game, next| {
        game.is_terminal(next) && game.goal(next, role).is_ok_and(|goal| goal.value() == 100)
    })
}

/// The legal moves of a role, which alone has a choice, after which something holds; each is made.
fn moves_after_which(
    game: &mut OneState,
    state: &BitState,
    role: RoleId,
    mut holds: impl FnMut(&mut OneState, &BitState) -> bool,
) -> Vec<MoveId> {
    let mut legal = Vec::new();
    let mut joint_move = Vec::new();
    for role in RoleId::first(game.roles().len()) {
        game.legal_moves(state, role, &mut legal);
        joint_move.push(legal[0]);
    }
    game.legal_moves(state, role, &mut legal);
    legal.retain(|&id| {
        joint_move[role.index()] = id;
        let next = game.next(state, &joint_move);
        holds(game, &next)
    });
    legal.sort_unstable();
    legal
}

/// The legal moves for which something holds by the formulas.
fn moves_of_formulas(
    game: &mut OneState,
    state: &BitState,
    seen: &ground::LookAhead,
    of_moves: &[(GroundMoveId, Lit)],
) -> Vec<MoveId> {
    let mut holds = vec![false; seen.network.n_nodes()];
    holds[0] = true;
    let fluents = game.ground().fluents.iter();
    let in_state = game.state_text(state);
    for (value, fluent) in holds[1..].iter_mut().zip(fluents) {
        *value = in_state.contains(fluent);
    }
    seen.network.evaluate_one(&mut holds);
    let mut legal = Vec::new();
    game.legal_moves(state, seen.role, &mut legal);
    let holds = of_moves.iter().filter(|(_, lit)| holds[lit.node()] != lit.is_negative());
    let holds = holds.map(|(id, _)| MoveId::from_index(id.index()));
    holds.filter(|id| legal.contains(id)).collect()
}

/// The states of a random play.
pub fn states_of_a_play(game: &mut OneState, rng: &mut Rng) -> Vec<BitState> {
    let mut states = vec![game.initial()];
    loop {
        let mut state = states[states.len() - 1].clone();
        if game.is_terminal(&state) {
            return states;
        }
        let joint_move = game::random_joint_move(game, &state, rng).expect("playable");
        game.advance(&mut state, &joint_move);
        states.push(state);
    }
}

/// The means differ by less than five standard errors of their difference.
fn assert_same_mean(name: &str, one: &[f64], other: &[f64]) {
    let moments = |values: &[f64]| {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / n;
        (mean, variance / n)
    };
    let ((mean, error), (other_mean, other_error)) = (moments(one), moments(other));
    let bound = 5.0 * (error + other_error).sqrt() + 1e-9;
    assert!((mean - other_mean).abs() <= bound, "{name}: {mean} and {other_mean}");
}

fn assert_near(name: &str, single: &[f64], mean_of_many: f64) {
    let n = single.len() as f64;
    let mean = single.iter().sum::<f64>() / n;
    let variance = single.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / n;
    // A rare outcome may be in none of the single plays, so that they seem to vary less than they do.
    let bound = 5.0 * (variance / n).sqrt() + 100.0 / n;
    assert!((mean - mean_of_many).abs() <= bound, "{name}: {mean} and {mean_of_many}");
}

/// Whether a formula holds where the inputs have these values; the slow and obvious way.
fn holds(network: &Network, lit: Lit, values: &mut Vec<Option<bool>>) -> bool {
    let value = values[lit.node()].unwrap_or_else(|| {
        let parts = network.parts(lit.node()).to_vec();
        let value = match network.kind(lit.node()) {
            Kind::And => parts.iter().all(|&part| holds(network, part, values)),
            _ => parts.iter().any(|&part| holds(network, part, values)),
        };
        values[lit.node()] = Some(value);
        value
    });
    value != lit.is_negative()
}

/// What formulas say of a state and the moves made in it.
fn evaluate(formulas: &Formulas, inputs: &[bool]) -> Vec<bool> {
    let mut values: Vec<Option<bool>> = vec![None; formulas.network.n_nodes()];
    values[0] = Some(true);
    for (value, input) in values[1..].iter_mut().zip(inputs) {
        *value = Some(*input);
    }
    let lits = formulas.legal.iter().chain(formulas.next.iter()).copied();
    let goals = formulas.goals.iter().flatten().map(|(_, lit)| *lit);
    let lits = lits.chain([formulas.terminal]).chain(goals);
    lits.map(|lit| holds(&formulas.network, lit, &mut values)).collect()
}

/// The formulas of a phase, in which much is left out and shared, say of every state of the phase
/// what those of the game say: in the first `max_states` states of a random play.
pub fn assert_formulas_of_phases(name: &str, game: &mut OneState, max_states: usize) {
    let ground = game.ground().clone();
    let phases: Vec<Formulas> = ground.phases.iter().map(|p| ground.in_phase(p)).collect();
    let mut rng = seeded_rng(5);
    let mut state = game.initial();
    for n_steps in 0..max_states {
        if game.is_terminal(&state) {
            break;
        }
        let made = game::random_joint_move(game, &state, &mut rng).expect("playable");
        let texts = game.state_text(&state);
        let fluents = ground.fluents.iter().map(|fluent| texts.contains(fluent));
        let moves = (0..ground.moves.len()).map(|n| made.iter().any(|id| id.index() == n));
        let inputs: Vec<bool> = fluents.chain(moves).collect();
        let of_phase = evaluate(&phases[n_steps % phases.len()], &inputs);
        let of_game = evaluate(&ground.formulas, &inputs);
        assert_eq!(of_phase, of_game, "{name} after {n_steps} steps");
        state = game.next(&state, &made);
    }
}

/// A machine that has seen other states before, near and far, says the same of a state as one that
/// has not: in `n_states` states.
pub fn assert_forgets_what_was_asked(name: &str, new: &OneState, n_states: usize) {
    let mut used = new.clone();
    let mut rng = seeded_rng(11);
    let plays: Vec<Vec<BitState>> = (0..4).map(|_| states_of_a_play(&mut used, &mut rng)).collect();
    for _ in 0..n_states.div_ceil(3) {
        let play = &plays[rng.random_range(0..plays.len())];
        let first = rng.random_range(0..play.len());
        for state in play.iter().skip(first).take(3) {
            assert_same_answers(name, &mut used, &mut new.clone(), state, &mut rng);
        }
    }
}

fn assert_same_answers(
    name: &str,
    one: &mut OneState,
    other: &mut OneState,
    state: &BitState,
    rng: &mut Rng,
) {
    assert_eq!(one.is_terminal(state), other.is_terminal(state), "{name}");
    for role in RoleId::first(one.roles().len()) {
        let (mut moves, mut other_moves) = (Vec::new(), Vec::new());
        one.legal_moves(state, role, &mut moves);
        other.legal_moves(state, role, &mut other_moves);
        assert_eq!(moves, other_moves, "{name}");
    }
    if !one.is_terminal(state) {
        let joint_move = game::random_joint_move(one, state, rng).expect("playable");
        assert_eq!(one.next(state, &joint_move), other.next(state, &joint_move), "{name}");
    }
}
