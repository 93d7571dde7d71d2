//! The handle of a pool.

use std::future::Future;
use std::panic::Location;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::catalog::Catalog;
use crate::config::Config;
use crate::connection::Connection;
use crate::error::{Error, ErrorKind, Result};
use crate::pool::inner::{Inner, stopped};
use crate::pool::keeper::Opening;
use crate::pool::policy::Mode;
use crate::pool::{Lease, LeaseReport, PoolBuilder, PoolConfig, PoolCounters, PoolSnapshot, SharedLease};

/// A bounded set of connections to one database. Cloning it clones a handle.
///
/// One task looks after it, on the runtime of whoever first needed it: it opens connections, replaces those that
/// were lost, and closes those that are not needed.
///
/// ```no_run
/// # async fn f() -> wreath_driver::Result<()> {
/// use wreath_driver::{Config, Pool, PoolConfig};
///
/// let config: Config = "postgres://shepherd@localhost/farm".parse()?;
/// let pool = Pool::new(config, PoolConfig::default())?;
/// let lease = pool.acquire().await?;
/// let llamas: i64 = lease.fetch_scalar("SELECT count(*) FROM llamas", ()).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Pool(pub(super) Arc<Inner>);

impl Pool {
    /// A pool that opens its connections when they are needed; see [`builder`](Self::builder) for one with hooks.
    ///
    /// # Errors
    /// `Config`, when the bounds make no sense.
    pub fn new(config: Config, bounds: PoolConfig) -> Result<Self> {
        Self::builder(config).bounds(bounds).build()
    }

    /// Begins to make a pool.
    pub fn builder(config: Config) -> PoolBuilder {
        PoolBuilder::new(config)
    }

    /// Opens `min_size` connections, side by side: all of them, or none. From then on that many are kept open.
    ///
    /// # Errors
    /// Why one of them could not be opened; `Pool`, when the pool is closed.
    ///
    /// # Panics
    /// Outside of a runtime.
    pub async fn start(&self) -> Result<()> {
        let keys = {
            let mut policy = self.0.policy();
            let missing = policy.missing();
            policy.reserve(missing)
        };
        let mut openings: Vec<_> =
            keys.into_iter().map(|key| Unneeded(Some(Opening::new(&self.0, key)))).collect();
        let mut connecting = tokio::task::JoinSet::new();
        for _ in &openings {
            let recipe = Arc::clone(&self.0.recipe);
            connecting.spawn(async move { recipe.open().await });
        }
        let mut connections: Vec<Connection> = Vec::with_capacity(openings.len());
        while let Some(opened) = connecting.join_next().await {
            let gone = |e| Error::caused(ErrorKind::Closed, "a connection's hook panicked", e);
            connections.push(opened.map_err(gone)??);
        }
        for (opening, connection) in openings.iter_mut().zip(connections) {
            if let Some(opening) = opening.0.take() {
                opening.end(Ok(connection));
            }
        }
        if self.0.policy().is_stopped() {
            return Err(stopped());
        }
        self.0.be_kept();
        Ok(())
    }

    /// Hands out a connection: the idle one that was used last, a new one, or the next that comes back. Callers are
    /// served in the order in which they came. Dropping the future gives up the place in the queue; a connection that is
    /// being opened goes on being opened, for the next caller.
    ///
    /// A server that does not answer is tried again, with growing waits, for as long as the acquire may take.
    ///
    /// # Errors
    /// `Timeout` after `acquire_timeout`, saying how the pool stands, who holds what, and why a connection could not be
    /// opened last; `Pool`, when the queue is full or the pool is closed; and why a connection could not be opened, where the
    /// pool has none and another attempt would fail too, as with a wrong password.
    ///
    /// # Panics
    /// Outside of a runtime with a clock.
    #[track_caller]
    pub fn acquire(&self) -> impl Future<Output = Result<Lease>> + Send + '_ {
        self.acquire_at(Location::caller())
    }

    pub(crate) async fn acquire_at(&self, at: &'static Location<'static>) -> Result<Lease> {
        Ok(Lease(self.0.lend(Mode::Exclusive, at).await?))
    }

    /// Hands out a share in a connection that up to `pipeline_depth` borrowers have at once: an idle connection, or
    /// the one that the fewest share. It stands in the same queue as [`acquire`](Self::acquire), so neither kind of caller
    /// can keep the other waiting by coming more often.
    ///
    /// ```no_run
    /// # async fn f(pool: wreath_driver::Pool) -> wreath_driver::Result<()> {
    /// let name: String = pool.acquire_shared().await?.fetch_scalar("SELECT name FROM llamas WHERE id = $1", (7_i64,)).await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`acquire`](Self::acquire).
    ///
    /// # Panics
    /// As [`acquire`](Self::acquire).
    #[track_caller]
    pub fn acquire_shared(&self) -> impl Future<Output = Result<SharedLease>> + Send + '_ {
        self.acquire_shared_at(Location::caller())
    }

    pub(crate) async fn acquire_shared_at(&self, at: &'static Location<'static>) -> Result<SharedLease> {
        Ok(SharedLease(self.0.lend(Mode::Shared, at).await?))
    }

    /// How the pool stands.
    pub fn snapshot(&self) -> PoolSnapshot {
        self.0.snapshot()
    }

    /// What it has done so far.
    pub fn counters(&self) -> PoolCounters {
        self.0.counters()
    }

    /// Who has a connection, and since when; the longest first.
    pub fn leases(&self) -> Vec<LeaseReport> {
        self.0.leases(Instant::now())
    }

    /// Its bounds.
    pub fn bounds(&self) -> &PoolConfig {
        &self.0.recipe.rules
    }

    /// The types of the database that its connections have looked up so far.
    pub fn catalog(&self) -> &Arc<Catalog> {
        &self.0.recipe.catalog
    }

    /// Refuses new callers and those that wait, closes what lies idle, and waits until every lease has come back and been
    /// closed too. See [`stop`](Self::stop) for one that does not wait for ever.
    pub async fn close(&self) {
        self.refuse();
        loop {
            // Asked for before looking, so that nothing given back meanwhile is missed.
            let mut emptied = std::pin::pin!(self.0.emptied.notified());
            emptied.as_mut().enable();
            if self.0.policy().is_empty() {
                return;
            }
            emptied.await;
        }
    }

    /// As [`close`](Self::close), but waits for no longer than `grace`: then what is still out is closed underneath those
    /// who hold it, whose verbs fail with `Closed`.
    pub async fn stop(&self, grace: Duration) {
        if tokio::time::timeout(grace, self.close()).await.is_err() {
            let connections = self.0.with(|p, out| p.revoke(out));
            for connection in connections {
                connection
                    .abort(Error::new(ErrorKind::Closed, "the pool was stopped while this was on loan"));
            }
        }
    }

    fn refuse(&self) {
        let refusal = stopped();
        self.0.with(|p, out| p.stop(out, &refusal));
    }
}

/// A seat that is given back when it turns out not to be needed.
struct Unneeded(Option<Opening>);

impl Drop for Unneeded {
    fn drop(&mut self) {
        if let Some(opening) = self.0.take() {
            opening.withdraw();
        }
    }
}
