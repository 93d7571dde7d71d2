//! Sockets.

mod address;
mod cancel;
mod stream;

pub(crate) use address::Address;
pub use cancel::CancelToken;
pub(crate) use cancel::Cancelled;
pub(crate) use stream::Stream;
