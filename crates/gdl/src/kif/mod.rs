//! The prefix form of GDL, a subset of the Knowledge Interchange Format: what is sent over the
//! network, and what nearly all rule sheets are written in.

mod lexer;
mod parser;
mod reader;

pub(crate) use lexer::{control_length, is_blank, is_word, is_word_char};
pub(crate) use parser::parse;
