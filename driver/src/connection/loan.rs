//! What a pool asks of its connections.

use std::future::{Future, poll_fn};
use std::sync::Arc;
use std::time::Duration;

use crate::connection::client::Client;
use crate::connection::handle::Connection;
use crate::error::Error;
use crate::proto::pipeline::{Pipeline, Remains};
use crate::proto::scope::{OUTSIDE, SHARED};

impl Connection {
    /// A handle for a borrower, whose verbs take at most `limit`; one that shares the connection with others opens no
    /// transaction.
    pub(crate) fn lend(&self, shared: bool, limit: Option<Duration>) -> Client {
        Client { scope: if shared { SHARED } else { OUTSIDE }, limit, ..self.share() }
    }

    /// How much of what it was asked has not been answered yet, and how much has; `None` once it has ended.
    pub(crate) fn load(&self) -> Option<(usize, u64)> {
        self.handle.0.look(|p| p.broken().is_none().then(|| (p.in_flight(), p.answered)))
    }

    /// Puts a script ahead of the next statement; the connection ends if it fails.
    pub(crate) fn begin_with(&self, script: &str) {
        self.handle.0.look(|p| p.set_prelude(script));
    }

    /// Whether the session may be another one after each transaction, as behind a pooler.
    pub(crate) fn is_passed_around(&self) -> bool {
        self.handle.0.look(|p| !p.statements.has_names())
    }

    /// What has been done to the session so far is how its borrowers shall find it.
    pub(crate) fn accept(&self) {
        let engine = &self.handle.0;
        if engine.look(Pipeline::accept) {
            engine.submit_detached(Pipeline::rollback_all);
        }
    }

    /// Ends it when what is in flight has been answered, whoever still has a handle.
    pub(crate) fn retire(self) {
        self.handle.0.close();
    }

    /// Ends it at once; whatever the server may be doing for it is cancelled.
    pub(crate) fn abort(&self, cause: Error) {
        let engine = &self.handle.0;
        let busy = engine.look(|p| p.in_flight() > 0);
        engine.fail(cause);
        if let Some(cancel) = engine.cancel.clone().filter(|_| busy) {
            engine.runtime.spawn(async move { cancel.send().await });
        }
    }
}

impl Client {
    /// Ready when it has ended, which waiting for does not prevent.
    pub(crate) fn ended(&self) -> impl Future<Output = ()> + Send + use<> {
        let engine = Arc::clone(&self.handle.0);
        async move { poll_fn(|cx| engine.poll_closed(cx)).await }
    }

    /// The same handle, whose verbs take as long as they take. It must not outlive this one.
    pub(crate) fn patient(&self) -> Self {
        Self { limit: None, ..self.share() }
    }

    /// A borrower has done: whatever transaction is open is rolled back, and its handle void; what else it has changed
    /// is reset with the next flight, or at once where others may wait for that. A `read_only` session only reads again.
    pub(crate) fn end_loan(&self, read_only: bool) -> Remains {
        let engine = &self.handle.0;
        let remains = engine.look(|p| p.end_loan(read_only));
        if remains.transaction {
            engine.submit_detached(Pipeline::rollback_all);
        }
        if remains.urgent {
            engine.submit_detached(Pipeline::send_prelude);
        }
        remains
    }
}
