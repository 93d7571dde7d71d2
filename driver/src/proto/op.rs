//! One operation: what was sent for it, and what has arrived.

use std::ops::Range;
use std::sync::Arc;
use std::task::Waker;

use bytes::Bytes;

use crate::error::{Error, ErrorKind};
use crate::proto::limits::MAX_UNTAKEN_BYTES;
use crate::proto::results::Results;
use crate::proto::statement::{RawColumn, Statement};
use crate::row::Arrived;
use crate::tag::CommandTag;

/// Names an operation of a connection until its result has been taken or given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OpKey {
    pub(crate) slot: u32,
    pub(crate) generation: u32,
}

/// How the rows of a statement are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Delivery {
    /// All together.
    #[default]
    Whole,
    /// Piece by piece, as they arrive.
    Pieces,
    /// Together, and no more of them than were asked for: the rest stays in a portal.
    Portal,
}

/// Where the frames of an operation are while they have not been taken to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unsent {
    /// In the output, of which `round` was taken last.
    Out { round: u64, at: Range<usize> },
    /// Held back by the gate.
    Held,
}

/// What was sent.
#[derive(Debug)]
pub(crate) enum Work {
    /// A statement through the extended protocol; `parses` when its Parse is part of it.
    Run { statement: Arc<Statement>, parses: bool, delivery: Delivery },
    /// The end of a portal.
    Close,
    /// Its description alone, with its Parse where `parses` says so: nothing runs.
    Describe { statement: Arc<Statement>, parses: bool },
    /// A script through the simple protocol, whose rows are dropped.
    Script,
    /// A script whose rows are kept.
    Results(Results),
    /// COPY ... FROM STDIN: whether the server has asked for data and waits for its end.
    CopyIn { asked: bool },
    /// COPY ... TO STDOUT.
    CopyOut,
    /// Data in both directions: whether the server has begun, and the client has not ended.
    CopyBoth { asked: bool },
}

impl Work {
    pub(crate) fn statement(&self) -> Option<&Arc<Statement>> {
        match self {
            Self::Run { statement, .. } | Self::Describe { statement, .. } => Some(statement),
            Self::Close
            | Self::Script
            | Self::Results(_)
            | Self::CopyIn { .. }
            | Self::CopyOut
            | Self::CopyBoth { .. } => None,
        }
    }

    /// The statement, if its Parse is part of the operation.
    pub(crate) fn parsed(&self) -> Option<&Arc<Statement>> {
        match self {
            Self::Run { statement, parses: true, .. } | Self::Describe { statement, parses: true } => {
                Some(statement)
            }
            _ => None,
        }
    }
}

/// The transaction status that an operation leaves behind if all goes as its caller was told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leaves {
    /// No transaction is open.
    Idle,
    /// A transaction is open, sound or failed.
    Transaction,
    /// Whatever it is, the connection deals with it: the operation ended a transaction that may not have
    /// been there any more.
    Any,
}

/// An operation whose ReadyForQuery has not come.
#[derive(Debug)]
pub(crate) struct Op {
    pub(crate) work: Work,
    pub(crate) leaves: Leaves,
    /// Whether its result is dropped as it arrives: nobody waits for it any more.
    pub(crate) detached: bool,
    /// Whether no transaction may be open after it, or the connection cannot be used any more.
    pub(crate) vital: bool,
    /// Whether the server may be asked to stop it when nobody waits for it any more.
    pub(crate) cancellable: bool,
    /// Whether all that has to come before its ReadyForQuery has: without it, that one is another's.
    pub(crate) answered: bool,
    pub(crate) reply: Arrived,
    /// Bytes of `reply` that nobody has taken yet.
    pub(crate) untaken: usize,
    /// Whether nothing more is read before some of them have been taken.
    pub(crate) paused: bool,
    /// Whether a portal has more rows.
    pub(crate) suspended: bool,
    pub(crate) tags: Vec<CommandTag>,
    pub(crate) error: Option<Error>,
    /// Whether its frames end with a Sync, which stands for those before it that have none: they are one group.
    pub(crate) last: bool,
    /// How many before it have to do with its Sync because they were joined to it, if it is one that others may join.
    pub(crate) joined: Option<u16>,
    pub(crate) unsent: Option<Unsent>,
    /// The statements that are closed with it.
    pub(crate) closes: Vec<String>,
}

impl Op {
    pub(crate) fn new(work: Work, leaves: Leaves) -> Self {
        Self {
            work,
            leaves,
            detached: false,
            vital: false,
            cancellable: false,
            answered: false,
            reply: Arrived::default(),
            untaken: 0,
            paused: false,
            suspended: false,
            tags: Vec::new(),
            error: None,
            last: true,
            joined: None,
            unsent: None,
            closes: Vec::new(),
        }
    }

    /// Whether nobody waits for what it brings: its caller has gone, or has an error already.
    pub(crate) fn is_given_up(&self) -> bool {
        self.detached || self.error.is_some()
    }

