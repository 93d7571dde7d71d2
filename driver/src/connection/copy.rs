//! Data in bulk (PostgreSQL manual, "COPY").

use std::future::poll_fn;

use bytes::{Buf, Bytes};
use wreath_codecs::{EncodeError, Encoder, ParamBuf};

use crate::connection::client::Client;
use crate::connection::reply::Pending;
use crate::error::{Error, ErrorKind, Result};
use crate::params::Params;
use crate::proto::op::{Outcome, Piece};
use crate::proto::pipeline::{Asked, Direction};
use crate::row::body_of;

/// What a binary COPY begins with: its signature, no flags, no extension of the header (PostgreSQL manual, "COPY",
/// Binary Format).
const BINARY_HEADER: &[u8; 19] = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0";
/// What it ends with.
const BINARY_TRAILER: i16 = -1;
/// Rows are collected up to about this many bytes before they are sent.
const BATCH_BYTES: usize = 64 << 10;

impl Client {
    /// Runs `COPY ... FROM STDIN`, for which data is sent as the statement's format has it. The connection does
    /// nothing else before the copy has ended. When others wait for that, and nothing is sent for ten seconds, the copy
    /// is given up with [`Stalled`](ErrorKind::Stalled).
    ///
    /// ```no_run
    /// # async fn f(client: &wreath_driver::Client) -> wreath_driver::Result<()> {
    /// let mut copy = client.copy_in("COPY llamas (id, name) FROM STDIN (FORMAT csv)").await?;
    /// copy.send(b"1,Dolly\n2,Tina\n").await?;
    /// assert_eq!(copy.finish().await?, 2);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// `Unsupported` when the statement is no `COPY ... FROM STDIN`; and as [`execute`](Self::execute).
    pub async fn copy_in(&self, sql: &str) -> Result<CopyIn> {
        let engine = &self.handle.0;
        let key = engine.submit_resident(|p| p.submit_copy(sql, Direction::In, self.scope))?;
        let mut pending = Pending::new(engine, key).observed(|| sql.into());
        match self.wait(async { Ok(poll_fn(|cx| engine.poll_asked(key, cx)).await) }).await? {
            Asked::Yes => Ok(CopyIn { pending }),
            Asked::Ended(outcome) => {
                pending.ended(&outcome);
                let unasked = || Error::new(ErrorKind::Unsupported, "the statement takes no data");
                Err(outcome.error.unwrap_or_else(unasked).in_statement(&sql.into()))
            }
        }
    }

    /// Runs `COPY ... FROM STDIN (FORMAT binary)`, for which rows of Rust values are sent.
    ///
    /// Their types must be those of the columns, exactly: the server converts nothing here. Strings are for columns
    /// of text, varchar and their like. A value that has the number of a named type in it, as an array of enums has, can
    /// only be sent when the type has been looked up: [`resolve`](Self::resolve) does that, before the copy begins.
    ///
    /// ```no_run
    /// # async fn f(client: &wreath_driver::Client) -> wreath_driver::Result<()> {
    /// let mut copy = client.copy_rows("COPY llamas (id, name) FROM STDIN (FORMAT binary)").await?;
    /// for (id, name) in [(1_i64, "Dolly"), (2, "Tina")] {
    ///     copy.send((id, name)).await?;
    /// }
    /// assert_eq!(copy.finish().await?, 2);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`copy_in`](Self::copy_in).
    pub async fn copy_rows(&self, sql: &str) -> Result<CopyRows> {
        let copy = self.copy_in(sql).await?;
        let mut batch = Encoder::new();
        batch.put(BINARY_HEADER);
        Ok(CopyRows { copy, batch, row: ParamBuf::new(), client: self.share() })
    }

    /// Runs `COPY ... TO STDOUT`, whose data is taken as it comes, in the statement's format. It flows as the
    /// rows of a [`stream`](Self::stream) do.
    ///
    /// ```no_run
    /// # async fn f(client: &wreath_driver::Client) -> wreath_driver::Result<()> {
    /// let mut copy = client.copy_out("COPY llamas TO STDOUT (FORMAT csv)").await?;
    /// while let Some(line) = copy.next().await? {
    ///     print!("{}", String::from_utf8_lossy(&line));
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// `Unsupported` when the statement is no COPY; and as [`execute`](Self::execute), from the first
    /// [`next`](CopyOut::next).
    pub async fn copy_out(&self, sql: &str) -> Result<CopyOut> {
        let engine = &self.handle.0;
        let key = engine.submit_resident(|p| p.submit_copy(sql, Direction::Out, self.scope))?;
        Ok(CopyOut { pending: Pending::new(engine, key).observed(|| sql.into()), piece: Bytes::new() })
    }
}

/// Data that is being copied to the server; made by [`Client::copy_in`]. Dropped without
/// [`finish`](Self::finish), the copy fails, and nothing of it stays.
#[derive(Debug)]
pub struct CopyIn {
    pending: Pending,
}

impl CopyIn {
    /// Sends data. How it is cut does not matter. It waits while about 1 MiB waits to be written; when the future is dropped
    /// then, a part of the data may have been sent.
    ///
    /// # Errors
    /// What the server refused the copy with; and when the connection is lost.
    pub async fn send(&mut self, data: &[u8]) -> Result<()> {
        for part in data.chunks(BATCH_BYTES) {
            self.room().await;
            if !self.put(part)? {
                return Err(self.failure().await);
            }
        }
        Ok(())
    }

