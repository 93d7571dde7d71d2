//! One open object.

use std::collections::VecDeque;
use std::io::SeekFrom;

use bytes::Bytes;
use wreath_codecs::{EncodeError, ParamBuf};

use super::{LargeObjectIo, PIECE};
use crate::connection::{Client, Reply};
use crate::error::{Error, ErrorKind, Result};
use crate::row::Rows;
use crate::sql::Sql;

/// How many pieces of one write are on their way at once.
const WINDOW: usize = 4;

/// A large object that is open; made by [`LargeObjects::open`](super::LargeObjects::open). It has a position, at which it
/// is read and written, and which that moves.
///
/// It ends with its transaction; dropped before, it stays open on the server until then. A transaction of which one
/// statement has failed can read and write nothing any more.
#[derive(Debug)]
pub struct LargeObject<'a> {
    client: &'a Client,
    oid: u32,
    descriptor: i32,
}

impl<'a> LargeObject<'a> {
    pub(super) fn new(client: &'a Client, oid: u32, descriptor: i32) -> Self {
        Self { client, oid, descriptor }
    }

    /// Its number.
    pub fn oid(&self) -> u32 {
        self.oid
    }

    /// Reads up to `limit` bytes, and at most 1 MiB; none at the end, where it is less than that.
    ///
    /// # Errors
    /// As [`Client::execute`].
    pub async fn read(&mut self, limit: usize) -> Result<Bytes> {
        bytes_of(&self.client.wait(self.send_read(limit)?).await?)
    }

    /// Writes all of `data`; beyond the end the object grows, and what was never written is zeros. When the future is
    /// dropped, a part of it may have been written.
    ///
    /// # Errors
    /// As [`Client::execute`].
    pub async fn write(&mut self, data: &[u8]) -> Result<()> {
        let mut flying = VecDeque::with_capacity(WINDOW);
        for piece in data.chunks(PIECE) {
            if flying.len() == WINDOW
                && let Some((reply, length)) = flying.pop_front()
            {
                written(&self.client.wait(reply).await?, length)?;
            }
            flying.push_back((self.send_write(piece)?, piece.len()));
        }
        while let Some((reply, length)) = flying.pop_front() {
            written(&self.client.wait(reply).await?, length)?;
        }
        Ok(())
    }

    /// Moves to another position, and answers it, in bytes from the start. It may lie beyond the end.
    ///
    /// # Errors
    /// `Server`, when it would lie before the start or beyond 4 TiB (SQLSTATE 22023); else as [`Client::execute`].
    pub async fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        position_of(&self.client.wait(self.send_seek(to)?).await?)
    }

    /// Where it is, in bytes from the start.
    ///
    /// # Errors
    /// As [`Client::execute`].
    pub async fn position(&mut self) -> Result<u64> {
        self.seek(SeekFrom::Current(0)).await
    }

    /// How many bytes it has. The position stays where it is.
    ///
    /// # Errors
    /// As [`Client::execute`].
    pub async fn size(&mut self) -> Result<u64> {
        let position = self.position().await?;
        let size = self.seek(SeekFrom::End(0)).await?;
        self.seek(SeekFrom::Start(position)).await?;
        Ok(size)
    }

    /// Cuts it off at that length, or lets it grow to that by zeros. The position stays where it is.
    ///
    /// # Errors
    /// As [`seek`](Self::seek).
    pub async fn truncate(&mut self, length: u64) -> Result<()> {
        let length = offset(length)?;
        let sql = "SELECT pg_catalog.lo_truncate64($1, $2)";
        self.client.execute(sql, (self.descriptor, length)).await.map(drop)
    }

    /// Closes it.
    ///
    /// # Errors
    /// As [`Client::execute`].
    pub async fn close(self) -> Result<()> {
        self.client.wait(self.send_close()?).await.map(drop)
    }

    /// The same as tokio's traits have it: to be read, written and copied as a file is.
    pub fn into_io(self) -> LargeObjectIo<'a> {
        LargeObjectIo::new(self)
    }

    pub(super) fn send_read(&self, limit: usize) -> Result<Reply> {
        // It fits: a piece is far smaller.
        let limit = i32::try_from(limit.min(PIECE)).unwrap_or(i32::MAX);
        self.send("SELECT pg_catalog.loread($1, $2)", |params| params.push(&limit))
    }

    pub(super) fn send_write(&self, piece: &[u8]) -> Result<Reply> {
        self.send("SELECT pg_catalog.lowrite($1, $2)", |params| params.push(piece))
    }

    pub(super) fn send_seek(&self, to: SeekFrom) -> Result<Reply> {
        let (offset, whence) = match to {
            SeekFrom::Start(at) => (offset(at)?, 0_i32),
            SeekFrom::Current(by) => (by, 1),
            SeekFrom::End(by) => (by, 2),
        };
        self.send("SELECT pg_catalog.lo_lseek64($1, $2, $3)", |params| {
            params.push(&offset)?;
            params.push(&whence)
        })
    }

    pub(super) fn send_close(&self) -> Result<Reply> {
        self.send("SELECT pg_catalog.lo_close($1)", |_| Ok(()))
    }

    /// Sends a statement about this object, which is its first parameter.
    fn send(
        &self,
        sql: &str,
        more: impl FnOnce(&mut ParamBuf) -> std::result::Result<(), EncodeError>,
    ) -> Result<Reply> {
        let mut params = ParamBuf::new();
        params.push(&self.descriptor)?;
        more(&mut params)?;
        Ok(self.client.send(&Sql::new(sql), params))
    }
}

/// What has been read, without a copy.
pub(super) fn bytes_of(rows: &Rows) -> Result<Bytes> {
    let row = rows.first().ok_or_else(no_row)?;
    let bytes: &[u8] = row.get(0)?;
    let whole = rows.reply.chunks.first().ok_or_else(no_row)?;
    Ok(whole.slice_ref(bytes))
}

/// Whether all was written.
pub(super) fn written(rows: &Rows, length: usize) -> Result<()> {
    let count: i32 = rows.first().ok_or_else(no_row)?.get(0)?;
    if usize::try_from(count) == Ok(length) {
        return Ok(());
    }
    let message = format!("the server wrote {count} of {length} bytes of a large object");
    Err(Error::new(ErrorKind::Decode, message))
}

pub(super) fn position_of(rows: &Rows) -> Result<u64> {
    let position: i64 = rows.first().ok_or_else(no_row)?.get(0)?;
    u64::try_from(position)
        .map_err(|_| Error::new(ErrorKind::Decode, format!("{position} is no position of a large object")))
}

fn offset(position: u64) -> Result<i64> {
    i64::try_from(position)
        .map_err(|_| EncodeError::new(format!("no large object has a position {position}")).into())
}

#[cold]
fn no_row() -> Error {
    Error::new(ErrorKind::NoResult, "a function of large objects answered no row")
}