    /// Whether its result is taken piece by piece.
    pub(crate) fn streams(&self) -> bool {
        let pieces = matches!(self.work, Work::Run { delivery: Delivery::Pieces, .. });
        pieces || matches!(self.work, Work::CopyOut | Work::CopyBoth { .. })
    }

    /// Keeps whole messages with this tag, DataRow or CopyData; `false` where none can be.
    pub(crate) fn pieces_arrived(&mut self, tag: u8, chunk: Bytes, messages: usize) -> bool {
        match (&self.work, tag) {
            (Work::Run { .. }, b'D') if !self.answered => {}
            (Work::CopyOut | Work::CopyBoth { .. }, b'd') => {}
            (Work::Results(results), b'D') if results.takes_rows() => {}
            // The operation has failed: nobody takes the data of a COPY here.
            (Work::Results(_), b'd') => return true,
            // Rows of a script are not asked for, and neither is what COPY TO brings there.
            (Work::Script | Work::CopyIn { .. } | Work::CopyOut, _) => return true,
            (
                Work::Run { .. }
                | Work::Describe { .. }
                | Work::Close
                | Work::Results(_)
                | Work::CopyBoth { .. },
                _,
            ) => {
                return false;
            }
        }
        if self.is_given_up() {
            return true;
        }
        self.reply.rows += messages;
        self.reply.bytes += chunk.len();
        if self.streams() {
            self.untaken += chunk.len();
            self.paused = self.untaken >= MAX_UNTAKEN_BYTES;
        }
        self.reply.chunks.push(chunk);
        true
    }

    /// The oldest piece that has not been taken.
    fn take_piece(&mut self) -> Option<Bytes> {
        let piece = first_piece(&mut self.reply)?;
        self.untaken -= piece.len();
        // Reading goes on when there is room for more than a little.
        self.paused &= self.untaken > MAX_UNTAKEN_BYTES / 2;
        Some(piece)
    }

    /// Keeps the tag of a statement that has ended; `false` where none can.
    pub(crate) fn completed(&mut self, tag: CommandTag) -> bool {
        match &mut self.work {
            Work::Results(results) => {
                self.tags.push(tag.clone());
                results.completed(std::mem::take(&mut self.reply), tag);
            }
            Work::Script | Work::CopyIn { .. } | Work::CopyOut | Work::CopyBoth { .. } => self.tags.push(tag),
            Work::Run { .. } if !self.answered => self.reply.tag = tag,
            Work::Run { .. } | Work::Describe { .. } | Work::Close => return false,
        }
        self.answered = true;
        true
    }

    /// The server has sent as many rows as a portal was asked for; `false` where none was.
    pub(crate) fn suspended(&mut self) -> bool {
        let fits = matches!(self.work, Work::Run { delivery: Delivery::Portal, .. }) && !self.answered;
        self.suspended = fits;
        self.answered |= fits;
        fits
    }

    /// The server has closed a statement or a portal.
    pub(crate) fn closed(&mut self) {
        self.answered |= matches!(self.work, Work::Close);
    }

    /// The server has described the result; `false` where it was not asked.
    pub(crate) fn described(&mut self, columns: Vec<RawColumn>) -> bool {
        match &mut self.work {
            Work::Results(results) => results.described(columns),
            Work::Describe { statement, .. } => {
                statement.set_described(columns);
                self.answered = true;
            }
            Work::Run { statement, parses: true, .. } => statement.set_described(columns),
            Work::Run { .. } | Work::Close => return false,
            Work::Script | Work::CopyIn { .. } | Work::CopyOut | Work::CopyBoth { .. } => {}
        }
        true
    }

    /// Gives a result up that is larger than `max` bytes; `false` when it is not.
    pub(crate) fn overflows(&mut self, max: usize) -> bool {
        let in_part = self.streams() || matches!(self.work, Work::Run { delivery: Delivery::Portal, .. });
        let overflows = self.reply.bytes > max && !in_part && !self.is_given_up();
        if overflows {
            self.reply = Arrived::default();
            self.failed(Error::new(
                ErrorKind::ResultTooLarge,
                format!(
                    "the result has more than {max} bytes, which is all that a connection of this kind takes"
                ),
            ));
        }
        overflows
    }

    /// Keeps the first error.
    pub(crate) fn failed(&mut self, error: Error) {
        self.error.get_or_insert(error);
    }

    pub(crate) fn finish(self) -> Outcome {
        let results = match self.work {
            Work::Results(results) => results.into_done(),
            _ => Vec::new(),
        };
        let Self { reply, suspended, tags, error, .. } = self;
        Outcome { reply, suspended, results, tags, error }
    }
}

fn first_piece(reply: &mut Arrived) -> Option<Bytes> {
    (!reply.chunks.is_empty()).then(|| reply.chunks.remove(0))
}

/// A part of a result that is taken piece by piece.
#[derive(Debug)]
pub(crate) enum Piece {
    /// Whole messages.
    Messages(Bytes),
    /// There are no more.
    End(Outcome),
}

