//! Plans: what a shape compiles to, and the cache that finds it again.
//!
//! A key is the type of the query's output and the words of its shape. Equal keys give equal SQL, equal
//! parameters and equal reading of the rows; builds with debug assertions compile again on every hit and
//! compare (see [`Builder::verify_plans`](crate::Builder::verify_plans)).

mod cache;
pub(crate) mod hash;
mod key;
#[expect(clippy::module_inception, reason = "a plan is what the module is about")]
mod plan;

pub use cache::CacheStats;
pub(crate) use cache::{Limits, PlanCache};
pub(crate) use key::{Key, Kind};
pub(crate) use plan::{Expect, Follow, LevelPlan, Plan, Skip};
