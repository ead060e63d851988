//! Players by name.

use std::fmt;
use std::str::FromStr;

use search::{
    HabitsWhen, LiteralOptions, MacOptions, Operators, RegretOptions, Selection, Solving,
    TreeOptions,
};

use crate::on_network::Solver;
use crate::searcher::Resources;

/// A player and its parameters, as people write them: `uct`, `uct:c=0.4,threads=2`.
///
/// | player | is | parameters of its own |
/// | --- | --- | --- |
/// | `mac-ucb` | MAC-UCB | `c`, `plays`: random plays below each stage, `share`: in place of that, which part of the time is for solving stages, `all`: 1 to count all plays with a move in stages whose moves come once in a play, `c-all`: as `c`, in these, `ref`: a stage with so many plays or fewer borrows that from above, `cut`: cut plays off after so many joint moves where that pays, 0 for never, `habits`: 1 to make moves that were good so far more often in plays, 0 not to do so even where that seems to pay, `prior`: so many plays a move seems to have had at first, `ahead`: how many stages it looks ahead in plays, 1 to make moves that win at once, 2 to make those that lead to a win and avoid those that lose, too, `solve`: `propagate` to see what decides the game without making all moves of a stage, `enumerate` to make all of them, or `network` to find them by MAC on the network of the game, without looking ahead, `reuse`: 0 to begin anew with each move, `merge`: 0 to keep a position apart for each way to it, `prove`: 0 to let nothing go up that is known for sure, `part`, `reading` |
/// | `fc-ucb` | MAC-UCB whose stages are found by forward checking on the network of the game, without looking ahead | as `mac-ucb`, but for `ahead` and `solve` |
/// | `mac-ucb:reading=2016` | MAC-UCB to the letter of a paper, on the network of the game; 2015, 2016 or 2017; `fc-ucb` as well | `share`, `plays`, `operators`: how values go up, `maximin`, `maxn` or `cooperative`, by what is seen of the goals if it is not said |
/// | `uct` | UCT | `c`: how much it explores, `plays`: random plays from each leaf, `part`: one in so many plays may be under way at once |
/// | `grave` | GRAVE | `ref`: a node with so many plays or fewer borrows from above, `bias`: how soon own plays count more, `c`, `plays`, `part` |
/// | `cfr` | regrets, for simultaneous moves | `explore`: how often it goes on with any move, `depth`: how many moves deep it keeps regrets |
/// | `random`, `legal` | any move; the first | none |
///
/// Those that search also have `batch`: how many leaves plays may go on from at once, for `cfr` how many plays;
/// `moves`: how many moves all positions that they keep in a thread may have; `threads`: how many searches go on side by side; `ponder`: 1 to go on
/// thinking while others do; `time`: which part of the clock they use.
///
/// ```
/// use player::PlayerSpec;
///
/// let spec: PlayerSpec = "uct:c=0.7".parse()?;
/// assert_eq!(spec.to_string(), "uct:c=0.7");
/// assert!("uct:x=1".parse::<PlayerSpec>().is_err());
/// # Ok::<(), player::SpecError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct PlayerSpec {
    text: String,
    pub(crate) kind: Kind,
    /// How stages are solved on the network of the game, if they are.
    solver: Option<Solver>,
    pub(crate) resources: Resources,
}

/// What a player is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Kind {
    Random,
    Legal,
    Tree(TreeOptions),
    Cfr(RegretOptions),
    Mac(MacOptions),
    Literal(LiteralOptions),
}

/// What is wrong with the name of a player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SpecError {
    /// There is no such player.
    NoSuchPlayer {
        /// What was asked for.
        name: String,
        /// One that has a name like it.
        similar: Option<&'static str>,
    },
    /// A player has no such parameter.
    NoSuchParameter {
        /// The player.
        player: String,
        /// What was asked for.
        key: String,
        /// Those that it has.
        known: &'static [&'static str],
    },
    /// A parameter has no such value.
    NoSuchValue {
        /// The parameter.
        key: String,
        /// What it should have been.
        value: String,
        /// What it may be.
        expected: &'static str,
    },
}

const PLAYERS: [&str; 7] = ["mac-ucb", "fc-ucb", "uct", "grave", "cfr", "random", "legal"];
const MAC_KEYS: [&str; 21] = [
    "reuse", "merge", "prove", "reading", "share", "cut", "all", "c-all", "ref", "habits", "c",
    "ahead", "solve", "batch", "plays", "prior", "part", "moves", "threads", "ponder", "time",
];
const FC_KEYS: [&str; 19] = [
    "reuse", "merge", "prove", "reading", "share", "cut", "all", "c-all", "ref", "habits", "c",
    "batch", "plays", "prior", "part", "moves", "threads", "ponder", "time",
];
const READING_KEYS: [&str; 7] =
    ["reading", "share", "plays", "operators", "moves", "ponder", "time"];
