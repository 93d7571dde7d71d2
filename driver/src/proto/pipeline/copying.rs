//! Results that are taken piece by piece, and COPY.

use std::task::Waker;

use wreath_codecs::frame::frontend;

use super::answer::unexpected;
use super::{Pipeline, Wakers};
use crate::error::{Error, ErrorKind, Result};
use crate::proto::lexer;
use crate::proto::limits::MAX_COPY_BYTES;
use crate::proto::op::{Op, OpKey, Outcome, Piece, Work};
use crate::proto::scope::Scope;

/// Which way a COPY goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    In,
    Out,
}

/// Whether data can be sent.
pub(crate) enum Asked {
    /// The server waits for it.
    Yes,
    /// The operation has ended before.
    Ended(Outcome),
}

impl Pipeline {
    /// Submits a COPY statement. It goes through the simple protocol, where the server answers it as a whole, and
    /// nothing is emitted behind it before that.
    pub(crate) fn submit_copy(&mut self, sql: &str, direction: Direction, scope: Scope) -> Result<OpKey> {
        self.admit(scope, 1)?;
        if !lexer::first_word(sql).eq_ignore_ascii_case("copy") {
            return Err(Error::new(ErrorKind::Unsupported, "this verb runs COPY statements only"));
        }
        let leaves = self.leaves();
        let key = self.script(sql, leaves, false)?;
        if let Some(op) = self.slots.waiting(key) {
            op.work = match direction {
                Direction::In => Work::CopyIn { asked: false },
                Direction::Out => Work::CopyOut,
            };
            op.cancellable = true;
        }
        self.close_gate(key);
        Ok(key)
    }

    /// The server wants data: whoever has it is woken. Where nobody has any, the server is told.
    pub(super) fn data_asked_for(&mut self, wake: &mut Wakers) -> Result<()> {
        let key = *self.queue.front().ok_or_else(|| unexpected("CopyInResponse"))?;
        let op = self.slots.waiting(key).ok_or_else(|| unexpected("CopyInResponse"))?;
        match &mut op.work {
            Work::CopyIn { asked: asked @ false } if !op.detached => {
                *asked = true;
                wake.extend(self.slots.take_waker(key));
                return Ok(());
            }
            Work::Script | Work::Results(_) | Work::CopyOut | Work::CopyIn { .. } => {}
            Work::Run { .. } | Work::Describe { .. } | Work::Close | Work::CopyBoth { .. } => {
                return Err(unexpected("CopyInResponse"));
            }
        }
        op.failed(Error::new(ErrorKind::Unsupported, "COPY FROM STDIN is run by copy_in and copy_rows"));
        // Not behind the gate: this belongs to the operation that closed it.
        frontend::copy_fail(&mut self.out, "nobody has data to copy")
            .map_err(|e| Error::protocol(e.to_string()))
    }

    /// Whether data can be sent for a COPY; else notes whom to wake.
    pub(crate) fn poll_asked(
        &mut self,
        key: OpKey,
        waker: &Waker,
        displaced: &mut Option<Waker>,
    ) -> Option<Asked> {
        let ended = self.slots.poll(key, waker, displaced).map(Asked::Ended);
        let asked =
            |op: &mut Op| matches!(op.work, Work::CopyIn { asked: true } | Work::CopyBoth { asked: true });
        ended.or_else(|| self.slots.waiting(key).is_some_and(asked).then_some(Asked::Yes))
    }

    /// Sends data for a COPY. `false` when the operation has ended or failed: its outcome says why.
    pub(crate) fn copy_data(&mut self, key: OpKey, data: &[u8]) -> Result<bool> {
        let ended = |op: &Op| op.error.is_some() || matches!(op.work, Work::CopyBoth { asked: false });
        let open = self.slots.waiting(key).is_some_and(|op| !ended(op));
        if open {
            self.progress += 1;
            frontend::copy_data(&mut self.out, data)
                .map_err(|e| Error::caused(ErrorKind::Encode, format!("the data cannot be sent: {e}"), e))?;
        }
        Ok(open)
    }

    /// Ends the data of a COPY, well or with the reason why not; `false` when it has ended before.
    pub(crate) fn copy_end(&mut self, key: OpKey, failure: Option<&str>) -> bool {
        match self.slots.waiting(key).map(|op| &mut op.work) {
            Some(Work::CopyIn { asked: asked @ true }) => *asked = false,
            Some(Work::CopyBoth { asked: asked @ true }) => {
                // There is no other way to end it.
                *asked = false;
                frontend::copy_done(&mut self.out);
                return true;
            }
            _ => return false,
        }
        match failure {
            None => frontend::copy_done(&mut self.out),
            Some(reason) => {
                let sent = frontend::copy_fail(&mut self.out, reason.replace('\0', " "));
                debug_assert!(sent.is_ok(), "only a zero byte could be refused");
            }
        }
        true
    }

    /// Whether more COPY data may be sent, as far as memory goes.
    pub(crate) fn has_room(&self) -> bool {
        self.out.len() < MAX_COPY_BYTES
    }

    /// Takes the next piece of a result; else notes whom to wake.
    pub(crate) fn poll_piece(
        &mut self,
        key: OpKey,
        waker: &Waker,
        displaced: &mut Option<Waker>,
    ) -> Option<Piece> {
        self.progress += 1;
        self.slots.poll_piece(key, waker, displaced)
    }

    /// Whether nothing may be read because a piece has to be taken first.
    pub(crate) fn is_paused(&mut self) -> bool {
        self.current().is_some_and(|op| op.paused)
    }

    /// Whether others wait behind a result that nobody takes, or behind a COPY that nobody feeds; so does the end of a
    /// connection that is `closing`. What it answers changes whenever something is taken or fed.
    pub(crate) fn stalled(&mut self, closing: bool) -> Option<u64> {
        let idle = self.out.is_empty();
        let stalled = (closing || self.queue.len() > 1)
            && self
                .current()
                .is_some_and(|op| op.paused || idle && matches!(op.work, Work::CopyIn { asked: true }));
        stalled.then_some(self.progress)
    }

    /// Gives up what [stalls](Self::stalled), for the sake of those who wait behind it.
    pub(crate) fn cut_stalled(&mut self, closing: bool) {
        if self.stalled(closing).is_none() {
            return;
        }
        let Some(&key) = self.queue.front() else { return };
        if let Some(op) = self.slots.waiting(key) {
            op.paused = false;
            op.failed(Error::new(
                ErrorKind::Stalled,
                "given up half way: nobody took what came, or sent what was waited for, and other operations, or the end of the connection, waited behind it",
            ));
        }
        self.copy_end(key, Some("nobody sends data"));
    }
}
