//! Networks with chance: feasible decisions, and policies.

mod best_policy;
mod one_stage;
mod policy;

pub use best_policy::{BestPolicy, Progress, best_policy, best_policy_watched};
pub use one_stage::{NotOneStage, OneStage};
pub use policy::{Node, NodeId, Policy};
