//! Players elsewhere, as agents of a match that is played here.

use std::sync::Arc;
use std::time::Duration;

use base::{Id as _, RoleId, Stop, seeded_rng};
use gdl::{Ast, Form, Scrambler, Symbols};
use player::{Agent, Choice, Clock, Fault, Told};
use protocol::{Info, MatchId, Message, News, Reply, Rules};
use tracing::{debug, warn};

use crate::address::{Dialect, PlayerAddress};
use crate::exchange::{Post, connect};

/// What a player of GDL-II needs in a game in which all is seen, as managers of Dresden add it.
const ALL_IS_SEEN: &str = "(<= (sees ?p (did ?p2 ?m)) (role ?p) (does ?p2 ?m))";

/// A game as it is told to players elsewhere.
#[derive(Clone, Debug)]
pub struct RemoteGame {
    rules: String,
    roles: Vec<String>,
    symbols: Arc<Symbols>,
    /// Whether the rules say what players see.
    has_percepts: bool,
}

/// A match as it is told to players elsewhere.
#[derive(Clone, Debug)]
pub struct RemoteMatch {
    game: RemoteGame,
    match_id: MatchId,
    scrambler: Option<Arc<Scrambler>>,
    /// The clock of each move, which is told when the match begins.
    play_clock: Duration,
}

impl RemoteGame {
    /// The game of a rule sheet with these roles; `has_percepts` if it says what players see.
    pub fn new(ast: &Ast, roles: &[String], has_percepts: bool) -> RemoteGame {
        let rules = gdl::print(ast, Form::Kif);
        // With the words that are added for some players.
        let symbols = gdl::parse_kif(&format!("{rules}\n{ALL_IS_SEEN}")).ast.symbols;
        RemoteGame { rules, roles: roles.to_vec(), symbols: Arc::new(symbols), has_percepts }
    }

    /// Whether a player understands what is sent in this game.
    pub fn suits(&self, address: &PlayerAddress) -> bool {
        match address.dialect() {
            Dialect::Gdl1 => !self.has_percepts,
            Dialect::Gdl2 => true,
            Dialect::Gdl2Of2011 => self.has_percepts,
        }
    }

    /// A match of this game; with other names, drawn from a seed, if there is one.
    ///
    /// # Panics
    /// When the name of the match is no word, or too long.
    pub fn begin(&self, match_id: &str, play_clock: Duration, seed: Option<u64>) -> RemoteMatch {
        let scrambler = seed.map(|seed| {
            let mut rng = seeded_rng(seed);
            Arc::new(Scrambler::new(&self.symbols, &mut rng))
        });
        let match_id = MatchId::new(match_id).expect("the name of a match is a word");
        RemoteMatch { game: self.clone(), match_id, scrambler, play_clock }
    }
}

impl RemoteMatch {
    /// A player of a role.
    pub fn agent(&self, address: &PlayerAddress, role: RoleId) -> RemoteAgent {
        RemoteAgent { of: self.clone(), address: address.clone(), role, n_told: 0 }
    }

    fn scrambled(&self, text: &str) -> String {
        match &self.scrambler {
            Some(scrambler) => scrambler.scramble(text),
            None => text.to_owned(),
        }
    }

    fn all_scrambled(&self, texts: &[String]) -> Vec<String> {
        texts.iter().map(|text| self.scrambled(text)).collect()
    }

    fn unscrambled(&self, text: &str) -> String {
        match &self.scrambler {
            Some(scrambler) => scrambler.unscramble(text),
            None => text.to_owned(),
        }
    }

    fn rules(&self, dialect: Dialect) -> Rules {
        let mut rules = self.game.rules.clone();
        if dialect == Dialect::Gdl2 && !self.game.has_percepts {
            rules = format!("{rules}\n{ALL_IS_SEEN}");
        }
        Rules::of(&gdl::parse_kif(&self.scrambled(&rules)).ast)
    }
}

/// A player elsewhere.
#[derive(Debug)]
pub struct RemoteAgent {
    of: RemoteMatch,
    address: PlayerAddress,
    role: RoleId,
    /// How many steps it was told of.
    n_told: u64,
}

impl RemoteAgent {
    /// Says a message and waits for the reply, for so long after it was sent.
    fn say(&self, message: &Message, time: Duration, stop: &Stop) -> Result<String, Fault> {
        let text = message.to_string();
        let id = &self.of.match_id;
        let headers = format!(
            "Sender: GAMESERVER\r\nReceiver: \r\nGGP-Match-ID: {id}\r\nGGP-Match-Step: {}\r\n",
            self.n_told
        );
        let reply = Post {
            host: &self.address.host,
            path: "/",
            content_type: "text/acl",
            headers: &headers,
            body: &text,
        }
        .send(time, stop)
        .map(|answer| answer.text);
        debug!(player = %self.address, "{} -> {reply:?}", text.chars().take(200).collect::<String>());
        reply
    }

