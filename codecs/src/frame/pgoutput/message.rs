//! The messages. Positions and clocks are those of [`replication`](crate::frame::replication).

use super::relation::{Relation, TypeName};
use super::tuple::{Tuple, sized};
use crate::frame::body::Body;
use crate::frame::{Fault, FrameError, Oids, Text};

/// A message of `pgoutput`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs, reason = "they are named as in the manual, and their contents are documented")]
pub enum Message<'a> {
    Begin(Begin),
    Commit(Commit),
    Origin(Origin<'a>),
    Relation(Relation<'a>),
    Type(TypeName<'a>),
    Insert(Insert<'a>),
    Update(Update<'a>),
    Delete(Delete<'a>),
    Truncate(Truncate<'a>),
    /// What `pg_logical_emit_message` said.
    Message(Logical<'a>),
    StreamStart(StreamStart),
    StreamStop,
    StreamCommit(StreamCommit),
    StreamAbort(StreamAbort),
    BeginPrepare(BeginPrepared<'a>),
    Prepare(Prepare<'a>),
    StreamPrepare(Prepare<'a>),
    CommitPrepared(CommitPrepared<'a>),
    RollbackPrepared(RollbackPrepared<'a>),
}

/// Begin: what follows is of one transaction that has been committed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Begin {
    /// Where its commit is in the log.
    pub end: u64,
    /// When it was committed.
    pub clock: i64,
    /// Its number.
    pub xid: u32,
}

/// Commit: the transaction has been told in whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Commit {
    /// Where its commit is in the log.
    pub commit: u64,
    /// Where it ends in the log: what has been flushed up to here need not be told again.
    pub end: u64,
    /// When it was committed.
    pub clock: i64,
}

/// Origin: where the transaction came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin<'a> {
    /// Where its commit was in the origin's log.
    pub commit: u64,
    /// The origin's name.
    pub name: Text<'a>,
}

/// What all changes of rows have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The (sub)transaction, where it is streamed before it has been committed.
    pub xid: Option<u32>,
    /// The number of the relation.
    pub relation: u32,
}

/// Insert.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Insert<'a> {
    /// Of what.
    pub change: Change,
    /// The row.
    pub new: Tuple<'a>,
}

/// A row as it was before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Old<'a> {
    /// Its key; other columns are NULL.
    Key(Tuple<'a>),
    /// All of it, under `REPLICA IDENTITY FULL`.
    Row(Tuple<'a>),
}

/// Update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Update<'a> {
    /// Of what.
    pub change: Change,
    /// The row before, where its key has changed or all of it is told.
    pub old: Option<Old<'a>>,
    /// The row.
    pub new: Tuple<'a>,
}

/// Delete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delete<'a> {
    /// Of what.
    pub change: Change,
    /// The row.
    pub old: Old<'a>,
}

/// Truncate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Truncate<'a> {
    /// The (sub)transaction, where it is streamed before it has been committed.
    pub xid: Option<u32>,
    /// Whether it said `CASCADE`.
    pub cascade: bool,
    /// Whether it said `RESTART IDENTITY`.
    pub restart_identity: bool,
    /// The numbers of the relations.
    pub relations: Oids<'a>,
}

/// Message: something that was said in the log, and is no change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Logical<'a> {
    /// The (sub)transaction, where it is streamed before it has been committed.
    pub xid: Option<u32>,
    /// Whether it is told with its transaction, and only if that is committed.
    pub transactional: bool,
    /// Where it is in the log.
    pub at: u64,
    /// Who it is for.
    pub prefix: Text<'a>,
    /// What it says.
    pub content: &'a [u8],
}

/// Stream Start: what follows is a part of a transaction that has not been committed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamStart {
    /// The transaction.
    pub xid: u32,
    /// Whether it is its first part.
    pub first: bool,
}

/// Stream Commit: a transaction that has been streamed was committed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamCommit {
    /// The transaction.
    pub xid: u32,
    /// Its end.
    pub commit: Commit,
}

/// Stream Abort: what has been streamed is void.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamAbort {
    /// The transaction.
    pub xid: u32,
    /// The part of it that is void; the same number for all of it.
    pub subxid: u32,
    /// Where and when, since version 4 with `streaming = parallel`.
    pub at: Option<(u64, i64)>,
}

/// Begin Prepare: what follows is of one transaction that has been prepared for a commit in two phases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BeginPrepared<'a> {
    /// Where it was prepared in the log.
    pub prepare: u64,
    /// Where that ends in the log.
    pub end: u64,
    /// When.
    pub clock: i64,
    /// Its number.
    pub xid: u32,
    /// The name that it was prepared under.
    pub gid: Text<'a>,
}

/// Prepare and Stream Prepare: the transaction has been told in whole.
pub type Prepare<'a> = BeginPrepared<'a>;

/// Commit Prepared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommitPrepared<'a> {
    /// Its end.
    pub commit: Commit,
    /// Its number.
    pub xid: u32,
    /// The name that it was prepared under.
    pub gid: Text<'a>,
}

/// Rollback Prepared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RollbackPrepared<'a> {
    /// Where what prepared it ends in the log.
    pub prepare_end: u64,
    /// Where its rollback ends.
    pub rollback_end: u64,
    /// When it was prepared.
    pub prepared: i64,
    /// When it was rolled back.
    pub rolled_back: i64,
    /// Its number.
    pub xid: u32,
    /// The name that it was prepared under.
    pub gid: Text<'a>,
}

