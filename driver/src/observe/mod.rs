//! What can be watched of a connection's operations, as they run: a [`Recorder`] of the user's, and spans of
//! `tracing` (feature `tracing`).
//!
//! Operations are watched where their callers wait for them, outside of the connection's locks: what watches can slow
//! down its own caller and nobody else. Where nobody watches, an operation costs one comparison more.

mod observer;
mod recorder;
#[cfg(feature = "tracing")]
mod span;
mod watch;

pub(crate) use observer::{Observed, Observer};
pub use recorder::{Finished, Operation, Recorder};
pub(crate) use watch::Watch;
