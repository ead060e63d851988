//! XCSP3 as other programs write it, and as it should not be written.

use base::seeded_rng;
use expect_test::{Expect, expect};
use rand::RngExt as _;
use scsp::{Network, Solutions};

/// An instance with these variables and constraints.
fn instance(variables: &str, constraints: &str) -> String {
    format!(
        "<instance format=\"XCSP3\" type=\"CSP\">\n\
         <variables>{variables}</variables>\n\
         <constraints>{constraints}</constraints>\n\
         </instance>"
    )
}

fn n_solutions(variables: &str, constraints: &str) -> usize {
    let network = Network::from_xcsp3(&instance(variables, constraints));
    Solutions::of(&network.unwrap_or_else(|error| panic!("{error}"))).count()
}

#[test]
fn variables_and_arrays_have_their_domains() {
    assert_eq!(n_solutions("<var id='x'> -1..2 5 7..8 </var>", ""), 7);
    assert_eq!(n_solutions("<var id='x'>0 1</var><var id='y' as='x'/>", ""), 4);
    assert_eq!(n_solutions("<array id='x' size='[2][3]'> 0 1 </array>", ""), 64);
    let domains = "<array id='x' size='[4]'>\
        <domain for='x[0] x[2..3]'>0 1</domain><domain for='others'>0..2</domain></array>";
    assert_eq!(n_solutions(domains, ""), 24);
    let some = "<array id='x' size='[4]'><domain for='x[1..2]'>0 1</domain></array>";
    assert_eq!(n_solutions(some, "<allEqual> x[] </allEqual>"), 2);
}

/// A copied domain does not make a decision of chance, nor chance of a decision.
#[test]
fn copied_domains_keep_the_type() {
    let text = "<instance type='SCSP'><variables>
        <var id='a'>0 1</var> <var id='b' type='stochastic' as='a'/>
        <var id='c' as='b'/> <var id='d' type='stochastic'>0:1/4 1:3/4</var>
        <var id='e' type='stochastic' as='d'/></variables></instance>";
    let network = Network::from_xcsp3(&format!("\u{feff}\n{text}")).unwrap();
    let is_chance: Vec<bool> =
        network.variables().ids().map(|var| network.is_chance(var)).collect();
    assert_eq!(is_chance, [false, true, false, true, true]);
    let last = network.variables().ids().last().unwrap();
    assert_eq!(network.probabilities(last, &[0; 5]), Some(vec![0.25, 0.75]));
}

#[test]
fn tables_allow_and_forbid() {
    let xy = "<var id='x'>0..3</var><var id='y'>0..3</var>";
    let table = |tuples: &str| format!("<extension><list>x y</list>{tuples}</extension>");
    assert_eq!(n_solutions(xy, &table("<supports>(0,1)(1,2) ( 2 , 3 )</supports>")), 3);
    assert_eq!(n_solutions(xy, &table("<supports>(0,*)(*,0)</supports>")), 7);
    assert_eq!(n_solutions(xy, &table("<conflicts>(0,*)(1,1)</conflicts>")), 11);
    assert_eq!(n_solutions(xy, &table("<supports></supports>")), 0);
    let unary = "<extension><list>x</list><supports>0 2..9</supports></extension>";
    assert_eq!(n_solutions(xy, unary), 12);
}

#[test]
fn groups_stand_for_their_members() {
    let x = "<array id='x' size='[5]'>0..4</array>";
    let queens = "<block><allDifferent>x[]</allDifferent><group>\
        <intension>ne(dist(%0,%1),%2)</intension>\
        <args>x[0..1] 1</args><args>x[1] x[2] 1</args><args>x[2..3] 1</args><args>x[3] x[4] 1</args>\
        <args>x[0] x[2] 2</args><args>x[1] x[3] 2</args><args>x[2] x[4] 2</args>\
        <args>x[0] x[3] 3</args><args>x[1] x[4] 3</args><args>x[0] x[4] 4</args>\
        </group></block>";
    assert_eq!(n_solutions(x, queens), 10);
    let sums = "<group><sum><list>%...</list><condition>(eq,%0)</condition></sum>\
        <args>3 x[0] x[1]</args><args>2 x[2] x[3] x[4]</args></group>";
    assert_eq!(n_solutions(x, sums), 4 * 6);
}

