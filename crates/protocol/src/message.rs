//! What managers say to players.

use std::fmt;
use std::time::Duration;

use gdl::{Ast, Form};

use crate::elements::{Element, Elements};
use crate::error::{MessageError, beginning};
use crate::match_id::MatchId;
use crate::term::plain_term;

/// What a manager says to a player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Message {
    /// Who are you, and are you free?
    Info,
    /// Are you free? As newer managers ask it.
    Ping,
    /// These rules will be played: you may look at them.
    Preview {
        /// The rules.
        rules: Rules,
        /// How long; whole seconds are sent.
        clock: Duration,
    },
    /// A match begins.
    Start {
        /// Its name.
        match_id: MatchId,
        /// The role of the player.
        role: String,
        /// The rules.
        rules: Rules,
        /// How long the player may think before the match; whole seconds are sent.
        start_clock: Duration,
        /// How long it may think about a move; whole seconds are sent.
        play_clock: Duration,
    },
    /// It is time to move.
    Play {
        /// The match.
        match_id: MatchId,
        /// What happened before.
        news: News,
    },
    /// The match is over.
    Stop {
        /// The match.
        match_id: MatchId,
        /// What happened last.
        news: News,
    },
    /// The match is broken off.
    Abort {
        /// The match.
        match_id: MatchId,
    },
}

/// What a player is told of the last step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum News {
    /// `NIL`: nothing happened yet.
    Nothing,
    /// The joint move, in the order of the roles; in the first form of GDL-II what the player sees.
    Terms(Vec<String>),
    /// The second form of GDL-II.
    Turn {
        /// How many joint moves there were before.
        number: u64,
        /// The move of the player that was made, which may be another than the one it chose; none before the first.
        own_move: Option<String>,
        /// What the player sees.
        percepts: Vec<String>,
    },
}

/// A rule sheet as it stands in a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rules(String);

impl Rules {
    /// The rules of a tree, without comments and on one line.
    pub fn of(ast: &Ast) -> Rules {
        Rules(gdl::print(ast, Form::Kif).split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// Their text in prefix form. It has no comments if it came over the wire; whoever parses it should know that
    /// what begins with `%` is a comment to the end of the line for `gdl`.
    pub fn text(&self) -> &str {
        &self.0
    }
}

impl Message {
    /// Reads a message.
    ///
    /// ```
    /// use protocol::Message;
    /// assert_eq!(Message::read("(info)"), Ok(Message::Info));
    /// let error = Message::read("( PLAY 42 )").unwrap_err();
    /// assert_eq!(error.to_string(), "PLAY has 2 or 4 parts, not 1");
    /// ```
    pub fn read(text: &str) -> Result<Message, MessageError> {
        let mut elements = Elements::of(text);
        let list = match elements.next().ok_or(MessageError::Empty)?? {
            Element::List(list) => list,
            Element::Word(_) => return Err(MessageError::NoList),
        };
        if elements.next().is_some() {
            return Err(MessageError::NoList);
        }
        let mut elements = Elements::of(list);
        let word = match elements.next().ok_or(MessageError::Empty)?? {
            Element::Word(word) => word,
            Element::List(_) => return Err(MessageError::NoList),
        };
        read_parts(word, elements)
    }
}

fn read_parts(word: &str, elements: Elements<'_>) -> Result<Message, MessageError> {
    let upper = word.to_ascii_uppercase();
    let parts = |message, expected, counts| Parts::take(message, expected, counts, elements);
    Ok(match upper.as_str() {
        "INFO" => parts("INFO", "no parts", &[0]).map(|_| Message::Info)?,
        "PING" => parts("PING", "no parts", &[0]).map(|_| Message::Ping)?,
        "PREVIEW" => {
            let parts = parts("PREVIEW", "2 parts", &[2])?;
            Message::Preview { rules: parts.rules(0)?, clock: parts.clock(1)? }
        }
        "START" => {
            // What some managers add is allowed, and ignored.
            let parts = parts("START", "5 parts or more", &[5, MOST_PARTS])?;
            Message::Start {
                match_id: parts.match_id(0)?,
                role: parts.word(1, "a role")?.to_owned(),
                rules: parts.rules(2)?,
                start_clock: parts.clock(3)?,
                play_clock: parts.clock(4)?,
            }
        }
        "PLAY" => {
            let parts = parts("PLAY", "2 or 4 parts", &[2, 4])?;
            Message::Play { match_id: parts.match_id(0)?, news: parts.news()? }
        }
        "STOP" => {
            let parts = parts("STOP", "2 or 4 parts", &[2, 4])?;
            Message::Stop { match_id: parts.match_id(0)?, news: parts.news()? }
        }
        "ABORT" => {
            let parts = parts("ABORT", "1 part", &[1])?;
            Message::Abort { match_id: parts.match_id(0)? }
        }
        _ => return Err(MessageError::UnknownWord { word: beginning(word) }),
    })
}

/// More parts of a message are not looked at.
const MOST_PARTS: usize = 6;

/// The parts of a message after its word.
struct Parts<'a> {
    message: &'static str,
    parts: Vec<Element<'a>>,
}

impl<'a> Parts<'a> {
    /// The parts of a message that has as many as one of `counts`.
    fn take(
        message: &'static str,
        expected: &'static str,
        counts: &[usize],
        elements: Elements<'a>,
    ) -> Result<Parts<'a>, MessageError> {
        let parts = elements.take(MOST_PARTS).collect::<Result<Vec<_>, _>>()?;
        match counts.contains(&parts.len()) {
            true => Ok(Parts { message, parts }),
            false => Err(MessageError::WrongCount { message, expected, found: parts.len() }),
        }
    }

