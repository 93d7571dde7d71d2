//! What can be asked of a connection or a transaction.

use std::collections::VecDeque;
use std::future::Future;
use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use wreath_codecs::{EncodeError, ParamBuf, Type};

use crate::catalog::Catalog;
use crate::connection::handle::Handle;
use crate::connection::reply::Reply;
use crate::connection::transact::{TransactionBuilder, Tx};
use crate::connection::transaction::Transaction;
use crate::error::{Error, ErrorKind, Result};
use crate::net::CancelToken;
use crate::params::Params;
use crate::proto::pipeline::{BEGIN, Manner};
use crate::proto::scope::{Scope, is_outside};
use crate::row::{DecodeOwned, FromRow, OwnedRow, Rows};
use crate::sql::{Sql, SqlRef};
use crate::tag::CommandTag;

/// The verbs: what a [`Connection`](crate::Connection), a [`Transaction`] and a pool's
/// [`Lease`](crate::Lease) have in common, so that a function takes a `&Client` and serves all of them.
///
/// Every statement goes through the extended protocol with results in binary form, and is prepared when it
/// is first seen: in the same flight in which it runs. All verbs take `&self`, and may be called from many tasks at
/// once. Dropping the future of a verb drops the result and leaves the connection in step; the statement
/// may still run.
#[derive(Debug)]
pub struct Client {
    pub(crate) handle: Arc<Handle>,
    pub(crate) scope: Scope,
    pub(crate) limit: Option<Duration>,
}

/// A [`Client`] with a limit on how long its verbs take; made by [`Client::within`].
#[derive(Debug)]
pub struct Within<'a> {
    client: Client,
    /// It must not outlive a lease or a transaction.
    handle: PhantomData<&'a Client>,
}

impl Deref for Within<'_> {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

impl Client {
    /// Another handle with the same rights. It is not public: a lease or a transaction must not be outlived by
    /// what can still use it.
    pub(crate) fn share(&self) -> Self {
        Self { handle: Arc::clone(&self.handle), scope: self.scope, limit: self.limit }
    }

    /// Runs a statement for its effect. Rows that it returns are dropped.
    ///
    /// ```no_run
    /// # async fn f(client: &wreath_driver::Client) -> wreath_driver::Result<()> {
    /// let tag = client.execute("UPDATE llamas SET age = age + 1 WHERE id = $1", (7_i64,)).await?;
    /// assert_eq!(tag.rows(), 1);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// `Encode` for a parameter that cannot be sent, `Server` for what the server refuses,
    /// `InTransaction` when a transaction is open and this is not its handle, `PipelineFull`, and
    /// `Closed`, `Io` or `Protocol` when the connection is lost. The same goes for the other verbs.
    pub async fn execute(&self, sql: &str, params: impl Params) -> Result<CommandTag> {
        Ok(self.wait(self.start(sql, &params)?).await?.tag().clone())
    }

    /// Runs a statement and answers all of its rows.
    ///
    /// # Errors
    /// As [`execute`](Self::execute).
    pub async fn fetch(&self, sql: &str, params: impl Params) -> Result<Rows> {
        self.wait(self.start(sql, &params)?).await
    }

    /// Runs a statement that returns exactly one row.
    ///
    /// # Errors
    /// `NoResult` and `MultipleResults`, when it does not; and as [`execute`](Self::execute).
    pub async fn fetch_one(&self, sql: &str, params: impl Params) -> Result<OwnedRow> {
        one_of(self.fetch(sql, params).await?, sql)
    }

    /// Runs a statement that returns one row or none.
    ///
    /// # Errors
    /// `MultipleResults`, when it returns more; and as [`execute`](Self::execute).
    pub async fn fetch_optional(&self, sql: &str, params: impl Params) -> Result<Option<OwnedRow>> {
        optional_of(self.fetch(sql, params).await?, sql)
    }

    /// Runs a statement that returns exactly one row, and answers its first column. NULL is told from a missing
    /// row: it is read into an `Option`, and an error for any other type.
    ///
    /// ```no_run
    /// # async fn f(client: &wreath_driver::Client) -> wreath_driver::Result<()> {
    /// let oldest: Option<i32> = client.fetch_scalar("SELECT max(age) FROM llamas", ()).await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`fetch_one`](Self::fetch_one), and `Decode` when the value is not a `T`.
    pub async fn fetch_scalar<T: DecodeOwned>(&self, sql: &str, params: impl Params) -> Result<T> {
        self.fetch_one(sql, params).await?.get(0)
    }

    /// Runs a statement and reads each row into a `T`: a tuple, or a struct that implements [`FromRow`].
    ///
    /// ```no_run
    /// # async fn f(client: &wreath_driver::Client) -> wreath_driver::Result<()> {
    /// let llamas: Vec<(i64, String)> = client.fetch_as("SELECT id, name FROM llamas", ()).await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`execute`](Self::execute), and `Decode` when a row is not a `T`.
    pub async fn fetch_as<T: FromRow>(&self, sql: &str, params: impl Params) -> Result<Vec<T>> {
        self.wait(self.start(sql, &params)?).await?.read_all()
    }

