//! Sets of declared queries.

use std::fmt;

use crate::error::{Error, Result};

pub(crate) mod sealed {
    /// Keeps [`DeclaredQuery`](super::DeclaredQuery) to this crate, so that it can grow.
    pub trait Sealed {}
}

/// A [`Query`](crate::Query) or a [`Fusion`](crate::Fusion), for tools that walk sets of them.
pub trait DeclaredQuery: sealed::Sealed + fmt::Debug + Sync {
    /// Its name.
    fn name(&self) -> &'static str;

    /// The Rust path of the model that it reads.
    fn model(&self) -> &'static str;

    /// The statements that it compiles to.
    ///
    /// # Errors
    /// [`Declaration`](crate::ErrorKind::Declaration), when it is not declared rightly.
    fn statements(&self) -> Result<Vec<String>>;

    /// Whether it is declared rightly.
    ///
    /// # Errors
    /// [`Declaration`](crate::ErrorKind::Declaration), when not.
    fn check(&self) -> Result<()>;
}

/// Checks each, and that no two have one name.
pub(crate) fn check(queries: &[&'static dyn DeclaredQuery]) -> Result<()> {
    for (place, query) in queries.iter().enumerate() {
        let name = query.name();
        if queries[..place].iter().any(|other| other.name() == name) {
            let detail = format!("two declared queries have the name {name:?}");
            return Err(Error::declaration(detail).of(query.model()));
        }
        query
            .check()
            .map_err(|e| Error::declaration(format!("the declared query {name:?}: {e}")).of(query.model()))?;
    }
    Ok(())
}
