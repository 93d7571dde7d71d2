//! Relations that a model lists.

use std::fmt;

use crate::error::Result;

pub(crate) mod sealed {
    /// Keeps [`Relation`](super::Relation) to this crate, so that it can grow.
    pub trait Sealed {
        /// What has to be there beside the model's own table.
        fn targets(&self) -> Vec<Target>;
    }

    /// Columns of another table, which a relation leads to.
    #[derive(Clone, Debug)]
    pub struct Target {
        pub(crate) schema: Option<&'static str>,
        pub(crate) table: &'static str,
        pub(crate) columns: Vec<&'static str>,
    }
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
