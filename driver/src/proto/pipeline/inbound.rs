//! Bytes in: what a server sends, message by message.

use bytes::{Buf, BytesMut};
use wreath_codecs::frame::{backend, header};

use super::answer::{handle_reply, settle_statement, unexpected};
use super::{Pipeline, Wakers};
use crate::error::{Error, ErrorKind, Result, ServerError};
use crate::proto::op::{Leaves, Op, OpKey};

impl Pipeline {
    /// Takes the whole messages that `buffer` starts with. What is left is the beginning of one.
    pub(crate) fn handle_input(&mut self, buffer: &mut BytesMut, wake: &mut Wakers) -> Result<()> {
        loop {
            let start = self.run.bytes;
            let head = header(&buffer[start..], self.options.max_message)
                .map_err(|e| Error::protocol(format!("the server broke the protocol: {e}")))?;
            let Some(head) = head.filter(|h| buffer.len() - start >= h.len) else { break };
            if matches!(head.tag, b'D' | b'd') && (start == 0 || self.run.tag == head.tag) {
                self.run.tag = head.tag;
                self.run.bytes += head.len;
                self.run.messages += 1;
                continue;
            }
            if start > 0 {
                self.end_run(buffer, wake)?;
                continue;
            }
            self.handle_message(head.tag, &buffer[5..head.len], wake)?;
            buffer.advance(head.len);
        }
        // A long result is handed over piece by piece, so that the buffer need not hold all of it.
        self.end_run(buffer, wake)
    }

    /// Hands the run at the front of `buffer` to the operation that is being answered.
    fn end_run(&mut self, buffer: &mut BytesMut, wake: &mut Wakers) -> Result<()> {
        let run = std::mem::take(&mut self.run);
        if run.bytes == 0 {
            return Ok(());
        }
        let chunk = buffer.split_to(run.bytes).freeze();
        let message = if run.tag == b'D' { "DataRow" } else { "CopyData" };
        let key = self.current_key().ok_or_else(|| unexpected(message))?;
        let op = self.slots.waiting(key).ok_or_else(|| unexpected(message))?;
        if !op.pieces_arrived(run.tag, chunk, run.messages) {
            return Err(unexpected(message));
        }
        if op.overflows(self.options.max_result) {
            self.overflown = Some(key);
        }
        if op.streams() {
            wake.extend(self.slots.take_waker(key));
        }
        Ok(())
    }

    /// An operation whose result has grown too large since this was last asked.
    pub(crate) fn take_overflown(&mut self) -> Option<OpKey> {
        self.overflown.take()
    }

    /// The operation that is being answered.
    pub(super) fn current_key(&self) -> Option<OpKey> {
        self.queue.get(self.at).copied()
    }

    pub(super) fn current(&mut self) -> Option<&mut Op> {
        let key = self.current_key()?;
        self.slots.waiting(key)
    }

    fn handle_message(&mut self, tag: u8, body: &[u8], wake: &mut Wakers) -> Result<()> {
        use backend::Message as M;

        let message = M::decode(tag, body)
            .map_err(|e| Error::protocol(format!("the server broke the protocol: {e}")))?;
        match message {
            M::NoticeResponse(fields) => self.session.notice(ServerError::from_fields(&fields)),
            M::ParameterStatus(parameter) => self.parameter_changed(&parameter)?,
            M::NotificationResponse(sent) => self.session.notified(sent),
            M::ErrorResponse(fields) => self.handle_error(ServerError::from_fields(&fields)),
            M::ReadyForQuery(status) => self.handle_ready(status, wake)?,
            M::CopyInResponse(_) => self.data_asked_for(wake)?,
            M::CopyBothResponse(_) => self.both_ways(wake)?,
            M::CopyDone if self.one_way_ended() => {}
            other => {
                let op = self.current().ok_or_else(|| unexpected(other.name()))?;
                handle_reply(op, other)?;
                // The server goes on with the next one of the group.
                let goes_on = op.answered && !op.last;
                self.at += usize::from(goes_on);
            }
        }
        Ok(())
    }

