//! Operations in flight on one connection: frames out, frames in, results to their callers.
//!
//! An operation ends with its own Sync, or is one simple Query, so an error fails that operation alone and
//! exactly one ReadyForQuery answers it. Operations may also be a *group* that has one Sync at its end: the server skips
//! what follows the one that fails, undoes what came before it, and answers all of them with one ReadyForQuery. Results
//! come in the order of the operations; that order is the only thing that ties a result to its operation.

mod answer;
mod both;
mod copying;
mod inbound;
mod loan;
mod portal;
mod submit;
mod transaction;
mod withdraw;

pub(crate) use copying::{Asked, Direction};
pub(crate) use loan::Remains;
pub(crate) use submit::{Call, Manner, Submitted};
pub(crate) use transaction::{BEGIN, Committing, End, READ_ONLY};

use std::collections::VecDeque;
use std::sync::Arc;
use std::task::Waker;

use bytes::BytesMut;
use smallvec::SmallVec;
use wreath_codecs::frame::{FrameError, frontend};

use crate::error::{Error, ErrorKind, Result};
use crate::proto::lexer;
use crate::proto::limits::{MAX_OPERATIONS, MAX_UNSENT_BYTES};
use crate::proto::op::{Leaves, Op, OpKey, Outcome, Slots, Unsent, Work};
use crate::proto::results::Results;
use crate::proto::scope::{Scope, Scopes};
use crate::proto::session::Session;
use crate::proto::statement::StatementCache;
use crate::proto::traces::Traces;

/// Whom to wake.
pub(crate) type Wakers = SmallVec<[Waker; 8]>;

/// The protocol core of an established connection.
#[derive(Debug)]
pub(crate) struct Pipeline {
    /// Frames to be written.
    out: BytesMut,
    /// How often frames have been taken to be written.
    round: u64,
    /// Operations that wait until `gate` has been answered.
    held: VecDeque<Held>,
    held_bytes: usize,
    gate: Option<Gate>,
    /// Operations in the order that they were submitted in. The first group of them is being answered.
    queue: VecDeque<OpKey>,
    /// The place in that group of the operation that is being answered.
    at: usize,
    slots: Slots,
    scopes: Scopes,
    /// Whether a ROLLBACK has been queued because of a transaction that nobody opened through the driver.
    rolling_back: bool,
    /// Whether the transaction had failed when the server was last ready.
    failed: bool,
    pub(crate) statements: StatementCache,
    pub(crate) session: Session,
    options: Options,
    run: Run,
    /// An operation whose result has grown too large since that was last asked.
    overflown: Option<OpKey>,
    /// Counts what is taken of results, and fed to COPY, piece by piece.
    progress: u64,
    /// Operations that have been submitted, and those of them that others were before.
    pub(crate) operations: u64,
    pub(crate) waits: u64,
    /// How often the server has been ready again.
    pub(crate) answered: u64,
    /// What has been done to the session since it was lent.
    traces: Traces,
    /// A script that goes ahead of the next operation.
    prelude: Option<String>,
    /// Whether the transaction was opened for reading only.
    reads_only: bool,
    /// Whether the server refused to write for no reason that lies with the caller.
    refused_to_write: bool,
    broken: Option<Error>,
}

/// What a connection may be told about its operations.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    /// The longest message that is taken.
    pub(crate) max_message: usize,
    /// The most bytes of a result that is not taken piece by piece.
    pub(crate) max_result: usize,
    /// Whether statements that read share a Sync where the session only reads.
    pub(crate) coalesces: bool,
}

#[cfg(any(test, feature = "fuzzing"))]
impl Options {
    pub(crate) fn new(max_message: usize) -> Self {
        Self { max_message, max_result: usize::MAX, coalesces: false }
    }
}

/// An operation that waits for the gate.
#[derive(Debug)]
struct Held {
    key: OpKey,
    frames: BytesMut,
    /// Whether it closes the gate again, behind itself.
    closes_gate: bool,
}

/// An operation that must be alone: nothing is emitted behind it until it is answered, and until a cancel request
/// that was made for it can hit no other.
#[derive(Debug)]
struct Gate {
    key: OpKey,
    answered: bool,
    cancelling: bool,
    /// Whether a cancel request has been made for it, which is then made again for as long as it runs.
    asked: bool,
}

impl Gate {
    fn new(key: OpKey) -> Self {
        Self { key, answered: false, cancelling: false, asked: false }
    }
}

/// Whole messages with one tag, DataRow or CopyData, at the front of the read buffer: they belong to the first
/// operation, and are handed to it together.
#[derive(Debug, Default)]
struct Run {
    tag: u8,
    bytes: usize,
    messages: usize,
}

/// What is kept of a script's results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keep {
    Tags,
    Rows,
}

