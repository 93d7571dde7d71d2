//! Whether the database has what the models declare.
//!
//! [`Db::check_schema`](crate::Db::check_schema) reads the catalog in one flight, whatever the number of models
//! (PostgreSQL manual, "System Catalogs"), and reports every [`Difference`] at once. Nothing is ever changed.

mod check;
mod compare;
mod difference;
mod found;

pub use difference::{Difference, DifferenceKind};
