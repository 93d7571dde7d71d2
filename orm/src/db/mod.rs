//! The database: connections, declared models and compiled plans in one handle.

mod builder;
#[expect(clippy::module_inception, reason = "the handle is what the module is about")]
mod db;
mod explain;
mod page;
mod registry;
mod run;
mod stream;
mod tables;
mod together;

pub use builder::Builder;
pub use db::Db;
pub(crate) use db::Handle;
pub use explain::Explain;
pub use page::Page;
pub use registry::Registered;
pub use run::Logged;
pub(crate) use run::{FLIGHT, Runner, all};
pub use stream::Stream;
pub use tables::create_table_sql;
pub(crate) use together::fetch_all;
pub use together::{Count, Exists, Read, Together};
