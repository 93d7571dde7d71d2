//! Rows that are taken as they come.

use std::future::poll_fn;
use std::sync::Arc;

use bytes::{Buf, Bytes};
use wreath_codecs::ParamBuf;

use crate::connection::client::Client;
use crate::connection::reply::{Pending, send_streaming};
use crate::error::Result;
use crate::params::Params;
use crate::proto::op::Piece;
use crate::row::{Column, Row, body_of};
use crate::sql::SqlRef;
use crate::tag::CommandTag;

impl Client {
    /// Runs a statement whose rows are taken as they come, so that a result of any size passes through little memory:
    /// when about 1 MiB of it waits to be taken, no more is read.
    ///
    /// The results of other operations of the connection come behind the stream's. When they wait, and no row is
    /// taken for ten seconds, the rest of the stream is given up with [`Stalled`](crate::ErrorKind::Stalled). Dropping the
    /// stream stops the statement.
    ///
    /// ```no_run
    /// # async fn f(client: &wreath_driver::Client) -> wreath_driver::Result<()> {
    /// let mut llamas = client.stream("SELECT id, name FROM llamas", ()).await?;
    /// while let Some(row) = llamas.next().await? {
    ///     let (id, name): (i64, &str) = (row.get(0)?, row.get(1)?);
    ///     println!("{id} {name}");
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`execute`](Self::execute); an error of the running statement comes from the stream.
    pub async fn stream(&self, sql: &str, params: impl Params) -> Result<RowStream> {
        let mut buf = ParamBuf::new();
        params.encode(&mut buf)?;
        let (pending, columns) = send_streaming(self, SqlRef::new(sql), buf).await?;
        Ok(RowStream { pending, columns, piece: Bytes::new(), tag: None })
    }
}

/// The rows of a running statement; made by [`Client::stream`].
#[derive(Debug)]
pub struct RowStream {
    pending: Pending,
    columns: Arc<[Column]>,
    /// Whole DataRow messages. The first of them is the row that was taken last.
    piece: Bytes,
    tag: Option<CommandTag>,
}

impl RowStream {
    /// The next row; `None` after the last. Dropping the future loses nothing.
    ///
    /// # Errors
    /// What the statement failed with; the rows before it have been taken then.
    pub async fn next(&mut self) -> Result<Option<Row<'_>>> {
        if let Some((_, rest)) = body_of(&self.piece) {
            let taken = self.piece.len() - rest;
            self.piece.advance(taken);
        }
        while self.piece.is_empty() {
            let (engine, Some(key)) = self.pending.parts() else { return Ok(None) };
            match poll_fn(|cx| engine.poll_piece(key, cx)).await {
                Piece::Messages(piece) => self.piece = piece,
                Piece::End(outcome) => {
                    self.pending.ended(&outcome);
                    outcome.error.map_or(Ok(()), Err)?;
                    self.tag = Some(outcome.reply.tag);
                }
            }
        }
        Ok(body_of(&self.piece).map(|(body, _)| Row::new(&self.columns, body)))
    }

    /// The columns.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The server's summary of the statement, once its last row has been taken.
    pub fn tag(&self) -> Option<&CommandTag> {
        self.tag.as_ref()
    }
}
