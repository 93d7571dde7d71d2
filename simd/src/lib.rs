//! A bounded key/value table and bounded queues, for every place that has to remember or hand over a
//! limited number of things.
//!
//! * [`Kv`]: a table bounded by entries and by bytes, which gives up its least recently used entry when it
//!   is full and lets entries expire. One owner, no lock.
//! * [`SharedKv`]: the same for many threads, in shards.
//! * [`Queue`]: a bounded queue between threads and tasks, which counts what it could not keep.
//! * [`PriorityQueue`], [`RoundRobin`], [`Stack`](queue::Stack): the same by other orders.
//! * [`SnapshotCache`]: reference data that is read without waiting and replaced whole.
//!
//! Nothing here starts a thread, knows an async runtime or grows without a bound that its owner set.
//!
//! This is the one crate of the workspace that contains `unsafe` code. Every block states why it is sound,
//! and every SIMD arm is checked against one scalar definition.

#![deny(unsafe_op_in_unsafe_fn)]

mod clock;
mod group;
mod hash;
pub mod kv;
mod lines;
mod prefetch;
pub mod queue;
pub mod snapshot;
mod sync;

pub use clock::{Clock, ManualClock};
pub use hash::{SeededHasher, SeededState};
pub use kv::{Kv, SharedKv};
pub use queue::{PriorityQueue, Queue, RoundRobin};
pub use snapshot::SnapshotCache;
