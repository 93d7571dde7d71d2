//! What a pool tells of itself.

use std::fmt::Write as _;
use std::panic::Location;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::error::{Error, ErrorKind};
use crate::pool::borrower::{Borrower, Task};
use crate::pool::inner::{Inner, lock};
use crate::pool::policy::Mode;

/// What a pool looks like at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PoolSnapshot {
    /// Connections that somebody has.
    pub borrowed: usize,
    /// Connections that lie idle.
    pub available: usize,
    /// Connections that are being opened.
    pub opening: usize,
    /// Connections that have come back and are being made ready again by a hook.
    pub renewing: usize,
    /// Callers that wait.
    pub waiters: usize,
    /// The most connections that may be open.
    pub max_size: usize,
    /// The most callers that have ever waited at once.
    pub queue_high_water: usize,
}

/// What a pool has done since it was made.
///
/// Whoever asked for a connection has got one (`acquired`) or not (`timed_out`, `refused`, `failed`, `cancelled`), or
/// still waits. What was `opened` has been closed, for one of the reasons, or is still open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PoolCounters {
    /// Leases that were handed out.
    pub acquired: u64,
    /// Callers whose time was up.
    pub timed_out: u64,
    /// Callers that were sent away, because the queue was full or the pool closed.
    pub refused: u64,
    /// Callers that were told why no connection could be opened.
    pub failed: u64,
    /// Callers that went away by themselves.
    pub cancelled: u64,
    /// Connections that were opened.
    pub opened: u64,
    /// Attempts to open one that failed.
    pub failed_to_open: u64,
    /// Connections that were closed because they were too old.
    pub closed_by_age: u64,
    /// Connections that were closed because they lay idle for too long.
    pub closed_idle: u64,
    /// Connections that were lost, or did not answer when they were checked.
    pub broken: u64,
    /// Connections that were closed because their server refused to write (25006).
    pub evicted: u64,
    /// Connections that were closed because a hook did not want them.
    pub unwanted: u64,
    /// Connections that were closed because the pool was.
    pub stopped: u64,
    /// The most callers that have ever waited at once.
    pub queue_high_water: usize,
}

impl PoolCounters {
    /// Those of two pools together.
    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            acquired: self.acquired + other.acquired,
            timed_out: self.timed_out + other.timed_out,
            refused: self.refused + other.refused,
            failed: self.failed + other.failed,
            cancelled: self.cancelled + other.cancelled,
            opened: self.opened + other.opened,
            failed_to_open: self.failed_to_open + other.failed_to_open,
            closed_by_age: self.closed_by_age + other.closed_by_age,
            closed_idle: self.closed_idle + other.closed_idle,
            broken: self.broken + other.broken,
            evicted: self.evicted + other.evicted,
            unwanted: self.unwanted + other.unwanted,
            stopped: self.stopped + other.stopped,
            queue_high_water: self.queue_high_water.max(other.queue_high_water),
        }
    }
}

/// Somebody who has a connection of a pool.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct LeaseReport {
    /// Where in the source it was acquired.
    pub acquired_at: &'static Location<'static>,
    /// When it was asked for.
    pub since: Instant,
    /// How long ago that is.
    pub held: Duration,
    /// Whether it shares the connection.
    pub shared: bool,
}

impl Inner {
    pub(super) fn snapshot(&self) -> PoolSnapshot {
        let policy = self.policy();
        let standing = policy.standing();
        PoolSnapshot {
            borrowed: standing.lent,
            available: standing.idle,
            opening: standing.opening,
            renewing: standing.renewing,
            waiters: standing.waiting,
            max_size: self.recipe.rules.max_size,
            queue_high_water: policy.tally.high_water,
        }
    }

    pub(super) fn counters(&self) -> PoolCounters {
        let tally = self.policy().tally;
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        PoolCounters {
            acquired: read(&self.counts.acquired),
            timed_out: read(&self.counts.timed_out),
            refused: read(&self.counts.refused),
            failed: read(&self.counts.failed),
            cancelled: read(&self.counts.cancelled),
            opened: tally.opened,
            failed_to_open: tally.failed_to_open,
            closed_by_age: tally.too_old,
            closed_idle: tally.too_idle,
            broken: tally.broken,
            evicted: tally.read_only,
            unwanted: tally.unwanted,
            stopped: tally.stopped,
            queue_high_water: tally.high_water,
        }
    }

    /// Who has something, the longest first.
    pub(super) fn leases(&self, now: Instant) -> Vec<LeaseReport> {
        let report = |(borrower, mode): (&Borrower, Mode)| LeaseReport {
            acquired_at: borrower.at,
            since: borrower.since,
            held: now.saturating_duration_since(borrower.since),
            shared: mode == Mode::Shared,
        };
        let mut leases: Vec<_> = self.policy().borrowers().map(report).collect();
        leases.sort_by_key(|lease| lease.since);
        leases
    }

    /// Why there was no connection in time.
    #[cold]
    pub(super) fn timed_out(&self, caller: Task) -> Error {
        let now = Instant::now();
        let PoolSnapshot { borrowed, available, opening, waiters, max_size, .. } = self.snapshot();
        let limit = self.recipe.rules.acquire_timeout;
        let mut message = format!(
            "no connection within {limit:?}: {borrowed} of at most {max_size} are in use, {available} idle, {opening} being opened, {waiters} callers wait"
        );
        let own =
            self.policy().borrowers().find(|(borrower, _)| borrower.task == caller).map(|(own, _)| *own);
        if let Some(own) = own {
            let held = now.saturating_duration_since(own.since);
            add(
                &mut message,
                format_args!("; this task has one already, acquired {held:.1?} ago at {}", own.at),
            );
        }
        for lease in self.leases(now).iter().take(LONGEST_SHOWN) {
            add(
                &mut message,
                format_args!("; one is held for {:.1?}, acquired at {}", lease.held, lease.acquired_at),
            );
        }
        match &*lock(&self.last_failure) {
            Some((at, e)) => {
                let ago = now.saturating_duration_since(*at);
                add(&mut message, format_args!("; the last attempt to open one failed {ago:.1?} ago: {e}"));
                Error::caused(ErrorKind::Timeout, message, e.clone())
            }
            None => Error::new(ErrorKind::Timeout, message),
        }
    }
}

/// How many leases an error tells of.
const LONGEST_SHOWN: usize = 3;

fn add(message: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a text cannot fail.
    let _ = message.write_fmt(text);
}
