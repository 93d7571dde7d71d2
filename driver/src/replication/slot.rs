//! Replication slots.

use super::PgLsn;
use crate::error::{Error, Result};
use crate::row::Row;

/// A slot that is to be made: the server keeps the log for whoever reads it. See
/// [`create_slot`](super::Replication::create_slot).
#[derive(Clone, Debug)]
pub struct CreateSlot {
    name: String,
    plugin: String,
    temporary: bool,
    exports: bool,
    two_phase: bool,
}

impl CreateSlot {
    /// A slot of that name for `pgoutput`, which outlives the session, and exports no snapshot.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            plugin: "pgoutput".to_owned(),
            temporary: false,
            exports: false,
            two_phase: false,
        }
    }

    /// Another output plug-in.
    #[must_use]
    pub fn plugin(mut self, plugin: impl Into<String>) -> Self {
        self.plugin = plugin.into();
        self
    }

    /// It is dropped with the session.
    #[must_use]
    pub fn temporary(self) -> Self {
        Self { temporary: true, ..self }
    }

    /// A snapshot of the database at the slot's start is exported, for others to copy what is there
    /// (`SET TRANSACTION SNAPSHOT`). It is there until the session's next command.
    #[must_use]
    pub fn export_snapshot(self) -> Self {
        Self { exports: true, ..self }
    }

    /// Transactions are told when they are prepared for a commit in two phases.
    #[must_use]
    pub fn two_phase(self) -> Self {
        Self { two_phase: true, ..self }
    }

    /// The command, in the form that all servers know.
    pub(super) fn command(&self) -> Result<String> {
        let temporary = if self.temporary { " TEMPORARY" } else { "" };
        let snapshot = if self.exports { "EXPORT_SNAPSHOT" } else { "NOEXPORT_SNAPSHOT" };
        let two_phase = if self.two_phase { " TWO_PHASE" } else { "" };
        let (name, plugin) = (identifier(&self.name)?, identifier(&self.plugin)?);
        Ok(format!("CREATE_REPLICATION_SLOT {name}{temporary} LOGICAL {plugin} {snapshot}{two_phase}"))
    }
}

/// A slot that has been made.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CreatedSlot {
    /// Its name.
    pub name: String,
    /// From where on changes are told.
    pub consistent_point: PgLsn,
    /// The snapshot, where one is exported.
    pub snapshot: Option<String>,
}

impl CreatedSlot {
    pub(super) fn read(row: Row<'_>) -> Result<Self> {
        Ok(Self {
            name: row.get("slot_name")?,
            consistent_point: position(row.get("consistent_point")?)?,
            snapshot: row.get("snapshot_name")?,
        })
    }
}

/// A place in the log, as the server writes it.
pub(super) fn position(text: &str) -> Result<PgLsn> {
    text.parse().map_err(|_| Error::protocol(format!("{text:?} is no place in the log")))
}

/// A name as commands write it.
pub(super) fn identifier(name: &str) -> Result<String> {
    quoted(name, '"')
}

/// A text as commands write it.
pub(super) fn literal(text: &str) -> Result<String> {
    quoted(text, '\'')
}

fn quoted(text: &str, quote: char) -> Result<String> {
    if text.contains('\0') {
        let message = format!("{text:?} has a zero byte in it");
        return Err(Error::new(crate::error::ErrorKind::Encode, message));
    }
    let twice = [quote, quote].iter().collect::<String>();
    Ok(format!("{quote}{}{quote}", text.replace(quote, &twice)))
}
