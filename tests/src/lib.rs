//! The test kit: real PostgreSQL servers, and peers that misbehave on command.
//!
//! * [`Cluster`] starts a throwaway server, or uses the one that it is pointed at, and hands out a fresh
//!   [`Database`] to each test.
//! * [`PgBouncer`] pools connections to such a server.
//! * [`FaultProxy`] sits between a client and a server: it counts, cuts, stalls, delays, splits and swallows.
//! * [`ScriptedPeer`] plays a server from a script, also one that no real server would follow.
//! * [`skip`] is how a test says that it cannot run here, so that no test is left out in silence.
//!
//! The kit depends on none of the crates that it tests; its own connection ([`Admin`]) speaks just enough of
//! the protocol to create a database.
//!
//! # A database for each test
//!
//! No macro is needed: a function is the fixture. The template's script runs once for a server; each test
//! then gets a copy of its own, which is dropped with the value, also when the test panics.
//!
//! ```
//! use wreath_tests::{Cluster, Database};
//!
//! fn farm() -> Database {
//!     Cluster::shared().database_from("farm", "
//!         CREATE TABLE llamas (id bigint PRIMARY KEY, name text NOT NULL);
//!         INSERT INTO llamas VALUES (1, 'Dolly');
//!     ")
//! }
//!
//! // In a project of yours this is a #[test], or a #[tokio::test] that connects its driver to `db.dsn()`.
//! fn llamas_can_be_renamed() {
//!     let db = farm();
//!     let mut admin = db.admin();
//!     admin.query("UPDATE llamas SET name = 'Polly'").expect("the table is there");
//!     let rows = admin.query("SELECT name FROM llamas").expect("the table is there");
//!     assert_eq!(rows, [[Some("Polly".to_owned())]]);
//! }
//!
//! // Nobody else sees the change.
//! fn llamas_start_afresh() {
//!     let rows = farm().admin().query("SELECT name FROM llamas").expect("the table is there");
//!     assert_eq!(rows, [[Some("Dolly".to_owned())]]);
//! }
//!
//! llamas_can_be_renamed();
//! llamas_start_afresh();
//! ```
//!
//! # Environment
//!
//! | variable | meaning |
//! |---|---|
//! | `DATABASE_URL` | use this server instead of starting one; its user must be allowed to create databases |
//! | `WREATH_CLUSTER` | use the kit's own server that runs in this folder (the `cluster` program sets it) |
//! | `WREATH_REQUIRE` | comma-separated names that [`skip`] must fail on instead of skipping |
//! | `WREATH_SKIPS` | a file that each skip appends a line to |
//! | `PG_BIN` | folder with `initdb` and `postgres` (else the one in `PATH`, else the newest of Debian's) |
//! | `WREATH_PG_BINS` | more folders like that, as `PATH` has them, for tests that take a newer server |
//! | `PG_ACCOUNT` | the account that the server runs as when the tests run as root (else postgres, else nobody) |

#![forbid(unsafe_code)]

mod admin;
mod cluster;
mod listener;
mod proxy;
mod scripted;
mod skip;

pub use admin::{Admin, AdminError, TextRows};
pub use cluster::{
    Cluster, ClusterError, ClusterOptions, Database, PgBouncer, Pooling, Role, TlsFiles, version_of,
};
pub use listener::Endpoint;
pub use proxy::{Counts, Direction, Fault, FaultProxy, Traffic};
pub use scripted::{Received, Script, ScriptError, ScriptedPeer, frame};
pub use skip::{skip, skips};

/// The README's code compiles.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
