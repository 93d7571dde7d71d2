//! What is to be told.

use std::time::Duration;

use super::PgLsn;
use super::slot::{identifier, literal};
use crate::error::Result;

/// How often the server hears of the client unless told otherwise: it waits for a minute before it gives one up.
const STATUS_INTERVAL: Duration = Duration::from_secs(10);

/// What is to be told of a slot's log; see [`start`](super::Replication::start).
///
/// The methods set options of `pgoutput`; those of another plug-in are set by [`option`](Self::option).
#[derive(Clone, Debug)]
pub struct Subscription {
    slot: String,
    from: PgLsn,
    options: Vec<(String, String)>,
    publications: Vec<String>,
    pub(super) status_interval: Duration,
}

/// Whether transactions are told before they have been committed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Streaming {
    /// Large ones are, since version 2.
    On,
    /// They are, and aborts say where they are in the log, since version 4.
    Parallel,
}

impl Subscription {
    /// What the slot holds, from the last confirmed place on.
    pub fn new(slot: impl Into<String>) -> Self {
        Self {
            slot: slot.into(),
            from: PgLsn::default(),
            options: Vec::new(),
            publications: Vec::new(),
            status_interval: STATUS_INTERVAL,
        }
    }

    /// From this place on, unless what has been confirmed lies behind it.
    #[must_use]
    pub fn from(self, position: PgLsn) -> Self {
        Self { from: position, ..self }
    }

    /// The publications whose tables are told of. Version 1 is asked for where [`version`](Self::version) is not.
    #[must_use]
    pub fn publications(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.publications.extend(names.into_iter().map(Into::into));
        self
    }

    /// The version of the messages: 1, 2 since PostgreSQL 14, 3 since 15, 4 since 16.
    #[must_use]
    pub fn version(self, version: u32) -> Self {
        self.option("proto_version", version.to_string())
    }

    /// Transactions are told before they have been committed.
    #[must_use]
    pub fn streaming(self, streaming: Streaming) -> Self {
        self.option("streaming", if streaming == Streaming::Parallel { "parallel" } else { "on" })
    }

    /// Values come in binary form, where their types have one.
    #[must_use]
    pub fn binary(self) -> Self {
        self.option("binary", "true")
    }

    /// What `pg_logical_emit_message` says is told too.
    #[must_use]
    pub fn messages(self) -> Self {
        self.option("messages", "true")
    }

    /// Transactions are told when they are prepared for a commit in two phases, since version 3.
    #[must_use]
    pub fn two_phase(self) -> Self {
        self.option("two_phase", "true")
    }

    /// An option of the slot's output plug-in. The last of one name counts.
    #[must_use]
    pub fn option(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        let name = name.into();
        self.options.retain(|(known, _)| *known != name);
        self.options.push((name, value.into()));
        self
    }

    /// How often the server is told how far the client has got, without being asked: every 10 seconds unless told
    /// otherwise. It has to be well below the server's `wal_sender_timeout`, which is a minute.
    #[must_use]
    pub fn status_interval(self, interval: Duration) -> Self {
        Self { status_interval: interval, ..self }
    }

    /// Where it starts at the earliest.
    pub(super) fn start(&self) -> PgLsn {
        self.from
    }

    pub(super) fn command(&self) -> Result<String> {
        let mut options = self.options.clone();
        if !self.publications.is_empty() {
            if !options.iter().any(|(name, _)| name == "proto_version") {
                options.push(("proto_version".to_owned(), "1".to_owned()));
            }
            let names = self.publications.iter().map(|name| identifier(name)).collect::<Result<Vec<_>>>()?;
            options.push(("publication_names".to_owned(), names.join(",")));
        }
        let option =
            |(name, value): &(String, String)| Ok(format!("{} {}", identifier(name)?, literal(value)?));
        let options = options.iter().map(option).collect::<Result<Vec<_>>>()?;
        let options = if options.is_empty() { String::new() } else { format!(" ({})", options.join(", ")) };
        Ok(format!("START_REPLICATION SLOT {} LOGICAL {}{options}", identifier(&self.slot)?, self.from))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_quote_what_is_not_theirs() {
        let plain = Subscription::new("s").from("16/B374D848".parse().expect("a place"));
        assert_eq!(plain.command().expect("a command"), "START_REPLICATION SLOT \"s\" LOGICAL 16/B374D848");
        let all = Subscription::new("s").publications(["a", "b\"'c"]).binary().option("binary", "off");
        assert_eq!(
            all.command().expect("a command"),
            "START_REPLICATION SLOT \"s\" LOGICAL 0/0 (\"binary\" 'off', \"proto_version\" '1', \
             \"publication_names\" '\"a\",\"b\"\"''c\"')"
        );
        assert!(Subscription::new("s\0").command().is_err());
    }
}
