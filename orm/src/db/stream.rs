//! Rows as they come.

use std::any::type_name;
use std::fmt;
use std::marker::PhantomData;

use wreath_driver::{RowStream, Workload};

use crate::db::{Db, Handle, Runner};
use crate::error::{Error, Result};
use crate::model::Model;
use crate::plan::Kind;
use crate::query::{Level, Output, RowReader, Select};
use crate::session::Session;

/// The rows of a query as they come; made by [`Db::stream`] and [`Session::stream`].
#[must_use = "rows are taken by `next`"]
pub struct Stream<'a, M, O> {
    query: &'a Select<M, O>,
    rows: RowStream,
    level: Level,
    /// The connection, for as long as rows come over it. Dropped behind them.
    handle: Option<Handle>,
    session: PhantomData<&'a mut Session>,
}

impl Db {
    /// The rows of a query as they come, so that a result of any size passes through little memory: what is not
    /// taken is not read either.
    ///
    /// ```no_run
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
    /// # async fn f(db: Db) -> Result<()> {
    /// let query = Llama::select();
    /// let mut llamas = db.stream(&query).await?;
    /// while let Some(llama) = llamas.next().await? {
    ///     println!("{}", llama.id);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Declaration`](crate::ErrorKind::Declaration) for a query that includes to-many relations, which take
    /// statements of their own that cannot run before the stream has ended; and as [`fetch`](Self::fetch).
    pub async fn stream<'a, M: Model, O: Output<M>>(
        &self,
        query: &'a Select<M, O>,
    ) -> Result<Stream<'a, M, O>> {
        let handle = self.acquire(Workload::Read).await?;
        let (rows, level) = self.run(&handle).stream(query).await?;
        Ok(Stream { query, rows, level, handle: Some(handle), session: PhantomData })
    }
}

impl Session {
    /// The rows of a query as plain values as they come, on the session's connection; see [`Db::stream`].
    ///
    /// # Errors
    /// As [`Db::stream`].
    pub async fn stream<'a, M: Model, O: Output<M>>(
        &'a mut self,
        query: &'a Select<M, O>,
    ) -> Result<Stream<'a, M, O>> {
        self.connect().await?;
        let (rows, level) = self.run()?.stream(query).await?;
        Ok(Stream { query, rows, level, handle: None, session: PhantomData })
    }
}

impl Runner<'_> {
    async fn stream<M: Model, O: Output<M>>(&self, query: &Select<M, O>) -> Result<(RowStream, Level)> {
        let binds = query.binds(Kind::Select, None)?;
        let plan = self.plan_of(query, Kind::Select, None)?;
        if !plan.level.follows.is_empty() {
            let detail = "to-many relations take statements of their own, which cannot run while rows come";
            return Err(Error::declaration(detail).of(type_name::<M>()));
        }
        self.note(&plan.sql, &binds.params);
        let rows = self.client.stream(plan.sql.as_str(), &binds.params).await?;
        plan.level.check(rows.columns())?;
        Ok((rows, Level::new(&plan.level, binds.follows)))
    }
}

impl<M: Model, O: Output<M>> Stream<'_, M, O> {
    /// The next row; `None` after the last. Dropping the future loses nothing.
    ///
    /// # Errors
    /// What the statement failed with; the rows before it have been taken then. And as [`Db::fetch`].
    pub async fn next(&mut self) -> Result<Option<O::Row>> {
        match self.rows.next().await? {
            Some(row) => self.query.output().read(&mut RowReader::new(row, &mut self.level)).map(Some),
            None => Ok(None),
        }
    }
}

impl<M: Model, O: Output<M>> fmt::Debug for Stream<'_, M, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream").field("query", self.query).field("on", &self.handle).finish_non_exhaustive()
    }
}
