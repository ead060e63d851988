//! Diagnostics drawn for people: the text, what is wrong underlined, and the cure.

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use crate::{Diagnostic, Severity, Source, Span};

/// Lines longer than this are not shown, only named: machine-made sheets can have one line.
const MAX_LINE_BYTES: usize = 2_000;
/// Places further apart than this are drawn in windows of their own.
const MAX_WINDOW_LINES: usize = 40;

/// Whether drawings have colours, as terminal codes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colour {
    /// Plain text.
    Never,
    /// With terminal codes.
    Always,
}

/// Draws `diagnostic` with the lines of `source` that it speaks of.
///
/// ```
/// let source = gdl::Source::new("game.kif", "(role x");
/// let parse = gdl::parse_kif(source.text());
/// let drawing = gdl::render(&source, &parse.diagnostics[0], gdl::Colour::Never);
/// assert!(drawing.starts_with("error[unclosed]: "));
/// assert!(drawing.contains("--> game.kif:1:1"));
/// ```
pub fn render(source: &Source, diagnostic: &Diagnostic, colour: Colour) -> String {
    let level = match diagnostic.severity() {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(&diagnostic.message).id(diagnostic.code.name());
    let mut group = Group::with_title(title);
    for window in windows(source, diagnostic) {
        group = if window.is_drawable(source) {
            group.element(window.snippet(source))
        } else {
            group.element(window.origin(source))
        };
    }
    let group = group.element(Level::HELP.message(&diagnostic.help));
    let renderer = match colour {
        Colour::Never => Renderer::plain(),
        Colour::Always => Renderer::styled(),
    };
    renderer.render(&[group])
}

/// Neighbouring lines with the places to underline in them.
struct Window<'a> {
    first_line: usize,
    last_line: usize,
    places: Vec<(AnnotationKind, Span, &'a str)>,
}

fn windows<'a>(source: &Source, diagnostic: &'a Diagnostic) -> Vec<Window<'a>> {
    let mut windows: Vec<Window<'a>> = Vec::new();
    let primary = (AnnotationKind::Primary, diagnostic.span, "");
    let related = diagnostic
        .related
        .iter()
        .map(|(span, label)| (AnnotationKind::Context, *span, label.as_str()));
    for place in std::iter::once(primary).chain(related) {
        let (first_line, last_line) = lines_of(source, place.1);
        match windows.iter_mut().find(|window| window.is_near(first_line, last_line)) {
            Some(window) => window.add(first_line, last_line, place),
            None => windows.push(Window { first_line, last_line, places: vec![place] }),
        }
    }
    windows
}

/// The first and last line of `span`; of a long one only the beginning.
fn lines_of(source: &Source, span: Span) -> (usize, usize) {
    let first = source.position(span.start).line;
    let last = source.position(span.end.saturating_sub(1).max(span.start)).line;
    (first, last.min(first + MAX_WINDOW_LINES))
}

impl<'a> Window<'a> {
    fn is_near(&self, first_line: usize, last_line: usize) -> bool {
        let first = self.first_line.min(first_line);
        let last = self.last_line.max(last_line);
        last - first <= MAX_WINDOW_LINES
    }

    fn add(&mut self, first_line: usize, last_line: usize, place: (AnnotationKind, Span, &'a str)) {
        self.first_line = self.first_line.min(first_line);
        self.last_line = self.last_line.max(last_line);
        self.places.push(place);
    }

    fn is_drawable(&self, source: &Source) -> bool {
        (self.first_line..=self.last_line)
            .all(|line| source.line_span(line).range().len() <= MAX_LINE_BYTES)
    }

    fn snippet(&self, source: &'a Source) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
        let first = source.line_span(self.first_line);
        let last = source.line_span(self.last_line);
        let window = first.to(last);
        // Lines that end with CR alone are lines for us, so they must be for the drawing.
        let text = source.slice(window).replace("\r\n", " \n").replace('\r', "\n");
        let annotations = self.places.iter().map(|(kind, span, label)| {
            let range = range_within(&text, window, *span);
            let annotation = kind.span(range);
            if label.is_empty() { annotation } else { annotation.label(*label) }
        });
        let annotations: Vec<_> = annotations.collect();
        Snippet::source(text)
            .path(source.name())
            .line_start(self.first_line)
            .annotations(annotations)
    }

    fn origin(&self, source: &'a Source) -> Origin<'a> {
        let position = source.position(self.places[0].1.start);
        Origin::path(source.name()).line(position.line).char_column(position.column)
    }
}

/// The bytes of `span` in the text of `window`, cut to it.
fn range_within(text: &str, window: Span, span: Span) -> std::ops::Range<usize> {
    let start = (span.start - window.start) as usize;
    let end = (span.end.min(window.end) - window.start) as usize;
    let end = end.max(start).min(text.len());
    start.min(end)..end
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::Code;

    #[test]
    fn a_place_and_a_related_place_are_drawn_with_the_cure() {
        let source = Source::new("a.kif", "(role x)\r\n(role\r\n  y z)");
        let problem =
            Diagnostic::new(Code::KeywordArity, Span::new(11, 15), "role takes 1", "remove one")
                .with_related(Span::new(1, 5), "as here");
        expect![[r#"
            error[keyword-arity]: role takes 1
             --> a.kif:2:2
              |
            1 | (role x) 
              |  ---- as here
            2 | (role 
              |  ^^^^
              |
              = help: remove one"#]]
        .assert_eq(&render(&source, &problem, Colour::Never));
    }

    #[test]
    fn a_very_long_line_is_named_and_not_drawn() {
        let text = format!("(p{}) ?x", " a".repeat(2_000));
        let source = Source::new("a.kif", text);
        let problem = Diagnostic::new(Code::Misplaced, Span::new(4005, 4007), "no", "yes");
        let drawing = render(&source, &problem, Colour::Never);
        assert!(drawing.contains("a.kif:1:4006"), "{drawing}");
        assert!(drawing.len() < 200, "{drawing}");
    }
}
