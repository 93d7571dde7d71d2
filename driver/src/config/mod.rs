//! Where to connect, as whom, and within which bounds.

use std::fmt;

use crate::net::Address;

/// The settings of connections.
///
/// ```
/// use wreath_driver::Config;
///
/// let config = Config::new().host("localhost").user("shepherd").dbname("farm");
/// ```
#[derive(Clone)]
pub struct Config {
    host: String,
    port: u16,
    user: String,
    password: Option<String>,
    dbname: Option<String>,
}

impl Config {
    /// The server on this machine, as `postgres`.
    pub fn new() -> Self {
        Self { host: "localhost".into(), port: 5432, user: "postgres".into(), password: None, dbname: None }
    }

    /// The host's name or number, or the folder of its unix socket.
    #[must_use]
    pub fn host(mut self, host: impl Into<String>) -> Self {
        self.host = host.into();
        self
    }

    /// The port.
    #[must_use]
    pub fn port(mut self, port: u16) -> Self {
        self.port = port;
        self
    }

    /// The user.
    #[must_use]
    pub fn user(mut self, user: impl Into<String>) -> Self {
        self.user = user.into();
        self
    }

    /// The password.
    #[must_use]
    pub fn password(mut self, password: impl Into<String>) -> Self {
        self.password = Some(password.into());
        self
    }

    /// The database; the user's name where none is given.
    #[must_use]
    pub fn dbname(mut self, dbname: impl Into<String>) -> Self {
        self.dbname = Some(dbname.into());
        self
    }

    pub(crate) fn address(&self) -> Address {
        #[cfg(unix)]
        if self.host.starts_with('/') {
            return Address::Unix(format!("{}/.s.PGSQL.{}", self.host, self.port).into());
        }
        Address::Tcp(self.host.clone(), self.port)
    }

    pub(crate) fn wanted(&self) -> crate::proto::startup::Wanted<'_> {
        crate::proto::startup::Wanted {
            user: &self.user,
            password: self.password.as_deref(),
            database: self.dbname.as_deref().unwrap_or(&self.user),
            parameters: &[],
        }
    }
}

impl Default for Config {
    fn default() -> Self {
        Self::new()
    }
}

/// The password is left out.
impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Config")
            .field("host", &self.host)
            .field("port", &self.port)
            .field("user", &self.user)
            .field("dbname", &self.dbname)
            .finish_non_exhaustive()
    }
}
