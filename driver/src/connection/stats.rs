//! What a connection has done so far.

use std::future::poll_fn;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::connection::client::Client;
use crate::error::{Error, ErrorKind};

impl Client {
    /// What the connection has done so far.
    pub fn stats(&self) -> Stats {
        let engine = &self.handle.0;
        let mut stats = engine.counters.stats();
        engine.look(|p| {
            stats.operations = p.operations;
            stats.waits = p.waits;
            stats.cache_hits = p.statements.hits;
            stats.cache_misses = p.statements.misses;
            stats.prepared = p.statements.len() as u64;
            stats.notices = p.session.notices();
            stats.dropped_notifications = p.session.dropped_notifications();
        });
        stats
    }

    /// How many statements are prepared on the connection now.
    pub fn prepared_plan_count(&self) -> usize {
        self.handle.0.look(|p| p.statements.len())
    }

    /// How many notifications were lost: nobody had asked for any, or nobody took them in time.
    pub fn dropped_notifications(&self) -> u64 {
        self.handle.0.look(|p| p.session.dropped_notifications())
    }

    /// Whether the connection cannot be used any more.
    pub fn is_closed(&self) -> bool {
        self.handle.0.look(|p| p.broken().is_some())
    }

    /// Waits until the connection cannot be used any more, and answers why: an idle one notices its end too.
    ///
    /// ```no_run
    /// # async fn f(connection: wreath_driver::Connection) {
    /// let watched = connection.clone();
    /// tokio::spawn(async move { eprintln!("the connection is gone: {}", watched.closed().await) });
    /// # }
    /// ```
    pub async fn closed(&self) -> Error {
        let engine = &self.handle.0;
        poll_fn(|cx| engine.poll_closed(cx)).await;
        self.end()
    }

    /// Why the connection has ended.
    pub(crate) fn end(&self) -> Error {
        let end = self.handle.0.look(|p| p.broken().cloned());
        end.unwrap_or_else(|| Error::new(ErrorKind::Closed, "the connection is closed"))
    }
}

/// Counters of a connection since it was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Operations that were submitted: statements, scripts, COPY, what begins and ends transactions.
    pub operations: u64,
    /// Those of them that were submitted while others had not been answered, and so had to wait for those.
    pub waits: u64,
    /// Flights: runs of writes with no read between them. A lone statement is one; statements that are sent
    /// together share one.
    pub round_trips: u64,
    /// System calls that wrote something; over TLS, what was given to it at once.
    pub writes: u64,
    /// System calls that read something; over TLS, what was taken from it at once.
    pub reads: u64,
    /// Bytes sent, before they are encrypted.
    pub bytes_out: u64,
    /// Bytes received, after they are decrypted.
    pub bytes_in: u64,
    /// Statements that were found in the statement cache.
    pub cache_hits: u64,
    /// Statements that had to be prepared.
    pub cache_misses: u64,
    /// Statements that are prepared now.
    pub prepared: u64,
    /// Notices that the server sent.
    pub notices: u64,
    /// Notifications that were lost: nobody had asked for any, or nobody took them in time.
    pub dropped_notifications: u64,
}

/// The counters of the socket. They are statistics: nothing is ordered by them.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    round_trips: AtomicU64,
    writes: AtomicU64,
    reads: AtomicU64,
    bytes_out: AtomicU64,
    bytes_in: AtomicU64,
}

impl Counters {
    pub(crate) fn wrote(&self, bytes: usize, new_flight: bool) {
        self.writes.fetch_add(1, Ordering::Relaxed);
        self.bytes_out.fetch_add(bytes as u64, Ordering::Relaxed);
        self.round_trips.fetch_add(u64::from(new_flight), Ordering::Relaxed);
    }

    pub(crate) fn read(&self, bytes: usize) {
        self.reads.fetch_add(1, Ordering::Relaxed);
        self.bytes_in.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    pub(crate) fn stats(&self) -> Stats {
        Stats {
            round_trips: self.round_trips.load(Ordering::Relaxed),
            writes: self.writes.load(Ordering::Relaxed),
            reads: self.reads.load(Ordering::Relaxed),
            bytes_out: self.bytes_out.load(Ordering::Relaxed),
            bytes_in: self.bytes_in.load(Ordering::Relaxed),
            ..Stats::default()
        }
    }
}
