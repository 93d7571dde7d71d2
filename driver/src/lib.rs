#![doc = include_str!("guide.md")]
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
