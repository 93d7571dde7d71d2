//! Running compiled statements on a connection.

use std::any::type_name;
use std::fmt;
use std::sync::Arc;

use wreath_codecs::ParamBuf;
use wreath_driver::{Client, CopyRows, Reply, Rows, Sql};

use crate::db::db::Shared;
use crate::error::{Error, ErrorKind, Result};
use crate::model::Model;
use crate::plan::{Key, Kind, Plan};
use crate::query::{Level, Manner, Output, RowReader, Select};
use crate::sql::Statement;

/// Statements that are in flight together, where there are many.
pub(crate) const FLIGHT: usize = 64;

/// What [`Builder::log`](crate::Builder::log) is called with.
pub(crate) type Log = Arc<dyn Fn(&Logged<'_>) + Send + Sync>;

/// A statement that is about to be sent.
#[derive(Clone, Copy)]
pub struct Logged<'a> {
    sql: &'a str,
    params: &'a ParamBuf,
}

impl Logged<'_> {
    /// Its text.
    pub fn sql(&self) -> &str {
        self.sql
    }

    /// How many parameters it has. Their values are not shown: logs are read by more people than tables are.
    pub fn params(&self) -> usize {
        self.params.len()
    }
}

impl fmt::Debug for Logged<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Logged").field("sql", &self.sql).field("params", &self.params.len()).finish()
    }
}

/// A connection together with the plans of its database.
#[derive(Clone, Copy)]
pub struct Runner<'a> {
    pub(crate) client: &'a Client,
    pub(crate) db: &'a Shared,
    /// Whether the connection is in a transaction that its user has opened.
    pub(crate) in_transaction: bool,
}

