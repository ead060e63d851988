//! Matches as people look at them.

use std::collections::BTreeSet;

use anstream::{AutoStream, ColorChoice, println};
use board::{Boards, Colour, Hints, Picture};
use player::{Rules, Thoughts, Work};

/// Draws one state after the other.
pub(crate) struct Painter {
    boards: Boards,
    /// The fluents seen so far, where those that there are were not known from the start.
    seen: Option<BTreeSet<String>>,
    last: Option<Picture>,
    colour: Colour,
    hints: Hints,
}

impl Painter {
    /// A painter of the game that is called `game` on the command line.
    pub(crate) fn new(rules: &Rules, game: &str) -> Painter {
        let hints = games::find(game).map(|game| game.board.clone()).unwrap_or_default();
        let colour = match AutoStream::choice(&std::io::stdout()) {
            ColorChoice::Never => Colour::Never,
            _ => Colour::Always,
        };
        let (boards, seen) = match rules.fluents() {
            Some(fluents) => (Boards::recognise(fluents, &hints), None),
            None => (Boards::default(), Some(BTreeSet::new())),
        };
        Painter { boards, seen, last: None, colour, hints }
    }

    /// Prints a state; what has changed since the last one is marked.
    pub(crate) fn print(&mut self, state: &[String]) {
        /// Of longer lists the end is left out.
        const MAX_LINES: usize = 60;
        if let Some(seen) = &mut self.seen {
            seen.extend(state.iter().cloned());
            let fluents = seen.iter().map(String::as_str);
            self.boards = Boards::recognise_seen(fluents, &self.hints);
        }
        let picture = self.boards.picture(state);
        let lines = picture.draw(self.last.as_ref(), self.colour);
        println!();
        lines
            .iter()
            .take(MAX_LINES)
            .for_each(|line| println!("{}", format!("  {line}").trim_end()));
        if lines.len() > MAX_LINES {
            println!("  ... and {} lines more", lines.len() - MAX_LINES);
        }
        self.last = Some(picture);
    }

    /// What comes next is not compared with what was before.
    pub(crate) fn forget(&mut self) {
        self.last = None;
    }
}

/// The moves of a joint move that say something, each with its role: those of roles that could have done
/// something else are not known here, so idle ones are told by their names.
pub(crate) fn joint_move_text(roles: &[String], joint_move: &[String]) -> String {
    let is_idle = |text: &str| matches!(text, "noop" | "wait" | "pass" | "nil");
    let all = roles.iter().zip(joint_move);
    let (idle, busy): (Vec<_>, Vec<_>) = all.partition(|(_, text)| is_idle(text));
    let told = if busy.is_empty() { idle } else { busy };
    let texts: Vec<String> = told.iter().map(|(role, text)| format!("{role} {text}")).collect();
    texts.join(", ")
}

/// How much is told of what a player thinks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Detail {
    /// The best moves, what it expects, and how fast it was.
    Best,
    /// All moves, how sure it is of each, and what is proved.
    All,
}

/// Prints what a player thinks.
pub(crate) fn print_thoughts(role: &str, roles: &[String], thoughts: &Thoughts, detail: Detail) {
    const N_MOVES: usize = 5;
    let seconds = thoughts.time.as_secs_f64().max(1e-9);
    let Work { n_plays, n_cut, n_stages } = thoughts.work;
    let stages = match n_stages {
        0 => String::new(),
        n => format!(", {n} stages solved ({:.0} a second)", n as f64 / seconds),
    };
    let cut = match n_cut {
        0 => String::new(),
        n => format!(", {:.0} % of them cut off", 100.0 * n as f64 / n_plays as f64),
    };
    println!(
        "  {role} thinks: {n_plays} plays in {seconds:.2} s ({:.0} a second{cut}){stages}, {} positions kept",
        n_plays as f64 / seconds,
        thoughts.n_nodes
    );
    let n_told = if detail == Detail::All { usize::MAX } else { N_MOVES };
    if let (Detail::All, Some(best)) = (detail, thoughts.moves.first()) {
        let [low, high] = thoughts.bounds;
        println!("    θ {:.1}, proved: at least {low:.0}, at most {high:.0}", best.value);
    }
    for one in thoughts.moves.iter().take(n_told) {
        let kind = if one.is_exact { "known" } else { "about" };
        let share = match one.share > 0.0 && one.share < 1.0 {
            true => format!(", made in {:.0} %", 100.0 * one.share),
            false => String::new(),
        };
        let width = match detail == Detail::All && !one.is_exact {
            true => format!(" ± {:4.1}", one.width),
            false => String::new(),
        };
        println!(
            "    {kind} {:5.1}{width}  {:>9} plays  {}{share}",
            one.value, one.n_visits, one.text
        );
    }
    if thoughts.moves.len() > n_told {
        println!("    and {} moves more", thoughts.moves.len() - N_MOVES);
    }
    if thoughts.variation.len() > 1 {
        let moves = thoughts.variation.iter().map(|joint| joint_move_text(roles, joint));
        println!("    expects: {}", moves.collect::<Vec<_>>().join("; "));
    }
}
