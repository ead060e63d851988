//! Games that run: implementations of the contract of crate `game`.
//!
//! [`Interpreter`] evaluates the rules of a program as they stand. It is slow and obvious, and the
//! judge of everything faster. [`OneState`] evaluates the network of a ground program for one state,
//! [`ManyStates`] for hundreds of random plays at once.
//!
//! ```
//! use base::seeded_rng;
//! use game::Game;
//! use machine::Interpreter;
//!
//! let parse = gdl::parse_kif(
//!     "(role x) (init (step 1)) (succ 1 2) (succ 2 3)
//!      (<= (legal x (jump ?n)) (true (step ?m)) (succ ?m ?n))
//!      (<= (next (step ?n)) (does x (jump ?n)))
//!      (<= terminal (true (step 3)))
//!      (goal x 70)",
//! );
//! let program = program::check(&parse).program.expect("no errors");
//! let mut game = Interpreter::new(&program);
//! let initial = game.initial();
//! assert_eq!(game.state_text(&initial), ["(step 1)"]);
//! let outcome = game::play_out(&mut game, &initial, 10, &mut seeded_rng(1)).expect("playable");
//! assert_eq!((outcome.n_steps, outcome.goals[0].value()), (2, 70));
//! ```

mod bits;
mod interpreter;
mod many_states;
mod one_state;
mod phases;
mod schedule;

pub use interpreter::{Interpreter, InterpreterState};
pub use many_states::{ManyStates, N_LANES, Sample};
pub use one_state::{BitState, OneState};