    /// What the player is told, as it understands it.
    fn news(&mut self, told: &[Told]) -> News {
        self.n_told += told.len() as u64;
        let number = self.n_told;
        let all = |texts: &[String]| self.of.all_scrambled(texts);
        // It is asked after every step.
        match (told.last(), self.address.dialect()) {
            (None, Dialect::Gdl2) => News::Turn { number, own_move: None, percepts: Vec::new() },
            (None, _) => News::Nothing,
            (Some(Told::JointMove(texts)), Dialect::Gdl2) => News::Turn {
                number,
                own_move: texts.get(self.role.index()).map(|text| self.of.scrambled(text)),
                percepts: all(&self.all_that_was_done(texts)),
            },
            (Some(Told::JointMove(texts)), _) => News::Terms(all(texts)),
            (Some(Told::Seen { own_move, percepts }), Dialect::Gdl2) => News::Turn {
                number,
                own_move: own_move.as_deref().map(|text| self.of.scrambled(text)),
                percepts: all(percepts),
            },
            (Some(Told::Seen { percepts, .. }), _) => News::Terms(all(percepts)),
        }
    }

    /// What the rule that is added says of a joint move.
    fn all_that_was_done(&self, texts: &[String]) -> Vec<String> {
        let roles = self.of.game.roles.iter();
        roles.zip(texts).map(|(role, text)| format!("(did {role} {text})")).collect()
    }

    fn time(&self, clock: Clock) -> Duration {
        match clock {
            Clock::Time(time) => time.saturating_add(self.address.grace),
            // There is no such clock on the network.
            Clock::Plays(_) => self.of.play_clock.saturating_add(self.address.grace),
        }
    }
}

impl Agent for RemoteAgent {
    fn start(&mut self, clock: Clock, stop: &Stop) -> Result<(), Fault> {
        let start_clock = match clock {
            Clock::Time(time) => time,
            Clock::Plays(_) => Duration::ZERO,
        };
        let message = Message::Start {
            match_id: self.of.match_id.clone(),
            role: self.of.scrambled(&self.of.game.roles[self.role.index()]),
            rules: self.of.rules(self.address.dialect()),
            start_clock,
            play_clock: self.of.play_clock,
        };
        let reply = self.say(&message, self.time(clock), stop)?;
        if !reply.eq_ignore_ascii_case("ready") {
            // Managers do not care, and it may move all the same.
            warn!("{} answers {reply} to START", self.address);
        }
        Ok(())
    }

    fn choose(&mut self, told: &[Told], clock: Clock, stop: &Stop) -> Result<Choice, Fault> {
        let news = self.news(told);
        let message = Message::Play { match_id: self.of.match_id.clone(), news };
        let reply = self.say(&message, self.time(clock), stop)?;
        let reply = self.of.unscrambled(&reply);
        let text =
            Reply::read_move(&reply, &self.of.game.symbols).map_err(|_| Fault::Unreadable)?;
        Ok(Choice { text, thoughts: None })
    }

    fn finish(&mut self, told: &[Told], clock: Clock) {
        let news = self.news(told);
        let message = Message::Stop { match_id: self.of.match_id.clone(), news };
        // What it answers means nothing.
        let _ = self.say(&message, self.time(clock), &Stop::new());
    }

    fn abort(&mut self) {
        const TIME: Duration = Duration::from_secs(1);
        let message = Message::Abort { match_id: self.of.match_id.clone() };
        let _ = self.say(&message, TIME, &Stop::new());
    }

    fn grace(&self) -> Duration {
        // It has measured the time itself, from when the message was sent; connecting is not on the clock.
        Duration::MAX
    }
}

/// What a player says of itself, if it answers within a time.
pub fn ask_for_info(address: &PlayerAddress, time: Duration) -> Result<Info, Fault> {
    let text = Message::Info.to_string();
    let post = Post {
        host: &address.host,
        path: "/",
        content_type: "text/acl",
        headers: "Sender: GAMESERVER\r\nReceiver: \r\n",
        body: &text,
    };
    Info::read(&post.send(time, &Stop::new())?.text).map_err(|_| Fault::Unreadable)
}

/// Whether anybody listens where the player should be, and takes a connection within a time.
pub fn is_listening(address: &PlayerAddress, time: Duration) -> bool {
    address.host.resolve().is_ok_and(|addresses| connect(&addresses, time).is_ok())
}
