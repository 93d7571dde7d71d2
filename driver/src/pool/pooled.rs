//! The pool.
//!
//! A permit stands for a place of one of `max_size` connections; whoever holds it takes an idle connection
//! or opens one. Permits are handed out in the order in which callers came, and are given back by dropping
//! them, so a caller that goes away while it waits, or while its connection is being opened, leaks nothing.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore, oneshot};

use crate::catalog::Catalog;
use crate::config::Config;
use crate::connection::Connection;
use crate::error::{Error, ErrorKind, Result};
use crate::pool::{Lease, PoolConfig};

/// A bounded set of connections to one database. Cloning it clones a handle.
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
pub struct Pool(Arc<Inner>);

#[derive(Debug)]
pub(crate) struct Inner {
    config: Config,
    bounds: PoolConfig,
    catalog: Arc<Catalog>,
    places: Arc<Semaphore>,
    idle: Mutex<Vec<Pooled>>,
    waiters: AtomicUsize,
    high_water: AtomicUsize,
    closed: AtomicBool,
    /// Told when a place is given back while the pool is being closed.
    given_back: Notify,
    last_failure: Mutex<Option<Error>>,
}

/// A connection of the pool.
#[derive(Debug)]
pub(crate) struct Pooled {
    pub(crate) connection: Connection,
    opened: Instant,
    idle_since: Instant,
}

/// What a pool looks like at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PoolSnapshot {
    /// Connections that are handed out, or being opened for somebody.
    pub borrowed: usize,
    /// Connections that lie idle.
    pub available: usize,
    /// Callers that wait.
    pub waiters: usize,
    /// The most connections that may be open.
    pub max_size: usize,
    /// The most callers that have ever waited at once.
    pub queue_high_water: usize,
}

impl Pool {
    /// A pool that opens its connections when they are needed.
    ///
    /// # Errors
    /// `Config`, when the bounds make no sense.
    pub fn new(config: Config, bounds: PoolConfig) -> Result<Self> {
        bounds.check()?;
        Ok(Self(Arc::new(Inner {
            config,
            places: Arc::new(Semaphore::new(bounds.max_size)),
            bounds,
            catalog: Arc::default(),
            idle: Mutex::default(),
            waiters: AtomicUsize::new(0),
            high_water: AtomicUsize::new(0),
            closed: AtomicBool::new(false),
            given_back: Notify::new(),
            last_failure: Mutex::default(),
        })))
    }

    /// Opens `min_size` connections: all of them, or none.
    ///
    /// # Errors
    /// Why one of them could not be opened.
    pub async fn start(&self) -> Result<()> {
        let mut leases = Vec::with_capacity(self.0.bounds.min_size);
        for _ in 0..self.0.bounds.min_size {
            leases.push(self.acquire().await?);
        }
        Ok(())
    }

    /// Hands out a connection: an idle one, a new one, or the next that comes back. Callers are served in the
    /// order in which they came. Dropping the future gives up the place in the queue; a connection that is
    /// being opened goes on being opened, for the next caller.
    ///
    /// # Errors
    /// `Timeout` after `acquire_timeout`, saying how the pool stands and why a connection could not be opened
    /// last; `Pool`, when the queue is full or the pool is closed; and why a connection could not be opened.
    pub async fn acquire(&self) -> Result<Lease> {
        match tokio::time::timeout(self.0.bounds.acquire_timeout, self.acquire_in_turn()).await {
            Ok(lease) => lease,
            Err(_) => Err(self.timed_out()),
        }
    }

    async fn acquire_in_turn(&self) -> Result<Lease> {
        let permit = match Arc::clone(&self.0.places).try_acquire_owned() {
            Ok(permit) => permit,
            Err(_) => self.wait().await?,
        };
        let place = Place { permit: Some(permit), inner: Arc::clone(&self.0) };
        if self.0.closed.load(Ordering::Acquire) {
            return Err(closed());
        }
        match self.0.take_idle() {
            Some(pooled) => Ok(Lease::new(pooled, Arc::clone(&self.0), place)),
            None => self.open(place).await,
        }
    }

    async fn wait(&self) -> Result<OwnedSemaphorePermit> {
        let waiting = Waiting::join(&self.0)?;
        let permit = Arc::clone(&self.0.places).acquire_owned().await.map_err(|_| closed());
        drop(waiting);
        permit
    }

    /// Opens a connection in a task of its own, which a caller that goes away does not take along.
    async fn open(&self, place: Place) -> Result<Lease> {
        let (sender, receiver) = oneshot::channel();
        let inner = Arc::clone(&self.0);
        tokio::spawn(async move {
            let result = match inner.connect().await {
                Ok(connection) => Ok(Lease::new(Pooled::new(connection), inner, place)),
                Err(e) => {
                    *lock(&inner.last_failure) = Some(e.clone());
                    Err(e)
                }
            };
            // A lease that nobody takes any more goes back to the pool when it is dropped here.
            let _ = sender.send(result);
        });
        receiver.await.unwrap_or_else(|_| Err(closed()))
    }

    #[cold]
    fn timed_out(&self) -> Error {
        let PoolSnapshot { borrowed, available, waiters, max_size, .. } = self.snapshot();
        let mut message = format!(
            "no connection within {:?}: {borrowed} of at most {max_size} are in use, {available} idle, {waiters} callers wait",
            self.0.bounds.acquire_timeout
        );
        if let Some(e) = &*lock(&self.0.last_failure) {
            message += &format!("; the last attempt to open one failed: {e}");
        }
        Error::new(ErrorKind::Timeout, message)
    }

