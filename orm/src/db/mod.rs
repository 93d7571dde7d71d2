//! The database: connections, declared models and compiled plans in one handle.

mod builder;
#[expect(clippy::module_inception, reason = "the handle is what the module is about")]
mod db;
mod registry;
mod run;
mod tables;

pub use builder::Builder;
pub use db::Db;
pub(crate) use db::Handle;
pub use registry::Registered;
pub use run::Logged;
pub(crate) use run::{FLIGHT, Runner, all};
pub use tables::create_table_sql;