    fn word(&self, place: usize, expected: &'static str) -> Result<&'a str, MessageError> {
        match self.parts[place] {
            Element::Word(word) => Ok(word),
            Element::List(_) => Err(self.wrong(place, expected)),
        }
    }

    fn match_id(&self, place: usize) -> Result<MatchId, MessageError> {
        const EXPECTED: &str = "the name of a match of at most 256 letters";
        let word = self.word(place, EXPECTED)?;
        MatchId::new(word).ok_or_else(|| self.wrong(place, EXPECTED))
    }

    fn rules(&self, place: usize) -> Result<Rules, MessageError> {
        match self.parts[place] {
            Element::List(text) => Ok(Rules(text.to_owned())),
            Element::Word(_) => Err(self.wrong(place, "the list of rules")),
        }
    }

    fn clock(&self, place: usize) -> Result<Duration, MessageError> {
        const EXPECTED: &str = "a whole number of seconds";
        let seconds: u32 = self.number(place, EXPECTED)?;
        Ok(Duration::from_secs(u64::from(seconds)))
    }

    fn number<T: std::str::FromStr>(
        &self,
        place: usize,
        expected: &'static str,
    ) -> Result<T, MessageError> {
        let word = self.word(place, expected)?;
        word.parse().map_err(|_| self.wrong(place, expected))
    }

    /// What happened, in the second part or in the last three.
    fn news(&self) -> Result<News, MessageError> {
        if self.parts.len() == 2 {
            return Ok(match self.parts[1] {
                Element::Word(_) => News::Nothing,
                Element::List(_) => News::Terms(self.terms(1)?),
            });
        }
        let own_move = match self.parts[2] {
            Element::Word(word) if word.eq_ignore_ascii_case("nil") => None,
            Element::Word(word) => Some(word.to_owned()),
            Element::List(list) if list.trim().is_empty() => None,
            Element::List(list) => Some(plain_term(&format!("({list})"))?),
        };
        Ok(News::Turn {
            number: self.number(1, "the number of a turn")?,
            own_move,
            percepts: self.terms(3)?,
        })
    }

    /// The terms of a list. Any word is none, as NIL is.
    fn terms(&self, place: usize) -> Result<Vec<String>, MessageError> {
        /// No role sees more, and no game has more roles.
        const MOST: usize = 100_000;
        let Element::List(list) = self.parts[place] else { return Ok(Vec::new()) };
        let mut terms = Vec::new();
        for element in Elements::of(list) {
            if terms.len() == MOST {
                return Err(self.wrong(place, "at most 100,000 terms"));
            }
            terms.push(match element? {
                Element::Word(word) => word.to_owned(),
                Element::List(list) => plain_term(&format!("({list})"))?,
            });
        }
        Ok(terms)
    }

    fn wrong(&self, place: usize, expected: &'static str) -> MessageError {
        let found = match self.parts[place] {
            Element::Word(word) => beginning(word),
            Element::List(list) => beginning(&format!("({})", beginning(list))),
        };
        MessageError::WrongPart { message: self.message, expected, found }
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Message::Info => write!(f, "( INFO )"),
            Message::Ping => write!(f, "( PING )"),
            Message::Preview { rules, clock } => {
                write!(f, "( PREVIEW ( {} ) {} )", rules.text(), clock.as_secs())
            }
            Message::Start { match_id, role, rules, start_clock, play_clock } => {
                let (start, play) = (start_clock.as_secs(), play_clock.as_secs());
                write!(f, "( START {match_id} {role} ( {} ) {start} {play} )", rules.text())
            }
            Message::Play { match_id, news } => write!(f, "( PLAY {match_id} {news} )"),
            Message::Stop { match_id, news } => write!(f, "( STOP {match_id} {news} )"),
            Message::Abort { match_id } => write!(f, "( ABORT {match_id} )"),
        }
    }
}

