//! The task that each connection has.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tokio::time::{Sleep, sleep};

use crate::connection::engine::Engine;
use crate::proto::limits::STALL_LIMIT;

/// Drives a connection whenever no caller does. When the runtime drops it, every operation that waits fails.
#[derive(Debug)]
pub(crate) struct Resident {
    engine: Arc<Engine>,
    /// Runs while others wait for somebody to go on, and what had been done when it was started.
    stalled: Option<(u64, Pin<Box<Sleep>>)>,
}

impl Resident {
    pub(crate) fn new(engine: Arc<Engine>) -> Self {
        Self { engine, stalled: None }
    }
}

impl Future for Resident {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        loop {
            if self.engine.poll_resident(cx).is_ready() {
                return Poll::Ready(());
            }
            let Some(progress) = self.engine.stalled() else {
                self.stalled = None;
                return Poll::Pending;
            };
            if self.stalled.as_ref().is_none_or(|(at, _)| *at != progress) {
                self.stalled = Some((progress, Box::pin(sleep(STALL_LIMIT))));
            }
            let Some((_, sleep)) = &mut self.stalled else { return Poll::Pending };
            ready!(sleep.as_mut().poll(cx));
            self.stalled = None;
            self.engine.cut_stalled();
        }
    }
}

impl Drop for Resident {
    fn drop(&mut self) {
        self.engine.orphaned();
    }
}
