//! Where a server is.

use std::fmt;
#[cfg(unix)]
use std::path::PathBuf;

/// Where a server listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Address {
    /// A host's name or number, and a port.
    Tcp(String, u16),
    /// The file of a unix socket.
    #[cfg(unix)]
    Unix(PathBuf),
}

/// A server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Server {
    pub(crate) address: Address,
    /// The host's name, or number, that its certificate is expected to be for; `None` where only a `hostaddr` was
    /// given, and for unix sockets.
    pub(crate) name: Option<String>,
    /// The host as it was said: its name, else its number, or the folder of its socket; `localhost` for this machine's server
    /// where nothing, or a usual folder, was said.
    pub(crate) host: String,
    pub(crate) port: u16,
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(host, port) if host.contains(':') => write!(f, "[{host}]:{port}"),
            Self::Tcp(host, port) => write!(f, "{host}:{port}"),
            #[cfg(unix)]
            Self::Unix(path) => path.display().fmt(f),
        }
    }
}
