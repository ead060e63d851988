//! The rules of a game, ready for players.

use std::sync::OnceLock;

use base::{Deadline, Id as _, RoleId};
use encode::Stage;
use game::{Game as _, OneByOne};
use ground::{GroundError, Limits};
use machine::{Interpreter, ManyStates, OneState};
use program::Program;
use search::{LiteralMacUcb, MacUcb, RegretTree, Tree};

use crate::agent::{Agent, Told};
use crate::on_network::{OnNetwork, stage_of};
use crate::searcher::Searcher;
use crate::simple::{Pick, Simple};
use crate::spec::{Kind, PlayerSpec};

/// The rules of a game, ready for players: on the fast machine, or, where the rules cannot be grounded, as
/// they stand.
#[derive(Clone, Debug)]
pub struct Rules {
    machine: Machine,
    /// Whether they say what players see.
    has_percepts: bool,
}

#[derive(Clone, Debug)]
enum Machine {
    Fast {
        one: Box<OneState>,
        many: Box<ManyStates>,
        /// The same, where roles look one stage ahead in plays, or two; made when somebody asks for it.
        ahead: [OnceLock<Box<ManyStates>>; 2],
        /// The network of a stage, as each of the solvers has it; none where the game has no network.
        networks: [OnceLock<Option<Box<Stage>>>; 3],
    },
    Slow(Box<Interpreter>),
}

impl Rules {
    /// The rules of `program`, grounded by the deadline if that can be done; and why not, if it cannot.
    pub fn new(program: &Program, deadline: Deadline) -> (Rules, Option<GroundError>) {
        match Rules::grounded(program, deadline) {
            Ok(rules) => (rules, None),
            Err(error) => (Rules::slow(Interpreter::new(program), program), Some(error)),
        }
    }

    /// The rules of `program`, grounded by the deadline.
    pub fn grounded(program: &Program, deadline: Deadline) -> Result<Rules, GroundError> {
        /// Games in use have a tenth. They take about 200 bytes each.
        const MAX_LITERALS: usize = 30_000_000;
        let ground = ground::ground(program, &Limits { deadline, max_literals: MAX_LITERALS })?;
        let mut many = ManyStates::new(ground.clone());
        // Whoever plays has to go on where rules are not quite right.
        many.allow_wrong_goals();
        let one = Box::new(OneState::new(ground));
        many.leave_few_to(&one);
        let many = Box::new(many);
        let (ahead, networks) = Default::default();
        let machine = Machine::Fast { one, many, ahead, networks };
        Ok(Rules { machine, has_percepts: program.has_percepts() })
    }

    /// The rules of `program` as they stand: slow, but soon ready. They are no longer evaluated after the deadline, nor
    /// where they are too large for that; `None` if that is so from the start.
    pub fn as_they_stand(program: &Program, deadline: Deadline) -> Option<Rules> {
        Some(Rules::slow(Interpreter::within(program, deadline)?, program))
    }

    fn slow(game: Interpreter, program: &Program) -> Rules {
        Rules { machine: Machine::Slow(Box::new(game)), has_percepts: program.has_percepts() }
    }

    /// The names of the roles.
    pub fn roles(&self) -> &[String] {
        match &self.machine {
            Machine::Fast { one, .. } => one.roles(),
            Machine::Slow(game) => game.roles(),
        }
    }

    /// How many players there are: one for each role but chance.
    pub fn n_players(&self) -> usize {
        self.roles().len() - usize::from(self.random().is_some())
    }

    /// The role of chance.
    pub fn random(&self) -> Option<RoleId> {
        match &self.machine {
            Machine::Fast { one, .. } => one.random(),
            Machine::Slow(game) => game.random(),
        }
    }

    /// Whether the rules say what players see (GDL-II).
    pub fn has_percepts(&self) -> bool {
        self.has_percepts
    }

