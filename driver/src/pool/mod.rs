//! Connections that are kept open and handed out.
//!
//! `policy` decides, `inner` holds it and does what it says, the `keeper` is the pool's one task, `recipe` makes
//! connections ready, and `lending` is an acquire from end to end.

mod borrower;
mod builder;
mod config;
mod inner;
mod keeper;
mod lease;
mod lending;
mod line;
mod policy;
mod pooled;
mod recipe;
mod report;

pub use builder::{HookFuture, PoolBuilder};
pub use config::PoolConfig;
pub use lease::{Lease, SharedLease};
pub use pooled::Pool;
pub use report::{LeaseReport, PoolCounters, PoolSnapshot};
