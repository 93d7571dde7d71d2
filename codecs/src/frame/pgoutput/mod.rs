//! Changes, as the output plug-in `pgoutput` describes them (PostgreSQL manual, "Logical Replication Message Formats"),
//! in its versions 1 to 4.
//!
//! ```
//! use wreath_codecs::frame::pgoutput::{Decoder, Message};
//!
//! let mut decoder = Decoder::new();
//! let begin = b"B\0\0\0\0\x01\x02\x03\x04\0\0\0\0\0\0\0\0\0\0\x02\xda";
//! match decoder.decode(begin)? {
//!     Message::Begin(begin) => assert_eq!((begin.end, begin.xid), (0x0102_0304, 730)),
//!     other => panic!("{other:?}"),
//! }
//! # Ok::<(), wreath_codecs::frame::FrameError>(())
//! ```

mod decoder;
mod message;
mod relation;
mod tuple;

pub use decoder::Decoder;
pub use message::{
    Begin, BeginPrepared, Change, Commit, CommitPrepared, Delete, Insert, Logical, Message, Old, Origin,
    Prepare, RollbackPrepared, StreamAbort, StreamCommit, StreamStart, Truncate, Update,
};
pub use relation::{Column, Columns, Identity, Relation, TypeName};
pub use tuple::{Tuple, Value};
