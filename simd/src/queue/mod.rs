//! Bounded queues between threads and tasks, which say what they lost.
//!
//! * [`Queue`]: first in, first out.
//! * [`Stack`]: last in, first out.
//! * [`PriorityQueue`]: the lowest number first.
//! * [`RoundRobin`]: lanes that take turns.
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
mod lanes;
mod locked;
mod priority;
mod put;
mod ring;
mod stack;
mod waiters;

pub use fifo::Queue;
pub use get::{Get, Source};
pub use lanes::RoundRobin;
pub use priority::PriorityQueue;
pub use put::PutError;
pub use stack::Stack;

#[cfg(loom)]
#[cfg(test)]
mod models;
#[cfg(not(loom))]
#[cfg(test)]
mod orders;
#[cfg(not(loom))]
#[cfg(test)]
mod tests;
