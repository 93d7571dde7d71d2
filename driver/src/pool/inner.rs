//! What the handles of a pool share.

use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::Waker;
use std::time::Instant;

use tokio::sync::Notify;

use crate::chance;
use crate::connection::Connection;
use crate::error::{Error, ErrorKind};
use crate::pool::keeper::LongLeases;
use crate::pool::policy::{Condition, Effects, Key, Lendable, Policy, Reason};
use crate::pool::recipe::Recipe;

/// How much shorter than the longest life a connection's may be.
const LIFETIME_JITTER: f64 = 0.1;

#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) recipe: Arc<Recipe>,
    policy: Mutex<Policy<Connection>>,
    /// Wakes the keeper.
    pub(super) bell: Arc<Notify>,
    /// Whether there is a keeper.
    pub(super) kept: AtomicBool,
    /// Told when a pool that is being stopped may be empty.
    pub(super) emptied: Notify,
    pub(super) counts: Counts,
    pub(super) last_failure: Mutex<Option<(Instant, Error)>>,
    pub(super) long_leases: Option<LongLeases>,
}

/// What has become of those who wanted a connection. They are statistics: nothing is ordered by them.
#[derive(Debug, Default)]
pub(super) struct Counts {
    pub(super) acquired: AtomicU64,
    pub(super) timed_out: AtomicU64,
    pub(super) refused: AtomicU64,
    pub(super) failed: AtomicU64,
    pub(super) cancelled: AtomicU64,
}

impl Lendable for Connection {
    fn condition(&self) -> Condition {
        match self.load() {
            Some((0, _)) => Condition::Ready,
            Some((_, answered)) => Condition::Busy { answered },
            None => Condition::Dead,
        }
    }
}

impl Inner {
    pub(super) fn new(recipe: Recipe, long_leases: Option<LongLeases>) -> Self {
        Self {
            policy: Mutex::new(Policy::new(Arc::clone(&recipe.rules))),
            recipe: Arc::new(recipe),
            bell: Arc::default(),
            kept: AtomicBool::new(false),
            emptied: Notify::new(),
            counts: Counts::default(),
            last_failure: Mutex::default(),
            long_leases,
        }
    }

    /// Asks the policy, and does what that leads to once its lock has been let go: closing connections and waking tasks
    /// run code that is not ours.
    pub(super) fn with<T>(
        &self,
        ask: impl FnOnce(&mut Policy<Connection>, &mut Effects<Connection>) -> T,
    ) -> T {
        let mut out = Effects::default();
        let answer = ask(&mut self.policy(), &mut out);
        if out.keeper {
            self.bell.notify_one();
        }
        out.wake.into_iter().for_each(Waker::wake);
        for (connection, reason) in out.discard {
            match reason {
                Reason::Broken => {
                    connection.abort(Error::new(ErrorKind::Closed, "it did not answer the pool in time"));
                }
                _ => connection.retire(),
            }
        }
        answer
    }

    /// Nothing that can panic runs under the lock but our own code, whose invariants hold at every step.
    pub(super) fn policy(&self) -> MutexGuard<'_, Policy<Connection>> {
        lock(&self.policy)
    }

    /// A connection has been opened for a seat: its end will be noticed.
    pub(super) fn opened(self: &Arc<Self>, key: Key, connection: Connection) {
        let ended = connection.ended();
        let share = 1.0 - LIFETIME_JITTER * chance::fraction();
        self.with(|p, out| p.opened(key, Instant::now(), connection, share, out));
        let watch = Watch { inner: Arc::downgrade(self), key };
        tokio::spawn(async move {
            ended.await;
            drop(watch);
        });
    }

    pub(super) fn failed_to_open(&self, key: Key, error: &Error) {
        *lock(&self.last_failure) = Some((Instant::now(), error.clone()));
        self.with(|p, out| p.failed_to_open(key, Instant::now(), error, chance::fraction(), out));
        self.emptied.notify_waiters();
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        // There is nothing left to keep.
        self.bell.notify_one();
    }
}

/// Tells the pool of a connection's end, also when the runtime that it lived on has gone.
struct Watch {
    inner: Weak<Inner>,
    key: Key,
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Some(inner) = self.inner.upgrade() {
            inner.with(|p, out| p.ended(self.key, out));
            inner.emptied.notify_waiters();
        }
    }
}

#[cold]
pub(super) fn stopped() -> Error {
    Error::new(ErrorKind::Pool, "the pool is closed")
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
