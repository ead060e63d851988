//! The public rule sheets: they load, print, and scramble.

use std::collections::BTreeMap;

use base::seeded_rng;
use corpus::{Corpus, Sheet};
use gdl::{Code, Diagnostic, Form, Parse, Scrambler};
use program::Checked;

fn parse(sheet: &Sheet) -> Parse {
    gdl::parse(sheet.source().text(), sheet.form())
}

fn check(sheet: &Sheet) -> Checked {
    program::check(&parse(sheet))
}

fn has(checked: &Checked, code: Code) -> bool {
    checked.diagnostics.iter().any(|problem| problem.code == code)
}

fn errors(checked: &Checked) -> Vec<&Diagnostic> {
    checked.diagnostics.iter().filter(|problem| problem.is_error()).collect()
}

#[test]
fn sheets_without_known_problem_load() {
    let Some(corpus) = Corpus::find() else { return };
    let must_load: Vec<&Sheet> = corpus.sheets.iter().filter(|sheet| sheet.must_load()).collect();
    assert!(must_load.len() >= 648, "{} sheets", must_load.len());
    for sheet in must_load {
        let checked = check(sheet);
        assert!(checked.program.is_some(), "{}: {:?}", sheet.file, errors(&checked));
    }
}

#[test]
fn sheets_with_known_problems_are_refused_for_them() {
    let Some(corpus) = Corpus::find() else { return };
    let mut n_refused = BTreeMap::new();
    for sheet in &corpus.sheets {
        let code = match sheet.status.as_str() {
            "unsafe rule" => Code::UnsafeVariable,
            "variable functor" => Code::VariableAsName,
            _ => continue,
        };
        let checked = check(sheet);
        assert!(checked.program.is_none() && has(&checked, code), "{}", sheet.file);
        *n_refused.entry(code.name()).or_insert(0) += 1;
    }
    assert_eq!(n_refused, BTreeMap::from([("unsafe-variable", 18), ("variable-as-name", 1)]));
}

/// Test cases for which we differ from the validator that they come from: it reports an error,
/// and here the same place has a warning, because published games do the same and can be played.
const WARNINGS_HERE: &[(&str, Code)] = &[
    // `(not (distinct a b))` is equality, in eight sheets of the corpus.
    ("ggp-base/test_clean_not_distinct.kif", Code::NegatedFormula),
    // A true fact, in iggp/tron.kif.
    ("gdl-validation/misplacedDatalogKeyword1.kif", Code::DistinctFact),
    // `base` is an object in dresden/cubicup.kif.
    ("gdl-validation/misplacedDatalogKeyword2.kif", Code::KeywordAsConstant),
    // `(not 5)` is a term in dresden/sat_test_20v_91c_visualisation.kif.
    ("gdl-validation/misplacedDatalogKeyword3.kif", Code::KeywordAsFunction),
];

#[test]
fn test_cases_give_the_expected_results() {
    let Some(corpus) = Corpus::find() else { return };
    let sheets: BTreeMap<&str, &Sheet> =
        corpus.sheets.iter().map(|sheet| (sheet.file.as_str(), sheet)).collect();
    let expected = corpus.text("testcases/expected.tsv");
    let rows: Vec<Vec<&str>> =
        expected.lines().skip(1).map(|line| line.split('\t').collect()).collect();
    assert_eq!(rows.len(), 54);
    for row in rows {
        let (file, expected) = (row[0], row[2]);
        let sheet = sheets[format!("testcases/{file}").as_str()];
        let checked = check(sheet);
        let difference = WARNINGS_HERE.iter().find(|(other, _)| *other == file);
        match difference {
            Some((_, code)) => assert!(has(&checked, *code), "{file}: {:?}", checked.diagnostics),
            None => assert_expected(file, expected, &checked),
        }
    }
}

/// Compares with what the test case's author says, in the words that these rows use.
fn assert_expected(file: &str, expected: &str, checked: &Checked) {
    let found = &checked.diagnostics;
    let is_valid = checked.program.is_some();
    let n_warnings = found.len() - errors(checked).len();
    if let Some(places) = expected.split("at characters ").nth(1) {
        let start: u32 = places.split(' ').next().and_then(|n| n.parse().ok()).expect("a number");
        assert!(found.iter().any(|problem| problem.span.start == start), "{file}: {found:?}");
    } else if expected.starts_with("valid with a warning") || expected.starts_with("warning") {
        assert!(is_valid && n_warnings > 0, "{file}: {found:?}");
    } else if expected.starts_with("invalid") || expected.starts_with("a problem") {
        let code = code_of(expected);
        assert!(!is_valid && has(checked, code), "{file}: {found:?}");
    } else if expected.starts_with("a relation with two arities") {
        assert!(has(checked, Code::TwoArities), "{file}: {found:?}");
    } else if expected.starts_with("parses to an empty rule list") {
        assert_eq!(errors(checked)[0].code, Code::MissingKeyword, "{file}");
        assert_eq!(errors(checked).len(), 1, "{file}");
    } else if !expected.starts_with("same tokens as") {
        // The rest describes how valid games play.
        assert!(is_valid, "{file}: {found:?}");
    }
}