impl fmt::Display for News {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            News::Nothing => write!(f, "NIL"),
            News::Terms(terms) => write!(f, "{}", list(terms)),
            News::Turn { number, own_move: None, percepts } if percepts.is_empty() => {
                write!(f, "{number} NIL NIL")
            }
            News::Turn { number, own_move, percepts } => {
                let own_move = own_move.as_deref().unwrap_or("NIL");
                write!(f, "{number} {own_move} {}", list(percepts))
            }
        }
    }
}

fn list(terms: &[String]) -> String {
    match terms {
        [] => "( )".to_owned(),
        _ => format!("( {} )", terms.join(" ")),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn terms(terms: &[&str]) -> News {
        News::Terms(terms.iter().map(|term| (*term).to_owned()).collect())
    }

    fn match_id(text: &str) -> MatchId {
        MatchId::new(text).expect("it is a word")
    }

    #[test]
    fn start_messages_of_all_managers_are_read() {
        let rules = "( role x ) ( <= ( legal x go ) ( true on ) )";
        let start = |match_id: &str, role: &str, rules: &str| Message::Start {
            match_id: MatchId::new(match_id).expect("it is a word"),
            role: role.to_owned(),
            rules: Rules(rules.to_owned()),
            start_clock: Duration::from_secs(10),
            play_clock: Duration::from_secs(5),
        };
        let padded = format!(" {rules} ");
        for text in [
            format!("( START base.lamp.1 x ( {rules} ) 10 5 )"),
            format!("(START base.lamp.1 x ( {rules} ) 10 5)"),
            format!("(start base.lamp.1 x ( {rules} ) 10 5 more (and more) still more)\r\n"),
        ] {
            assert_eq!(Message::read(&text), Ok(start("base.lamp.1", "x", &padded)), "{text}");
        }
        let dresden = "(START Match.7 X ((ROLE X)(LEGAL X GO)) 10 5)";
        let expected = start("Match.7", "X", "(ROLE X)(LEGAL X GO)");
        assert_eq!(Message::read(dresden), Ok(expected));
    }

    #[test]
    fn news_are_read_in_all_forms() {
        let news = |text: &str| match Message::read(&format!("(play m {text})")) {
            Ok(Message::Play { news, .. }) => news,
            other => panic!("{text}: {other:?}"),
        };
        for nothing in ["NIL", "nil", "anything"] {
            assert_eq!(news(nothing), News::Nothing, "{nothing}");
        }
        for empty in ["()", "( )"] {
            assert_eq!(news(empty), terms(&[]), "{empty}");
        }
        assert_eq!(news("(( mark  1 3 )noop)"), terms(&["(mark 1 3)", "noop"]));
        let first = News::Turn { number: 0, own_move: None, percepts: Vec::new() };
        assert_eq!(news("0 NIL NIL"), first);
        let turn = |own_move: &str, percepts: &[&str]| News::Turn {
            number: 7,
            own_move: Some(own_move.to_owned()),
            percepts: percepts.iter().map(|percept| (*percept).to_owned()).collect(),
        };
        assert_eq!(news("7 noop ()"), turn("noop", &[]));
        assert_eq!(news("7 (BID 5) ((SEEN 1)wins)"), turn("(BID 5)", &["(SEEN 1)", "wins"]));
    }

    #[test]
    fn the_other_messages_are_read() {
        let read = |text: &str| Message::read(text).expect("it is a message");
        assert_eq!(read("( INFO )"), Message::Info);
        assert_eq!(read("(ping)"), Message::Ping);
        let preview = Message::Preview {
            rules: Rules("(role x)".to_owned()),
            clock: Duration::from_secs(30),
        };
        assert_eq!(read("(PREVIEW ((role x)) 30)"), preview);
        let stop = Message::Stop { match_id: match_id("m"), news: terms(&["a", "b"]) };
        assert_eq!(read("(STOP m (a b))"), stop);
        assert_eq!(read("(Abort M)"), Message::Abort { match_id: match_id("M") });
    }

    #[test]
    fn what_is_no_message_is_refused_with_a_reason() {
        for (text, reason) in [
            ("", "the message is empty"),
            ("()", "the message is empty"),
            ("info", "a message is one list, as ( INFO ), with nothing before or after it"),
            ("(info) x", "a message is one list, as ( INFO ), with nothing before or after it"),
            ("((info))", "a message is one list, as ( INFO ), with nothing before or after it"),
            ("(info", "a closing parenthesis is missing at the end"),
            (")", "there is a closing parenthesis too many"),
            (
                "(hello 1)",
                "'hello' is no message: it is INFO, PING, PREVIEW, START, PLAY, STOP or ABORT",
            ),
            ("(info 1)", "INFO has no parts, not 1"),
            ("(play m 1 2)", "PLAY has 2 or 4 parts, not 3"),
            ("(start m x () 10)", "START has 5 parts or more, not 4"),
            ("(start m x () 10 soon)", "START has a whole number of seconds where 'soon' stands"),
            ("(start m x () -1 5)", "START has a whole number of seconds where '-1' stands"),
            ("(start m x rules 10 5)", "START has the list of rules where 'rules' stands"),
            ("(start m (x y) () 10 5)", "START has a role where '(x y)' stands"),
            (
                "(stop (m) nil)",
                "STOP has the name of a match of at most 256 letters where '(m)' stands",
            ),
            ("(play m one noop ())", "PLAY has the number of a turn where 'one' stands"),
        ] {
            let error = Message::read(text).expect_err(text);
            assert_eq!(error.to_string(), reason, "{text}");
        }
    }

    #[test]
    fn a_flood_of_terms_is_refused() {
        let flood = format!("(play m ({}))", "a ".repeat(1_000_000));
        let error = Message::read(&flood).expect_err("there are too many");
        assert!(error.to_string().starts_with("PLAY has at most 100,000 terms"), "{error}");
    }

    #[test]
    fn rules_are_sent_without_comments() {
        let ast = gdl::parse_kif("(role x) ; the player\n(<= terminal\n  (true on)) % end").ast;
        assert_eq!(Rules::of(&ast).text(), "(role x) (<= terminal (true on))");
    }

    fn term() -> impl Strategy<Value = String> {
        let word = "[a-z0-9_+-]{1,8}".prop_filter("it stands for nothing", |word| word != "nil");
        word.prop_recursive(3, 12, 4, |inner| {
            ("[a-z]{1,8}", prop::collection::vec(inner, 1..4))
                .prop_map(|(name, args)| format!("({name} {})", args.join(" ")))
        })
    }

    fn any_news() -> impl Strategy<Value = News> {
        let terms = || prop::collection::vec(term(), 0..5);
        prop_oneof![
            Just(News::Nothing),
            terms().prop_map(News::Terms),
            (1..1_000_u64, term(), terms()).prop_map(|(number, own_move, percepts)| {
                News::Turn { number, own_move: Some(own_move), percepts }
            }),
        ]
    }

    fn any_message() -> impl Strategy<Value = Message> {
        let id = || "[A-Za-z0-9._-]{1,20}".prop_map(|text| match_id(&text));
        let clock = || (0..10_000_u64).prop_map(Duration::from_secs);
        let rules = || {
            prop::collection::vec(term(), 1..5)
                .prop_map(|terms| Rules(format!(" {} ", terms.join(" "))))
        };
        prop_oneof![
            Just(Message::Info),
            Just(Message::Ping),
            (rules(), clock()).prop_map(|(rules, clock)| Message::Preview { rules, clock }),
            (id(), "[a-z]{1,8}", rules(), clock(), clock()).prop_map(
                |(match_id, role, rules, start_clock, play_clock)| Message::Start {
                    match_id,
                    role,
                    rules,
                    start_clock,
                    play_clock
                }
            ),
            (id(), any_news()).prop_map(|(match_id, news)| Message::Play { match_id, news }),
            (id(), any_news()).prop_map(|(match_id, news)| Message::Stop { match_id, news }),
            id().prop_map(|match_id| Message::Abort { match_id }),
        ]
    }

    /// A message without the blanks around its rules, which mean nothing.
    fn plain(message: Message) -> Message {
        let plain = |rules: Rules| Rules(rules.0.trim().to_owned());
        match message {
            Message::Preview { rules, clock } => Message::Preview { rules: plain(rules), clock },
            Message::Start { match_id, role, rules, start_clock, play_clock } => {
                Message::Start { match_id, role, rules: plain(rules), start_clock, play_clock }
            }
            other => other,
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn what_is_written_is_read_as_it_was(message in any_message()) {
            let read = Message::read(&message.to_string()).map(plain);
            prop_assert_eq!(read, Ok(plain(message)));
        }

        #[test]
        fn any_text_is_read_or_refused(text in "[() ;a-zA-Z0-9\\n]{0,200}") {
            let _ = Message::read(&text);
            let _ = plain_term(&text);
        }

        /// Texts that are nearly messages.
        #[test]
        fn near_messages_are_read_or_refused(
            message in any_message(),
            place in 0.0..1.0_f64,
            other in any::<char>(),
        ) {
            let mut text: Vec<char> = message.to_string().chars().collect();
            let place = (place * text.len() as f64) as usize;
            text[place] = other;
            let _ = Message::read(&text.iter().collect::<String>());
            text.remove(place);
            let _ = Message::read(&text.into_iter().collect::<String>());
        }
    }
}
