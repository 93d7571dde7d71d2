//! Tenants: many customers with tables alike, each in a schema of its own.
//!
//! A table without a schema is a tenant's: it is found through the `search_path`, which a session binds to the
//! tenant's schema at the beginning of each transaction. A table with a [schema](crate::Table::schema) is the same for
//! all. PostgreSQL ends the binding with the transaction, so a connection that goes back to its pool never takes one
//! along; and what would run outside of a transaction, where nothing is bound, is refused.

mod binding;
#[expect(clippy::module_inception, reason = "a tenant is what the module is about")]
mod tenant;

pub(crate) use binding::Binding;
pub use tenant::{SchemaMode, Tenant};
