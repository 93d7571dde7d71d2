//! What can be asked of a connection, against a real server.

#![forbid(unsafe_code)]
#![allow(clippy::unwrap_used, reason = "a failed unwrap is how a test fails, in its fixtures too")]

mod bounds;
mod cancelling;
mod coalescing;
mod columns;
mod copying;
mod listening;
mod mapping;
mod objects;
mod pipelining;
mod portals;
mod refusing;
mod replicating;
mod scripts;
mod streaming;
mod timing;
mod transactions;
mod verifying;
mod watching;

use wreath_driver::Connection;
use wreath_tests::{Cluster, Database};

/// A database of the test's own, and a connection to it.
async fn connected() -> (Database, Connection) {
    let database = Cluster::shared().database();
    let connection = connect(&database).await;
    (database, connection)
}

async fn connect(database: &Database) -> Connection {
    wreath_driver::connect(&database.dsn()).await.unwrap()
}
