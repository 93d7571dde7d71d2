//! Rows of a transaction that the server keeps until they are asked for.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use smallvec::SmallVec;

use crate::connection::client::Client;
use crate::connection::reply::Pending;
use crate::error::Result;
use crate::proto::limits::{PORTAL_BYTES, PORTAL_ROWS};
use crate::proto::op::Outcome;
use crate::proto::statement::Statement;
use crate::tag::CommandTag;

/// An open portal (PostgreSQL manual, "Extended Query"), one batch of whose rows is taken while the next is on its way.
#[derive(Debug)]
pub(crate) struct Portal {
    client: Client,
    name: Name,
    statement: Arc<Statement>,
    flying: Option<Pending>,
    /// What has come and has not been taken, the last piece first.
    pieces: SmallVec<[Bytes; 2]>,
    /// How many rows are asked for next.
    rows: i32,
    /// How many rows have come.
    taken: usize,
    /// Whether nothing more can come.
    ended: bool,
    pub(crate) tag: Option<CommandTag>,
}

/// The name of a portal, which no other of the process has.
#[derive(Debug)]
pub(crate) struct Name(String);

impl Name {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Self(format!("wreath_{:x}", NEXT.fetch_add(1, Ordering::Relaxed)))
    }

    /// The portal, and how many of its rows are asked for at first.
    pub(crate) fn opening(&self) -> (&str, i32) {
        (&self.0, PORTAL_ROWS)
    }
}

impl Portal {
    /// A portal whose opening, with the first batch, is on its way.
    pub(crate) fn new(client: &Client, name: Name, statement: Arc<Statement>, opening: Pending) -> Self {
        Self {
            client: client.share(),
            name,
            statement,
            flying: Some(opening),
            pieces: SmallVec::new(),
            rows: PORTAL_ROWS,
            taken: 0,
            ended: false,
            tag: None,
        }
    }

    /// The next piece: whole DataRow messages; `None` after the last. Dropping the future loses nothing.
    pub(crate) async fn next(&mut self) -> Result<Option<Bytes>> {
        while self.pieces.is_empty() && !self.ended {
            match &mut self.flying {
                None => self.ask()?,
                Some(flying) => {
                    let outcome = flying.await;
                    self.flying = None;
                    self.arrived(outcome)?;
                }
            }
        }
        Ok(self.pieces.pop())
    }

    fn ask(&mut self) -> Result<()> {
        let Self { client, name, statement, rows, .. } = &*self;
        let engine = &client.handle.0;
        let key = engine.submit_resident(|p| p.fetch_portal(&name.0, statement, *rows, client.scope))?;
        self.flying = Some(Pending::new(engine, key));
        Ok(())
    }

    fn arrived(&mut self, outcome: Outcome) -> Result<()> {
        self.ended = outcome.error.is_some() || !outcome.suspended;
        outcome.error.map_or(Ok(()), Err)?;
        let reply = outcome.reply;
        self.rows = fitting(self.rows, reply.rows, reply.bytes);
        self.pieces = reply.chunks;
        self.pieces.reverse();
        self.taken += reply.rows;
        if self.ended {
            // The server counts the rows of the last batch alone.
            self.tag = Some(reply.tag.with_rows(self.taken));
        } else {
            // While a savepoint is open this is refused; it is asked for again, and the refusal told, when it is needed.
            let _ = self.ask();
        }
        Ok(())
    }
}

/// How many rows are about as many bytes as are wanted, after `rows` rows of `bytes` bytes have come.
fn fitting(asked: i32, rows: usize, bytes: usize) -> i32 {
    let width = bytes.checked_div(rows).unwrap_or_default().max(1);
    let fitting = i32::try_from(PORTAL_BYTES / width).unwrap_or(i32::MAX);
    fitting.clamp(1, asked.saturating_mul(8))
}

impl Drop for Portal {
    fn drop(&mut self) {
        drop(self.flying.take());
        let Self { client, name, .. } = &*self;
        client.handle.0.submit_detached(|p| p.close_portal(&name.0, client.scope));
    }
}
