//! How far a stream has got.

use std::sync::atomic::{AtomicU64, Ordering};

use wreath_codecs::frame::replication::StatusUpdate;

/// How far a stream has got. None of these ever goes back.
#[derive(Debug, Default)]
pub(super) struct Progress {
    received: AtomicU64,
    /// Where the last of what has been handed out began.
    handed: AtomicU64,
    confirmed: AtomicU64,
}

impl Progress {
    /// A message of the log has arrived, and is handed out.
    pub(super) fn handed(&self, start: u64, end: u64) {
        self.handed.fetch_max(start, Ordering::Relaxed);
        self.received.fetch_max(end, Ordering::Relaxed);
    }

    /// The server has sent all that is of interest up to `end`. When all that was handed out has been confirmed, so is
    /// this: else a quiet database's log would be kept for ever. In the middle of a transaction `end` lies before its
    /// commit, so none is passed over.
    pub(super) fn alive(&self, end: u64) {
        self.received.fetch_max(end, Ordering::Relaxed);
        if self.confirmed() >= self.handed.load(Ordering::Relaxed) {
            self.confirm(end);
        }
    }

    pub(super) fn confirm(&self, position: u64) {
        self.confirmed.fetch_max(position, Ordering::Relaxed);
    }

    pub(super) fn confirmed(&self) -> u64 {
        self.confirmed.load(Ordering::Relaxed)
    }

    pub(super) fn status(&self, clock: i64) -> StatusUpdate {
        let confirmed = self.confirmed();
        let written = self.received.load(Ordering::Relaxed).max(confirmed);
        StatusUpdate { written, flushed: confirmed, applied: confirmed, clock, reply: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quiet_server_is_confirmed_only_when_all_before_has_been() {
        let progress = Progress::default();
        let flushed = || progress.status(0).flushed;
        progress.alive(10);
        assert_eq!(flushed(), 10);
        progress.handed(20, 25);
        progress.alive(30);
        assert_eq!((flushed(), progress.status(0).written), (10, 30));
        progress.confirm(20);
        progress.confirm(5);
        assert_eq!(flushed(), 20);
        progress.alive(40);
        assert_eq!(flushed(), 40);
        // A transaction that began before what has been confirmed.
        progress.handed(15, 41);
        progress.alive(50);
        assert_eq!(flushed(), 50);
    }
}