const UCT_KEYS: [&str; 8] = ["c", "batch", "plays", "part", "moves", "threads", "ponder", "time"];
const GRAVE_KEYS: [&str; 10] =
    ["ref", "bias", "c", "batch", "plays", "part", "moves", "threads", "ponder", "time"];
const CFR_KEYS: [&str; 7] = ["explore", "depth", "batch", "moves", "threads", "ponder", "time"];

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SpecError::NoSuchPlayer { name, similar: Some(similar) } => {
                write!(f, "there is no player `{name}`, but one named `{similar}`")
            }
            SpecError::NoSuchPlayer { name, similar: None } => {
                write!(f, "there is no player `{name}`; there are {}", PLAYERS.join(", "))
            }
            SpecError::NoSuchParameter { player, key, known: [] } => {
                write!(f, "`{player}` has no parameters, not `{key}` either")
            }
            SpecError::NoSuchParameter { player, key, known } => {
                write!(f, "`{player}` has no parameter `{key}`; it has {}", known.join(", "))
            }
            SpecError::NoSuchValue { key, value, expected } => {
                write!(f, "`{key}` is {expected}, not `{value}`")
            }
        }
    }
}

impl std::error::Error for SpecError {}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl PlayerSpec {
    /// How its stages are solved on the network of the game, if they are.
    pub(crate) fn solver(&self) -> Option<Solver> {
        self.solver
    }

    /// The same player where rules are not grounded: so few plays say nothing about habits.
    pub(crate) fn where_plays_are_few(&self) -> PlayerSpec {
        let mut spec = self.clone();
        if let Kind::Mac(options) = &mut spec.kind
            && options.habits == HabitsWhen::TheyPay
        {
            options.habits = HabitsWhen::Never;
        }
        spec
    }

    /// How many stages roles look ahead in its plays.
    pub(crate) fn ahead(&self) -> usize {
        match self.kind {
            Kind::Mac(options) => options.ahead,
            Kind::Random | Kind::Legal | Kind::Tree(_) | Kind::Cfr(_) | Kind::Literal(_) => 0,
        }
    }
}

impl FromStr for PlayerSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<PlayerSpec, SpecError> {
        let (name, parameters) = text.split_once(':').unwrap_or((text, ""));
        let parameters = parameters.split(',').filter(|part| !part.is_empty());
        let parameters: Vec<(&str, &str)> =
            parameters.map(|part| part.split_once('=').unwrap_or((part, ""))).collect();
        let (mut kind, mut keys) = kind_of(name).ok_or_else(|| no_such_player(name))?;
        let mut solver = (name == "fc-ucb").then_some(Solver::Forward);
        // These decide what is usual, so they are looked at before the others.
        for &(key, value) in parameters.iter().filter(|(key, _)| keys.contains(key)) {
            match (key, value) {
                ("solve", "network") => {
                    (kind, solver) = (Kind::Mac(on_network()), Some(Solver::Mac));
                }
                ("reading", _) => {
                    let (options, of_paper) = reading(key, value)?;
                    (kind, keys) = (Kind::Literal(options), &READING_KEYS);
                    solver = solver.or(Some(of_paper));
                    break;
                }
                _ => {}
            }
        }
        let mut resources = Resources { n_threads: 1, ponders: false, time: 1.0 };
        for (key, value) in parameters {
            if !keys.contains(&key) {
                return Err(match kind {
                    Kind::Literal(_) => no_such_parameter(&format!("{name}:reading"), key, keys),
                    _ => no_such_parameter(name, key, keys),
                });
            }
            match key {
                "threads" => {
                    let is_fit = |n: &usize| (1..=256).contains(n);
                    let expected = "a whole number from 1 to 256";
                    resources.n_threads = parsed(key, value, expected, is_fit)?;
                }
                "time" => {
                    let is_fit = |part: &f64| *part > 0.0 && *part <= 1.0;
                    resources.time = parsed(key, value, "a number above 0 up to 1", is_fit)?;
                }
                "solve" if value == "network" => {}
                "reading" => {}
                "ponder" => resources.ponders = yes_or_no(key, value)?,
                _ => kind.set(key, value)?,
            }
        }
        Ok(PlayerSpec { text: text.to_owned(), kind, solver, resources })
    }
}

/// A player with its usual parameters, and the names of these.
fn kind_of(name: &str) -> Option<(Kind, &'static [&'static str])> {
    Some(match name {
        "random" => (Kind::Random, &[]),
        "legal" => (Kind::Legal, &[]),
        "mac-ucb" => (Kind::Mac(MacOptions::STRONGEST), &MAC_KEYS),
        "fc-ucb" => (Kind::Mac(on_network()), &FC_KEYS),
        "uct" => (Kind::Tree(TreeOptions::UCT), &UCT_KEYS),
        "grave" => (Kind::Tree(TreeOptions::GRAVE), &GRAVE_KEYS),
        "cfr" => (Kind::Cfr(RegretOptions::default()), &CFR_KEYS),
        _ => return None,
    })
}

