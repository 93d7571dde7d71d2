//! The handle of a database.

use std::future::Future;
use std::panic::Location;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::config::Config;
use crate::database::{DatabaseBuilder, Workload};
use crate::error::{Error, ErrorKind, Result};
use crate::pool::{Lease, Pool, PoolCounters, SharedLease};

/// One logical database: a pool for each kind of work, so that none can take the connections of another. Cloning it
/// clones a handle.
///
/// ```no_run
/// # async fn f() -> wreath_driver::Result<()> {
/// use wreath_driver::{Config, Database, PoolConfig, Workload};
///
/// let config: Config = "postgres://shepherd@localhost/farm".parse()?;
/// let database = Database::builder("farm", config)
///     .pool(Workload::Read, PoolConfig { max_size: 20, ..PoolConfig::default() })
///     .pool(Workload::Write, PoolConfig::default())
///     .build()?;
/// database.start().await?;
/// let llamas: i64 =
///     database.acquire_shared(Workload::Read).await?.fetch_scalar("SELECT count(*) FROM llamas", ()).await?;
/// database.stop().await;
/// # let _ = llamas;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Database(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    plan: DatabaseBuilder,
    /// In the order in which they were started; `None` while it is not.
    pools: Mutex<Option<Vec<(Workload, Pool)>>>,
    /// Held by whoever starts or stops it.
    turning: tokio::sync::Mutex<()>,
}

impl Database {
    /// Begins to make a database of that name, which is for people and not for the server.
    pub fn builder(name: impl Into<String>, config: Config) -> DatabaseBuilder {
        DatabaseBuilder::new(name.into(), config)
    }

    pub(super) fn new(plan: DatabaseBuilder) -> Self {
        Self(Arc::new(Inner { plan, pools: Mutex::default(), turning: tokio::sync::Mutex::default() }))
    }

    /// Its name.
    pub fn name(&self) -> &str {
        self.0.plan.name()
    }

    /// Starts a pool for each workload: all of them, or none. Where it has been started before, nothing happens.
    ///
    /// # Errors
    /// Why a connection of one of them could not be opened, naming the workload.
    ///
    /// # Panics
    /// Outside of a runtime.
    pub async fn start(&self) -> Result<()> {
        let _turning = self.0.turning.lock().await;
        if self.is_started() {
            return Ok(());
        }
        let pools = self.0.plan.new_pools()?;
        for (at, (workload, pool)) in pools.iter().enumerate() {
            if let Err(e) = pool.start().await {
                for (_, started) in pools[..at].iter().rev() {
                    started.stop(Duration::ZERO).await;
                }
                return Err(e.recast(e.kind(), &format!("the workload {workload} could not be started")));
            }
        }
        *self.pools() = Some(pools);
        Ok(())
    }

    /// Stops every pool, the last one started first, within the shutdown timeout for all of them together: what one takes
    /// is not left for the next. After that connections are closed underneath those who hold them. It can be started
    /// again.
    pub async fn stop(&self) {
        let _turning = self.0.turning.lock().await;
        let Some(pools) = self.pools().take() else { return };
        let begun = Instant::now();
        for (_, pool) in pools.iter().rev() {
            pool.stop(self.0.plan.shutdown().saturating_sub(begun.elapsed())).await;
        }
    }

    /// Whether it has been started and not been stopped.
    pub fn is_started(&self) -> bool {
        self.pools().is_some()
    }

    /// Whether it has a pool for a kind of work, started or not.
    pub fn has(&self, workload: Workload) -> bool {
        self.0.plan.has(workload)
    }

    /// The pool for a kind of work.
    ///
    /// # Errors
    /// `Config`, when this database has none for it; `Pool`, when it has one and has not been started.
    pub fn pool(&self, workload: Workload) -> Result<Pool> {
        let name = self.name();
        if !self.has(workload) {
            let message = format!("the database {name} has no workload {workload}");
            return Err(Error::new(ErrorKind::Config, message));
        }
        let pools = self.pools();
        let found = pools.iter().flatten().find(|(of, _)| *of == workload);
        found.map(|(_, pool)| pool.clone()).ok_or_else(|| {
            Error::new(
                ErrorKind::Pool,
                format!("the database {name} has not been started, or has been stopped"),
            )
        })
    }

    /// A connection for a kind of work; see [`Pool::acquire`].
    ///
    /// # Errors
    /// As [`pool`](Self::pool) and [`Pool::acquire`].
    #[track_caller]
    pub fn acquire(&self, workload: Workload) -> impl Future<Output = Result<Lease>> + Send + '_ {
        let at = Location::caller();
        async move { self.pool(workload)?.acquire_at(at).await }
    }

    /// A share in a connection for a kind of work; see [`Pool::acquire_shared`].
    ///
    /// # Errors
    /// As [`pool`](Self::pool) and [`Pool::acquire_shared`].
    #[track_caller]
    pub fn acquire_shared(
        &self,
        workload: Workload,
    ) -> impl Future<Output = Result<SharedLease>> + Send + '_ {
        let at = Location::caller();
        async move { self.pool(workload)?.acquire_shared_at(at).await }
    }

    /// What its pools have done since the start, added up; `queue_high_water` is that of the pool where most waited. It
    /// opens no connection.
    pub fn counters(&self) -> PoolCounters {
        self.pools()
            .iter()
            .flatten()
            .map(|(_, pool)| pool.counters())
            .fold(PoolCounters::default(), PoolCounters::plus)
    }

    fn pools(&self) -> MutexGuard<'_, Option<Vec<(Workload, Pool)>>> {
        self.0.pools.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
