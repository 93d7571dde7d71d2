//! Sessions for replication.

use super::slot::{CreateSlot, CreatedSlot, identifier, position};
use super::{PgLsn, ReplicationStream, Subscription};
use crate::config::Config;
use crate::connection::Connection;
use crate::error::{Error, Result};
use crate::row::Rows;

impl Config {
    /// Connects for logical replication: the user must have the attribute `REPLICATION`.
    ///
    /// # Errors
    /// As [`connect`](Self::connect).
    pub async fn replicate(&self) -> Result<Replication> {
        let mut config = self.clone();
        config.replication = true;
        Ok(Replication { connection: config.connect().await? })
    }
}

/// A session for logical replication; made by [`Config::replicate`]. Statements go through
/// [`script`](Self::script): such a session knows only the simple protocol.
#[derive(Clone, Debug)]
pub struct Replication {
    connection: Connection,
}

/// Who a server is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SystemIdentity {
    /// The same for a server and its standbys, and for no others.
    pub system: String,
    /// How often the history of the server has forked.
    pub timeline: u32,
    /// Up to where the log has been flushed.
    pub position: PgLsn,
    /// The session's database.
    pub database: Option<String>,
}

impl Replication {
    /// Asks the server who it is.
    ///
    /// # Errors
    /// As [`Client::execute`](crate::Client::execute); so do the other methods.
    pub async fn identify_system(&self) -> Result<SystemIdentity> {
        let rows = self.one("IDENTIFY_SYSTEM").await?;
        let row = rows.first().ok_or_else(no_answer)?;
        let timeline: &str = row.get("timeline")?;
        Ok(SystemIdentity {
            system: row.get("systemid")?,
            timeline: timeline.parse().map_err(|_| no_answer())?,
            position: position(row.get("xlogpos")?)?,
            database: row.get("dbname")?,
        })
    }

    /// Makes a slot. It waits for the transactions that are running to end.
    ///
    /// # Errors
    /// `Server`, when there is one of that name (SQLSTATE 42710), or the server has no room for another (53400).
    pub async fn create_slot(&self, slot: &CreateSlot) -> Result<CreatedSlot> {
        let rows = self.one(&slot.command()?).await?;
        CreatedSlot::read(rows.first().ok_or_else(no_answer)?)
    }

    /// Drops a slot; one that is in use is refused, or waited for where `wait` says so.
    ///
    /// # Errors
    /// `Server`, when there is none (SQLSTATE 42704), or it is in use (55006).
    pub async fn drop_slot(&self, name: &str, wait: bool) -> Result<()> {
        let wait = if wait { " WAIT" } else { "" };
        self.script(&format!("DROP_REPLICATION_SLOT {}{wait}", identifier(name)?)).await.map(drop)
    }

    /// Starts telling what the slot holds. The session does nothing else before the stream has ended.
    ///
    /// # Errors
    /// `Server`, for what the server does not know or grant. `Unsupported`, when the server ends the stream at once:
    /// PostgreSQL 15 does so with the second stream of a session, so each has to have a session of its own.
    pub async fn start(&self, subscription: &Subscription) -> Result<ReplicationStream> {
        ReplicationStream::start(&self.connection, subscription).await
    }

    /// Runs statements; see [`Client::script`](crate::Client::script).
    ///
    /// # Errors
    /// As [`Client::script`](crate::Client::script).
    pub async fn script(&self, script: &str) -> Result<Vec<Rows>> {
        self.connection.script(script).await
    }

    /// Ends the session, and a stream of it that has not ended.
    ///
    /// # Errors
    /// As [`Connection::close`].
    pub async fn close(self) -> Result<()> {
        self.connection.close().await
    }

    async fn one(&self, command: &str) -> Result<Rows> {
        self.script(command).await?.into_iter().next().ok_or_else(no_answer)
    }
}

#[cold]
fn no_answer() -> Error {
    Error::protocol("the answer to a command of replication is not what it should be")
}
