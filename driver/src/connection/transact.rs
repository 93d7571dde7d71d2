//! Transactions with options, and transactions that are run again.

use std::future::Future;
use std::ops::Deref;
use std::time::Duration;

use crate::chance;
use crate::connection::client::Client;
use crate::connection::transaction::{Transaction, set_local};
use crate::error::{Error, Result};
use crate::proto::pipeline::{BEGIN, READ_ONLY};

/// How isolated a transaction is from others (PostgreSQL manual, "Transaction Isolation").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Isolation {
    /// Each statement sees what was committed before it began.
    ReadCommitted,
    /// All statements see what was committed before the first of them.
    RepeatableRead,
    /// As if transactions ran one after the other.
    Serializable,
}

/// A transaction that is about to be opened; made by [`Client::transaction`].
///
/// ```no_run
/// # async fn f(client: &wreath_driver::Client) -> wreath_driver::Result<()> {
/// use wreath_driver::Isolation;
///
/// let report = client.transaction().isolation(Isolation::Serializable).read_only().deferrable().begin().await?;
/// let llamas: i64 = report.fetch_scalar("SELECT count(*) FROM llamas", ()).await?;
/// report.commit().await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[must_use = "nothing happens before it begins"]
pub struct TransactionBuilder<'a> {
    client: &'a Client,
    begin: String,
    /// What is set for as long as it lasts, each with a semicolon before it.
    settings: String,
    attempts: u32,
}

/// How often [`TransactionBuilder::transact`] runs its body unless told otherwise.
const ATTEMPTS: u32 = 5;

impl<'a> TransactionBuilder<'a> {
    pub(crate) fn new(client: &'a Client) -> Self {
        Self { client, begin: BEGIN.to_owned(), settings: String::new(), attempts: ATTEMPTS }
    }

    /// How isolated it is; else as the session's `default_transaction_isolation` says.
    pub fn isolation(self, isolation: Isolation) -> Self {
        self.option(match isolation {
            Isolation::ReadCommitted => "ISOLATION LEVEL READ COMMITTED",
            Isolation::RepeatableRead => "ISOLATION LEVEL REPEATABLE READ",
            Isolation::Serializable => "ISOLATION LEVEL SERIALIZABLE",
        })
    }

    /// It only reads.
    pub fn read_only(self) -> Self {
        self.option(READ_ONLY)
    }

    /// It may write, whatever the session's default is.
    pub fn read_write(self) -> Self {
        self.option("READ WRITE")
    }

    /// A serializable read-only transaction waits at its start until it cannot be disturbed any more.
    pub fn deferrable(self) -> Self {
        self.option("DEFERRABLE")
    }

    /// Each statement is stopped by the server when it takes longer, with SQLSTATE 57014; zero is no limit. It holds for this
    /// transaction alone, and costs no round trip.
    ///
    /// ```no_run
    /// # async fn f(client: &wreath_driver::Client) -> wreath_driver::Result<()> {
    /// use std::time::Duration;
    ///
    /// let tx = client.transaction().statement_timeout(Duration::from_secs(5)).begin().await?;
    /// tx.execute("SELECT slow_report()", ()).await?;
    /// tx.commit().await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn statement_timeout(self, limit: Duration) -> Self {
        self.setting("statement_timeout", limit)
    }

    /// A statement fails with SQLSTATE 55P03 when it waits for a lock for longer; zero is no limit. It holds for this
    /// transaction alone, and costs no round trip.
    pub fn lock_timeout(self, limit: Duration) -> Self {
        self.setting("lock_timeout", limit)
    }

    fn setting(mut self, setting: &str, limit: Duration) -> Self {
        self.settings += "; ";
        self.settings += &set_local(setting, limit);
        self
    }

    /// How often [`transact`](Self::transact) runs its body at most: 5 times unless told otherwise, and at least
    /// once.
    pub fn attempts(self, attempts: u32) -> Self {
        Self { attempts: attempts.max(1), ..self }
    }

    fn option(mut self, option: &str) -> Self {
        self.begin += if self.begin == BEGIN { " " } else { ", " };
        self.begin += option;
        self
    }

    /// Opens it.
    ///
    /// # Errors
    /// `Unsupported`, when it has options and would be a savepoint; and as [`Client::begin`].
    pub async fn begin(self) -> Result<Transaction> {
        Transaction::begin(self.client, &(self.begin + &self.settings)).await
    }

    /// Runs `body` in a transaction: it is committed when the body answers `Ok`, and rolled back when it
    /// answers `Err` or its future is dropped. When the server could not serialize it (SQLSTATE 40001) or found a
    /// deadlock (40P01), in a statement or at COMMIT, all is run again in a new transaction, after a short wait
    /// of random length: the body must do nothing that cannot be done twice.
    ///
    /// The body owns its handle, so what it makes can be spawned; once it has ended, the handle is void.
    ///
    /// ```no_run
    /// # async fn f(client: &wreath_driver::Client) -> wreath_driver::Result<()> {
    /// use wreath_driver::Isolation;
    ///
    /// let (from, to) = (1_i64, 2_i64);
    /// let moved = client
    ///     .transaction()
    ///     .isolation(Isolation::Serializable)
    ///     .transact(|tx| async move {
    ///         let sql = "UPDATE llamas SET paddock_id = $2 WHERE paddock_id = $1";
    ///         wreath_driver::Result::Ok(tx.execute(sql, (from, to)).await?.rows())
    ///     })
    ///     .await?;
    /// # let _: u64 = moved;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// What the body answers, and what [`begin`](Self::begin) and [`Transaction::commit`] answer; from the last
    /// attempt.
    pub async fn transact<T, E, F>(self, mut body: impl FnMut(Tx) -> F) -> std::result::Result<T, E>
    where
        F: Future<Output = std::result::Result<T, E>>,
        E: From<Error> + std::error::Error + 'static,
    {
        let mut attempt = 0;
        loop {
            attempt += 1;
            let transaction = self.clone().begin().await?;
            let answer = body(Tx(transaction.share())).await;
            let error = match answer {
                Ok(value) => match transaction.commit().await {
                    Ok(()) => return Ok(value),
                    Err(e) => E::from(e),
                },
                // The handle is dropped, which rolls back.
                Err(e) => e,
            };
            if attempt >= self.attempts || !is_retryable(&error) {
                return Err(error);
            }
            tokio::time::sleep(pause(attempt)).await;
        }
    }
}

/// The handle of a transaction that [`TransactionBuilder::transact`] commits or rolls back; its verbs are those of
/// [`Client`]. When the body of `transact` has ended, it is void: its verbs fail with
/// [`TransactionClosed`](crate::ErrorKind::TransactionClosed).
#[derive(Debug)]
pub struct Tx(Client);

impl Deref for Tx {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.0
    }
}

/// Whether an error is, or was caused by, one that running the transaction again may mend.
fn is_retryable(error: &(dyn std::error::Error + 'static)) -> bool {
    std::iter::successors(Some(error), |e| e.source())
        .filter_map(|e| e.downcast_ref::<Error>())
        .any(Error::is_retryable)
}

/// A random wait of up to 10 ms, twice as long for each attempt that has failed, so that those who collided
/// do not meet again.
fn pause(attempt: u32) -> Duration {
    let longest = Duration::from_millis(10) * (1 << attempt.saturating_sub(1).min(6));
    longest.mul_f64(chance::fraction())
}
