//! From what searches say to what a player thinks.

use std::time::Duration;

use game::Game;
use search::{Report, Work};

use crate::agent::{MoveThought, Thoughts};

/// What a search says, in words, and what it did since it had done `before`.
pub(crate) fn thoughts_of<G: Game>(report: &Report, game: &G, before: Work) -> Thoughts {
    let moves = report.moves.iter().map(|one| MoveThought {
        text: game.move_text(one.id),
        value: one.value,
        is_exact: one.is_exact,
        width: one.width,
        n_visits: one.n_visits,
        share: one.share,
    });
    let joint = |ids: &Vec<game::MoveId>| ids.iter().map(|&id| game.move_text(id)).collect();
    Thoughts {
        moves: moves.collect(),
        variation: report.variation.iter().map(joint).collect(),
        n_plays: report.work.n_plays,
        work: report.work - before,
        time: Duration::ZERO,
        n_nodes: report.n_nodes,
        bounds: report.bounds,
    }
}

/// What several searches of the same state say together: a move is worth the mean of all plays with it, and
/// one that is known for sure by some is known.
pub(crate) fn merge(mut answers: Vec<Thoughts>) -> Option<Thoughts> {
    let n_answers = answers.len() as f64;
    // Who knows a way to win knows the shortest that was found.
    if let Some(winner) = answers.iter().position(is_won) {
        answers.swap(0, winner);
    }
    let mut answers = answers.into_iter();
    let mut all = answers.next()?;
    let is_pure = is_pure(&all);
    for other in answers {
        for one in &mut all.moves {
            let same = other.moves.iter().find(|other| other.text == one.text);
            same.into_iter().for_each(|other| add(one, other));
        }
        all.n_plays += other.n_plays;
        all.work += other.work;
        all.n_nodes += other.n_nodes;
        let [low, high] = other.bounds;
        all.bounds = [all.bounds[0].max(low), all.bounds[1].min(high)];
    }
    all.moves.iter_mut().for_each(|one| one.share /= n_answers);
    if n_answers > 1.0 && is_pure && !is_won(&all) {
        sort(&mut all.moves);
    }
    Some(all)
}

/// What is thought of a state that may be any of several, each with what is thought of it and how likely it is: a move
/// is worth the mean over all of them.
pub(crate) fn in_all_worlds(worlds: &[(Thoughts, f64)]) -> Option<Thoughts> {
    let total: f64 = worlds.iter().map(|(_, weight)| weight).sum();
    let (mut all, _) = worlds.first()?.clone();
    let is_pure = |(one, _): &(Thoughts, f64)| is_pure(one);
    let is_pure = worlds.iter().all(is_pure);
    for one in &mut all.moves {
        let in_worlds = worlds.iter().filter_map(|(thoughts, weight)| {
            Some((thoughts.moves.iter().find(|other| other.text == one.text)?, weight / total))
        });
        let mean = |of: &dyn Fn(&MoveThought) -> f64| -> f64 {
            in_worlds.clone().map(|(other, weight)| weight * of(other)).sum()
        };
        let (value, share) = (mean(&|other| other.value), mean(&|other| other.share));
        // The errors of independent means add up as squares.
        let width = in_worlds.clone().map(|(other, weight)| weight * other.width);
        let width = width.fold(0.0, f64::hypot);
        let is_exact = in_worlds.clone().all(|(other, _)| other.is_exact);
        let n_visits = in_worlds.clone().map(|(other, _)| other.n_visits).sum();
        *one = MoveThought { text: one.text.clone(), value, is_exact, width, n_visits, share };
    }
    all.n_plays = worlds.iter().map(|(one, _)| one.n_plays).sum();
    all.n_nodes = worlds.iter().map(|(one, _)| one.n_nodes).sum();
    all.work = Work::default();
    worlds.iter().for_each(|(one, _)| all.work += one.work);
    let bound = |place: usize| {
        worlds.iter().map(|(one, weight)| weight / total * one.bounds[place]).sum::<f64>()
    };
    all.bounds = [bound(0), bound(1)];
    if is_pure {
        // Of moves that are worth the same, that one of which more is known.
        let surely = |one: &MoveThought| one.value - one.width;
        all.moves.sort_by(|one, other| surely(other).total_cmp(&surely(one)));
        make_the_first(&mut all.moves);
    }
    Some(all)
}

/// Whether one move should always be made.
fn is_pure(thoughts: &Thoughts) -> bool {
    thoughts.moves.iter().filter(|one| one.share > 0.0).count() == 1
}

fn make_the_first(moves: &mut [MoveThought]) {
    let shares = std::iter::once(1.0).chain(std::iter::repeat(0.0));
    moves.iter_mut().zip(shares).for_each(|(one, share)| one.share = share);
}

