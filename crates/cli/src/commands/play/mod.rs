//! `woodstock play`

mod input;
mod session;

use std::io::BufRead;

use anstream::println;
use base::{Id as _, RoleId};
use game::{Game, Unplayable};
use player::{Clock, PlayerSpec, Rules, WithGame};

use crate::machines;
use crate::picture::{Detail, Painter, joint_move_text, print_thoughts};
use crate::progress::duration_of;
use crate::sheet::GameArgument;
use crate::status::{Failure, Status};
use input::{Order, Typed, read_order};
use session::{Before, Session};

/// Play a game in the terminal
///
/// You take the first role, or the one that you name; others are played by the player that you choose. Moves
/// are typed as they are listed, in short, or by their number. While you play: moves, hint, back, think, board,
/// resign, help.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples: woodstock play tic-tac-toe\n          \
                        woodstock play connect-four --role yellow --against grave --play-clock 3")]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArgument,
    /// A role that you play; several for games between people [default: the first]
    #[arg(long = "role", value_name = "ROLE")]
    roles: Vec<String>,
    /// Who plays the other roles
    #[arg(long, value_name = "PLAYER", default_value = "uct:ponder=1")]
    against: PlayerSpec,
    /// How long it may think about a move, in seconds
    #[arg(long, value_name = "S", default_value_t = 1.0)]
    play_clock: f64,
    /// Show what it thinks
    #[arg(long)]
    thinking: bool,
    /// Where chance begins
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Status, Failure> {
    let program = machines::program(&arguments.game)?;
    let rules = machines::rules_for_play(&program);
    let people = people(arguments, &rules)?;
    rules.with_game(Evening { rules: &rules, people, arguments })
}

/// By role: whether a person plays it.
fn people(arguments: &Arguments, rules: &Rules) -> Result<Vec<bool>, Failure> {
    let mut people = vec![false; rules.roles().len()];
    for name in &arguments.roles {
        let is_named = |role: &String| role.eq_ignore_ascii_case(name);
        let place = rules.roles().iter().position(is_named).ok_or_else(|| Failure {
            message: format!("there is no role {name}"),
            help: format!("the roles are {}", rules.roles().join(", ")),
        })?;
        people[place] = true;
    }
    if arguments.roles.is_empty() {
        let random = rules.random().map(|role| role.index());
        let first = (0..people.len()).find(|role| Some(*role) != random);
        first.into_iter().for_each(|role| people[role] = true);
    }
    Ok(people)
}

/// A person in front of a game.
struct Evening<'a> {
    rules: &'a Rules,
    people: Vec<bool>,
    arguments: &'a Arguments,
}

impl WithGame for Evening<'_> {
    type Out = Result<Status, Failure>;

    fn visit<G: Game>(self, game: G) -> Result<Status, Failure> {
        let clock = Clock::Time(duration_of(self.arguments.play_clock));
        let Arguments { against, seed, .. } = self.arguments;
        let session = Session::new(game, self.rules, &self.people, against, clock, *seed);
        let table = Table {
            session,
            painter: Painter::new(self.rules, &self.arguments.game.game),
            roles: self.rules.roles(),
            shows_thoughts: self.arguments.thinking,
        };
        table.play(&mut std::io::stdin().lock())
    }
}

/// The match, and what is shown of it.
struct Table<'a, G: Game> {
    session: Session<'a, G>,
    painter: Painter,
    roles: &'a [String],
    shows_thoughts: bool,
}

/// What a person decided.
enum Decision {
    Move(String),
    /// They took a move back: what comes next is asked anew.
    Back,
    /// They do not go on.
    Leave,
}

