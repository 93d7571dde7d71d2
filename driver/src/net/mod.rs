//! Sockets, and their encryption.

mod address;
mod cancel;
mod dial;
mod stream;
mod tls;
#[cfg(unix)]
mod unix;

pub(crate) use address::{Address, Endpoint, Server};
pub use cancel::CancelToken;
pub(crate) use cancel::Cancelled;
pub(crate) use dial::{Dial, Keepalive};
pub(crate) use stream::Stream;
pub use tls::{SslNegotiation, TlsVersion};
pub(crate) use tls::{Tls, TlsFile, TlsWanted, provider};
