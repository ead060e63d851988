//! Networks with chance: feasible decisions, and policies.

mod best_policy;
mod bounds;
mod one_stage;
mod policy;
mod soft;
mod strategy;

pub use best_policy::{BestPolicy, Progress, best_policy, best_policy_watched};
pub use bounds::{Choice, Concept, Interval, Mean, Operator};
pub use one_stage::{NotOneStage, OneStage};
pub use policy::{Node, NodeId, Policy};
pub use strategy::{NotRounds, PlayersRound, StrategicValue, ValueConstraints, strategic_value};
