//! Reaching a server.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use socket2::{SockRef, TcpKeepalive};
use tokio::net::{TcpSocket, TcpStream};

use super::Endpoint;
use super::stream::Stream;
use crate::error::{Error, ErrorKind, Result};

/// How a socket is made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Dial {
    /// Probes of a silent peer; `None` sends none. Unix sockets need none.
    pub(crate) keepalive: Option<Keepalive>,
    /// How long what was sent may go unacknowledged before the connection is given up; `None` leaves it to the system.
    pub(crate) user_timeout: Option<Duration>,
    /// The account that a unix socket's server has to run under.
    pub(crate) require_peer: Option<String>,
}

/// What is left open is up to the system.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Keepalive {
    /// How long the peer may be silent before the first probe.
    pub(crate) idle: Option<Duration>,
    /// How long each probe waits for its answer.
    pub(crate) interval: Option<Duration>,
    /// How many probes go without an answer before the connection is given up.
    pub(crate) count: Option<u32>,
}

impl Dial {
    /// Connects within `limit`.
    pub(crate) async fn connect(&self, endpoint: &Endpoint, limit: Option<Duration>) -> Result<Stream> {
        let connected = match limit {
            None => self.reach(endpoint).await,
            Some(limit) => {
                let reached = tokio::time::timeout(limit, self.reach(endpoint)).await;
                reached.map_err(|_| {
                    let message = format!("cannot connect to {endpoint}: no answer within {limit:.1?}");
                    Error::new(ErrorKind::Timeout, message)
                })?
            }
        };
        connected
            .map_err(|e| Error::caused(ErrorKind::Connect, format!("cannot connect to {endpoint}: {e}"), e))
    }

    async fn reach(&self, endpoint: &Endpoint) -> io::Result<Stream> {
        match endpoint {
            Endpoint::Tcp { address, .. } => self.tcp(*address).await.map(Stream::Tcp),
            #[cfg(unix)]
            Endpoint::Unix(path) => self.unix(path).await.map(Stream::Unix),
        }
    }

    async fn tcp(&self, address: SocketAddr) -> io::Result<TcpStream> {
        let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
        // Flights are whole: waiting for more to send would only delay them.
        socket.set_nodelay(true)?;
        if let Some(keepalive) = self.keepalive {
            SockRef::from(&socket).set_tcp_keepalive(&keepalive.parameters())?;
        }
        #[cfg(any(target_os = "linux", target_os = "android"))]
        if self.user_timeout.is_some() {
            SockRef::from(&socket).set_tcp_user_timeout(self.user_timeout)?;
        }
        socket.connect(address).await
    }

    #[cfg(unix)]
    async fn unix(&self, path: &std::path::Path) -> io::Result<super::unix::UnixSocket> {
        let stream = tokio::net::UnixStream::connect(path).await?;
        if let Some(wanted) = &self.require_peer {
            let found = stream.peer_cred()?.uid();
            let name = crate::config::account_name(found);
            if name.as_deref() != Some(wanted) {
                let found = name.unwrap_or_else(|| format!("number {found}"));
                return Err(io::Error::other(format!(
                    "requirepeer demands the account {wanted}, and the server's is {found}"
                )));
            }
        }
        super::unix::UnixSocket::new(stream)
    }
}

impl Keepalive {
    fn parameters(self) -> TcpKeepalive {
        let mut parameters = TcpKeepalive::new();
        if let Some(idle) = self.idle {
            parameters = parameters.with_time(idle);
        }
        #[cfg(not(target_os = "openbsd"))]
        {
            if let Some(interval) = self.interval {
                parameters = parameters.with_interval(interval);
            }
            if let Some(count) = self.count {
                parameters = parameters.with_retries(count);
            }
        }
        parameters
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    async fn dialled(dial: Dial) -> TcpStream {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        dial.tcp(address).await.expect("somebody listens")
    }

    #[tokio::test]
    async fn sockets_are_as_they_were_asked_for() {
        let seconds = Duration::from_secs;
        let keepalive = Keepalive { idle: Some(seconds(70)), interval: Some(seconds(7)), count: Some(3) };
        let user_timeout = Some(Duration::from_millis(12_345));
        let socket = dialled(Dial { keepalive: Some(keepalive), user_timeout, require_peer: None }).await;
        let found = SockRef::from(&socket);
        assert!(found.keepalive().expect("is known"));
        assert_eq!(found.tcp_keepalive_time().expect("is known"), seconds(70));
        assert_eq!(found.tcp_keepalive_interval().expect("is known"), seconds(7));
        assert_eq!(found.tcp_keepalive_retries().expect("is known"), 3);
        assert_eq!(found.tcp_user_timeout().expect("is known"), user_timeout);
        assert!(socket.nodelay().expect("is known"));
    }

    #[tokio::test]
    async fn what_is_left_open_is_up_to_the_system() {
        let plain = dialled(Dial::default()).await;
        assert!(!SockRef::from(&plain).keepalive().expect("is known"));
        let probing = dialled(Dial { keepalive: Some(Keepalive::default()), ..Dial::default() }).await;
        let (plain, probing) = (SockRef::from(&plain), SockRef::from(&probing));
        assert!(probing.keepalive().expect("is known"));
        assert_eq!(probing.tcp_keepalive_time().ok(), plain.tcp_keepalive_time().ok());
        assert_eq!(probing.tcp_user_timeout().ok(), plain.tcp_user_timeout().ok());
    }
}
