//! Tokens to lists within lists.

use super::lexer::{Lexer, Token};
use crate::Span;
use crate::builder::{Builder, MAX_DEPTH};
use crate::diagnostic::{Code, Diagnostic};

/// A word, or a list of these in parentheses.
#[derive(Debug)]
pub(super) enum Sexp {
    Word(Span),
    List(Span, Vec<Sexp>),
}

impl Sexp {
    pub(super) fn span(&self) -> Span {
        match self {
            Sexp::Word(span) | Sexp::List(span, _) => *span,
        }
    }
}

/// Reads one top-level expression after the other. It keeps its own stack, so that the depth of
/// the text is no matter of the machine's.
pub(super) struct Reader {
    lexer: Lexer,
    peeked: Option<Token>,
}

/// A list whose closing parenthesis has not come yet.
struct OpenList {
    open: Span,
    elements: Vec<Sexp>,
}

impl Reader {
    pub(super) fn new() -> Reader {
        Reader { lexer: Lexer::new(), peeked: None }
    }

    /// The next expression, or `None` at the end of the text.
    pub(super) fn next(&mut self, builder: &mut Builder<'_>) -> Option<Sexp> {
        let mut stack: Vec<OpenList> = Vec::new();
        let mut is_too_deep = false;
        loop {
            let Some(token) = self.token(builder) else {
                self.report_unclosed(builder, &stack, None);
                return None;
            };
            let complete = match token {
                Token::Word(span) => Sexp::Word(span),
                Token::Open(open) if !stack.is_empty() && self.begins_rule(builder, open) => {
                    self.report_unclosed(builder, &stack, Some(open));
                    stack = vec![OpenList { open, elements: Vec::new() }];
                    is_too_deep = false;
                    continue;
                }
                Token::Open(open) if stack.len() == MAX_DEPTH => {
                    builder.too_deep(open);
                    is_too_deep = true;
                    self.skip_list(builder);
                    continue;
                }
                Token::Open(open) => {
                    stack.push(OpenList { open, elements: Vec::new() });
                    continue;
                }
                Token::Close(close) => match stack.pop() {
                    Some(list) => Sexp::List(list.open.to(close), list.elements),
                    None => {
                        report_extra(builder, close);
                        continue;
                    }
                },
            };
            match stack.last_mut() {
                Some(list) => list.elements.push(complete),
                None if is_too_deep => is_too_deep = false,
                None => return Some(complete),
            }
        }
    }

    fn token(&mut self, builder: &mut Builder<'_>) -> Option<Token> {
        self.peeked.take().or_else(|| self.lexer.next(builder))
    }

    /// Whether the parenthesis at `open`, which was just read, is the first on its line and
    /// followed by an arrow. Rules do not stand within rules, so the one before was not closed.
    fn begins_rule(&mut self, builder: &mut Builder<'_>, open: Span) -> bool {
        self.peeked = self.lexer.next(builder);
        let Some(Token::Word(word)) = self.peeked else { return false };
        let before = &builder.text.as_bytes()[..open.start as usize];
        builder.slice(word) == "<=" && is_start_of_line(before)
    }

    /// Skips to the end of a list whose opening parenthesis was just read.
    fn skip_list(&mut self, builder: &mut Builder<'_>) {
        let mut depth = 1_usize;
        while depth > 0 {
            match self.token(builder) {
                Some(Token::Open(_)) => depth += 1,
                Some(Token::Close(_)) => depth -= 1,
                Some(Token::Word(_)) => {}
                None => return,
            }
        }
    }

    fn report_unclosed(
        &self,
        builder: &mut Builder<'_>,
        stack: &[OpenList],
        next_rule: Option<Span>,
    ) {
        let Some(outermost) = stack.first() else { return };
        let n_missing = stack.len();
        let help = match n_missing {
            1 => "add a `)` where this list ends".to_owned(),
            _ => format!("add {n_missing} closing parentheses where this list and those in it end"),
        };
        let message = "this parenthesis is never closed";
        let mut problem = Diagnostic::new(Code::Unclosed, outermost.open, message, help);
        if let Some(innermost) = stack[1..].last() {
            problem = problem.with_related(innermost.open, "the innermost one that is open");
        }
        if let Some(next_rule) = next_rule {
            problem = problem.with_related(next_rule, "a new rule begins here");
        }
        builder.report(problem);
    }
}

/// Whether only blanks stand between the last line end and the end of `before`.
fn is_start_of_line(before: &[u8]) -> bool {
    let last = before.iter().rev().find(|byte| !matches!(byte, b' ' | b'\t'));
    matches!(last, None | Some(b'\n' | b'\r' | b'\x0c'))
}

fn report_extra(builder: &mut Builder<'_>, close: Span) {
    builder.problem(
        Code::ExtraParenthesis,
        close,
        "this parenthesis closes nothing",
        "remove it, or look for one too many in the rule before",
    );
}
