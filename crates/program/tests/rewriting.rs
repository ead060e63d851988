//! Rules in, text out: what the checks say, and what rules become.

use expect_test::{Expect, expect};
use gdl::Source;

/// A game without problems, to which the tests add rules.
const GAME: &str = "(role white) (init (step 1)) (<= (legal white wait) (true (step 1)))
(<= (next (step 2)) (does white wait)) (<= terminal (true (step 2))) (goal white 100)
";

/// Checks the game with `rules`: the problems, then the rules that are not in the game itself.
fn check(rules: &str, expected: &Expect) {
    let text = format!("{GAME}{rules}");
    let checked = program::check(&gdl::parse_kif(&text));
    let source = Source::new("test", text.as_str());
    let mut shown = String::new();
    for problem in &checked.diagnostics {
        let position = source.position(problem.span.start);
        // The game has two lines.
        let line = position.line - 2;
        shown += &format!("{line}:{} {}: {}\n", position.column, problem.code, problem.message);
    }
    if let Some(program) = checked.program {
        let game = program::check(&gdl::parse_kif(GAME)).program.expect("it has no problem");
        let known: Vec<String> = game.to_string().lines().map(str::to_owned).collect();
        let rules = program.rules().iter().map(|rule| program.display_rule(rule).to_string());
        let is_known = |rule: &String| rule.lines().all(|line| known.contains(&line.to_owned()));
        for rule in rules.filter(|rule| !is_known(rule)) {
            shown += &(rule + "\n");
        }
    }
    expected.assert_eq(&shown);
}

