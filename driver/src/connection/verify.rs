//! Statements that are prepared to see whether the server takes them.

use std::collections::VecDeque;
use std::sync::Arc;

use wreath_codecs::{Decode, Type};

use crate::connection::client::Client;
use crate::connection::remedy::columns_of;
use crate::connection::reply::Pending;
use crate::error::Result;
use crate::proto::scope::is_outside;
use crate::proto::statement::Statement;
use crate::row::{Column, RowIndex, check};
use crate::sql::Sql;

/// How many statements are on their way at once.
const WINDOW: usize = 32;

impl Client {
    /// Asks the server what it makes of statements, without running them: whether it takes each, and the types of its
    /// parameters and of its columns. A program that does this with all of its statements when it starts does not find out
    /// later that a migration has taken a column from one of them.
    ///
    /// Answers one result for each statement, in order. Nothing is left behind on the server. Of a statement that has no plan,
    /// such as `CREATE TABLE`, the server only looks at the grammar. The first that is refused inside of a transaction fails
    /// that, and so all behind it.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> wreath_driver::Result<()> {
    /// # let Ok(dsn) = std::env::var("DATABASE_URL") else { return Ok(()) };
    /// # let client = wreath_driver::connect(&dsn).await?;
    /// let found = client.verify(["SELECT relname FROM pg_class WHERE oid = $1", "SELECT nothing FROM pg_class"]).await;
    ///
    /// let by_oid = found[0].as_ref().expect("the server takes it");
    /// assert_eq!((by_oid.params()[0].name(), by_oid.columns()[0].ty().name()), ("oid", "name"));
    /// by_oid.reads::<String>("relname")?;
    ///
    /// let refused = found[1].as_ref().expect_err("there is no such column");
    /// assert_eq!(refused.sqlstate(), Some("42703"));
    /// assert_eq!(refused.statement(), Some("SELECT nothing FROM pg_class"));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// For each statement by itself, naming it: `Server` when it is refused, and else as [`execute`](Self::execute).
    pub async fn verify<S: Into<Sql>>(
        &self,
        statements: impl IntoIterator<Item = S>,
    ) -> Vec<Result<Description>> {
        // As with `map`: behind the first failure of a transaction the others only fail.
        let window = if is_outside(self.scope) { WINDOW } else { 1 };
        let (mut described, mut flying) = (Vec::new(), VecDeque::with_capacity(window));
        for sql in statements {
            if flying.len() >= window
                && let Some(asked) = flying.pop_front()
            {
                described.push(self.answer(asked).await);
            }
            flying.push_back(self.ask(sql.into()));
        }
        while let Some(asked) = flying.pop_front() {
            described.push(self.answer(asked).await);
        }
        // One query for all, and afterwards none.
        let oids: Vec<u32> = described.iter().flatten().flat_map(|s| types_of(s)).collect();
        let known = self.wait(self.catalog().types(self, &oids)).await;
        let mut descriptions = Vec::with_capacity(described.len());
        for statement in described {
            descriptions.push(match (statement, &known) {
                (Ok(statement), Ok(_)) => self.description(&statement).await,
                (Ok(statement), Err(e)) => Err(e.clone().in_statement(&statement.sql)),
                (Err(e), _) => Err(e),
            });
        }
        descriptions
    }

    fn ask(&self, sql: Sql) -> Asked {
        let engine = &self.handle.0;
        let submitted = engine.submit(|p| p.describe(sql.borrowed(), self.scope), |submitted| submitted.key);
        let submitted = submitted.map(|submitted| {
            let text = || Arc::clone(&submitted.statement.sql);
            (Pending::new(engine, submitted.key).observed(text), submitted.statement)
        });
        Asked { sql, submitted }
    }

    async fn answer(&self, asked: Asked) -> Result<Arc<Statement>> {
        let Asked { sql, submitted } = asked;
        let outcome = async {
            let (pending, statement) = submitted?;
            let outcome = self.wait(async { Ok(pending.await) }).await?;
            outcome.error.map_or(Ok(statement), Err)
        };
        outcome.await.map_err(|e| e.in_statement(&sql.to_shared()))
    }

    async fn description(&self, statement: &Arc<Statement>) -> Result<Description> {
        let params = self.catalog().types(self, statement.inferred()).await?;
        let columns = columns_of(self, statement).await?;
        Ok(Description { sql: Arc::clone(&statement.sql), params, columns })
    }
}

/// A statement whose description is on its way.
struct Asked {
    sql: Sql,
    submitted: Result<(Pending, Arc<Statement>)>,
}

/// The numbers of all types that a description names.
fn types_of(statement: &Statement) -> impl Iterator<Item = u32> {
    let columns = statement.described().unwrap_or_default().iter().map(|column| column.oid);
    statement.inferred().iter().copied().chain(columns)
}

/// What the server makes of a statement; answered by [`Client::verify`].
#[derive(Clone, Debug)]
pub struct Description {
    sql: Arc<str>,
    params: Vec<Type>,
    columns: Arc<[Column]>,
}

impl Description {
    /// The statement's text.
    pub fn sql(&self) -> &str {
        &self.sql
    }

    /// The types that the server infers for its parameters, `$1` first.
    pub fn params(&self) -> &[Type] {
        &self.params
    }

    /// The columns of its result; none where it returns no rows. Of a domain the server tells the type that it is over.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Whether values of a column, given by its place from 0 or by its name, can be read as `T`. Whether they can be NULL is
    /// not known.
    ///
    /// # Errors
    /// `Decode`, as reading a row would have it; [`statement`](crate::Error::statement) is the text.
    pub fn reads<T: for<'r> Decode<'r>>(&self, index: impl RowIndex) -> Result<()> {
        let checked = index.find(&self.columns).and_then(|i| check::<T>(&self.columns[i]));
        checked.map_err(|e| e.in_statement(&self.sql))
    }
}
