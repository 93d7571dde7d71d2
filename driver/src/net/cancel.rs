//! Asking a server to stop what it is doing.

use std::fmt;
use std::io;
use std::sync::Arc;

use bytes::BytesMut;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use wreath_codecs::frame::startup;

use crate::error::{Error, ErrorKind, Result};
use crate::net::{Dial, Endpoint, Stream, Tls};
use crate::proto::limits::CANCEL_DEADLINE;

/// Cancels whatever statement a connection is running at that moment. Made by
/// [`Client::cancel_token`](crate::Client::cancel_token); it can be cloned and sent to where the decision is made.
///
/// The request travels on a connection of its own (PostgreSQL manual, "Canceling Requests in Progress"), and it
/// names the session, not the statement: on a connection with many callers it hits whichever statement is
/// running. To stop one statement, drop its future, or bound it with [`Client::within`](crate::Client::within):
/// then no other can be hit.
#[derive(Clone)]
pub struct CancelToken(Arc<Target>);

struct Target {
    /// Where the connection leads, and not what its host's name may stand for by now.
    endpoint: Endpoint,
    dial: Dial,
    /// Encrypts the request, where the connection is encrypted too.
    tls: Option<Tls>,
    process_id: i32,
    key: Vec<u8>,
}

/// What has become of a cancel request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cancelled {
    /// The server has read it, and it has been passed on.
    Confirmed,
    /// It has not been sent.
    NotSent,
    /// It was sent, and the server has not said that it was read: it may yet be.
    Unconfirmed,
}

impl CancelToken {
    pub(crate) fn new(
        endpoint: Endpoint,
        dial: Dial,
        tls: Option<Tls>,
        process_id: i32,
        key: Vec<u8>,
    ) -> Self {
        Self(Arc::new(Target { endpoint, dial, tls, process_id, key }))
    }

    /// Asks the server to cancel, and waits until it has read that. Whether a statement was running, and is
    /// cancelled, shows in that statement's own result: SQLSTATE 57014.
    ///
    /// # Errors
    /// `Connect` or `Timeout`, when the request could not be delivered.
    pub async fn cancel(&self) -> Result<()> {
        match self.send().await {
            Cancelled::Confirmed => Ok(()),
            Cancelled::NotSent => {
                let message = format!("cannot connect to {} for a cancel request", self.0.endpoint);
                Err(Error::new(ErrorKind::Connect, message))
            }
            Cancelled::Unconfirmed => {
                Err(Error::new(ErrorKind::Timeout, "the server did not confirm a cancel request"))
            }
        }
    }

    pub(crate) async fn send(&self) -> Cancelled {
        let deadline = tokio::time::Instant::now() + CANCEL_DEADLINE;
        let connected = tokio::time::timeout_at(deadline, self.connect()).await;
        let Ok(Ok(stream)) = connected else { return Cancelled::NotSent };
        match tokio::time::timeout_at(deadline, self.request(stream)).await {
            Ok(Ok(())) => Cancelled::Confirmed,
            Ok(Err(_)) | Err(_) => Cancelled::Unconfirmed,
        }
    }

    /// Connects as the connection did. The key is not shown to anybody in the middle.
    async fn connect(&self) -> Result<Stream> {
        let Target { endpoint, dial, tls, .. } = &*self.0;
        let stream = dial.connect(endpoint, None).await?;
        let Some(tls) = tls else { return Ok(stream) };
        let stream = stream.encrypt(tls, endpoint).await?;
        if stream.is_encrypted() {
            return Ok(stream);
        }
        Err(Error::new(ErrorKind::Tls, format!("{endpoint} has no TLS any more")))
    }

    /// Sends the request and waits for the end of the stream: the server closes once it has passed it on.
    async fn request(&self, mut stream: Stream) -> io::Result<()> {
        let mut request = BytesMut::new();
        startup::cancel(&mut request, self.0.process_id, &self.0.key).map_err(io::Error::other)?;
        stream.write_all(&request).await?;
        stream.flush().await?;
        let mut nothing = [0; 1];
        match stream.read(&mut nothing).await {
            // Some servers reset the connection instead of closing it: they have read the request then, too.
            Ok(_) => Ok(()),
            Err(e) if e.kind() == io::ErrorKind::ConnectionReset => Ok(()),
            Err(e) => Err(e),
        }
    }
}

/// The key is left out: who has it can cancel.
impl fmt::Debug for CancelToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CancelToken")
            .field("endpoint", &self.0.endpoint)
            .field("process_id", &self.0.process_id)
            .finish_non_exhaustive()
    }
}
