//! Any text as a message, or as a reply: it is read or refused, and what was read is written and read again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use protocol::{Info, Message, Reply};

/// The words and parentheses of a message: blanks between them mean nothing.
fn words(message: &Message) -> String {
    message.to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}

fuzz_target!(|text: &str| {
    if let Ok(message) = Message::read(text) {
        let again = Message::read(&message.to_string()).expect("what was written can be read");
        assert_eq!(words(&again), words(&message));
    }
    if let Ok(info) = Info::read(text) {
        assert_eq!(Info::read(&info.to_string()), Ok(info));
    }
    let symbols = gdl::parse_kif("(legal xPlayer (Mark 1)) noop").ast.symbols;
    if let Ok(said) = Reply::read_move(text, &symbols) {
        assert_eq!(Reply::read_move(&said, &symbols), Ok(said));
    }
});