    /// Runs a statement once for each set of parameters, and answers each result in the order of the sets. At most
    /// `window` of them are in flight at once (32 is a good number), so a long or lazy list costs little memory; in a
    /// transaction they run one by one, because after the first failure the others could only fail.
    ///
    /// ```no_run
    /// # async fn f(client: &wreath_driver::Client) -> wreath_driver::Result<()> {
    /// let ids = [1_i64, 2, 3];
    /// let by_id = "SELECT name FROM llamas WHERE id = $1";
    /// for rows in client.map(by_id, ids.map(|id| (id,)), 32).await {
    ///     println!("{} found", rows?.len());
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`execute`](Self::execute), for each set by itself.
    pub async fn map<P: Params>(
        &self,
        sql: &str,
        sets: impl IntoIterator<Item = P>,
        window: usize,
    ) -> Vec<Result<Rows>> {
        let sql = Sql::new(sql);
        let window = if is_outside(self.scope) { window.max(1) } else { 1 };
        let (mut results, mut flying) = (Vec::new(), VecDeque::with_capacity(window));
        for params in sets {
            if flying.len() >= window
                && let Some(reply) = flying.pop_front()
            {
                results.push(self.settle(reply).await);
            }
            let mut buf = ParamBuf::new();
            let sent =
                params.encode(&mut buf).map(|()| Reply::send(self, sql.borrowed(), buf, Manner::CAREFUL));
            flying.push_back(sent);
        }
        while let Some(reply) = flying.pop_front() {
            results.push(self.settle(reply).await);
        }
        results
    }

    async fn settle(&self, sent: std::result::Result<Reply, EncodeError>) -> Result<Rows> {
        self.wait(sent?).await
    }

    /// Sends a statement, and answers its result as a future: several that are sent one after the other
    /// share a flight, and run in that order. That flight begins when one of the futures is polled, or by
    /// itself with the second statement. A future that is dropped before takes its statement back.
    ///
    /// Two things are left to the caller for that. Named types among the parameters must have been
    /// [resolved](Self::resolve), or the statement goes out later, when they have been. And inside of a
    /// transaction a result with a type that has no binary form, such as `aclitem`, fails; the other
    /// verbs look first.
    ///
    /// ```no_run
    /// # async fn f(client: &wreath_driver::Client) -> wreath_driver::Result<()> {
    /// use wreath_driver::{ParamBuf, Sql};
    ///
    /// let (one, two) = (Sql::new("SELECT 1"), Sql::new("SELECT 2"));
    /// let first = client.send(&one, ParamBuf::new());
    /// let second = client.send(&two, ParamBuf::new());
    /// let (first, second) = (first.await?, second.await?);
    /// # Ok(())
    /// # }
    /// ```
    pub fn send(&self, sql: &Sql, params: ParamBuf) -> Reply {
        Reply::send(self, sql.borrowed(), params, Manner::default())
    }

    /// As [`send`](Self::send), for a statement that is not worth being kept: it is sent without a name, and
    /// neither the connection nor the server remembers it.
    pub fn send_once(&self, sql: &Sql, params: ParamBuf) -> Reply {
        Reply::send(self, sql.borrowed(), params, Manner { alone: true, ..Manner::default() })
    }

    fn start(&self, sql: &str, params: &impl Params) -> Result<Reply> {
        let mut buf = ParamBuf::new();
        params.encode(&mut buf)?;
        Ok(Reply::send(self, SqlRef::new(sql), buf, Manner::CAREFUL))
    }

    /// Opens a transaction with the session's defaults; on a transaction's handle, a savepoint in it.
    ///
    /// # Errors
    /// `InTransaction`, when a transaction is open and this is not its handle; and as
    /// [`execute`](Self::execute).
    pub async fn begin(&self) -> Result<Transaction> {
        Transaction::begin(self, BEGIN).await
    }

    /// A transaction that says how isolated it is and what it may do.
    pub fn transaction(&self) -> TransactionBuilder<'_> {
        TransactionBuilder::new(self)
    }

    /// Runs `body` in a transaction, and again in a new one when the server could not serialize it; see
    /// [`TransactionBuilder::transact`].
    ///
    /// # Errors
    /// As [`TransactionBuilder::transact`].
    pub async fn transact<T, E, F>(&self, body: impl FnMut(Tx) -> F) -> std::result::Result<T, E>
    where
        F: Future<Output = std::result::Result<T, E>>,
        E: From<Error> + std::error::Error + 'static,
    {
        self.transaction().transact(body).await
    }

    /// Fills in the numbers of the named types among parameters, asking the database for those that no
    /// connection of the pool has seen.
    ///
    /// # Errors
    /// `Encode` when the database has no such type; and as [`execute`](Self::execute).
    pub async fn resolve(&self, params: &mut ParamBuf) -> Result<()> {
        self.catalog().resolve(self, params).await
    }

    /// Runs a look-up in a task of its own: others may wait for it, and it has to go on although whoever
    /// started it is not polled. One look-up of a connection waits for another, and finds its answer there;
    /// it does not wait for one of another connection, which may have long to go.
    pub(crate) async fn look_up(
        &self,
        look_up: impl Future<Output = Result<()>> + Send + 'static,
    ) -> Result<()> {
        let engine = Arc::clone(&self.handle.0);
        let task = self.handle.0.runtime.spawn(async move {
            let _asking = engine.asking.lock().await;
            look_up.await
        });
        let gone = |_| Error::new(ErrorKind::Closed, "the runtime that the connection lived on has gone");
        task.await.map_err(gone)?
    }

    /// The type of that number, asking the database unless it is built in or has been looked up before.
    ///
    /// # Errors
    /// `Encode` when the database has no such type; and as [`execute`](Self::execute).
    pub async fn type_by_oid(&self, oid: u32) -> Result<Type> {
        self.catalog().look_up(self, oid).await
    }

    /// The types of those numbers, in order: one query for all that are not known yet. A number that no type has gives
    /// a type without a name.
    ///
    /// # Errors
    /// As [`execute`](Self::execute).
    pub async fn types_by_oid(&self, oids: &[u32]) -> Result<Vec<Type>> {
        self.catalog().look_up_all(self, oids).await
    }

    /// The type of that name, written as in SQL: `int4`, `integer[]`, `farm.mood`.
    ///
    /// # Errors
    /// As [`type_by_oid`](Self::type_by_oid).
    pub async fn type_by_name(&self, name: &str) -> Result<Type> {
        let oid: Option<u32> = self.fetch_scalar("SELECT pg_catalog.to_regtype($1)::oid", (name,)).await?;
        match oid {
            Some(oid) => self.type_by_oid(oid).await,
            None => Err(Error::new(ErrorKind::Encode, format!("the database has no type {name}"))),
        }
    }

    /// What cancels the statement that the connection is running; `None` where the server gave no key for it, as
    /// some poolers do not.
    pub fn cancel_token(&self) -> Option<CancelToken> {
        self.handle.0.cancel.clone()
    }

    /// The same handle, whose verbs fail with [`Timeout`](ErrorKind::Timeout) when they take longer than `limit`. The
    /// server is then asked to stop the statement, and the connection takes no other before it has. The transactions
    /// that it opens are bound by it too. [`send`](Self::send) is not; nor is what a stream or a copy that has begun brings or takes
    /// piece by piece, which is its caller's pace.
    ///
    /// ```no_run
    /// # async fn f(client: &wreath_driver::Client) -> wreath_driver::Result<()> {
    /// use std::time::Duration;
    ///
    /// let report = client.within(Duration::from_secs(2)).fetch("SELECT * FROM slow_report()", ()).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn within(&self, limit: Duration) -> Within<'_> {
        Within { client: Self { limit: Some(limit), ..self.share() }, handle: PhantomData }
    }

    /// Waits for what has been sent, for as long as this handle may.
    pub(crate) async fn wait<T>(&self, reply: impl Future<Output = Result<T>>) -> Result<T> {
        let Some(limit) = self.limit else { return reply.await };
        tokio::time::timeout(limit, reply)
            .await
            .unwrap_or_else(|_| Err(Error::new(ErrorKind::Timeout, format!("no result within {limit:?}"))))
    }

    /// A parameter that the server has reported, such as `server_version` or `TimeZone` (PostgreSQL manual,
    /// "Asynchronous Operations").
    pub fn parameter(&self, name: &str) -> Option<Arc<str>> {
        self.handle.0.look(|p| p.session.parameter(name))
    }

    /// The types of the database that have been looked up so far.
    pub fn catalog(&self) -> &Arc<Catalog> {
        &self.handle.0.catalog
    }
}

/// The only row, or none.
pub(crate) fn optional_of(rows: Rows, sql: &str) -> Result<Option<OwnedRow>> {
    match rows.len() {
        0 => Ok(None),
        1 => Ok(Some(OwnedRow::first_of(rows))),
        n => {
            let message = format!("one row was asked for and there are {n}");
            Err(Error::new(ErrorKind::MultipleResults, message).in_statement(&sql.into()))
        }
    }
}

/// The only row.
pub(crate) fn one_of(rows: Rows, sql: &str) -> Result<OwnedRow> {
    optional_of(rows, sql)?.ok_or_else(|| no_result(sql))
}

#[cold]
fn no_result(sql: &str) -> Error {
    Error::new(ErrorKind::NoResult, "a row was asked for and there is none").in_statement(&sql.into())
}
