//! Asking a server for TLS, and beginning with it.

use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::BytesMut;
use rustls::pki_types::ServerName;
use tokio::io::{AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use wreath_codecs::frame::startup;

use super::client::ALPN;
use super::{SslNegotiation, Tls, binding, fault};
use crate::error::{Error, ErrorKind, Result};
use crate::net::Endpoint;
use crate::proto::limits::READ_MAX_TLS;

/// An encrypted socket. rustls reads by 4 KiB, so what is read from the socket is buffered below it.
pub(crate) type TlsSocket = TlsStream<BufReader<TcpStream>>;

impl Tls {
    /// Asks whether the server has TLS. Afterwards nothing has been read that does not belong to the answer.
    pub(crate) async fn ask(&self, socket: &mut TcpStream, endpoint: &Endpoint) -> Result<bool> {
        if self.negotiation == SslNegotiation::Direct {
            return Ok(true);
        }
        let hung_up = |e: io::Error| {
            let message = format!("{endpoint} hung up instead of answering whether it has TLS: {e}");
            Error::caused(ErrorKind::Connect, message, e)
        };
        let mut request = BytesMut::new();
        startup::ssl_request(&mut request).map_err(|e| Error::protocol(e.to_string()))?;
        socket.write_all(&request).await.map_err(hung_up)?;
        // One byte more than the answer has.
        let mut answer = [0; 2];
        let read = socket.read(&mut answer).await.map_err(hung_up)?;
        match (read, answer[0]) {
            (0, _) => Err(hung_up(io::ErrorKind::UnexpectedEof.into())),
            // Its text is not shown: anybody on the way could have written it.
            (_, b'E') => {
                let message = format!("{endpoint} answered the question whether it has TLS by an error");
                Err(Error::new(ErrorKind::Connect, message))
            }
            (1, b'S') => Ok(true),
            (1, b'N') => Ok(false),
            // Somebody on the way would have it taken for what the server says under encryption.
            (_, b'S' | b'N') => {
                let message =
                    format!("unencrypted bytes followed the answer of {endpoint} whether it has TLS");
                Err(Error::protocol(message))
            }
            _ => Err(Error::protocol(format!("{endpoint} does not know the question whether it has TLS"))),
        }
    }

    /// Makes the socket an encrypted one.
    pub(crate) async fn shake_hands(&self, socket: TcpStream, endpoint: &Endpoint) -> Result<Box<TlsSocket>> {
        // A name is needed in any case; this one is neither sent nor verified.
        let nobody = || ServerName::IpAddress(IpAddr::V4(Ipv4Addr::UNSPECIFIED).into());
        let name = self.name.clone().unwrap_or_else(nobody);
        let connector = TlsConnector::from(Arc::clone(&self.config));
        let socket = BufReader::with_capacity(READ_MAX_TLS, socket);
        let socket = connector.connect(name, socket).await.map_err(|e| fault::of_handshake(endpoint, e))?;
        if self.negotiation == SslNegotiation::Direct && socket.get_ref().1.alpn_protocol() != Some(ALPN) {
            let message =
                format!("{endpoint} does not say that it speaks PostgreSQL's protocol inside of TLS");
            return Err(Error::new(ErrorKind::Tls, message));
        }
        Ok(Box::new(socket))
    }
}

/// Asks to be woken when there is something to read; ready when there may be. What has been read from the socket
/// already may wait encrypted or decrypted.
pub(in crate::net) fn poll_read_ready(stream: &TlsSocket, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
    let (socket, session) = stream.get_ref();
    if !session.wants_read() || !socket.buffer().is_empty() {
        return Poll::Ready(Ok(()));
    }
    socket.get_ref().poll_read_ready(cx)
}

/// What a login over this socket can be bound to.
pub(in crate::net) fn end_point(stream: &TlsSocket) -> Option<Vec<u8>> {
    binding::end_point(stream.get_ref().1.peer_certificates()?.first()?)
}
