//! Where a peer of a test listens: a port, or a socket in a folder of its own.

use std::fmt;
use std::io;
use std::net::{SocketAddr, ToSocketAddrs as _};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream, UnixListener, UnixStream};

use crate::admin::socket_file;

/// A socket of either kind.
pub(crate) trait Socket: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Socket for S {}

/// Where something listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Endpoint {
    /// An address and a port.
    Tcp(SocketAddr),
    /// A folder with a socket that is named as PostgreSQL names its own, and the port in that name.
    Unix(PathBuf, u16),
}

impl Endpoint {
    /// The first address of `host`.
    pub(crate) fn tcp(host: &str, port: u16) -> io::Result<Self> {
        let mut addresses = (host, port).to_socket_addrs()?;
        Ok(Self::Tcp(addresses.next().ok_or(io::ErrorKind::NotFound)?))
    }

    pub(crate) fn address(&self) -> SocketAddr {
        match self {
            Self::Tcp(address) => *address,
            Self::Unix(..) => panic!("{self} has no address: use its endpoint"),
        }
    }

    /// The URL that leads there, for `user` as a URL has it, with or without a password.
    pub(crate) fn url(&self, user: &str, database: &str) -> String {
        match self {
            Self::Tcp(address) => format!("postgres://{user}@{address}/{database}?sslmode=disable"),
            Self::Unix(folder, port) => {
                format!("postgres://{user}@/{database}?host={}&port={port}", folder.display())
            }
        }
    }

    pub(crate) async fn connect(&self) -> io::Result<Box<dyn Socket>> {
        match self {
            Self::Tcp(address) => tcp(TcpStream::connect(address).await?),
            Self::Unix(folder, port) => Ok(Box::new(UnixStream::connect(socket_file(folder, *port)).await?)),
        }
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(address) => write!(f, "{address}"),
            Self::Unix(folder, port) => write!(f, "{}", socket_file(folder, *port).display()),
        }
    }
}

#[derive(Debug)]
pub(crate) enum Listener {
    Tcp(TcpListener),
    /// The folder goes when the listener does.
    Unix {
        socket: UnixListener,
        _folder: Folder,
    },
}

impl Listener {
    /// Listens on a free port of 127.0.0.1.
    pub(crate) async fn tcp() -> io::Result<(Self, Endpoint)> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let endpoint = Endpoint::Tcp(listener.local_addr()?);
        Ok((Self::Tcp(listener), endpoint))
    }

    /// Listens on a socket in a new folder, which goes with the listener.
    pub(crate) fn unix() -> io::Result<(Self, Endpoint)> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let (process, number) = (std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let folder = Folder(std::env::temp_dir().join(format!("wreath-peer-{process}-{number}")));
        std::fs::create_dir(&folder.0)?;
        let endpoint = Endpoint::Unix(folder.0.clone(), 5432);
        let socket = UnixListener::bind(socket_file(&folder.0, 5432))?;
        Ok((Self::Unix { socket, _folder: folder }, endpoint))
    }

    pub(crate) async fn accept(&self) -> io::Result<Box<dyn Socket>> {
        match self {
            Self::Tcp(listener) => tcp(listener.accept().await?.0),
            Self::Unix { socket, .. } => Ok(Box::new(socket.accept().await?.0)),
        }
    }
}

/// A folder that is deleted with everything in it when the value is dropped.
#[derive(Debug)]
pub(crate) struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left of a socket harms nobody.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Small writes are sent at once, and so arrive by themselves.
fn tcp(socket: TcpStream) -> io::Result<Box<dyn Socket>> {
    socket.set_nodelay(true)?;
    Ok(Box::new(socket))
}