impl Pipeline {
    pub(crate) fn new(session: Session, statements: StatementCache, options: Options) -> Self {
        Self {
            out: BytesMut::new(),
            round: 0,
            held: VecDeque::new(),
            held_bytes: 0,
            gate: None,
            queue: VecDeque::new(),
            at: 0,
            slots: Slots::default(),
            scopes: Scopes::default(),
            rolling_back: false,
            failed: false,
            statements,
            session,
            options,
            run: Run::default(),
            overflown: None,
            progress: 0,
            operations: 0,
            waits: 0,
            answered: 0,
            traces: Traces::default(),
            prelude: None,
            reads_only: false,
            refused_to_write: false,
            broken: None,
        }
    }

    // --- operations in

    /// Submits a script through the simple protocol.
    pub(crate) fn submit_script(&mut self, script: &str, keep: Keep, scope: Scope) -> Result<OpKey> {
        self.admit(scope, 1)?;
        let key = self.script(script, self.leaves(), false)?;
        self.traces |= Traces::of(script);
        if let Some(op) = self.slots.waiting(key) {
            op.cancellable = true;
            if keep == Keep::Rows {
                op.work = Work::Results(Results::default());
            }
        }
        // Whether it really copies shows only when the server asks for data, and what follows must not be
        // taken for the data.
        if lexer::contains_word(script, "copy") {
            self.close_gate(key);
        }
        Ok(key)
    }

    /// Emits nothing more behind the operation that was submitted last until it is answered.
    fn close_gate(&mut self, key: OpKey) {
        match self.held.back_mut() {
            Some(held) => held.closes_gate = true,
            None => self.gate = Some(Gate::new(key)),
        }
    }

    fn script(&mut self, script: &str, leaves: Leaves, vital: bool) -> Result<OpKey> {
        let mut op = Op::new(Work::Script, leaves);
        op.vital = vital;
        self.emit(op, |out| frontend::query(out, script)).map_err(|(_, e)| not_sent(e))
    }

    /// What a statement of the innermost scope leaves behind.
    fn leaves(&self) -> Leaves {
        if self.scopes.depth() == 0 { Leaves::Idle } else { Leaves::Transaction }
    }

    fn alive(&self) -> Result<()> {
        self.broken
            .as_ref()
            .map_or(Ok(()), |cause| Err(cause.recast(ErrorKind::Closed, "the connection is closed")))
    }

    /// Whether `count` more operations of `scope` may be taken; what has to go ahead of them does.
    fn admit(&mut self, scope: Scope, count: usize) -> Result<()> {
        self.alive()?;
        self.scopes.check(scope)?;
        let unsent = self.out.len() + self.held_bytes;
        if self.queue.len() + count > MAX_OPERATIONS || unsent >= MAX_UNSENT_BYTES {
            let waiting = self.queue.len();
            let message =
                format!("{waiting} operations wait on this connection, {unsent} bytes of them unsent");
            return Err(Error::new(ErrorKind::PipelineFull, message));
        }
        self.send_prelude();
        Ok(())
    }

    /// Appends an operation and its frames: both, or neither, and then gives it back.
    fn emit(
        &mut self,
        mut op: Op,
        write: impl FnOnce(&mut BytesMut) -> std::result::Result<(), FrameError>,
    ) -> std::result::Result<OpKey, (Box<Op>, FrameError)> {
        let closed = self.gate.is_some();
        let mut behind = BytesMut::new();
        let out = if closed { &mut behind } else { &mut self.out };
        let start = out.len();
        if let Err(e) = write(out) {
            out.truncate(start);
            return Err((Box::new(op), e));
        }
        op.unsent = Some(if closed {
            Unsent::Held
        } else {
            Unsent::Out { round: self.round, at: start..self.out.len() }
        });
        self.operations += 1;
        self.waits += u64::from(!self.queue.is_empty());
        let key = self.slots.insert(op);
        self.queue.push_back(key);
        if closed {
            self.held_bytes += behind.len();
            self.held.push_back(Held { key, frames: behind, closes_gate: false });
        }
        Ok(key)
    }

    /// Emits what waited for the gate, up to the next one.
    fn open_gate(&mut self) {
        self.gate = None;
        while self.gate.is_none()
            && let Some(held) = self.held.pop_front()
        {
            let start = self.out.len();
            self.out.extend_from_slice(&held.frames);
            self.held_bytes -= held.frames.len();
            let at = start..self.out.len();
            if let Some(op) = self.slots.waiting(held.key) {
                op.unsent = Some(Unsent::Out { round: self.round, at });
            }
            self.gate = held.closes_gate.then(|| Gate::new(held.key));
        }
    }

    // --- bytes out

    /// Moves what is to be written to `buffer`, which is empty.
    pub(crate) fn take_output(&mut self, buffer: &mut BytesMut) {
        if !self.out.is_empty() {
            std::mem::swap(&mut self.out, buffer);
            self.round += 1;
        }
    }

    pub(crate) fn has_output(&self) -> bool {
        !self.out.is_empty()
    }

    /// How many operations wait for their end.
    pub(crate) fn in_flight(&self) -> usize {
        self.queue.len()
    }

