//! TLS by rustls: what is demanded of the server, how it is asked for, and what the login is bound to (PostgreSQL
//! manual, "SSL Support" of libpq, and "SSL Session Encryption").

mod binding;
mod client;
mod fault;
mod files;
mod handshake;
mod verify;
mod wanted;

pub(crate) use client::{Tls, provider};
pub(super) use fault::of_session;
pub(super) use handshake::{TlsSocket, end_point, poll_read_ready};
pub use wanted::{SslNegotiation, TlsVersion};
pub(crate) use wanted::{TlsFile, TlsWanted};