#[test]
fn sums_choices_and_values_hold() {
    let xyz = "<var id='x'>0..3</var><var id='y'>0..3</var><var id='z'>0..3</var>";
    let sum = |more: &str| format!("<sum><list>x y z</list>{more}</sum>");
    assert_eq!(n_solutions(xyz, &sum("<condition>(le,1)</condition>")), 4);
    assert_eq!(n_solutions(xyz, &sum("<condition>(lt,1)</condition>")), 1);
    assert_eq!(n_solutions(xyz, &sum("<condition>(gt,7)</condition>")), 4);
    assert_eq!(n_solutions(xyz, &sum("<condition>(ne,0)</condition>")), 63);
    assert_eq!(n_solutions(xyz, &sum("<condition>(in,8..9)</condition>")), 4);
    // Twice x and y equal 3 z.
    let factors = "<coeffs>2 1 -2</coeffs><condition>(eq,z)</condition>";
    let expected = (0..4_i64).flat_map(|x| (0..4).map(move |y| 2 * x + y));
    let expected = expected.filter(|sum| sum % 3 == 0 && sum / 3 < 4).count();
    assert_eq!(n_solutions(xyz, &sum(factors)), expected);
    let ones = "<coeffs>1x3</coeffs><condition>(eq,0)</condition>";
    assert_eq!(n_solutions(xyz, &sum(ones)), 1);
    let choice = "<element><list>x y</list><index>z</index><value>x</value></element>";
    assert_eq!(n_solutions(xyz, choice), 16 + 4);
    let numbers = "<element><list>3 3 0</list><index>x</index><value>y</value></element>";
    assert_eq!(n_solutions(xyz, numbers), 12);
    let values = "<instantiation><list>x y</list><values>1 2</values></instantiation>";
    assert_eq!(n_solutions(xyz, values), 4);
}

/// The form of the dialect that the documentation describes: example 2 of the paper of 2015.
#[test]
fn stochastic_networks_are_read() {
    let text = "<?xml version='1.0'?>
        <instance format='XCSP3' type='SCSP'>
          <variables>
            <var id='y' type='stochastic'> 0..2:1/3 </var>
            <var id='x'> 1..3 </var> <var id='z'> 0..2 </var>
          </variables>
          <stages> <decision> x z </decision> <stochastic> y </stochastic> </stages>
          <constraints>
            <intension> gt(add(x,y),1) </intension>
            <intension> gt(add(y,z),1) </intension>
            <intension> eq(x,z) </intension>
          </constraints>
        </instance>";
    let network = Network::from_xcsp3(text).unwrap();
    let stage = scsp::OneStage::new(&network).unwrap();
    assert_eq!(stage.feasibility(scsp::Budget::UNLIMITED).unwrap().n_tuples(), 2);
    assert_eq!(stage.solutions(scsp::Budget::UNLIMITED).count(), 1);
}

/// The example of the tutorial says what it should.
#[test]
fn the_example_of_the_tutorial_is_solved() {
    let tutorial = include_str!("../../../docs/scsp.md");
    let start = tutorial.find("```xml\n").unwrap() + "```xml\n".len();
    let end = start + tutorial[start..].find("```").unwrap();
    let network = Network::from_xcsp3(&tutorial[start..end]).unwrap();
    let policy = scsp::best_policy(&network, scsp::Budget::UNLIMITED).policy.unwrap();
    // No umbrella unless the forecast says rain.
    assert!((policy.value()[0] - (0.75 * 0.9 + 0.25 * 0.5)).abs() < 1e-9);
}

fn check(text: &str, expected: &Expect) {
    let error = Network::from_xcsp3(text).expect_err("it is malformed").to_string();
    expected.assert_eq(&error);
}

