//! Records that are told to a server while a match goes on.

use arena::Record;
use net::{PublishAddress, Publisher};
use percent_encoding::percent_decode_str;

use crate::stand_in::{Act, StandIn};

/// The word of the sender, and the record.
fn read(body: &str) -> (String, Record) {
    let (word, data) = body.split_once('&').expect("there are two parts");
    let word = word.strip_prefix("AUTH=").expect("the first is the word").to_owned();
    let data = data.strip_prefix("DATA=").expect("the second is the record");
    let json = percent_decode_str(data).decode_utf8().expect("it is text");
    (word, serde_json::from_str(&json).expect("it is a record"))
}

fn record(match_id: &str, n_moves: usize) -> String {
    let record = Record {
        match_id: match_id.to_owned(),
        states: vec!["( ( at 1 ) & = % )".to_owned()],
        moves: vec![vec!["( go 1 )".to_owned()]; n_moves],
        ..Record::default()
    };
    serde_json::to_string(&record).expect("it is JSON")
}

/// A server that is away for a while hears the last record of each match all the same.
#[test]
fn records_are_sent_until_they_arrive() {
    let server = StandIn::new(|number, _| match number {
        0 => Act::Close,
        1 => Act::Send("HTTP/1.0 503 Busy\r\nContent-length: 4\r\n\r\nbusy"),
        _ => Act::Say("key".to_owned()),
    });
    let address: PublishAddress =
        format!("http://{}/matches/?a=b", server.address).parse().expect("it is one");
    let publisher = Publisher::new(address);
    for n_moves in 0..=5 {
        for match_id in ["one", "two"] {
            publisher.publish(match_id, record(match_id, n_moves));
        }
    }
    // What waits is sent before it ends.
    drop(publisher);
    let heard: Vec<(String, Record)> = server.heard().iter().map(|body| read(body)).collect();
    assert!(heard.iter().all(|(word, _)| word.len() == 12 && *word == heard[0].0));
    for match_id in ["one", "two"] {
        let last = heard.iter().rfind(|(_, record)| record.match_id == match_id);
        let (_, last) = last.expect("it was sent");
        assert_eq!(last.moves.len(), 5);
        assert_eq!(last.states, ["( ( at 1 ) & = % )"]);
    }
    assert!(heard.len() >= 4, "{} were sent", heard.len());
}
