//! The result of a statement that has been sent.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use wreath_codecs::ParamBuf;

use crate::connection::client::Client;
use crate::connection::engine::Engine;
use crate::error::{Error, ErrorKind, Result};
use crate::observe::Observed;
use crate::proto::op::{OpKey, Outcome};
use crate::proto::pipeline::{Manner, Pipeline, Submitted};
use crate::proto::scope::OUTSIDE;
use crate::proto::statement::{Stale, Statement};
use crate::row::{Column, Rows};
use crate::sql::{Sql, SqlRef};

/// How often one statement is sent at most: to be described, to be prepared again, and to be asked for text.
const MAX_ATTEMPTS: usize = 5;

/// A statement that is on its way. It has its place among the connection's statements when this is made, and goes
/// out when this is polled or dropped, or another statement follows: several share a flight. Dropping it drops
/// the result, and leaves the connection in step.
#[must_use = "a result has to be awaited"]
pub struct Reply(State);

#[expect(
    clippy::large_enum_variant,
    reason = "the large one is the common one, and a box would cost each statement an allocation"
)]
enum State {
    /// The statement is out, and everything about it is known or comes with its result.
    Sent(Sent),
    /// Types have to be looked up, or the statement has to be sent again.
    Slow(Pin<Box<dyn Future<Output = Result<Rows>> + Send>>),
    Failed(Error),
    Taken,
}

struct Sent {
    pending: Pending,
    client: Client,
    params: ParamBuf,
    /// The parameters before their named types had numbers, if there are any.
    named: Option<Box<ParamBuf>>,
    submitted: Submitted,
}

impl Reply {
    pub(crate) fn send(
        client: &Client,
        sql: SqlRef<'_>,
        mut params: ParamBuf,
        manner: Manner<'static>,
    ) -> Self {
        let mut named = None;
        if !params.is_resolved() {
            named = Some(Box::new(params.clone()));
            if !client.catalog().resolve_known(&mut params) {
                let (client, sql) = (client.share(), Sql::new(sql.to_shared()));
                return Self(State::Slow(Box::pin(async move {
                    client.catalog().resolve(&client, &mut params).await?;
                    complete(Sent::submit(&client, sql.borrowed(), (params, named), manner)?).await
                })));
            }
        }
        match Sent::submit(client, sql, (params, named), manner) {
            Ok(sent) => Self(State::Sent(sent)),
            Err(e) => Self(State::Failed(e)),
        }
    }
}

impl Future for Reply {
    type Output = Result<Rows>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<Rows>> {
        if let State::Sent(sent) = &mut self.0 {
            let outcome = ready!(Pin::new(&mut sent.pending).poll(cx));
            let State::Sent(sent) = std::mem::replace(&mut self.0, State::Taken) else {
                return Poll::Ready(Err(taken()));
            };
            match sent.judge(outcome) {
                Judged::Done(result) => return Poll::Ready(result),
                Judged::Again(sent, outcome) => self.0 = State::Slow(Box::pin(recover(sent, outcome))),
            }
        }
        match &mut self.0 {
            State::Slow(future) => future.as_mut().poll(cx),
            State::Sent(_) | State::Taken => Poll::Ready(Err(taken())),
            State::Failed(_) => match std::mem::replace(&mut self.0, State::Taken) {
                State::Failed(e) => Poll::Ready(Err(e)),
                _ => Poll::Ready(Err(taken())),
            },
        }
    }
}

fn taken() -> Error {
    Error::new(ErrorKind::Closed, "the result has been taken before")
}

impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Reply")
    }
}

/// An operation's result, waited for. Dropping it gives the operation up.
#[derive(Debug)]
pub(crate) struct Pending {
    engine: Arc<Engine>,
    key: Option<OpKey>,
    /// What is needed to tell of its end, if anybody watches.
    observed: Option<Box<Observed>>,
}

impl Pending {
    pub(crate) fn new(engine: &Arc<Engine>, key: OpKey) -> Self {
        Self { engine: Arc::clone(engine), key: Some(key), observed: None }
    }

    /// Tells whoever watches that this, whose text is `text`, has been submitted, and later that it has ended.
    #[inline]
    pub(crate) fn observed(mut self, text: impl FnOnce() -> Arc<str>) -> Self {
        self.observed = self.engine.observer.started(text);
        self
    }
}

impl Future for Pending {
    type Output = Outcome;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Outcome> {
        let Some(key) = self.key else { return Poll::Pending };
        let outcome = ready!(self.engine.poll_op(key, cx));
        self.ended(&outcome);
        Poll::Ready(outcome)
    }
}

