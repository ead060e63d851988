//! Stochastic constraint networks: a model, propagation, search, and policies.
//!
//! A network has variables in an order. Some are decided by the one who looks for a policy, the others
//! by chance, with probabilities that may depend on variables before. Hard constraints say what is
//! allowed, soft ones what it is worth. Nothing here knows of games.
//!
//! ```
//! use scsp::{NetworkBuilder, Solutions};
//!
//! // Four queens on a board of four by four: one in each column, in the row that it says.
//! let mut builder = NetworkBuilder::new(1);
//! let columns = ["a", "b", "c", "d"].map(|name| builder.decision(name, 1..=4));
//! let columns = columns.into_iter().collect::<Result<Vec<_>, _>>()?;
//! for (i, &left) in columns.iter().enumerate() {
//!     for (distance, &right) in (1..).zip(&columns[i + 1..]) {
//!         builder.hard(&[left, right], |v| v[0] != v[1] && (v[0] - v[1]).abs() != distance)?;
//!     }
//! }
//! let network = builder.build();
//! assert_eq!(Solutions::of(&network).count(), 2);
//! # Ok::<(), scsp::BuildError>(())
//! ```

/// The programs of the tutorial.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/scsp.md")]
struct Tutorial;

mod checker;
mod engine;
pub mod enumeration;
mod json;
mod network;
mod preprocess;
mod propagators;
mod search;
mod stochastic;
mod store;
mod text;
mod xcsp3;

pub use engine::Engine;
pub use json::JsonError;
pub use network::{
    BuildError, Constraint, Distribution, Domain, Element, Formula, Founded, Kind, Linear, Literal,
    Needs, Network, NetworkBuilder, Relation, Size, Table, Unwritable, Utility, VarId, Variable,
};
pub use preprocess::Preprocessed;
pub use search::{Budget, ForwardSolutions, Order, Solutions, Statistics, ValueOrder};
pub use stochastic::{
    BestPolicy, Choice, Concept, Interval, Mean, Node, NodeId, NotOneStage, NotRounds, OneStage,
    Operator, PlayersRound, Policy, Progress, StrategicValue, ValueConstraints, best_policy,
    best_policy_watched, strategic_value,
};
pub use store::Failed;
pub use xcsp3::{Xcsp3Error, Xcsp3Problem};
