//! [`Kv`]: a bounded table with exact recency, expiry on read, and SIMD-compared groups of slots.
//!
//! # What counts
//!
//! * `len` counts the entries that a read would find; [`Stats::residents`] also counts the expired ones
//!   that are still held. Expiry is lazy: an expired entry leaves when a read, a write or a bound comes
//!   across it, and is counted as an expiration then, once.
//! * A read of an expired entry is a miss and an expiration.
//! * Writing over a live entry is no admission. Writing over an expired one is an expiration and an
//!   admission.
//! * An expired entry that a bound pushes out is an expiration, not an eviction.
//! * `peek`, `contains` and iteration change neither the order nor any counter. They pass over expired
//!   entries and leave them where they are.
//!
//! # Cost
//!
//! Reading, writing, removing and evicting take a bounded number of steps at any fill, under any churn:
//! there are no tombstones and no rebuilds but those of growth. The exceptions are `len` on a table that
//! has deadlines, once the earliest of them has passed, and what must look at every entry: `retain`,
//! `clear`, iteration.
//!
//! # Deliberately absent
//!
//! No lock: a table has one owner. No background sweep: an entry that nobody asks for costs its place until
//! the bound needs it. No clean-up pass.

mod batch;
mod bounds;
mod expiry;
mod iter;
mod map;
mod order;
mod shared;
mod stats;
mod table;
mod write;

pub use bounds::{BoundsError, Builder, Policy};
pub use expiry::Expiry;
pub use iter::Iter;
pub use map::Kv;
pub use shared::SharedKv;
pub use stats::Stats;
pub use write::{Refused, Write};

#[cfg(test)]
mod oracle;
#[cfg(test)]
mod ratios;
#[cfg(test)]
mod tests;
