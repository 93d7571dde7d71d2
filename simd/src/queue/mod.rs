//! Bounded queues between threads and tasks, which say what they lost.
//!
//! * [`Queue`]: first in, first out.
//! * [`Get`]: the future of a queue's next item.
//!
//! # Counting
//!
//! Offering to a full queue loses an item, and every loss is counted. At rest,
//!
//! ```text
//! offered = taken + held + dropped
//! ```
//!
//! where `taken` is what came out by `try_get`, `get`, `drain` and `clear`. An item that `put` gives back was
//! not offered.
//!
//! # Waiting
//!
//! `get` is a future of any runtime or none. It resolves at once when an item is there. It waits in a list
//! that its own memory is part of, so that waiting allocates nothing; it may be dropped at any time, and then
//! neither keeps an item nor a wake-up from the others. Waiters are served in the order in which they began
//! to wait; a caller that finds an item need not queue behind them.

mod fifo;
mod get;
mod ring;
mod waiters;

pub use fifo::{PutError, Queue};
pub use get::{Get, Source};

#[cfg(loom)]
#[cfg(test)]
mod models;
#[cfg(not(loom))]
#[cfg(test)]
mod tests;
