//! Statements that are sent together, each with a result of its own type.

use std::fmt;
use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, ready};

use wreath_codecs::ParamBuf;

use crate::connection::client::{Client, one_of, optional_of};
use crate::connection::engine::Engine;
use crate::connection::remedy::{Remedy, cause, columns_of, renumbered, unread};
use crate::connection::reply::{MAX_ATTEMPTS, Reply};
use crate::connection::transaction::Transaction;
use crate::error::{Error, ErrorKind, Result};
use crate::observe::Observed;
use crate::params::Params;
use crate::proto::lexer;
use crate::proto::op::{OpKey, Outcome};
use crate::proto::pipeline::{BEGIN, Call, Manner, Submitted};
use crate::proto::scope::is_outside;
use crate::row::{Column, DecodeOwned, FromRow, OwnedRow, Rows};
use crate::sql::Sql;
use crate::tag::CommandTag;

impl Client {
    /// Collects statements that are then sent together: all results for one round trip, each of its own type.
    ///
    /// All of them are under one Sync, and so one transaction of the server, unless they are inside of one already: they
    /// take effect together or not at all, and when one fails, those behind it are not run. It is also the fastest way
    /// to run many statements. [`sync_each`](Pipeline::sync_each) makes them independent.
    ///
    /// ```no_run
    /// # async fn f(client: &wreath_driver::Client) -> wreath_driver::Result<()> {
    /// let mut pipeline = client.pipeline();
    /// let moved = pipeline.execute("UPDATE llamas SET paddock_id = $1 WHERE age > $2", (3_i64, 9_i32))?;
    /// let count = pipeline.fetch_scalar::<i64>("SELECT count(*) FROM llamas WHERE paddock_id = $1", (3_i64,))?;
    /// let names = pipeline.fetch_as::<(i64, String)>("SELECT id, name FROM llamas", ())?;
    ///
    /// let mut results = pipeline.run().await?;
    /// println!("{} of {} were moved", results.take(moved)?.rows(), results.take(count)?);
    /// for (id, name) in results.take(names)? {
    ///     println!("{id} {name}");
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn pipeline(&self) -> Pipeline<'_> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Pipeline {
            client: self,
            number: NEXT.fetch_add(1, Ordering::Relaxed),
            items: Vec::new(),
            sync_each: false,
        }
    }
}

/// Statements that are going to be sent together; made by [`Client::pipeline`]. Nothing is sent before
/// [`run`](Self::run) or [`settle`](Self::settle).
#[derive(Debug)]
#[must_use = "nothing happens before it is run"]
pub struct Pipeline<'a> {
    client: &'a Client,
    /// Tells its tickets from those of others.
    number: u64,
    items: Vec<Item>,
    sync_each: bool,
}

#[derive(Debug)]
struct Item {
    sql: Sql,
    params: ParamBuf,
    /// The parameters before their named types had numbers, if there are any.
    named: Option<Box<ParamBuf>>,
    /// What is known of its result, if the statement is not kept.
    columns: Option<Arc<[Column]>>,
}

/// Stands for the result of a statement of a [`Pipeline`], until [`Results::take`] exchanges it.
#[must_use = "the result is dropped without it"]
pub struct Ticket<T> {
    pipeline: u64,
    place: usize,
    read: fn(Rows, &Sql) -> Result<T>,
    result: PhantomData<fn() -> T>,
}

impl<T> fmt::Debug for Ticket<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Ticket").field(&self.place).finish()
    }
}

