//! Transactions and savepoints.

use std::ops::Deref;
use std::time::Duration;

use crate::connection::client::Client;
use crate::connection::reply::Pending;
use crate::error::{Error, ErrorKind, Result};
use crate::proto::op::OpKey;
use crate::proto::pipeline::{Committing, End};
use crate::proto::scope::{OUTSIDE, Scope};

/// An open transaction, or a savepoint inside of one; its verbs are those of [`Client`].
///
/// While it is open, statements that are not made through it are refused with
/// [`InTransaction`](ErrorKind::InTransaction), so that nothing slips into it. [`begin`](Client::begin) on it
/// opens a savepoint, to which the same applies in turn. Dropped without [`commit`](Self::commit), it is rolled
/// back: the ROLLBACK is sent at once.
///
/// ```no_run
/// # async fn f(connection: wreath_driver::Connection) -> wreath_driver::Result<()> {
/// let tx = connection.begin().await?;
/// tx.execute("UPDATE llamas SET paddock_id = $1 WHERE id = $2", (3_i64, 7_i64)).await?;
/// tx.commit().await?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Transaction {
    client: Client,
    ended: bool,
}

impl Transaction {
    pub(crate) async fn begin(outer: &Client, begin: &str) -> Result<Self> {
        let engine = &outer.handle.0;
        let (key, scope) =
            engine.submit(|p| p.begin(outer.scope, begin), |&(key, _): &(OpKey, Scope)| key)?;
        // From here on a dropped future takes back what may have been begun.
        let mut transaction = Self::opened(outer, scope);
        let text = || if outer.scope == OUTSIDE { begin.into() } else { "SAVEPOINT".into() };
        let begun = Pending::new(engine, key).observed(text);
        let outcome = outer.wait(async { Ok(begun.await) }).await?;
        if let Some(error) = outcome.error {
            transaction.ended = true;
            engine.look(|p| p.not_begun(scope));
            return Err(error);
        }
        Ok(transaction)
    }

    /// The handle of a transaction whose BEGIN has been submitted.
    pub(crate) fn opened(outer: &Client, scope: Scope) -> Self {
        Self { client: Client { scope, ..outer.share() }, ended: false }
    }

    /// Makes what the transaction did permanent; for a savepoint, keeps it as part of the transaction.
    ///
    /// # Errors
    /// `RolledBack`, when a statement had failed: nothing of it has been kept, and a transaction around a
    /// savepoint can go on. `OutcomeUnknown`, when the
    /// connection was lost after COMMIT was sent, or its time was up before the answer came. `Server`, when the server refused, as for a
    /// deferred constraint. In all cases the transaction has ended.
    pub async fn commit(mut self) -> Result<()> {
        let engine = &self.client.handle.0;
        // Refused while a savepoint is open: then dropping this handle rolls back.
        let Committing { key, end } =
            engine.submit(|p| p.commit(self.client.scope), |committing| committing.key)?;
        self.ended = true;
        let answered = Pending::new(engine, key).observed(|| end.name().into());
        let outcome = match self.client.wait(async { Ok(answered.await) }).await {
            Ok(outcome) => outcome,
            Err(late) if end == End::Transaction => {
                return Err(late.recast(ErrorKind::OutcomeUnknown, IN_DOUBT));
            }
            Err(late) => return Err(late),
        };
        let committed = || outcome.tags.first().is_some_and(|tag| tag.as_str() == "COMMIT");
        match outcome.error {
            Some(error) if error.is_connection_lost() && end == End::Transaction => {
                Err(error.recast(ErrorKind::OutcomeUnknown, IN_DOUBT))
            }
            Some(error) => Err(error),
            None if end == End::Undone || end == End::Transaction && !committed() => Err(Error::new(
                ErrorKind::RolledBack,
                "it was rolled back instead of being committed, because a statement of it had failed",
            )),
            None => Ok(()),
        }
    }

    /// Undoes what the transaction did, or what has been done since the savepoint.
    ///
    /// # Errors
    /// `TransactionClosed`, when it has ended before; `Timeout`, when no answer came in the time that this handle has; and
    /// when the connection is lost, by which the server rolls back too.
    pub async fn rollback(mut self) -> Result<()> {
        let engine = &self.client.handle.0;
        let scope = self.client.scope;
        let key = engine.submit(
            |p| {
                let ended =
                    || Error::new(ErrorKind::TransactionClosed, "the transaction of this handle has ended");
                p.rollback(scope)?.ok_or_else(ended)
            },
            |&key| key,
        )?;
        self.ended = true;
        let answered = Pending::new(engine, key).observed(|| "ROLLBACK".into());
        let outcome = self.client.wait(async { Ok(answered.await) }).await?;
        outcome.error.map_or(Ok(()), Err)
    }

    /// Each later statement of the transaction is stopped by the server when it takes longer, with SQLSTATE 57014; zero is no limit.
    /// What the session's `statement_timeout` was holds again when the transaction, or the savepoint that this is the handle
    /// of and that is rolled back, has ended. [`TransactionBuilder::statement_timeout`](crate::TransactionBuilder::statement_timeout)
    /// does it in the round trip that begins.
    ///
    /// # Errors
    /// As [`execute`](Client::execute).
    pub async fn set_statement_timeout(&self, limit: Duration) -> Result<()> {
        self.batch(&set_local("statement_timeout", limit)).await.map(drop)
    }
}

/// What is said of a COMMIT without an answer.
const IN_DOUBT: &str = "COMMIT was sent and its answer did not come, so it may or may not have taken effect";

/// The statement that limits something in time for as long as the transaction lasts.
pub(crate) fn set_local(setting: &str, limit: Duration) -> String {
    // Whole milliseconds, up; the server takes no more than these.
    let milliseconds = limit.as_nanos().div_ceil(1_000_000).min(i32::MAX.unsigned_abs().into());
    format!("SET LOCAL {setting} = {milliseconds}")
}

impl Deref for Transaction {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

impl Drop for Transaction {
    fn drop(&mut self) {
        if !self.ended {
            let scope = self.client.scope;
            self.client.handle.0.submit_detached(|p| p.rollback(scope).ok().flatten());
        }
    }
}
