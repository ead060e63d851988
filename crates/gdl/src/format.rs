//! Rule sheets in canonical form with their comments and blank lines.

use crate::print::{Line, Printer};
use crate::tree::{Ast, Item};
use crate::{Form, Span};

/// The rules of `ast` in canonical form, with the comments of `text`, from which it was read.
///
/// A comment stays with the rule or condition that it stands before or, on the same line, after.
/// One blank line is kept where there were some.
///
/// ```
/// let text = "; A game.\n\n(role x) ; the only one\n(<= terminal   (true done) )";
/// let parse = gdl::parse_kif(text);
/// assert_eq!(
///     gdl::format(text, &parse.ast, gdl::Form::Kif),
///     "; A game.\n\n(role x) ; the only one\n(<= terminal\n    (true done))\n",
/// );
/// ```
pub fn format(text: &str, ast: &Ast, form: Form) -> String {
    let mut formatter = Formatter {
        text,
        comments: ast.comments.iter().copied().peekable(),
        form,
        out: String::new(),
        last_end: 0,
    };
    let printer = Printer::new(&ast.symbols, form);
    for (place, item) in ast.items.iter().enumerate() {
        formatter.item(item, printer.item_lines(item), printer.closer(item));
        let next_start = ast.items.get(place + 1).map_or(u32::MAX, |next| next.span.start);
        formatter.comments_after_item(next_start);
    }
    formatter.comments_before(u32::MAX);
    formatter.out
}

struct Formatter<'a, C: Iterator<Item = Span> + Clone> {
    text: &'a str,
    comments: std::iter::Peekable<C>,
    form: Form,
    out: String,
    /// The end in `text` of what was written last.
    last_end: u32,
}

impl<C: Iterator<Item = Span> + Clone> Formatter<'_, C> {
    fn item(&mut self, item: &Item, lines: Vec<Line>, closer: &str) {
        self.comments_before(item.span.start);
        self.blank_line_before(item.span.start);
        let n_lines = lines.len();
        let starts: Vec<u32> = lines.iter().map(|line| line.span.start).collect();
        for (place, line) in lines.into_iter().enumerate() {
            let next_start = starts.get(place + 1).copied().unwrap_or(item.span.end);
            self.out.push_str(&line.text);
            self.last_end = self.last_end.max(line.span.end);
            // A comment on lines of its own before the end of the rule stays in the rule.
            let is_last = place + 1 == n_lines;
            let is_closed =
                is_last && (closer.is_empty() || !self.has_own_line_comment(next_start));
            if is_closed {
                self.out.push_str(closer);
            }
            self.trailing_comments(next_start);
            self.out.push('\n');
            self.own_line_comments(next_start);
            if is_last && !is_closed {
                self.out.push_str("    ");
                self.out.push_str(closer);
                self.out.push('\n');
            }
        }
        self.last_end = self.last_end.max(item.span.end);
    }

    /// Whether a comment before `next_start` begins on another line than the last part ended.
    fn has_own_line_comment(&mut self, next_start: u32) -> bool {
        let mut comments = self.comments.clone();
        let within = std::iter::from_fn(|| comments.next_if(|comment| comment.start < next_start));
        let last = within.last();
        last.is_some_and(|comment| self.line_ends_between(self.last_end, comment.start))
    }

    /// Comments before the next part that stand within or on the line of the last.
    fn trailing_comments(&mut self, next_start: u32) {
        while let Some(&comment) = self.comments.peek() {
            if comment.start >= next_start || self.line_ends_between(self.last_end, comment.start) {
                return;
            }
            self.comments.next();
            self.out.push(' ');
            let joined = self.comment_lines(comment).join(" ");
            self.out.push_str(&joined);
            self.last_end = self.last_end.max(comment.end);
        }
    }

    fn own_line_comments(&mut self, next_start: u32) {
        while let Some(comment) = self.comments.next_if(|comment| comment.start < next_start) {
            self.write_comment(comment, "    ");
        }
    }

    /// A comment behind a whole rule, on its last line and before the next, goes behind the last
    /// printed line.
    fn comments_after_item(&mut self, next_start: u32) {
        while let Some(&comment) = self.comments.peek() {
            if comment.start >= next_start || self.line_ends_between(self.last_end, comment.start) {
                return;
            }
            self.comments.next();
            self.out.pop();
            let joined = self.comment_lines(comment).join(" ");
            self.out.push(' ');
            self.out.push_str(&joined);
            self.out.push('\n');
            self.last_end = comment.end;
        }
    }

    fn comments_before(&mut self, start: u32) {
        while let Some(comment) = self.comments.next_if(|comment| comment.start < start) {
            self.blank_line_before(comment.start);
            self.write_comment(comment, "");
        }
    }

    fn write_comment(&mut self, comment: Span, indent: &str) {
        for line in self.comment_lines(comment) {
            self.out.push_str(indent);
            self.out.push_str(&line);
            self.out.push('\n');
        }
        self.last_end = self.last_end.max(comment.end);
    }

    fn blank_line_before(&mut self, start: u32) {
        if self.out.is_empty() || start < self.last_end {
            return;
        }
        let between = &self.text[self.last_end as usize..start as usize];
        let n_line_ends = between.replace("\r\n", "\n").matches(['\n', '\r']).count();
        if n_line_ends > 1 && !self.out.ends_with("\n\n") {
            self.out.push('\n');
        }
    }

    fn line_ends_between(&self, end: u32, start: u32) -> bool {
        end < start && self.text[end as usize..start as usize].contains(['\n', '\r'])
    }

    /// The lines of a comment with the comment signs of the form that is written.
    fn comment_lines(&self, comment: Span) -> Vec<String> {
        let text = &self.text[comment.range()];
        let sign = if self.form == Form::Kif { ";" } else { "%" };
        if let Some(block) = text.strip_prefix("/*") {
            let block = block.strip_suffix("*/").unwrap_or(block);
            return block
                .split(['\n', '\r'])
                .map(str::trim)
                .filter(|line| !line.is_empty())
                .map(|line| format!("{sign} {line}"))
                .collect();
        }
        let n_signs = text.chars().take_while(|c| matches!(c, ';' | '%')).count();
        vec![format!("{}{}", sign.repeat(n_signs), text[n_signs..].trim_end())]
    }
}