    /// Waits until what is sent does not pile up.
    async fn room(&self) {
        let (engine, _) = self.pending.parts();
        poll_fn(|cx| engine.poll_room(cx)).await;
    }

    /// Sends a part of the data at once; `false` when the copy has ended, and [`failure`](Self::failure) says why.
    fn put(&self, part: &[u8]) -> Result<bool> {
        let (engine, Some(key)) = self.pending.parts() else { return Err(ended()) };
        engine.submit_resident(|p| p.copy_data(key, part))
    }

    async fn failure(&mut self) -> Error {
        self.outcome().await.map_or_else(|e| e, |_| ended())
    }

    /// Ends the data; answers how many rows have been copied.
    ///
    /// # Errors
    /// As [`send`](Self::send).
    pub async fn finish(mut self) -> Result<u64> {
        if let (engine, Some(key)) = self.pending.parts() {
            engine.submit_resident(|p| Ok(p.copy_end(key, None)))?;
        }
        self.outcome().await
    }

    /// Fails the copy: nothing of it stays. The reason is in the server's error, which is left out here.
    ///
    /// # Errors
    /// When the connection is lost.
    pub async fn abort(mut self, reason: &str) -> Result<()> {
        if let (engine, Some(key)) = self.pending.parts() {
            engine.submit_resident(|p| Ok(p.copy_end(key, Some(reason))))?;
        }
        match self.outcome().await {
            Err(e) if e.is_connection_lost() => Err(e),
            _ => Ok(()),
        }
    }

    async fn outcome(&mut self) -> Result<u64> {
        let outcome: Outcome = (&mut self.pending).await;
        outcome.error.map_or(Ok(()), Err)?;
        Ok(outcome.tags.first().map_or(0, crate::tag::CommandTag::rows))
    }
}

/// Rows that are being copied to the server; made by [`Client::copy_rows`]. Dropped without
/// [`finish`](Self::finish), the copy fails, and nothing of it stays.
#[derive(Debug)]
pub struct CopyRows {
    copy: CopyIn,
    batch: Encoder,
    row: ParamBuf,
    client: Client,
}

impl CopyRows {
    /// Sends a row: a tuple, or whatever else can be a statement's parameters. It waits while about 1 MiB waits to be
    /// written; when the future is dropped then, the row is left out, and the copy goes on.
    ///
    /// # Errors
    /// `Encode`, when a value has no form that PostgreSQL takes: the row is left out, and the copy goes on. What the
    /// server refused the copy with; and when the connection is lost.
    pub async fn send(&mut self, row: impl Params) -> Result<()> {
        self.flush(BATCH_BYTES).await?;
        self.row.clear();
        row.encode(&mut self.row)?;
        let columns = i16::try_from(self.row.len())
            .map_err(|_| EncodeError::new(format!("a row of {} columns", self.row.len())))?;
        // A copy says the types of no columns: only the numbers inside of values count.
        if self.row.values().unresolved().next().is_some() {
            self.client.catalog().resolve_known(&mut self.row);
            // The connection is busy copying: it can be asked for no type.
            if let Some(ty) = self.row.values().unresolved().next() {
                let message =
                    format!("the type {ty} has to be looked up before the copy begins: see resolve");
                return Err(EncodeError::new(message).into());
            }
        }
        self.batch.put_i16(columns);
        self.batch.put(self.row.values().as_bytes());
        Ok(())
    }

    /// Sends the rows that have been collected, if they have `least` bytes: all or, when the future is dropped, none.
    async fn flush(&mut self, least: usize) -> Result<()> {
        if self.batch.len() < least {
            return Ok(());
        }
        self.copy.room().await;
        for part in self.batch.as_bytes().chunks(BATCH_BYTES) {
            if !self.copy.put(part)? {
                return Err(self.copy.failure().await);
            }
        }
        self.batch.clear();
        Ok(())
    }

    /// Ends the rows; answers how many have been copied.
    ///
    /// # Errors
    /// As [`send`](Self::send).
    pub async fn finish(mut self) -> Result<u64> {
        self.batch.put_i16(BINARY_TRAILER);
        self.flush(0).await?;
        self.copy.finish().await
    }
}

/// Data that is being copied from the server; made by [`Client::copy_out`]. Dropped before its end, the copy is stopped.
#[derive(Debug)]
pub struct CopyOut {
    pending: Pending,
    /// Whole CopyData messages.
    piece: Bytes,
}

impl CopyOut {
    /// The next part of the data, cut as the server cut it: in the text formats a line, in the binary format a row.
    /// `None` after the last. Dropping the future loses nothing.
    ///
    /// # Errors
    /// What the server refused the copy with; and when the connection is lost.
    pub async fn next(&mut self) -> Result<Option<Bytes>> {
        loop {
            if let Some((body, rest)) = body_of(&self.piece) {
                let body = self.piece.slice_ref(body);
                let taken = self.piece.len() - rest;
                self.piece.advance(taken);
                return Ok(Some(body));
            }
            let (engine, Some(key)) = self.pending.parts() else { return Ok(None) };
            match poll_fn(|cx| engine.poll_piece(key, cx)).await {
                Piece::Messages(piece) => self.piece = piece,
                Piece::End(outcome) => {
                    self.pending.ended(&outcome);
                    outcome.error.map_or(Ok(()), Err)?;
                }
            }
        }
    }
}

#[cold]
fn ended() -> Error {
    Error::new(ErrorKind::Closed, "the copy has ended")
}
