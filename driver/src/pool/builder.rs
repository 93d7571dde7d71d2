//! Pools with hooks.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use crate::config::Config;
use crate::connection::Client;
use crate::error::Result;
use crate::pool::inner::Inner;
use crate::pool::keeper::LongLeases;
use crate::pool::recipe::Recipe;
use crate::pool::{LeaseReport, Pool, PoolConfig};

/// What a hook of a pool answers.
pub type HookFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T>> + Send + 'a>>;

pub(super) type Hook<T> = Box<dyn for<'a> Fn(&'a Client) -> HookFuture<'a, T> + Send + Sync>;

/// A pool that is about to be made; begun by [`Pool::builder`].
///
/// ```no_run
/// # async fn f() -> wreath_driver::Result<()> {
/// use wreath_driver::{Config, Pool, PoolConfig};
///
/// let config: Config = "postgres://shepherd@localhost/farm".parse()?;
/// let pool = Pool::builder(config)
///     .bounds(PoolConfig { max_size: 20, ..PoolConfig::default() })
///     .after_connect(|client| {
///         Box::pin(async move { client.execute("SET search_path TO farm", ()).await.map(drop) })
///     })
///     .build()?;
/// # Ok(())
/// # }
/// ```
#[must_use = "no pool is made before it is built"]
pub struct PoolBuilder {
    config: Config,
    bounds: PoolConfig,
    after_connect: Option<Hook<()>>,
    before_acquire: Option<Hook<bool>>,
    after_release: Option<Hook<bool>>,
    long_leases: Option<LongLeases>,
}

impl PoolBuilder {
    pub(super) fn new(config: Config) -> Self {
        Self {
            config,
            bounds: PoolConfig::default(),
            after_connect: None,
            before_acquire: None,
            after_release: None,
            long_leases: None,
        }
    }

    /// The pool's bounds.
    pub fn bounds(mut self, bounds: PoolConfig) -> Self {
        self.bounds = bounds;
        self
    }

    /// Runs on each connection that has been opened, before anybody gets it; and again when a borrower has changed
    /// settings, since the reset that follows undoes what this had set too. If it fails, so has the opening.
    pub fn after_connect(
        mut self,
        hook: impl for<'a> Fn(&'a Client) -> HookFuture<'a, ()> + Send + Sync + 'static,
    ) -> Self {
        self.after_connect = Some(Box::new(hook));
        self
    }

    /// Runs on each connection that is about to be handed out, within the time of the acquire. Where it answers `false`
    /// or fails, the connection is closed and the caller gets another one.
    pub fn before_acquire(
        mut self,
        hook: impl for<'a> Fn(&'a Client) -> HookFuture<'a, bool> + Send + Sync + 'static,
    ) -> Self {
        self.before_acquire = Some(Box::new(hook));
        self
    }

    /// Runs on each connection that has come back, in a task of its own, before the next borrower gets it. Where it
    /// answers `false` or fails, the connection is closed.
    pub fn after_release(
        mut self,
        hook: impl for<'a> Fn(&'a Client) -> HookFuture<'a, bool> + Send + Sync + 'static,
    ) -> Self {
        self.after_release = Some(Box::new(hook));
        self
    }

    /// Calls `report` once for each lease that is held for longer than `limit`: it may have been forgotten. Not to the
    /// moment: leases are looked at every half of that time. It is called in a task of its own.
    pub fn report_long_leases(
        mut self,
        limit: Duration,
        report: impl Fn(&LeaseReport) + Send + Sync + 'static,
    ) -> Self {
        self.long_leases = Some(LongLeases::new(limit, report));
        self
    }

    /// Makes the pool; no connection is opened before [`start`](Pool::start) or the first acquire.
    ///
    /// # Errors
    /// `Config`, when the bounds make no sense.
    pub fn build(self) -> Result<Pool> {
        self.bounds.check()?;
        let recipe = Recipe {
            config: self.config,
            rules: Arc::new(self.bounds),
            catalog: Arc::default(),
            after_connect: self.after_connect,
            before_acquire: self.before_acquire,
            after_release: self.after_release,
        };
        Ok(Pool(Arc::new(Inner::new(recipe, self.long_leases))))
    }
}

impl fmt::Debug for PoolBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PoolBuilder")
            .field("config", &self.config)
            .field("bounds", &self.bounds)
            .finish_non_exhaustive()
    }
}