#[test]
fn or_gives_a_rule_for_each_alternative() {
    check(
        "(<= (next (at ?x ?y)) (true (step ?x)) (true (step ?y)) (or (distinct ?x 1) (not (true (step 2)))))
         (<= (next lit) (or (true (at 1 ?x)) (or (true (at ?x 1)) (true (at 2 ?x)))))",
        &expect![[r#"
            2:46 nested-or: this `or` stands in another one; they are read as one
            (<= (next (at ?x ?y))
                (true (step ?x))
                (true (step ?y))
                (distinct ?x 1))
            (<= (next (at ?x ?y))
                (true (step ?x))
                (true (step ?y))
                (not (true (step 2))))
            (<= (next lit)
                (true (at 1 ?x)))
            (<= (next lit)
                (true (at ?x 1)))
            (<= (next lit)
                (true (at 2 ?x)))
        "#]],
    );
}

#[test]
fn negations_are_moved_inwards_and_equalities_resolved() {
    check(
        "(<= (next (at ?x ?y)) (true (step ?x)) (true (step ?y)) (not (distinct (f ?x 1) (f ?y ?x))))
         (<= (next lit) (true (step ?x)) (not (or (true (at ?x 1)) (not (true (at 1 ?x))))))
         (<= (next dark) (true (step ?x)) (not (distinct ?x (f ?x))))",
        &expect![[r#"
            1:57 negated-formula: GDL has no equality; the two terms are made one
            2:42 negated-formula: `not` should hold an atom; it is moved inwards
            3:43 negated-formula: GDL has no equality; the two terms are made one
            3:62 two-arities: the function `f` has 2 arguments and 1 argument; they are read as two functions
            (<= (next (at 1 1))
                (true (step 1))
                (true (step 1)))
            (<= (next lit)
                (true (step ?x))
                (not (true (at ?x 1)))
                (true (at 1 ?x)))
        "#]],
    );
}

#[test]
fn safety_looks_into_each_branch() {
    check(
        "(<= (next (a ?x)) (or (true (step ?x)) (true (step 2))))
         (<= (next (a ?x)) (true (step 2)) (or (distinct ?x 1) (true (a ?x))))
         (<= (next (a ?x)) (or (true (a ?x)) (true (step ?x))) (not (true (step ?x))))
         (<= (next (a ?x)) (not (true (a ?x))))",
        &expect![[r#"
            1:14 unsafe-variable: ?x has no value when another branch of the `or` holds
            2:23 unsafe-variable: ?x has no value when another branch of the `or` holds
            4:23 unsafe-variable: ?x stands in no positive condition of this rule
        "#]],
    );
}

#[test]
fn what_is_stratified_by_rules_only_is_split() {
    check(
        "(goal black 0) (role black) (legal black wait)
         (<= (rank ?x low) (true (step ?x)) (not (rank ?x high)) (not (rank ?x middle)))
         (<= (rank ?x middle) (true (step ?x)) (not (rank ?x high)))
         (<= (rank ?x high) (true (step ?x)) (distinct ?x 1))
         (<= (next (top ?x ?r)) (rank ?x ?r))",
        &expect![[r#"
            (goal black 0)
            (role black)
            (legal black wait)
            (<= (rank ?x1 ?x2)
                (rank_2 ?x1 ?x2))
            (<= (rank_2 ?x low)
                (true (step ?x))
                (not (rank_0 ?x high))
                (not (rank_1 ?x middle)))
            (<= (rank ?x1 ?x2)
                (rank_1 ?x1 ?x2))
            (<= (rank_1 ?x middle)
                (true (step ?x))
                (not (rank_0 ?x high)))
            (<= (rank ?x1 ?x2)
                (rank_0 ?x1 ?x2))
            (<= (rank_0 ?x high)
                (true (step ?x))
                (distinct ?x 1))
            (<= (next (top ?x ?r))
                (rank ?x ?r))
        "#]],
    );
}

#[test]
fn a_real_circle_of_negations_is_refused() {
    check(
        "(<= (p ?x) (true (step ?x)) (not (q ?x)))
         (<= (q ?x) (true (step ?x)) (not (r ?x)))
         (<= (r ?x) (p ?x))
         (<= (next r) (r 1))",
        &expect![[r#"
            1:34 negative-cycle: `p` depends on its own negation, through `q`
            2:43 negative-cycle: `q` depends on its own negation, through `r`
        "#]],
    );
}

#[test]
fn variables_below_not_only_are_some() {
    check(
        "(<= (next (free ?c)) (true (step ?c)) (not (true (disc ?c ?_r))))
         (<= (next (open ?d)) (true (step ?d)) (not (true (disc ?d ?_s))) (not (true (disc ?_s ?_s))))
         (init (disc 1 2))",
        &expect![[r#"
            1:59 anonymous-in-not: ?_r stands below `not` only: the rule asks that no value fits
            2:68 anonymous-in-not: ?_s stands below `not` only: the rule asks that no value fits
            (<= (next (free ?c))
                (true (step ?c))
                (not (some_true ?c)))
            (<= (some_true ?c)
                (true (disc ?c ?_r)))
            (<= (next (open ?d))
                (true (step ?d))
                (not (some_true ?d))
                (not some_true_2))
            (<= some_true_2
                (true (disc ?_s ?_s)))
            (init (disc 1 2))
        "#]],
    );
}

#[test]
fn which_variables_are_hidden_makes_a_difference() {
    check(
        "(<= (next (a ?x)) (true (step ?x)) (not (true (p ?x ?_y))))
         (<= (next (b ?y)) (true (step ?y)) (not (true (p ?_x ?y))))
         (<= (next c) (not (true (p ?_x ?_y))))
         (init (p 1 2))",
        &expect![[r#"
            1:53 anonymous-in-not: ?_y stands below `not` only: the rule asks that no value fits
            2:59 anonymous-in-not: ?_x stands below `not` only: the rule asks that no value fits
            3:37 anonymous-in-not: ?_x stands below `not` only: the rule asks that no value fits
            3:41 anonymous-in-not: ?_y stands below `not` only: the rule asks that no value fits
            (<= (next (a ?x))
                (true (step ?x))
                (not (some_true ?x)))
            (<= (some_true ?x)
                (true (p ?x ?_y)))
            (<= (next (b ?y))
                (true (step ?y))
                (not (some_true_2 ?y)))
            (<= (some_true_2 ?y)
                (true (p ?_x ?y)))
            (<= (next c)
                (not some_true_3))
            (<= some_true_3
                (true (p ?_x ?_y)))
            (init (p 1 2))
        "#]],
    );
}

#[test]
fn a_hidden_variable_joins_nothing() {
    check(
        "(<= (next a) (not (and (true (p ?_y)) (true (q ?_y))))) (init (p 1)) (init (q 1))",
        &expect![[r#"
            1:14 negated-formula: `not` should hold an atom; it is moved inwards
            1:20 and-is-not-gdl: GDL has no `and`; its conditions are read one by one
            1:33 unsafe-variable: ?_y stands in no positive condition of this rule
        "#]],
    );
}

#[test]
fn a_keyword_used_as_a_relation_of_its_own_keeps_its_facts() {
    check(
        "(base 1 2) (base 2 3) (<= (next (step ?n)) (true (step ?m)) (base ?m ?n))",
        &expect![[r#"
            1:2 keyword-as-relation: `base` takes 1 argument, not 2; this is read as a relation of its own
            1:13 keyword-as-relation: `base` takes 1 argument, not 2; this is read as a relation of its own
            1:62 keyword-as-relation: `base` takes 1 argument, not 2; this is read as a relation of its own
            (base 1 2)
            (base 2 3)
            (<= (next (step ?n))
                (true (step ?m))
                (base ?m ?n))
        "#]],
    );
}

#[test]
fn what_is_legal_may_ask_for_the_end() {
    check(
        "(<= terminal (does white stop)) (<= (legal white stop) (not terminal))",
        &expect![[r#"
        1:14 terminal-depends-on-moves: `terminal` should not depend on moves: in a state there are none
        (<= (legal white stop)
            (not terminal))
    "#]],
    );
}

#[test]
fn terminal_is_asked_before_the_moves() {
    check(
        "(<= terminal (quiet 1))
         (<= (quiet ?x) (true (step ?x)) (not (noisy ?x)))
         (<= (noisy ?x) (true (step ?x)) (does white wait))
         (<= (noisy ?x) (true (loud ?x)) (not (does white wait)))
         (<= (next (loud ?x)) (quiet ?x))",
        &expect![[r#"
            1:14 terminal-depends-on-moves: `terminal` should not depend on moves, through `quiet`: in a state there are none
            (<= terminal
                (quiet_before_moves 1))
            (<= (quiet ?x)
                (true (step ?x))
                (not (noisy ?x)))
            (<= (quiet_before_moves ?x)
                (true (step ?x))
                (not (noisy_before_moves ?x)))
            (<= (noisy ?x)
                (true (step ?x))
                (does white wait))
            (<= (noisy ?x)
                (true (loud ?x))
                (not (does white wait)))
            (<= (noisy_before_moves ?x)
                (true (loud ?x)))
            (<= (next (loud ?x))
                (quiet ?x))
        "#]],
    );
}

#[test]
fn next_as_a_condition_of_a_percept_gets_its_own_relation() {
    check(
        "(<= (sees white (now ?x)) (next (step ?x)))",
        &expect![[r#"
            1:27 next-in-percept: `next` should not be a condition; here it is read as the state that follows
            (<= (successor (step 2))
                (does white wait))
            (<= (next ?x1)
                (successor ?x1))
            (<= (sees white (now ?x))
                (successor (step ?x)))
        "#]],
    );
}

#[test]
fn recursion_may_not_build_larger_terms() {
    check(
        "(<= (number (s ?n)) (number ?n))
         (<= (path ?x ?z) (path ?x ?y) (true (edge ?y ?z)))
         (<= (path ?x ?y) (true (edge ?x ?y)))
         (<= (path ?x ?y) (path (f ?y) (f ?x)))
         (<= (next (edge ?x ?y)) (path ?x ?y) (number ?x))
         (init (edge a b))",
        &expect![[r#"
            1:29 unrestricted-recursion: the recursion of `number` may not end: nothing limits ?n
            4:33 loose-recursion: nothing limits (f ?y) in the recursion of `path`, though it ends
            4:40 loose-recursion: nothing limits (f ?x) in the recursion of `path`, though it ends
        "#]],
    );
}

#[test]
fn strata_and_dependences_are_those_of_the_rules() {
    let text =
        format!("{GAME}(<= p (not q)) (<= q (not r)) (<= r (does white wait)) (<= (next p) p)");
    let program = program::check(&gdl::parse_kif(&text)).program.expect("no errors");
    let names = ["q", "p", "r", "legal", "init", "next"];
    let of_name = |name: &str| {
        let named = |relation: &&program::Relation| program.symbols().name(relation.name) == name;
        let relation = program.relations().iter().find(named).expect("it occurs");
        format!("{name} {} {:?}", relation.stratum, relation.dependence)
    };
    let shown: Vec<String> = names.into_iter().map(of_name).collect();
    let expected =
        ["q 1 Moves", "p 2 Moves", "r 0 Moves", "legal 0 State", "init 0 Nothing", "next 2 Moves"];
    assert_eq!(shown, expected);
}
