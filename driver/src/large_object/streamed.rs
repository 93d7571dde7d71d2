//! A large object as a stream of bytes.

use std::io::{self, SeekFrom};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::{Buf, Bytes};
use tokio::io::{AsyncRead, AsyncSeek, AsyncWrite, ReadBuf};

use super::object::{bytes_of, position_of, written};
use super::{LargeObject, PIECE};
use crate::connection::Reply;
use crate::error::{Error, Result};
use crate::row::Rows;

/// How much is read at once: what is not asked for is kept.
const READ_AHEAD: usize = PIECE / 4;

/// A [`LargeObject`] that is read, written and copied as a file is, by tokio's `AsyncReadExt`, `AsyncWriteExt`,
/// `AsyncSeekExt` and `copy`; made by [`LargeObject::into_io`].
///
/// A write is on its way when it returns: `flush` or `shutdown` says whether it has succeeded. Dropped without that, the
/// last piece may be cancelled, and fail the transaction. The errors hold an [`Error`](crate::Error).
///
/// ```no_run
/// # async fn f(tx: &wreath_driver::Transaction, oid: u32) -> Result<(), Box<dyn std::error::Error>> {
/// use tokio::io::{AsyncReadExt, AsyncWriteExt};
/// use wreath_driver::Access;
///
/// let mut object = tx.large_objects().open(oid, Access::ReadWrite).await?.into_io();
/// object.write_all(b"wool, mostly").await?;
/// object.shutdown().await?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct LargeObjectIo<'a> {
    object: LargeObject<'a>,
    /// What is on its way.
    flying: Option<Flying>,
    /// What has been read and not taken: the server's position lies behind it.
    ahead: Bytes,
    /// Where `start_seek` wants to be.
    wanted: Option<SeekFrom>,
    position: u64,
}

#[derive(Debug)]
enum Flying {
    Read(Reply),
    Write(Reply, usize),
    Seek(Reply),
    Close(Reply),
}

impl<'a> LargeObjectIo<'a> {
    pub(super) fn new(object: LargeObject<'a>) -> Self {
        Self { object, flying: None, ahead: Bytes::new(), wanted: None, position: 0 }
    }

    /// The object's number.
    pub fn oid(&self) -> u32 {
        self.object.oid()
    }

    /// Waits for what is on its way.
    fn poll_settled(&mut self, cx: &mut Context<'_>) -> Poll<Result<()>> {
        let Some(flying) = &mut self.flying else { return Poll::Ready(Ok(())) };
        let reply = match flying {
            Flying::Read(reply) | Flying::Write(reply, _) | Flying::Seek(reply) | Flying::Close(reply) => {
                reply
            }
        };
        let rows = ready!(Pin::new(reply).poll(cx));
        let flown = self.flying.take();
        Poll::Ready(rows.and_then(|rows| flown.map_or(Ok(()), |flown| self.settle(&flown, &rows))))
    }

    fn settle(&mut self, flown: &Flying, rows: &Rows) -> Result<()> {
        match flown {
            Flying::Read(_) => self.ahead = bytes_of(rows)?,
            Flying::Write(_, length) => written(rows, *length)?,
            Flying::Seek(_) => self.position = position_of(rows)?,
            Flying::Close(_) => {}
        }
        Ok(())
    }

    /// Waits until nothing is on its way and the server's position is the one that the caller knows.
    fn poll_in_place(&mut self, cx: &mut Context<'_>) -> Poll<Result<()>> {
        ready!(self.poll_settled(cx))?;
        if !self.ahead.is_empty() {
            let back = SeekFrom::Current(self.taken_back());
            self.flying = Some(Flying::Seek(self.object.send_seek(back)?));
            ready!(self.poll_settled(cx))?;
        }
        Poll::Ready(Ok(()))
    }

    /// How far it is from the server's position to the caller's, once what was read ahead is forgotten.
    fn taken_back(&mut self) -> i64 {
        let ahead = std::mem::take(&mut self.ahead);
        // It is at most what is read at once.
        -i64::try_from(ahead.len()).unwrap_or(0)
    }

    fn poll_fill(&mut self, cx: &mut Context<'_>) -> Poll<Result<()>> {
        if !self.ahead.is_empty() {
            return Poll::Ready(Ok(()));
        }
        if !matches!(self.flying, Some(Flying::Read(_))) {
            ready!(self.poll_settled(cx))?;
            self.flying = Some(Flying::Read(self.object.send_read(READ_AHEAD)?));
        }
        self.poll_settled(cx)
    }

    fn poll_seek(&mut self, cx: &mut Context<'_>) -> Poll<Result<u64>> {
        ready!(self.poll_settled(cx))?;
        if let Some(wanted) = self.wanted.take() {
            let back = self.taken_back();
            let to = match wanted {
                SeekFrom::Current(by) => SeekFrom::Current(by.saturating_add(back)),
                other => other,
            };
            self.flying = Some(Flying::Seek(self.object.send_seek(to)?));
            ready!(self.poll_settled(cx))?;
        }
        Poll::Ready(Ok(self.position))
    }

    fn poll_close(&mut self, cx: &mut Context<'_>) -> Poll<Result<()>> {
        if !matches!(self.flying, Some(Flying::Close(_))) {
            ready!(self.poll_settled(cx))?;
            self.flying = Some(Flying::Close(self.object.send_close()?));
        }
        self.poll_settled(cx)
    }
}

impl AsyncRead for LargeObjectIo<'_> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if buf.remaining() == 0 {
            return Poll::Ready(Ok(()));
        }
        ready!(self.poll_fill(cx)).map_err(failed)?;
        let taken = self.ahead.len().min(buf.remaining());
        buf.put_slice(&self.ahead[..taken]);
        self.ahead.advance(taken);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for LargeObjectIo<'_> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, data: &[u8]) -> Poll<io::Result<usize>> {
        ready!(self.poll_in_place(cx)).map_err(failed)?;
        let piece = &data[..data.len().min(PIECE)];
        if piece.is_empty() {
            return Poll::Ready(Ok(0));
        }
        let reply = self.object.send_write(piece).map_err(failed)?;
        self.flying = Some(Flying::Write(reply, piece.len()));
        // It goes out with the first poll. If it has ended already, this is where it tells.
        if let Poll::Ready(Err(e)) = self.poll_settled(cx) {
            return Poll::Ready(Err(failed(e)));
        }
        Poll::Ready(Ok(piece.len()))
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_settled(cx).map_err(failed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_close(cx).map_err(failed)
    }
}

impl AsyncSeek for LargeObjectIo<'_> {
    fn start_seek(mut self: Pin<&mut Self>, to: SeekFrom) -> io::Result<()> {
        self.wanted = Some(to);
        Ok(())
    }

    fn poll_complete(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<u64>> {
        self.poll_seek(cx).map_err(failed)
    }
}

fn failed(e: Error) -> io::Error {
    io::Error::other(e)
}
