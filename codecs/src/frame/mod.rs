//! The messages of the protocol, version 3 (PostgreSQL manual, "Message Formats").
//!
//! Every message can be written and read, in both directions: a driver writes what a client sends and
//! reads what a server sends, a test peer does the opposite, and a proxy does both.
//!
//! * [`header`] reads the five bytes that a message starts with, and checks the length in them.
//! * [`backend::Message`] and [`frontend::Message`] read a body, borrowing from it. Lists are views: they
//!   are checked in whole when the message is read, and iterated when they are needed.
//! * The functions in [`backend`] and [`frontend`] append one message each to a [`bytes::BytesMut`]. One that
//!   cannot be sent as it stands (text with a NUL, too many parameters, more than 2 GiB) is refused, and
//!   then nothing has been appended. The same holds when an iterator that was handed in panics.
//! * [`startup`] has what a client sends first, which has no tag, and the server's one-byte answers.
//!
//! Text is kept as the bytes that arrived, see [`Text`]: a server can send bytes that are no UTF-8 before an
//! encoding has been agreed upon, and from a `SQL_ASCII` database at any time.
//!
//! [`replication`] and [`pgoutput`] have what replication sends inside of CopyData.
//!
//! ```
//! use bytes::BytesMut;
//! use wreath_codecs::frame::{backend, frontend, header};
//!
//! let mut out = BytesMut::new();
//! frontend::parse(&mut out, "s1", "SELECT $1", [23_u32])?;
//! frontend::sync(&mut out);
//!
//! let reply = [b'Z', 0, 0, 0, 5, b'I'];
//! let head = header(&reply, 1 << 20)?.expect("five bytes are there");
//! let message = backend::Message::decode(head.tag, &reply[5..head.len])?;
//! assert_eq!(message, backend::Message::ReadyForQuery(backend::TransactionStatus::Idle));
//! # Ok::<(), wreath_codecs::frame::FrameError>(())
//! ```

#![allow(clippy::doc_markdown, reason = "the messages are called as in the manual")]

mod auth;
pub mod backend;
mod body;
mod copy;
mod error;
mod extended;
pub mod frontend;
mod header;
mod notice;
pub mod pgoutput;
pub mod replication;
mod rows;
mod session;
mod simple;
pub mod startup;
mod text;
mod values;
mod write;

pub use error::{Fault, FrameError};
pub use header::{HEADER, Header, header};
pub use text::Text;
pub use values::{Formats, Oids, Texts, Values, ValuesIter};

/// The format code of a value in text form.
pub const TEXT: i16 = 0;

/// The format code of a value in binary form.
pub const BINARY: i16 = 1;
