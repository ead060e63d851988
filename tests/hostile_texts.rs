//! Texts that no person would write: nothing panics, overflows the stack, or takes for ever.

use gdl::{Code, Diagnostic, Form, Parse, Source};
use proptest::prelude::*;

const FORMS: [Form; 2] = [Form::Kif, Form::Infix];

/// Parses and checks; every place that is reported lies in the text.
fn examine(text: &str, form: Form) -> Vec<Diagnostic> {
    let parse = gdl::parse(text, form);
    assert_round_trip(&parse);
    let diagnostics = program::check(&parse).diagnostics;
    let source = Source::new("hostile", text);
    for problem in &diagnostics {
        let places = problem.related.iter().map(|(span, _)| *span).chain([problem.span]);
        for span in places {
            assert!(text.get(span.range()).is_some(), "{problem:?}");
        }
    }
    if let Some(problem) = diagnostics.first() {
        assert!(!gdl::render(&source, problem, gdl::Colour::Never).is_empty());
    }
    diagnostics
}

/// What could be read prints to the same in both forms.
fn assert_round_trip(parse: &Parse) {
    for form in FORMS {
        let printed = gdl::print(&parse.ast, form);
        let again = gdl::parse_with(&printed, form, parse.ast.symbols.clone());
        let errors: Vec<_> = again.diagnostics.iter().filter(|p| p.is_error()).collect();
        assert!(errors.is_empty(), "{form:?} {errors:?}\n{printed}");
        assert!(again.ast.items == parse.ast.items, "{form:?}\n{printed}");
    }
}

fn codes(text: &str, form: Form) -> Vec<Code> {
    examine(text, form).iter().map(|problem| problem.code).collect()
}

#[test]
fn a_thousand_levels_are_read_and_more_are_refused() {
    let kif = |depth: usize| format!("(p {}a{})", "(f ".repeat(depth - 1), ")".repeat(depth - 1));
    assert!(!codes(&kif(1_000), Form::Kif).contains(&Code::TooDeep));
    assert!(codes(&kif(1_001), Form::Kif).contains(&Code::TooDeep));
    let infix = |depth: usize| format!("p({}a{}).", "f(".repeat(depth), ")".repeat(depth));
    assert!(!codes(&infix(990), Form::Infix).contains(&Code::TooDeep));
    assert!(codes(&infix(1_010), Form::Infix).contains(&Code::TooDeep));
}

#[test]
fn a_thousand_levels_of_conditions_are_read() {
    for word in ["not", "or", "and"] {
        let open = format!("({word} ").repeat(990);
        examine(&format!("(<= p {open}(q){})", ")".repeat(990)), Form::Kif);
    }
    let text = format!("p :- {}q{}.", "(".repeat(990), ")".repeat(990));
    assert!(!codes(&text, Form::Infix).contains(&Code::TooDeep));
}

#[test]
fn rules_go_on_after_a_text_that_is_too_deep() {
    let text = format!("(p {}) (role x", "(".repeat(5_000) + &")".repeat(5_000));
    let codes = codes(&text, Form::Kif);
    assert!(codes.contains(&Code::TooDeep) && codes.contains(&Code::Unclosed));
}

#[test]
fn control_characters_are_reported_once_a_run() {
    for form in FORMS {
        let codes = codes("\0\0\0role\u{1}", form);
        let n_reported = codes.iter().filter(|code| **code == Code::ControlCharacter).count();
        assert_eq!(n_reported, 2, "{form:?}");
    }
}

#[test]
fn a_binary_file_is_no_rule_sheet() {
    let bytes: Vec<u8> = (0..=255).cycle().take(100_000).collect();
    let (source, _) = Source::decode("binary", bytes).expect("small enough");
    for form in FORMS {
        assert!(examine(source.text(), form).iter().any(Diagnostic::is_error));
    }
}

/// Texts whose cost would show if it were not linear: they would take hours.
#[test]
fn fifty_megabytes_are_read_in_any_shape() {
    const MEGABYTE: usize = 1 << 20;
    let read = |piece: &str, form, size: usize| {
        let parse = gdl::parse(&piece.repeat(size / piece.len()), form);
        // The problems are limited, whatever the text.
        assert!(parse.diagnostics.len() <= gdl::Problems::MAX + 2, "{piece:?}");
    };
    for (piece, form) in [("(p a)\n", Form::Kif), ("(", Form::Kif), ("p(", Form::Infix)] {
        read(piece, form, 50 * MEGABYTE);
    }
    for piece in [")", "(p ", "\n(<= ", "; comment\n", "?", "\0 ", "(p)\n", "é", "%\n"] {
        read(piece, Form::Kif, 5 * MEGABYTE);
    }
    for piece in ["(", "p :- ", "p('", "/* ", "p, ", "X ", "not ", "p.\n", "=", "\n  ,"] {
        read(piece, Form::Infix, 5 * MEGABYTE);
    }
}