impl Pipeline<'_> {
    /// Adds a statement for its effect; see [`Client::execute`].
    ///
    /// # Errors
    /// `Encode` for a parameter that cannot be sent, and `Unsupported` for a statement that begins or ends a transaction, or
    /// copies. Then it is not added. The same goes for the others.
    pub fn execute(&mut self, sql: impl Into<Sql>, params: impl Params) -> Result<Ticket<CommandTag>> {
        self.add(sql.into(), params, |rows, _| Ok(rows.tag().clone()))
    }

    /// Adds a statement of whose result all rows are wanted; see [`Client::fetch`].
    ///
    /// # Errors
    /// As [`execute`](Self::execute).
    pub fn fetch(&mut self, sql: impl Into<Sql>, params: impl Params) -> Result<Ticket<Rows>> {
        self.add(sql.into(), params, |rows, _| Ok(rows))
    }

    /// Adds a statement that returns exactly one row; see [`Client::fetch_one`].
    ///
    /// # Errors
    /// As [`execute`](Self::execute).
    pub fn fetch_one(&mut self, sql: impl Into<Sql>, params: impl Params) -> Result<Ticket<OwnedRow>> {
        self.add(sql.into(), params, |rows, sql| one_of(rows, sql.as_str()))
    }

    /// Adds a statement that returns one row or none; see [`Client::fetch_optional`].
    ///
    /// # Errors
    /// As [`execute`](Self::execute).
    pub fn fetch_optional(
        &mut self,
        sql: impl Into<Sql>,
        params: impl Params,
    ) -> Result<Ticket<Option<OwnedRow>>> {
        self.add(sql.into(), params, |rows, sql| optional_of(rows, sql.as_str()))
    }

    /// Adds a statement that returns exactly one row, whose first column is wanted; see [`Client::fetch_scalar`].
    ///
    /// # Errors
    /// As [`execute`](Self::execute).
    pub fn fetch_scalar<T: DecodeOwned>(
        &mut self,
        sql: impl Into<Sql>,
        params: impl Params,
    ) -> Result<Ticket<T>> {
        self.add(sql.into(), params, |rows, sql| one_of(rows, sql.as_str())?.get(0))
    }

    /// Adds a statement each of whose rows is read into a `T`; see [`Client::fetch_as`].
    ///
    /// # Errors
    /// As [`execute`](Self::execute).
    pub fn fetch_as<T: FromRow>(
        &mut self,
        sql: impl Into<Sql>,
        params: impl Params,
    ) -> Result<Ticket<Vec<T>>> {
        self.add(sql.into(), params, |rows, _| rows.read_all())
    }

    fn add<T>(
        &mut self,
        sql: Sql,
        params: impl Params,
        read: fn(Rows, &Sql) -> Result<T>,
    ) -> Result<Ticket<T>> {
        if lexer::governs_transaction(sql.as_str()) {
            let message = "a pipeline cannot begin or end a transaction: use begin(), and a pipeline of the transaction";
            return Err(Error::new(ErrorKind::Unsupported, message).in_statement(&sql.to_shared()));
        }
        let mut buf = ParamBuf::new();
        params.encode(&mut buf)?;
        let named = (!buf.is_resolved()).then(|| Box::new(buf.clone()));
        self.items.push(Item { sql, params: buf, named, columns: None });
        let place = self.items.len() - 1;
        Ok(Ticket { pipeline: self.number, place, read, result: PhantomData })
    }

    /// Each statement ends with a Sync of its own: they are independent, and one that fails keeps none of the others from
    /// running and undoes none. Inside of a transaction this changes nothing, because the first failure is the
    /// transaction's.
    pub fn sync_each(mut self) -> Self {
        self.sync_each = true;
        self
    }

    /// How many statements have been added.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether none has been added.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Sends the statements, and waits for their results: all of them. Dropping the future drops the results; the
    /// statements may still run, all or none of them.
    ///
    /// # Errors
    /// What the first statement that failed has failed with, [`Error::statement`] being its text. Nothing has taken effect
    /// then, unless [`sync_each`](Self::sync_each) was asked for; inside of a transaction, that one has failed. Otherwise as
    /// [`Client::execute`].
    pub async fn run(self) -> Result<Results> {
        let mut results = self.settle().await?;
        match results.take_error() {
            Some(error) => Err(error),
            None => Ok(results),
        }
    }

    /// Sends the statements, and waits for what becomes of each: its own result or error, and
    /// [`NotRun`](ErrorKind::NotRun) behind one that has failed. What came before that has its result here, although, outside of a
    /// transaction, it has been undone: see [`Results::are_undone`].
    ///
    /// # Errors
    /// When none of them could be sent, and when the connection is lost.
    pub async fn settle(self) -> Result<Results> {
        let Self { client, number, items, sync_each } = self;
        let independent = sync_each && is_outside(client.scope);
        let settling = async {
            let sqls = items.iter().map(|item| item.sql.clone()).collect();
            let (results, undone) = if independent {
                (each(client, items).await, false)
            } else {
                together(client, items).await?
            };
            Ok(Results { number, results: results.into_iter().map(Some).collect(), sqls, undone })
        };
        client.wait(settling).await
    }

    /// Begins a transaction, and runs the statements as the first of it: all in one round trip, and none of them if it
    /// cannot be begun. Dropping the future rolls it back.
    ///
    /// ```no_run
    /// # async fn f(client: &wreath_driver::Client) -> wreath_driver::Result<()> {
    /// let mut pipeline = client.pipeline();
    /// let moved = pipeline.execute("UPDATE llamas SET paddock_id = $1 WHERE age > $2", (3_i64, 9_i32))?;
    ///
    /// let (transaction, mut results) = pipeline.begin().await?;
    /// if results.take(moved)?.rows() > 0 {
    ///     transaction.commit().await?;
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`run`](Self::run), and the transaction has been rolled back; `Unsupported`, where one is open already, and on a
    /// connection that is shared.
    pub async fn begin(self) -> Result<(Transaction, Results)> {
        let Self { client, number, items, .. } = self;
        let beginning = async {
            let sqls = items.iter().map(|item| item.sql.clone()).collect();
            let (transaction, results) = begin(client, items).await?;
            let results = results.into_iter().map(|rows| Some(Ok(rows))).collect();
            Ok((transaction, Results { number, results, sqls, undone: false }))
        };
        client.wait(beginning).await
    }
}