    fn parameter_changed(&mut self, parameter: &backend::ParameterStatus<'_>) -> Result<()> {
        self.session.parameter_changed(parameter);
        let Some(other) = self.session.foreign_encoding() else { return Ok(()) };
        let message = format!("client_encoding was set to {other}, and only UTF8 is spoken here");
        Err(Error::protocol(message))
    }

    fn handle_error(&mut self, server: ServerError) {
        let fatal = server.is_fatal();
        self.note_refusal(&server);
        let Some(op) = self.current() else {
            // Between operations only a server that ends the session has something to say.
            if fatal {
                self.session.farewell(Error::server_error(ErrorKind::Closed, server));
            }
            return;
        };
        let kind = if fatal { ErrorKind::Closed } else { ErrorKind::Server };
        let mut error = Error::server_error(kind, server);
        if let Some(statement) = op.work.statement() {
            error = error.in_statement(&statement.sql);
        }
        if fatal {
            self.session.farewell(error.clone());
        }
        if let Some(op) = self.current() {
            op.failed(error);
        }
    }

    fn handle_ready(&mut self, status: backend::TransactionStatus, wake: &mut Wakers) -> Result<()> {
        // They stay in the queue to the end: should the connection break here, they fail with the others.
        let key = self.current_key().ok_or_else(|| unexpected("ReadyForQuery"))?;
        let idle = status == backend::TransactionStatus::Idle;
        let op = self.slots.waiting(key).ok_or_else(|| unexpected("ReadyForQuery"))?;
        if !op.answered && op.error.is_none() {
            return Err(unexpected("ReadyForQuery"));
        }
        let (leaves, vital) = (op.leaves, op.vital);
        let count = self.settle_group();
        if vital && let Some(e) = self.vital_failure(key, idle) {
            return Err(e);
        }
        match leaves {
            Leaves::Idle if !idle => self.unmanaged(key)?,
            Leaves::Transaction if idle => self.transaction_lost(key),
            Leaves::Idle | Leaves::Transaction | Leaves::Any => {}
        }
        self.failed = status == backend::TransactionStatus::Failed;
        self.rolling_back &= !idle;
        self.at = 0;
        self.answered += 1;
        for key in self.queue.drain(..count) {
            wake.extend(self.slots.finish(key, Op::finish));
            if let Some(gate) = self.gate.as_mut().filter(|gate| gate.key == key) {
                gate.answered = true;
            }
        }
        if self.gate.as_ref().is_some_and(|gate| gate.answered && !gate.cancelling) {
            self.open_gate();
        }
        Ok(())
    }

    /// What the connection depended on has not happened.
    fn vital_failure(&mut self, key: OpKey, idle: bool) -> Option<Error> {
        let why = "the session could not be brought back into a known state";
        let error = self.slots.waiting(key).and_then(|op| op.error.as_ref());
        match error {
            Some(e) => Some(e.recast(ErrorKind::Closed, why)),
            None if idle => None,
            None => Some(Error::new(ErrorKind::Closed, why)),
        }
    }

    /// What the end of a group means for each of its operations, and for the statements that they ran. Answers how many
    /// they are.
    fn settle_group(&mut self) -> usize {
        // An error of the Sync itself is everyone's.
        let of_all = self.current().filter(|op| op.last && op.answered).and_then(|op| op.error.clone());
        let of_all = of_all.filter(|e| self.at > 0 && e.server().is_some());
        let mut failure: Option<Error> = None;
        for i in 0..self.queue.len() {
            let Some(op) = self.slots.waiting(self.queue[i]) else { continue };
            settle_statement(&mut self.statements, op);
            if let Some(cause) = &failure {
                op.failed(not_run(cause));
            } else if let Some(error) = &of_all {
                op.failed(error.clone());
            }
            if op.last {
                return i + 1;
            }
            if i == self.at {
                failure.clone_from(&op.error);
            }
        }
        self.queue.len()
    }
}

#[cold]
fn not_run(cause: &Error) -> Error {
    let message = format!("not run, because a statement before it has failed: {cause}");
    Error::new(ErrorKind::NotRun, message)
}
