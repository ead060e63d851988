//! Rules in, text out: what the parsers make of small texts.

use expect_test::{Expect, expect};
use gdl::{Form, Parse, Source};

/// The rules in prefix form, then the problems with their places.
fn shown(text: &str, form: Form) -> String {
    let parse = gdl::parse(text, form);
    gdl::print(&parse.ast, Form::Kif) + &problems(text, &parse)
}

fn problems(text: &str, parse: &Parse) -> String {
    let source = Source::new("test", text);
    let line = |problem: &gdl::Diagnostic| {
        let position = source.position(problem.span.start);
        let text = source.slice(problem.span);
        let text = text.lines().next().unwrap_or_default();
        format!("{}:{} {} at `{text}`\n", position.line, position.column, problem.code)
    };
    parse.diagnostics.iter().map(line).collect()
}

fn kif(text: &str, expected: &Expect) {
    expected.assert_eq(&shown(text, Form::Kif));
}

fn infix(text: &str, expected: &Expect) {
    expected.assert_eq(&shown(text, Form::Infix));
}

#[test]
fn kif_facts_and_rules() {
    kif(
        "terminal(role x)(<= (legal ?p (mark ?n++ -1)) (or (p ?p) (not q)) (distinct ?n++ +))",
        &expect![[r#"
            terminal
            (role x)
            (<= (legal ?p (mark ?n++ -1))
                (or (p ?p) (not q))
                (distinct ?n++ +))
        "#]],
    );
}

#[test]
fn kif_white_space_comments_and_line_ends() {
    kif(
        "\u{feff}(a;x\rb)\x0c(c\t;)\r\n\u{a0}d) ;; end",
        &expect![[r#"
            (a b)
            (c d)
        "#]],
    );
}

#[test]
fn kif_keywords_in_any_case_are_printed_in_lower_case() {
    kif(
        "(ROLE White) (<= (LEGAL white NOOP) (NOT (Distinct white WHITE)))",
        &expect![[r#"
            (role White)
            (<= (legal White NOOP)
                (not (distinct White White)))
            1:25 two-spellings at `white`
        "#]],
    );
}

#[test]
fn kif_irregularities_are_read_plainly() {
    kif(
        "(<= (p)) (<= q (and (r) (and (s (t)) u)))",
        &expect![[r#"
            p
            (<= q
                r
                (s t)
                u)
            1:1 empty-body at `(<= (p))`
            1:5 needless-parentheses at `(p)`
            1:17 and-is-not-gdl at `and`
            1:21 needless-parentheses at `(r)`
            1:26 and-is-not-gdl at `and`
            1:33 needless-parentheses at `(t)`
        "#]],
    );
}

#[test]
fn kif_goes_on_after_a_rule_that_is_not_closed() {
    kif(
        "(<= (p ?x)\n  (q ?x)\n(<= r\n  s)\nt)",
        &expect![[r#"
            (<= r
                s)
            t
            1:1 unclosed at `(`
            5:2 extra-parenthesis at `)`
        "#]],
    );
}

#[test]
fn kif_reports_every_problem_of_a_rule() {
    kif(
        "(<= (?p x) (not a b) (distinct x) (() y) ((z)) (q ?) (<= a)) ?v or",
        &expect![[r#"
            1:6 variable-as-name at `?p`
            1:12 logical-arity at `(not a b)`
            1:22 logical-arity at `(distinct x)`
            1:36 list-as-name at `()`
            1:43 list-as-name at `(z)`
            1:51 misplaced at `?`
            1:55 misplaced at `<=`
            1:62 variable-as-name at `?v`
            1:65 misplaced at `or`
        "#]],
    );
}

#[test]
fn infix_in_the_manners_of_several_communities() {
    infix(
        "role(x). legal(P, noop) :- role(P), not true(control(P)).
         open <= ~full & p(_, _)
         line ← a ; b, \\+ c | d and ¬e.
         far(X, Y) :- p(X), p(Y), X \\= Y, X != 1, X = X.",
        &expect![[r#"
            (role x)
            (<= (legal ?P noop)
                (role ?P)
                (not (true (control ?P))))
            (<= open
                (not full)
                (p ?_1 ?_2))
            (<= line
                (or a (and b (not c)) (and d (not e))))
            (<= (far ?X ?Y)
                (p ?X)
                (p ?Y)
                (distinct ?X ?Y)
                (distinct ?X 1)
                (not (distinct ?X ?X)))
        "#]],
    );
}

#[test]
fn infix_names() {
    infix(
        "p('White', '+', 'it\\'s', -1, next-player, 2.5, ?n, ?'n++').",
        &expect![[r#"
            (p White + it's -1 next-player 2.5 ?n ?n++)
            1:17 unusual-character at `'it\'s'`
        "#]],
    );
}

#[test]
fn infix_rules_need_no_full_stop() {
    infix(
        "role(x)\nrole(o)\nopen :-\n  p &\n  q\nlost :- r\n  & s",
        &expect![[r#"
            (role x)
            (role o)
            (<= open
                p
                q)
            (<= lost
                r
                s)
        "#]],
    );
}

#[test]
fn infix_rules_go_on_where_they_are_indented() {
    infix(
        "terminal :- a\n    b.\nc.",
        &expect![[r#"
        c
        2:5 unexpected-token at `b`
    "#]],
    );
}

#[test]
fn infix_anonymous_variables_are_no_others() {
    infix(
        "p :- q(X, _), r(_1), s(_).",
        &expect![[r#"
        (<= p
            (q ?X ?_2)
            (r ?_1)
            (s ?_3))
    "#]],
    );
}

#[test]
fn infix_quoted_logical_words_are_no_relations() {
    infix(
        "p :- 'or'(a, b).\nq :- 'not'(a).\n'not'(a).\ndistinct(a, b).\nr('not').",
        &expect![[r#"
            (r not)
            1:6 misplaced at `'or'`
            2:6 misplaced at `'not'`
            3:1 misplaced at `'not'`
            4:1 distinct-fact at `distinct(a, b)`
        "#]],
    );
}

#[test]
fn infix_comments() {
    infix(
        "% one\nrole(x). % two\n/* three\n role(y). */ role(z).",
        &expect![[r#"
            (role x)
            (role z)
        "#]],
    );
}

#[test]
fn infix_goes_on_after_a_problem() {
    infix(
        "p :- q(.\nr.\ns :- X(a).\nt u.\nv('w.\nx :- y(a\nz.",
        &expect![[r#"
            r
            z
            1:8 unexpected-token at `.`
            3:6 variable-as-name at `X`
            4:3 unexpected-token at `u`
            5:3 unclosed at `'w.`
            7:1 unexpected-token at `z`
        "#]],
    );
}

#[test]
fn infix_tuples_are_named() {
    infix(
        "p((a, X)) :- q((X)).",
        &expect![[r#"
            (<= (p (tuple a ?X))
                (q ?X))
            1:3 tuple at `(a, X)`
        "#]],
    );
}

#[test]
fn operations_become_next_rules() {
    infix(
        "role(white)\nrole(black)
         base(control(P)) :- role(P)
         action(press)
         init(control(white))
         legal(press) :- ~lamp(on)
         press :: control(white) ==> lamp(on) & ~control(white)
         terminal :- lamp(on)",
        &expect![[r#"
            (role white)
            (role black)
            (<= (base (control ?P))
                (role ?P))
            (<= (input ?_role press)
                (role ?_role))
            (init (control white))
            (<= (legal ?_role press)
                (true (control ?_role))
                (not (true (lamp on))))
            (<= (next (lamp on))
                (does ?_role press)
                (true (control white)))
            (<= (deleted (control white))
                (does ?_role press)
                (true (control white)))
            (<= (next ?_fluent)
                (true ?_fluent)
                (not (deleted ?_fluent)))
            (<= (legal ?_role noop)
                (role ?_role)
                (not (true (control ?_role))))
            (<= (input ?_role noop)
                (role ?_role))
            (<= terminal
                (true (lamp on)))
            7:10 operations at `press :: control(white) ==> lamp(on) & ~control(white)`
        "#]],
    );
}

#[test]
fn printing_in_infix_form_quotes_what_would_be_misread() {
    let parse = gdl::parse_kif("(p White ++ (not 5) or ?x ?Best ?n++ ?_ ?1 it's)");
    let printed = gdl::print(&parse.ast, Form::Infix);
    expect![[r#"
        p('White', '++', 'not'(5), 'or', X, Best, ?'n++', ?'_', ?'1', 'it\'s').
    "#]]
    .assert_eq(&printed);
}

#[test]
fn formatting_keeps_comments_where_they_belong() {
    let text = "
;; A game.


(role x) (role o) ; both
; before the rule
(<= (legal ?p noop) ; the head
    ; who
    (role ?p) (true ; within
    (control ?p)) ; the last
    ; at the end
    )
; at the very end";
    let parse = gdl::parse_kif(text);
    expect![[r#"
        ;; A game.

        (role x)
        (role o) ; both
        ; before the rule
        (<= (legal ?p noop) ; the head
            ; who
            (role ?p)
            (true (control ?p)) ; within ; the last
            ; at the end
            )
        ; at the very end
    "#]]
    .assert_eq(&gdl::format(text, &parse.ast, Form::Kif));
    expect![[r#"
        %% A game.

        role(x).
        role(o). % both
        % before the rule
        legal(P, noop) :- % the head
            % who
            role(P),
            true(control(P)) % within % the last
            % at the end
            .
        % at the very end
    "#]]
    .assert_eq(&gdl::format(text, &parse.ast, Form::Infix));
}