impl Runner<'_> {
    /// Sends a statement now; its result is the future's.
    pub(crate) fn send(&self, sql: &Sql, params: ParamBuf) -> Reply {
        self.note(sql, &params);
        self.client.send(sql, params)
    }

    /// Runs a statement that was written by hand. One whose text was made at run time is not kept by the
    /// connection.
    pub(crate) async fn raw(&self, statement: Statement) -> Result<Rows> {
        let sql = Sql::new(statement.text());
        let cached = statement.is_cached();
        let params = statement.into_params()?;
        self.note(&sql, &params);
        let reply = if cached { self.client.send(&sql, params) } else { self.client.send_once(&sql, params) };
        Ok(reply.await?)
    }

    pub(crate) fn note(&self, sql: &Sql, params: &ParamBuf) {
        if let Some(log) = &self.db.log {
            log(&Logged { sql: sql.as_str(), params });
        }
    }

    /// Begins to copy rows to the server.
    pub(crate) async fn copy_rows(&self, sql: &str) -> Result<CopyRows> {
        self.note(&sql.into(), &ParamBuf::new());
        Ok(self.client.copy_rows(sql).await?)
    }

    /// Sends statements without parameters, as one script and so in one transaction.
    pub(crate) async fn script(&self, statements: &[String]) -> Result<()> {
        if let Some(log) = &self.db.log {
            let params = ParamBuf::new();
            statements.iter().for_each(|sql| log(&Logged { sql, params: &params }));
        }
        if !statements.is_empty() {
            self.client.batch(&statements.join(";\n")).await?;
        }
        Ok(())
    }

    /// The plan for a key, compiled if it is not known.
    pub(crate) fn plan(&self, key: &Key, compile: impl Fn() -> Result<Plan>) -> Result<Arc<Plan>> {
        self.db.plans.plan(key, compile)
    }

    /// The plan of a query, unless the query is one that cannot run here.
    pub(crate) fn plan_of<M: Model, O: Output<M>>(
        &self,
        query: &Select<M, O>,
        kind: Kind,
        cap: Option<u64>,
    ) -> Result<Arc<Plan>> {
        if query.is_locking() && !self.in_transaction {
            let detail = "a lock outside of a transaction would be gone before the rows have arrived";
            return Err(Error::declaration(detail).of(type_name::<M>()));
        }
        match query.manner() {
            Manner::Once => query.compile(kind, cap).map(Arc::new),
            Manner::Kept | Manner::Replanned => self.plan(&query.key(kind, cap), || query.compile(kind, cap)),
        }
    }

    /// Sends the statement of a query, as the query would have it kept.
    fn send_as(&self, manner: Manner, sql: &Sql, params: ParamBuf) -> Reply {
        match manner {
            Manner::Kept => self.send(sql, params),
            Manner::Replanned | Manner::Once => {
                self.note(sql, &params);
                self.client.send_once(sql, params)
            }
        }
    }

    pub(crate) async fn fetch<M: Model, O: Output<M>>(
        &self,
        query: &Select<M, O>,
        cap: Option<u64>,
    ) -> Result<Vec<O::Row>> {
        let (reply, mut level) = self.begin(query, cap)?;
        let rows = reply.await?;
        level.check(&rows)?;
        let mut out = Vec::with_capacity(rows.len());
        for row in &rows {
            out.push(query.output().read(&mut RowReader::new(row, &mut level))?);
        }
        self.complete(query.output(), &mut out, level).await?;
        Ok(out)
    }

    pub(crate) async fn fetch_optional<M: Model, O: Output<M>>(
        &self,
        query: &Select<M, O>,
    ) -> Result<Option<O::Row>> {
        let (reply, mut level) = self.begin(query, Some(2))?;
        let rows = reply.await?;
        level.check(&rows)?;
        if rows.len() > 1 {
            let detail = "one row was asked for, and more match";
            return Err(Error::new(ErrorKind::MultipleResults, detail).of(type_name::<M>()));
        }
        let Some(row) = rows.first() else { return Ok(None) };
        let mut out = query.output().read(&mut RowReader::new(row, &mut level))?;
        self.complete(query.output(), std::slice::from_mut(&mut out), level).await?;
        Ok(Some(out))
    }

    pub(crate) async fn fetch_one<M: Model, O: Output<M>>(&self, query: &Select<M, O>) -> Result<O::Row> {
        self.fetch_optional(query).await?.ok_or_else(|| {
            Error::new(ErrorKind::NoResult, "a row was asked for, and none matches").of(type_name::<M>())
        })
    }

    pub(crate) async fn count<M: Model, O: Output<M>>(&self, query: &Select<M, O>) -> Result<u64> {
        let count: i64 = self.scalar(query, Kind::Count).await?;
        Ok(u64::try_from(count).unwrap_or(0))
    }

    pub(crate) async fn exists<M: Model, O: Output<M>>(&self, query: &Select<M, O>) -> Result<bool> {
        self.scalar(query, Kind::Exists).await
    }

    /// Sends the query's own statement; answers the state of reading its rows, too.
    pub(crate) fn begin<M: Model, O: Output<M>>(
        &self,
        query: &Select<M, O>,
        cap: Option<u64>,
    ) -> Result<(Reply, Level)> {
        let binds = query.binds(Kind::Select, cap)?;
        let plan = self.plan_of(query, Kind::Select, cap)?;
        let reply = self.send_as(query.manner(), &plan.sql, binds.params);
        Ok((reply, Level::new(&plan.level, binds.follows)))
    }

    /// Sends the statement that answers one value about the query.
    pub(crate) fn ask<M: Model, O: Output<M>>(&self, query: &Select<M, O>, kind: Kind) -> Result<Reply> {
        let binds = query.binds(kind, None)?;
        let plan = self.plan_of(query, kind, None)?;
        Ok(self.send_as(query.manner(), &plan.sql, binds.params))
    }

    /// Sends the statements of a flight.
    pub(crate) fn send_all(&self, flight: Vec<(Sql, ParamBuf)>) -> Vec<Reply> {
        flight.into_iter().map(|(sql, params)| self.send(&sql, params)).collect()
    }

    /// Fetches what is included by further statements, one flight a level, into rows that have been read.
    pub(crate) async fn complete<M: Model, O: Output<M>>(
        &self,
        output: &O,
        out: &mut [O::Row],
        mut level: Level,
    ) -> Result<()> {
        loop {
            let flight = level.flight()?;
            if flight.is_empty() {
                return Ok(());
            }
            level.take(output, out, all(self.send_all(flight)).await?)?;
        }
    }

    async fn scalar<M: Model, O: Output<M>, T: wreath_driver::DecodeOwned>(
        &self,
        query: &Select<M, O>,
        kind: Kind,
    ) -> Result<T> {
        let rows = self.ask(query, kind)?.await?;
        let row = rows.first().ok_or_else(|| Error::declaration("an aggregate came without a row"))?;
        Ok(row.get(0)?)
    }
}

/// Waits for replies that are in flight together. After an error the others are still waited for, so that
/// the first cause is what is reported.
pub(crate) async fn all(replies: Vec<Reply>) -> Result<Vec<Rows>> {
    let mut answers = Vec::with_capacity(replies.len());
    let mut failed = None;
    for reply in replies {
        match reply.await {
            Ok(rows) => answers.push(rows),
            Err(error) => {
                failed.get_or_insert(error);
            }
        }
    }
    match failed {
        None => Ok(answers),
        Some(error) => Err(error.into()),
    }
}

impl fmt::Debug for Runner<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Runner").field("in_transaction", &self.in_transaction).finish_non_exhaustive()
    }
}
