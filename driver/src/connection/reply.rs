//! The result of a statement that has been sent.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use wreath_codecs::ParamBuf;

use crate::connection::client::Client;
use crate::connection::engine::Engine;
use crate::error::{Error, Result};
use crate::proto::op::{OpKey, Outcome};
use crate::proto::pipeline::Submitted;
use crate::proto::scope::OUTSIDE;
use crate::proto::statement::Statement;
use crate::row::{Column, Rows};
use crate::sql::{Sql, SqlRef};

/// How often one statement is sent: to be described, to be prepared again, and to be asked for text.
const MAX_ATTEMPTS: usize = 4;

/// A statement that is on its way. It has been sent when this is made: several that are made one after the
/// other share a flight. Dropping it drops the result, and leaves the connection in step.
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
    submitted: Submitted,
}

impl Reply {
    pub(crate) fn send(client: &Client, sql: SqlRef<'_>, mut params: ParamBuf, careful: bool) -> Self {
        let catalog = &client.handle.0.catalog;
        if !catalog.resolve_known(&mut params) {
            let (client, sql) = (client.share(), Sql::new(sql.to_shared()));
            return Self(State::Slow(Box::pin(async move {
                let catalog = Arc::clone(&client.handle.0.catalog);
                catalog.resolve(&client, &mut params).await?;
                let sent = submit(&client, sql.borrowed(), params, careful)?;
                complete(sent).await
            })));
        }
        match submit(client, sql, params, careful) {
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
    Error::new(crate::ErrorKind::Closed, "the result has been taken before")
}

impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Reply")
    }
}

/// An operation's result, waited for. Dropping it gives the operation up.
pub(crate) struct Pending {
    engine: Arc<Engine>,
    key: Option<OpKey>,
}

impl Pending {
    pub(crate) fn new(engine: &Arc<Engine>, key: OpKey) -> Self {
        Self { engine: Arc::clone(engine), key: Some(key) }
    }
}

impl Future for Pending {
    type Output = Outcome;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Outcome> {
        let Some(key) = self.key else { return Poll::Pending };
        let outcome = ready!(self.engine.poll_op(key, cx));
        self.key = None;
        Poll::Ready(outcome)
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        if let Some(key) = self.key {
            self.engine.abandon(key);
        }
    }
}

fn submit(client: &Client, sql: SqlRef<'_>, params: ParamBuf, careful: bool) -> Result<Sent> {
    let engine = &client.handle.0;
    let submitted = engine
        .submit(|pipeline| pipeline.submit(sql, &params, client.scope, careful), |submitted| submitted.key)?;
    let pending = Pending::new(engine, submitted.key);
    Ok(Sent { pending, client: client.share(), params, submitted })
}

/// What an outcome calls for.
#[expect(clippy::large_enum_variant, reason = "it is taken apart at once")]
enum Judged {
    Done(Result<Rows>),
    Again(Sent, Outcome),
}

impl Sent {
    /// Ends here in all but the rare cases.
    fn judge(self, outcome: Outcome) -> Judged {
        if outcome.error.is_none() && self.submitted.runs {
            if let Some(columns) = self.known_columns() {
                return Judged::Done(Ok(Rows::new(columns, outcome.reply)));
            }
            return Judged::Again(self, outcome);
        }
        match outcome.error {
            Some(error) if self.remedy(&error).is_none() => Judged::Done(Err(error)),
            _ => Judged::Again(self, outcome),
        }
    }

    /// The result's columns, if no type of theirs has to be looked up.
    fn known_columns(&self) -> Option<Arc<[Column]>> {
        let statement = &self.submitted.statement;
        if let Some(columns) = statement.columns() {
            return Some(Arc::clone(columns));
        }
        let columns = self.client.handle.0.catalog.known_columns(statement.described()?)?;
        Some(Arc::clone(statement.set_columns(columns)))
    }

    /// What could make the statement succeed if it were sent again.
    fn remedy(&self, error: &Error) -> Option<Remedy> {
        let server = error.server()?;
        if self.client.scope != OUTSIDE {
            // The error has failed the transaction: whatever is sent now fails too.
            return None;
        }
        match (server.code(), server.routine()) {
            ("26000", _) => Some(Remedy::Prepare { close: false }),
            ("0A000", Some("RevalidateCachedQuery")) => Some(Remedy::Prepare { close: true }),
            // A function is missing: it may be the one that sends a type of the result in binary form.
            ("42883", _) if self.submitted.statement.described().is_some() => Some(Remedy::AskForText),
            _ => None,
        }
    }
}

enum Remedy {
    /// The server does not know the statement, or its result has changed.
    Prepare { close: bool },
    /// A type of the result has no binary form.
    AskForText,
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
    for _ in 0..MAX_ATTEMPTS {
        let statement = Arc::clone(&sent.submitted.statement);
        match outcome.error {
            None if sent.submitted.runs => {
                return Ok(Rows::new(columns_of(&sent.client, &statement).await?, outcome.reply));
            }
            // It has been described: what its columns are decides how they are asked for.
            None => drop(columns_of(&sent.client, &statement).await?),
            Some(error) => match sent.remedy(&error) {
                Some(Remedy::Prepare { close }) => {
                    sent.client.handle.0.look(|p| p.statements.forget(&statement, close));
                }
                Some(Remedy::AskForText)
                    if columns_of(&sent.client, &statement).await?.iter().any(Column::is_text) => {}
                Some(Remedy::AskForText) | None => return Err(error),
            },
        }
        sent = submit(&sent.client, Sql::new(Arc::clone(&statement.sql)).borrowed(), sent.params, true)?;
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

/// The columns of a statement that has been described, with types that are looked up where they must be.
async fn columns_of(client: &Client, statement: &Arc<Statement>) -> Result<Arc<[Column]>> {
    if let Some(columns) = statement.columns() {
        return Ok(Arc::clone(columns));
    }
    let described =
        statement.described().ok_or_else(|| Error::protocol("rows came for an undescribed statement"))?;
    let catalog = Arc::clone(&client.handle.0.catalog);
    let columns = catalog.columns(client, described).await?;
    Ok(Arc::clone(statement.set_columns(columns)))
}
