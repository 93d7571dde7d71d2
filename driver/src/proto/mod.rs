//! The protocol without IO: bytes, commands in; bytes, results out.
//!
//! Nothing here opens a socket, reads a clock or draws a random number, so a scripted peer can drive it at
//! every byte split and a fuzzer can feed it anything.

pub(crate) mod auth;
pub(crate) mod lexer;
pub(crate) mod limits;
pub(crate) mod op;
pub(crate) mod pipeline;
pub(crate) mod results;
pub(crate) mod scope;
pub(crate) mod session;
pub(crate) mod startup;
pub(crate) mod statement;
pub(crate) mod traces;
