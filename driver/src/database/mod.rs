//! One logical database, with a pool for each kind of work.

mod builder;
#[expect(clippy::module_inception, reason = "the handle is what the module is about")]
mod database;
mod workload;

pub use builder::DatabaseBuilder;
pub use database::Database;
pub use workload::Workload;
