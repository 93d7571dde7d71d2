//! The task that each connection has.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use crate::connection::engine::Engine;

/// Drives a connection whenever no caller does. When the runtime drops it, every operation that waits fails.
#[derive(Debug)]
pub(crate) struct Resident(pub(crate) Arc<Engine>);

impl Future for Resident {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        self.0.poll_resident(cx)
    }
}

impl Drop for Resident {
    fn drop(&mut self) {
        self.0.orphaned();
    }
}
