//! Throwaway PostgreSQL servers, and databases on them.

mod bouncer;
mod database;
mod error;
mod ground;
mod programs;
mod role;
mod server;
mod setup;
mod standby;
mod supervisor;
mod tls;

pub use bouncer::{PgBouncer, Pooling};
pub use database::Database;
pub use error::ClusterError;
pub use programs::version_of;
pub use role::Role;
pub use server::{Cluster, ClusterOptions};
pub use tls::TlsFiles;
