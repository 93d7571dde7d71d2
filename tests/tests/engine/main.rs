//! One connection under load, under faults and against errors: what it costs, and what is left of it.

#![forbid(unsafe_code)]
#![allow(clippy::unwrap_used, reason = "a failed unwrap is how a test fails, in its fixtures too")]

mod drops;
mod errors;
mod failures;
mod flights;
mod hostile;

use wreath_driver::{Client, Connection};
use wreath_tests::{Cluster, Database, FaultProxy};

/// A hundred llamas, with every constraint that an error can name.
const FARM: &str = "
    CREATE TABLE paddocks (id bigint PRIMARY KEY);
    INSERT INTO paddocks VALUES (1);
    CREATE DOMAIN age AS int CONSTRAINT age_is_real CHECK (VALUE >= 0);
    CREATE TABLE llamas (
        id bigint PRIMARY KEY,
        name text NOT NULL CONSTRAINT name_is_short CHECK (length(name) < 40),
        paddock_id bigint CONSTRAINT llama_has_paddock REFERENCES paddocks,
        age age
    );
    INSERT INTO llamas SELECT n, 'llama ' || n, 1, NULL FROM generate_series(1, 100) n;
";

fn farm() -> Database {
    Cluster::shared().database_from("engine", FARM)
}

async fn connect(db: &Database) -> Connection {
    wreath_driver::connect(&db.dsn()).await.unwrap()
}

/// A connection to `db` that goes through a proxy.
async fn proxied(db: &Database) -> (FaultProxy, Connection) {
    let proxy = FaultProxy::start(db.cluster()).await.unwrap();
    let connection = wreath_driver::connect(&proxy.dsn(db.name())).await.unwrap();
    (proxy, connection)
}

/// The process on the server that serves `connection`.
async fn backend(connection: &Connection) -> i32 {
    connection.fetch_scalar("SELECT pg_backend_pid()", ()).await.unwrap()
}

/// Whether the connection still answers, and with its own answer.
async fn answers(client: &Client) -> bool {
    client.fetch_scalar::<i32>("SELECT 4711", ()).await.is_ok_and(|number| number == 4711)
}
