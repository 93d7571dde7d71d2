//! The protocol without IO: bytes and commands in, bytes and results out.
//!
//! Nothing here opens a socket, reads a clock or draws a random number, so a scripted peer can drive it at
//! every byte split and a fuzzer can feed it anything.

#[allow(dead_code, unused_imports, reason = "the connection that logs in is not part of this crate yet")]
pub(crate) mod auth;
