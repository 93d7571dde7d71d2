//! What a session has to be rid of before somebody else gets it.

use super::Pipeline;
use crate::error::ServerError;
use crate::proto::op::{Leaves, OpKey};
use crate::proto::traces::Traces;

/// What a borrower has left behind.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Remains {
    /// A transaction is open.
    pub(crate) transaction: bool,
    /// Settings were changed; the reset is on its way.
    pub(crate) settings: bool,
    /// Others may be waiting for what is to be let go.
    pub(crate) urgent: bool,
    /// The server refused to write, for no reason that lies with the borrower.
    pub(crate) refused_to_write: bool,
    /// The connection has ended.
    pub(crate) closed: bool,
}

impl Pipeline {
    /// A borrower has done: whatever it has changed of the session is reset ahead of the next operation. A `read_only`
    /// session is one that only reads again, if that is ours to say.
    pub(crate) fn end_loan(&mut self, read_only: bool) -> Remains {
        let traces = std::mem::take(&mut self.traces);
        if let Some(reset) = traces.reset(read_only && self.statements.has_names()) {
            self.prelude = Some(reset);
        }
        Remains {
            transaction: self.scopes.depth() > 0,
            settings: traces.has(Traces::SETTINGS),
            urgent: traces.has(Traces::LOCKS),
            refused_to_write: std::mem::take(&mut self.refused_to_write),
            closed: self.broken.is_some(),
        }
    }

    /// What has been done to the session so far is how it is meant to be; answers whether a transaction is open.
    pub(crate) fn accept(&mut self) -> bool {
        self.traces = Traces::default();
        self.refused_to_write = false;
        self.scopes.depth() > 0
    }

    /// Puts a script ahead of the next operation; the connection ends if it fails.
    pub(crate) fn set_prelude(&mut self, script: &str) {
        self.prelude = Some(script.to_owned());
    }

    /// Sends what is to go ahead of the next operation; `None` when there is nothing.
    pub(crate) fn send_prelude(&mut self) -> Option<OpKey> {
        let script = self.prelude.take()?;
        // It is made by us, so it can be sent.
        let key = self.script(&script, Leaves::Any, true).ok()?;
        self.slots.detach(key);
        Some(key)
    }

    /// Notes whether the server refuses to write, as one does that has become a standby.
    pub(super) fn note_refusal(&mut self, server: &ServerError) {
        let asked_for = self.reads_only && self.scopes.depth() > 0
            || self.traces.has(Traces::SETTINGS)
            || self.traces.has(Traces::READS_ONLY);
        self.refused_to_write |= server.code() == "25006" && !asked_for;
    }
}
