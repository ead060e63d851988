//! How a network player is doing, for programs and for people.

use std::fmt::Write as _;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use player::{Choice, Fault};
use serde::Serialize;

use crate::match_thread::Opening;

/// How a network player is doing.
#[derive(Clone, Debug, Serialize)]
pub struct PlayerStatus {
    /// What it is called.
    pub name: String,
    /// Who plays.
    pub player: String,
    /// `available` or `busy`.
    pub status: &'static str,
    /// Of the program.
    pub version: &'static str,
    /// For how long it has been there.
    pub seconds: u64,
    /// How many matches it has begun.
    pub n_matches: u64,
    /// How many it plays at the same time.
    pub max_matches: usize,
    /// The matches that it plays.
    pub matches: Vec<MatchStatus>,
}

/// How it is doing in a match.
#[derive(Clone, Debug, Serialize)]
pub struct MatchStatus {
    /// The name of the match.
    pub id: String,
    /// The role that it plays.
    pub role: String,
    /// In seconds.
    pub start_clock: f64,
    /// In seconds.
    pub play_clock: f64,
    /// When it began, in seconds since 1970.
    pub since: u64,
    /// How many steps it was told of.
    pub n_steps: usize,
    /// What it does at this moment.
    pub doing: Doing,
    /// Whether the rules are played on the fast machine, or as they stand.
    pub is_fast: bool,
    /// Its last move.
    pub last_move: Option<String>,
    /// When it thought last: what it expects, from 0 to 100.
    pub value: Option<f64>,
    /// Random plays that it made then.
    pub n_plays: u64,
    /// Moves that it owed: none was found in time.
    pub n_owed: usize,
    #[serde(skip)]
    begun: Instant,
}

/// What is done in a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Doing {
    /// It gets ready.
    Starting,
    /// It thinks about a move.
    Thinking,
    /// Others do.
    Waiting,
}

impl MatchStatus {
    pub(crate) fn new(opening: &Opening) -> MatchStatus {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        MatchStatus {
            id: opening.match_id.to_string(),
            role: opening.role.clone(),
            start_clock: opening.start_clock.as_secs_f64(),
            play_clock: opening.play_clock.as_secs_f64(),
            since: now.map_or(0, |now| now.as_secs()),
            n_steps: 0,
            doing: Doing::Starting,
            is_fast: false,
            last_move: None,
            value: None,
            n_plays: 0,
            n_owed: 0,
            begun: opening.received,
        }
    }

    /// It has made a move, or could not.
    pub(crate) fn note_move(&mut self, choice: &Result<Choice, Fault>, is_fast: bool) {
        self.doing = Doing::Waiting;
        self.is_fast = is_fast;
        let Ok(choice) = choice else {
            self.n_owed += 1;
            return;
        };
        self.last_move = Some(choice.text.clone());
        // Of the only move it does not think.
        if let Some(thoughts) = &choice.thoughts {
            self.n_plays = thoughts.work.n_plays;
            self.value = thoughts.moves.first().map(|best| (best.value * 10.0).round() / 10.0);
        }
    }
}

impl PlayerStatus {
    /// As a page, which loads itself anew.
    pub(crate) fn page(&self) -> String {
        const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;\
            padding:0 1rem;color:#222;background:#fff}table{border-collapse:collapse;width:100%}\
            th,td{text-align:left;padding:.4rem .8rem .4rem 0;border-bottom:1px solid #ccc;\
            vertical-align:top}.busy{color:#a40}.available{color:#070}h1{font-size:1.6rem}\
            td{overflow-wrap:anywhere}\
            @media(prefers-color-scheme:dark){body{color:#ddd;background:#1b1b1b}\
            th,td{border-color:#444}.busy{color:#f90}.available{color:#6c6}}";
        let PlayerStatus {
            name,
            player,
            status,
            version,
            seconds,
            n_matches,
            max_matches,
            matches,
        } = self;
        let (name, player) = (escaped(name), escaped(player));
        let most = match max_matches {
            1 => "one match".to_owned(),
            _ => format!("up to {max_matches} matches"),
        };
        let mut page = format!(
            "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width\">\
             <meta http-equiv=\"refresh\" content=\"2\"><title>{name}: {status}</title>\
             <style>{STYLE}</style></head><body><h1>{name} is <span class=\"{status}\">{status}</span></h1>\
             <p>It plays as <code>{player}</code>, {most} at the same time. It has been here for {}; \
             matches begun: {n_matches}. Woodstock {version}.</p>",
            duration_text(*seconds)
        );
        page += match matches.as_slice() {
            [] => "<p>No match at this moment.</p>",
            _ => {
                "<table><tr><th>match</th><th>role</th><th>clocks</th><th>step</th><th>doing</th>\
                  <th>last move</th><th>expects</th><th>plays</th><th>since</th></tr>"
            }
        };
        for one in matches {
            one.write_row(&mut page);
        }
        if !matches.is_empty() {
            page += "</table>";
        }
        page + "<p><a href=\"/status?format=json\">As JSON</a></p></body></html>"
    }
}

impl MatchStatus {
    fn write_row(&self, page: &mut String) {
        let doing = match (self.doing, self.is_fast) {
            (Doing::Starting, _) => "gets ready",
            (Doing::Thinking, true) => "thinks",
            (Doing::Thinking, false) => "thinks, on the rules as they stand",
            (Doing::Waiting, _) => "waits",
        };
        let last_move = self.last_move.as_deref().unwrap_or("none yet");
        let value = self.value.map(|value| format!("{value:.1}")).unwrap_or_default();
        // A text takes whatever is written to it.
        let _ = write!(
            page,
            "<tr><td>{}</td><td>{}</td><td>{} s, {} s</td><td>{}</td><td>{doing}</td><td>{}</td>\
             <td>{value}</td><td>{}</td><td>{}</td></tr>",
            escaped(&self.id),
            escaped(&self.role),
            self.start_clock,
            self.play_clock,
            self.n_steps,
            escaped(last_move),
            self.n_plays,
            duration_text(self.begun.elapsed().as_secs()),
        );
    }
}

fn duration_text(seconds: u64) -> String {
    match seconds {
        0..120 => format!("{seconds} s"),
        120..7_200 => format!("{} min", seconds / 60),
        _ => format!("{} h", seconds / 3_600),
    }
}

/// A text as it stands in a page; what is not ASCII is written in numbers.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        match letter {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            _ if letter.is_ascii() => out.push(letter),
            _ => out += &format!("&#{};", u32::from(letter)),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_match_becomes_a_part_of_the_page() {
        assert_eq!(escaped("<b>\"&\u{e9}"), "&lt;b&gt;&quot;&amp;&#233;");
    }
}
