//! The stream of changes.

use std::future::poll_fn;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use bytes::{Buf, Bytes};
use tokio::task::JoinHandle;
use wreath_codecs::frame::replication::FromServer;
use wreath_codecs::types::TimestampTz;

use super::progress::Progress;
use super::{PgLsn, Subscription};
use crate::connection::engine::Engine;
use crate::connection::{Connection, Pending};
use crate::error::{Error, ErrorKind, Result};
use crate::proto::op::{OpKey, Piece};
use crate::proto::pipeline::Asked;
use crate::row::body_of;

/// What a slot holds, as it is committed; made by [`Replication::start`](super::Replication::start).
///
/// A task tells the server now and then that the client is there and what it has confirmed, also while nothing is taken
/// of the stream; the server's own questions are answered when they are come upon. When 1 MiB waits to be taken, no more
/// is read. Dropping the stream ends it, and leaves the session usable for other commands.
#[derive(Debug)]
pub struct ReplicationStream {
    pending: Pending,
    /// Whole CopyData messages.
    piece: Bytes,
    progress: Arc<Progress>,
    beat: JoinHandle<()>,
    /// The session stays open for as long as the stream does.
    _connection: Connection,
}

/// A part of the log, as the slot's output plug-in tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Wal {
    /// Where it begins in the log.
    pub start: PgLsn,
    /// Where the log ended on the server.
    pub end: PgLsn,
    /// The server's clock when it was sent; `None` for one that is no time.
    pub sent: Option<TimestampTz>,
    /// One message of the plug-in: what a [`Decoder`](crate::codecs::frame::pgoutput::Decoder) reads, where that is
    /// `pgoutput`.
    pub data: Bytes,
}

impl ReplicationStream {
    pub(super) async fn start(connection: &Connection, subscription: &Subscription) -> Result<Self> {
        let command = subscription.command()?;
        let engine = connection.engine();
        let key = engine.submit_resident(|p| p.submit_both(&command))?;
        let mut pending = Pending::new(engine, key).observed(|| command.as_str().into());
        if let Asked::Ended(outcome) = poll_fn(|cx| engine.poll_asked(key, cx)).await {
            pending.ended(&outcome);
            let silent = || {
                Error::new(
                    ErrorKind::Unsupported,
                    "the server ended the stream at once: had the session one before?",
                )
            };
            return Err(outcome.error.unwrap_or_else(silent).in_statement(&command.into()));
        }
        let progress = Arc::<Progress>::default();
        progress.confirm(subscription.start().0);
        let beat = beat(Arc::clone(engine), key, Arc::clone(&progress), subscription.status_interval);
        let beat = engine.runtime.spawn(beat);
        Ok(Self { pending, piece: Bytes::new(), progress, beat, _connection: connection.clone() })
    }

    /// The next part of the log; `None` once the server has ended the stream, as it does when it is shut down. Dropping
    /// the future loses nothing.
    ///
    /// # Errors
    /// What the server ended the stream with; and when the connection is lost.
    pub async fn next(&mut self) -> Result<Option<Wal>> {
        loop {
            let Some((body, rest)) = body_of(&self.piece) else {
                let (engine, Some(key)) = self.pending.parts() else { return Ok(None) };
                match poll_fn(|cx| engine.poll_piece(key, cx)).await {
                    Piece::Messages(piece) => self.piece = piece,
                    Piece::End(outcome) => {
                        self.pending.ended(&outcome);
                        self.beat.abort();
                        outcome.error.map_or(Ok(()), Err)?;
                    }
                }
                continue;
            };
            let (body, taken) = (self.piece.slice_ref(body), self.piece.len() - rest);
            self.piece.advance(taken);
            if let Some(wal) = self.take(&body)? {
                return Ok(Some(wal));
            }
        }
    }

    fn take(&self, body: &Bytes) -> Result<Option<Wal>> {
        let message = FromServer::decode(body)
            .map_err(|e| Error::protocol(format!("the server broke the protocol: {e}")))?;
        match message {
            FromServer::Wal(wal) => {
                self.progress.handed(wal.start, wal.end);
                let sent = TimestampTz::from_micros(wal.clock).ok();
                let data = body.slice_ref(wal.data);
                Ok(Some(Wal { start: PgLsn(wal.start), end: PgLsn(wal.end), sent, data }))
            }
            FromServer::Keepalive(keepalive) => {
                self.progress.alive(keepalive.end);
                if keepalive.reply {
                    self.tell()?;
                }
                Ok(None)
            }
            _ => Ok(None),
        }
    }

    /// Says that all before this place in the log, such as the end of a commit, has been stored: the server need not
    /// keep it, and tells it no more when the slot is read again. It is told with the next status, by itself.
    pub fn confirm(&self, position: PgLsn) {
        self.progress.confirm(position.0);
    }

    /// What has been confirmed so far.
    pub fn confirmed(&self) -> PgLsn {
        PgLsn(self.progress.confirmed())
    }

    /// Tells the server now what has been confirmed.
    ///
    /// # Errors
    /// When the connection is lost.
    pub fn tell(&self) -> Result<()> {
        match self.pending.parts() {
            (engine, Some(key)) => tell(engine, key, &self.progress).map(drop),
            (_, None) => Ok(()),
        }
    }

    /// Ends the stream, after the server has been told what was confirmed. What has not been taken is dropped.
    ///
    /// # Errors
    /// What the server ended the stream with before; and when the connection is lost.
    pub async fn stop(mut self) -> Result<()> {
        self.tell()?;
        if let (engine, Some(key)) = self.pending.parts() {
            engine.submit_resident(|p| Ok(p.copy_end(key, None)))?;
        }
        self.piece.clear();
        while self.next().await?.is_some() {}
        Ok(())
    }
}

impl Drop for ReplicationStream {
    fn drop(&mut self) {
        self.beat.abort();
    }
}

/// Tells the server how far the client has got; `false` when the stream has ended.
fn tell(engine: &Engine, key: OpKey, progress: &Progress) -> Result<bool> {
    let status = progress.status(clock()).to_bytes();
    engine.submit_resident(|p| p.copy_data(key, &status))
}

/// Nobody need know more often how far the client has got.
const SHORTEST_INTERVAL: Duration = Duration::from_millis(10);

/// Tells the server at regular intervals, until the stream has ended.
async fn beat(engine: Arc<Engine>, key: OpKey, progress: Arc<Progress>, interval: Duration) {
    while matches!(tell(&engine, key, &progress), Ok(true)) {
        tokio::time::sleep(interval.max(SHORTEST_INTERVAL)).await;
    }
}

/// Microseconds since 2000-01-01 00:00 UTC.
fn clock() -> i64 {
    const EPOCH: Duration = Duration::from_secs(946_684_800);
    let since = SystemTime::UNIX_EPOCH.elapsed().unwrap_or(EPOCH).saturating_sub(EPOCH);
    i64::try_from(since.as_micros()).unwrap_or(i64::MAX)
}