    /// What a role is told of a joint move, of which it sees `percepts`.
    pub fn told(&self, joint_move: &[String], role: RoleId, percepts: &[String]) -> Told {
        match self.has_percepts {
            true => {
                let own_move = Some(joint_move[role.index()].clone());
                Told::Seen { own_move, percepts: percepts.to_vec() }
            }
            false => Told::JointMove(joint_move.to_vec()),
        }
    }

    /// Every fluent that may ever hold, where that is known.
    pub fn fluents(&self) -> Option<impl Iterator<Item = &str>> {
        match &self.machine {
            Machine::Fast { one, .. } => Some(one.ground().fluents.iter().map(String::as_str)),
            Machine::Slow(_) => None,
        }
    }

    /// Lets `visit` have the game: on the fast machine, or as the rules stand.
    pub fn with_game<V: WithGame>(&self, visit: V) -> V::Out {
        match &self.machine {
            Machine::Fast { one, .. } => visit.visit((**one).clone()),
            Machine::Slow(game) => visit.visit((**game).clone()),
        }
    }

    /// A player of a role.
    pub fn agent(&self, spec: &PlayerSpec, role: RoleId, seed: u64) -> Box<dyn Agent> {
        match &self.machine {
            Machine::Fast { one, many, ahead, networks } => {
                let network = spec.solver().and_then(|solver| {
                    let network = &networks[solver as usize];
                    network.get_or_init(|| stage_of(one.ground(), solver)).clone()
                });
                if let Some(stage) = network {
                    let on_network = OnNetwork { stage, many: (**many).clone() };
                    return agent((**one).clone(), on_network, spec, role, seed);
                }
                let many = match spec.ahead() {
                    0 => many,
                    n_stages => ahead[n_stages - 1].get_or_init(|| looking_ahead(many, n_stages)),
                };
                agent((**one).clone(), (**many).clone(), spec, role, seed)
            }
            Machine::Slow(game) => {
                agent((**game).clone(), OneByOne, &spec.where_plays_are_few(), role, seed)
            }
        }
    }
}

/// Plays in which roles look ahead.
fn looking_ahead(many: &ManyStates, n_stages: usize) -> Box<ManyStates> {
    let mut ahead = many.clone();
    ahead.look_ahead(n_stages);
    Box::new(ahead)
}

/// What is done with a game, whatever machine it is on.
pub trait WithGame {
    /// What comes of it.
    type Out;

    /// Does it.
    fn visit<G: game::Game>(self, game: G) -> Self::Out;
}

fn agent<G, P>(game: G, playouts: P, spec: &PlayerSpec, role: RoleId, seed: u64) -> Box<dyn Agent>
where
    G: game::Game + Clone + Send + 'static,
    G::State: Send,
    P: game::Playouts<G> + game::Stages<G> + Clone + Send + 'static,
{
    let resources = spec.resources;
    match spec.kind {
        Kind::Random => Box::new(Simple::new(game, role, Pick::Any, seed)),
        Kind::Legal => Box::new(Simple::new(game, role, Pick::First, seed)),
        Kind::Tree(options) => {
            let begin =
                move |game: G, state, seed| Tree::new(game, playouts.clone(), state, options, seed);
            Box::new(Searcher::new(game, role, resources, seed, begin))
        }
        Kind::Mac(options) => {
            let begin = move |game: G, state, seed| {
                MacUcb::new(game, playouts.clone(), state, options, seed)
            };
            Box::new(Searcher::new(game, role, resources, seed, begin))
        }
        Kind::Literal(options) => {
            let begin = move |game: G, state, seed| {
                LiteralMacUcb::new(game, playouts.clone(), state, options, seed)
            };
            Box::new(Searcher::new(game, role, resources, seed, begin))
        }
        Kind::Cfr(options) => {
            let begin = move |game: G, state, seed| {
                RegretTree::new(game, playouts.clone(), state, options, seed)
            };
            Box::new(Searcher::new(game, role, resources, seed, begin))
        }
    }
}
