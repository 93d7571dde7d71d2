//! Data in both directions at once, as replication has it (PostgreSQL manual, "Message Flow", COPY Operations).

use wreath_codecs::frame::frontend;

use super::answer::unexpected;
use super::{Pipeline, Wakers};
use crate::error::Result;
use crate::proto::op::{OpKey, Work};
use crate::proto::scope::OUTSIDE;

impl Pipeline {
    /// Submits a command that goes on to copy in both directions. Nothing is emitted behind it before it has ended.
    #[cfg_attr(not(feature = "replication"), expect(dead_code, reason = "only replication asks for it"))]
    pub(crate) fn submit_both(&mut self, command: &str) -> Result<OpKey> {
        self.admit(OUTSIDE, 1)?;
        let key = self.script(command, self.leaves(), false)?;
        if let Some(op) = self.slots.waiting(key) {
            op.work = Work::CopyBoth { asked: false };
        }
        self.close_gate(key);
        Ok(key)
    }

    /// Data can go both ways: whoever asked is woken. Where nobody is there any more, it ends at once.
    pub(super) fn both_ways(&mut self, wake: &mut Wakers) -> Result<()> {
        let key = *self.queue.front().ok_or_else(|| unexpected("CopyBothResponse"))?;
        let op = self.slots.waiting(key).ok_or_else(|| unexpected("CopyBothResponse"))?;
        let Work::CopyBoth { asked: asked @ false } = &mut op.work else {
            return Err(unexpected("CopyBothResponse"));
        };
        if op.detached {
            frontend::copy_done(&mut self.out);
        } else {
            *asked = true;
            wake.extend(self.slots.take_waker(key));
        }
        Ok(())
    }

    /// The connection is to end: what copies in both directions has no end of its own, and gets one.
    pub(crate) fn end_both(&mut self) {
        if let Some(&key) = self.queue.front()
            && self.slots.waiting(key).is_some_and(|op| matches!(op.work, Work::CopyBoth { .. }))
        {
            self.copy_end(key, None);
        }
    }

    /// The server has no more data; `false` where it was not the one of two that send. It waits for the client to have
    /// none either.
    pub(super) fn one_way_ended(&mut self) -> bool {
        let Some(&key) = self.queue.front() else { return false };
        let both = self.slots.waiting(key).is_some_and(|op| matches!(op.work, Work::CopyBoth { .. }));
        self.end_both();
        both
    }
}
