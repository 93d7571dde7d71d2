//! UPDATE of many rows.

use std::fmt;

use crate::db::Db;
use crate::error::Result;
use crate::expr::Operand;
use crate::model::{Column, ColumnType, Columns, Model};
use crate::query::{All, Cols, Select};
use crate::session::Session;
use crate::write::returning::Rewrite;
use crate::write::{Returning, Sets, Target};

/// An update of all rows that a query finds; made by [`Db::update`] and [`Session::update`].
///
/// ```no_run
/// # use wreath_orm::{Column, Columns, Db, Load, Model, Result, Source, Table};
/// # pub struct Llama { id: i64, age: i64, paddock: Option<i64>, born_in: Option<i64> }
/// # impl Llama {
/// #     const ID: Column<Self, i64> = Self::TABLE.col("id", |l| &l.id);
/// #     const AGE: Column<Self, i64> = Self::TABLE.col("age", |l| &l.age);
/// #     const PADDOCK: Column<Self, Option<i64>> = Self::TABLE.col("paddock_id", |l| &l.paddock);
/// #     const BORN_IN: Column<Self, Option<i64>> = Self::TABLE.col("born_in", |l| &l.born_in);
/// # }
/// # impl Load<Self> for Llama {
/// #     fn load<S: Source<Self>>(s: &mut S) -> Result<Self> {
/// #         Ok(Self {
/// #             id: s.get(Self::ID)?, age: s.get(Self::AGE)?,
/// #             paddock: s.get(Self::PADDOCK)?, born_in: s.get(Self::BORN_IN)?,
/// #         })
/// #     }
/// # }
/// # impl Model for Llama {
/// #     const TABLE: Table<Self> = Table::new("llamas");
/// #     type Key = i64;
/// #     fn key() -> impl Columns<Self, Row = i64> { Self::ID }
/// # }
/// # async fn f(db: Db) -> Result<()> {
/// let old = || Llama::select().filter(Llama::AGE.gt(20));
/// let moved: u64 = db.update(old()).set(Llama::PADDOCK, None).run().await?;
/// let ids: Vec<i64> =
///     db.update(old()).set_to(Llama::PADDOCK, Llama::BORN_IN).returning_cols(Llama::ID).run().await?;
/// # Ok(())
/// # }
/// ```
///
/// A query that projects or includes something does not fit:
///
/// ```compile_fail,E0308
/// # use wreath_orm::{Column, Columns, Db, Load, Model, Result, Source, Table};
/// # pub struct Llama { id: i64 }
/// # impl Llama {
/// #     const ID: Column<Self, i64> = Self::TABLE.col("id", |l| &l.id);
/// # }
/// # impl Load<Self> for Llama {
/// #     fn load<S: Source<Self>>(s: &mut S) -> Result<Self> { Ok(Self { id: s.get(Self::ID)? }) }
/// # }
/// # impl Model for Llama {
/// #     const TABLE: Table<Self> = Table::new("llamas");
/// #     type Key = i64;
/// #     fn key() -> impl Columns<Self, Row = i64> { Self::ID }
/// # }
/// # fn f(db: Db) {
/// let _ = db.update(Llama::select().cols(Llama::ID));
/// # }
/// ```
#[must_use = "nothing is written before it runs"]
pub struct Update<'t, M: Model> {
    target: Target<'t>,
    rows: Select<M>,
    sets: Sets,
}

impl Db {
    /// Begins an update of all rows that a query finds. The query has a filter and nothing else; one that is meant
    /// to find all rows says so by a filter that all pass.
    pub fn update<M: Model>(&self, rows: Select<M>) -> Update<'_, M> {
        Update { target: Target::Db(self), rows, sets: Sets::default() }
    }
}

impl Session {
    /// Begins an update of all rows that a query finds, on the session's connection and so in its transaction.
    ///
    /// It bypasses the objects that the session holds. When it has run, those of the model are let go: a
    /// [`Ref`](crate::Ref) to one is stale, and what is fetched again is another object. What has been added and not
    /// been flushed stays. So does nothing else that is pending: with edits or removals of the model that have not
    /// been flushed, the write is refused.
    pub fn update<M: Model>(&mut self, rows: Select<M>) -> Update<'_, M> {
        Update { target: Target::Session(self), rows, sets: Sets::default() }
    }
}

impl<'t, M: Model> Update<'t, M> {
    /// Sets a column to a value, which its checks have to pass.
    pub fn set<T: ColumnType>(mut self, column: Column<M, T>, value: T) -> Self {
        self.sets.value(column, &value);
        self
    }

    /// Sets a column to an expression over the row as it was. A column that has checks takes none, since they
    /// cannot be run over it; see [`unchecked`](Self::unchecked).
    pub fn set_to<T: ColumnType>(mut self, column: Column<M, T>, to: impl Operand<M, T::Base>) -> Self {
        self.sets.expression(column, to);
        self
    }

    /// Lets [`set_to`](Self::set_to) set columns that have checks, without running them: for expressions that
    /// are known to pass. Rules still refuse.
    pub fn unchecked(mut self) -> Self {
        self.sets.trust();
        self
    }

    /// Answers the rows as they are after it.
    pub fn returning(self) -> Returning<'t, M, All<M>> {
        Returning::new(self.rewrite(), All::default())
    }

    /// Answers columns of the rows as they are after it.
    pub fn returning_cols<C: Columns<M>>(self, columns: C) -> Returning<'t, M, Cols<C>> {
        Returning::new(self.rewrite(), Cols(columns))
    }

    /// Runs the update; answers how many rows it has met.
    ///
    /// # Errors
    /// [`Declaration`](crate::ErrorKind::Declaration), when the query has no filter or something besides it, when
    /// nothing is set, and when a column is set that is of the key, that the server makes, or that a
    /// [rule](crate::Rule) is over; in a session, also when objects of the model have edits that are not flushed.
    /// [`Invalid`](crate::ErrorKind::Invalid), with all checks that the values break.
    /// [`Database`](crate::ErrorKind::Database), for what the server refuses.
    pub async fn run(self) -> Result<u64> {
        Ok(self.rewrite().run(None::<&All<M>>).await?.0)
    }

    fn rewrite(self) -> Rewrite<'t, M> {
        Rewrite { target: self.target, rows: self.rows, sets: Some(self.sets) }
    }
}

impl<M: Model> fmt::Debug for Update<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Update").field("rows", &self.rows).field("sets", &self.sets).finish_non_exhaustive()
    }
}
