//! Games for tests.

use base::{Deadline, RoleId};
use ground::GroundProgram;
use machine::OneState;

use crate::{Concept, Information, Limits, Question, solve};

/// The rules of a game, grounded.
pub(crate) fn ground(rules: &str) -> GroundProgram {
    let program = program::check(&gdl::parse_kif(rules)).program.expect("no errors");
    let limits = ground::Limits { deadline: Deadline::NEVER, max_literals: 1_000_000 };
    ground::ground(&program, &limits).expect("it is small")
}

/// The rules of an embedded game.
pub(crate) fn embedded(name: &str) -> &'static str {
    games::find(name).expect("it is embedded").rules
}

/// Heaps from which one takes any number; who takes the last wins.
pub(crate) fn nim(heaps: &[u32]) -> String {
    let heap = |(n, size): (usize, &u32)| format!("(init (heap {n} {size}))");
    let inits: Vec<String> = heaps.iter().enumerate().map(heap).collect();
    let less: Vec<String> =
        (0..8).flat_map(|b| (0..b).map(move |a| format!("(less {a} {b})"))).collect();
    format!(
        "(role a) (role b) (init (control a)) {} {}
         (other a b) (other b a)
         (<= (legal ?p (take ?h ?n)) (true (control ?p)) (true (heap ?h ?m)) (less ?n ?m))
         (<= (legal ?p noop) (other ?p ?q) (true (control ?q)))
         (<= (next (control ?q)) (true (control ?p)) (other ?p ?q))
         (<= (taken ?h) (does ?p (take ?h ?n)))
         (<= (next (heap ?h ?n)) (does ?p (take ?h ?n)))
         (<= (next (heap ?h ?n)) (true (heap ?h ?n)) (not (taken ?h)))
         (<= left (true (heap ?h ?n)) (less 0 ?n))
         (<= terminal (not left))
         (<= (goal ?p 0) (true (control ?p)))
         (<= (goal ?q 100) (true (control ?p)) (other ?p ?q))",
        inits.join(" "),
        less.join(" ")
    )
}

/// What a move in nim is worth to the role that moves first, as the solver says.
pub(crate) fn value_in_nim(heaps: &[u32], text: &str) -> f64 {
    let words: Vec<&str> = text.trim_matches(['(', ')']).split(' ').collect();
    let [_, heap, n_left] = words[..] else { panic!("{text} takes nothing") };
    let mut heaps = heaps.to_vec();
    heaps[heap.parse::<usize>().expect("a number")] = n_left.parse().expect("a number");
    let role = RoleId::first(2).next().expect("there are two");
    // It is the turn of the other role then.
    100.0 - maximin_value(&mut OneState::new(ground(&nim(&heaps))), role)
}

/// What a game is worth to a role if others do their worst, as the solver says.
pub(crate) fn maximin_value(game: &mut OneState, role: RoleId) -> f64 {
    let question = Question { role, concept: Concept::MAXIMIN, information: Information::Full };
    let limits = Limits { deadline: Deadline::NEVER, max_states: usize::MAX };
    solve(game, question, &limits).expect("playable").value.low
}