/// The results of a [`Pipeline`], each of which is there once.
#[derive(Debug)]
pub struct Results {
    number: u64,
    results: Vec<Option<Result<Rows>>>,
    sqls: Vec<Sql>,
    undone: bool,
}

impl Results {
    /// The result that a ticket stands for.
    ///
    /// # Errors
    /// What the statement failed with; what reading its rows as the ticket says fails with; `Unsupported` for the ticket of
    /// another pipeline.
    pub fn take<T>(&mut self, ticket: Ticket<T>) -> Result<T> {
        let Some(result) = self.results.get_mut(ticket.place).filter(|_| ticket.pipeline == self.number)
        else {
            return Err(Error::new(ErrorKind::Unsupported, "the ticket is of another pipeline"));
        };
        let rows = result.take().ok_or_else(|| {
            Error::new(ErrorKind::NoResult, "the result has been taken, as the first that failed")
        })??;
        (ticket.read)(rows, &self.sqls[ticket.place])
    }

    /// The first error, unless it has been taken.
    pub fn error(&self) -> Option<&Error> {
        self.results.iter().flatten().find_map(|result| result.as_ref().err())
    }

    fn take_error(&mut self) -> Option<Error> {
        let first = self.results.iter_mut().find(|result| matches!(result, Some(Err(_))))?;
        first.take()?.err()
    }

    /// Whether a failure has undone what the statements before it did: then none of them has taken effect. It is `false`,
    /// too, where one of them may have committed by itself, as `CALL`, `DO` and `VACUUM` can.
    pub fn are_undone(&self) -> bool {
        self.undone
    }

    /// What has not been taken, in the order in which the statements were added, as rows that nothing has been read from.
    pub fn into_rows(self) -> Vec<Result<Rows>> {
        self.results.into_iter().flatten().collect()
    }
}

/// Runs independent statements.
async fn each(client: &Client, items: Vec<Item>) -> Vec<Result<Rows>> {
    let manner = Manner { apart: true, ..Manner::CAREFUL };
    let send = |item: Item| Reply::send(client, item.sql.borrowed(), item.params, manner);
    let replies: Vec<Reply> = items.into_iter().map(send).collect();
    let mut results = Vec::with_capacity(replies.len());
    for reply in replies {
        results.push(reply.await);
    }
    results
}