impl Pending {
    /// The connection, and the operation while its end has not been seen.
    pub(crate) fn parts(&self) -> (&Arc<Engine>, Option<OpKey>) {
        (&self.engine, self.key)
    }

    /// The end has been seen: there is nothing to give up any more.
    pub(crate) fn ended(&mut self, outcome: &Outcome) {
        self.key = None;
        if let Some(observed) = self.observed.take() {
            self.engine.observer.finished(&observed, Some(outcome));
        }
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        if let Some(key) = self.key {
            self.engine.abandon(key);
        }
        if let Some(observed) = self.observed.take() {
            self.engine.observer.finished(&observed, None);
        }
    }
}

/// What an outcome calls for.
#[expect(clippy::large_enum_variant, reason = "it is taken apart at once")]
enum Judged {
    Done(Result<Rows>),
    Again(Sent, Outcome),
}

impl Sent {
    fn submit(
        client: &Client,
        sql: SqlRef<'_>,
        (params, named): (ParamBuf, Option<Box<ParamBuf>>),
        manner: Manner<'_>,
    ) -> Result<Self> {
        let engine = &client.handle.0;
        let submit = |pipeline: &mut Pipeline| pipeline.submit(sql, &params, client.scope, manner);
        let submitted = if manner.streams {
            engine.submit_resident(submit)?
        } else {
            engine.submit(submit, |submitted| submitted.key)?
        };
        let text = || Arc::clone(&submitted.statement.sql);
        let pending = Pending::new(engine, submitted.key).observed(text);
        Ok(Self { pending, client: client.share(), params, named, submitted })
    }

    /// Ends here in all but the rare cases.
    fn judge(self, outcome: Outcome) -> Judged {
        match &outcome.error {
            None if self.submitted.runs => match self.known_columns() {
                Some(columns) => Judged::Done(columns.map(|columns| Rows::new(columns, outcome.reply))),
                None => Judged::Again(self, outcome),
            },
            Some(error) if self.remedy(error).is_none() => Judged::Done(Err(self.cause(error).clone())),
            _ => Judged::Again(self, outcome),
        }
    }

    /// The result's columns, if no type of theirs has to be looked up.
    fn known_columns(&self) -> Option<Result<Arc<[Column]>>> {
        let statement = &self.submitted.statement;
        if let Some(columns) = statement.columns() {
            let as_described = statement.is_as_described(columns);
            return Some(if as_described { Ok(Arc::clone(columns)) } else { Err(changed(statement)) });
        }
        let columns = self.client.catalog().known_columns(statement.described()?)?;
        Some(Ok(Arc::clone(statement.set_columns(columns))))
    }

    /// The error itself, or why there is no such prepared statement: the one that was to prepare it failed.
    fn cause<'a>(&'a self, error: &'a Error) -> &'a Error {
        let statement = &self.submitted.statement;
        let lost = error.server().and_then(|e| Stale::tell(e, statement)) == Some(Stale::Lost);
        statement.refusal().filter(|_| lost).unwrap_or(error)
    }

    /// What could make the statement succeed if it were sent again.
    fn remedy(&self, error: &Error) -> Option<Remedy> {
        let server = error.server()?;
        let statement = &self.submitted.statement;
        let renumber = TYPE_ERRORS.contains(&server.code()) && statement.has_own_types();
        if renumber {
            // Whoever comes next asks for the numbers again, inside of a transaction too.
            self.client.catalog().forget_numbers(&statement.params);
        }
        if self.client.scope != OUTSIDE {
            // The error has failed the transaction: whatever is sent now fails too.
            return None;
        }
        let remedy = Remedy {
            prepare: Stale::tell(server, statement).is_some(),
            renumber: renumber && self.named.is_some(),
            ask_for_text: server.code() == "42883" && statement.described().is_some(),
        };
        (remedy.prepare || remedy.renumber || remedy.ask_for_text).then_some(remedy)
    }
}

/// What the server may say about a parameter whose type has been dropped: its number stands for nothing, so
/// nothing fits it (undefined object, datatype mismatch, undefined function, cannot coerce, indeterminate
/// datatype, internal error).
const TYPE_ERRORS: [&str; 6] = ["42704", "42804", "42883", "42846", "42P18", "XX000"];

/// What may help.
#[derive(Clone, Copy)]
struct Remedy {
    /// The server does not know the statement, or its result has changed.
    prepare: bool,
    /// A named type may have another number by now.
    renumber: bool,
    /// A function is missing: it may be the one that sends a type of the result in binary form.
    ask_for_text: bool,
}

#[cold]
fn changed(statement: &Statement) -> Error {
    let message = "the types of the result changed between its description and its execution";
    Error::new(ErrorKind::Decode, message).in_statement(&statement.sql)
}

