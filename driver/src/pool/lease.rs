//! A connection on loan.

use std::ops::Deref;
use std::sync::Arc;

use crate::connection::Client;
use crate::pool::pooled::{Inner, Place, Pooled};

/// A connection of a [`Pool`](crate::Pool), for as long as this lives; its verbs are those of [`Client`].
///
/// Dropping it gives the connection back. A transaction that is still open then is rolled back, whoever holds
/// its handle.
#[derive(Debug)]
pub struct Lease {
    /// `None` only while it is being dropped. The place is given back after the connection is, so that whoever
    /// gets it finds the connection.
    loan: Option<(Pooled, Place)>,
    inner: Arc<Inner>,
}

impl Lease {
    pub(crate) fn new(pooled: Pooled, inner: Arc<Inner>, place: Place) -> Self {
        Self { loan: Some((pooled, place)), inner }
    }
}

impl Deref for Lease {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.loan.as_ref().expect("a lease has its connection until it is dropped").0.connection
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        if let Some((pooled, place)) = self.loan.take() {
            self.inner.give_back(pooled, place);
        }
    }
}
