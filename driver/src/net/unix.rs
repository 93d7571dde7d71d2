//! A unix socket that wakes its reader for what there is to read, and for nothing else.
//!
//! The runtime's own stream asks the kernel to be told of room to write, too. On a unix socket there is news of
//! that whenever the server takes a request, so each lone query would wake the caller twice. Here the kernel is
//! asked about room only once a write has found none.

use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::unix::AsyncFd;
use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf};

/// The most that is read at once. What is read into has to be zeroed before, and a unix socket seldom holds more.
const MAX_READ: usize = 64 << 10;

/// A connected unix socket.
#[derive(Debug)]
pub(crate) struct UnixSocket {
    reading: AsyncFd<UnixStream>,
    /// The same socket, registered for room to write; made when a write has found none.
    writing: Option<AsyncFd<UnixStream>>,
}

impl UnixSocket {
    /// Takes a connected socket over.
    pub(crate) fn new(stream: tokio::net::UnixStream) -> io::Result<Self> {
        // Leaving the runtime's registration keeps the socket non-blocking.
        let stream = stream.into_std()?;
        Ok(Self { reading: register(stream, Interest::READABLE)?, writing: None })
    }

    /// Asks to be woken when there is something to read; ready when there may be.
    pub(crate) fn poll_read_ready(&self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.reading.poll_read_ready(cx).map_ok(|_| ())
    }
}

#[expect(
    deprecated,
    reason = "what came after it is unsafe, for the sake of types whose descriptor changes; a socket's does not"
)]
fn register(stream: UnixStream, interest: Interest) -> io::Result<AsyncFd<UnixStream>> {
    AsyncFd::with_interest(stream, interest)
}

impl AsyncRead for UnixSocket {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, room: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        loop {
            let mut ready = ready!(self.reading.poll_read_ready(cx))?;
            let asked = room.remaining().min(MAX_READ);
            let free = room.initialize_unfilled_to(asked);
            match ready.try_io(|socket| socket.get_ref().read(free)) {
                Ok(Ok(read)) => {
                    if read < asked {
                        // The socket is empty: asking it again would only find that out.
                        ready.clear_ready();
                    }
                    room.advance(read);
                    return Poll::Ready(Ok(()));
                }
                Ok(Err(e)) if e.kind() == io::ErrorKind::Interrupted => {}
                Ok(Err(e)) => return Poll::Ready(Err(e)),
                Err(_would_block) => {}
            }
        }
    }
}

impl AsyncWrite for UnixSocket {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        loop {
            match self.reading.get_ref().write(bytes) {
                Ok(written) => {
                    self.writing = None;
                    return Poll::Ready(Ok(written));
                }
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => {
                    if self.writing.is_none() {
                        let same = self.reading.get_ref().try_clone()?;
                        self.writing = Some(register(same, Interest::WRITABLE)?);
                    }
                    let Some(writing) = &self.writing else { continue };
                    // What it knows is from before the write that found no room, or from after it.
                    ready!(writing.poll_write_ready(cx))?.clear_ready();
                }
                Err(e) => return Poll::Ready(Err(e)),
            }
        }
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        // A socket keeps nothing back.
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(self.reading.get_ref().shutdown(std::net::Shutdown::Write))
    }
}
