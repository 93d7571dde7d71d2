//! Every named maximum of a connection.

use std::time::Duration;

/// Operations that a connection holds at once, waiting for their results; one more is refused with
/// `PipelineFull`.
pub(crate) const MAX_OPERATIONS: usize = 8192;

/// Bytes that wait to be written before another operation is refused with `PipelineFull`. A single operation
/// may be longer: it is taken when nothing else waits.
pub(crate) const MAX_UNSENT_BYTES: usize = 64 << 20;

/// Statements that read which may share a Sync with the first of them: one that fails has the others run again, and a slow
/// one keeps those before it waiting.
pub(crate) const MAX_JOINED: u16 = 63;

/// The least that is read at once, and what the read buffer shrinks to when nothing is in flight.
pub(crate) const READ_MIN: usize = 8 << 10;

/// The most that is read at once.
pub(crate) const READ_MAX: usize = 256 << 10;

/// The most that is read at once where it is encrypted.
pub(crate) const READ_MAX_TLS: usize = 32 << 10;

/// A write buffer that has grown past this is given back once it is empty.
pub(crate) const WRITE_KEEP: usize = 256 << 10;

/// Bytes of one message before and while a session is established. Nothing legitimate is longer, and nobody
/// has proven who they are yet.
pub(crate) const MAX_STARTUP_MESSAGE: usize = 64 << 10;

/// A read buffer that has grown past this is given back once nothing is in flight.
pub(crate) const READ_KEEP: usize = 512 << 10;

/// How long a cancel request may take, from connecting until the server closes its connection.
pub(crate) const CANCEL_DEADLINE: Duration = Duration::from_secs(5);

/// How long a statement may go on after a cancel request before the next one is made, at first; each next time takes twice as
/// long, up to the deadline of a request. One that came before the server had begun with the statement was not heard.
pub(crate) const CANCEL_AGAIN: Duration = Duration::from_millis(100);

/// Notifications that wait to be taken; the oldest give way.
pub(crate) const MAX_NOTIFICATIONS: usize = 1024;

/// Bytes of a result that is taken piece by piece which wait to be taken before no more are read.
pub(crate) const MAX_UNTAKEN_BYTES: usize = 1 << 20;

/// Rows that a portal is asked for at first, while nobody knows how wide they are.
pub(crate) const PORTAL_ROWS: i32 = 64;

/// Bytes that a portal is asked for at once, as far as can be foretold: so many wait to be taken at the most, and as many are on
/// their way.
pub(crate) const PORTAL_BYTES: usize = 256 << 10;

/// How long a result that is taken piece by piece, or a COPY that is fed so, may keep others waiting without a piece
/// being taken or fed.
pub(crate) const STALL_LIMIT: Duration = Duration::from_secs(10);

/// Bytes of COPY data that wait to be written before whoever sends them waits.
pub(crate) const MAX_COPY_BYTES: usize = 1 << 20;