fn is_won(thoughts: &Thoughts) -> bool {
    thoughts.moves.first().is_some_and(|best| best.is_exact && best.value >= 100.0)
}

fn add(one: &mut MoveThought, other: &MoveThought) {
    let n_visits = one.n_visits + other.n_visits;
    let sum = one.value * one.n_visits as f64 + other.value * other.n_visits as f64;
    one.value = match (one.is_exact, other.is_exact) {
        (true, _) => one.value,
        (false, true) => other.value,
        (false, false) => sum / n_visits.max(1) as f64,
    };
    one.is_exact |= other.is_exact;
    // The errors of independent sums add up as squares.
    let error = |one: &MoveThought| one.width * one.n_visits as f64;
    let error = error(one).hypot(error(other));
    one.width = if one.is_exact { 0.0 } else { error / n_visits.max(1) as f64 };
    one.n_visits = n_visits;
    one.share += other.share;
}

/// By what is known where that is better than the best guess, then by plays, then by how many searches would
/// make it; the first is made.
fn sort(moves: &mut [MoveThought]) {
    moves.sort_by(|one, other| {
        let by_share = other.share.total_cmp(&one.share);
        other.n_visits.cmp(&one.n_visits).then(by_share)
    });
    let guess = moves.iter().find(|one| !one.is_exact).map_or(f64::NEG_INFINITY, |one| one.value);
    let rank = |one: &MoveThought| match one.is_exact {
        true if one.value >= guess => 0,
        false => 1,
        true => 2,
    };
    moves.sort_by(|one, other| {
        let by_value = match one.is_exact && other.is_exact {
            true => other.value.total_cmp(&one.value),
            false => std::cmp::Ordering::Equal,
        };
        rank(one).cmp(&rank(other)).then(by_value)
    });
    make_the_first(moves);
}

#[cfg(test)]
mod tests {
    use search::Work;

    use super::*;

    fn thoughts(moves: &[(&str, f64, bool, u64)]) -> Thoughts {
        let thought = |&(text, value, is_exact, n_visits): &(&str, f64, bool, u64)| MoveThought {
            width: 0.0,
            text: text.to_owned(),
            value,
            is_exact,
            n_visits,
            share: 0.0,
        };
        let mut moves: Vec<MoveThought> = moves.iter().map(thought).collect();
        moves[0].share = 1.0;
        let n_plays = moves.iter().map(|one| one.n_visits).sum();
        let (variation, time) = (Vec::new(), Duration::ZERO);
        Thoughts {
            moves,
            variation,
            n_plays,
            work: Work::plays(n_plays),
            time,
            n_nodes: 1,
            bounds: [0.0, 100.0],
        }
    }

    #[test]
    fn a_state_that_is_not_known_is_worth_the_mean() {
        let one = thoughts(&[("a", 90.0, true, 50), ("b", 60.0, false, 30)]);
        let other = thoughts(&[("b", 60.0, false, 60), ("a", 10.0, false, 20)]);
        let all = in_all_worlds(&[(one.clone(), 0.75), (other.clone(), 0.25)]).unwrap();
        assert_eq!((all.moves[0].text.as_str(), all.moves[0].value), ("a", 70.0));
        assert!(!all.moves[0].is_exact && all.n_plays == 160);
        let all = in_all_worlds(&[(one, 1.0), (other, 1.0)]).unwrap();
        let shares: Vec<f64> = all.moves.iter().map(|one| one.share).collect();
        assert_eq!((all.moves[0].text.as_str(), shares), ("b", vec![1.0, 0.0]));
        assert_eq!(in_all_worlds(&[]), None);
    }

    #[test]
    fn what_several_searches_say_is_put_together() {
        let one = thoughts(&[("a", 60.0, false, 50), ("b", 40.0, false, 30)]);
        let other = thoughts(&[("b", 60.0, false, 60), ("a", 40.0, false, 20)]);
        let all = merge(vec![one.clone(), other]).unwrap();
        assert_eq!((all.moves[0].text.as_str(), all.moves[0].n_visits), ("b", 90));
        assert!((all.moves[0].value - (40.0 * 30.0 + 60.0 * 60.0) / 90.0).abs() < 1e-9);
        assert_eq!(all.moves.iter().map(|one| one.share).collect::<Vec<_>>(), [1.0, 0.0]);
        assert_eq!(all.n_plays, 160);
        let lost = thoughts(&[("b", 50.0, false, 60), ("a", 0.0, true, 20)]);
        let all = merge(vec![one.clone(), lost]).unwrap();
        assert_eq!((all.moves[0].text.as_str(), all.moves[1].is_exact), ("b", true));
        let won = thoughts(&[("a", 100.0, true, 1), ("b", 50.0, false, 60)]);
        assert_eq!(merge(vec![one, won]).unwrap().moves[0].text, "a");
        assert_eq!(merge(Vec::new()), None);
    }
}
