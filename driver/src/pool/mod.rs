//! Connections that are kept open and handed out.

mod config;
mod lease;
mod pooled;

pub use config::PoolConfig;
pub use lease::Lease;
pub use pooled::{Pool, PoolSnapshot};
