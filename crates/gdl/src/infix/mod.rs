//! The infix form of GDL, in which papers and people write rules:
//! `legal(P, noop) :- role(P), not true(control(P)).`
//!
//! Accepted are the habits of several communities: `:-`, `<=` and `←`; `,`, `&` and `and`; `~`,
//! `not` and `\+`; `;`, `|` and `or`; `X \= Y` for `distinct(X, Y)`; a full stop after a rule or
//! none; and the operations of Stanford's newer notes ([`operations`]).

mod lexer;
mod operations;
mod parser;

pub(crate) use lexer::{is_plain_constant, is_plain_variable};
pub(crate) use parser::parse;