/// As strong as can be with stages that are solved on the network: that takes long, so few are at once.
fn on_network() -> MacOptions {
    const N_AT_ONCE: usize = 4;
    let solving = Solving::Enumeration;
    MacOptions { ahead: 0, solving, batch: N_AT_ONCE, ..MacOptions::STRONGEST }
}

/// How a paper is read, and how stages are solved there.
fn reading(key: &str, value: &str) -> Result<(LiteralOptions, Solver), SpecError> {
    match value {
        "2015" => Ok((LiteralOptions::OF_2015, Solver::Mac)),
        "2016" => Ok((LiteralOptions::OF_2016, Solver::Mac)),
        "2017" => Ok((LiteralOptions::OF_2017, Solver::MacOnFluents)),
        _ => Err(no_such_value(key, value, "2015, 2016 or 2017")),
    }
}

impl Kind {
    /// Sets a parameter that the player has.
    fn set(&mut self, key: &str, value: &str) -> Result<(), SpecError> {
        match self {
            Kind::Random | Kind::Legal => {}
            Kind::Cfr(options) => match key {
                "explore" => {
                    let is_fit = |share: &f64| (0.0..=1.0).contains(share);
                    options.exploration = parsed(key, value, "a number from 0 to 1", is_fit)?;
                }
                "depth" => options.depth = at_least_one(key, value)?,
                "batch" => options.batch = up_to_many(key, value)?,
                _ => options.max_moves = at_least_one(key, value)?,
            },
            Kind::Mac(options) => match key {
                "c" => options.exploration = not_negative(key, value)?,
                "batch" => options.batch = up_to_many(key, value)?,
                "plays" => options.plays_per_stage = up_to_many(key, value)?,
                "ahead" => options.ahead = parsed(key, value, "0, 1 or 2", |&n: &usize| n <= 2)?,
                "share" => options.share = share(key, value)?,
                "all" => options.all_moves = yes_or_no(key, value)?,
                "cut" => options.cut = parsed(key, value, "a whole number from 0 on", |_| true)?,
                "c-all" => options.exploration_of_all = not_negative(key, value)?,
                "ref" => {
                    options.ref_plays = parsed(key, value, "a whole number from 0 on", |_| true)?;
                }
                "habits" => {
                    options.habits = match yes_or_no(key, value)? {
                        true => HabitsWhen::Always,
                        false => HabitsWhen::Never,
                    };
                }
                "reuse" => options.reuses = yes_or_no(key, value)?,
                "merge" => options.knows.transpositions = yes_or_no(key, value)?,
                "prove" => options.knows.proofs = yes_or_no(key, value)?,
                "solve" => {
                    options.solving = match value {
                        "propagate" => Solving::Propagation,
                        "enumerate" => Solving::Enumeration,
                        _ => return Err(no_such_value(key, value, SOLVING)),
                    };
                }
                "prior" => options.prior = not_negative(key, value)?,
                "part" => options.part = parsed(key, value, FROM_ONE, |&n: &u64| n > 0)?,
                _ => options.max_moves = at_least_one(key, value)?,
            },
            Kind::Literal(options) => match key {
                "share" => options.share = share(key, value)?,
                "plays" => options.plays_per_stage = Some(up_to_many(key, value)?),
                "operators" => {
                    options.operators = Some(match value {
                        "maximin" => Operators::Maximin,
                        "maxn" => Operators::MaxN,
                        "cooperative" => Operators::Cooperative,
                        _ => {
                            let expected = "maximin, maxn or cooperative";
                            return Err(no_such_value(key, value, expected));
                        }
                    });
                }
                _ => options.max_moves = at_least_one(key, value)?,
            },
            Kind::Tree(options) => match (key, &mut options.selection) {
                (
                    "c",
                    Selection::Bound { exploration } | Selection::AllMoves { exploration, .. },
                ) => {
                    *exploration = not_negative(key, value)?;
                }
                ("bias", Selection::AllMoves { bias, .. }) => *bias = not_negative(key, value)?,
                ("ref", Selection::AllMoves { ref_plays, .. }) => {
                    *ref_plays = parsed(key, value, "a whole number from 0 on", |_| true)?;
                }
                ("batch", _) => options.batch = up_to_many(key, value)?,
                ("part", _) => options.part = parsed(key, value, FROM_ONE, |&n: &u64| n > 0)?,
                ("plays", _) => options.plays_per_leaf = up_to_many(key, value)?,
                _ => options.max_moves = at_least_one(key, value)?,
            },
        }
        Ok(())
    }
}

