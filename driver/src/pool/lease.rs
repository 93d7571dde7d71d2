//! A connection on loan.

use std::ops::Deref;
use std::sync::Arc;

use tokio::sync::OwnedSemaphorePermit;

use crate::connection::Client;
use crate::pool::pooled::{Inner, Pooled};

/// A connection of a [`Pool`](crate::Pool), for as long as this lives; its verbs are those of [`Client`].
///
/// Dropping it gives the connection back. A transaction that is still open then is rolled back, whoever holds
/// its handle.
#[derive(Debug)]
pub struct Lease {
    /// `None` only while it is being dropped.
    pooled: Option<Pooled>,
    inner: Arc<Inner>,
    /// Given back after the connection is, so that whoever gets it finds the connection.
    _permit: OwnedSemaphorePermit,
}

impl Lease {
    pub(crate) fn new(pooled: Pooled, inner: Arc<Inner>, permit: OwnedSemaphorePermit) -> Self {
        Self { pooled: Some(pooled), inner, _permit: permit }
    }
}

impl Deref for Lease {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.pooled.as_ref().expect("a lease has its connection until it is dropped").connection
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        if let Some(pooled) = self.pooled.take() {
            self.inner.give_back(pooled);
        }
    }
}
