//! Rows that are taken as they come.

use std::future::poll_fn;
use std::sync::Arc;

use bytes::{Buf, Bytes};
use wreath_codecs::ParamBuf;

use crate::connection::client::Client;
use crate::connection::portal::{Name, Portal};
use crate::connection::reply::{Pending, send_streaming};
use crate::error::Result;
use crate::params::Params;
use crate::proto::op::Piece;
use crate::proto::scope::OUTSIDE;
use crate::row::{Column, Row, body_of};
use crate::sql::SqlRef;
use crate::tag::CommandTag;

impl Client {
    /// Runs a statement whose rows are taken as they come, so that a result of any size passes through little memory:
    /// when about 1 MiB of it waits to be taken, no more is read.
    ///
    /// Inside of a transaction the server keeps the rows in a portal, of which they are asked for about 256 KiB at a time, so
    /// other operations of the transaction go on meanwhile, and the stream may wait for as long as the transaction lives.
    /// Outside of one, the results of other operations of the connection come behind the stream's. When they wait, and no row
    /// is taken for ten seconds, the rest of the stream is given up with [`Stalled`](crate::ErrorKind::Stalled), and dropping
    /// the stream stops the statement.
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
        let name = (self.scope != OUTSIDE).then(Name::new);
        let sql = SqlRef::new(sql);
        let sending = send_streaming(self, sql, buf, name.as_ref().map(Name::opening));
        let (pending, statement, columns) = self.wait(sending).await?;
        let source = match name {
            Some(name) => Source::Portal(Portal::new(self, name, statement, pending)),
            None => Source::Flow(pending),
        };
        Ok(RowStream { source, columns, piece: Bytes::new(), tag: None })
    }
}

/// The rows of a running statement; made by [`Client::stream`].
#[derive(Debug)]
pub struct RowStream {
    source: Source,
    columns: Arc<[Column]>,
    /// Whole DataRow messages. The first of them is the row that was taken last.
    piece: Bytes,
    tag: Option<CommandTag>,
}

/// Where rows come from.
#[derive(Debug)]
enum Source {
    /// The statement, as it runs.
    Flow(Pending),
    Portal(Portal),
}

impl RowStream {
    /// The next row; `None` after the last. Dropping the future loses nothing.
    ///
    /// # Errors
    /// What the statement failed with; the rows before it have been taken then. In a transaction also `InTransaction` where
    /// more rows have to be asked for while a savepoint is open inside of it, after which the stream goes on, and
    /// `TransactionClosed` when it has ended.
    pub async fn next(&mut self) -> Result<Option<Row<'_>>> {
        if let Some((_, rest)) = body_of(&self.piece) {
            let taken = self.piece.len() - rest;
            self.piece.advance(taken);
        }
        while self.piece.is_empty() {
            match &mut self.source {
                Source::Portal(portal) => match portal.next().await? {
                    Some(piece) => self.piece = piece,
                    None => {
                        self.tag = self.tag.take().or(portal.tag.take());
                        return Ok(None);
                    }
                },
                Source::Flow(pending) => {
                    let (engine, Some(key)) = pending.parts() else { return Ok(None) };
                    match poll_fn(|cx| engine.poll_piece(key, cx)).await {
                        Piece::Messages(piece) => self.piece = piece,
                        Piece::End(outcome) => {
                            pending.ended(&outcome);
                            outcome.error.map_or(Ok(()), Err)?;
                            self.tag = Some(outcome.reply.tag);
                        }
                    }
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
