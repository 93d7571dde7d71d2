//! Declared queries: reads with a name, whose shape is fixed where they are declared.

mod fusion;
mod parameters;
mod query;
mod set;

pub use fusion::{Fused, Fusion};
pub use parameters::Parameters;
pub use query::Query;
pub use set::DeclaredQuery;
pub(crate) use set::check;
