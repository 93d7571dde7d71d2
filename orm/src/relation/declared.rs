//! Relations that a model lists.

use std::fmt;

use crate::error::Result;

pub(crate) mod sealed {
    /// Keeps [`Relation`](super::Relation) to this crate, so that it can grow.
    pub trait Sealed {}
}

/// A relation of `M`: a [`ToOne`](crate::ToOne) or a [`ToMany`](crate::ToMany).
///
/// Those that a model lists as its [`RELATIONS`](crate::Model::RELATIONS) are checked when it is declared to a
/// [`Db`](crate::Db), others when they are first included.
pub trait Relation<M>: sealed::Sealed + fmt::Debug + Sync {
    /// Whether the models at its ends have its columns, and those at its one end tell rows apart.
    ///
    /// # Errors
    /// [`Declaration`](crate::ErrorKind::Declaration), when not.
    fn check(&self) -> Result<()>;
}