#[test]
fn large_sheets_are_checked_in_any_shape() {
    const N: usize = 100_000;
    let numbered = |piece: &dyn Fn(usize) -> String| -> String { (0..N).map(piece).collect() };
    let sheets = [
        // A chain of relations, a circle, and a circle with negations.
        numbered(&|n| format!("(<= p{n} p{})\n", n + 1)),
        numbered(&|n| format!("(<= p{n} p{})\n", (n + 1) % N)),
        numbered(&|n| format!("(<= p{n} (not p{}))\n", (n + 1) % N)),
        numbered(&|n| format!("(<= (p a{n}) (not (p b{n})))\n")),
        // Anonymous variables, useless declarations, a `terminal` far from the moves.
        numbered(&|n| format!("(<= z{n} (not (p {n} ?_y)))\n")),
        numbered(&|_| "(base (f ?x))\n".to_owned()),
        format!("(<= terminal p0)\n{}", numbered(&|n| format!("(<= p{n} p{})\n", n + 1))),
        format!("(<= p {})", numbered(&|n| format!("(not (q ?_x{n}))"))),
        // Many roles, arities, functions, unsafe variables.
        numbered(&|n| format!("(role r{n}) (legal x{n} a)\n")),
        numbered(&|n| format!("(<= (p{n} (f{n} a)) (q{n} ?x) (not (r{n} ?y)))\n")),
        // One rule with many variables, and one with many branches.
        format!("(<= (p{}) q)", numbered(&|n| format!(" ?x{n}"))),
        format!("(<= p {})", numbered(&|n| format!("(or (q ?x{n}) (r ?x{n}))\n"))),
        format!("(<= p (or {}))", numbered(&|n| format!("(and (q ?x{n}) (not (r ?x{n})))\n"))),
    ];
    for sheet in sheets {
        let checked = program::check(&gdl::parse_kif(&sheet));
        assert!(checked.program.is_none());
    }
}

/// A game without problems, to which the tests add rules.
const GAME: &str = "(role x) (legal x a) (goal x 0) terminal (q a) ";

#[test]
fn rules_cannot_stand_for_more_than_fits() {
    // Many rules of many alternatives, and a large head in each of many alternatives.
    let ors = "(or u v) ".repeat(13);
    let many = format!("(<= p {ors})\n").repeat(300);
    let large = format!("(<= (p {}) {ors})", "a ".repeat(2_000)).repeat(10);
    for rules in [many, large] {
        let text = format!("{GAME}{rules}");
        assert!(codes(&text, Form::Kif).contains(&Code::TooManyAlternatives));
    }
}

#[test]
fn equalities_cannot_make_deep_terms() {
    const N: usize = 5_000;
    let variables: String = (0..=N).map(|n| format!("(q ?x{n})")).collect();
    let link = |n: usize| format!("(not (distinct ?x{n} (f ?x{})))", n + 1);
    let links: String = (0..N).rev().map(link).collect();
    let text = format!("{GAME}(<= (p ?x0) {variables} {links})");
    assert!(codes(&text, Form::Kif).contains(&Code::TooManyAlternatives));
}

#[test]
fn a_relation_split_by_strata_stays_small() {
    let conditions = "(g ?x ?y) ".repeat(60);
    let rules =
        format!("(<= (g 0 a) (q ?x)) (<= (g 1 b) (q ?x) (not (g 0 a))) (<= (g 2 ?y) {conditions})");
    let parse = gdl::parse_kif(&format!("{GAME}{rules}"));
    let program = program::check(&parse).program.expect("it is stratified rule by rule");
    assert!(program.rules().len() < 20, "{program}");
}

#[test]
fn many_rules_that_negate_each_other_are_told_apart_by_their_constants() {
    let pair = |n: usize| format!("(<= (g {n} 0) (q ?x) (not (g {n} 1)))\n(<= (g {n} 1) (q b))\n");
    let rules: String = (0..5_000).map(pair).collect();
    let parse = gdl::parse_kif(&format!("{GAME}{rules}"));
    assert!(program::check(&parse).program.is_some());
}

#[test]
fn long_names_do_not_multiply() {
    let name = "n".repeat(100_000);
    let text = format!("(role {name})\n{}", "(goal w 0)\n".repeat(2_000));
    let length: usize =
        examine(&text, Form::Kif).iter().map(|p| p.message.len() + p.help.len()).sum();
    assert!(length < 1_000_000, "{length}");
}

#[test]
fn equalities_cannot_make_huge_terms() {
    let double = |n: usize| format!("(not (distinct ?x{} (f ?x{n} ?x{n})))", n + 1);
    let equalities: String = (0..60).map(double).collect();
    let variables: String = (0..=60).map(|n| format!("(q ?x{n})")).collect();
    let rule = format!("(<= (p ?x60) {variables} {equalities})");
    let sheet = format!("{GAME}{rule}");
    assert!(codes(&sheet, Form::Kif).contains(&Code::TooManyAlternatives));
}

/// Pieces from which texts are put together that come near to being rules.
fn piece() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "(", ")", "(", ")", " ", " ", "\n", "<=", "?x", "?y", "?_z", "p", "q", "role", "not", "or",
        "and", "distinct", "true", "does", "next", "init", "legal", "goal", "terminal", "sees",
        "knows", "base", "input", "a", "A", "b", "1", "100", ";", "%", ",", ".", ":-", "<-", "←",
        "&", "|", "~", "::", "==>", "\\=", "=", "_", "X", "Y", "'", "'Q'", "é", "\u{feff}", "\0",
        "\r", "\t", "/*", "*/", "-", "+", "?", "random", "control", "action", "()", "f(", "(f ",
    ])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn near_rules_do_no_harm(pieces in prop::collection::vec(piece(), 0..60), spaced: bool) {
        let text = pieces.join(if spaced { " " } else { "" });
        for form in FORMS {
            examine(&text, form);
        }
    }

    #[test]
    fn any_text_does_no_harm(text in any::<String>()) {
        for form in FORMS {
            examine(&text, form);
        }
    }

    #[test]
    fn formatting_keeps_the_rules(pieces in prop::collection::vec(piece(), 0..60)) {
        let text = pieces.join(" ");
        for form in FORMS {
            let parse = gdl::parse(&text, form);
            let formatted = gdl::format(&text, &parse.ast, form);
            let again = gdl::parse_with(&formatted, form, parse.ast.symbols.clone());
            prop_assert!(again.ast.items == parse.ast.items, "{}", formatted);
        }
    }
}
