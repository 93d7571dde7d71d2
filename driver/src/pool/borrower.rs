//! Who has a connection.

use std::panic::Location;
use std::thread::{self, ThreadId};
use std::time::Instant;

/// Somebody who has a connection of a pool, or waits for one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Borrower {
    pub(super) task: Task,
    /// Where in the source it asked.
    pub(super) at: &'static Location<'static>,
    /// Since when it has it, or waits.
    pub(super) since: Instant,
}

/// What cannot go on while it waits: a task, or outside of one, a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Task {
    Task(tokio::task::Id),
    Thread(ThreadId),
}

impl Task {
    pub(super) fn current() -> Self {
        tokio::task::try_id().map_or_else(|| Self::Thread(thread::current().id()), Self::Task)
    }
}
