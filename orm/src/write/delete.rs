//! DELETE of many rows.

use std::fmt;

use crate::db::Db;
use crate::error::Result;
use crate::model::{Columns, Model};
use crate::query::{All, Cols, Select};
use crate::session::Session;
use crate::write::returning::Rewrite;
use crate::write::{Returning, Target};

/// A delete of all rows that a query finds; made by [`Db::delete`] and [`Session::delete`].
///
/// ```no_run
/// # use wreath_orm::{Column, Columns, Db, Load, Model, Result, Source, Table};
/// # pub struct Llama { id: i64, age: i64 }
/// # impl Llama {
/// #     const ID: Column<Self, i64> = Self::TABLE.col("id", |l| &l.id);
/// #     const AGE: Column<Self, i64> = Self::TABLE.col("age", |l| &l.age);
/// # }
/// # impl Load<Self> for Llama {
/// #     fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
/// #         Ok(Self { id: s.get(Self::ID)?, age: s.get(Self::AGE)? })
/// #     }
/// # }
/// # impl Model for Llama {
/// #     const TABLE: Table<Self> = Table::new("llamas");
/// #     type Key = i64;
/// #     fn key() -> impl Columns<Self, Row = i64> { Self::ID }
/// # }
/// # async fn f(db: Db) -> Result<()> {
/// let gone: u64 = db.delete(Llama::select().filter(Llama::AGE.gt(40))).run().await?;
/// let last: Vec<Llama> = db.delete(Llama::select().filter(Llama::AGE.gt(30))).returning().run().await?;
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is written before it runs"]
pub struct Delete<'t, M: Model>(Rewrite<'t, M>);

impl Db {
    /// Begins a delete of all rows that a query finds. The query has a filter and nothing else; one that is meant
    /// to find all rows says so by a filter that all pass.
    pub fn delete<M: Model>(&self, rows: Select<M>) -> Delete<'_, M> {
        Delete(Rewrite { target: Target::Db(self), rows, sets: None })
    }
}

impl Session {
    /// Begins a delete of all rows that a query finds, on the session's connection and so in its transaction. What
    /// becomes of the objects that the session holds, [`update`](Self::update) says;
    /// [`remove`](Self::remove) is what deletes the row of one of them.
    pub fn delete<M: Model>(&mut self, rows: Select<M>) -> Delete<'_, M> {
        Delete(Rewrite { target: Target::Session(self), rows, sets: None })
    }
}

impl<'t, M: Model> Delete<'t, M> {
    /// Answers the rows as they were.
    pub fn returning(self) -> Returning<'t, M, All<M>> {
        Returning::new(self.0, All::default())
    }

    /// Answers columns of the rows as they were.
    pub fn returning_cols<C: Columns<M>>(self, columns: C) -> Returning<'t, M, Cols<C>> {
        Returning::new(self.0, Cols(columns))
    }

    /// Runs the delete; answers how many rows it has met.
    ///
    /// # Errors
    /// [`Declaration`](crate::ErrorKind::Declaration), when the query has no filter or something besides it; in a
    /// session, also when objects of the model have edits that are not flushed.
    /// [`Database`](crate::ErrorKind::Database), for what the server refuses.
    pub async fn run(self) -> Result<u64> {
        Ok(self.0.run(None::<&All<M>>).await?.0)
    }
}

impl<M: Model> fmt::Debug for Delete<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Delete").field("rows", &self.0.rows).finish_non_exhaustive()
    }
}
