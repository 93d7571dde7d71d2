//! Connections and what can be asked of them.

mod client;
mod engine;
mod establish;
mod handle;
mod reply;
mod resident;
mod stats;
mod transact;
mod transaction;

pub use client::{Client, Within};
pub use establish::connect;
pub use handle::Connection;
pub use reply::Reply;
pub use stats::Stats;
pub use transact::{Isolation, TransactionBuilder, Tx};
pub use transaction::Transaction;
