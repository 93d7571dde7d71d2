//! The pool's one task: it opens connections, replaces those that were lost, and closes those that are not needed.

use std::fmt;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use crate::connection::Connection;
use crate::error::{Error, ErrorKind, Result};
use crate::pool::LeaseReport;
use crate::pool::inner::Inner;
use crate::pool::policy::{Chores, Key, Reason, Renewal, Verdict};
use crate::pool::recipe::Recipe;

impl Inner {
    /// Sees to it that there is a keeper; it lives on the current runtime, and is replaced when that has gone.
    pub(super) fn be_kept(self: &Arc<Self>) {
        if !self.kept.swap(true, Ordering::AcqRel) {
            let (keeper, bell) = (Keeper(Arc::downgrade(self)), Arc::clone(&self.bell));
            tokio::spawn(keep(keeper, bell));
        }
    }

    /// Does what there is to do; answers when there may be more.
    fn do_chores(self: &Arc<Self>) -> Option<Instant> {
        let now = Instant::now();
        let Chores { open, renew, next } = self.with(|p, out| p.tick(now, out));
        for key in open {
            let opening = Opening::new(self, key);
            tokio::spawn(async move {
                let opened = opening.recipe.open().await;
                opening.end(opened);
            });
        }
        for (key, connection, renewal) in renew {
            let renewing = Renewing { inner: Arc::downgrade(self), key, verdict: Err(Reason::Broken) };
            tokio::spawn(renewing.run(Arc::clone(&self.recipe), connection, renewal));
        }
        let look = self.long_leases.as_ref().and_then(|leases| leases.look(self, now));
        [next, look].into_iter().flatten().min()
    }
}

/// It does not keep the pool alive.
struct Keeper(Weak<Inner>);

async fn keep(keeper: Keeper, bell: Arc<Notify>) {
    while let Some(inner) = keeper.0.upgrade() {
        let next = inner.do_chores();
        drop(inner);
        match next {
            // Either way it looks.
            Some(at) => drop(tokio::time::timeout_at(at.into(), bell.notified()).await),
            None => bell.notified().await,
        }
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        if let Some(inner) = self.0.upgrade() {
            inner.kept.store(false, Ordering::Release);
            // Whoever waits on another runtime becomes the next one's host.
            inner.with(|p, out| p.rouse(out));
        }
    }
}

/// A connection that is being opened for a seat, which is free again when this is dropped.
pub(super) struct Opening {
    inner: Weak<Inner>,
    pub(super) recipe: Arc<Recipe>,
    key: Option<Key>,
}

impl Opening {
    pub(super) fn new(inner: &Arc<Inner>, key: Key) -> Self {
        Self { inner: Arc::downgrade(inner), recipe: Arc::clone(&inner.recipe), key: Some(key) }
    }

    pub(super) fn end(mut self, opened: Result<Connection>) {
        let (Some(inner), Some(key)) = (self.inner.upgrade(), self.key.take()) else { return };
        match opened {
            Ok(connection) => inner.opened(key, connection),
            Err(e) => inner.failed_to_open(key, &e),
        }
    }

    /// It is not needed, which is nobody's fault.
    pub(super) fn withdraw(mut self) {
        if let (Some(inner), Some(key)) = (self.inner.upgrade(), self.key.take()) {
            inner.with(|p, out| p.unreserve(key, out));
            inner.emptied.notify_waiters();
        }
    }
}

impl Drop for Opening {
    fn drop(&mut self) {
        if let (Some(inner), Some(key)) = (self.inner.upgrade(), self.key.take()) {
            let message = "the task that was opening a connection ended before it had: its runtime has gone, or a hook panicked";
            inner.failed_to_open(key, &Error::new(ErrorKind::Closed, message));
        }
    }
}

/// A connection that is being made ready again, and is given up when this is dropped before it is.
struct Renewing {
    inner: Weak<Inner>,
    key: Key,
    verdict: Verdict,
}

impl Renewing {
    async fn run(mut self, recipe: Arc<Recipe>, connection: Connection, renewal: Renewal) {
        self.verdict = recipe.renew(&connection, renewal).await;
    }
}

impl Drop for Renewing {
    fn drop(&mut self) {
        if let Some(inner) = self.inner.upgrade() {
            inner.with(|p, out| p.renewed(self.key, Instant::now(), self.verdict, out));
        }
    }
}

/// Who is told of leases that are held for long.
pub(super) struct LongLeases {
    limit: Duration,
    report: Arc<dyn Fn(&LeaseReport) + Send + Sync>,
    /// Up to which moment of acquisition they have been told of.
    told: std::sync::Mutex<Option<Instant>>,
}

impl LongLeases {
    pub(super) fn new(limit: Duration, report: impl Fn(&LeaseReport) + Send + Sync + 'static) -> Self {
        Self { limit, report: Arc::new(report), told: std::sync::Mutex::default() }
    }

    /// Reports what is held for too long and has not been reported; answers when to look again. Each report is a task of
    /// its own, so that neither a slow one nor one that panics keeps the pool from being kept.
    fn look(&self, inner: &Inner, now: Instant) -> Option<Instant> {
        let until = now.checked_sub(self.limit);
        let from = std::mem::replace(&mut *super::inner::lock(&self.told), until);
        let is_new = |since: Instant| {
            until.is_some_and(|until| since <= until) && from.is_none_or(|from| since > from)
        };
        for lease in inner.leases(now).into_iter().filter(|lease| is_new(lease.since)) {
            let report = Arc::clone(&self.report);
            tokio::spawn(async move { report(&lease) });
        }
        now.checked_add((self.limit / 2).max(Duration::from_millis(1)))
    }
}

impl fmt::Debug for LongLeases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LongLeases").field("limit", &self.limit).finish_non_exhaustive()
    }
}
