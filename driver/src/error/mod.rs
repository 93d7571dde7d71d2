//! What can go wrong, and whose fault it was.

mod kind;
mod opaque;
mod server;

pub use kind::ErrorKind;
pub use opaque::{Error, Result};
pub use server::{ServerError, Severity};
