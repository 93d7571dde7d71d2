//! What the server means to do for a query.

use wreath_driver::{Sql, Workload};

use crate::db::{Db, Runner};
use crate::error::{Error, Result};
use crate::model::Model;
use crate::plan::Kind;
use crate::query::{Output, Select};
use crate::session::Session;

/// What [`Db::explain`] is to tell (PostgreSQL manual, "EXPLAIN"); unless told otherwise, the plan as text.
///
/// ```
/// let _ = wreath_orm::Explain::new().analyze().buffers();
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct Explain {
    options: Vec<&'static str>,
}

impl Explain {
    /// The plan, as text.
    pub const fn new() -> Self {
        Self { options: Vec::new() }
    }

    /// Runs the query, and tells what each step took.
    pub fn analyze(self) -> Self {
        self.with("ANALYZE")
    }

    /// How many blocks were found in memory and how many read.
    pub fn buffers(self) -> Self {
        self.with("BUFFERS")
    }

    /// The columns of each step, too.
    pub fn verbose(self) -> Self {
        self.with("VERBOSE")
    }

    /// Settings that differ from their defaults and bear on plans.
    pub fn settings(self) -> Self {
        self.with("SETTINGS")
    }

    /// As JSON.
    pub fn json(self) -> Self {
        self.with("FORMAT JSON")
    }

    fn with(mut self, option: &'static str) -> Self {
        if !self.options.contains(&option) {
            self.options.push(option);
        }
        self
    }

    fn of(&self, sql: &str) -> String {
        match self.options.as_slice() {
            [] => format!("EXPLAIN {sql}"),
            options => format!("EXPLAIN ({}) {sql}", options.join(", ")),
        }
    }
}

impl Db {
    /// What the server means to do for the query with its values: lines of text, or JSON.
    ///
    /// # Errors
    /// As [`fetch`](Self::fetch).
    pub async fn explain<M: Model, O: Output<M>>(
        &self,
        query: &Select<M, O>,
        explain: &Explain,
    ) -> Result<String> {
        let handle = self.acquire(Workload::Read).await?;
        self.run(&handle).explain(query, explain).await
    }
}

impl Session {
    /// What the server means to do for the query, on the session's connection; see [`Db::explain`].
    ///
    /// # Errors
    /// As [`Db::explain`].
    pub async fn explain<M: Model, O: Output<M>>(
        &mut self,
        query: &Select<M, O>,
        explain: &Explain,
    ) -> Result<String> {
        self.connect().await?;
        self.run()?.explain(query, explain).await
    }
}

impl Runner<'_> {
    async fn explain<M: Model, O: Output<M>>(
        &self,
        query: &Select<M, O>,
        explain: &Explain,
    ) -> Result<String> {
        let params = query.binds(Kind::Select, None)?.params;
        let plan = self.plan_of(query, Kind::Select, None)?;
        let sql = Sql::new(explain.of(plan.sql.as_str()));
        self.note(&sql, &params);
        let rows = self.client.send_once(&sql, params).await?;
        let mut lines = Vec::with_capacity(rows.len());
        for row in &rows {
            let line = row.raw(0)?.unwrap_or_default();
            let line = std::str::from_utf8(line)
                .map_err(|_| Error::declaration("the server explains itself in no UTF-8"))?;
            lines.push(line);
        }
        Ok(lines.join("\n"))
    }
}
