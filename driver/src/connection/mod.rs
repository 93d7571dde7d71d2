//! Connections and what can be asked of them.

mod client;
mod copy;
pub(crate) mod engine;
mod establish;
mod handle;
mod loan;
mod pipeline;
mod portal;
mod remedy;
mod reply;
mod resident;
mod script;
mod stats;
mod stream;
mod target;
mod transact;
mod transaction;
mod verify;

pub use client::{Client, Within};
pub use copy::{CopyIn, CopyOut, CopyRows};
pub use establish::connect;
pub use handle::Connection;
pub use pipeline::{Pipeline, Results, Ticket};
#[cfg(feature = "replication")]
pub(crate) use reply::Pending;
pub use reply::Reply;
pub use stats::Stats;
pub use stream::RowStream;
pub use transact::{Isolation, TransactionBuilder, Tx};
pub use transaction::Transaction;
pub use verify::Description;