#[test]
fn what_is_no_xml_is_refused_with_its_place() {
    check("", &expect!["line 1, column 1: expected an element, found nothing"]);
    check("hello", &expect!["line 1, column 1: expected an element, found `hello`"]);
    check(
        "<instance type='CSP'>\n<variables>",
        &expect!["line 2, column 12: the text ends before </variables>: was it cut off?"],
    );
    check(
        "<instance type='CSP'>\n</variables>",
        &expect![
            "line 2, column 1: ill-formed document: expected `</instance>`, but `</variables>` was found"
        ],
    );
    let bomb = "<!DOCTYPE a [<!ENTITY b 'bb'><!ENTITY c '&b;&b;&b;'>]><instance>&c;</instance>";
    check(bomb, &expect!["line 1, column 1: a document type is not read here"]);
    check("<instance>&lol;</instance>", &expect!["line 1, column 11: an entity is not read here"]);
    check(
        &"<block>".repeat(1_000_000),
        &expect!["line 1, column 225: XML deeper than 32 levels is not read here"],
    );
}

#[test]
fn what_is_not_read_says_what_and_where() {
    let x = "<var id='x'>0 1</var>";
    let cases = [
        (
            instance(x, "<regular></regular>"),
            expect!["line 3, column 14: the constraint <regular> is not read here"],
        ),
        (
            instance(x, "<intension reifiedBy='x'>eq(x,1)</intension>"),
            expect!["line 3, column 14: the attribute `reifiedBy` of <intension> is not read here"],
        ),
        (
            instance("<var id='x' type='set'></var>", ""),
            expect!["line 2, column 12: a variable of type `set` is not read here"],
        ),
        (
            instance(x, "<extension><list>x y</list><supports>(0,1)</supports></extension>"),
            expect!["line 3, column 33: there is no variable `y`"],
        ),
        (
            instance(x, "<extension><list>x</list><supports>one</supports></extension>"),
            expect!["line 3, column 49: expected a whole number of at most 64 bits, found `one`"],
        ),
        (
            instance(x, "<intension>eq(x,sqrt(x))</intension>"),
            expect!["line 3, column 30: the operator `sqrt` is not read here"],
        ),
        (
            instance(x, "<sum><list>x</list><condition>(ge,0)(le,1)</condition></sum>"),
            expect![["line 3, column 50: expected one condition, found `le`"]],
        ),
        (
            instance("<var id='x' as='y'/>", ""),
            expect![["line 2, column 12: there is no variable `y`"]],
        ),
        (
            instance(
                x,
                "<element><list>x</list><index rank='first'>x</index><value>x</value></element>",
            ),
            expect![["line 3, column 37: the attribute `rank` of <index> is not read here"]],
        ),
        (
            instance("<array id='x' size='[2]'>0</array>", "<allEqual>x[0]junk x[1]</allEqual>"),
            expect![["line 3, column 24: expected indices in brackets, found `x[0]junk`"]],
        ),
        (
            "<instance type='COP'></instance>".to_owned(),
            expect!["line 1, column 1: expected type CSP, SCSP or SCOP, found `COP`"],
        ),
        (
            "<instance type='CSP'></instance>".to_owned(),
            expect!["line 1, column 1: <instance> lacks <variables>"],
        ),
    ];
    for (text, expected) in cases {
        check(&text, &expected);
    }
}

#[test]
fn what_would_be_huge_is_refused() {
    let huge = |variables: &str, constraints: &str| {
        let text = instance(variables, constraints);
        let error = Network::from_xcsp3(&text).expect_err("it is too large").to_string();
        assert!(
            ["more than", "64 bits", "too large"].iter().any(|reason| error.contains(reason)),
            "{error}"
        );
    };
    huge("<var id='x'>0..9000000000000000000</var>", "");
    huge("<var id='x'>0..99999999999999999999999</var>", "");
    huge("<var id='x'>-9223372036854775808..9223372036854775807</var>", "");
    huge("<array id='x' size='[100000][100000]'>0 1</array>", "");
    huge(&format!("<array id='x' size='{}'>0</array>", "[2000000000]".repeat(9)), "");
    huge("<array id='x' size='[1000000]'>0..1000</array>", "");
    let many = "<array id='x' size='[200]'>0..9</array>";
    huge(many, "<extension><list>x[]</list><conflicts></conflicts></extension>");
    let any = ["*"; 200].join(",");
    huge(many, &format!("<extension><list>x[]</list><supports>({any})</supports></extension>"));
    huge(many, "<sum><list>x[]</list><condition>(ne,3)</condition></sum>");
    huge(
        many,
        "<sum><list>x[0]</list><coeffs>9000000000000000000</coeffs><condition>(le,3)</condition></sum>",
    );
    huge(
        "<var id='x'>0 1</var>",
        "<sum><list>x</list><coeffs>1x4000000000</coeffs><condition>(le,3)</condition></sum>",
    );
    let sum = "<sum><list>x[]</list><condition>(le,5)</condition></sum>";
    huge("<array id='x' size='[4000]'>0..4</array>", &sum.repeat(20_000));
    huge("<array id='x' size='[6000000]'>0</array>", "<allDifferent>x[]</allDifferent>");
    let causes: Vec<String> = (0..200).map(|n| format!("eq(x[{n}],1)")).collect();
    huge(many, &format!("<intension>or({})</intension>", causes.join(",")));
}