/// What an operation has come to.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) reply: Arrived,
    /// Whether a portal has more rows.
    pub(crate) suspended: bool,
    /// The columns and what arrived for each statement of a script, if they are kept.
    pub(crate) results: Vec<(Vec<RawColumn>, Arrived)>,
    pub(crate) tags: Vec<CommandTag>,
    pub(crate) error: Option<Error>,
}

/// The places where operations wait for their callers and callers for their operations. A place is used
/// again once its result has been taken, so a steady load allocates nothing here.
#[derive(Debug, Default)]
pub(crate) struct Slots {
    slots: Vec<Slot>,
    free: Vec<u32>,
}

#[derive(Debug)]
struct Slot {
    generation: u32,
    waker: Option<Waker>,
    content: Content,
}

#[derive(Debug)]
enum Content {
    Free,
    Waiting(Op),
    Done(Outcome),
}

impl Slots {
    pub(crate) fn insert(&mut self, op: Op) -> OpKey {
        if let Some(slot) = self.free.pop() {
            let place = &mut self.slots[slot as usize];
            place.content = Content::Waiting(op);
            return OpKey { slot, generation: place.generation };
        }
        // The pipeline's bound on operations is far below 2^32.
        let slot = u32::try_from(self.slots.len()).unwrap_or(u32::MAX);
        self.slots.push(Slot { generation: 0, waker: None, content: Content::Waiting(op) });
        OpKey { slot, generation: 0 }
    }

    fn at(&mut self, key: OpKey) -> Option<&mut Slot> {
        self.slots.get_mut(key.slot as usize).filter(|s| s.generation == key.generation)
    }

    /// The operation, while it waits.
    pub(crate) fn waiting(&mut self, key: OpKey) -> Option<&mut Op> {
        match &mut self.at(key)?.content {
            Content::Waiting(op) => Some(op),
            Content::Free | Content::Done(_) => None,
        }
    }

    /// Takes the result, if it is there; else notes whom to wake, and hands out whom it would have woken
    /// before.
    pub(crate) fn poll(
        &mut self,
        key: OpKey,
        waker: &Waker,
        displaced: &mut Option<Waker>,
    ) -> Option<Outcome> {
        let slot = self.at(key)?;
        if let Content::Done(_) = slot.content {
            let Content::Done(outcome) = std::mem::replace(&mut slot.content, Content::Free) else {
                return None;
            };
            self.release(key);
            return Some(outcome);
        }
        match &mut slot.waker {
            Some(known) if known.will_wake(waker) => {}
            other => *displaced = other.replace(waker.clone()),
        }
        None
    }

    /// Takes the next piece of a result, if it is there; else notes whom to wake, as [`poll`](Self::poll) does.
    pub(crate) fn poll_piece(
        &mut self,
        key: OpKey,
        waker: &Waker,
        displaced: &mut Option<Waker>,
    ) -> Option<Piece> {
        let piece = match &mut self.at(key)?.content {
            Content::Waiting(op) => op.take_piece(),
            Content::Done(outcome) => first_piece(&mut outcome.reply),
            Content::Free => None,
        };
        match piece {
            Some(messages) => Some(Piece::Messages(messages)),
            None => self.poll(key, waker, displaced).map(Piece::End),
        }
    }

    /// Forgets whom to wake, and hands it out.
    pub(crate) fn take_waker(&mut self, key: OpKey) -> Option<Waker> {
        self.at(key)?.waker.take()
    }

    /// Ends an operation: its result waits to be taken, unless nobody will. Answers whom to wake.
    pub(crate) fn finish(&mut self, key: OpKey, end: impl FnOnce(Op) -> Outcome) -> Option<Waker> {
        let slot = self.at(key)?;
        let Content::Waiting(op) = std::mem::replace(&mut slot.content, Content::Free) else { return None };
        if op.detached {
            self.release(key);
            return None;
        }
        slot.content = Content::Done(end(op));
        slot.waker.take()
    }

    /// Takes an operation back that waits and wakes nobody.
    pub(crate) fn remove(&mut self, key: OpKey) -> Option<Op> {
        let slot = self.at(key)?;
        debug_assert!(slot.waker.is_none(), "a waker is dropped where no lock is held");
        let content = std::mem::replace(&mut slot.content, Content::Free);
        self.release(key);
        match content {
            Content::Waiting(op) => Some(op),
            Content::Free | Content::Done(_) => None,
        }
    }

    /// The caller gives up: a result that is there is dropped, one that is to come will be. Answers whether
    /// it is still to come.
    pub(crate) fn detach(&mut self, key: OpKey) -> bool {
        let Some(slot) = self.at(key) else { return false };
        slot.waker = None;
        match &mut slot.content {
            Content::Waiting(op) => {
                op.detached = true;
                op.paused = false;
                op.reply = Arrived::default();
                true
            }
            Content::Done(_) => {
                self.release(key);
                false
            }
            Content::Free => false,
        }
    }

    fn release(&mut self, key: OpKey) {
        let slot = &mut self.slots[key.slot as usize];
        slot.content = Content::Free;
        slot.waker = None;
        slot.generation = slot.generation.wrapping_add(1);
        self.free.push(key.slot);
    }
}