impl Begin {
    pub(super) fn read(b: &mut Body<'_>) -> Result<Self, FrameError> {
        Ok(Self { end: b.u64()?, clock: b.i64()?, xid: b.u32()? })
    }
}

impl Commit {
    pub(super) fn read(b: &mut Body<'_>) -> Result<Self, FrameError> {
        b.u8()?;
        Ok(Self { commit: b.u64()?, end: b.u64()?, clock: b.i64()? })
    }
}

impl<'a> Origin<'a> {
    pub(super) fn read(b: &mut Body<'a>) -> Result<Self, FrameError> {
        Ok(Self { commit: b.u64()?, name: b.text()? })
    }
}

impl Change {
    fn read(b: &mut Body<'_>, xid: Option<u32>) -> Result<Self, FrameError> {
        Ok(Self { xid, relation: b.u32()? })
    }
}

impl<'a> Insert<'a> {
    pub(super) fn read(b: &mut Body<'a>, xid: Option<u32>) -> Result<Self, FrameError> {
        let change = Change::read(b, xid)?;
        expect(b, b'N')?;
        Ok(Self { change, new: Tuple::read(b)? })
    }
}

impl<'a> Update<'a> {
    pub(super) fn read(b: &mut Body<'a>, xid: Option<u32>) -> Result<Self, FrameError> {
        let change = Change::read(b, xid)?;
        let old = if b.rest().first() == Some(&b'N') { None } else { Some(Old::read(b)?) };
        expect(b, b'N')?;
        Ok(Self { change, old, new: Tuple::read(b)? })
    }
}

impl<'a> Delete<'a> {
    pub(super) fn read(b: &mut Body<'a>, xid: Option<u32>) -> Result<Self, FrameError> {
        Ok(Self { change: Change::read(b, xid)?, old: Old::read(b)? })
    }
}

impl<'a> Old<'a> {
    fn read(b: &mut Body<'a>) -> Result<Self, FrameError> {
        match b.u8()? {
            b'K' => Tuple::read(b).map(Self::Key),
            b'O' => Tuple::read(b).map(Self::Row),
            other => Err(b.fault(Fault::Code(other.into()))),
        }
    }

    /// The values that are told.
    pub fn tuple(&self) -> Tuple<'a> {
        match *self {
            Self::Key(tuple) | Self::Row(tuple) => tuple,
        }
    }
}

impl<'a> Truncate<'a> {
    pub(super) fn read(b: &mut Body<'a>, xid: Option<u32>) -> Result<Self, FrameError> {
        let count = b.u32()?;
        let options = b.u8()?;
        let relations = Oids::read_counted(b, count)?;
        Ok(Self { xid, cascade: options & 1 != 0, restart_identity: options & 2 != 0, relations })
    }
}

impl<'a> Logical<'a> {
    pub(super) fn read(b: &mut Body<'a>, xid: Option<u32>) -> Result<Self, FrameError> {
        let (flags, at, prefix) = (b.u8()?, b.u64()?, b.text()?);
        Ok(Self { xid, transactional: flags & 1 != 0, at, prefix, content: sized(b)? })
    }
}

impl StreamStart {
    pub(super) fn read(b: &mut Body<'_>) -> Result<Self, FrameError> {
        Ok(Self { xid: b.u32()?, first: b.u8()? != 0 })
    }
}

impl StreamCommit {
    pub(super) fn read(b: &mut Body<'_>) -> Result<Self, FrameError> {
        Ok(Self { xid: b.u32()?, commit: Commit::read(b)? })
    }
}

impl StreamAbort {
    pub(super) fn read(b: &mut Body<'_>) -> Result<Self, FrameError> {
        let (xid, subxid) = (b.u32()?, b.u32()?);
        let at = if b.rest().is_empty() { None } else { Some((b.u64()?, b.i64()?)) };
        Ok(Self { xid, subxid, at })
    }
}

impl<'a> BeginPrepared<'a> {
    pub(super) fn read(b: &mut Body<'a>) -> Result<Self, FrameError> {
        Ok(Self { prepare: b.u64()?, end: b.u64()?, clock: b.i64()?, xid: b.u32()?, gid: b.text()? })
    }

    /// The same behind a byte of flags, as all but Begin Prepare have it.
    pub(super) fn read_flagged(b: &mut Body<'a>) -> Result<Self, FrameError> {
        b.u8()?;
        Self::read(b)
    }
}

impl<'a> CommitPrepared<'a> {
    pub(super) fn read(b: &mut Body<'a>) -> Result<Self, FrameError> {
        Ok(Self { commit: Commit::read(b)?, xid: b.u32()?, gid: b.text()? })
    }
}

impl<'a> RollbackPrepared<'a> {
    pub(super) fn read(b: &mut Body<'a>) -> Result<Self, FrameError> {
        b.u8()?;
        Ok(Self {
            prepare_end: b.u64()?,
            rollback_end: b.u64()?,
            prepared: b.i64()?,
            rolled_back: b.i64()?,
            xid: b.u32()?,
            gid: b.text()?,
        })
    }
}

fn expect(b: &mut Body<'_>, byte: u8) -> Result<(), FrameError> {
    match b.u8()? {
        found if found == byte => Ok(()),
        other => Err(b.fault(Fault::Code(other.into()))),
    }
}
