//! The games that come with Woodstock, embedded in the program.
//!
//! Each is a folder of `games/` with its rules in `rules.kif` and what is known of it in
//! `game.toml`.
//!
//! ```
//! let game = games::find("tic-tac-toe").expect("it is embedded");
//! assert_eq!(game.roles, ["x", "o"]);
//! assert!(game.rules.contains("(role x)"));
//! ```

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::LazyLock;

use board::Hints;
use include_dir::{Dir, include_dir};
use serde::Deserialize;

static FOLDERS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../games");

static GAMES: LazyLock<Vec<Game>> = LazyLock::new(|| {
    let mut games: Vec<Game> = folders().map(read).collect();
    games.sort_by(|a, b| a.name.cmp(&b.name));
    games
});

/// An embedded game.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Game {
    /// The name by which commands call it; also that of its folder.
    pub name: String,
    /// The name by which people call it.
    pub title: String,
    /// Who invented it.
    pub origin: String,
    /// What it is about, in one sentence.
    pub summary: String,
    /// The rules in a few sentences, for those who want to play.
    pub description: String,
    /// What differs from the game as people play it, or must have differed in the papers, and why.
    pub differences: Option<String>,
    /// The roles in the order of the rules, `random` included.
    pub roles: Vec<String>,
    /// Who knows what.
    pub class: Class,
    /// Whether the players win and lose together.
    #[serde(default, rename = "cooperative")]
    pub is_cooperative: bool,
    /// Known sizes of the tree of joint moves, by depth.
    pub perft: Vec<Perft>,
    /// The value of the game, where it is known.
    pub value: Option<Value>,
    /// How its board is drawn.
    #[serde(default)]
    pub board: Hints,
    /// The rule sheet, in prefix form.
    #[serde(skip)]
    pub rules: &'static str,
}

/// What a game does with chance and knowledge.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// No chance, and everything is seen.
    Deterministic,
    /// Chance, and everything is seen.
    Stochastic,
    /// Not everything is seen, but all see the same.
    SharedInformation,
    /// Players see different things.
    ImperfectInformation,
}

/// The number of sequences of joint moves of one length.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Perft {
    /// The length.
    pub depth: u32,
    /// The sequences; one that has ended is not continued.
    pub nodes: u64,
    /// Those that end the game.
    pub terminals: u64,
}

/// What the roles get when all play well.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct Value {
    /// How it is known.
    pub source: String,
    /// The goal value of each role that is named, 0 to 100.
    #[serde(flatten)]
    pub by_role: BTreeMap<String, f64>,
}

impl Class {
    /// All classes.
    pub const ALL: [Class; 4] = [
        Class::Deterministic,
        Class::Stochastic,
        Class::SharedInformation,
        Class::ImperfectInformation,
    ];
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Class::Deterministic => "deterministic",
            Class::Stochastic => "stochastic",
            Class::SharedInformation => "shared-information",
            Class::ImperfectInformation => "imperfect-information",
        })
    }
}

/// All embedded games, by name.
pub fn all() -> &'static [Game] {
    &GAMES
}

/// The embedded game called `name`.
pub fn find(name: &str) -> Option<&'static Game> {
    all().iter().find(|game| game.name == name)
}

/// The folders of games. Beside them stand the programs that write long sheets.
fn folders() -> impl Iterator<Item = &'static Dir<'static>> {
    FOLDERS.dirs().filter(|folder| folder.path() != Path::new("tools"))
}

/// Reads one folder. The folders are part of the program, so a fault in them is ours.
fn read(folder: &'static Dir<'static>) -> Game {
    let text = |file: &str| {
        let path = folder.path().join(file);
        let file = FOLDERS.get_file(&path).and_then(|file| file.contents_utf8());
        file.unwrap_or_else(|| panic!("games/{} is missing or no text", path.display()))
    };
    let mut game: Game = toml::from_str(text("game.toml"))
        .unwrap_or_else(|error| panic!("games/{}/game.toml: {error}", folder.path().display()));
    game.rules = text("rules.kif");
    game
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_folder_is_a_game_of_its_name() {
        for folder in folders() {
            assert!(find(&folder.path().display().to_string()).is_some(), "{folder:?}");
        }
        assert_eq!(all().len(), folders().count());
    }

    #[test]
    fn rules_have_no_problem_and_the_roles_that_are_listed() {
        for game in all() {
            let checked = program::check(&gdl::parse_kif(game.rules));
            assert_eq!(checked.diagnostics, [], "{}", game.name);
            let program = checked.program.expect("no errors");
            let symbols = program.symbols();
            let roles: Vec<&str> = program.roles().iter().map(|&role| symbols.name(role)).collect();
            assert_eq!(roles, game.roles, "{}", game.name);
        }
    }

    #[test]
    fn rules_are_in_canonical_form() {
        for game in all() {
            let ast = gdl::parse_kif(game.rules).ast;
            let canonical = gdl::format(game.rules, &ast, gdl::Form::Kif);
            assert_eq!(canonical, game.rules, "{}", game.name);
        }
    }

    #[test]
    fn the_class_agrees_with_the_rules() {
        for game in all() {
            let program = program::check(&gdl::parse_kif(game.rules)).program.expect("no errors");
            let has_percepts =
                matches!(game.class, Class::SharedInformation | Class::ImperfectInformation);
            assert_eq!(program.has_percepts(), has_percepts, "{}", game.name);
            if game.class == Class::Stochastic {
                assert!(program.random().is_some(), "{}", game.name);
            }
        }
    }

    #[test]
    fn perft_starts_at_the_root_and_values_are_for_roles() {
        for game in all() {
            assert_eq!(game.perft[0], Perft { depth: 0, nodes: 1, terminals: 0 }, "{}", game.name);
            let value = game.value.iter().flat_map(|value| value.by_role.keys());
            for role in value {
                assert!(game.roles.contains(role), "{}: {role}", game.name);
            }
        }
    }
}