/// Sends a statement whose rows are taken piece by piece, once the types of its columns are known.
pub(crate) async fn send_streaming(
    client: &Client,
    sql: SqlRef<'_>,
    mut params: ParamBuf,
) -> Result<(Pending, Arc<[Column]>)> {
    client.resolve(&mut params).await?;
    let mut columns = None;
    for _ in 0..MAX_ATTEMPTS {
        let manner = Manner { streams: true, columns: columns.as_ref(), ..Manner::default() };
        let mut sent = Sent::submit(client, sql, (params, None), manner)?;
        let statement = Arc::clone(&sent.submitted.statement);
        if sent.submitted.runs {
            return Ok((sent.pending, columns_of(client, &statement).await?));
        }
        if let Some(error) = (&mut sent.pending).await.error {
            return Err(error);
        }
        columns = Some(columns_of(client, &statement).await?);
        params = sent.params;
    }
    Err(Error::protocol("the server describes a statement anew each time it is asked"))
}

async fn complete(mut sent: Sent) -> Result<Rows> {
    let outcome = (&mut sent.pending).await;
    match sent.judge(outcome) {
        Judged::Done(result) => result,
        Judged::Again(sent, outcome) => recover(sent, outcome).await,
    }
}

/// Looks up what is missing and sends again what has to be.
async fn recover(mut sent: Sent, mut outcome: Outcome) -> Result<Rows> {
    for attempt in 1..MAX_ATTEMPTS {
        let statement = Arc::clone(&sent.submitted.statement);
        let mut columns = None;
        match outcome.error {
            None if sent.submitted.runs => {
                let columns = columns_of(&sent.client, &statement).await.map_err(unread)?;
                return Ok(Rows::new(columns, outcome.reply));
            }
            // It has been described: what its columns are decides how they are asked for.
            None => columns = Some(columns_of(&sent.client, &statement).await?),
            Some(error) => {
                let Some(remedy) = sent.remedy(&error) else { return Err(error) };
                let mended = remedy.prepare || remedy.renumber && renumber(&mut sent).await?;
                if !mended {
                    columns = text_columns(&sent, remedy).await?;
                    if columns.is_none() {
                        return Err(error);
                    }
                }
            }
        }
        // Once more it may share what others have sent. That may fail with theirs: then it goes alone.
        let manner = Manner { careful: true, alone: attempt > 1, columns: columns.as_ref(), streams: false };
        let sql = Sql::new(Arc::clone(&statement.sql));
        sent = Sent::submit(&sent.client, sql.borrowed(), (sent.params, sent.named), manner)?;
        outcome = (&mut sent.pending).await;
        match sent.judge(outcome) {
            Judged::Done(result) => return result,
            Judged::Again(again, result) => (sent, outcome) = (again, result),
        }
    }
    Err(outcome
        .error
        .unwrap_or_else(|| Error::protocol("the server describes a statement anew each time it is asked")))
}

/// The columns of a result that has to be asked for in text, in part at least.
async fn text_columns(sent: &Sent, remedy: Remedy) -> Result<Option<Arc<[Column]>>> {
    if !remedy.ask_for_text {
        return Ok(None);
    }
    let columns = columns_of(&sent.client, &sent.submitted.statement).await?;
    Ok(Some(columns).filter(|columns| columns.iter().any(Column::is_text)))
}

/// Asks for the numbers of named types again; whether one has changed.
async fn renumber(sent: &mut Sent) -> Result<bool> {
    let Some(named) = &sent.named else { return Ok(false) };
    let mut params = ParamBuf::clone(named);
    sent.client.catalog().resolve(&sent.client, &mut params).await?;
    let same = params.types() == sent.params.types()
        && params.values().as_bytes() == sent.params.values().as_bytes();
    sent.params = params;
    Ok(!same)
}

/// The statement has run, and its rows cannot be read.
fn unread(e: Error) -> Error {
    if e.is_connection_lost() {
        return e;
    }
    e.recast(ErrorKind::Decode, "the statement has run, but the types of its result could not be looked up")
}

/// The columns of a statement that has been described, with types that are looked up where they must be.
async fn columns_of(client: &Client, statement: &Arc<Statement>) -> Result<Arc<[Column]>> {
    if let Some(columns) = statement.columns() {
        return Ok(Arc::clone(columns));
    }
    let described =
        statement.described().ok_or_else(|| Error::protocol("rows came for an undescribed statement"))?;
    let columns = client.catalog().columns(client, described).await?;
    Ok(Arc::clone(statement.set_columns(columns)))
}