fn code_of(expected: &str) -> Code {
    let codes = [
        ("unsafe", Code::UnsafeVariable),
        ("not stratified", Code::NegativeCycle),
        ("recursion restriction", Code::UnrestrictedRecursion),
        ("legal depends on does", Code::DependsOnMoves),
        ("depends on", Code::DependsOnState),
        ("no ", Code::MissingKeyword),
    ];
    let found = codes.iter().find(|(words, _)| expected.contains(words));
    found.unwrap_or_else(|| panic!("no code is known for: {expected}")).1
}

#[test]
fn formatting_test_cases_have_the_same_rules() {
    let Some(corpus) = Corpus::find() else { return };
    let find = |file: &str| corpus.sheets.iter().find(|sheet| sheet.file == file).unwrap();
    for number in [1, 2] {
        let file = |when: &str| format!("testcases/gdl-validation/formatter{number}{when}.kif");
        let before = parse(find(&file("Before")));
        let after = find(&file("After")).source();
        let again = gdl::parse_with(after.text(), Form::Kif, before.ast.symbols.clone());
        assert_eq!(again.ast.items, before.ast.items);
    }
}

#[test]
fn printed_sheets_are_the_same_in_both_forms() {
    let Some(corpus) = Corpus::find() else { return };
    for sheet in &corpus.sheets {
        let parse = parse(sheet);
        for form in [Form::Kif, Form::Infix] {
            let printed = gdl::print(&parse.ast, form);
            let again = gdl::parse_with(&printed, form, parse.ast.symbols.clone());
            let problems: Vec<_> = again.diagnostics.iter().filter(|p| p.is_error()).collect();
            assert!(problems.is_empty(), "{} {form:?}: {problems:?}", sheet.file);
            assert!(again.ast.items == parse.ast.items, "{} {form:?}", sheet.file);
        }
    }
}

#[test]
fn printed_sheets_are_the_same_program() {
    let Some(corpus) = Corpus::find() else { return };
    for sheet in corpus.sheets.iter().filter(|sheet| sheet.must_load()) {
        let parse = parse(sheet);
        let program = program::check(&parse).program.unwrap().to_string();
        for form in [Form::Kif, Form::Infix] {
            let printed = gdl::print(&parse.ast, form);
            let again = gdl::parse_with(&printed, form, parse.ast.symbols.clone());
            let again = program::check(&again).program.unwrap().to_string();
            assert!(again == program, "{} {form:?}", sheet.file);
        }
    }
}

#[test]
fn formatted_sheets_keep_their_rules_and_comments() {
    let Some(corpus) = Corpus::find() else { return };
    for sheet in &corpus.sheets {
        let source = sheet.source();
        let parse = parse(sheet);
        for form in [Form::Kif, Form::Infix] {
            let formatted = gdl::format(source.text(), &parse.ast, form);
            let again = gdl::parse_with(&formatted, form, parse.ast.symbols.clone());
            assert!(again.ast.items == parse.ast.items, "{} {form:?}", sheet.file);
            let words = |text: &str, ast: &gdl::Ast| -> Vec<String> {
                let texts = ast.comments.iter().map(|comment| &text[comment.range()]);
                let words = texts.flat_map(|text| text.split([';', '%', ' ', '\t', '/', '*']));
                words.map(|w| w.trim().to_owned()).filter(|word| !word.is_empty()).collect()
            };
            let kept = words(&formatted, &again.ast);
            assert!(kept == words(source.text(), &parse.ast), "{} {form:?}", sheet.file);
            let twice = gdl::format(&formatted, &again.ast, form);
            assert!(twice == formatted, "{} {form:?}", sheet.file);
        }
    }
}

#[test]
fn scrambled_sheets_have_the_same_problems_and_unscramble_to_the_same_rules() {
    let Some(corpus) = Corpus::find() else { return };
    for (seed, sheet) in corpus.sheets.iter().enumerate() {
        let parse = parse(sheet);
        let printed = gdl::print(&parse.ast, Form::Kif);
        let scrambler = Scrambler::new(&parse.ast.symbols, &mut seeded_rng(seed as u64));
        let scrambled = scrambler.scramble(&printed);
        let codes = |text: &str| -> Vec<Code> {
            let checked = program::check(&gdl::parse_kif(text));
            // Whether a name is unusual or `?_x` is the name's affair.
            let of_names = [Code::UnusualCharacter, Code::TwoSpellings];
            let codes = checked.diagnostics.iter().map(|problem| problem.code);
            let mut codes: Vec<Code> = codes.filter(|code| !of_names.contains(code)).collect();
            codes.sort();
            codes
        };
        assert_eq!(codes(&scrambled), codes(&printed), "{}", sheet.file);
        let unscrambled = scrambler.unscramble(&scrambled);
        let again = gdl::parse_with(&unscrambled, Form::Kif, parse.ast.symbols.clone());
        assert!(again.ast.items == parse.ast.items, "{}", sheet.file);
    }
}
