//! Sockets.

mod address;
mod stream;

pub(crate) use address::Address;
pub(crate) use stream::Stream;