/// Runs statements under one Sync. Answers whether they have been undone, too.
async fn together(client: &Client, mut items: Vec<Item>) -> Result<(Vec<Result<Rows>>, bool)> {
    if items.is_empty() {
        return Ok((Vec::new(), false));
    }
    for item in &mut items {
        client.resolve(&mut item.params).await?;
    }
    if !is_outside(client.scope) {
        describe(client, &mut items).await?;
    }
    let mut attempt = 0;
    loop {
        attempt += 1;
        let (submitted, outcomes) = fly(client, &items, attempt > 2).await?;
        let failure = outcomes.iter().position(|outcome| outcome.error.is_some());
        if let Some(place) = failure
            && attempt < MAX_ATTEMPTS
            && mend(client, &mut items, place, &submitted[place], &outcomes[place]).await?
        {
            continue;
        }
        let undone =
            is_outside(client.scope) && failure.is_some_and(|place| !may_have_committed(&items, place));
        let mut results = Vec::with_capacity(items.len());
        for (submitted, outcome) in submitted.iter().zip(outcomes) {
            results.push(read(client, submitted, outcome).await);
        }
        return Ok((results, undone));
    }
}

/// Runs statements behind a BEGIN.
async fn begin(client: &Client, mut items: Vec<Item>) -> Result<(Transaction, Vec<Rows>)> {
    for item in &mut items {
        client.resolve(&mut item.params).await?;
    }
    items.insert(0, Item { sql: BEGIN.into(), params: ParamBuf::new(), named: None, columns: None });
    let engine = &client.handle.0;
    let mut attempt = 0;
    loop {
        attempt += 1;
        let calls = calls(&items, attempt > 2);
        let (submitted, scope) = engine.submit_some(
            |p| p.begin_group(&calls, client.scope),
            |(group, _)| group.last().map(|sent| sent.key),
        )?;
        // From here on a dropped future takes back what may have been begun.
        let transaction = Transaction::opened(client, scope);
        let outcomes = Flight::new(engine, &submitted).await;
        let failed = outcomes.iter().enumerate().find_map(|(i, outcome)| Some((i, outcome.error.as_ref()?)));
        let Some((place, error)) = failed else {
            let mut results = Vec::with_capacity(items.len());
            for (submitted, outcome) in submitted.iter().zip(outcomes).skip(1) {
                results.push(read(&transaction, submitted, outcome).await?);
            }
            return Ok((transaction, results));
        };
        drop(transaction);
        let submitted = &submitted[place];
        if attempt == MAX_ATTEMPTS || !mend(client, &mut items, place, submitted, &outcomes[place]).await? {
            return Err(failure(submitted, error));
        }
    }
}

/// Sends the statements once, `alone` with a Parse of their own, and waits for them.
async fn fly(client: &Client, items: &[Item], alone: bool) -> Result<(Vec<Submitted>, Vec<Outcome>)> {
    let calls = calls(items, alone);
    let engine = &client.handle.0;
    let submitted = engine
        .submit_some(|p| p.submit_group(&calls, client.scope), |group| group.last().map(|sent| sent.key))?;
    let outcomes = Flight::new(engine, &submitted).await;
    Ok((submitted, outcomes))
}

fn calls(items: &[Item], alone: bool) -> Vec<Call<'_>> {
    let manner = Manner { alone, ..Manner::CAREFUL };
    let call = |item| {
        let Item { sql, params, columns, .. }: &Item = item;
        Call { sql: sql.borrowed(), params, manner: Manner { columns: columns.as_ref(), ..manner } }
    };
    items.iter().map(call).collect()
}

