//! The little of HTTP that managers and players speak, as text that comes in piece by piece; no sockets.
//!
//! `httparse` reads the heads. What is after them is our own, because it is older than what HTTP has become: a request
//! may have no length and end where its sender closes, and a length may count characters.

mod body;
mod reader;
mod request;
mod response;

pub(crate) use reader::HttpError;
pub(crate) use request::{Request, request_reader};
pub(crate) use response::{ReplyHead, Response, reply_reader};
