//! What happened in a match.

use serde::{Deserialize, Serialize, Serializer};

/// A match in the JSON of the field (what ggp-base calls `Match.toJSON`), with keys of our own.
///
/// Moves are in the order of the roles. There is one state more than there are joint moves, and as many lists
/// of errors as states: the first belongs to the start.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Record {
    /// The name of the match.
    pub match_id: String,
    /// 32 letters and digits that tell it from others of the same name.
    pub random_token: String,
    /// Where the rules are found.
    #[serde(rename = "gameMetaURL")]
    pub game_meta_url: String,
    /// When it began, in milliseconds since 1970; 0 if it was not played by the clock.
    pub start_time: u64,
    /// Whether it was played to the end.
    pub is_completed: bool,
    /// Whether it was broken off.
    pub is_aborted: bool,
    /// The states, each as a list of the fluents that hold.
    pub states: Vec<String>,
    /// The joint moves.
    pub moves: Vec<Vec<String>>,
    /// When each state was reached, as the start is told.
    pub state_times: Vec<u64>,
    /// By joint move and role: what the role saw of it, in games of GDL-II.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub percepts: Vec<Vec<Vec<String>>>,
    /// By state and role: `TO` for an answer that came too late, `CE` where the player could not be reached, `IL` and a
    /// move for one that is not legal, `IL null` for what is no move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<Vec<String>>,
    /// What the roles got, if the match was played to the end.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub goal_values: Vec<u8>,
    /// The clock for a look at the rules before the match, in seconds; -1 where there was none.
    #[serde(serialize_with = "as_number")]
    pub preview_clock: f64,
    /// The clock before the match, in seconds.
    #[serde(serialize_with = "as_number")]
    pub start_clock: f64,
    /// The clock of each move, in seconds.
    #[serde(serialize_with = "as_number")]
    pub play_clock: f64,
    /// The players, in the order of the roles; chance is `random`.
    pub player_names_from_host: Vec<String>,
    /// Whether the rules were scrambled.
    pub scrambled: bool,
    /// 1, or 2 where the rules say what players see; 0 in foreign records, which do not say it.
    pub gdl_version: u8,
    /// Where chance began.
    pub seed: u64,
    /// By joint move and role: how long the player thought, in milliseconds; nothing if it was not played by
    /// the clock.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub think_millis: Vec<Vec<u64>>,
    /// By joint move: for how long the machine stood still while players thought, in milliseconds, which is not
    /// part of their time; nothing if it never did.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub halt_millis: Vec<u64>,
}

impl Default for Record {
    fn default() -> Record {
        Record {
            match_id: String::new(),
            random_token: String::new(),
            game_meta_url: String::new(),
            start_time: 0,
            is_completed: false,
            is_aborted: false,
            states: Vec::new(),
            moves: Vec::new(),
            state_times: Vec::new(),
            percepts: Vec::new(),
            errors: Vec::new(),
            goal_values: Vec::new(),
            preview_clock: -1.0,
            start_clock: 0.0,
            play_clock: 0.0,
            player_names_from_host: Vec::new(),
            scrambled: false,
            gdl_version: 0,
            seed: 0,
            think_millis: Vec::new(),
            halt_millis: Vec::new(),
        }
    }
}

/// Whole seconds as whole numbers, which is all that others read.
fn as_number<S: Serializer>(seconds: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    match seconds.fract() == 0.0 && seconds.abs() < 1e15 {
        true => serializer.serialize_i64(*seconds as i64),
        false => serializer.serialize_f64(*seconds),
    }
}

impl Record {
    /// All errors that are none of them empty, in words.
    pub fn error_texts(&self) -> Vec<String> {
        let mut texts = Vec::new();
        for (step, errors) in self.errors.iter().enumerate() {
            for (name, error) in self.player_names_from_host.iter().zip(errors) {
                if !error.is_empty() {
                    texts.push(format!("{name} in step {step}: {error}"));
                }
            }
        }
        texts
    }
}

/// A state as records write it.
pub(crate) fn state_text(fluents: &[String]) -> String {
    let spaced = |fluent: &String| fluent.replace('(', "( ").replace(')', " )");
    let fluents: Vec<String> = fluents.iter().map(spaced).collect();
    format!("( {} )", fluents.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_written_as_others_write_them() {
        let fluents = ["(cell 1 1 b)".to_owned(), "over".to_owned()];
        assert_eq!(state_text(&fluents), "( ( cell 1 1 b ) over )");
    }

    #[test]
    fn records_of_others_are_read_with_what_they_leave_out() {
        let text = r#"{"matchId": "m", "states": ["( s )"], "moves": [], "stateTimes": [5],
            "isCompleted": true, "goalValues": [100], "playClock": 15, "matchHostPK": "x"}"#;
        let record: Record = serde_json::from_str(text).unwrap();
        assert_eq!((record.goal_values, record.play_clock), (vec![100], 15.0));
        assert!(record.errors.is_empty() && !record.is_aborted);
        assert_eq!((record.preview_clock, record.gdl_version), (-1.0, 0));
    }

    #[test]
    fn clocks_of_whole_seconds_are_whole_numbers() {
        let text = |play_clock| {
            let record = Record { play_clock, ..Record::default() };
            serde_json::to_string(&record).unwrap()
        };
        assert!(text(15.0).contains("\"previewClock\":-1,\"startClock\":0,\"playClock\":15,"));
        assert!(text(0.25).contains("\"playClock\":0.25,"));
    }
}