impl<G: Game> Table<'_, G> {
    /// Plays to the end, or until the person has had enough.
    fn play(mut self, input: &mut dyn BufRead) -> Result<Status, Failure> {
        println!("type help to see what you can do");
        'steps: loop {
            if self.is_worth_a_look()? {
                self.show_state();
            }
            if self.session.is_over() {
                return self.show_end();
            }
            let before = self.session.ask_players().map_err(|problem| broken(&problem))?;
            let mut joint_move = before.moves.clone();
            for role in RoleId::first(self.roles.len()) {
                if before.moves[role.index()].is_some() {
                    continue;
                }
                match self.ask_person(role, &before, input) {
                    Decision::Move(text) => joint_move[role.index()] = Some(text),
                    Decision::Back => continue 'steps,
                    Decision::Leave => return Ok(Status::Done),
                }
            }
            let joint_move: Vec<String> = joint_move.into_iter().flatten().collect();
            self.show_moves(&before, &joint_move);
            self.session.make(joint_move);
        }
    }

    /// Whether somebody wants to see the state: at the beginning and at the end, and when a person has to
    /// decide. What is seen of a hidden state is always told.
    fn is_worth_a_look(&mut self) -> Result<bool, Failure> {
        let is_edge = self.session.is_at_start() || self.session.is_over();
        if is_edge || self.session.seen().is_some() {
            return Ok(true);
        }
        self.session.asks_a_person().map_err(|problem| broken(&problem))
    }

    fn show_state(&mut self) {
        match self.session.seen() {
            None => self.painter.print(&self.session.state_text()),
            // Where not everything is seen, a board would tell too much.
            Some(percepts) if percepts.is_empty() => println!("\nyou see nothing new"),
            Some(percepts) => println!("\nyou see: {}", percepts.join(" ")),
        }
    }

    fn show_moves(&self, before: &Before, joint_move: &[String]) {
        if self.shows_thoughts {
            for (role, thoughts) in self.roles.iter().zip(&before.thoughts) {
                thoughts.iter().for_each(|one| print_thoughts(role, self.roles, one, Detail::Best));
            }
        }
        if self.session.seen().is_none() {
            println!("{}", joint_move_text(self.roles, joint_move));
        }
    }

    fn show_end(&mut self) -> Result<Status, Failure> {
        let goals = self.session.goals().map_err(|problem| broken(&problem))?;
        let results = self.roles.iter().zip(&goals);
        let results: Vec<String> = results.map(|(role, goal)| format!("{role} {goal}")).collect();
        println!("the game is over: {}", results.join(", "));
        Ok(Status::Done)
    }

    /// Asks a person until they have decided.
    fn ask_person(&mut self, role: RoleId, before: &Before, input: &mut dyn BufRead) -> Decision {
        let legal = &before.legal[role.index()];
        self.show_legal(role, legal, false);
        loop {
            match read_order(input, &self.roles[role.index()], legal) {
                Typed::Order(Order::Move(place)) => return Decision::Move(legal[place].clone()),
                Typed::Order(Order::Moves) => self.show_legal(role, legal, true),
                Typed::Order(Order::Board) => {
                    self.painter.forget();
                    self.show_state();
                }
                Typed::Order(Order::Think) => {
                    self.shows_thoughts = !self.shows_thoughts;
                    println!("thoughts are {}shown", if self.shows_thoughts { "" } else { "not " });
                }
                Typed::Order(Order::Hint) => match self.session.hint(role) {
                    Some(thoughts) => {
                        print_thoughts("the hint", self.roles, &thoughts, Detail::Best);
                    }
                    None => println!("there is no hint for this"),
                },
                Typed::Order(Order::Back) if self.session.take_back() => {
                    self.painter.forget();
                    return Decision::Back;
                }
                Typed::Order(Order::Back) => println!("there is nothing to take back"),
                Typed::Order(Order::Help) => print_help(),
                Typed::Order(Order::Resign) => {
                    println!("{} resigns", self.roles[role.index()]);
                    return Decision::Leave;
                }
                Typed::Unclear(message) => println!("{message}"),
                Typed::End => return Decision::Leave,
            }
        }
    }

    fn show_legal(&self, role: RoleId, legal: &[String], shows_all: bool) {
        /// Longer lists are shown when they are asked for.
        const FEW: usize = 24;
        println!("\n{} to move", self.roles[role.index()]);
        if legal.len() > FEW && !shows_all {
            println!("  {} legal moves; type moves to see them", legal.len());
            return;
        }
        let numbered = legal.iter().enumerate().map(|(n, text)| format!("{}: {text}", n + 1));
        let numbered: Vec<String> = numbered.collect();
        let width = 3 + numbered.iter().map(|text| text.chars().count()).max().unwrap_or(0);
        let n_columns = (78 / width).max(1);
        for row in numbered.chunks(n_columns) {
            let cells: Vec<String> = row.iter().map(|text| format!("{text:width$}")).collect();
            println!("  {}", cells.concat().trim_end());
        }
    }
}

/// The match cannot go on.
fn broken(problem: &Unplayable) -> Failure {
    Failure {
        message: problem.to_string(),
        help: "the rules break a promise that every game must keep".to_owned(),
    }
}

fn print_help() {
    println!(
        "  a move: as it is listed, (mark 1 3); in short, mark 1 3 or 1 3; or by its number\n  \
           moves   all legal moves with their numbers\n  \
           hint    what a good player would do\n  \
           back    take your last move back\n  \
           think   show what others think, or not\n  \
           board   draw the position again\n  \
           resign  give up\n  \
           help    this"
    );
}
