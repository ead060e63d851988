//! From a checked program to a propositional one.
//!
//! [`ground`] finds every fluent that can ever hold and every move that can ever be legal, and
//! gives for each the formula that says when. The formulas share their parts in a [`Network`].
//!
//! ```
//! let parse = gdl::parse_kif(
//!     "(role x) (init (lamp off))
//!      (<= (legal x press) (true (lamp off)))
//!      (<= (next (lamp on)) (does x press))
//!      (<= terminal (true (lamp on)))
//!      (goal x 100)",
//! );
//! let program = program::check(&parse).program.expect("no errors");
//! let limits = ground::Limits { deadline: base::Deadline::NEVER, max_literals: 1_000 };
//! let ground = ground::ground(&program, &limits).expect("it is small");
//! assert_eq!(ground.fluents.as_slice(), ["(lamp off)", "(lamp on)"]);
//! assert_eq!(ground.formulas.terminal, ground.formulas.network.input(1));
//! ```

mod all_phases;
mod alternatives;
mod assemble;
mod cases;
mod components;
mod demand;
mod forms;
mod formulas;
mod ground;
mod groups;
mod implies;
mod instantiate;
mod join;
mod lists;
mod look_ahead;
mod merge;
mod network;
mod phases;
mod plan;
mod prepared;
mod prove;
mod rewrite;
mod share;
mod simulate;
mod split;
mod step;
mod table;
mod terms;
mod unfold;
mod unique;
mod variables;

pub use all_phases::{AllPhases, PhaseLits};
pub use formulas::Formulas;
pub use ground::{FluentId, GroundMoveId, GroundProgram, ground};
pub use groups::{FluentGroup, FluentGroups};
pub use instantiate::{GroundError, Limits};
pub use look_ahead::LookAhead;
pub use network::{Group, Kind, Lit, Network};
pub use phases::Phase;
