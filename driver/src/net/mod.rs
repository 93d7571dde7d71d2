//! Sockets.

mod address;
mod cancel;
mod stream;
#[cfg(unix)]
mod unix;

pub(crate) use address::Address;
pub use cancel::CancelToken;
pub(crate) use cancel::Cancelled;
pub(crate) use stream::Stream;
