//! PostgreSQL protocol frames and the binary codec of its types.
//!
//! This crate turns bytes into messages and values and back. It does no IO, knows no runtime and starts
//! no task, so that a driver, a proxy, a test peer and a fuzzer can all stand on it.
//!
//! * [`wire`]: the checked cursor that everything reads with, and the writer of length-prefixed fields.
//! * [`frame`]: the messages of the protocol, written and read in both directions.
//! * [`oid`] and [`sqlstate`]: the numbers of the built-in types, and the codes of errors.
//! * [`types`]: what a Rust type is to PostgreSQL ([`PgType`], [`Encode`], [`Decode`]), the [`Type`] tree
//!   that describes a column, and one codec a type.
//!
//! Bytes that come from a peer never cause a panic, and never an allocation larger than what has arrived.

#![forbid(unsafe_code)]

pub mod error;
pub mod frame;
pub mod oid;
pub mod sqlstate;
pub mod types;
pub mod wire;

pub use error::{DecodeError, DecodeErrorKind, EncodeError, ParseError, RangeError};
pub use sqlstate::SqlState;
pub use types::{Decode, Encode, Encoder, Kind, Oid, ParamBuf, PgType, Type};
