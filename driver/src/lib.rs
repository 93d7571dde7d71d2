//! A PostgreSQL driver that speaks the wire protocol itself.
//!
//! * [`Connection`]: one session, shared by as many tasks as hold a clone of it. Statements of several tasks
//!   travel together; each has its own result or error.
//! * [`Client`]: the verbs, the same on a connection, a [`Transaction`] and a pool's [`Lease`].
//! * [`Rows`]: a result as the bytes that arrived; values are read from them without a copy.
//! * [`Pool`]: connections that are kept open and handed out; [`Database`]: a pool for each kind of work.
//! * [`AdvisoryLock`] and [`Singleton`]: who of many may, and who of many does.
//!
//! ```no_run
//! # async fn f() -> wreath_driver::Result<()> {
//! let connection = wreath_driver::connect("postgres://shepherd@localhost/farm").await?;
//! let name = "Dolly";
//! let llamas: Vec<(i64, String)> =
//!     connection.fetch_as("SELECT id, name FROM llamas WHERE name = $1", (name,)).await?;
//! # Ok(())
//! # }
//! ```
//!
//! Statements are prepared when they are first seen, in the same flight in which they run, and kept in a bounded
//! cache. Parameters are values of Rust types that implement [`Encode`]; a string is sent without a type, and so
//! reaches a parameter of any type in its text form.
//!
//! Servers from PostgreSQL 14 on are supported.

#![forbid(unsafe_code)]

mod batch;
mod catalog;
mod chance;
mod config;
mod connection;
mod database;
mod error;
#[cfg(feature = "fuzzing")]
pub mod fuzzing;
mod large_object;
mod lock;
mod net;
mod notification;
mod observe;
mod params;
mod pool;
mod proto;
#[cfg(feature = "replication")]
pub mod replication;
mod row;
mod sql;
mod tag;

pub use batch::{Batch, Element, Series, SortKey};
pub use catalog::Catalog;
pub use config::{
    ChannelBindingMode, Config, ConfigError, LoadBalanceHosts, PasswordRequest, ProtocolVersion, SslCertMode,
    SslMode, TargetSessionAttrs, TokenRequest,
};
pub use connection::{
    Client, Connection, CopyIn, CopyOut, CopyRows, Description, Isolation, Pipeline, Reply, Results,
    RowStream, Stats, Ticket, Transaction, TransactionBuilder, Tx, Within, connect,
};
pub use database::{Database, DatabaseBuilder, Workload};
pub use error::{Error, ErrorKind, Result, ServerError, Severity};
pub use large_object::{Access, LargeObject, LargeObjectIo, LargeObjects};
pub use lock::{AdvisoryLock, LockKey, Singleton, SingletonRunner, lock_hash};
pub use net::{CancelToken, SslNegotiation, TlsVersion};
pub use notification::{Event, Listener, Notification, Notifications};
pub use observe::{Finished, Operation, Recorder};
pub use params::Params;
pub use pool::{
    HookFuture, Lease, LeaseReport, Pool, PoolBuilder, PoolConfig, PoolCounters, PoolSnapshot, SharedLease,
};
pub use proto::auth::AuthMethod;
pub use row::{Column, DecodeOwned, FromRow, OwnedRow, Row, RowIndex, RowReader, Rows};
pub use sql::Sql;
pub use tag::CommandTag;
pub use wreath_codecs as codecs;
pub use wreath_codecs::{Decode, Encode, Oid, ParamBuf, PgType, SqlState, Type};