fn no_such_player(name: &str) -> SpecError {
    /// Names with more slips are not meant.
    const MAX_SLIPS: usize = 2;
    let slips = |other: &&str| strsim::osa_distance(name, other);
    let similar = PLAYERS.into_iter().min_by_key(slips).filter(|one| slips(one) <= MAX_SLIPS);
    SpecError::NoSuchPlayer { name: name.to_owned(), similar }
}

fn no_such_parameter(player: &str, key: &str, known: &'static [&'static str]) -> SpecError {
    SpecError::NoSuchParameter { player: player.to_owned(), key: key.to_owned(), known }
}

fn not_negative(key: &str, value: &str) -> Result<f64, SpecError> {
    parsed(key, value, "a number from 0 on", |n: &f64| n.is_finite() && *n >= 0.0)
}

fn share(key: &str, value: &str) -> Result<f64, SpecError> {
    let is_fit = |share: &f64| *share >= 0.0 && *share < 1.0;
    parsed(key, value, "a number from 0 on and below 1", is_fit)
}

fn yes_or_no(key: &str, value: &str) -> Result<bool, SpecError> {
    parsed(key, value, "0 or 1", |&n: &u8| n < 2).map(|n| n == 1)
}

fn up_to_many(key: &str, value: &str) -> Result<usize, SpecError> {
    parsed(key, value, "a whole number from 1 to 10000", |&n: &usize| (1..=10_000).contains(&n))
}

fn at_least_one(key: &str, value: &str) -> Result<usize, SpecError> {
    parsed(key, value, FROM_ONE, |&n: &usize| n > 0)
}

const SOLVING: &str = "propagate, enumerate or network";

const FROM_ONE: &str = "a whole number from 1 on";

fn parsed<T: FromStr>(
    key: &str,
    value: &str,
    expected: &'static str,
    is_fit: impl Fn(&T) -> bool,
) -> Result<T, SpecError> {
    let found = value.parse().ok().filter(is_fit);
    found.ok_or_else(|| no_such_value(key, value, expected))
}

fn no_such_value(key: &str, value: &str, expected: &'static str) -> SpecError {
    SpecError::NoSuchValue { key: key.to_owned(), value: value.to_owned(), expected }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The order of parameters does not matter, not even of one that decides what is usual.
    #[test]
    fn parameters_come_in_any_order() {
        let parsed = ["mac-ucb:solve=network,batch=9,c=0.5", "mac-ucb:c=0.5,batch=9,solve=network"]
            .map(|text| text.parse::<PlayerSpec>().expect("it is one"));
        let [one, other] = &parsed;
        assert_eq!((one.kind, one.solver), (other.kind, other.solver));
        assert_eq!((one.solver, one.ahead()), (Some(Solver::Mac), 0));
        let parsed = ["fc-ucb:reading=2016,share=0.5", "fc-ucb:share=0.5,reading=2016"]
            .map(|text| text.parse::<PlayerSpec>().expect("it is one"));
        let [one, other] = &parsed;
        assert_eq!((one.kind, one.solver), (other.kind, other.solver));
        assert_eq!(one.solver, Some(Solver::Forward));
        let options = LiteralOptions { share: 0.5, ..LiteralOptions::OF_2016 };
        assert_eq!(one.kind, Kind::Literal(options));
    }

    #[test]
    fn mistakes_are_named_with_their_cure() {
        let cases = [
            ("utc", "there is no player `utc`, but one named `uct`"),
            (
                "grave:d=1",
                "`grave` has no parameter `d`; it has ref, bias, c, batch, plays, part, moves, threads, ponder, time",
            ),
            ("cfr:explore=2", "`explore` is a number from 0 to 1, not `2`"),
            ("uct:ponder=yes", "`ponder` is 0 or 1, not `yes`"),
            (
                "deep blue",
                "there is no player `deep blue`; there are mac-ucb, fc-ucb, uct, grave, cfr, random, legal",
            ),
            ("mac-ucb:reading=2014", "`reading` is 2015, 2016 or 2017, not `2014`"),
            (
                "mac-ucb:cut=3,reading=2016",
                "`mac-ucb:reading` has no parameter `cut`; it has reading, share, plays, operators, moves, ponder, time",
            ),
            ("random:c=1", "`random` has no parameters, not `c` either"),
            (
                "uct:depth=3",
                "`uct` has no parameter `depth`; it has c, batch, plays, part, moves, threads, ponder, time",
            ),
            ("uct:c=-1", "`c` is a number from 0 on, not `-1`"),
            ("uct:batch", "`batch` is a whole number from 1 to 10000, not ``"),
        ];
        for (text, message) in cases {
            assert_eq!(text.parse::<PlayerSpec>().unwrap_err().to_string(), message);
        }
    }
}
