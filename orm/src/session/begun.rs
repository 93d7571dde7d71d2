//! Transactions of a session.

use std::fmt;
use std::ops::{Deref, DerefMut};

use wreath_driver::Client;

use crate::error::{Error, ErrorKind, Result};
use crate::session::Session;
use crate::session::commit::Doubt;

/// An open transaction, or a savepoint, of a [`Session`], which it stands for.
///
/// ```no_run
/// # async fn f(session: &mut wreath_orm::Session) -> wreath_orm::Result<()> {
/// let mut tx = session.begin().await?;
/// // ... tx.add(...)?; tx.edit(...)?; tx.flush().await?; ...
/// {
///     let mut inner = tx.begin().await?; // a savepoint
///     // ... something that may fail
///     inner.rollback().await?;
/// }
/// tx.commit().await?;
/// # Ok(())
/// # }
/// ```
///
/// Dropped, it is rolled back: the ROLLBACK is sent at once. After a rollback what it had flushed is
/// pending again, and so goes out with the next flush, also that of a commit. To do without it after all,
/// [`remove`](Session::remove) what was added and [`refresh`](Session::refresh) what was edited.
#[must_use = "a transaction that is dropped is rolled back"]
pub struct Begun<'s> {
    session: &'s mut Session,
    /// How many transactions are open, this one included.
    depth: usize,
}

impl<'s> Begun<'s> {
    pub(crate) fn new(session: &'s mut Session) -> Self {
        let depth = session.open.len();
        Self { session, depth }
    }

    /// Flushes what is pending, and makes all of it permanent; for a savepoint, a part of the transaction.
    ///
    /// # Errors
    /// As [`Session::flush`], and when the server refuses to commit. The transaction has then been rolled
    /// back, and what it had flushed is pending again.
    pub async fn commit(self) -> Result<()> {
        self.session.flush().await?;
        if self.session.open.last().is_some_and(|open| open.failed) {
            // There was nothing to flush any more; the transaction has failed all the same.
            return Err(Error::new(ErrorKind::TransactionFailed, "a flush has failed in this transaction"));
        }
        let Some(open) = self.session.open.pop() else { return Ok(()) };
        let Some(outer) = self.session.open.last_mut() else {
            return self.session.commit(open.transaction, Doubt::Transaction(open.journal)).await;
        };
        // What the savepoint has done is the outer transaction's from here on, whatever becomes of this future.
        let from = outer.journal.len();
        outer.journal.extend(open.journal);
        let outcome = open.transaction.commit().await;
        if outcome.is_err()
            && let Some(outer) = self.session.open.last_mut()
        {
            let journal = outer.journal.split_off(from);
            self.session.undo(journal);
        }
        Ok(outcome?)
    }

    /// The driver's handle on the transaction, for SQL of one's own: a lock, a COPY, a statement that is not
    /// written here. What is pending is not seen by it before a [flush](Session::flush); an object that it
    /// changes is as it was before until it is [refreshed](Session::refresh).
    ///
    /// ```no_run
    /// # async fn f(session: &mut wreath_orm::Session) -> wreath_orm::Result<()> {
    /// let mut tx = session.begin().await?;
    /// tx.client()?.execute("LOCK TABLE llamas IN SHARE MODE", ()).await?;
    /// # tx.commit().await
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`TransactionFailed`](ErrorKind::TransactionFailed), when a flush has failed in it.
    pub fn client(&self) -> Result<&Client> {
        self.session.connected()
    }

    /// Undoes what has been written since it was begun. What was flushed is pending again.
    ///
    /// # Errors
    /// [`Database`](crate::ErrorKind::Database), when the connection is lost, by which the server rolls
    /// back too.
    pub async fn rollback(self) -> Result<()> {
        let Some(open) = self.session.open.pop() else { return Ok(()) };
        self.session.undo(open.journal);
        self.session.unwrite();
        Ok(open.transaction.rollback().await?)
    }
}

impl Drop for Begun<'_> {
    fn drop(&mut self) {
        // The driver sends ROLLBACK when its transaction is dropped. Savepoints that were begun within, and
        // whose handle has been forgotten, end with it.
        while self.session.open.len() >= self.depth {
            let Some(open) = self.session.open.pop() else { return };
            self.session.undo(open.journal);
            self.session.unwrite();
        }
    }
}

impl Deref for Begun<'_> {
    type Target = Session;

    fn deref(&self) -> &Session {
        self.session
    }
}

impl DerefMut for Begun<'_> {
    fn deref_mut(&mut self) -> &mut Session {
        self.session
    }
}

impl fmt::Debug for Begun<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Begun").field("depth", &self.depth).field("session", &self.session).finish()
    }
}