/// Finds out what the results of those statements consist of whose types could cost the transaction.
async fn describe(client: &Client, items: &mut [Item]) -> Result<()> {
    let engine = &client.handle.0;
    let described = {
        let calls = calls(items, false);
        engine.submit_some(
            |p| p.describe_group(&calls, client.scope),
            |group| group.last().map(|(_, s)| s.key),
        )?
    };
    let (places, described): (Vec<_>, Vec<_>) = described.into_iter().unzip();
    if described.is_empty() {
        return Ok(());
    }
    let outcomes = Flight::new(engine, &described).await;
    outcomes.into_iter().find_map(|outcome| outcome.error).map_or(Ok(()), Err)?;
    for (place, submitted) in places.into_iter().zip(described) {
        items[place].columns = Some(columns_of(client, &submitted.statement).await?);
    }
    Ok(())
}

/// Whether one of the statements in front of a place may have made permanent what it and those before it did.
fn may_have_committed(items: &[Item], place: usize) -> bool {
    items[..place].iter().any(|item| lexer::may_commit(item.sql.as_str()))
}

/// Whether running all statements once more may help: nothing of them has taken effect, and what the one failed with that
/// failed can be mended.
async fn mend(
    client: &Client,
    items: &mut [Item],
    place: usize,
    failed: &Submitted,
    outcome: &Outcome,
) -> Result<bool> {
    let commits = may_have_committed(items, place);
    let (item, statement) = (&mut items[place], &failed.statement);
    let remedy = outcome
        .error
        .as_ref()
        .filter(|_| !commits)
        .and_then(|error| Remedy::find(client, statement, error, item.named.is_some()));
    let Some(remedy) = remedy else { return Ok(false) };
    if remedy.again {
        return Ok(true);
    }
    if remedy.renumber
        && let Some(named) = &item.named
        && renumbered(client, named, &mut item.params).await?
    {
        return Ok(true);
    }
    item.columns = remedy.text_columns(client, statement).await?;
    Ok(item.columns.is_some())
}

/// What one statement has failed with.
fn failure(submitted: &Submitted, error: &Error) -> Error {
    let statement = &submitted.statement;
    cause(statement, error).clone().in_statement(&statement.sql)
}

/// The rows of one statement, with the types of its columns.
async fn read(client: &Client, submitted: &Submitted, outcome: Outcome) -> Result<Rows> {
    let statement = &submitted.statement;
    if let Some(error) = &outcome.error {
        return Err(failure(submitted, error));
    }
    let columns = columns_of(client, statement).await.map_err(unread)?;
    Ok(Rows::new(columns, outcome.reply))
}

/// The outcomes of a group, waited for. Dropping it gives the group up.
struct Flight {
    engine: Arc<Engine>,
    keys: Vec<OpKey>,
    /// What is needed to tell of their ends, if anybody watches.
    observed: Vec<Option<Box<Observed>>>,
}

impl Flight {
    fn new(engine: &Arc<Engine>, submitted: &[Submitted]) -> Self {
        let keys = submitted.iter().map(|submitted| submitted.key).collect();
        let mut flight = Self { engine: Arc::clone(engine), keys, observed: Vec::new() };
        // Should a recorder panic, the group is given up.
        for sent in submitted {
            let observed = engine.observer.started(|| Arc::clone(&sent.statement.sql));
            flight.observed.push(observed);
        }
        flight
    }
}

impl Future for Flight {
    type Output = Vec<Outcome>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Vec<Outcome>> {
        let Some((&last, others)) = self.keys.split_last() else { return Poll::Ready(Vec::new()) };
        // The last one has its result together with all of them.
        let outcome = ready!(self.engine.poll_op(last, cx));
        let mut outcomes = self.engine.take_outcomes(others);
        outcomes.push(outcome);
        self.keys.clear();
        for (observed, outcome) in std::mem::take(&mut self.observed).iter().zip(&outcomes) {
            if let Some(observed) = observed {
                self.engine.observer.finished(observed, Some(outcome));
            }
        }
        Poll::Ready(outcomes)
    }
}

impl Drop for Flight {
    fn drop(&mut self) {
        self.engine.abandon(&self.keys);
        for observed in self.observed.iter().flatten() {
            self.engine.observer.finished(observed, None);
        }
    }
}
