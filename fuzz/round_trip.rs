//! What must hold of any text, for both parsers.

use gdl::{Form, Scrambler, Source};

/// Reads `bytes` in `form`, checks it, prints it in both forms and reads it again.
///
/// # Panics
/// When something that was read does not print to itself.
pub fn examine(bytes: &[u8], form: Form) {
    let Ok((source, _)) = Source::decode("fuzz", bytes.to_vec()) else { return };
    let text = source.text();
    let parse = gdl::parse(text, form);
    let checked = program::check(&parse);
    for problem in checked.diagnostics.iter().take(5) {
        assert!(text.get(problem.span.range()).is_some(), "{problem:?} is out of the text");
        gdl::render(&source, problem, gdl::Colour::Never);
    }
    for to in [Form::Kif, Form::Infix] {
        for printed in [gdl::print(&parse.ast, to), gdl::format(text, &parse.ast, to)] {
            let again = gdl::parse_with(&printed, to, parse.ast.symbols.clone());
            assert!(again.ast.items == parse.ast.items, "{to:?}:\n{printed}");
            assert!(!again.has_errors(), "{to:?}: {:?}\n{printed}", again.diagnostics);
        }
    }
    let printed = gdl::print(&parse.ast, Form::Kif);
    let scrambler = Scrambler::new(&parse.ast.symbols, &mut base::seeded_rng(1));
    let unscrambled = scrambler.unscramble(&scrambler.scramble(&printed));
    let again = gdl::parse_with(&unscrambled, Form::Kif, parse.ast.symbols.clone());
    assert!(again.ast.items == parse.ast.items, "{unscrambled}");
}
