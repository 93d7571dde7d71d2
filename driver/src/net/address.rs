//! Where a server is.

use std::fmt;
use std::net::{IpAddr, SocketAddr};
#[cfg(unix)]
use std::path::PathBuf;

use crate::error::{Error, ErrorKind, Result};

/// Where a server listens, as it was said.
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

/// One place where a server is reached: a name can stand for several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Endpoint {
    Tcp {
        /// The host as it was said.
        host: String,
        address: SocketAddr,
    },
    #[cfg(unix)]
    Unix(PathBuf),
}

impl Address {
    /// The places that it stands for, in the order in which the system would have them tried; there is at least one.
    pub(crate) async fn endpoints(&self) -> Result<Vec<Endpoint>> {
        match self {
            Self::Tcp(host, port) => {
                let found = tokio::net::lookup_host((host.as_str(), *port)).await;
                let found = found.map_err(|e| {
                    Error::caused(ErrorKind::Connect, format!("cannot connect to {self}: {e}"), e)
                })?;
                let endpoints: Vec<_> =
                    found.map(|address| Endpoint::Tcp { host: host.clone(), address }).collect();
                if endpoints.is_empty() {
                    let message = format!("cannot connect to {self}: the name stands for no address");
                    return Err(Error::new(ErrorKind::Connect, message));
                }
                Ok(endpoints)
            }
            #[cfg(unix)]
            Self::Unix(path) => Ok(vec![Endpoint::Unix(path.clone())]),
        }
    }
}

impl Endpoint {
    /// Whether what is sent there stays on this machine.
    pub(crate) fn is_local(&self) -> bool {
        match self {
            Self::Tcp { address, .. } => address.ip().is_loopback(),
            #[cfg(unix)]
            Self::Unix(_) => true,
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(host, port) => show(f, host, *port),
            #[cfg(unix)]
            Self::Unix(path) => show_socket(f, path),
        }
    }
}

/// With the number, where a name was said.
impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp { host, address } => {
                show(f, host, address.port())?;
                let number = host.split_once('%').map_or(&**host, |(number, _)| number);
                if number.parse() == Ok::<IpAddr, _>(address.ip()) {
                    return Ok(());
                }
                write!(f, " ({})", address.ip())
            }
            #[cfg(unix)]
            Self::Unix(path) => show_socket(f, path),
        }
    }
}

fn show(f: &mut fmt::Formatter<'_>, host: &str, port: u16) -> fmt::Result {
    if host.contains(':') { write!(f, "[{host}]:{port}") } else { write!(f, "{host}:{port}") }
}

/// An abstract socket with the @ that it is written with.
#[cfg(unix)]
fn show_socket(f: &mut fmt::Formatter<'_>, path: &std::path::Path) -> fmt::Result {
    let shown = path.to_string_lossy();
    match shown.strip_prefix('\0') {
        Some(name) => write!(f, "@{name}"),
        None => f.write_str(&shown),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn numbers_are_looked_up_nowhere() {
        for (host, shown) in [
            ("127.0.0.1", "127.0.0.1:1"),
            ("::1", "[::1]:1"),
            ("fe80::1%1", "[fe80::1%1]:1"),
            ("2001:db8:0::5", "[2001:db8:0::5]:1"),
        ] {
            let found = Address::Tcp(host.to_owned(), 1).endpoints().await.expect("a number");
            assert_eq!(found.len(), 1);
            assert_eq!(found[0].to_string(), shown);
        }
    }

    #[cfg(unix)]
    #[test]
    fn what_is_shown() {
        let address = "10.0.0.7:5433".parse().expect("an address");
        let named = Endpoint::Tcp { host: "farm.example".to_owned(), address };
        assert_eq!(named.to_string(), "farm.example:5433 (10.0.0.7)");
        assert_eq!(Endpoint::Unix("\0farm/.s.PGSQL.1".into()).to_string(), "@farm/.s.PGSQL.1");
        assert_eq!(Address::Unix("/run/.s.PGSQL.1".into()).to_string(), "/run/.s.PGSQL.1");
    }
}
