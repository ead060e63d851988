//! From the syntax tree of a rule sheet to a checked program.
//!
//! [`check`] looks for everything that is wrong with a game at once. What it returns as a
//! [`Program`] is safe, stratified, and free of everything that rules can do without: `or`,
//! nested `not`, equality. Irregularities that harm nobody are rewritten, with a warning.
//!
//! ```
//! let parse = gdl::parse_kif(
//!     "(role robot) (init (step 1)) (succ 1 2)
//!      (<= (legal robot wait) (true (step 1)))
//!      (<= (next (step ?n)) (does robot wait) (true (step ?m)) (succ ?m ?n))
//!      (<= terminal (true (step 2)))
//!      (goal robot 100)",
//! );
//! let checked = program::check(&parse);
//! assert!(checked.diagnostics.is_empty());
//! let program = checked.program.expect("no errors");
//! assert_eq!(program.rules().len(), 7);
//! assert_eq!(program.relation(program::RelationId::LEGAL).dependence, program::Dependence::State);
//! ```

mod check;
mod display;
mod edit;
mod graph;
mod program;
mod rewrite;
mod vocabulary;

pub use check::{Checked, check};
pub use edit::Editor;
pub use graph::Component;
pub use program::{
    Atom, Dependence, Literal, Program, Relation, RelationId, Rule, Term, VariableId,
};
