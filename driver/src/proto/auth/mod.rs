//! Logging in, by password (cleartext, MD5 and SCRAM-SHA-256) or by a bearer token (PostgreSQL manual, "Authentication
//! Methods" and "SASL Authentication").
//!
//! The randomness is handed in, and so is what TLS knows of the server's certificate. Whatever the server
//! sends here comes from a peer that has proved nothing yet: each step accepts only what may come next, and an
//! `AuthenticationOk` in the middle of SCRAM is refused, since the server then has not shown that it knows the
//! password.

#![allow(clippy::doc_markdown, reason = "messages and methods are called as in their documents")]

mod bearer;
mod error;
mod login;
mod md5;
mod methods;
mod prepare;
mod scram;

pub(crate) use bearer::Refusal;
pub(crate) use error::AuthError;
pub(crate) use login::{Login, Need, Progress};
pub use methods::AuthMethod;
pub(crate) use methods::AuthMethods;
pub(crate) use scram::{ChannelBinding, NONCE_BYTES, nonce};
