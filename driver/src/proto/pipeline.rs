//! Operations in flight on one connection: frames out, frames in, results to their callers.
//!
//! Each operation ends with its own Sync, or is one simple Query, so an error fails that operation alone and
//! exactly one ReadyForQuery answers it. Results come in the order of the operations; that order is the only
//! thing that ties a result to its operation.

mod answer;
mod copying;
mod inbound;
mod transaction;

pub(crate) use copying::{Asked, Direction};
pub(crate) use transaction::{BEGIN, Committing, End};

use std::collections::VecDeque;
use std::sync::Arc;
use std::task::Waker;

use bytes::BytesMut;
use smallvec::SmallVec;
use wreath_codecs::ParamBuf;
use wreath_codecs::frame::frontend::Target;
use wreath_codecs::frame::{FrameError, frontend};

use crate::error::{Error, ErrorKind, Result};
use crate::proto::lexer;
use crate::proto::limits::{MAX_OPERATIONS, MAX_UNSENT_BYTES};
use crate::proto::op::{Leaves, Op, OpKey, Outcome, Slots, Work};
use crate::proto::results::Results;
use crate::proto::scope::{Scope, Scopes};
use crate::proto::session::Session;
use crate::proto::statement::{Phase, Statement, StatementCache};
use crate::row::Column;
use crate::sql::SqlRef;

/// Whom to wake.
pub(crate) type Wakers = SmallVec<[Waker; 8]>;

/// The protocol core of an established connection.
#[derive(Debug)]
pub(crate) struct Pipeline {
    /// Frames to be written.
    out: BytesMut,
    /// Frames that wait until `gate` has been answered; each segment may end with a gate of its own.
    held: VecDeque<(BytesMut, Option<OpKey>)>,
    gate: Option<Gate>,
    /// Operations in the order that they were submitted in; the first is the one that is being answered.
    queue: VecDeque<OpKey>,
    slots: Slots,
    scopes: Scopes,
    /// Whether a ROLLBACK has been queued because of a transaction that nobody opened through the driver.
    rolling_back: bool,
    /// Whether the transaction had failed when the server was last ready.
    failed: bool,
    pub(crate) statements: StatementCache,
    pub(crate) session: Session,
    max_message: usize,
    run: Run,
    /// Counts what is taken of results, and fed to COPY, piece by piece.
    progress: u64,
    /// Operations that have been submitted, and those of them that others were before.
    pub(crate) operations: u64,
    pub(crate) waits: u64,
    broken: Option<Error>,
}

/// An operation that must be alone: nothing is emitted behind it until it is answered, and until a cancel request
/// that was made for it can hit no other.
#[derive(Debug)]
struct Gate {
    key: OpKey,
    answered: bool,
    cancelling: bool,
}

impl Gate {
    fn new(key: OpKey) -> Self {
        Self { key, answered: false, cancelling: false }
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

/// What [`Pipeline::submit`] has sent.
pub(crate) struct Submitted {
    pub(crate) key: OpKey,
    pub(crate) statement: Arc<Statement>,
    /// Whether the statement runs; else it was only described, and has to be submitted again.
    pub(crate) runs: bool,
}

/// How a statement is sent.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Manner<'a> {
    /// Whether one whose result may have a type without a binary form is only described where its failure
    /// would cost a transaction.
    pub(crate) careful: bool,
    /// Whether its rows are taken piece by piece.
    pub(crate) streams: bool,
    /// Whether it brings a Parse of its own, whatever has become of the others'.
    pub(crate) alone: bool,
    /// What is known of its result, for a statement that is not kept.
    pub(crate) columns: Option<&'a Arc<[Column]>>,
}

/// What is kept of a script's results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keep {
    Tags,
    Rows,
}

impl Pipeline {
    pub(crate) fn new(session: Session, statements: StatementCache, max_message: usize) -> Self {
        Self {
            out: BytesMut::new(),
            held: VecDeque::new(),
            gate: None,
            queue: VecDeque::new(),
            slots: Slots::default(),
            scopes: Scopes::default(),
            rolling_back: false,
            failed: false,
            statements,
            session,
            max_message,
            run: Run::default(),
            progress: 0,
            operations: 0,
            waits: 0,
            broken: None,
        }
    }

    // --- operations in

    /// Submits a statement whose parameters' types are all numbers.
    pub(crate) fn submit(
        &mut self,
        sql: SqlRef<'_>,
        params: &ParamBuf,
        scope: Scope,
        manner: Manner<'_>,
    ) -> Result<Submitted> {
        self.admit(scope)?;
        let word = lexer::first_word(sql.text);
        if word.eq_ignore_ascii_case("copy") {
            return Err(Error::new(ErrorKind::Unsupported, "COPY is run by copy_in, copy_rows and copy_out"));
        }
        let statement = if manner.alone {
            StatementCache::unnamed(sql, params)
        } else {
            self.statements.find(sql, params)
        };
        if let Some(columns) = manner.columns.filter(|_| statement.name.is_empty()) {
            statement.set_columns(Arc::clone(columns));
        }
        let parses = matches!(statement.phase(), Phase::New | Phase::Gone);
        // A type without a binary form fails the statement, and with it the transaction; and types cannot be looked
        // up once rows that are taken piece by piece are on their way.
        let risky = || manner.careful && self.scopes.depth() > 0 && lexer::may_return_rows(sql.text);
        let describe_only = statement.columns().is_none() && (manner.streams || risky());
        let closing = self.statements.take_closing();
        let written = self.write_frames(|out| {
            closing.iter().try_for_each(|name| frontend::close(out, Target::statement(name)))?;
            if parses {
                frontend::parse(out, &statement.name, &*statement.sql, &statement.params)?;
            }
            if parses || describe_only {
                frontend::describe(out, Target::statement(&statement.name))?;
            }
            if !describe_only {
                bind(out, &statement, params)?;
                frontend::execute(out, "", 0)?;
            }
            frontend::sync(out);
            Ok(())
        });
        if let Err(e) = written {
            self.statements.close_later(closing);
            if parses {
                self.statements.forget(&statement, false);
            }
            return Err(Error::caused(ErrorKind::Encode, format!("the statement cannot be sent: {e}"), e));
        }
        if parses {
            statement.set_phase(Phase::Sent);
        }
        let work = if describe_only {
            Work::Describe { statement: Arc::clone(&statement), parses }
        } else {
            Work::Run { statement: Arc::clone(&statement), parses, streams: manner.streams }
        };
        let mut op = Op::new(work, self.leaves());
        op.cancellable = true;
        let key = self.enqueue(op);
        Ok(Submitted { key, statement, runs: !describe_only })
    }

