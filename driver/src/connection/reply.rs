//! The result of a statement that has been sent.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use wreath_codecs::ParamBuf;

use crate::connection::client::Client;
use crate::connection::engine::Engine;
use crate::connection::remedy::{Remedy, cause, columns_of, known_columns, renumbered, unread};
use crate::error::{Error, ErrorKind, Result};
use crate::observe::Observed;
use crate::proto::op::{Delivery, OpKey, Outcome};
use crate::proto::pipeline::{Manner, Pipeline, Submitted};
use crate::proto::statement::Statement;
use crate::row::{Column, Rows};
use crate::sql::{Sql, SqlRef};

/// How often one statement is sent at most: to be described, to be prepared again, and to be asked for text.
pub(crate) const MAX_ATTEMPTS: usize = 5;

/// A statement that is on its way. It has its place among the connection's statements when this is made, and goes
/// out when this is polled, or another statement follows: several share a flight. Dropping it before it went out takes it
/// back; dropping it later drops the result. Both leave the connection in step.
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
            self.engine.abandon(&[key]);
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
        let submitted = if manner.delivery != Delivery::Whole {
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
            None if self.submitted.runs => match known_columns(&self.client, &self.submitted.statement) {
                Some(columns) => Judged::Done(columns.map(|columns| Rows::new(columns, outcome.reply))),
                None => Judged::Again(self, outcome),
            },
            Some(error) if self.remedy(error).is_none() => {
                Judged::Done(Err(cause(&self.submitted.statement, error).clone()))
            }
            _ => Judged::Again(self, outcome),
        }
    }

    fn remedy(&self, error: &Error) -> Option<Remedy> {
        Remedy::find(&self.client, &self.submitted.statement, error, self.named.is_some())
    }
}

/// Sends a statement whose rows are taken piece by piece, or from a portal, once the types of its columns are known.
pub(crate) async fn send_streaming(
    client: &Client,
    sql: SqlRef<'_>,
    mut params: ParamBuf,
    portal: Option<(&str, i32)>,
) -> Result<(Pending, Arc<Statement>, Arc<[Column]>)> {
    let delivery = if portal.is_some() { Delivery::Portal } else { Delivery::Pieces };
    client.resolve(&mut params).await?;
    let mut columns = None;
    for _ in 0..MAX_ATTEMPTS {
        let manner = Manner { delivery, portal, columns: columns.as_ref(), ..Manner::default() };
        let mut sent = Sent::submit(client, sql, (params, None), manner)?;
        let statement = Arc::clone(&sent.submitted.statement);
        if sent.submitted.runs {
            let columns = columns_of(client, &statement).await?;
            return Ok((sent.pending, statement, columns));
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
                let mended = remedy.again || remedy.renumber && renumber(&mut sent).await?;
                if !mended {
                    columns = remedy.text_columns(&sent.client, &statement).await?;
                    if columns.is_none() {
                        return Err(error);
                    }
                }
            }
        }
        // Once more it may share what others have sent. That may fail with theirs: then it goes alone.
        let manner = Manner {
            careful: true,
            alone: attempt > 1,
            apart: true,
            columns: columns.as_ref(),
            ..Manner::default()
        };
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

/// Asks for the numbers of named types again; whether one has changed.
async fn renumber(sent: &mut Sent) -> Result<bool> {
    let Some(named) = &sent.named else { return Ok(false) };
    renumbered(&sent.client, named, &mut sent.params).await
}
