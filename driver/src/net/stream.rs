//! The byte stream to a server.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

use super::tls::{self, TlsSocket};
use crate::error::{Error, Result};
#[cfg(unix)]
use crate::net::unix::UnixSocket;
use crate::net::{Endpoint, Tls};

/// A connected socket.
#[derive(Debug)]
pub(crate) enum Stream {
    Tcp(TcpStream),
    #[cfg(unix)]
    Unix(UnixSocket),
    Tls(Box<TlsSocket>),
    /// Nothing any more.
    Closed,
}

impl Stream {
    /// Encrypts what follows, if the server has TLS; a stream that is not [encrypted](Self::is_encrypted) comes back where it
    /// has not. Unix sockets stay as they are.
    pub(crate) async fn encrypt(self, tls: &Tls, endpoint: &Endpoint) -> Result<Self> {
        match self {
            Self::Tcp(mut socket) => {
                if tls.ask(&mut socket, endpoint).await? {
                    return tls.shake_hands(socket, endpoint).await.map(Self::Tls);
                }
                Ok(Self::Tcp(socket))
            }
            other => Ok(other),
        }
    }

    pub(crate) fn is_encrypted(&self) -> bool {
        matches!(self, Self::Tls(_))
    }

    /// What a login can be bound to: a hash of the server's certificate, where there is one.
    pub(crate) fn end_point(&self) -> Option<Vec<u8>> {
        match self {
            Self::Tls(s) => tls::end_point(s),
            _ => None,
        }
    }

    /// What the stream failed with, if it was TLS that did.
    pub(crate) fn tls_fault(&self, endpoint: &Endpoint, e: &io::Error) -> Option<Error> {
        if self.is_encrypted() { tls::of_session(endpoint, e) } else { None }
    }

    /// Asks to be woken when there is something to read; ready when there may be.
    pub(crate) fn poll_read_ready(&self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self {
            Self::Tcp(s) => s.poll_read_ready(cx),
            #[cfg(unix)]
            Self::Unix(s) => s.poll_read_ready(cx),
            Self::Tls(s) => tls::poll_read_ready(s, cx),
            Self::Closed => Poll::Pending,
        }
    }
}

impl AsyncRead for Stream {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, room: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Tcp(s) => Pin::new(s).poll_read(cx, room),
            #[cfg(unix)]
            Self::Unix(s) => Pin::new(s).poll_read(cx, room),
            Self::Tls(s) => match ready!(Pin::new(s).poll_read(cx, room)) {
                // A server that is killed says no good-bye. Nothing can be cut off unnoticed by that: messages have
                // lengths, and each answer has an end.
                Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => Poll::Ready(Ok(())),
                read => Poll::Ready(read),
            },
            Self::Closed => Poll::Ready(Err(io::ErrorKind::NotConnected.into())),
        }
    }
}

impl AsyncWrite for Stream {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Self::Tcp(s) => Pin::new(s).poll_write(cx, bytes),
            #[cfg(unix)]
            Self::Unix(s) => Pin::new(s).poll_write(cx, bytes),
            Self::Tls(s) => Pin::new(s).poll_write(cx, bytes),
            Self::Closed => Poll::Ready(Err(io::ErrorKind::NotConnected.into())),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            // What has been encrypted may wait for the socket.
            Self::Tls(s) => Pin::new(s).poll_flush(cx),
            // Sockets keep nothing back.
            _ => Poll::Ready(Ok(())),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Tcp(s) => Pin::new(s).poll_shutdown(cx),
            #[cfg(unix)]
            Self::Unix(s) => Pin::new(s).poll_shutdown(cx),
            Self::Tls(s) => Pin::new(s).poll_shutdown(cx),
            Self::Closed => Poll::Ready(Ok(())),
        }
    }
}