    /// Submits a script through the simple protocol.
    pub(crate) fn submit_script(&mut self, script: &str, keep: Keep, scope: Scope) -> Result<OpKey> {
        self.admit(scope)?;
        let key = self.script(script, self.leaves(), false)?;
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
            Some((_, gate)) => *gate = Some(key),
            None => self.gate = Some(Gate::new(key)),
        }
    }

    fn script(&mut self, script: &str, leaves: Leaves, vital: bool) -> Result<OpKey> {
        self.write_frames(|out| frontend::query(out, script))
            .map_err(|e| Error::caused(ErrorKind::Encode, format!("the statement cannot be sent: {e}"), e))?;
        let mut op = Op::new(Work::Script, leaves);
        op.vital = vital;
        Ok(self.enqueue(op))
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

    /// Whether one more operation of `scope` may be taken.
    fn admit(&self, scope: Scope) -> Result<()> {
        self.alive()?;
        self.scopes.check(scope)?;
        let unsent = self.out.len() + self.held.iter().map(|(bytes, _)| bytes.len()).sum::<usize>();
        if self.queue.len() >= MAX_OPERATIONS || unsent >= MAX_UNSENT_BYTES {
            let waiting = self.queue.len();
            let message =
                format!("{waiting} operations wait on this connection, {unsent} bytes of them unsent");
            return Err(Error::new(ErrorKind::PipelineFull, message));
        }
        Ok(())
    }

    /// Appends frames, all of them or none.
    fn write_frames(
        &mut self,
        write: impl FnOnce(&mut BytesMut) -> std::result::Result<(), FrameError>,
    ) -> std::result::Result<(), FrameError> {
        let out = self.tail();
        let start = out.len();
        write(out).inspect_err(|_| out.truncate(start))
    }

    /// Where the frames of the next operation go.
    fn tail(&mut self) -> &mut BytesMut {
        if self.gate.is_none() {
            return &mut self.out;
        }
        if self.held.back().is_none_or(|(_, gate)| gate.is_some()) {
            self.held.push_back((BytesMut::new(), None));
        }
        self.held.back_mut().map_or(&mut self.out, |(bytes, _)| bytes)
    }

    /// Emits what waited for the gate, up to the next one.
    fn open_gate(&mut self) {
        self.gate = None;
        while self.gate.is_none()
            && let Some((bytes, gate)) = self.held.pop_front()
        {
            self.out.extend_from_slice(&bytes);
            self.gate = gate.map(Gate::new);
        }
    }

    fn enqueue(&mut self, op: Op) -> OpKey {
        self.operations += 1;
        self.waits += u64::from(!self.queue.is_empty());
        let key = self.slots.insert(op);
        self.queue.push_back(key);
        key
    }

    // --- bytes out

    /// Moves what is to be written to `buffer`, which is empty.
    pub(crate) fn take_output(&mut self, buffer: &mut BytesMut) {
        if !self.out.is_empty() {
            std::mem::swap(&mut self.out, buffer);
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

    /// Whether a cancel request would hit this operation and no other: then nothing is emitted until
    /// [`cancel_ended`](Self::cancel_ended).
    pub(crate) fn start_cancel(&mut self, key: OpKey) -> bool {
        // Behind a closed gate nothing has been emitted.
        let alone = match &self.gate {
            Some(gate) => gate.key == key && !gate.cancelling,
            None => self.queue.len() == 1,
        };
        let running = alone && self.queue.front() == Some(&key);
        // What has not been written yet can only be cancelled after it has begun.
        let possible = running && self.out.is_empty() && self.broken.is_none();
        if !possible || self.slots.waiting(key).is_none_or(|op| !op.cancellable) {
            return false;
        }
        self.gate = Some(Gate { key, answered: false, cancelling: true });
        true
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

/// Bind, with results in binary form wherever the server has one.
fn bind(out: &mut BytesMut, statement: &Statement, params: &ParamBuf) -> std::result::Result<(), FrameError> {
    let texts = statement.params.iter().filter(|&&oid| oid == 0).count();
    let formats: SmallVec<[i16; 16]> = match texts {
        0 => SmallVec::from_slice(&[1]),
        n if n == statement.params.len() => SmallVec::from_slice(&[0]),
        _ => statement.params.iter().map(|&oid| i16::from(oid != 0)).collect(),
    };
    let results: SmallVec<[i16; 16]> = match statement.columns() {
        Some(columns) if columns.iter().any(Column::is_text) => {
            columns.iter().map(|c| i16::from(!c.is_text())).collect()
        }
        _ => SmallVec::from_slice(&[1]),
    };
    let formats = if params.is_empty() { &[][..] } else { &formats };
    frontend::bind(out, "", &statement.name, formats, params.len(), params.values().as_bytes(), &results)
}

#[cfg(test)]
mod tests;
