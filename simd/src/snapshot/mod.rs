//! Read-mostly data, replaced whole: reference tables, configuration, whatever fits into memory and is loaded at
//! once.
//!
//! * [`SnapshotCache`]: the current [`Generation`], and how the next one comes to be.
//! * [`Generation`]: one immutable state, with the number it was published under.

mod cache;
mod generation;
mod publish;

pub use cache::{MissingKey, RefreshError, SnapshotCache};
pub use generation::{Generation, TooLarge};

#[cfg(loom)]
#[cfg(test)]
mod models;
