//! How to reach a server, and as whom (PostgreSQL manual, "Connection Strings" and "Parameter Key Words").
//!
//! A [`Config`] holds what was said; what was not is filled in from the environment (`PGHOST` and its kin) and from
//! defaults when a connection is made. A connection string is read as libpq reads it, and what is meant for libpq but
//! not supported is refused by name, unless it says what happens anyway. Passwords are shown nowhere.

mod account;
mod builder;
mod callback;
mod dsn;
mod error;
mod option;
mod passfile;
mod password;
mod protocol;
mod said;
mod servers;
mod service;
mod settings;
mod ssl;
mod tls;
mod uri;
mod value;

pub(crate) use account::name_of as account_name;
pub use callback::{PasswordRequest, TokenRequest};
pub use error::ConfigError;
pub use protocol::ProtocolVersion;
pub use said::Config;
pub use servers::{LoadBalanceHosts, TargetSessionAttrs};
pub(crate) use settings::Settings;
pub use ssl::{ChannelBindingMode, SslCertMode, SslMode};