    // --- cancelling

    /// Whether a cancel request would hit this operation, or others of its group that nobody waits for either, and
    /// nothing else: then nothing is emitted until [`cancel_ended`](Self::cancel_ended). Answers the last one of the group.
    pub(crate) fn start_cancel(&mut self, key: OpKey) -> Option<OpKey> {
        // What has not been written yet can only be cancelled after it has begun.
        let possible = self.out.is_empty() && self.broken.is_none();
        if !possible || self.slots.waiting(key).is_none_or(|op| !op.cancellable) {
            return None;
        }
        // Behind a closed gate nothing has been emitted.
        let alone = match &self.gate {
            Some(gate) => gate.key == key && !gate.cancelling && self.queue.front() == Some(&key),
            None => self.is_given_up(key),
        };
        if !alone {
            return None;
        }
        // It opens again when the group has been answered.
        let key = if self.gate.is_some() { key } else { self.queue.back().copied().unwrap_or(key) };
        self.gate = Some(Gate { cancelling: true, asked: true, ..Gate::new(key) });
        Some(key)
    }

    /// The last operation in flight, if its caller has gone and no cancel request was made for it: when the caller went, it
    /// had not been written yet, or was behind others.
    pub(crate) fn left_behind(&mut self) -> Option<OpKey> {
        let last = *self.queue.back()?;
        let asked = self.gate.as_ref().is_some_and(|gate| gate.asked);
        self.slots.waiting(last).filter(|op| !asked && op.detached && op.error.is_none()).map(|_| last)
    }

    /// Whether what [`start_cancel`](Self::start_cancel) has answered still runs, although its cancel request has ended: then
    /// another one is made, because a server that had not begun with it took no notice of the first.
    pub(crate) fn cancel_again(&mut self, key: OpKey) -> bool {
        let gate = self.gate.as_mut().filter(|gate| gate.key == key && !gate.answered && !gate.cancelling);
        let Some(gate) = gate.filter(|_| self.broken.is_none()) else { return false };
        gate.cancelling = true;
        true
    }

    /// Whether all that is in flight is the group of this operation, and nobody waits for any of it.
    fn is_given_up(&mut self, key: OpKey) -> bool {
        let last = self.queue.back().copied();
        let given_up = |slots: &mut Slots, key| {
            slots.waiting(key).is_some_and(|op| op.is_given_up() && op.last == (Some(key) == last))
        };
        self.queue.iter().all(|&key| given_up(&mut self.slots, key)) && self.queue.contains(&key)
    }

    /// The cancel request has been dealt with: it can hit nothing any more.
    pub(crate) fn cancel_ended(&mut self) {
        if let Some(gate) = &mut self.gate {
            gate.cancelling = false;
            if gate.answered {
                self.open_gate();
            }
        }
    }

    // --- callers

    /// Takes the result of an operation, or notes whom to wake when it is there.
    /// `displaced` gets whoever was to be woken before, to be dropped where no lock is held.
    pub(crate) fn poll_op(
        &mut self,
        key: OpKey,
        waker: &Waker,
        displaced: &mut Option<Waker>,
    ) -> Option<Outcome> {
        self.slots.poll(key, waker, displaced)
    }

    /// Forgets whom an operation is to wake, and hands it out.
    pub(crate) fn take_waker(&mut self, key: OpKey) -> Option<Waker> {
        self.slots.take_waker(key)
    }

    /// Whether the result of an operation is still to come.
    pub(crate) fn is_waiting(&mut self, key: OpKey) -> bool {
        self.slots.waiting(key).is_some()
    }

    /// The caller gives an operation up. Answers whether its result is still to come.
    pub(crate) fn detach(&mut self, key: OpKey) -> bool {
        // The server waits for the data of a COPY, and does not look for a cancel request meanwhile.
        self.copy_end(key, Some("whoever had the data has gone"));
        self.slots.detach(key)
    }

    pub(crate) fn broken(&self) -> Option<&Error> {
        self.broken.as_ref()
    }

    /// The connection is lost: every operation that waits fails with the cause.
    pub(crate) fn fail(&mut self, cause: Error, wake: &mut Wakers) {
        let cause = self.session.take_farewell().unwrap_or(cause);
        let cause = self.broken.get_or_insert(cause).clone();
        self.scopes.clear();
        self.out.clear();
        self.held.clear();
        self.held_bytes = 0;
        self.at = 0;
        for key in std::mem::take(&mut self.queue) {
            wake.extend(self.slots.finish(key, |mut op| {
                let sql = op.work.statement().map(|s| Arc::clone(&s.sql));
                op.failed(match sql {
                    Some(sql) => cause.clone().in_statement(&sql),
                    None => cause.clone(),
                });
                op.finish()
            }));
        }
    }
}

#[cold]
fn not_sent(e: FrameError) -> Error {
    Error::caused(ErrorKind::Encode, format!("the statement cannot be sent: {e}"), e)
}

#[cfg(test)]
mod tests;