#[test]
fn stochastic_mistakes_are_refused() {
    let with = |variables: &str, more: &str| {
        format!("<instance type='SCSP'><variables>{variables}</variables>{more}</instance>")
    };
    let x = "<var id='x'>0 1</var>";
    let y = "<var id='y' type='stochastic'>0 1</var>";
    let given = |given: &str, rows: &str| {
        format!(
            "<probabilities><conditional><list>y</list><given>{given}</given><rows>{rows}</rows>\
             </conditional></probabilities>"
        )
    };
    let cases = [
        (
            with("<var id='y' type='stochastic'>0:0.5 1:0.4</var>", ""),
            expect!["line 1, column 34: the probabilities of `y` sum to 0.9, not to 1"],
        ),
        (
            with("<var id='y' type='stochastic'>0:0.5 1</var>", ""),
            expect!["line 1, column 34: expected a probability for each value, found `fewer`"],
        ),
        (
            with("<var id='y' type='stochastic'>0:1/0</var>", ""),
            expect!["line 1, column 66: expected a decimal number or a fraction, found `1/0`"],
        ),
        (
            with(&format!("{y}{x}"), &given("x", "(1,0)(0,1)")),
            expect![
                "line 1, column 155: the probabilities of `y` depend on `x`, which does not come before it"
            ],
        ),
        (
            with(&format!("{x}{y}"), &given("x", "(1,0)")),
            expect!["line 1, column 121: 1 rows of probabilities for 2 combinations of values"],
        ),
        (
            with(&format!("{x}{y}"), "<stages><decision>x y</decision></stages>"),
            expect![
                "line 1, column 126: expected each variable once, in a stage of its kind, found `y`"
            ],
        ),
        (
            with(&format!("{x}{y}"), "<stages><decision>x</decision></stages>"),
            expect!["line 1, column 106: expected every variable in a stage, found `not y`"],
        ),
    ];
    for (text, expected) in cases {
        check(&text, &expected);
    }
}

/// Texts with mistakes anywhere are read or refused, and nothing else happens.
#[test]
fn damaged_texts_are_survived() {
    let text = instance(
        "<array id='x' size='[2][3]'>0..4</array><var id='y' type='stochastic'>0:1/2 3:1/2</var>",
        "<group><extension><list>%0 %1</list><supports>(0,1)(*,2)</supports></extension>\
         <args>x[0][0..1]</args></group><sum><list>x[][]</list><coeffs>1x6</coeffs>\
         <condition>(in,3..5)</condition></sum><intension>iff(eq(y,3),ne(x[0][0],1))</intension>",
    );
    let signs: Vec<u8> = b"<>/()[]%*x0913:.,-'\" \n&".to_vec();
    let mut rng = seeded_rng(9);
    let mut n_read = 0;
    for _ in 0..20_000 {
        let mut bytes = text.clone().into_bytes();
        for _ in 0..rng.random_range(1..=4) {
            let at = rng.random_range(0..bytes.len().max(1));
            match rng.random_range(0..4) {
                0 => bytes.truncate(at.max(1)),
                1 if bytes.len() > 1 => drop(bytes.remove(at)),
                2 => bytes[at] = signs[rng.random_range(0..signs.len())],
                _ => bytes.insert(at, signs[rng.random_range(0..signs.len())]),
            }
        }
        let text = String::from_utf8(bytes).expect("all signs are ASCII");
        n_read += u32::from(Network::from_xcsp3(&text).is_ok());
    }
    assert!((10..15_000).contains(&n_read), "{n_read} read");
}