    /// How the pool stands.
    pub fn snapshot(&self) -> PoolSnapshot {
        let inner = &self.0;
        PoolSnapshot {
            borrowed: inner.borrowed(),
            available: lock(&inner.idle).len(),
            waiters: inner.waiters.load(Ordering::Relaxed),
            max_size: inner.bounds.max_size,
            queue_high_water: inner.high_water.load(Ordering::Relaxed),
        }
    }

    /// The types of the database that its connections have looked up so far.
    pub fn catalog(&self) -> &Arc<Catalog> {
        &self.0.catalog
    }

    /// Refuses new callers and those that wait, closes what lies idle, and waits until every lease has come
    /// back and been closed too. Bound it with a timeout where leases may be held for long.
    pub async fn close(&self) {
        self.0.closed.store(true, Ordering::Release);
        self.0.places.close();
        loop {
            // Asked for before looking, so that nothing given back meanwhile is missed.
            let mut given_back = std::pin::pin!(self.0.given_back.notified());
            given_back.as_mut().enable();
            let idle = std::mem::take(&mut *lock(&self.0.idle));
            for pooled in idle {
                // Closing has no error that would matter here: the connection is gone either way.
                let _ = pooled.connection.close().await;
            }
            if self.0.places.available_permits() == self.0.bounds.max_size && lock(&self.0.idle).is_empty() {
                return;
            }
            given_back.await;
        }
    }
}

/// How long a connection may take to be opened where the configuration sets no bound: a place must not be
/// taken for ever by a server that does not answer.
const OPENING: Duration = Duration::from_secs(30);

impl Inner {
    async fn connect(&self) -> Result<Connection> {
        let limit = OPENING.max(self.bounds.acquire_timeout);
        let opening = self.config.connect_with(Arc::clone(&self.catalog));
        tokio::time::timeout(limit, opening).await.unwrap_or_else(|_| {
            Err(Error::new(ErrorKind::Timeout, format!("no session began within {limit:?}")))
        })
    }

    /// The connection that came back last and is still good. One that has not answered all that it was asked
    /// is taken only where no other can be had.
    fn take_idle(&self) -> Option<Pooled> {
        let mut bad = Vec::new();
        let mut idle = lock(&self.idle);
        bad.extend(idle.extract_if(.., |pooled| !self.is_fresh(pooled)));
        let ready = idle.iter().rposition(|pooled| !pooled.connection.is_busy());
        let taken = match ready {
            Some(at) => Some(idle.remove(at)),
            None if idle.len() + self.borrowed() <= self.bounds.max_size => None,
            None => idle.pop(),
        };
        drop(idle);
        // Closing a connection wakes its task, which is no business of the list's lock.
        drop(bad);
        taken
    }

    /// The places that are taken, the caller's own among them.
    fn borrowed(&self) -> usize {
        self.bounds.max_size.saturating_sub(self.places.available_permits())
    }

    fn is_fresh(&self, pooled: &Pooled) -> bool {
        let young = self.bounds.max_lifetime.is_none_or(|max| pooled.opened.elapsed() < max);
        let used = self.bounds.idle_timeout.is_none_or(|max| pooled.idle_since.elapsed() < max);
        young && used && !pooled.connection.is_closed()
    }

    /// A lease has ended. In a pool that has been closed, its place is free when the connection has ended too.
    pub(crate) fn give_back(&self, mut pooled: Pooled, place: Place) {
        pooled.connection.rollback_all();
        if self.closed.load(Ordering::Acquire) {
            let runtime = pooled.connection.runtime().clone();
            runtime.spawn(async move {
                let _ = pooled.connection.close().await;
                drop(place);
            });
            return;
        }
        pooled.idle_since = Instant::now();
        if self.is_fresh(&pooled) {
            lock(&self.idle).push(pooled);
        }
    }
}

/// A place of one of the pool's connections, which is free again when this is dropped.
#[derive(Debug)]
pub(crate) struct Place {
    /// `None` only while it is being dropped.
    permit: Option<OwnedSemaphorePermit>,
    inner: Arc<Inner>,
}

impl Drop for Place {
    fn drop(&mut self) {
        drop(self.permit.take());
        if self.inner.closed.load(Ordering::Acquire) {
            self.inner.given_back.notify_waiters();
        }
    }
}

impl Pooled {
    fn new(connection: Connection) -> Self {
        let now = Instant::now();
        Self { connection, opened: now, idle_since: now }
    }
}

/// A caller in the queue.
struct Waiting<'a>(&'a Inner);

impl<'a> Waiting<'a> {
    fn join(inner: &'a Inner) -> Result<Self> {
        let waiters = inner.waiters.fetch_add(1, Ordering::Relaxed) + 1;
        let waiting = Self(inner);
        if waiters > inner.bounds.max_queue {
            let message = format!("{} callers already wait for a connection", inner.bounds.max_queue);
            return Err(Error::new(ErrorKind::Pool, message));
        }
        inner.high_water.fetch_max(waiters, Ordering::Relaxed);
        Ok(waiting)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.waiters.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cold]
fn closed() -> Error {
    Error::new(ErrorKind::Pool, "the pool is closed")
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
