//! Advisory locks of a session (PostgreSQL manual, "Advisory Locks").

use std::panic::Location;
use std::time::Duration;

use crate::connection::Client;
use crate::database::{Database, Workload};
use crate::error::Result;
use crate::lock::LockKey;
use crate::pool::{Lease, Pool};

/// A lock that is held, and the connection that holds it.
///
/// The connection is withheld from the pool for as long as this lives: enough of these starve everybody else. Dropping it
/// lets the lock go at once; [`release`](Self::release) says whether that went well. When the connection is lost, so is the
/// lock: see [`lost`](Self::lost).
#[derive(Debug)]
#[must_use = "dropping it lets the lock go"]
pub struct AdvisoryLock {
    lease: Lease,
    key: LockKey,
}

impl Pool {
    /// Waits for a lock, for as long as that takes, and holds it. Those who wait are served by the server, about in the order
    /// in which they came. Dropping the future gives it up.
    ///
    /// ```no_run
    /// # async fn f(pool: wreath_driver::Pool) -> wreath_driver::Result<()> {
    /// use wreath_driver::LockKey;
    ///
    /// let lock = pool.lock(&LockKey::new("shearing").namespace("farm")).await?;
    /// lock.client().execute("UPDATE llamas SET shorn = true", ()).await?;
    /// lock.release().await
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`acquire`](Self::acquire) and [`execute`](Client::execute).
    #[track_caller]
    pub fn lock<'a>(&'a self, key: &'a LockKey) -> impl Future<Output = Result<AdvisoryLock>> + Send + 'a {
        let at = Location::caller();
        async move {
            let lease = self.acquire_at(at).await?;
            let sql = format!("SELECT pg_catalog.pg_advisory_lock{}($1)", key.suffix());
            lease.patient().execute(&sql, (key.number(),)).await?;
            Ok(AdvisoryLock { lease, key: key.clone() })
        }
    }

    /// Takes a lock if nobody holds it; `None` if somebody does. With `timeout` it waits for that long, in the server's
    /// queue and by the server's clock (its `lock_timeout`, in whole milliseconds, which is as before afterwards).
    ///
    /// # Errors
    /// As [`lock`](Self::lock).
    #[track_caller]
    pub fn try_lock<'a>(
        &'a self,
        key: &'a LockKey,
        timeout: Option<Duration>,
    ) -> impl Future<Output = Result<Option<AdvisoryLock>>> + Send + 'a {
        let at = Location::caller();
        async move {
            let lease = self.acquire_at(at).await?;
            let suffix = key.suffix();
            let held = match timeout.filter(|timeout| !timeout.is_zero()) {
                None => {
                    let sql = format!("SELECT pg_catalog.pg_try_advisory_lock{suffix}($1)");
                    lease.fetch_scalar(&sql, (key.number(),)).await?
                }
                Some(timeout) => {
                    // One flight and one transaction, with which the setting ends and the lock does not.
                    let limit = timeout.as_millis().clamp(1, i32::MAX as u128);
                    let number = key.number();
                    let script = format!(
                        "SET LOCAL lock_timeout = {limit}; SELECT pg_catalog.pg_advisory_lock{suffix}({number})"
                    );
                    match lease.patient().batch(&script).await {
                        Ok(_) => true,
                        Err(e) if e.sqlstate() == Some("55P03") => false,
                        Err(e) => return Err(e),
                    }
                }
            };
            Ok(held.then(|| AdvisoryLock { lease, key: key.clone() }))
        }
    }
}

impl Database {
    /// Waits for a lock on a connection of the workload [`Write`](Workload::Write); see [`Pool::lock`].
    ///
    /// # Errors
    /// As [`pool`](Self::pool) and [`Pool::lock`].
    pub async fn lock(&self, key: &LockKey) -> Result<AdvisoryLock> {
        self.pool(Workload::Write)?.lock(key).await
    }

    /// Takes a lock if it can be had, on a connection of the workload [`Write`](Workload::Write); see [`Pool::try_lock`].
    ///
    /// # Errors
    /// As [`pool`](Self::pool) and [`Pool::try_lock`].
    pub async fn try_lock(&self, key: &LockKey, timeout: Option<Duration>) -> Result<Option<AdvisoryLock>> {
        self.pool(Workload::Write)?.try_lock(key, timeout).await
    }
}

impl AdvisoryLock {
    /// The connection that holds the lock, to work with.
    pub fn client(&self) -> &Client {
        &self.lease
    }

    /// What is locked.
    pub fn key(&self) -> &LockKey {
        &self.key
    }

    /// Ready when the connection has ended, and with it the lock.
    pub async fn lost(&self) {
        self.lease.ended().await;
    }

    /// Lets the lock go, and gives the connection back.
    ///
    /// # Errors
    /// As [`execute`](Client::execute); the lock has gone in any case.
    pub async fn release(self) -> Result<()> {
        let sql = format!("SELECT pg_catalog.pg_advisory_unlock{}($1)", self.key.suffix());
        self.lease.execute(&sql, (self.key.number(),)).await.map(drop)
    }
}
